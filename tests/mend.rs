//! Applying fixes.

use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::mend::{Subject, mend};

use crate::support::{Disk, read, rules_of};

const SOUND: &str = "game g\nplayers a, b\nboard square 3 x 3\npiece stone owned\n\
    define free(s: site) = s in empty\n\
    action put { choose f in empty require free(f) put own stone on f }\n\
    play { turns { mover plays put else pass } }\nend full after move when no empty { draw }\n";

fn mended(text: &str) -> regelwerk::mend::Mended {
    mend(Subject { name: "g.rules", text, files: &NoFiles }, &Setup::default())
}

#[test]
fn several_mistakes_are_fixed_in_one_run() {
    let mut text = SOUND.to_owned();
    for (right, wrong) in [("board square", "board sqare"), ("plays put", "palys put"), ("s: site", "s site")] {
        text = text.replacen(right, wrong, 1);
    }
    let found = mended(&text);
    assert_eq!(found.text, SOUND, "{:#?}", found.done);
    assert_eq!((found.done.len(), found.refused), (3, 0));
    let lines: Vec<usize> = found.done.iter().map(|(line, _)| *line).collect();
    assert!(lines.iter().all(|line| (3..=8).contains(line)), "{lines:?}");
}

/// Errors that appear only once the text parses are fixed in the next round.
#[test]
fn errors_revealed_by_a_fix_are_fixed_as_well() {
    let text = SOUND.replace("board square", "board sqare").replace("require free(f)", "require fre(f)");
    let found = mended(&text);
    assert_eq!(found.text, SOUND, "{:#?}", found.done);
}

#[test]
fn ambiguous_errors_are_left_alone() {
    for (right, wrong) in [("s in empty", "s empty in"), ("no empty", "empty"), ("choose f in empty", "choose f in")] {
        let text = SOUND.replacen(right, wrong, 1);
        let found = mended(&text);
        let before = load("g.rules", &text, &NoFiles, &Setup::default()).reports.sorted().len();
        let after = load("g.rules", &found.text, &NoFiles, &Setup::default()).reports.sorted().len();
        assert!(found.done.is_empty() == (found.text == text) && after <= before, "{wrong}: {:#?}", found.done);
    }
    assert_eq!(mended(&SOUND.replacen("no empty", "empty", 1)).done, []);
}

#[test]
fn correct_files_stay_unchanged() {
    let path = rules_of("halma");
    let text = read(&path);
    let found = mend(Subject { name: &path.display().to_string(), text: &text, files: &Disk }, &Setup::default());
    assert_eq!(found.text, text);
    assert_eq!(found.done, []);
}

/// The command writes the fixed file, says so, and then finds nothing.
#[test]
fn the_command_fixes_a_file() {
    let home = tempfile::tempdir().expect("a folder to work in");
    let folder = home.path();
    let path = folder.join("g.rules");
    std::fs::write(&path, SOUND.replace("plays put", "palys put")).expect("a file");
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_regelwerk"));
        command.env("LC_ALL", "C");
        let output = command.args(arguments).arg(&path).output().expect("the program runs");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (exit, found) = run(&["--format", "json", "check"]);
    assert_eq!(exit, Some(1));
    assert!(found.contains("\"message\":\"write `plays`\"") && found.contains("\"text\":\"plays\""), "{found}");
    let (exit, said) = run(&["check", "--fix"]);
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains("g.rules:7: write `plays`") && said.contains("no errors, no warnings"), "{said}");
    assert_eq!(read(&path), SOUND);
    let (exit, said) = run(&["--format", "json", "check", "--fix"]);
    assert_eq!(exit, Some(0));
    assert!(said.contains("\"fixed\":[]"), "{said}");
}
