//! Clients' rule files, and what editors ask about rule files.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Server;
use super::fault::{Code, Fault};
use super::request::Fields;
use crate::api::Rules;
use crate::base::SaturatingFrom;
use crate::bundled::{Bundled, find, suggest};
use crate::editor::{Analysis, Completion, Place, Sort, complete, rename};
use crate::load::Files;
use crate::syntax::format;

/// The longest name of a file, in bytes: as in `extends`.
const LONGEST: usize = 1000;

/// Texts by file name; bundled files are available too, unless a text replaces one.
#[derive(Debug, Default)]
pub(super) struct Texts(BTreeMap<String, String>);

impl Files for Texts {
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String> {
        if let Some(text) = self.0.get(file) {
            return Ok((file.to_owned(), text.clone()));
        }
        let (name, text) = Bundled.read(by, file)?;
        let text = self.0.get(&name).cloned().unwrap_or(text);
        Ok((name, text))
    }
}

impl Texts {
    /// The text a client has written under a name.
    pub(super) fn written(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The names of clients' texts.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// A rule file by its name, or by the name of a bundled game: its name and text.
    pub(super) fn find(&self, what: &str) -> Option<(String, String)> {
        if let Some(text) = self.written(what) {
            return Some((what.to_owned(), text.to_owned()));
        }
        let (name, text) = find(what)?;
        let text = self.written(&name).unwrap_or(text).to_owned();
        Some((name, text))
    }

    /// A text that is read in place of what has this name elsewhere: one a client has written, or a bundled file, which
    /// may extend one.
    pub(super) fn replaced(&self, what: &str) -> Option<(String, String)> {
        if self.0.is_empty() { None } else { self.find(what) }
    }

    /// The total length in bytes, excluding one of them.
    fn length_without(&self, name: &str) -> usize {
        self.0.iter().filter(|(other, _)| *other != name).map(|(other, text)| other.len() + text.len()).sum()
    }
}

impl Server<'_> {
    pub(super) fn text(&self, fields: &Fields) -> Result<Value, Fault> {
        let (file, text) = self.file(fields)?;
        Ok(json!({"written": self.texts.written(&file).is_some(), "file": file, "text": text}))
    }

    pub(super) fn write(&mut self, fields: &Fields) -> Result<Value, Fault> {
        let name = name_of(fields)?.to_owned();
        if name.len() > LONGEST {
            let message = format!("the name of a file has at most {LONGEST} bytes, this one {}", name.len());
            return Err(Fault::new(Code::Limit, message, "give a shorter name"));
        }
        match fields.text("text")? {
            Some(text) => {
                let length = self.texts.length_without(&name) + name.len() + text.len();
                if length > self.limits.line {
                    let message =
                        format!("the texts would have {length} bytes, more than the {} of a line", self.limits.line);
                    return Err(Fault::new(Code::Limit, message, "forget others: `write` them without a `text`"));
                }
                self.texts.0.insert(name.clone(), text.to_owned());
            }
            None => {
                self.texts.0.remove(&name);
            }
        }
        // Other files may extend it.
        self.opened.clear();
        Ok(json!({"file": name}))
    }

    pub(super) fn check(&self, fields: &Fields) -> Result<Value, Fault> {
        let (file, text) = self.file(fields)?;
        let found = Rules::check(&file, &text, &self.texts);
        Ok(json!({"file": file, "errors": found.errors(), "warnings": found.warnings(), "list": found.list()}))
    }

    pub(super) fn format(&self, fields: &Fields) -> Result<Value, Fault> {
        let (file, text) = self.file(fields)?;
        Ok(json!({"file": file, "text": format(&text)}))
    }

    pub(super) fn hover(&self, fields: &Fields) -> Result<Value, Fault> {
        let (analysis, file, at) = self.place(fields)?;
        Ok(match analysis.hover(&file, at) {
            Some(hover) => json!({"text": hover.text, "offset": hover.range.start, "length": hover.range.len()}),
            None => json!({"text": null}),
        })
    }

    pub(super) fn complete(&self, fields: &Fields) -> Result<Value, Fault> {
        let (analysis, _, at) = self.place(fields)?;
        let (range, offered) = complete(&analysis, &self.texts, at);
        let one = |offer: Completion| {
            json!({
                "text": offer.text, "sort": sort(offer.sort), "detail": offer.detail, "remark": offer.remark,
                "rank": offer.rank,
            })
        };
        let list: Vec<Value> = offered.into_iter().map(one).collect();
        Ok(json!({"offset": range.start, "length": range.len(), "list": list}))
    }

    pub(super) fn definition(&self, fields: &Fields) -> Result<Value, Fault> {
        let (analysis, file, at) = self.place(fields)?;
        Ok(json!({"place": analysis.definition(&file, at).as_ref().map(place_json)}))
    }

    pub(super) fn rename(&self, fields: &Fields) -> Result<Value, Fault> {
        let Some(new) = fields.text("name")? else {
            return Err(fields.missing("name", "give the new name"));
        };
        let (analysis, file, at) = self.place(fields)?;
        let refused = |why: String| Fault::new(Code::BadValue, why, "take another name, or another place");
        let Some((target, _)) = analysis.target(&file, at) else {
            return Err(refused("there is no name here".to_owned()));
        };
        let target = analysis.settled(target);
        let owned = |file: &str| self.texts.written(file).is_some();
        // Other files may extend it, and use the name.
        let others = self.texts.0.iter().filter(|(name, _)| **name != file);
        let others: Vec<Analysis> = others.map(|(name, text)| Analysis::new(name, text, &self.texts)).collect();
        let roots: Vec<&Analysis> = std::iter::once(&analysis).chain(&others).collect();
        let renaming = rename(&roots, &self.texts, &target, new, &owned).map_err(refused)?;
        Ok(json!({"places": renaming.places.iter().map(place_json).collect::<Vec<_>>()}))
    }

    /// The rule file of a request: its name and text.
    pub(super) fn file(&self, fields: &Fields) -> Result<(String, String), Fault> {
        let name = name_of(fields)?;
        self.texts.find(name).ok_or_else(|| {
            Fault::new(Code::UnknownRules, format!("there is no rule file `{name}` here"), suggest(name))
        })
    }

    /// A place in a rule file, and the file's analysis.
    fn place(&self, fields: &Fields) -> Result<(Analysis, String, usize), Fault> {
        let (file, text) = self.file(fields)?;
        let Some(at) = fields.number("at")?.map(usize::saturating_from) else {
            return Err(fields.missing("at", "give the number of a byte of the text, from 0"));
        };
        if !text.is_char_boundary(at) {
            let message = format!("`at` is {at}, where no character of the text begins");
            let cure = format!("the text has {} bytes: count them, not the characters", text.len());
            return Err(Fault::new(Code::BadValue, message, cure));
        }
        Ok((Analysis::new(&file, &text, &self.texts), file, at))
    }
}

fn name_of(fields: &Fields) -> Result<&str, Fault> {
    match fields.text("file")? {
        Some(name) if !name.trim().is_empty() => Ok(name),
        Some(_) | None => Err(fields.missing("file", "give the name of a rule file or of a bundled game")),
    }
}

fn place_json(place: &Place) -> Value {
    json!({"file": place.file, "offset": place.start, "length": place.end - place.start})
}

fn sort(sort: Sort) -> &'static str {
    match sort {
        Sort::Keyword => "keyword",
        Sort::Name => "name",
        Sort::Local => "local",
        Sort::BuiltIn => "built-in",
        Sort::Attribute => "attribute",
        Sort::Type => "type",
        Sort::Action => "action",
        Sort::Clause => "clause",
    }
}
