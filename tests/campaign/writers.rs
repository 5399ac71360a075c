//! Every command that writes, killed at random moments, on full disks, and with system calls that fail.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use regelwerk::play::Stream;

const PROGRAM: &str = env!("CARGO_BIN_EXE_regelwerk");

/// A command that writes, in the folder that [`furnished`] makes.
struct Writer {
    name: &'static str,
    arguments: &'static [&'static str],
    /// What is typed.
    typed: &'static str,
    /// The files that it writes.
    files: &'static [&'static str],
}

const WRITERS: &[Writer] = &[
    Writer { name: "fmt", arguments: &["fmt", "loose.rules"], typed: "", files: &["loose.rules"] },
    Writer { name: "check --fix", arguments: &["check", "--fix", "faulty.rules"], typed: "", files: &["faulty.rules"] },
    Writer {
        name: "save",
        arguments: &["play", "game.rules", "--seed", "1"],
        typed: "a1\nb2\nc3\nsave game.ron\nsave game.ron\nquit\n",
        files: &["game.ron"],
    },
    Writer {
        name: "simulate --out",
        arguments: &["simulate", "game.rules", "--games", "40", "--shard", "1/2", "--out", "out.json"],
        typed: "",
        files: &["out.json"],
    },
    Writer {
        name: "simulate --report",
        arguments: &["simulate", "game.rules", "--games", "40", "--report", "figures.svg"],
        typed: "",
        files: &["figures.svg"],
    },
    Writer {
        name: "merge --report",
        arguments: &["merge", "1.json", "2.json", "--report", "merged.svg"],
        typed: "",
        files: &["merged.svg"],
    },
    Writer {
        name: "book",
        arguments: &["book", "game.rules"],
        typed: "",
        files: &["tictactoe.md", "tictactoe.html", "tictactoe.svg"],
    },
    Writer {
        name: "coverage --update",
        arguments: &["coverage", "game.rules", "--cases", "cases", "--update"],
        typed: "",
        files: &["coverage.txt"],
    },
    Writer {
        name: "coverage --html",
        arguments: &["coverage", "game.rules", "--cases", "cases", "--html", "."],
        typed: "",
        files: &["game.html"],
    },
    Writer {
        name: "new",
        arguments: &["new", "fresh"],
        typed: "",
        files: &["fresh/fresh.rules", "fresh/cases/first.ron"],
    },
];

/// The files of a folder that writers are tried in.
type Files = BTreeMap<PathBuf, String>;

/// A folder with what the commands read, and something old in place of what they write.
fn furnished() -> (tempfile::TempDir, Files) {
    let home = tempfile::tempdir().expect("a folder");
    let put = |name: &str, text: &str| fs::write(home.path().join(name), text).expect("written");
    let clauses: Vec<String> =
        (1..40).map(|at| format!("clause   §1.{at} \"A mark goes onto a free field, for the time {at}.\"\n")).collect();
    let game = format!(
        "game tictactoe \"Tic-tac-toe\"\nplayers x \"Cross\" symbol \"X\", o \"Nought\" symbol \"O\"\n{}\
         board square 3 x 3\npiece mark owned\naction place §1.1 {{ choose square in empty  put own mark on square }}\n\
         play {{ turns {{ mover plays place }} }}\nend line after move when line(own mark, 3) §1.2 {{ win me }}\n\
         end full after move when no empty §1.3 {{ draw }}\n",
        clauses.concat()
    );
    put("game.rules", &game);
    put("loose.rules", &game);
    put("faulty.rules", &game.replace("mover plays", "mover palys"));
    fs::create_dir(home.path().join("cases")).expect("a folder");
    let case = "Cases(game: \"../game.rules\", cases: [Case(clauses: [\"1.1\"], name: \"a mark\", \
                given: Position(\"mover=x | mark.x: a1 b1\"), steps: [Illegal(\"a1\", [\"1.1\"]), Play([\"c3\"])])])\n";
    put("cases/first.ron", case);
    for part in ["1", "2"] {
        let name = format!("{part}.json");
        let shard = format!("{part}/2");
        let done = plain(home.path(), &["simulate", "game.rules", "--games", "40", "--shard", &shard, "--out", &name]);
        assert_eq!(done, Some(0), "{part}");
    }
    put("game.ron", "Record(\n)\n");
    // Another shard would stay.
    put("out.json", "");
    for name in ["figures.svg", "merged.svg", "tictactoe.html", "tictactoe.svg", "game.html"] {
        put(name, "<old/>\n<!-- written by Regelwerk -->\n");
    }
    put("tictactoe.md", "# old\n<!-- written by Regelwerk -->\n");
    put("coverage.txt", "old\n   1 of 1 clauses: tested\n");
    let files = look(home.path());
    (home, files)
}

