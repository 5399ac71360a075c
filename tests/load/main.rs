//! How much a hall can take, and whether anything is lost: many tables with four lines each, which vanish, send half
//! messages, flood and find the hall killed or its disk full.
//!
//!     cargo test --release --features table --test load -- --tables 1000 --answers 40
//!
//! At the end the file of games is read and compared with what every line was told: each acknowledged answer is there
//! once, nothing is there that nobody sent, and what a seat was shown follows from what it may know.

#[path = "../table/client.rs"]
#[expect(dead_code, reason = "shared with the tests of the table, which need more of it")]
mod client;
mod judge;
mod player;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use client::{House, Line};
use player::{Shared, Told};

/// How long a full disk is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// What is asked of the program.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    tables: usize,
    /// Answers at each table.
    answers: usize,
    /// How long each player thinks, in milliseconds.
    think: u64,
    /// In how many of a hundred answers something goes wrong.
    faults: u32,
    /// How often the hall is killed.
    kills: usize,
    /// How often its disk is full.
    full: usize,
    /// Of how many scenes one is held against the rules of secrets.
    sample: usize,
}

impl Plan {
    fn read() -> Self {
        let mut plan = Self { tables: 12, answers: 20, think: 0, faults: 10, kills: 1, full: 1, sample: 4 };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|text| text.parse::<usize>().ok());
            let found = match word.as_str() {
                "--tables" => number().map(|n| plan.tables = n),
                "--answers" => number().map(|n| plan.answers = n),
                "--think" => number().map(|n| plan.think = n as u64),
                "--faults" => number().and_then(|n| u32::try_from(n).ok()).map(|n| plan.faults = n),
                "--kills" => number().map(|n| plan.kills = n),
                "--full" => number().map(|n| plan.full = n),
                "--sample" => number().map(|n| plan.sample = n.max(1)),
                // What the test harness passes on.
                _ => Some(()),
            };
            assert!(found.is_some(), "{word} needs a number");
        }
        plan
    }
}

/// The memory of a process, in KiB.
fn memory(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.split_whitespace().next()?.parse().ok()
}

/// The processor time of a process, in seconds, at a hundred ticks each.
fn processor(id: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(") ").next()?.split(' ').collect();
    Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / 100.0)
}

