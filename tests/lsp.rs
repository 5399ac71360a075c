//! The language server, driven over real pipes as an editor drives it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A rule file with names beyond ASCII, for which bytes, characters and UTF-16 units count differently.
const RULES: &str = "\
game mühle \"Mühle 🙂\"
clause §1 \"Ein Stein kommt auf ein freies Feld.\"
players weiß \"Weiß\" symbol \"W\", rot \"Rot\" symbol \"R\"
board square 3 x 3
// Nine for each side.
piece kiesel owned
define größe(p: seat) = count(kiesel of p)
action setze §1 {
  choose feld in empty §1
  require größe(me) < 9
  put own kiesel on feld
}
play { turns { mover plays setze else pass } }
end voll after move when no empty { draw }
";

const URI: &str = "untitled:m%C3%BChle.rules";

/// An editor.
struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    number: i64,
    /// What the server sent unasked.
    told: Vec<Value>,
}

impl Editor {
    /// Starts the server without sending anything.
    fn silent() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
        command.env("LC_ALL", "C");
        let command = command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the server starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output, number: 0, told: Vec::new() }
    }

    /// Starts a session.
    fn start(capabilities: &Value) -> Self {
        let mut editor = Self::silent();
        let answer = editor.ask("initialize", &json!({"capabilities": capabilities}));
        assert_eq!(answer["serverInfo"]["name"], "regelwerk", "{answer}");
        editor.tell("initialized", &json!({}));
        editor
    }

    fn open(&mut self, uri: &str, text: &str) {
        let item = json!({"uri": uri, "languageId": "regelwerk", "version": 1, "text": text});
        self.tell("textDocument/didOpen", &json!({"textDocument": item}));
    }

    fn raw(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).expect("the server listens");
        self.input.flush().expect("the server listens");
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.raw(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("the server speaks");
            assert!(read > 0, "the server is gone");
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().expect("a length"),
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).expect("a whole message");
        serde_json::from_slice(&text).expect("JSON")
    }

    /// The complete response to a request.
    fn answer(&mut self, method: &str, params: &Value) -> Value {
        self.number += 1;
        let number = self.number;
        self.send(&json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params}));
        loop {
            let message = self.receive();
            if message["id"] == number {
                return message;
            }
            self.told.push(message);
        }
    }

    /// The result of a request that succeeds.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The error of a request that fails.
    fn refused(&mut self, method: &str, params: &Value) -> (i64, String) {
        let error = &self.answer(method, params)["error"];
        let message = error["message"].as_str().unwrap_or_else(|| panic!("{method} is no error")).to_owned();
        (error["code"].as_i64().expect("a number"), message)
    }

    /// A request about a place in the open file.
    fn about(&mut self, method: &str, at: &Value) -> Value {
        self.ask(&format!("textDocument/{method}"), &spot(at))
    }

    /// The diagnostics of a file, once they are published.
    fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        loop {
            let ours = |message: &&Value| message["params"]["uri"] == uri;
            if let Some(at) = self.told.iter().position(|message| ours(&message)) {
                let message = self.told.remove(at);
                assert_eq!(message["method"], "textDocument/publishDiagnostics");
                return message["params"]["diagnostics"].as_array().expect("a list").clone();
            }
            let message = self.receive();
            self.told.push(message);
        }
    }

    /// Ends the session in an orderly way.
    fn end(mut self) {
        assert_eq!(self.ask("shutdown", &Value::Null), Value::Null);
        self.tell("exit", &Value::Null);
        assert_eq!(self.child.wait().expect("the server ends").code(), Some(0));
    }
}

fn spot(at: &Value) -> Value {
    json!({"textDocument": {"uri": URI}, "position": at})
}

/// The position of the `n`-th occurrence of a word in lines and UTF-16 units, moved by `cursor` characters.
fn position(text: &str, word: &str, n: usize, cursor: usize) -> Value {
    let (start, _) = text.match_indices(word).nth(n).unwrap_or_else(|| panic!("no `{word}`"));
    let line = text[..start].matches('\n').count();
    let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let column = text[begin..start].encode_utf16().count() + cursor;
    json!({"line": line, "character": column})
}