fn plain(folder: &Path, arguments: &[&str]) -> Option<i32> {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().expect("the program runs").code()
}

/// All files of a folder.
fn look(folder: &Path) -> Files {
    fn add(folder: &Path, below: &Path, files: &mut Files) {
        for entry in fs::read_dir(folder.join(below)).expect("a folder").flatten() {
            let path = below.join(entry.file_name());
            if entry.path().is_dir() {
                add(folder, &path, files);
            } else {
                let text = fs::read(entry.path()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                files.insert(path, text.unwrap_or_default());
            }
        }
    }
    let mut files = Files::new();
    add(folder, Path::new(""), &mut files);
    files
}

/// Makes a folder what it was.
fn restore(folder: &Path, before: &Files) {
    for (path, text) in &look(folder) {
        if before.get(path) != Some(text) {
            fs::remove_file(folder.join(path)).expect("removed");
        }
    }
    fs::remove_dir_all(folder.join("fresh")).unwrap_or_default();
    for (path, text) in before {
        if !folder.join(path).exists() {
            fs::write(folder.join(path), text).expect("written");
        }
    }
}

impl Writer {
    /// The command in a folder. With a limit, no file gets more than so many blocks of 512 bytes; a write beyond fails
    /// as on a full disk.
    fn command(&self, folder: &Path, blocks: Option<u64>) -> Command {
        let mut command = match blocks {
            None => Command::new(PROGRAM),
            Some(blocks) => {
                let mut command = Command::new("sh");
                command.arg("-c").arg("trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"");
                command.arg(blocks.to_string()).arg(PROGRAM);
                command
            }
        };
        self.within(&mut command, folder);
        command
    }

    /// The arguments, and where they mean what they say.
    fn within<'c>(&self, command: &'c mut Command, folder: &Path) -> &'c mut Command {
        command.args(self.arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        command.stdin(if self.typed.is_empty() { Stdio::null() } else { Stdio::piped() })
    }

    fn begin(&self, command: &mut Command) -> std::process::Child {
        use std::io::Write as _;
        let mut child = command.spawn().expect("the program runs");
        if let Some(mut input) = child.stdin.take() {
            // A command that was killed does not listen any more.
            input.write_all(self.typed.as_bytes()).unwrap_or_default();
        }
        child
    }

    /// What it writes when nothing is in the way, and how long it takes.
    fn whole(&self, folder: &Path, before: &Files) -> (Files, Duration) {
        let begun = Instant::now();
        let status = self.begin(&mut self.command(folder, None)).wait().expect("it ends");
        let took = begun.elapsed();
        assert!(status.success() || self.name.starts_with("coverage"), "{}: {status}", self.name);
        let after = look(folder);
        for file in self.files {
            let file = Path::new(file);
            assert!(
                after.contains_key(file) && after.get(file) != before.get(file),
                "{} did not write {}",
                self.name,
                file.display()
            );
        }
        restore(folder, before);
        (after, took)
    }

    /// Each file is the old one or the new one; returns whether all are new.
    fn nothing_lost(&self, folder: &Path, before: &Files, after: &Files, what: &str) -> bool {
        let now = look(folder);
        let mut all = true;
        for (path, text) in before.iter().chain(after) {
            let written = self.files.iter().any(|file| Path::new(file) == path);
            let found = now.get(path);
            let sound = found == before.get(path) || written && found == after.get(path);
            assert!(
                sound,
                "{} {what}: {} is neither the old file nor the new one: {text:?} {found:?}",
                self.name,
                path.display()
            );
            all &= !written || found == after.get(path);
        }
        let there = self.files.iter().filter(|file| now.contains_key(Path::new(file))).count();
        let whole = there == 0 || there == self.files.len();
        assert!(whole || self.name != "new", "{what}: half a folder");
        all
    }
}

/// What came of disks that were full and of commands that were killed.
#[derive(Debug, Default)]
pub(super) struct Tried {
    pub(super) tries: u64,
    /// How often the old files were still there, as far as not all were new.
    pub(super) old: u64,
}

/// Lets the disk be full after each number of blocks in turn, for all writers, `rounds` times.
pub(super) fn full_disks(rounds: u64) -> Tried {
    let (home, before) = furnished();
    let folder = home.path();
    let mut tried = Tried::default();
    let written: Vec<Files> = WRITERS.iter().map(|writer| writer.whole(folder, &before).0).collect();
    for _ in 0..rounds {
        for (writer, after) in WRITERS.iter().zip(&written) {
            for blocks in 0.. {
                let status = writer.begin(&mut writer.command(folder, Some(blocks))).wait().expect("it ends");
                let what = format!("with {blocks} blocks left");
                let done = writer.nothing_lost(folder, &before, after, &what);
                let left: Vec<PathBuf> = look(folder).into_keys().filter(|path| is_temporary(path)).collect();
                assert_eq!(left, Vec::<PathBuf>::new(), "{} {what} leaves files behind", writer.name);
                // `save` is a command within `play`, which goes on.
                assert!(
                    done || writer.name == "save" || !status.success(),
                    "{} {what} says that all is well",
                    writer.name
                );
                tried.tries += 1;
                tried.old += u64::from(!done);
                restore(folder, &before);
                if done {
                    break;
                }
            }
        }
    }
    tried
}

fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".regelwerk-"))
}

