//! Requests, answered by the room `editor`.

use std::collections::HashMap;

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionParams, CompletionResponse, CompletionTextEdit,
    DocumentFormattingParams, DocumentHighlight, DocumentHighlightParams, DocumentSymbol, DocumentSymbolParams,
    DocumentSymbolResponse, Documentation, GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverContents,
    HoverParams, Location, MarkupContent, MarkupKind, PrepareRenameResponse, ReferenceParams, RenameParams, SymbolKind,
    TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};

use super::Refusal;
use super::state::State;
use super::text::Lines;
use crate::editor::{Analysis, Completion, Entry, Place, Sort, Target, complete, outline, rename};
use crate::syntax::format;

/// The subject of a request: the file, the offset, and the analysis.
struct Asked {
    name: String,
    at: usize,
    analysis: std::rc::Rc<Analysis>,
}

impl State {
    fn asked(&self, params: &TextDocumentPositionParams) -> Result<Asked, Refusal> {
        let (name, document) = self.document(&params.text_document.uri)?;
        let at = self.encoding.offset(&document.text, params.position);
        let analysis = self.analysis(&name).ok_or_else(|| Refusal::failed("the file cannot be read"))?;
        Ok(Asked { name, at, analysis })
    }

    pub(super) fn hover(&self, params: &HoverParams) -> Result<Option<Hover>, Refusal> {
        let asked = self.asked(&params.text_document_position_params)?;
        let hover = asked.analysis.hover(&asked.name, asked.at);
        let range = hover.as_ref().map(|hover| hover.range.clone());
        let mut parts: Vec<String> = hover.into_iter().map(|hover| hover.text).collect();
        parts.extend(self.pages(&asked.name, asked.at).into_iter().map(str::to_owned));
        if parts.is_empty() {
            return Ok(None);
        }
        let contents = HoverContents::Markup(markdown(parts.join("\n\n---\n\n")));
        Ok(Some(Hover { contents, range: range.and_then(|range| self.range(&asked.name, range)) }))
    }

