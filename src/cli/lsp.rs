//! `lsp`: the language server, over standard input and output.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use lsp_server::{ErrorCode, Message, RequestId, Response};

use super::exit::{Exit, Failure};
use super::files::walk_within;
use super::game::no_threads;
use crate::base::resolve_relative;
use crate::files::{Library, read_text};
use crate::load::Files;
use crate::lsp::{Host, Server};

/// The maximum length of a message in bytes; no file that is read is longer.
const LONGEST: u64 = 1 << 26;

/// The maximum length of a message header.
const HEADER: u64 = 1 << 12;

/// How many entries of a workspace folder are visited: it may contain far more than rules.
const ENTRIES: usize = 10_000;

/// Runs the language server: errors, hover, definitions, references, completion, renaming, outline, formatting
///
/// Editors start it and talk to it over standard input and output; see `docs/editors.md`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct LspArgs {
    /// Accepted because many editors pass it; standard input and output are the only transport
    #[arg(long)]
    stdio: bool,
}

/// Runs the command.
pub(super) fn run(_args: &LspArgs) -> Result<Exit, Failure> {
    let incoming = reader()?;
    let mut waiting: Option<io::Result<Message>> = None;
    let mut server = Server::new(Box::new(Disk));
    loop {
        let next = match waiting.take() {
            Some(next) => next,
            None => match incoming.recv() {
                Ok(next) => next,
                // The editor has quit.
                Err(_) => return Ok(Exit::Faults),
            },
        };
        match next {
            Ok(message) => send(server.handle(message))?,
            // An invalid message has no id to answer to.
            Err(error) => {
                let answer = Response::new_err(RequestId::from(0), ErrorCode::ParseError as i32, error.to_string());
                send(vec![Message::Response(answer)])?;
            }
        }
        if let Some(in_order) = server.over() {
            return Ok(if in_order { Exit::Done } else { Exit::Faults });
        }
        // Files are checked when there is nothing else to do.
        let mut keep_going = || {
            if waiting.is_none() {
                waiting = incoming.try_recv().ok();
            }
            waiting.is_none()
        };
        if keep_going() {
            send(server.idle(&mut keep_going))?;
        }
    }
}

/// Reads messages in a thread of its own, so that a waiting one can be noticed.
fn reader() -> Result<Receiver<io::Result<Message>>, Failure> {
    let (sender, receiver) = mpsc::channel();
    let reading = move || {
        let mut input = BufReader::new(io::stdin());
        loop {
            let next = match read(&mut input) {
                Ok(Some(message)) => Ok(message),
                Err(error) if error.kind() == ErrorKind::InvalidData => Err(error),
                Ok(None) | Err(_) => return,
            };
            if sender.send(next).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().spawn(reading).map_err(|error| no_threads(&error))?;
    Ok(receiver)
}

/// Reads one message. A header announcing more than the maximum length ends the session.
fn read(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let from = head.len();
        if input.by_ref().take(HEADER).read_line(&mut head)? == 0 {
            return Ok(None);
        }
        let line = head[from..].trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(LONGEST + 1);
        }
        if head.len() as u64 > HEADER || length > LONGEST {
            return Err(io::Error::other("a message is longer than the limit on files"));
        }
    }
    let mut whole = head.into_bytes();
    if input.take(length).read_to_end(&mut whole)? as u64 != length {
        return Ok(None);
    }
    Message::read(&mut whole.as_slice())
}

fn send(messages: Vec<Message>) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for message in messages {
        message
            .write(&mut out)
            .map_err(|error| Failure::new(Exit::Missing, format!("the editor has stopped reading: {error}")))?;
    }
    Ok(())
}

/// Files on disk, and the bundled games.
#[derive(Debug)]
struct Disk;

impl Files for Disk {
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String> {
        Library.read(by, file)
    }
}

impl Host for Disk {
    fn beside(&self, by: &str, file: &str) -> String {
        resolve_relative(Path::new(by), file).display().to_string()
    }

    fn text(&self, name: &str) -> Option<String> {
        read_text(Path::new(name)).ok()
    }

    fn rule_files(&self, folder: &str) -> Vec<String> {
        let found = walk_within(Path::new(folder), "rules", ENTRIES);
        found.into_iter().map(|path| path.display().to_string()).collect()
    }
}
