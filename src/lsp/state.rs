//! Open files, their analyses, and what has to be analysed again.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use lsp_types::{
    CompletionOptions, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    HoverProviderCapability, InitializeResult, Location, OneOf, PositionEncodingKind, Range, RenameOptions,
    ServerCapabilities, ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind, Uri, WorkDoneProgressOptions,
};
use serde_json::Value;

use super::fault::Found;
use super::text::{Encoding, Lines};
use super::uri::{name_of, uri_of};
use super::{Host, Refusal};
use crate::editor::{Analysis, Place};
use crate::load::Files;

/// An open file.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: String,
}

/// The state of a session.
pub(super) struct State {
    pub(super) host: Box<dyn Host>,
    pub(super) encoding: Encoding,
    /// Open files by name.
    pub(super) documents: BTreeMap<String, Document>,
    folders: Vec<String>,
    /// Analyses of rule files; cleared on each change.
    analyses: RefCell<BTreeMap<String, Rc<Analysis>>>,
    /// Texts of which places are told; cleared on each change.
    lines: RefCell<BTreeMap<String, Rc<Lines>>>,
    /// Open files that have to be checked.
    pub(super) dirty: BTreeSet<String>,
    /// The errors of open files.
    pub(super) found: BTreeMap<String, Found>,
    /// Files for which errors have been published.
    pub(super) told: BTreeSet<String>,
}

/// Files as they are in the editor, or else as the host has them.
pub(super) struct Texts<'s> {
    documents: &'s BTreeMap<String, Document>,
    host: &'s dyn Host,
}

impl Files for Texts<'_> {
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String> {
        let name = self.host.beside(by, file);
        match self.documents.get(&name) {
            Some(document) => Ok((name, document.text.clone())),
            None => self.host.read(by, file),
        }
    }
}

impl State {
    pub(super) fn new(host: Box<dyn Host>) -> Self {
        Self {
            host,
            encoding: Encoding::default(),
            documents: BTreeMap::new(),
            folders: Vec::new(),
            analyses: RefCell::default(),
            lines: RefCell::default(),
            dirty: BTreeSet::new(),
            found: BTreeMap::new(),
            told: BTreeSet::new(),
        }
    }