    pub(super) fn definition(&self, params: &GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>, Refusal> {
        let asked = self.asked(&params.text_document_position_params)?;
        let place = asked.analysis.definition(&asked.name, asked.at);
        Ok(place.and_then(|place| self.location(&place)).map(GotoDefinitionResponse::Scalar))
    }

    pub(super) fn references(&self, params: &ReferenceParams) -> Result<Option<Vec<Location>>, Refusal> {
        let asked = self.asked(&params.text_document_position)?;
        let Some(target) = target(&asked) else { return Ok(None) };
        let declarations = params.context.include_declaration;
        let mut places: Vec<Place> =
            self.around(&asked.name).iter().flat_map(|root| root.references(&target, declarations)).collect();
        places.sort();
        places.dedup();
        Ok(Some(places.iter().filter_map(|place| self.location(place)).collect()))
    }

    pub(super) fn highlights(
        &self,
        params: &DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>, Refusal> {
        let asked = self.asked(&params.text_document_position_params)?;
        let Some(target) = target(&asked) else { return Ok(None) };
        let places = asked.analysis.references(&target, true).into_iter().filter(|place| place.file == asked.name);
        let ranges = places.filter_map(|place| self.range(&asked.name, place.start..place.end));
        Ok(Some(ranges.map(|range| DocumentHighlight { range, kind: None }).collect()))
    }

    pub(super) fn completion(&self, params: &CompletionParams) -> Result<Option<CompletionResponse>, Refusal> {
        let asked = self.asked(&params.text_document_position)?;
        let (range, offered) = complete(&asked.analysis, &self.texts(), asked.at);
        let Some(range) = self.range(&asked.name, range) else { return Ok(None) };
        let item = |offer: Completion| CompletionItem {
            label: offer.text.clone(),
            kind: Some(kind_of(offer.sort)),
            detail: Some(offer.detail).filter(|detail| !detail.is_empty()),
            documentation: Some(offer.remark)
                .filter(|remark| !remark.is_empty())
                .map(|remark| Documentation::MarkupContent(markdown(remark))),
            sort_text: Some(format!("{}{}", offer.rank, offer.text)),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, offer.text))),
            ..CompletionItem::default()
        };
        Ok(Some(CompletionResponse::Array(offered.into_iter().map(item).collect())))
    }

    pub(super) fn prepare(
        &self,
        params: &TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>, Refusal> {
        let asked = self.asked(params)?;
        let range = asked.analysis.renamable(&asked.name, asked.at).map_err(Refusal::failed)?;
        let Some(lines) = self.lines(&asked.name) else { return Ok(None) };
        let placeholder = lines.text.get(range.clone()).unwrap_or("").to_owned();
        let range = lines.range(range);
        Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }))
    }

    pub(super) fn rename(&self, params: &RenameParams) -> Result<Option<WorkspaceEdit>, Refusal> {
        let asked = self.asked(&params.text_document_position)?;
        let target = target(&asked).ok_or_else(|| Refusal::failed("there is no name here"))?;
        let everything = self.everything();
        let roots: Vec<&Analysis> = everything.iter().map(AsRef::as_ref).collect();
        let owned = |file: &str| self.uri(file).is_some();
        let renaming = rename(&roots, &self.texts(), &target, &params.new_name, &owned).map_err(Refusal::failed)?;
        #[expect(clippy::mutable_key_type, reason = "the protocol's own type; addresses compare by their text")]
        let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        for place in &renaming.places {
            if let Some(location) = self.location(place) {
                let edit = TextEdit::new(location.range, params.new_name.clone());
                changes.entry(location.uri).or_default().push(edit);
            }
        }
        Ok(Some(WorkspaceEdit::new(changes)))
    }

    /// The formatted file, as one edit from the first byte that differs to the last.
    pub(super) fn formatting(&self, params: &DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>, Refusal> {
        let (name, document) = self.document(&params.text_document.uri)?;
        let old = document.text.as_str();
        let Some(new) = format(old) else { return Ok(None) };
        if new == old {
            return Ok(Some(Vec::new()));
        }
        let same = |(one, two): &((usize, char), char)| one.1 == *two;
        let head: usize = old.char_indices().zip(new.chars()).take_while(same).map(|((_, c), _)| c.len_utf8()).sum();
        let (old_rest, new_rest) = (old.get(head..).unwrap_or(""), new.get(head..).unwrap_or(""));
        let tail = old_rest.chars().rev().zip(new_rest.chars().rev()).take_while(|(one, two)| one == two);
        let tail: usize = tail.map(|(c, _)| c.len_utf8()).sum();
        let text = new_rest.get(..new_rest.len() - tail).unwrap_or("").to_owned();
        let range = self.range(&name, head..old.len() - tail);
        Ok(range.map(|range| vec![TextEdit::new(range, text)]))
    }

    pub(super) fn symbols(&self, params: &DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>, Refusal> {
        let (name, document) = self.document(&params.text_document.uri)?;
        let Some(lines) = self.lines(&name) else { return Ok(None) };
        let symbols = outline(&document.text).iter().map(|entry| symbol(&lines, entry)).collect();
        Ok(Some(DocumentSymbolResponse::Nested(symbols)))
    }
}

#[expect(deprecated, reason = "the protocol's type has a field that may no longer be used")]
fn symbol(lines: &Lines, entry: &Entry) -> DocumentSymbol {
    let detail = [entry.word, entry.title.as_str()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    let children: Vec<DocumentSymbol> = entry.children.iter().map(|child| symbol(lines, child)).collect();
    DocumentSymbol {
        name: entry.name.clone(),
        detail: Some(detail.join(" · ")).filter(|detail| !detail.is_empty()),
        kind: symbol_kind(entry.word),
        tags: None,
        deprecated: None,
        range: lines.range(entry.range.clone()),
        selection_range: lines.range(entry.name_range.clone()),
        children: Some(children).filter(|children| !children.is_empty()),
    }
}

/// The target of a request, in terms that apply to every rule file.
fn target(asked: &Asked) -> Option<Target> {
    let (target, _) = asked.analysis.target(&asked.name, asked.at)?;
    Some(asked.analysis.settled(target))
}

fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}

fn kind_of(sort: Sort) -> CompletionItemKind {
    match sort {
        Sort::Keyword => CompletionItemKind::KEYWORD,
        Sort::Name => CompletionItemKind::VALUE,
        Sort::Local => CompletionItemKind::VARIABLE,
        Sort::BuiltIn => CompletionItemKind::CONSTANT,
        Sort::Attribute => CompletionItemKind::FIELD,
        Sort::Type => CompletionItemKind::CLASS,
        Sort::Action => CompletionItemKind::FUNCTION,
        Sort::Clause => CompletionItemKind::REFERENCE,
    }
}

/// The symbol kind of the protocol closest to an item.
fn symbol_kind(word: &str) -> SymbolKind {
    match word {
        "game" => SymbolKind::MODULE,
        "document" | "extends" => SymbolKind::FILE,
        "clause" => SymbolKind::STRING,
        "players" | "enum" | "reading" => SymbolKind::ENUM,
        "option" | "first" | "seating" => SymbolKind::CONSTANT,
        "kinds" | "piece" | "tokens" => SymbolKind::CLASS,
        "table" | "zone" => SymbolKind::ARRAY,
        "board" | "region" => SymbolKind::OBJECT,
        "define" | "path" | "procedure" => SymbolKind::FUNCTION,
        "var" | "record" => SymbolKind::VARIABLE,
        "action" | "claim" | "offer" => SymbolKind::METHOD,
        "cue" | "end" | "invariant" => SymbolKind::EVENT,
        "variant" | "phase" => SymbolKind::NAMESPACE,
        "replace" | "remove" | "set" => SymbolKind::OPERATOR,
        "setup" | "play" => SymbolKind::CONSTRUCTOR,
        _ => SymbolKind::FIELD,
    }
}
