//! The structure of the source, as documented in `docs/architecture.md`.

use std::collections::BTreeSet;

use regelwerk::say::Lang;

use crate::support::{files_below, read, root};

/// Which rooms a room may import: only rooms above it, so that they form no cycle.
const IMPORTS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("say", &[]),
    ("report", &["base"]),
    ("syntax", &["base", "report"]),
    ("ir", &["base"]),
    ("model", &["base", "ir"]),
    ("notation", &["base", "ir", "model"]),
    ("reference", &["base", "ir", "model"]),
    ("compile", &["base", "ir", "model", "reference"]),
    ("engine", &["base", "ir", "model", "reference", "compile"]),
    ("module", &["base", "ir", "model", "reference", "compile"]),
    ("knowledge", &["base", "ir"]),
    ("check", &["base", "report", "syntax", "ir", "knowledge", "model", "notation", "reference"]),
    ("load", &["base", "report", "syntax", "ir", "check"]),
    ("bundled", &["base", "load"]),
    ("files", &["base", "load", "bundled"]),
    ("mend", &["base", "report", "syntax", "load"]),
    ("view", &["say", "base", "ir", "model", "notation"]),
    ("play", &["base", "ir", "model", "notation", "load"]),
    ("native", &["ir", "model", "module", "play"]),
    ("lint", &["base", "report", "ir", "model", "reference", "engine", "load", "play"]),
    ("measure", &["base", "ir", "model", "notation", "load", "play"]),
    ("bots", &["base", "ir", "model", "reference", "play", "measure"]),
    (
        "api",
        &[
            "say", "base", "report", "ir", "model", "notation", "engine", "module", "load", "bundled", "files", "mend",
            "view", "play", "native", "measure", "bots",
        ],
    ),
    ("document", &["base"]),
    ("solve", &["base", "ir", "model"]),
    ("diff", &["base", "syntax", "ir"]),
    ("book", &["base", "say", "syntax", "ir", "model", "notation", "load", "view"]),
    ("editor", &["base", "report", "syntax", "ir", "load"]),
    (
        "serve",
        &[
            "say", "base", "syntax", "ir", "model", "notation", "load", "bundled", "view", "play", "measure", "api",
            "document", "book", "editor",
        ],
    ),
    ("lsp", &["base", "report", "syntax", "load", "editor"]),
    ("table", &["say", "base", "ir", "model", "load", "bundled", "files", "play", "api", "serve"]),
    (
        "conformance",
        &["say", "base", "report", "syntax", "ir", "model", "notation", "reference", "engine", "load", "view", "play"],
    ),
    (
        "cli",
        &[
            "say",
            "base",
            "report",
            "syntax",
            "ir",
            "model",
            "notation",
            "reference",
            "engine",
            "load",
            "bundled",
            "files",
            "mend",
            "view",
            "play",
            "lint",
            "module",
            "native",
            "measure",
            "bots",
            "api",
            "document",
            "solve",
            "serve",
            "diff",
            "book",
            "lsp",
            "table",
            "conformance",
        ],
    ),
];

/// Crates that only some rooms may use.
const CRATES: &[(&str, &[&str])] = &[
    ("pest", &["syntax"]),
    ("miette", &["report", "cli"]),
    ("clap", &["cli"]),
    ("indicatif", &["cli"]),
    ("ron", &["load", "conformance", "play", "document"]),
    ("rand_chacha", &["play"]),
    ("rayon", &["play", "measure", "bots", "cli"]),
    ("lsp_server", &["lsp", "cli"]),
    ("lsp_types", &["lsp"]),
    ("statrs", &["measure"]),
    ("similar", &["diff"]),
    ("textwrap", &["cli"]),
    ("percent_encoding", &["lsp"]),
    ("fluent_bundle", &["say"]),
    ("rustyline", &["cli"]),
    ("axum", &["table"]),
    ("tokio", &["table", "cli"]),
    ("rusqlite", &["table"]),
    ("wasmtime", &["native"]),
];

/// Files longer than 400 lines, each with its reason.
const LONG: &[(&str, &str)] =
    &[("src/check/board.rs", "one shape of board per function"), ("src/reference/eval.rs", "one arm per expression")];