    /// Records what the editor supports, and returns what the server offers. Fields are read one by one, so that an
    /// editor with one invalid field is served nevertheless.
    pub(super) fn begin(&mut self, params: &Value) -> Value {
        let encodings = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
        if encodings.is_some_and(|list| list.iter().any(|encoding| encoding == "utf-8")) {
            self.encoding = Encoding::Utf8;
        }
        let folders = params.get("workspaceFolders").and_then(Value::as_array);
        let mut addresses: Vec<&Value> = folders.into_iter().flatten().filter_map(|f| f.get("uri")).collect();
        if addresses.is_empty() {
            addresses.extend(params.get("rootUri"));
        }
        let uris = addresses.into_iter().filter_map(|uri| uri.as_str()?.parse::<Uri>().ok());
        self.folders = uris.filter(|uri| uri_of(&name_of(uri)).is_some()).map(|uri| name_of(&uri)).collect();
        let result = InitializeResult {
            capabilities: self.offered(),
            server_info: Some(ServerInfo {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        };
        serde_json::to_value(result).unwrap_or_default()
    }

    fn offered(&self) -> ServerCapabilities {
        let encoding = match self.encoding {
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf8 => PositionEncodingKind::UTF8,
        };
        let signs = [".", "§"].map(str::to_owned).to_vec();
        ServerCapabilities {
            position_encoding: Some(encoding),
            text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::INCREMENTAL)),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            definition_provider: Some(OneOf::Left(true)),
            references_provider: Some(OneOf::Left(true)),
            document_highlight_provider: Some(OneOf::Left(true)),
            document_symbol_provider: Some(OneOf::Left(true)),
            document_formatting_provider: Some(OneOf::Left(true)),
            code_action_provider: Some(true.into()),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(signs),
                ..CompletionOptions::default()
            }),
            rename_provider: Some(OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            })),
            ..ServerCapabilities::default()
        }
    }

    pub(super) fn open(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        let name = name_of(&item.uri);
        self.documents.insert(name.clone(), Document { uri: item.uri, version: item.version, text: item.text });
        self.changed(&name);
    }

    pub(super) fn change(&mut self, params: DidChangeTextDocumentParams) {
        let name = name_of(&params.text_document.uri);
        let Some(document) = self.documents.get_mut(&name) else { return };
        document.version = params.text_document.version;
        for change in params.content_changes {
            match change.range {
                None => document.text = change.text,
                Some(range) => {
                    if let Some(bytes) = self.encoding.bytes(&document.text, range) {
                        document.text.replace_range(bytes, &change.text);
                    }
                }
            }
        }
        self.changed(&name);
    }

    pub(super) fn close(&mut self, params: &DidCloseTextDocumentParams) {
        let name = name_of(&params.text_document.uri);
        self.documents.remove(&name);
        self.changed(&name);
    }

    /// Schedules a file, and open files that read it, for checking.
    fn changed(&mut self, name: &str) {
        self.forget();
        let reads = |root: &String| self.found.get(root).is_none_or(|found| found.read.iter().any(|file| file == name));
        let again: Vec<String> = self.documents.keys().filter(|root| *root == name || reads(root)).cloned().collect();
        self.dirty.extend(again);
        self.dirty.insert(name.to_owned());
    }

    fn forget(&mut self) {
        self.analyses.get_mut().clear();
        self.lines.get_mut().clear();
    }

    /// Schedules everything for checking.
    pub(super) fn all_changed(&mut self) {
        self.forget();
        self.dirty.extend(self.documents.keys().cloned());
    }

    pub(super) fn texts(&self) -> Texts<'_> {
        Texts { documents: &self.documents, host: self.host.as_ref() }
    }

    /// The text of a file, open or not.
    fn text(&self, name: &str) -> Option<String> {
        match self.documents.get(name) {
            Some(document) => Some(document.text.clone()),
            None => self.host.text(name),
        }
    }

    /// The same with its lines.
    pub(super) fn lines(&self, name: &str) -> Option<Rc<Lines>> {
        if let Some(known) = self.lines.borrow().get(name) {
            return Some(Rc::clone(known));
        }
        let lines = Rc::new(Lines::new(self.text(name)?, self.encoding));
        self.lines.borrow_mut().insert(name.to_owned(), Rc::clone(&lines));
        Some(lines)
    }

    /// The range of bytes of a file; none if the file cannot be read.
    pub(super) fn range(&self, name: &str, bytes: std::ops::Range<usize>) -> Option<Range> {
        self.lines(name).map(|lines| lines.range(bytes))
    }

    /// An open file and its name.
    pub(super) fn document(&self, uri: &Uri) -> Result<(String, &Document), Refusal> {
        let name = name_of(uri);
        match self.documents.get(&name) {
            Some(document) => Ok((name, document)),
            None => Err(Refusal::failed(format!("`{}` is not open", uri.as_str()))),
        }
    }

    /// The analysis of a rule file.
    pub(super) fn analysis(&self, name: &str) -> Option<Rc<Analysis>> {
        if let Some(known) = self.analyses.borrow().get(name) {
            return Some(Rc::clone(known));
        }
        let analysis = Rc::new(Analysis::new(name, &self.text(name)?, &self.texts()));
        self.analyses.borrow_mut().insert(name.to_owned(), Rc::clone(&analysis));
        Some(analysis)
    }

    /// The rule files that are open or in the workspace folders.
    fn names(&self) -> BTreeSet<String> {
        let mut names: BTreeSet<String> = self.documents.keys().cloned().collect();
        names.extend(self.folders.iter().flat_map(|folder| self.host.rule_files(folder)));
        names
    }

    /// The analyses of all rule files.
    pub(super) fn everything(&self) -> Vec<Rc<Analysis>> {
        self.names().iter().filter_map(|name| self.analysis(name)).collect()
    }

    /// The same as far as one check may go for all of them together, beginning with one of them: of the others, the default setup.
    pub(super) fn around(&self, first: &str) -> Vec<Rc<Analysis>> {
        let (mut spent, mut all) = (0, Vec::new());
        all.extend(self.analysis(first));
        for name in self.names().iter().filter(|name| *name != first) {
            let known = self.analyses.borrow().get(name).map(Rc::clone);
            let root = known.or_else(|| {
                let shared = spent > 0;
                let root = Rc::new(Analysis::sharing(name, &self.text(name)?, &self.texts(), &mut spent));
                // On its own more of it may be looked at.
                if !shared || !root.is_unfinished() {
                    self.analyses.borrow_mut().insert(name.clone(), Rc::clone(&root));
                }
                Some(root)
            });
            all.extend(root);
        }
        all
    }

    /// The URI of a file.
    pub(super) fn uri(&self, name: &str) -> Option<Uri> {
        self.documents.get(name).map(|document| document.uri.clone()).or_else(|| uri_of(name))
    }

    /// A place in the protocol's form; none if its file cannot be opened.
    pub(super) fn location(&self, place: &Place) -> Option<Location> {
        Some(Location::new(self.uri(&place.file)?, self.range(&place.file, place.start..place.end)?))
    }
}