/// The range of the `n`-th occurrence of a word.
fn range(text: &str, word: &str, n: usize) -> Value {
    let width = word.encode_utf16().count();
    json!({"start": position(text, word, n, 0), "end": position(text, word, n, width)})
}

fn labels(items: &Value) -> Vec<&str> {
    items.as_array().expect("a list").iter().filter_map(|item| item["label"].as_str()).collect()
}

fn ranges(list: &Value) -> Vec<Value> {
    list.as_array().expect("a list").iter().map(|item| item["range"].clone()).collect()
}

#[test]
fn a_session_with_every_feature() {
    let mut editor = Editor::start(&json!({}));
    editor.open(URI, RULES);
    assert_eq!(editor.diagnostics(URI), [Value::Null; 0]);

    let hover = editor.about("hover", &position(RULES, "größe", 1, 2));
    assert_eq!(hover["range"], range(RULES, "größe", 1));
    let text = "```rules\ndefine größe(p: seat) = count(kiesel of p)\n```\ndefinition: a number";
    assert_eq!(hover["contents"], json!({"kind": "markdown", "value": text}));
    let hover = editor.about("hover", &position(RULES, "kiesel", 2, 0));
    let text = "```rules\npiece kiesel owned\n```\nkind of piece\n\nNine for each side.";
    assert_eq!(hover["contents"]["value"], text);
    let hover = editor.about("hover", &position(RULES, "feld", 1, 0));
    assert_eq!(hover["contents"]["value"], "```rules\nchoose feld in empty §1\n```\nlocal name: a site");
    let hover = editor.about("hover", &position(RULES, "§1", 1, 1));
    assert_eq!(hover["contents"]["value"], "**§1** (clause)\n\nEin Stein kommt auf ein freies Feld.");
    let hover = editor.about("hover", &position(RULES, "mover", 0, 0));
    assert_eq!(hover["contents"]["value"], "`mover`: seat; whose turn it is");
    assert_eq!(editor.about("hover", &position(RULES, "owned", 0, 0)), Value::Null);

    for (word, used, declared) in [("größe", 1, 0), ("kiesel", 2, 0), ("feld", 1, 0), ("setze", 1, 0), ("§1", 2, 0)]
    {
        let place = editor.about("definition", &position(RULES, word, used, 1));
        assert_eq!(place, json!({"uri": URI, "range": range(RULES, word, declared)}), "{word}");
    }
    assert_eq!(editor.about("definition", &position(RULES, "mover", 0, 0)), Value::Null);

    let mut asked = spot(&position(RULES, "kiesel", 1, 0));
    asked["context"] = json!({"includeDeclaration": true});
    let places = ranges(&editor.ask("textDocument/references", &asked));
    assert_eq!(places, [0, 1, 2].map(|n| range(RULES, "kiesel", n)));
    asked["context"] = json!({"includeDeclaration": false});
    let places = ranges(&editor.ask("textDocument/references", &asked));
    assert_eq!(places, [1, 2].map(|n| range(RULES, "kiesel", n)));
    let places = ranges(&editor.about("documentHighlight", &position(RULES, "§1", 0, 1)));
    assert_eq!(places, [0, 1, 2].map(|n| range(RULES, "§1", n)));

    editor.end();
}