/// Numbers substituted for something absent, each with its reason.
const DEFAULTS: &[(&str, usize, &str)] = &[
    ("src/model/position.rs", 1, "whoever is the mover acts, unless somebody does in the mover's place"),
    ("src/engine/state.rs", 1, "the same"),
    ("src/engine/eval.rs", 1, "it is now, unless another moment is asked about"),
    ("src/reference/eval.rs", 1, "the same"),
    ("src/play/perft.rs", 1, "at depth 0 there is one sequence, the empty one"),
    ("src/play/reaction.rs", 1, "an act without a cue waits for nothing"),
    ("src/cli/mutate/judge.rs", 1, "a case that cites no clause of the change comes last"),
    ("src/conformance/mutate/conditions.rs", 1, "a brace that is not closed is stepped over alone"),
    ("src/conformance/mutate/members.rs", 1, "a name outside its family is followed by the first of it"),
    ("src/measure/sums.rs", 1, "the documented value at a rank of no numbers"),
    ("src/document/lines.rs", 1, "before its first wrapped line a block is on the line it begins in"),
    ("src/syntax/expect.rs", 1, "before the first item the text begins"),
    ("src/syntax/repair.rs", 1, "behind the last token the stretch ends"),
    ("src/serve/game.rs", 1, "the protocol: a page without `from` is the first"),
    ("src/table/hall.rs", 1, "a machine that does not say how many cores it has has one"),
    ("src/table/line.rs", 1, "a line that has been told nothing is told everything from the first step"),
    ("src/cli/game.rs", 1, "the seed of commands unless one is given"),
    ("src/cli/simulate.rs", 1, "no game is traced unless --rules says how many"),
    ("src/cli/solve.rs", 1, "no limit unless --nodes gives one"),
    ("src/cli/impact.rs", 1, "a count of what did not occur"),
];

/// The room, path and text of every source file.
fn sources() -> Vec<(String, String, String)> {
    let src = root("src");
    files_below(&src, "rs")
        .into_iter()
        .map(|path| {
            let inside = path.strip_prefix(&src).expect("below src").display().to_string();
            let room = inside.split('/').next().unwrap_or("").trim_end_matches(".rs").to_owned();
            (room, format!("src/{inside}"), read(&path))
        })
        .collect()
}

/// The rooms that a line of code refers to.
fn named<'l>(line: &'l str, rooms: &[&str]) -> Vec<&'l str> {
    let code = line.split("//").next().unwrap_or("");
    let name = |part: &'l str| part.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
    code.split("crate::").skip(1).map(name).filter(|name| rooms.contains(name)).collect()
}

#[test]
fn rooms_form_no_cycle() {
    for (at, (room, imports)) in IMPORTS.iter().enumerate() {
        for import in *imports {
            let above = IMPORTS[..at].iter().any(|(other, _)| other == import);
            assert!(above, "`{room}` may import `{import}`, which does not stand above it");
        }
    }
}

#[test]
fn rooms_import_exactly_what_the_table_permits() {
    let rooms: Vec<&str> = IMPORTS.iter().map(|(room, _)| *room).collect();
    let mut unused: BTreeSet<(&str, &str)> =
        IMPORTS.iter().flat_map(|(room, imports)| imports.iter().map(|import| (*room, *import))).collect();
    let mut empty: BTreeSet<&str> = rooms.iter().copied().collect();
    for (room, path, text) in sources() {
        if matches!(room.as_str(), "lib" | "main") {
            continue;
        }
        let Some((room, may)) = IMPORTS.iter().find(|(other, _)| *other == room) else {
            panic!("{path}: the room `{room}` is not in the table")
        };
        empty.remove(room);
        for (number, line) in text.lines().enumerate() {
            for name in named(line, &rooms) {
                assert!(name == *room || may.contains(&name), "{path}:{}: `{room}` imports `{name}`", number + 1);
                unused.retain(|(one, other)| one != room || *other != name);
            }
        }
    }
    assert_eq!(unused, BTreeSet::new(), "unused permissions");
    assert_eq!(empty, BTreeSet::new(), "rooms that do not exist");
}

