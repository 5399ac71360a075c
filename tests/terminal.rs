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
pub(crate) struct Terminal {
    child: Child,
    keys: File,
    screen: Receiver<Vec<u8>>,
    seen: String,
}

impl Terminal {
    /// Starts the program in a folder.
    pub(crate) fn begin(folder: &Path, line: &str) -> Self {
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
    pub(crate) fn until(&mut self, wanted: &str) -> String {
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

    pub(crate) fn press(&mut self, keys: impl AsRef<[u8]>) {
        self.keys.write_all(keys.as_ref()).expect("a terminal that listens");
    }

    /// Waits until the program has ended by itself; its exit code.
    pub(crate) fn ended(&mut self) -> Option<i32> {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait().expect("its end") {
                Some(status) => return status.code(),
                None => assert!(Instant::now() < end, "it goes on:\n{}", self.seen),
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A game with hands, begun in a folder: the first seat is at the screen.
fn hidden(folder: &Path) -> Terminal {
    std::fs::write(folder.join("g.rules"), HIDDEN).expect("written");
    let mut screen = Terminal::begin(folder, "play g.rules");
    screen.until("press Enter to show the board. ");
    screen.press("\r");
    screen.until("a> ");
    screen
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
    assert_eq!(screen.ended(), Some(0));
    let record = std::fs::read_to_string(&path).expect("the saved game");
    assert!(record.contains("\"a1\""), "{record}");
}

/// A game of cards at one screen: what is hidden is handed over.
const HIDDEN: &str = "game g\nplayers a, b\npiece one\nzone hand(p: seat): set of piece, seen by p\nzone box: pile of piece, seen by no\n\
                      setup { for p in seats { repeat 3 { put one on hand(p) } } }\n\
                      action lay { choose c in hand(me)  move c from hand(me) to box }\nplay { turns { mover plays lay } }\n\
                      end e after move when no hand(b) { draw }\n";

/// Before the board is shown Control-C saves the game as well, and nothing is said of what the next may do.
#[test]
fn an_interrupt_saves_while_the_screen_is_handed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("g.rules"), HIDDEN).expect("written");
    let mut screen = Terminal::begin(folder.path(), "play g.rules");
    screen.until("press Enter to show the board. ");
    screen.press("\u{3}");
    assert_eq!(screen.ended(), Some(0));
    assert_eq!(folder.path().read_dir().expect("the folder").count(), 1, "nothing was played, so nothing is saved");
    let mut screen = Terminal::begin(folder.path(), "play g.rules");
    screen.until("press Enter to show the board. ");
    screen.press("\r");
    screen.until("a> ");
    screen.press("lay one\r");
    screen.until("press Enter to show the board. ");
    screen.press("\t\t");
    screen.press("\u{3}");
    assert_eq!(screen.ended(), Some(0));
    let shown = screen.until("g-1.record");
    assert!(!shown.contains("lay one"), "{shown:?}");
    let record = std::fs::read_to_string(folder.path().join("g-1.record")).expect("the saved game");
    assert!(record.contains("\"one\""), "{record}");
}

/// What is no text in UTF-8 is answered like anything else that is no move, and the game goes on.
#[test]
fn a_stray_byte_ends_no_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut screen = Terminal::begin(folder.path(), "play kalaha");
    screen.until("A> ");
    screen.press(b"h\xe4\r");
    screen.until("\u{fffd}");
    screen.until("A> ");
    screen.press("a1\r");
    screen.until("B> ");
    screen.press("quit\r");
    assert_eq!(screen.ended(), Some(0));
}

/// Where the game cannot be saved, it goes on, so that it can be saved elsewhere; a second Control-C leaves it.
#[test]
fn what_cannot_be_saved_is_not_left_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let begun = || {
        let gone = folder.path().join("gone");
        std::fs::create_dir(&gone).expect("a folder");
        let mut screen = Terminal::begin(&gone, "play kalaha");
        screen.until("A> ");
        screen.press("a1\r");
        screen.until("B> ");
        std::fs::remove_dir(&gone).expect("nothing in it");
        screen.press("\u{3}");
        screen.until("Not saved");
        screen.until("Ctrl-C once more");
        screen.until("B> ");
        screen
    };
    let mut screen = begun();
    let path = folder.path().join("elsewhere.record");
    screen.press(format!("save {}\r", path.display()));
    screen.until("Saved.");
    screen.until("B> ");
    screen.press("\u{3}");
    assert_eq!(screen.ended(), Some(0));
    assert!(path.is_file());
    let mut screen = begun();
    screen.press("\u{3}");
    assert_eq!(screen.ended(), Some(0));
}

/// Before somebody else looks at the screen it is cleared: before the next seat, before a race, and at the end.
#[test]
fn the_screen_is_cleared_before_others_look() {
    let folder = tempfile::tempdir().expect("a folder");
    let race =
        HIDDEN.replace("mover plays lay", "mover plays lay  race seats play slam | lay until now + 60000 else {}");
    let race = race.replace("play {", "action slam { require count(hand(me)) > 1 }\nplay {");
    std::fs::write(folder.path().join("g.rules"), HIDDEN).expect("written");
    std::fs::write(folder.path().join("race.rules"), race).expect("written");
    let mut screen = Terminal::begin(folder.path(), "play g.rules");
    for turn in 0..5 {
        screen.until("\u{1b}[2J\u{1b}[3J\u{1b}[H");
        screen.until("press Enter to show the board. ");
        screen.press("\r");
        screen.until(if turn % 2 == 0 { "a> " } else { "b> " });
        screen.press("lay one\r");
    }
    screen.until("\u{1b}[2J\u{1b}[3J\u{1b}[H");
    screen.until("press Enter to show the board. ");
    screen.press("\r");
    screen.until("b> ");
    screen.press("lay one\r");
    screen.until("\u{1b}[2J\u{1b}[3J\u{1b}[H");
    let mut screen = Terminal::begin(folder.path(), "play race.rules");
    screen.until("press Enter to show the board. ");
    screen.press("\r");
    screen.until("a> ");
    screen.press("lay one\r");
    screen.until("\u{1b}[2J\u{1b}[3J\u{1b}[H");
    // What each of them can do is not shown to the other.
    let keys = screen.until("b lay");
    let keys = keys.lines().last().unwrap_or_default();
    assert!(keys.contains("[1] a slam") && !keys.contains('('), "{keys:?}");
    screen.press(":");
    screen.until("> ");
    screen.press("?\r");
    let listed = screen.until("b slam");
    assert!(!listed.contains("one"), "{listed:?}");
}

/// A terminal that is closed, a program that is told to end, and the end of the input lose no game.
#[test]
fn a_game_is_saved_however_it_is_left() {
    for how in ["HUP", "TERM", "end"] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut screen = hidden(folder.path());
        screen.press("lay one\r");
        screen.until("press Enter to show the board. ");
        match how {
            "end" => screen.press("\u{4}"),
            signal => {
                let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", screen.child.id())]).status();
                assert!(sent.is_ok_and(|status| status.success()), "{how}");
            }
        }
        // A signal leaves no exit code, as if nobody had listened.
        assert_eq!(screen.ended(), (how == "end").then_some(0), "{how}");
        let record = std::fs::read_to_string(folder.path().join("g-1.record")).expect("the saved game");
        assert!(record.contains("\"one\""), "{how}: {record}");
    }
}

