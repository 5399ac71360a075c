//! `new --from`: a variant of any bundled game checks, plays and passes its case.

use std::process::Command;

use regelwerk::bundled;
use regelwerk::conformance::{Interpreters, load_cases, run_case};
use regelwerk::files::{Library, find_rules};
use regelwerk::load::{RuleFile, Setup, load};
use regelwerk::reference::Walker;
use regelwerk::syntax::format;

use crate::support::{files_below, read, reports, root, walk};

#[test]
fn a_new_variant_of_every_game_and_variant_works() {
    let home = tempfile::tempdir().expect("a folder to work in");
    let folder = home.path();
    let games = bundled::games();
    let mut from: Vec<String> = games.iter().map(|game| (*game).to_owned()).collect();
    for game in games {
        for path in files_below(&root(&format!("rules/{game}")), "rules") {
            let inside = path.strip_prefix(root("rules")).expect("below the rules").with_extension("");
            let inside = inside.display().to_string();
            if inside.contains("variants") {
                from.push(inside);
            }
        }
    }
    // A user's file can be extended as well.
    std::fs::write(folder.join("own.rules"), read(&root("tests/fixtures/tictactoe.rules"))).expect("a file");
    from.push("own.rules".to_owned());
    assert!(from.len() > 7, "{from:?}");
    for (number, from) in from.iter().enumerate() {
        let name = format!("variant-{number}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
        command.env("LC_ALL", "C");
        let output = command.args(["new", &name, "--from", from]).current_dir(folder).output().expect("it runs");
        assert!(output.status.success(), "{from}: {}", String::from_utf8_lossy(&output.stderr));
        let path = folder.join(&name).join(format!("{name}.rules"));
        let text = read(&path);
        assert_eq!(format(&text).as_ref(), Some(&text), "{from}: it is laid out");
        let path = path.display().to_string();
        let loaded = load(&path, &text, &Library, &Setup::default());
        assert!(loaded.game.is_some(), "{from}: {}", reports(&loaded));
        // Every line offered as a comment can be uncommented on its own.
        let offered: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("// set ")).collect();
        assert_eq!(offered.len(), loaded.offer.options.len() + loaded.offer.readings.len(), "{from}");
        for line in offered {
            let changed = format!("{text}\nset {line}\n");
            let loaded = load(&path, &changed, &Library, &Setup::default());
            assert!(loaded.game.is_some(), "{from}: set {line}: {}", reports(&loaded));
        }
        let cases = load_cases(&read(&folder.join(&name).join("cases/first.ron"))).expect("cases");
        for case in &cases.cases {
            let rules = RuleFile::read(&path, &text, &Library);
            let outcome = run_case(case, &rules, Interpreters::Both);
            assert!(outcome.passed(), "{from}: {:?}", outcome.failures);
        }
        assert!(find_rules(&path).is_ok());
        walk(&Walker::new(loaded.game.expect("checked above")), 1, 20, |_| {});
    }
}
