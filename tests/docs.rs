//! Every example in the documents is what it says it is.

use std::collections::BTreeMap;

use regelwerk::load::{Files, NoFiles, Setup, check_all, load};
use regelwerk::model::Engine;
use regelwerk::reference::Walker;
use regelwerk::report::Code;

use crate::support::{blocks, example, read, reports, root, walk};

/// One file next to the rule file.
struct Beside(String, String);

impl Files for Beside {
    fn read(&self, _by: &str, file: &str) -> Result<(String, String), String> {
        if file == self.0 { Ok((self.0.clone(), self.1.clone())) } else { Err("not there".to_owned()) }
    }
}

/// A complete file must check and play; a base must check; a fragment must check on its base.
fn examples(page: &str) -> (usize, usize) {
    let (mut whole, mut fragments) = (0, 0);
    let mut bases: BTreeMap<String, String> = BTreeMap::new();
    for (info, text) in blocks(&read(&root(page))) {
        if let Some(name) = info.strip_prefix("over:") {
            let files = Beside(format!("{name}.rules"), bases[name].clone());
            let loaded = load(page, &text, &files, &Setup::default());
            assert!(!loaded.reports.has_errors(), "{page}:\n{text}\n{}", reports(&loaded));
            continue;
        }
        let Some(kind) = info.strip_prefix("rules") else {
            continue;
        };
        let text = match kind.trim().split_once(':') {
            None => {
                whole += 1;
                text
            }
            Some(("base", name)) => {
                bases.insert(name.to_owned(), text.clone());
                text
            }
            Some(("fragment", name)) => {
                fragments += 1;
                let base = bases.get(name).unwrap_or_else(|| panic!("{page}: no base `{name}` before its fragment"));
                format!("{base}\n{text}")
            }
            Some(other) => panic!("{page}: a block is marked {other:?}"),
        };
        let checked = check_all(page, &text, &NoFiles);
        assert!(!checked.reports.has_errors(), "{page}:\n{text}\n{}", reports(&checked));
        let engine = Walker::new(checked.game.expect("a game"));
        for seed in 0..3 {
            walk(&engine, seed, 200, |position| {
                assert!(engine.violations(position).is_empty(), "{page}:\n{text}");
            });
        }
    }
    (whole, fragments)
}

#[test]
fn the_language_page_plays() {
    let (whole, fragments) = examples("docs/language.md");
    assert!(whole >= 5 && fragments >= 20, "{whole} files, {fragments} fragments");
}

/// The translation on the page of documents, with a registry and a ledger of the same clauses.
#[test]
fn the_documents_page_translates() {
    struct Page(String);
    impl Files for Page {
        fn read(&self, _by: &str, file: &str) -> Result<(String, String), String> {
            let text = match file {
                "clauses.ron" => {
                    "Registry(clauses: [
                        Clause(id: \"ziel/1\", kind: Setup, state: Documented, text: \"Two players.\"),
                        Clause(id: \"beginn/3\", kind: Physical, state: Documented, text: \"Darker houses.\"),
                    ])"
                }
                "ledger.ron" => {
                    "Ledger(gaps: [Gap(id: \"annahme/2\", question: \"Who?\", decision: \"White.\",
                        alternatives: [\"Black.\"])])"
                }
                _ => &self.0,
            };
            Ok((file.to_owned(), text.to_owned()))
        }
    }
    let shown = blocks(&read(&root("docs/documents.md")));
    let of = |kind: &str, head: &str| {
        let found = shown.iter().find(|(info, text)| info == kind && text.starts_with(head));
        found.unwrap_or_else(|| panic!("no `{head}`")).1.clone()
    };
    let rules =
        "game g players a, b board square 1 x 1 action go {} play { mover plays go } invariant i: true §annahme/2\n";
    let rules = format!("{rules}{}", of("rules", "document"));
    let loaded = load("g.rules", &rules, &Page(of("ron", "Translation")), &Setup::default());
    let game = loaded.game.as_ref().expect("a game");
    let said = |id: &str| game.clauses.clauses[id].text_in("de").to_owned();
    assert_eq!([said("ziel/1"), said("annahme/2")], ["Zwei spielen.", "Wer zieht zuerst? Weiß beginnt."]);
    assert!(reports(&loaded).contains("`§beginn/3`"), "the page translates two of three");
}

#[test]
fn the_readme_plays() {
    let (whole, _) = examples("README.md");
    assert!(whole >= 1);
}

/// Each code has a page whose wrong example gives exactly that code and whose
/// right example is accepted.
#[test]
fn error_pages_are_true() {
    for code in Code::ALL {
        let (mut wrong, mut right) = (0, 0);
        for (info, text) in blocks(code.page()) {
            // An error that needs another file, or more than a mebibyte, is shown in `check.rs`.
            if info.ends_with("untested") {
                assert!(ELSEWHERE.contains(code), "{}: an untested example", code.text());
                continue;
            }
            let variants: Vec<String> = info.split("--variant ").skip(1).map(|name| name.trim().to_owned()).collect();
            let loaded = example(*code, code.text(), &text, &Setup { variants, ..Setup::default() });
            let found: Vec<&str> = loaded.reports.sorted().iter().map(|report| report.code.text()).collect();
            match info.split(" --").next().unwrap_or("") {
                "rules wrong" => {
                    wrong += 1;
                    assert!(!found.is_empty(), "{}: the wrong example is accepted", code.text());
                    assert!(
                        found.iter().all(|c| *c == code.text()),
                        "{}: found {found:?}\n{}",
                        code.text(),
                        reports(&loaded)
                    );
                }
                "rules right" => {
                    right += 1;
                    assert!(found.is_empty(), "{}: the right example gives\n{}", code.text(), reports(&loaded));
                }
                _ => {}
            }
        }
        assert!(right > 0 || ELSEWHERE.contains(code), "{}: no right example", code.text());
        assert!(wrong > 0 || ELSEWHERE.contains(code), "{}: no wrong example", code.text());
    }
}

/// Codes shown in `check.rs` instead of on their page.
pub(crate) const ELSEWHERE: &[Code] = &[Code::TooLong, Code::BadRegistry, Code::Untranslated];

/// The first program of the README is the one that the library's documentation shows and runs.
#[test]
fn the_library_documentation_begins_with_the_readme_program() {
    let program = |file: &str| {
        let text = read(&root(file));
        let (_, rest) = text.split_once("```rust\n").expect("a program");
        rest.split_once("```").expect("its end").0.to_owned()
    };
    assert_eq!(program("README.md"), program("docs/library.md"));
}

/// The library's documentation lists the games that [`regelwerk::Rules::bundled`] knows, in the same order.
#[test]
fn the_library_documentation_lists_the_bundled_games() {
    let text = read(&root("docs/library.md"));
    let (_, list) = text.split_once("The bundled games are:\n\n").expect("the list");
    let list = list.split("\n\n").next().expect("a paragraph");
    let named: Vec<&str> = list.trim_end_matches('.').split(',').map(|name| name.trim().trim_matches('`')).collect();
    assert_eq!(named, regelwerk::Rules::bundled_names());
}