/// What was cut out of a line is not there for the next at the screen, and what is played anew after `undo` is saved, though
/// it is as long as what was saved before.
#[test]
fn nothing_of_a_line_goes_to_the_next_and_a_new_course_is_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut screen = hidden(folder.path());
    screen.press("mine\u{15}lay one\r");
    screen.until("press Enter to show the board. ");
    screen.press("\r");
    screen.until("b> ");
    screen.press("\u{19}!\r");
    let shown = screen.until("!");
    assert!(!shown.contains("mine"), "{shown:?}");
    drop(screen);
    let mut screen = Terminal::begin(folder.path(), "play kalaha");
    screen.until("A> ");
    screen.press("a1\r");
    screen.until("B> ");
    screen.press("save one.record\r");
    screen.until("Saved.");
    screen.press("undo\r");
    screen.until("A> ");
    screen.press("a2\r");
    screen.until("B> ");
    screen.press("\u{3}");
    screen.until("kalaha-1.record");
    assert_eq!(screen.ended(), Some(0));
    let record = std::fs::read_to_string(folder.path().join("kalaha-1.record")).expect("the saved game");
    assert!(record.contains("\"a2\"") && !record.contains("\"a1\""), "{record}");
    // What somebody else has written over it does not keep the game.
    let mut screen = Terminal::begin(folder.path(), "play kalaha");
    screen.until("A> ");
    screen.press("a1\r");
    screen.until("B> ");
    screen.press("save two.record\r");
    screen.until("Saved.");
    std::fs::write(folder.path().join("two.record"), record).expect("written");
    screen.until("B> ");
    screen.press("\u{3}");
    screen.until("kalaha-2.record");
    assert_eq!(screen.ended(), Some(0));
    let record = std::fs::read_to_string(folder.path().join("kalaha-2.record")).expect("the saved game");
    assert!(record.contains("\"a1\""), "{record}");
}

