//! `watch`: what is shown when files are saved.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::root;

/// A folder of its own, removed at the end.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder to work in");
        std::fs::create_dir(folder.path().join("cases")).expect("a folder for cases");
        Self(folder)
    }

    fn write(&self, file: &str, text: &str) {
        std::fs::write(self.0.path().join(file), text).expect("a file");
    }
}

fn once(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
    command.env("LC_ALL", "C");
    let output = command.args(arguments).arg("--once").current_dir(folder).output().expect("the program runs");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

const PARENT: &str = "game lines \"Lines\"
players x \"X\" symbol \"X\", o \"O\" symbol \"O\"
clause §1 \"Three in a row win.\"
option size = 3 from 3..5
option wanted = 3 from 3..5
board square size x size
piece mark owned
action place { choose f in empty  put own mark on f }
play { turns { mover plays place else { draw } } }
end row after move when line(own mark, wanted) §1 { win me }
";
const CHILD: &str = "game more extends \"lines.rules\"\nset size = 4\n";
const CASES: &str = "Cases(game: \"../more.rules\", cases: [
    Case(clauses: [\"1\"], name: \"sixteen fields\", steps: [Count(16)]),
])";

#[test]
fn once_checks_draws_and_runs_the_cases() {
    let folder = Folder::new();
    folder.write("lines.rules", PARENT);
    folder.write("more.rules", CHILD);
    folder.write("cases/more.ron", CASES);
    let (fine, text) = once(folder.0.path(), &["watch", "more.rules", "--moves", "a1 d4"]);
    assert!(fine, "{text}");
    assert!(text.contains("4  · · · O\n3  · · · ·\n2  · · · ·\n1  X · · ·\n"), "{text}");
    assert!(text.contains("cases: 1 passed, 0 failed"), "{text}");
    // A failing case, and rules with errors.
    folder.write("cases/more.ron", &CASES.replace("16", "15"));
    let (fine, text) = once(folder.0.path(), &["watch", "more.rules"]);
    assert!(!fine && text.contains("15 legal moves expected, found 16"), "{text}");
    folder.write("more.rules", &CHILD.replace("size", "sise"));
    let (fine, text) = once(folder.0.path(), &["watch", "more.rules", "--format", "json"]);
    assert!(!fine && text.contains("\"ok\":false") && text.contains("check/nothing-to-override"), "{text}");
    assert_eq!(text.lines().count(), 1, "one object: {text}");
}

/// Every save is noticed: of the file, of the file it extends, of the cases. While there are errors, the last
/// position stays.
#[test]
fn every_save_is_noticed() {
    let folder = Folder::new();
    folder.write("lines.rules", PARENT);
    folder.write("more.rules", CHILD);
    folder.write("cases/more.ron", CASES);
    let mut child = Command::new(env!("CARGO_BIN_EXE_regelwerk"))
        .env("LC_ALL", "C")
        .args(["watch", "more.rules"])
        .current_dir(folder.0.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let mut out = child.stdout.take().expect("its output");
    let (send, receive) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut piece = [0; 4096];
        while let Ok(length @ 1..) = out.read(&mut piece) {
            if send.send(piece[..length].to_vec()).is_err() {
                return;
            }
        }
    });
    let mut all = Vec::new();
    // Waits as long as a busy machine needs.
    let mut until = |words: &str| {
        let began = Instant::now();
        loop {
            let text = String::from_utf8_lossy(&all).into_owned();
            if text.contains(words) {
                all.clear();
                return text;
            }
            assert!(began.elapsed() < Duration::from_mins(1), "`{words}` is awaited:\n{text}");
            if let Ok(piece) = receive.recv_timeout(Duration::from_millis(100)) {
                all.extend(piece);
            }
        }
    };
    until("1 passed, 0 failed");
    folder.write("more.rules", "game more extends \"lines.rules\"\nset size = 5\n");
    let text = until("1 failed");
    assert!(text.contains("option size changed: value 4 → 5"), "{text}");
    assert!(text.contains("5  · · · · ·"), "{text}");
    folder.write("cases/more.ron", &CASES.replace("16", "25"));
    until("1 passed, 0 failed");
    folder.write("lines.rules", &PARENT.replace("wanted = 3", "wanted = 4"));
    let text = until("1 passed, 0 failed");
    assert!(text.contains("option wanted changed: value 3 → 4"), "{text}");
    folder.write("more.rules", "game more extends \"lines.rules\"\nset sise = 5\n");
    let text = until("a b c d e");
    assert!(
        text.contains("there is no option or reading `sise` to set") && text.contains("The last valid position"),
        "{text}"
    );
    child.kill().expect("it still runs");
    let _ = child.wait();
    drop(receive);
    let _ = reader.join();
}

/// The rules of this repository are watched with the cases under `tests/conformance`.
#[test]
fn cases_of_a_repository_are_found() {
    let (fine, text) = once(&root(""), &["watch", "rules/halali/variants/lang.rules"]);
    assert!(fine && text.contains("0 failed"), "{text}");
    assert!(!text.contains("There are no cases yet"), "{text}");
}
