//! The language server protocol on top of `editor`: messages in, messages out.
//!
//! This room converts bytes to lines and columns and file names to URIs, and nothing else. The caller transports
//! messages: it calls [`Server::handle`] for each, and [`Server::idle`] when none is waiting, which looks for errors.
//!
//! **Invariant:** every request gets exactly one answer, whatever it contains and whenever it comes; files are
//! accessed only through [`Host`].

mod answer;
mod fault;
mod state;
mod text;
mod uri;

use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit,
    Notification as _,
};
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentHighlightRequest, DocumentSymbolRequest, Formatting, GotoDefinition,
    HoverRequest, Initialize, PrepareRenameRequest, References, Rename, Request as _, Shutdown,
};
use serde_json::Value;

use crate::load::Files;
use state::State;

/// The source of rule files that are not open in the editor.
pub trait Host: Files {
    /// The name of a file that the file `by` refers to.
    fn beside(&self, by: &str, file: &str) -> String;

    /// The text of a file.
    fn text(&self, name: &str) -> Option<String>;

    /// The rule files in a folder and its subfolders.
    fn rule_files(&self, folder: &str) -> Vec<String>;
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Refusal {
    code: ErrorNumber,
    message: String,
}

/// The protocol's error numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ErrorNumber {
    InvalidParams,
    MethodNotFound,
    NotInitialized,
    InvalidRequest,
    Failed,
}

impl ErrorNumber {
    fn number(self) -> i32 {
        let code = match self {
            Self::InvalidParams => ErrorCode::InvalidParams,
            Self::MethodNotFound => ErrorCode::MethodNotFound,
            Self::NotInitialized => ErrorCode::ServerNotInitialized,
            Self::InvalidRequest => ErrorCode::InvalidRequest,
            Self::Failed => ErrorCode::RequestFailed,
        };
        code as i32
    }
}

impl Refusal {
    /// The request cannot be carried out here.
    fn failed(message: impl Into<String>) -> Self {
        Self { code: ErrorNumber::Failed, message: message.into() }
    }

    fn new(code: ErrorNumber, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// The stage of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Fresh,
    Running,
    /// After `shutdown`.
    Ending,
    /// After `exit`, and whether it came after `shutdown`.
    Over(bool),
}

/// A session with an editor.
pub struct Server {
    state: State,
    stage: Stage,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("stage", &self.stage).finish_non_exhaustive()
    }
}

impl Server {
    /// A session before its first message.
    #[must_use]
    pub fn new(host: Box<dyn Host>) -> Self {
        Self { state: State::new(host), stage: Stage::Fresh }
    }

    /// Whether the editor has sent `exit`, and if so, whether after `shutdown`.
    #[must_use]
    pub fn over(&self) -> Option<bool> {
        match self.stage {
            Stage::Over(in_order) => Some(in_order),
            Stage::Fresh | Stage::Running | Stage::Ending => None,
        }
    }

    /// Handles a message and returns the answers.
    pub fn handle(&mut self, message: Message) -> Vec<Message> {
        match message {
            Message::Request(request) => vec![Message::Response(self.request(request))],
            Message::Notification(note) => {
                self.note(note);
                Vec::new()
            }
            // This server sends no requests.
            Message::Response(_) => Vec::new(),
        }
    }

    /// Checks what has changed for as long as `keep_going` returns true, and returns the messages that publish the errors.
    pub fn idle(&mut self, keep_going: &mut dyn FnMut() -> bool) -> Vec<Message> {
        match self.stage {
            Stage::Running => self.state.publish(keep_going),
            Stage::Fresh | Stage::Ending | Stage::Over(_) => Vec::new(),
        }
    }

    fn request(&mut self, request: Request) -> Response {
        let id = request.id.clone();
        let answer = match (self.stage, request.method.as_str()) {
            (Stage::Fresh, Initialize::METHOD) => {
                self.stage = Stage::Running;
                Ok(self.state.begin(&request.params))
            }
            (Stage::Fresh, _) => Err(Refusal::new(ErrorNumber::NotInitialized, "`initialize` must come first")),
            (_, Initialize::METHOD) => {
                Err(Refusal::new(ErrorNumber::InvalidRequest, "`initialize` must come only once"))
            }
            (Stage::Running, Shutdown::METHOD) => {
                self.stage = Stage::Ending;
                Ok(Value::Null)
            }
            (Stage::Running, _) => self.answer(request),
            (Stage::Ending | Stage::Over(_), _) => {
                Err(Refusal::new(ErrorNumber::InvalidRequest, "after `shutdown` only `exit` is allowed"))
            }
        };
        match answer {
            Ok(value) => Response::new_ok(id, value),
            Err(refusal) => Response::new_err(id, refusal.code.number(), refusal.message),
        }
    }

    fn answer(&self, request: Request) -> Result<Value, Refusal> {
        let state = &self.state;
        match request.method.as_str() {
            HoverRequest::METHOD => give::<HoverRequest>(request, |params| state.hover(&params)),
            GotoDefinition::METHOD => give::<GotoDefinition>(request, |params| state.definition(&params)),
            References::METHOD => give::<References>(request, |params| state.references(&params)),
            DocumentHighlightRequest::METHOD => {
                give::<DocumentHighlightRequest>(request, |params| state.highlights(&params))
            }
            Completion::METHOD => give::<Completion>(request, |params| state.completion(&params)),
            PrepareRenameRequest::METHOD => give::<PrepareRenameRequest>(request, |params| state.prepare(&params)),
            Rename::METHOD => give::<Rename>(request, |params| state.rename(&params)),
            Formatting::METHOD => give::<Formatting>(request, |params| state.formatting(&params)),
            DocumentSymbolRequest::METHOD => give::<DocumentSymbolRequest>(request, |params| state.symbols(&params)),
            CodeActionRequest::METHOD => give::<CodeActionRequest>(request, |params| state.actions(&params)),
            other => {
                let message = format!("`{other}` is not supported");
                Err(Refusal::new(ErrorNumber::MethodNotFound, message))
            }
        }
    }

    fn note(&mut self, note: Notification) {
        if note.method == Exit::METHOD {
            self.stage = Stage::Over(matches!(self.stage, Stage::Ending | Stage::Over(true)));
            return;
        }
        if self.stage != Stage::Running {
            return;
        }
        // An invalid notification cannot be answered and is ignored.
        match note.method.as_str() {
            DidOpenTextDocument::METHOD => take::<DidOpenTextDocument>(note, |params| self.state.open(params)),
            DidChangeTextDocument::METHOD => take::<DidChangeTextDocument>(note, |params| self.state.change(params)),
            DidCloseTextDocument::METHOD => take::<DidCloseTextDocument>(note, |params| self.state.close(&params)),
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => self.state.all_changed(),
            _ => {}
        }
    }
}

/// Answers a request of a given type.
fn give<R: lsp_types::request::Request>(
    request: Request,
    answer: impl FnOnce(R::Params) -> Result<R::Result, Refusal>,
) -> Result<Value, Refusal> {
    let invalid = |error: serde_json::Error| Refusal::new(ErrorNumber::InvalidParams, error.to_string());
    let params = serde_json::from_value(request.params).map_err(invalid)?;
    serde_json::to_value(answer(params)?).map_err(|error| Refusal::failed(error.to_string()))
}

/// Handles a notification of a given type.
fn take<N: lsp_types::notification::Notification>(note: Notification, then: impl FnOnce(N::Params)) {
    if let Ok(params) = serde_json::from_value(note.params) {
        then(params);
    }
}