#[expect(clippy::print_stdout, reason = "its figures are what it is run for")]
#[tokio::main]
async fn main() {
    let plan = Plan::read();
    let folder = tempfile::tempdir().expect("a folder");
    let many = "1000000";
    let flags = [
        "--max-tables",
        many,
        "--max-lines",
        many,
        "--max-lines-each",
        many,
        "--max-rate",
        many,
        "--max-openings",
        many,
    ];
    let mut house = House::start(&folder.path().join("games"), &flags);
    let empty = memory(house.child.id());
    let shared = Arc::new(Shared::new(plan.clone(), house.address.clone()));

    let begun = Instant::now();
    let mut tasks = Vec::new();
    for number in 0..plan.tables {
        tasks.extend(player::table(&shared, number).await);
    }
    let seated = begun.elapsed();
    let sitting = memory(house.child.id());
    shared.begun.send_replace(true);
    let flood = tokio::spawn(flood(house.address.clone(), Arc::clone(&shared)));

    // The hall is killed when its share of the answers has been given.
    let whole = plan.tables * plan.answers;
    let (start, mut killed, mut filled) = (Instant::now(), 0, 0);
    // Since when there is no room on the disk, and how many answers had been refused for it before.
    let mut brim: Option<(Instant, usize)> = None;
    let (mut used, mut most) = (-processor(house.child.id()).unwrap_or(0.0), sitting);
    while !tasks.iter().all(tokio::task::JoinHandle::is_finished) {
        tokio::time::sleep(Duration::from_millis(20)).await;
        most = most.max(memory(house.child.id()));
        let (answered, full) = (shared.answered.load(Ordering::Relaxed), shared.full.load(Ordering::Relaxed));
        // Somebody makes room when a few have been refused.
        let relieved = brim.is_some_and(|(since, before)| full > before + 5 || since.elapsed() > PATIENCE);
        let filling = brim.is_none() && filled < plan.full && answered * 2 * (plan.full + 1) > whole * (2 * filled + 1);
        let killing = brim.is_none() && killed < plan.kills && answered * (plan.kills + 1) > whole * (killed + 1);
        if !(relieved || filling || killing) {
            continue;
        }
        used += processor(house.child.id()).unwrap_or(0.0);
        if filling {
            filled += 1;
            brim = Some((Instant::now(), full));
            // The file may grow no more, as on a disk that is full: SQLite reports both alike.
            house.kill();
            ballast(&house.file, "CREATE TABLE ballast (x); INSERT INTO ballast VALUES (zeroblob(2097152))");
            house.restart_with(&["--max-disk", "1"]);
        } else {
            killed += usize::from(!relieved);
            if brim.take().is_some() {
                house.kill();
                ballast(&house.file, "DROP TABLE ballast");
            }
            house.restart();
        }
    }
    let time = start.elapsed();
    used += processor(house.child.id()).unwrap_or(0.0);
    flood.abort();
    let mut told: Vec<Told> = Vec::new();
    for task in tasks {
        told.push(task.await.expect("a player"));
    }
    house.kill();

    let found = judge::judge(&house.file, &told, &shared);
    let mut times: Vec<Duration> = told.iter().flat_map(|one| one.times.iter().copied()).collect();
    times.sort();
    let at = |percent: usize| times.get((times.len() * percent / 100).min(times.len().saturating_sub(1)));
    let shown = |percent| at(percent).map_or(0.0, |time| time.as_secs_f64() * 1000.0);
    println!("tables {}, lines {}, opened and seated in {:.1} s", plan.tables, told.len(), seated.as_secs_f64());
    println!(
        "answers {} in {:.1} s: {:.0} a second, {:.2} ms of processor each",
        found.kept,
        time.as_secs_f64(),
        number(found.kept) / time.as_secs_f64(),
        used * 1000.0 / number(found.kept.max(1)),
    );
    println!("time of an answer: 50th {:.1} ms, 99th {:.1} ms, worst {:.1} ms", shown(50), shown(99), shown(100));
    if let (Some(empty), Some(sitting), Some(most)) = (empty, sitting, most) {
        println!(
            "memory: {empty} KiB empty, {sitting} KiB with everybody seated, {most} KiB at most: {} KiB a table",
            most.saturating_sub(empty) / plan.tables.max(1) as u64
        );
    }
    println!(
        "kills {killed}, disk full {filled} times with {} answers refused, vanished lines {}, half messages {}, refused floods {}, late {}, sent again {}",
        shared.full.load(Ordering::Relaxed),
        shared.vanished.load(Ordering::Relaxed),
        shared.halves.load(Ordering::Relaxed),
        shared.floods.load(Ordering::Relaxed),
        shared.late.load(Ordering::Relaxed),
        found.again,
    );
    println!(
        "acknowledged {} answers: none lost, none doubled; {} scenes follow from what their seat may know",
        found.acknowledged, found.scenes
    );
    assert!(filled < plan.full || plan.full == 0 || shared.full.load(Ordering::Relaxed) > 0, "the disk was never full");
    assert!(found.acknowledged > 0 && (plan.tables < 12 || found.scenes > 0), "nothing was tested");
}

/// Makes the file of games larger, or leaves room in it.
fn ballast(file: &std::path::Path, what: &str) {
    rusqlite::Connection::open(file).and_then(|db| db.execute_batch(what)).expect("nobody else has the file");
}

/// A count to be divided.
fn number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

/// A line that sends more than it may, over and over.
async fn flood(address: String, shared: Arc<Shared>) {
    loop {
        if let Ok(mut line) = Line::open(&address).await {
            for _ in 0..500 {
                if line
                    .say("{\"id\": 1, \"do\": \"enter\", \"table\": \"00000000000000000000000000000000\"}")
                    .await
                    .is_err()
                {
                    break;
                }
            }
            while line.hear().await.is_ok_and(|message| message["id"].is_number()) {
                shared.floods.fetch_add(1, Ordering::Relaxed);
                if shared.floods.load(Ordering::Relaxed).is_multiple_of(500) {
                    break;
                }
            }
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}
