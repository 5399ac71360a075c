//! Commands that are killed while they write.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use regelwerk::play::Stream;
use regelwerk::syntax::format;

/// Kills `fmt` at random moments; returns how many were killed, and how many of these before the new text was there.
pub(super) fn kills(seed: u64, count: u64) -> (u64, u64) {
    let home = tempfile::tempdir().expect("a folder to work in");
    let path = home.path().join("g.rules");
    let items: Vec<String> = (0..4000).map(|at| format!("define   d{at}   = {at}\n")).collect();
    let items = items.concat();
    let old = format!("game g\nplayers a, b\n{items}");
    let new = format(&old).expect("it is formatted");
    assert_ne!(old, new);
    let mut dice = Stream::new(seed, "kills", 0);
    let (mut killed, mut whole) = (0, 0);
    for _ in 0..count {
        fs::write(&path, &old).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
        command.arg("fmt").arg(&path).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program runs");
        std::thread::sleep(Duration::from_micros(u64::try_from(dice.below(60_000)).unwrap_or_default()));
        child.kill().expect("it is killed or has ended");
        let ended = child.wait().expect("it ends").code().is_some();
        let found = fs::read_to_string(&path).expect("the file is still there");
        assert!(found == old || found == new, "{} bytes are neither the old text nor the new one", found.len());
        killed += u64::from(!ended);
        whole += u64::from(!ended && found == old);
    }
    (killed, whole)
}
