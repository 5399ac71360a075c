//! Messages of editors, damaged.

use lsp_server::Message;
use regelwerk::load::Files;
use regelwerk::lsp::{Host, Server};
use serde_json::{Value, json};

use super::clock::timed;
use super::targets::{Found, attack};

/// An editor whose files are all open.
struct Nothing;

impl Files for Nothing {
    fn read(&self, _by: &str, _file: &str) -> Result<(String, String), String> {
        Err("there are no other files".to_owned())
    }
}

impl Host for Nothing {
    fn beside(&self, _by: &str, file: &str) -> String {
        file.to_owned()
    }

    fn text(&self, _name: &str) -> Option<String> {
        None
    }

    fn rule_files(&self, _folder: &str) -> Vec<String> {
        Vec::new()
    }
}

const URI: &str = "untitled:g.rules";

/// What an editor says in a session on a text.
fn session(text: &str) -> Vec<Value> {
    let document = json!({"uri": URI});
    let at = |line: usize, character: usize| json!({"line": line, "character": character});
    let place = |line: usize, character: usize| json!({"textDocument": document, "position": at(line, character)});
    let mut messages = vec![
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params":
            {"textDocument": {"uri": URI, "languageId": "regelwerk", "version": 1, "text": text}}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params":
            {"textDocument": {"uri": URI, "version": 2}, "contentChanges":
             [{"range": {"start": at(1, 2), "end": at(1, 7)}, "text": "clause"}]}}),
    ];
    let lines = text.lines().count();
    let plain = ["hover", "definition", "documentHighlight", "completion", "prepareRename"];
    for (number, method) in plain.iter().enumerate() {
        messages.push(json!({"jsonrpc": "2.0", "id": number + 1, "method": format!("textDocument/{method}"),
            "params": place(number * lines / 5, 3 + number * 4)}));
    }
    let mut more = |id: usize, method: &str, mut params: Value, extra: Value| {
        if let (Some(params), Value::Object(extra)) = (params.as_object_mut(), extra) {
            params.extend(extra);
        }
        messages.push(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    };
    more(10, "textDocument/references", place(2, 6), json!({"context": {"includeDeclaration": true}}));
    more(11, "textDocument/rename", place(3, 8), json!({"newName": "other"}));
    more(
        12,
        "textDocument/formatting",
        json!({"textDocument": document}),
        json!({"options": {"tabSize": 2, "insertSpaces": true}}),
    );
    more(13, "textDocument/documentSymbol", json!({"textDocument": document}), json!({}));
    let range = json!({"start": at(0, 0), "end": at(lines, 0)});
    more(
        14,
        "textDocument/codeAction",
        json!({"textDocument": document}),
        json!({"range": range, "context": {"diagnostics": []}}),
    );
    messages
}

/// Each request gets one answer, which has a result or an error with a message; published errors have their places.
pub(super) fn editors(seed: u64, from: u64, to: u64) -> Found {
    let texts: Vec<String> = (0..12).map(|number| super::generate::game(seed, number)).collect();
    let lines: Vec<Vec<String>> =
        texts.iter().map(|text| session(text).iter().map(Value::to_string).collect()).collect();
    let all: Vec<String> = lines.concat();
    let mut server: Option<(Server, usize)> = None;
    attack("editors", seed, from..to, &all, &mut |at, input, number| {
        let mut at = at;
        let which = lines.iter().position(|list| {
            let here = at < list.len();
            at = if here { at } else { at - list.len() };
            here
        });
        let which = which.unwrap_or_default();
        // A session goes on until it is over; every thirtieth input begins another.
        let fresh = number.is_multiple_of(30)
            || server.as_ref().is_none_or(|(server, of)| *of != which || server.over().is_some());
        if fresh {
            let mut begun = Server::new(Box::new(Nothing));
            for line in &lines[which][..3] {
                if let Ok(message) = serde_json::from_str::<Message>(line) {
                    begun.handle(message);
                }
            }
            server = Some((begun, which));
        }
        let Some((server, _)) = &mut server else { return false };
        let Ok(message) = serde_json::from_str::<Message>(input) else { return false };
        let asked = if let Message::Request(request) = &message { Some(request.id.clone()) } else { None };
        let mut answers = timed("message", || server.handle(message));
        let mut well = asked.is_none();
        if let Some(id) = asked {
            assert_eq!(answers.len(), 1, "{input}: {answers:?}");
            let Some(Message::Response(answer)) = answers.pop() else { panic!("{input}: no response") };
            assert_eq!(answer.id, id, "{input}");
            let answer = serde_json::to_value(Message::Response(answer)).unwrap_or_default();
            let (result, error) = (answer.get("result"), answer.get("error"));
            assert_eq!(result.is_some(), error.is_none(), "{input}: {answer}");
            let said = |error: &Value| error["message"].as_str().is_some_and(|message| !message.is_empty());
            assert!(error.is_none_or(said), "{input}: {answer}");
            well = error.is_none();
        } else {
            assert!(answers.is_empty(), "{input}: {answers:?}");
        }
        for told in timed("errors", || server.idle(&mut || true)) {
            let told = serde_json::to_value(&told).unwrap_or_default();
            for one in told["params"]["diagnostics"].as_array().into_iter().flatten() {
                assert!(one["range"]["start"]["line"].is_u64(), "{input}: {one}");
                assert!(one["message"].as_str().is_some_and(|message| !message.is_empty()), "{input}: {one}");
            }
        }
        well
    })
}

/// A check of many setups stops as soon as the editor has something else to say, and publishes nothing of it; the text that
/// came meanwhile is checked instead.
#[test]
fn a_long_check_is_cancelled_by_the_next_message() {
    let variants: Vec<String> = (0..30).map(|at| format!("variant v{at} {{ set goal = {at} }}\n")).collect();
    let text = format!(
        "game g\nplayers a, b\noption goal = 40 from 0..40\n{}action go {{ choose k in 1..3 }}\n\
         play {{ turns {{ mover plays go }} }}\nend e after move when ply > goal {{ draw }}\n",
        variants.concat()
    );
    let mut server = Server::new(Box::new(Nothing));
    let say = |server: &mut Server, message: &Value| {
        server.handle(serde_json::from_value(message.clone()).expect("a message"))
    };
    for message in &session(&text)[..3] {
        say(&mut server, message);
    }
    let mut asked = 0;
    let mut busy = || {
        asked += 1;
        asked < 4
    };
    assert!(server.idle(&mut busy).is_empty(), "what was cancelled is published");
    assert_eq!(asked, 4, "it goes on after it is told to stop");
    let short = json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params":
        {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": "game g\nplayers a, b\nplay { turns { mover palys pass } }\n"}]}});
    say(&mut server, &short);
    let told = server.idle(&mut || true);
    let [Message::Notification(only)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(only.params["version"], 2);
    assert_eq!(only.params["diagnostics"].as_array().map(Vec::len), Some(1), "{}", only.params);
}
