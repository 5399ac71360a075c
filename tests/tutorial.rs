//! The tutorial, step by step: its commands are run and its files are written.

use std::path::Path;
use std::process::Command;

use crate::support::{blocks, read, root};

/// Whether a line matches what is shown; `[..]` stands for anything.
fn fits(shown: &str, line: &str) -> bool {
    let (mut rest, parts): (&str, Vec<&str>) = (line, shown.split("[..]").collect());
    let [first, .., last] = parts.as_slice() else { return shown == line };
    for (at, part) in parts.iter().enumerate() {
        let found = if at == 0 { rest.starts_with(first).then_some(0) } else { rest.find(part) };
        let Some(place) = found else { return false };
        rest = &rest[place + part.len()..];
    }
    line.ends_with(last)
}

/// Whether lines match what is shown; `...` stands for any number of them.
fn all_fit(shown: &[&str], lines: &[&str]) -> bool {
    match (shown, lines) {
        ([], []) => true,
        (["...", rest @ ..], _) => (0..=lines.len()).any(|skipped| all_fit(rest, &lines[skipped..])),
        ([one, shown @ ..], [line, lines @ ..]) => fits(one, line) && all_fit(shown, lines),
        ([_, ..], []) | ([], [_, ..]) => false,
    }
}

/// Runs the commands of a block and compares their output with what is shown.
fn run(folder: &Path, block: &str) -> usize {
    let mut count = 0;
    for part in block.split("$ ").skip(1) {
        let (line, shown) = part.split_once('\n').expect("a command and what it prints");
        let arguments: Vec<&str> = line.split(' ').collect();
        assert_eq!(arguments[0], "regelwerk", "{line}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
        command.env("LC_ALL", "C");
        let output = command.args(&arguments[1..]).current_dir(folder).output().expect("the program runs");
        let (shown, fails) = match shown.strip_prefix("? failed\n") {
            Some(shown) => (shown, true),
            None => (shown, false),
        };
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.success(), !fails, "{line}\n{text}");
        let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
        let shown: Vec<&str> = shown.trim_end().lines().map(str::trim_end).collect();
        assert!(all_fit(&shown, &lines), "{line}\n--- shown\n{}\n--- printed\n{text}", shown.join("\n"));
        count += 1;
    }
    count
}

#[test]
fn the_tutorial_does_what_it_says() {
    let home = tempfile::tempdir().expect("a folder to work in");
    let folder = home.path();
    let (mut commands, mut saves) = (0, 0);
    for (info, text) in blocks(&read(&root("docs/tutorial.md"))) {
        if let Some((_, file)) = info.split_once(" save:") {
            let path = folder.join(file);
            assert!(path.is_file(), "`{file}` is changed, so it must be there");
            std::fs::write(path, text).expect("a file");
            saves += 1;
        } else if info == "console" {
            commands += run(folder, &text);
        } else {
            // What needs a person at a terminal is not run.
            let by_hand = ["cargo install", "regelwerk play", "regelwerk watch"];
            assert!(info == "sh" && by_hand.iter().any(|start| text.starts_with(start)), "{info}: {text}");
        }
    }
    assert!(commands >= 9 && saves >= 4, "{commands} commands, {saves} changes");
}

#[test]
fn elisions_match_as_a_reader_expects() {
    assert!(fits("a [..] b", "a x y b") && fits("[..]", "") && fits("a", "a"));
    assert!(!fits("a [..] b", "a b") && !fits("a", "ab") && !fits("a[..]", "ba"));
    assert!(all_fit(&["a", "...", "c"], &["a", "b", "b", "c"]) && all_fit(&["..."], &[]));
    assert!(!all_fit(&["a", "..."], &["b"]) && !all_fit(&["a"], &["a", "b"]));
}