/// What is said to a seat comes through `play::Door`: no surface that people or programs play by gets at a whole position,
/// a move of somebody else, or the information set. Each word is what it would take.
#[test]
fn surfaces_look_through_the_door() {
    let roundabout = [
        "Observation::referee",
        "InformationSet",
        "print_move",
        "print_answer",
        "seen_arguments",
        "legal_for",
        "grounds(engine",
        "read_step",
        "find_move",
        ".explain()",
        ".since(",
        ".model()",
        ".legal(self",
        "game.position()",
        "determinize",
    ];
    let terminal = ["table", "screen", "racing", "advice"].map(|file| format!("src/cli/{file}.rs"));
    for (room, path, text) in sources() {
        let surface = room == "serve" || room == "table" || room == "say" || terminal.contains(&path);
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            let found = roundabout.iter().find(|word| surface && code.contains(**word));
            assert_eq!(found, None, "{path}:{}: ask `play::Door`", number + 1);
            // What draws and words takes what somebody sees, and cannot make it.
            let raw = room == "view"
                && (code.contains("pub fn") && code.contains("&Position") || code.contains("dyn Engine"));
            assert!(!raw, "{path}:{}: take an `Observation`", number + 1);
        }
    }
    let door = read(&root("src/play/door.rs"));
    assert_eq!(door.matches("pub struct Shown<T>(T);").count(), 1, "what a `Shown` holds is private to the door");
}

/// A construct that the analysis of who may know what leaves out does not build, since its matches name all of them; here it
/// is made sure that they do, and that no arm takes what is not named.
#[test]
fn who_may_know_is_said_of_every_construct() {
    let variants = |path: &str, name: &str| -> Vec<String> {
        let text = read(&root(path));
        let (_, body) = text.split_once(&format!("pub enum {name} {{\n")).expect("the enum");
        let (body, _) = body.split_once("\n}").expect("its end");
        let named = body.lines().filter_map(|line| line.strip_prefix("    "));
        let named = named.filter(|line| line.starts_with(char::is_uppercase));
        named.map(|line| line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("").to_owned()).collect()
    };
    for (declared, name, judged) in [
        ("src/ir/stmt.rs", "StmtKind", "src/knowledge/statement.rs"),
        ("src/ir/expr.rs", "ExprKind", "src/knowledge/value.rs"),
        ("src/ir/expr.rs", "ExprKind", "src/reference/sight.rs"),
        ("src/ir/expr.rs", "Attribute", "src/knowledge/value.rs"),
        ("src/ir/expr.rs", "Function", "src/knowledge/value.rs"),
    ] {
        let (all, text) = (variants(declared, name), read(&root(judged)));
        assert!(all.len() > 6, "{name}: {all:?}");
        let words: BTreeSet<&str> = text.split(|c: char| !(c.is_alphanumeric() || c == ':')).collect();
        let missing: Vec<&String> =
            all.iter().filter(|one| !words.contains(format!("{name}::{one}").as_str())).collect();
        assert_eq!(missing, [""; 0], "{judged} says nothing of these");
    }
    for (room, path, text) in sources() {
        let judges = room == "knowledge" || path == "src/reference/sight.rs" || path == "src/ir/knowledge.rs";
        assert!(!judges || !text.contains(" _ =>"), "{path}: an arm for all the rest");
    }
    assert!(read(&root("Cargo.toml")).contains("wildcard_enum_match_arm = \"warn\""));
}

#[test]
fn crates_stay_in_their_rooms() {
    for (room, path, text) in sources() {
        for (name, rooms) in CRATES {
            let named = text.lines().any(|line| {
                let code = line.split("//").next().unwrap_or("");
                code.contains(&format!("use {name}::")) || code.contains(&format!(" {name}::"))
            });
            assert!(!named || rooms.contains(&room.as_str()), "{path} names the crate `{name}`");
        }
    }
}

#[test]
fn the_core_is_pure() {
    let outside = ["std::fs", "std::env", "std::io", "std::time", "std::process", "println!", "eprintln!"];
    for (room, path, text) in sources() {
        if matches!(room.as_str(), "cli" | "files" | "table" | "main") {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            for name in outside {
                assert!(!code.contains(name), "{path}:{}: `{name}` below the command line", number + 1);
            }
        }
    }
}

