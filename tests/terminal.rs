//! What people see who sit at a terminal: here a pseudoterminal, with a person who types by program.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// How long something is waited for before it counts as missing.
const PATIENCE: Duration = Duration::from_mins(2);

/// The program with a terminal of its own.
struct Terminal {
    child: Child,
    keys: File,
    screen: Receiver<Vec<u8>>,
    seen: String,
}

impl Terminal {
    /// Starts the program in a folder.
    fn begin(folder: &Path, line: &str) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudoterminal");
        grantpt(&ours).expect("its rights");
        unlockpt(&ours).expect("its lock");
        let name = ptsname(&ours, Vec::new()).expect("its name").into_string().expect("a path");
        let theirs = || OpenOptions::new().read(true).write(true).open(&name).expect("its other end");
        let child = Command::new(env!("CARGO_BIN_EXE_regelwerk"))
            .args(["--lang", "en"])
            .args(line.split(' '))
            .current_dir(folder)
            .env("TERM", "xterm")
            .env("LC_ALL", "C")
            .stdin(Stdio::from(theirs()))
            .stdout(Stdio::from(theirs()))
            .stderr(Stdio::from(theirs()))
            .spawn()
            .expect("the program");
        let keys = File::from(ours);
        let mut read = keys.try_clone().expect("a second handle");
        let (tell, screen) = channel();
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(length @ 1..) = read.read(&mut part) {
                if tell.send(part[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { child, keys, screen, seen: String::new() }
    }

    /// Waits until the screen has shown something after what was waited for before; what came before it.
    fn until(&mut self, wanted: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.seen.find(wanted) {
                let before = self.seen[..at].to_owned();
                self.seen.drain(..at + wanted.len());
                return before;
            }
            let part = self.screen.recv_timeout(end.saturating_duration_since(Instant::now()));
            let part = part.unwrap_or_else(|why| panic!("`{wanted}` has not been shown ({why}), but:\n{}", self.seen));
            self.seen.push_str(&String::from_utf8_lossy(&part));
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("a terminal that listens");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A bot with ten minutes for its move says what it thinks of, and Enter lets it play at once.
#[test]
fn a_bot_says_what_it_thinks_of_and_can_be_hurried() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut screen = Terminal::begin(folder.path(), "play kalaha --seat b=mcts:600s");
    screen.until("A> ");
    screen.press("a1\r");
    screen.until("B thinks of ");
    let first = screen.until(" … (Enter: play at once)");
    assert!(["b1", "b2", "b3", "b4", "b5", "b6"].contains(&first.as_str()), "{first}");
    screen.press("\r");
    screen.until("B: b");
}

/// What a bot considers may name what it has in its hand, so of a game with secrets nothing is told but that it thinks.
#[test]
fn a_bot_with_secrets_does_not_say_what_it_thinks_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut screen = Terminal::begin(folder.path(), "play halali --seat 1=mcts:600s --seed 1");
    let before = screen.until(" thinks");
    assert!(screen.until("(Enter: play at once)").trim() == "…", "{before}");
}

/// Tab completes a move, the arrow brings the last line back, and Control-C saves the game, which can be gone on with.
#[test]
fn lines_are_completed_and_remembered_and_an_interrupt_saves() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut screen = Terminal::begin(folder.path(), "play kalaha");
    screen.until("A> ");
    screen.press("leg\t\r");
    screen.until("A> ");
    screen.press("\u{1b}[A");
    screen.until("legend");
    screen.press("\u{3}");
    drop(screen);
    assert_eq!(folder.path().read_dir().expect("the folder").count(), 0, "nothing was played, so nothing is saved");

    let mut screen = Terminal::begin(folder.path(), "play kalaha");
    screen.until("A> ");
    screen.press("a1\r");
    screen.until("B> ");
    screen.press("\u{3}");
    let path = folder.path().join("kalaha-1.record");
    let end = Instant::now() + PATIENCE;
    while screen.child.try_wait().expect("its end").is_none() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(20));
    }
    let record = std::fs::read_to_string(&path).expect("the saved game");
    assert!(record.contains("\"a1\""), "{record}");
}
