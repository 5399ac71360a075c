//! Applying fixes.

use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::mend::{Subject, mend, offer};

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
    for (right, wrong) in [("piece stone", "pieec stone"), ("plays put", "palys put"), ("choose f", "chose f")] {
        text = text.replacen(right, wrong, 1);
    }
    let found = mended(&text);
    assert_eq!(found.text, SOUND, "{:#?}", found.done);
    assert_eq!((found.done.len(), found.refused), (3, 0));
    let lines: Vec<usize> = found.done.iter().map(|(line, _)| *line).collect();
    assert!(lines.iter().all(|line| (3..=8).contains(line)), "{lines:?}");
}

/// A name is for the author to write: the one that was meant may be missing. Likewise a mark: words may be missing beside it.
#[test]
fn names_and_marks_are_offered_and_not_written() {
    let slips = [
        ("in empty require free(f)", "in empty require fre(f)", "free"),
        ("players a, b", "players a b", ","),
        ("s: site", "s site", ":"),
        ("else pass } }", "else pass }", "}"),
    ];
    for (right, wrong, fix) in slips {
        let text = SOUND.replace(right, wrong).replace("draw }", "if ply == 1 { win a } if ply == 2 { win b } draw }");
        assert_eq!(mended(&text).done, [], "{wrong}");
        let mut loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        offer(Subject { name: "g.rules", text: &text, files: &NoFiles }, &Setup::default(), &mut loaded);
        let [report] = loaded.reports.sorted()[..] else { panic!("{wrong}") };
        assert_eq!(report.fix.as_ref().map(|fix| fix.text.trim()), Some(fix), "{wrong}");
        assert!(!report.certain);
    }
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

/// Where nothing can be written, the errors of the file that is there are told all the same.
#[cfg(unix)]
#[test]
fn errors_are_told_where_nothing_can_be_written() {
    let home = tempfile::tempdir().expect("a folder to work in");
    let (path, text) = (home.path().join("g.rules"), SOUND.replace("plays put", "palys put"));
    std::fs::write(&path, &text).expect("a file");
    // A write beyond the limit fails as on a full disk.
    let mut command = std::process::Command::new("sh");
    command.arg("-c").arg("trap '' XFSZ; ulimit -f 0; exec \"$0\" check --fix \"$1\" | cat");
    let output = command.arg(env!("CARGO_BIN_EXE_regelwerk")).arg(&path).output().expect("the program runs");
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(out.contains("g.rules:7:") && out.contains("1 file checked: 1 error"), "{out}");
    assert!(!out.contains("g.rules:7: write"), "{out}");
    assert!(err.contains("cannot be written"), "{err}");
    assert_eq!(read(&path), text);
}

/// No edit makes a comment of what was none: two marks of division with a blank of another kind between them.
#[test]
fn no_fix_makes_a_comment() {
    let text = SOUND
        .replace("define free", "var total: int = 8 \"total\"\ndefine free")
        .replace("put own stone", "total := total /\u{a0}/ 2 put own stone");
    let found = mended(&text);
    assert_eq!((found.text.as_str(), found.done.len()), (text.as_str(), 0));
    let mut loaded = load("g.rules", &text, &NoFiles, &Setup::default());
    offer(Subject { name: "g.rules", text: &text, files: &NoFiles }, &Setup::default(), &mut loaded);
    assert!(loaded.reports.sorted().iter().all(|report| report.fix.is_none()), "{:?}", loaded.reports);
}