#[test]
fn names_keywords_and_clauses_are_completed_where_they_fit() {
    let mut editor = Editor::start(&json!({}));
    editor.open(URI, RULES);
    // A partly typed action.
    let mut offered = |written: &str| {
        let text = format!("{RULES}{written}");
        let change = json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": text}]});
        editor.tell("textDocument/didChange", &change);
        let end = json!({"line": text.matches('\n').count(), "character": written.rsplit('\n').next()
            .map_or(0, |line| line.encode_utf16().count())});
        editor.about("completion", &end)
    };
    let items = offered("");
    for word in ["action", "piece", "variant"] {
        assert!(labels(&items).contains(&word), "{word} begins an item");
    }
    assert!(!labels(&items).contains(&"choose"), "no statement stands here");

    let items = offered("action zweite { choose ort in gr");
    let found = items.as_array().and_then(|list| list.iter().find(|item| item["label"] == "größe"));
    let found = found.expect("the definition is offered");
    assert_eq!(found["detail"], "a number");
    let edit = &found["textEdit"];
    assert_eq!(edit["newText"], "größe");
    assert_eq!(edit["range"]["start"]["character"], "action zweite { choose ort in ".len());
    assert_eq!(edit["range"]["end"]["character"], "action zweite { choose ort in gr".len());
    assert!(labels(&items).contains(&"own"), "`own` begins an expression");
    assert!(!labels(&items).contains(&"action"), "no item stands here");

    let items = offered("action zweite { choose ort in empty  require o");
    assert!(labels(&items).contains(&"ort"), "a local name is offered: {:?}", labels(&items));
    let items = offered("action zweite {\n  ");
    assert!(labels(&items).contains(&"choose"), "statements are offered: {:?}", labels(&items));
    let items = offered("action zweite { choose ort in empty  require ort.");
    assert_eq!(labels(&items), ["column", "row", "q", "r", "s", "number", "seat"]);
    let items = offered("define x(y: s");
    assert!(labels(&items).contains(&"seat") && !labels(&items).contains(&"größe"), "{:?}", labels(&items));
    let items = offered("procedure x() { mover plays ");
    assert_eq!(labels(&items), ["setze"]);
    let items = offered("action zweite { choose ort in empty §");
    assert_eq!(labels(&items), ["§1"]);
    assert_eq!(items[0]["detail"], "Ein Stein kommt auf ein freies Feld.");
    assert_eq!(offered("// no"), json!([]));
    assert_eq!(offered("define a"), json!([]), "a name is declared here");
    editor.end();
}

#[test]
fn errors_are_published_while_typing_and_can_be_fixed() {
    let mut editor = Editor::start(&json!({}));
    let faulty = RULES.replace("require größe(me)", "require größe(mee)").replace("own kiesel", "own kisel");
    editor.open(URI, &faulty);
    let faults = editor.diagnostics(URI);
    let places: Vec<Value> = faults.iter().map(|fault| fault["range"].clone()).collect();
    assert_eq!(places, [range(&faulty, "mee", 0), range(&faulty, "kisel", 0)]);
    for fault in &faults {
        assert_eq!(fault["code"], "check/unknown-name");
        assert_eq!((&fault["severity"], &fault["source"]), (&json!(1), &json!("regelwerk")));
        let page = fault["data"]["explanation"].as_str().expect("a page");
        assert!(page.starts_with("# check/unknown-name\n"), "{page}");
    }
    assert!(faults[1]["message"].as_str().is_some_and(|text| text.contains("did you mean `kiesel`?")));

    let asked = json!({"textDocument": {"uri": URI}, "range": range(&faulty, "kisel", 0),
        "context": {"diagnostics": []}});
    let actions = editor.ask("textDocument/codeAction", &asked);
    assert_eq!(actions.as_array().map(Vec::len), Some(1), "{actions}");
    assert_eq!(actions[0]["title"], "write `kiesel`");
    let edits = &actions[0]["edit"]["changes"][URI];
    assert_eq!(edits, &json!([{"range": range(&faulty, "kisel", 0), "newText": "kiesel"}]));

    // The readable parts of an incorrect file are still explained.
    let hover = editor.about("hover", &position(&faulty, "feld", 1, 0));
    assert_eq!(hover["contents"]["value"], "```rules\nchoose feld in empty §1\n```\nlocal name: a site");
    let hover = editor.about("hover", &position(&faulty, "kisel", 0, 0));
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("# check/unknown-name")));

    // Incremental edits, as while typing; the second is relative to the first.
    let first = range(&faulty, "mee", 0);
    let changes = json!([
        {"range": first, "text": "me"},
        {"range": range(&faulty, "kisel", 0), "text": "kiesel"},
    ]);
    editor.tell(
        "textDocument/didChange",
        &json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": changes}),
    );
    assert_eq!(editor.diagnostics(URI), [Value::Null; 0]);

    // An item that cannot be parsed hides no other.
    let broken = RULES.replace("define größe(p: seat) =", "define größe(p: seat");
    let change = json!({"textDocument": {"uri": URI, "version": 3}, "contentChanges": [{"text": broken}]});
    editor.tell("textDocument/didChange", &change);
    let codes: Vec<Value> = editor.diagnostics(URI).iter().map(|fault| fault["code"].clone()).collect();
    assert_eq!(codes, ["syntax/unexpected"]);
    let symbols = editor.ask("textDocument/documentSymbol", &json!({"textDocument": {"uri": URI}}));
    let names: Vec<&str> = symbols.as_array().expect("a list").iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["mühle", "§1", "players", "board", "kiesel", "setze", "play", "voll"]);
    let place = editor.about("definition", &position(&broken, "setze", 1, 0));
    assert_eq!(place["range"], range(&broken, "setze", 0));

    // Two declarations of a name: the report refers to the other one.
    let twice = format!("{RULES}piece kiesel\n");
    let change = json!({"textDocument": {"uri": URI, "version": 4}, "contentChanges": [{"text": twice}]});
    editor.tell("textDocument/didChange", &change);
    let faults = editor.diagnostics(URI);
    let other = &faults[0]["relatedInformation"][0];
    assert_eq!(other["location"], json!({"uri": URI, "range": range(&twice, "kiesel", 0)}));
    assert_eq!(other["message"], "first declared here");
    editor.end();
}

