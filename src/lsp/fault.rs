//! Errors as diagnostics, and fixes as code actions.

use std::collections::{BTreeMap, BTreeSet};

use lsp_server::{Message, Notification};
use lsp_types::notification::{Notification as _, PublishDiagnostics};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Diagnostic, DiagnosticRelatedInformation,
    DiagnosticSeverity, DiagnosticTag, NumberOrString, PublishDiagnosticsParams, Range, TextEdit, WorkspaceEdit,
};
use serde_json::json;

use super::Refusal;
use super::state::State;
use crate::editor::{Fault, Place, faults};
use crate::report::Code;

/// The errors of a rule file.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) faults: Vec<Fault>,
    /// The rule files read to find them.
    pub(super) read: Vec<String>,
}

impl State {
    /// Checks what has changed and publishes the errors.
    pub(super) fn publish(&mut self, keep_going: &mut dyn FnMut() -> bool) -> Vec<Message> {
        let mut messages = Vec::new();
        while let Some(name) = self.dirty.first().cloned() {
            let found = match self.documents.get(&name) {
                None => None,
                Some(document) => match faults(&name, &document.text, &self.texts(), keep_going) {
                    None => return messages,
                    Some((faults, read)) => Some(Found { faults, read }),
                },
            };
            self.dirty.remove(&name);
            match found {
                Some(found) => self.found.insert(name, found),
                None => self.found.remove(&name),
            };
            messages.extend(self.tell());
        }
        messages
    }

    /// All errors by file, for files that have some, had some, or are open.
    fn tell(&mut self) -> Vec<Message> {
        let mut all: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
        // Several files may extend the same incorrect one.
        let mut told: BTreeSet<(&Place, Code, &str)> = BTreeSet::new();
        for (root, found) in &self.found {
            all.entry(root.clone()).or_default();
            for fault in &found.faults {
                let Some((file, diagnostic)) = self.diagnostic(root, fault) else { continue };
                let elsewhere = file != fault.place.file;
                if told.insert((&fault.place, fault.code, &fault.message)) || elsewhere {
                    all.entry(file).or_default().push(diagnostic);
                }
            }
        }
        let told: BTreeSet<String> = all.keys().cloned().collect();
        for name in self.told.difference(&told) {
            all.entry(name.clone()).or_default();
        }
        self.told = told;
        let message = |(name, diagnostics): (String, Vec<Diagnostic>)| {
            let version = self.documents.get(&name).map(|document| document.version);
            let params = PublishDiagnosticsParams::new(self.uri(&name)?, diagnostics, version);
            Some(Message::Notification(Notification::new(PublishDiagnostics::METHOD.to_owned(), params)))
        };
        all.into_iter().filter_map(message).collect()
    }

    /// An error with the file it is shown in. An error in a file that cannot be opened is shown at the beginning of
    /// the file that reads it.
    fn diagnostic(&self, root: &str, fault: &Fault) -> Option<(String, Diagnostic)> {
        let (file, message) = match self.uri(&fault.place.file) {
            Some(_) => (fault.place.file.clone(), fault.message.clone()),
            None => (root.to_owned(), format!("in `{}`: {}", fault.place.file, fault.message)),
        };
        let place = &fault.place;
        let range = if file == place.file { self.range(&file, place.start..place.end)? } else { Range::default() };
        let related = fault.related.iter().filter_map(|(place, label)| {
            Some(DiagnosticRelatedInformation { location: self.location(place)?, message: label.clone() })
        });
        let unused = fault.code == Code::Unused;
        let diagnostic = Diagnostic {
            range,
            severity: Some(if fault.is_warning() { DiagnosticSeverity::WARNING } else { DiagnosticSeverity::ERROR }),
            code: Some(NumberOrString::String(fault.code.text().to_owned())),
            source: Some("regelwerk".to_owned()),
            message,
            related_information: Some(related.collect()),
            tags: unused.then(|| vec![DiagnosticTag::UNNECESSARY]),
            data: Some(json!({"explanation": fault.code.page()})),
            ..Diagnostic::default()
        };
        Some((file, diagnostic))
    }

    /// The pages about the errors at an offset of a file.
    pub(super) fn pages(&self, file: &str, at: usize) -> Vec<&'static str> {
        let faults = self.found.get(file).map_or(&[][..], |found| &found.faults);
        let here = |fault: &&Fault| fault.place.file == file && fault.place.start <= at && at <= fault.place.end;
        let codes: BTreeSet<Code> = faults.iter().filter(here).map(|fault| fault.code).collect();
        codes.into_iter().map(Code::page).collect()
    }

    /// The fixes for the errors in a range.
    pub(super) fn actions(&self, params: &CodeActionParams) -> Result<Option<Vec<CodeActionOrCommand>>, Refusal> {
        let (name, document) = self.document(&params.text_document.uri)?;
        let Some(bytes) = self.encoding.bytes(&document.text, params.range) else { return Ok(None) };
        let faults = self.found.get(&name).map_or(&[][..], |found| &found.faults);
        let near = |fault: &&Fault| {
            fault.place.file == name && fault.place.start <= bytes.end && bytes.start <= fault.place.end
        };
        // After the last edit, earlier results may be out of place.
        let fresh = !self.dirty.contains(&name);
        let actions = faults.iter().filter(near).filter(|_| fresh).filter_map(|fault| self.action(&name, fault));
        Ok(Some(actions.collect()))
    }

    fn action(&self, root: &str, fault: &Fault) -> Option<CodeActionOrCommand> {
        let cure = fault.cure.as_ref()?;
        let range = self.range(&cure.place.file, cure.place.start..cure.place.end)?;
        let edit = TextEdit::new(range, cure.text.clone());
        let uri = self.uri(&cure.place.file)?;
        let (_, diagnostic) = self.diagnostic(root, fault)?;
        Some(CodeActionOrCommand::CodeAction(CodeAction {
            title: format!("write `{}`", cure.text.trim()),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic]),
            edit: Some(WorkspaceEdit::new([(uri, vec![edit])].into())),
            is_preferred: Some(true),
            ..CodeAction::default()
        }))
    }
}
