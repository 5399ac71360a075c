//! Rulebooks.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Server;
use super::fault::{Code, Fault};
use super::request::Fields;
use crate::api::checked;
use crate::book::{BookInput, book, html};
use crate::load::RuleFile;
use crate::model::Viewer;
use crate::play::{Match, Stream, Who, deal};

impl Server<'_> {
    pub(super) fn book(&mut self, fields: &Fields) -> Result<Value, Fault> {
        let lang = fields.lang()?;
        let rules = self.rules(fields)?;
        // What the server was started with is not what a client has written under that name.
        let started = self.defaults.rules.as_deref() == Some(rules.name());
        let given = started.then(|| self.source.rule_file(rules.name())).flatten();
        let written = || self.texts.find(rules.name()).map(|(name, text)| RuleFile::read(&name, &text, &self.texts));
        let Some(file) = given.or_else(written) else {
            let message = format!("the text of `{}` is not here", rules.name());
            return Err(Fault::new(Code::UnknownRules, message, "`write` it first"));
        };
        let (loaded, _) = checked(rules.name(), &file, rules.setup())?;
        let engine = rules.engine();
        let opening = deal(engine, engine.start(), &mut Stream::new(0, "deal", 0));
        let opening = Match::new(engine, opening).door(Who::Viewer(Viewer::Spectator)).position();
        let (game, altered) = (rules.game(), BTreeMap::new());
        let input =
            BookInput { game, items: &loaded.items, offer: &loaded.offer, opening: &opening, altered: &altered, lang };
        Ok(json!({"title": game.title, "language": lang.tag(), "html": html(&book(&input))}))
    }
}