#[test]
fn names_are_changed_everywhere_or_not_at_all() {
    let mut editor = Editor::start(&json!({}));
    editor.open(URI, RULES);
    let placeholder = editor.about("prepareRename", &position(RULES, "größe", 1, 1));
    assert_eq!(placeholder, json!({"range": range(RULES, "größe", 1), "placeholder": "größe"}));
    let mut asked = spot(&position(RULES, "größe", 1, 1));
    asked["newName"] = json!("anzahl");
    let edits = editor.ask("textDocument/rename", &asked)["changes"][URI].clone();
    let expected = [0, 1].map(|n| json!({"range": range(RULES, "größe", n), "newText": "anzahl"}));
    assert_eq!(edits, json!(expected));

    for (new, why) in [
        ("of", "cannot be a name"),
        ("two words", "cannot be a name"),
        ("kiesel", "is declared twice"),
        ("me", "would have an error"),
    ] {
        asked["newName"] = json!(new);
        let (code, message) = editor.refused("textDocument/rename", &asked);
        assert_eq!(code, -32803);
        assert!(message.contains(why), "{new}: {message}");
    }
    // A name that would be confused with another without any error.
    let text = format!("{RULES}define rote(q: seat) = count(kiesel of rot) + count(kiesel of q)\n");
    let change = json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": text}]});
    editor.tell("textDocument/didChange", &change);
    let mut asked = spot(&position(&text, "q:", 0, 0));
    asked["newName"] = json!("rot");
    let (_, message) = editor.refused("textDocument/rename", &asked);
    assert!(message.contains("would clash") && message.contains("`rot` on line 15"), "{message}");
    for (word, why) in [("mover", "defined by the language"), ("§1", "named by its document"), ("owned", "no name")] {
        let (code, message) = editor.refused("textDocument/prepareRename", &spot(&position(RULES, word, 0, 0)));
        assert_eq!(code, -32803);
        assert!(message.contains(why), "{word}: {message}");
    }
    editor.end();
}

#[test]
fn files_are_formatted_and_outlined() {
    let mut editor = Editor::start(&json!({}));
    let crooked = RULES.replace("  put own", "      put   own");
    editor.open(URI, &crooked);
    let asked = json!({"textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": true}});
    let edits = editor.ask("textDocument/formatting", &asked);
    let laid_out = regelwerk::syntax::format(&crooked).expect("a sound file");
    assert_eq!(applied(&crooked, &edits), laid_out);
    editor.tell(
        "textDocument/didChange",
        &json!({"textDocument": {"uri": URI, "version": 2},
        "contentChanges": [{"text": laid_out}]}),
    );
    assert_eq!(editor.ask("textDocument/formatting", &asked), json!([]));
    editor.tell(
        "textDocument/didChange",
        &json!({"textDocument": {"uri": URI, "version": 3},
        "contentChanges": [{"text": RULES}]}),
    );
    let symbols = editor.ask("textDocument/documentSymbol", &json!({"textDocument": {"uri": URI}}));
    let names: Vec<&str> = symbols.as_array().expect("a list").iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["mühle", "§1", "players", "board", "kiesel", "größe", "setze", "play", "voll"]);
    assert_eq!(symbols[0]["detail"], "game · Mühle 🙂");
    assert_eq!(symbols[5]["selectionRange"], range(RULES, "größe", 0));
    assert_eq!(symbols[5]["range"], range(RULES, "define größe(p: seat) = count(kiesel of p)", 0));
    assert_eq!(symbols[2]["children"][1]["name"], "rot");
    assert_eq!(symbols[6]["children"][0]["name"], "feld");
    editor.end();
}

