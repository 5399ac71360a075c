//! What is in the file of games, against what the players were told.

use std::collections::BTreeMap;
use std::path::Path;

use regelwerk::ir::SeatId;
use regelwerk::model::Viewer;
use regelwerk::play::Record;
use regelwerk::say::Lang;
use regelwerk::serve::Hosted;
use regelwerk::{Rules, Session};
use rusqlite::Connection;
use serde_json::Value;

use super::player::{Shared, Told};

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Answers in the file.
    pub(crate) kept: usize,
    pub(crate) acknowledged: usize,
    /// Answers that were sent more than once.
    pub(crate) again: usize,
    /// Scenes that were held against the rules of secrets.
    pub(crate) scenes: usize,
}

/// An answer, seat and key, with its step.
type Answered = ((usize, String), u64);

/// The record of a table, and its answers.
fn kept(db: &Connection, table: &str) -> (Record, Vec<Answered>) {
    let text: String =
        db.query_row("SELECT record FROM tables WHERE id = ?1", [table], |row| row.get(0)).expect("the table");
    let mut record: Record = serde_json::from_str(&text).expect("its record");
    let mut query = db.prepare("SELECT step, text, seat, key FROM steps WHERE id = ?1 ORDER BY step").expect("a query");
    let rows = query.query_map([table], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).expect("rows");
    let mut answers = Vec::new();
    for (expected, row) in rows.enumerate() {
        let (step, text, seat, key): (usize, String, Option<usize>, Option<String>) = row.expect("a step");
        assert_eq!(step, expected, "no step is missing");
        record.steps.push(text);
        answers.extend(seat.zip(key).map(|answer| (answer, step as u64)));
    }
    (record, answers)
}

/// Compares the file with what everybody was told.
pub(crate) fn judge(file: &Path, told: &[Told], shared: &Shared) -> Found {
    let db = Connection::open(file).expect("the file of games");
    let sound: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a check");
    assert_eq!(sound, "ok");
    let mut found = Found { again: told.iter().map(|one| one.again).sum(), ..Found::default() };
    let mut rules: BTreeMap<String, Rules> = BTreeMap::new();
    for four in told.chunks(4) {
        let [first, ..] = four else { continue };
        let (record, answers) = kept(&db, &first.table);
        found.kept += answers.len();
        let mut once: BTreeMap<(usize, String), u64> = BTreeMap::new();
        for (answer, step) in answers {
            let sent = four[answer.0].sent.get(&answer.1);
            assert_eq!(sent, Some(&step), "an answer that was not sent to this question: {answer:?}");
            assert_eq!(once.insert(answer.clone(), step), None, "an answer is there twice: {answer:?}");
        }
        for one in four {
            found.acknowledged += one.acknowledged.len();
            for key in &one.acknowledged {
                assert!(once.contains_key(&(one.seat, key.clone())), "an acknowledged answer is lost: {key}");
            }
        }
        let rules = rules
            .entry(first.game.to_owned())
            .or_insert_with(|| Rules::loader().players(4).bundled(first.game).expect("a bundled game"));
        assert_eq!(rules.digest(), record.digest);
        let most = if shared.plan.tables > 100 { 2 } else { usize::MAX };
        for one in four {
            found.scenes +=
                one.scenes.iter().take(most).filter(|scene| lawful(rules, &record, one.seat, scene)).count();
        }
    }
    found
}

/// Holds a scene against the law: it is what a seat may know at that step, and it is the same in another position
/// that looks the same to the seat. False if there is no other position to compare with.
fn lawful(rules: &Rules, record: &Record, seat: usize, scene: &Value) -> bool {
    let number = |name: &str| usize::try_from(scene[name].as_u64().expect("a number")).expect("small");
    let steps = usize::try_from(scene["state"]["steps"].as_u64().expect("steps")).expect("small");
    let viewer = Viewer::Seat(SeatId::new(seat));
    let then = Record { steps: record.steps.get(..steps).expect("so many steps").to_vec(), ..record.clone() };
    let hosted = Hosted::resume(rules, &then, Lang::En).expect("it was played");
    assert_eq!(&hosted.scene(viewer, number("from")), scene, "what was shown is what is to be shown");
    let Some(other): Option<Session> = hosted.session().determinize(seat, steps as u64) else { return false };
    let other = Hosted::of(other, Lang::En).scene(viewer, 0);
    for part in ["prompt", "svg", "pieces", "tokens", "zones", "variables", "legal"] {
        assert_eq!(other[part], scene[part], "{part} tells seat {seat} of {} what it may not know", record.game);
    }
    for part in ["ply", "turn", "now", "phase", "mover", "ask", "asked", "offers", "over", "outcome"] {
        assert_eq!(other["state"][part], scene["state"][part], "{part} tells seat {seat} of {}", record.game);
    }
    true
}