/// The system calls by which files are read, written and replaced.
const CALLS: [&str; 7] = ["openat", "write", "fsync", "rename,renameat,renameat2", "fchmod", "mkdir", "close"];

/// Lets each of these calls of each writer fail in turn, and kills the writer at each of them; none where there is no
/// `strace`, which does it.
pub(super) fn failing_calls() -> Option<Tried> {
    let mut strace = Command::new("strace");
    strace.arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status().ok().filter(ExitStatus::success)?;
    let (home, before) = furnished();
    let (folder, log) = (home.path(), tempfile::NamedTempFile::new().expect("a file"));
    let mut tried = Tried::default();
    for writer in WRITERS {
        let after = writer.whole(folder, &before).0;
        for (calls, how) in CALLS.iter().flat_map(|calls| [(calls, "error=ENOSPC"), (calls, "signal=KILL")]) {
            for number in 1.. {
                let what = format!("at {calls} {number} with {how}");
                let mut command = Command::new("strace");
                command.args(["-f", "-qq", "-e", &format!("trace={calls}"), "-o"]).arg(log.path());
                command.args(["-e", &format!("inject={calls}:{how}:when={number}")]).arg(PROGRAM);
                let status = writer.begin(writer.within(&mut command, folder)).wait().expect("it ends");
                let killed = status.code().is_none();
                if !killed && !fs::read_to_string(log.path()).is_ok_and(|log| log.contains("(INJECTED)")) {
                    restore(folder, &before);
                    break;
                }
                let done = writer.nothing_lost(folder, &before, &after, &what);
                assert!(
                    done || !status.success() || writer.name == "save",
                    "{} {what} says that all is well",
                    writer.name
                );
                let left =
                    look(folder).into_keys().any(|path| is_temporary(&path)) || !done && folder.join("fresh").exists();
                assert!(killed || !left, "{} {what} leaves files behind", writer.name);
                tried.tries += 1;
                tried.old += u64::from(!done);
                restore(folder, &before);
            }
        }
    }
    Some(tried)
}

/// Kills commands at random moments, all writers in turn.
pub(super) fn kills(seed: u64, from: u64, to: u64) -> Tried {
    let (home, before) = furnished();
    let folder = home.path();
    let whole: Vec<(Files, Duration)> = WRITERS.iter().map(|writer| writer.whole(folder, &before)).collect();
    let mut tried = Tried::default();
    for number in from..to {
        let mut dice = Stream::new(seed, "kills", number);
        let at = dice.below(WRITERS.len());
        let (writer, (after, took)) = (&WRITERS[at], &whole[at]);
        let mut child = writer.begin(&mut writer.command(folder, None));
        let share = u32::try_from(dice.below(1000)).unwrap_or_default();
        std::thread::sleep(*took * share / 900);
        child.kill().expect("it is killed or has ended");
        let ended = child.wait().expect("it ends").code().is_some();
        let done = writer.nothing_lost(folder, &before, after, "that is killed");
        tried.tries += u64::from(!ended);
        tried.old += u64::from(!ended && !done);
        restore(folder, &before);
    }
    tried
}