/// A text after edits, by lines and UTF-16 units.
fn applied(text: &str, edits: &Value) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let place = |at: &Value| {
        let line = at["line"].as_u64().expect("a line");
        let start = (0..line).fold(0, |at, _| at + units[at..].iter().position(|&c| c == 10).expect("a line") + 1);
        start + usize::try_from(at["character"].as_u64().expect("a column")).expect("a column")
    };
    let mut out = Vec::new();
    let mut done = 0;
    for edit in edits.as_array().expect("edits") {
        out.extend(&units[done..place(&edit["range"]["start"])]);
        out.extend(edit["newText"].as_str().expect("a text").encode_utf16());
        done = place(&edit["range"]["end"]);
    }
    out.extend(&units[done..]);
    String::from_utf16(&out).expect("whole characters")
}

#[test]
fn columns_are_bytes_if_both_sides_agree() {
    let mut editor = Editor::silent();
    let answer =
        editor.ask("initialize", &json!({"capabilities": {"general": {"positionEncodings": ["utf-16", "utf-8"]}}}));
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-8");
    editor.tell("initialized", &json!({}));
    editor.open(URI, RULES);
    // `  require größe(me)`: two letters before the bracket have two bytes each.
    let hover = editor.about("hover", &json!({"line": 9, "character": 12}));
    let expected = json!({"start": {"line": 9, "character": 10}, "end": {"line": 9, "character": 17}});
    assert_eq!(hover["range"], expected);
    editor.end();
}

#[test]
fn extending_files_are_analysed_together() {
    let home = tempfile::tempdir().expect("a folder to work in");
    let folder = home.path().to_owned();
    let (main, short) = (folder.join("mühle.rules"), folder.join("kurz.rules"));
    let base = RULES
        .replace("clause §1 \"Ein Stein kommt auf ein freies Feld.\"", "document \"Mühle\" clauses \"clauses.ron\"");
    let registry = "Registry(clauses: [\n  Clause(id: \"1\", heading: \"Ziehen\", kind: Movement, text: \"Wie man zieht.\"),\n])\n";
    let variant = "game kurz \"Kurz\" extends \"mühle.rules\"\nreplace action setze §1 {\n  choose ort in empty\n  put own kiesel on ort\n}\n";
    std::fs::write(&main, "not yet saved").expect("a file");
    std::fs::write(folder.join("clauses.ron"), registry).expect("a file");
    std::fs::write(&short, variant).expect("a file");
    let address = |path: &std::path::Path| format!("file://{}", path.display()).replace('ü', "%C3%BC");

    let mut editor = Editor::silent();
    let folders = json!([{"uri": address(&folder), "name": "games"}]);
    editor.ask("initialize", &json!({"capabilities": {}, "workspaceFolders": folders}));
    editor.tell("initialized", &json!({}));
    editor.open(&address(&main), &base);
    editor.open(&address(&short), variant);
    assert_eq!(editor.diagnostics(&address(&short)), [Value::Null; 0], "the open text counts");

    let spot = |path: &std::path::Path, at: Value| json!({"textDocument": {"uri": address(path)}, "position": at});
    let place = editor.ask("textDocument/definition", &spot(&short, position(variant, "kiesel", 0, 0)));
    assert_eq!(place, json!({"uri": address(&main), "range": range(&base, "kiesel", 0)}));
    let place = editor.ask("textDocument/definition", &spot(&short, position(variant, "setze", 0, 0)));
    assert_eq!(place, json!({"uri": address(&main), "range": range(&base, "setze", 0)}), "the replaced item");
    let place = editor.ask("textDocument/definition", &spot(&short, position(variant, "mühle", 0, 0)));
    assert_eq!(place["uri"], address(&main));
    let place = editor.ask("textDocument/definition", &spot(&short, position(variant, "§1", 0, 1)));
    let clauses = address(&folder.join("clauses.ron"));
    let id = json!({"start": {"line": 1, "character": 14}, "end": {"line": 1, "character": 15}});
    assert_eq!(place, json!({"uri": clauses, "range": id}));
    let hover = editor.ask("textDocument/hover", &spot(&short, position(variant, "§1", 0, 1)));
    assert_eq!(hover["contents"]["value"], "**§1** (movement, “Ziehen”)\n\nWie man zieht.");

    // From the extended file, its uses in files that were not mentioned.
    editor.tell("textDocument/didClose", &json!({"textDocument": {"uri": address(&short)}}));
    let mut asked = spot(&main, position(&base, "kiesel", 0, 0));
    asked["context"] = json!({"includeDeclaration": false});
    let places = editor.ask("textDocument/references", &asked);
    let of = |path: &std::path::Path, text: &str, n| json!({"uri": address(path), "range": range(text, "kiesel", n)});
    assert_eq!(places, json!([of(&short, variant, 0), of(&main, &base, 1), of(&main, &base, 2)]));
    let mut asked = spot(&main, position(&base, "setze", 0, 0));
    asked["newName"] = json!("lege");
    let changes = editor.ask("textDocument/rename", &asked)["changes"].clone();
    let lege = |text: &str, n| json!({"range": range(text, "setze", n), "newText": "lege"});
    assert_eq!(changes[address(&short)], json!([lege(variant, 0)]));
    assert_eq!(changes[address(&main)], json!([lege(&base, 0), lege(&base, 1)]));
    editor.end();
}

