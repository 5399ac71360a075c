//! Rules of strangers are first tried out in a process of their own, which may be stopped.
//!
//! Rules do the same wherever they run: what took no longer and no more memory than the trial allows will do so here. In
//! play, each decision is bounded by the step budget of the interpreters, and a table by the share of its work.

use std::io::{BufRead, BufReader, Write};
use std::net::IpAddr;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::Limits;
use super::hall::Hall;
use super::message::Refusal;
use crate::load::Setup;

/// How many random games are played, and of how many plies.
const GAMES: u64 = 2;
const CAP: u64 = 300;

/// How many bytes rules take that nobody has to count: several times as much as most.
const USUAL: usize = 8 << 20;

/// The exit code of a command that reached a limit.
const LIMIT: i32 = 4;

/// Tries rules out for an address, whose others wait meanwhile: what takes long counts, so that it does not stop those of
/// other addresses. Returns how many bytes more than usual they took at most.
pub(super) async fn trial(hall: &Hall, from: IpAddr, text: &str, setup: &Setup) -> Result<usize, Refusal> {
    let broken = || Refusal::limit("rules cannot be tried out now", "try again later");
    let one = hall.trials.acquire().await.map_err(|_| broken())?;
    let (limits, input) = (hall.config.limits.clone(), requests(text, setup));
    let begin = Instant::now();
    if !hall.tried.take(from, begin) {
        return Err(Refusal::limit("rules from one place take too long to be tried out", "wait a minute"));
    }
    let output = spawn_blocking(move || run(&limits, &input)).await.map_err(|_| broken())?;
    hall.tried.spend(from, begin.elapsed().as_secs_f64() * 1000.0, Instant::now());
    drop(one);
    match output {
        Err(_) => Err(broken()),
        Ok(Tried { exit: Some(LIMIT), .. }) => {
            let Limits { trial_time, trial_memory, .. } = hall.config.limits;
            let message = format!("the rules take more than {trial_time} s or {trial_memory} MiB to be tried out");
            Err(Refusal::limit(message, "make the board or the numbers smaller"))
        }
        Ok(Tried { exit: Some(0), lines, memory }) => judge(&lines).map(|()| memory),
        Ok(Tried { .. }) => Err(Refusal::limit("the rules could not be tried out", "make them smaller or simpler")),
    }
}

/// What is asked of the other process.
fn requests(text: &str, setup: &Setup) -> String {
    let pairs = |all: &[(String, String)]| -> Value {
        all.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<serde_json::Map<_, _>>().into()
    };
    let lines = [
        json!({"id": 1, "method": "write", "params": {"file": "own.rules", "text": text}}),
        json!({"id": 2, "method": "check", "params": {"file": "own.rules"}}),
        json!({"id": 3, "method": "simulate", "params": {
            "rules": "own.rules", "players": setup.players, "variants": setup.variants, "seed": 0,
            "readings": pairs(&setup.readings), "options": pairs(&setup.options), "games": GAMES, "cap": CAP,
        }}),
    ];
    lines.map(|line| format!("{line}\n")).concat()
}

/// What came of it.
struct Tried {
    exit: Option<i32>,
    lines: String,
    /// How many bytes the rules took at most beyond the usual, as far as the system says.
    memory: usize,
}

/// The most memory that a process has had, in bytes; 0 if that is not known.
fn peak(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    kibibytes.unwrap_or_default().saturating_mul(1024)
}

fn run(limits: &Limits, input: &str) -> std::io::Result<Tried> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(["serve-stdio", "--limit-time", &limits.trial_time.to_string()])
        .args(["--limit-memory", &limits.trial_memory.to_string()])
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let stdin = child.stdin.take().map(|mut stdin| {
        // It reads everything before a pipe is full of its answers, or ends, and then there is no one to write to.
        drop(stdin.write_all(input.as_bytes()));
        stdin
    });
    let (mut lines, mut memory) = (String::new(), 0);
    if let Some(stdout) = child.stdout.take() {
        let mut answers = BufReader::new(stdout);
        // The greeting, and an answer to each request; then it waits for more.
        answers.read_line(&mut lines)?;
        let before = peak(child.id()).saturating_add(USUAL);
        for _ in input.lines() {
            if answers.read_line(&mut lines)? == 0 {
                break;
            }
        }
        memory = peak(child.id()).saturating_sub(before);
    }
    // It ends when its input does.
    drop(stdin);
    Ok(Tried { exit: child.wait()?.code(), lines, memory })
}

/// Whether the answers say that the rules can be played.
fn judge(lines: &str) -> Result<(), Refusal> {
    for line in lines.lines() {
        let answer: Value = serde_json::from_str(line).unwrap_or_default();
        if let Some(error) = answer["error"].as_object() {
            let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            return Err(Refusal::new("bad-rules", text("message"), text("cure")));
        }
        let mut list = answer["result"]["list"].as_array().into_iter().flatten();
        if let Some(first) = list.find(|one| one["severity"] == "error") {
            let place = first["line"].as_u64().map_or_else(String::new, |line| format!("line {line}: "));
            let message = format!("the rules have errors: {place}{}", first["message"].as_str().unwrap_or_default());
            return Err(Refusal::new("bad-rules", message, "`regelwerk check` lists them, and so does the workshop"));
        }
    }
    Ok(())
}