/// Games that are left at the same moment are saved under names of their own, and a game of bots alone is left as well.
#[test]
fn games_left_together_do_not_overwrite_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut screens: Vec<Terminal> = (0..4).map(|_| Terminal::begin(folder.path(), "play kalaha")).collect();
    for screen in &mut screens {
        screen.until("A> ");
        screen.press("a1\r");
        screen.until("B> ");
    }
    for screen in &mut screens {
        screen.press("\u{3}");
    }
    for screen in &mut screens {
        assert_eq!(screen.ended(), Some(0));
    }
    let records = folder.path().read_dir().expect("the folder").flatten();
    let whole = records.filter(|file| std::fs::read_to_string(file.path()).is_ok_and(|text| text.contains("\"a1\"")));
    assert_eq!(whole.count(), 4);
    let mut screen = Terminal::begin(folder.path(), "play kalaha --seat 1=mcts:600s --seat 2=mcts:600s");
    screen.until("thinks");
    screen.press("\u{3}");
    assert_eq!(screen.ended(), Some(0));
}

/// A saved game can be taken back as before, and one that is over is saved as any other.
#[test]
fn a_game_goes_on_as_it_was_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut screen = Terminal::begin(folder.path(), "play tic-tac-toe");
    screen.until("> ");
    for square in ["a1", "b1", "a2", "b2"] {
        screen.press(format!("{square}\r"));
        screen.until("> ");
    }
    screen.press("save four.record\r");
    screen.until("Saved.");
    drop(screen);
    let mut screen = Terminal::begin(folder.path(), "play --resume four.record");
    screen.until("> ");
    screen.press("undo\r");
    screen.until("> ");
    screen.press("c3\r");
    screen.until("> ");
    screen.press("a3\r");
    screen.until("over> ");
    screen.press("\u{3}");
    assert_eq!(screen.ended(), Some(0));
    let name = folder.path().read_dir().expect("the folder").flatten().find(|file| file.file_name() != "four.record");
    let record = std::fs::read_to_string(name.expect("another record").path()).expect("it is text");
    assert!(record.contains("\"c3\"") && !record.contains("\"b2\""), "{record}");
}

/// A file of another game is replaced only by whoever says so twice; one's own at once.
#[test]
fn another_game_is_replaced_when_asked_for_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("one.record");
    let saved = || std::fs::read_to_string(&path).expect("the saved game");
    let begun = |move_: &str| {
        let mut screen = Terminal::begin(folder.path(), "play kalaha");
        screen.until("A> ");
        screen.press(format!("{move_}\r"));
        screen.until("B> ");
        screen.press("save one.record\r");
        screen
    };
    let mut screen = begun("a1");
    screen.until("Saved.");
    let old = saved();
    let mut screen = begun("a2");
    screen.until("is there already");
    screen.until("B> ");
    assert_eq!(saved(), old);
    screen.press("save one.record\r");
    screen.until("Saved.");
    screen.until("B> ");
    assert!(saved().contains("\"a2\""));
    screen.press("b1\r");
    screen.until("> ");
    screen.press("save one.record\r");
    screen.until("Saved.");
    screen.until("> ");
    assert!(saved().contains("\"b1\""));
    // What somebody else has saved there meanwhile is another game again, also for whoever resumed this one.
    let mut resumed = Terminal::begin(folder.path(), "play --resume one.record");
    resumed.until("> ");
    std::fs::write(&path, &old).expect("written");
    for screen in [&mut screen, &mut resumed] {
        screen.press("save one.record\r");
        screen.until("is there already");
        screen.until("> ");
        assert_eq!(saved(), old);
    }
    screen.press("save one.record\r");
    screen.until("Saved.");
    screen.until("> ");
    resumed.press("save one.record\r");
    resumed.until("is there already");
}

/// Whoever ends the program while its game cannot be saved is told so.
#[test]
fn a_game_that_is_lost_is_not_lost_silently() {
    let folder = tempfile::tempdir().expect("a folder");
    let gone = folder.path().join("gone");
    std::fs::create_dir(&gone).expect("a folder");
    let mut screen = Terminal::begin(&gone, "play kalaha");
    screen.until("A> ");
    screen.press("a1\r");
    screen.until("B> ");
    std::fs::remove_dir(&gone).expect("nothing in it");
    let sent = Command::new("sh").args(["-c", &format!("kill -TERM {}", screen.child.id())]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    screen.until("The game is not saved");
    assert_eq!(screen.ended(), None);
}