#[test]
fn invalid_messages_are_answered_and_order_is_kept() {
    let mut editor = Editor::silent();
    assert_eq!(editor.refused("textDocument/hover", &json!({})).0, -32002, "nothing comes before `initialize`");
    editor.tell("textDocument/didOpen", &json!({"textDocument": 7}));
    editor.ask("initialize", &json!({"capabilities": 3, "workspaceFolders": [{"uri": 5}, {"uri": "nowhere"}]}));
    assert_eq!(editor.refused("initialize", &json!({})).0, -32600, "it comes once");
    assert_eq!(editor.refused("textDocument/dance", &json!({})).0, -32601);
    assert_eq!(editor.refused("textDocument/hover", &json!({"position": "here"})).0, -32602);
    assert_eq!(editor.refused("textDocument/hover", &spot(&json!({"line": 0, "character": 0}))).0, -32803);
    editor.tell("$/cancelRequest", &json!({"id": 99}));
    editor.tell("textDocument/didChange", &json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": []}));
    editor.tell("textDocument/didClose", &json!({"textDocument": {"uri": URI}}));
    editor.raw("Content-Length: 7\r\n\r\nno json");
    let answer = editor.receive();
    assert_eq!(answer["error"]["code"], -32700, "{answer}");

    // Places that do not exist, in a file that is nonsense.
    editor.open(URI, "}} §§ \"\u{0}\r\r {{{ ü game \" ( extends");
    let far = json!({"line": 4_000_000_000_u32, "character": 4_000_000_000_u32});
    for method in ["hover", "definition", "documentHighlight", "completion"] {
        for at in [json!({"line": 0, "character": 3}), json!({"line": 1, "character": 0}), far.clone()] {
            editor.about(method, &at);
        }
    }
    let upside_down = json!({"range": {"start": far, "end": {"line": 0, "character": 0}}, "text": "x"});
    editor.tell(
        "textDocument/didChange",
        &json!({"textDocument": {"uri": URI, "version": 2},
        "contentChanges": [upside_down]}),
    );
    assert_eq!(editor.ask("textDocument/documentSymbol", &json!({"textDocument": {"uri": URI}})), json!([]));
    assert_eq!(editor.ask("shutdown", &Value::Null), Value::Null);
    assert_eq!(editor.refused("textDocument/hover", &json!({})).0, -32600, "no requests are served after `shutdown`");
    editor.tell("exit", &Value::Null);
    assert_eq!(editor.child.wait().expect("the server ends").code(), Some(0));

    let mut editor = Editor::start(&json!({}));
    editor.tell("exit", &Value::Null);
    assert_eq!(editor.child.wait().expect("the server ends").code(), Some(1), "`exit` without `shutdown`");
}