/// Every message is said somewhere, and every message that is said exists.
#[test]
fn messages_are_said_and_exist() {
    let lines = Lang::En.messages().lines().filter(|line| !line.starts_with([' ', '#']));
    let ids: BTreeSet<&str> = lines.filter_map(|line| line.split_once(" =").map(|(id, _)| id)).collect();
    let code: String = sources().into_iter().filter(|(room, _, _)| room != "say").map(|(_, _, text)| text).collect();
    // Those about refusals are named after the reason.
    let said = |id: &str| code.contains(&format!("\"{id}\"")) || id.starts_with("refused-") || id.starts_with("list-");
    let idle: Vec<&&str> = ids.iter().filter(|id| !said(id)).collect();
    assert_eq!(idle, [&""; 0], "messages that nothing says");
    let calls = fancy_regex::Regex::new(r#"\b(?:say|words)\(\s*"([a-z]+-[a-z-]+)""#).expect("a pattern");
    let called = calls.captures_iter(&code).filter_map(|found| found.ok()?.get(1).map(|id| id.as_str().to_owned()));
    let unknown: BTreeSet<String> = called.filter(|id| !ids.contains(id.as_str())).collect();
    assert_eq!(unknown, BTreeSet::new(), "messages that do not exist");
    let explain = read(&root("src/model/explain.rs"));
    let reasons = explain
        .lines()
        .filter(|line| line.trim_start().starts_with("Self::"))
        .filter_map(|line| line.split('"').nth(1));
    let mut count = 0;
    for why in reasons {
        let both = [format!("refused-{why}"), format!("refused-{why}-rules")];
        assert!(both.iter().all(|id| ids.contains(id.as_str())), "no message for the reason `{why}`");
        count += 2;
    }
    assert_eq!(count, ids.iter().filter(|id| id.starts_with("refused-")).count(), "reasons that do not exist");
}

#[test]
fn no_game_is_named() {
    // The last one is too short to be searched for within words.
    let games = ["halma", "kalaha", "halali", "galli", " hai ", "hai-", "hai_", "\"hai"];
    for folder in ["src", "grammar", "python/src"] {
        for ending in ["rs", "pest"] {
            for path in files_below(&root(folder), ending) {
                for (number, line) in read(&path).lines().enumerate() {
                    let lower = format!(" {} ", line.to_lowercase());
                    let named = games.iter().find(|game| lower.contains(**game));
                    assert_eq!(named, None, "{}:{}", path.display(), number + 1);
                }
            }
        }
    }
}

#[test]
fn files_are_short_or_have_a_reason() {
    for (_, path, text) in sources() {
        let lines = text.lines().count();
        let excused = LONG.iter().any(|(long, _)| *long == path);
        assert!(lines <= 400 || excused, "{path} has {lines} lines");
    }
    for path in files_below(&root("python/src"), "rs") {
        let lines = read(&path).lines().count();
        assert!(lines <= 400, "{} has {lines} lines", path.display());
    }
    for (path, _) in LONG {
        let lines = read(&root(path)).lines().count();
        assert!(lines > 400, "{path} has {lines} lines and needs no exception");
    }
}

#[test]
fn rooms_state_their_purpose_and_invariant() {
    for (room, path, text) in sources() {
        if path.ends_with("/mod.rs") && path.matches('/').count() == 2 {
            assert!(text.starts_with("//!"), "{path}: no purpose stated for `{room}`");
            assert!(text.contains("**Invariant:**"), "{path}: no invariant");
        }
    }
}

/// Counts `unwrap_or` and `map_or` with a number, the limit of a type or a field of `self` as a fallback. What cannot
/// be absent should not be an `Option` at all, and what can be absent needs a branch: a seat that is out of range
/// must not become seat 0. Empty texts, lists and sets are not counted, nor named constants, which say what they
/// mean.
#[test]
#[expect(clippy::print_stdout, reason = "the count is what it is run for, with `--no-capture`")]
fn no_number_is_made_up() {
    let made_up = fancy_regex::Regex::new(
        r"\b(unwrap_or|map_or)\(\s*(-?[0-9][0-9_]*(_?[iu][0-9a-z]+)?|[a-z][a-z0-9]+::(MAX|MIN)|self\.[^()]*)\s*[,)]",
    )
    .expect("a pattern");
    let mut total = 0;
    for (_, path, text) in sources() {
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        let code: Vec<&str> = code.lines().filter_map(|line| line.split("//").next()).collect();
        let code = code.join("\n");
        let count = made_up.find_iter(&code).count();
        let excused = DEFAULTS.iter().find(|(excused, _, _)| *excused == path).map_or(0, |(_, count, _)| *count);
        assert!(
            count <= excused,
            "{path}: a number stands in for what is absent ({count}, {excused} with a reason). Give the thing a type \
             that has it always; convert with `base::SaturatingFrom`, `to_index` or an id's `new`; look up with \
             `base::get_or_default`; or write the branch. If the number is what the language, a protocol or a command says, \
             put it into `DEFAULTS` with its reason."
        );
        assert!(count == excused, "{path} has {count} such numbers: the table says {excused}");
        total += count;
    }
    println!("{total} numbers stand in for what is absent, each with its reason");
    assert!(total <= 20, "{total} numbers stand in for what is absent: 20 are too many");
}
