//! What happens at a table without anybody's asking: bots play, and races end at their deadline.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{sleep_until, timeout};

use super::hall::Hall;
use super::play::{Play, Stir, Table};
use super::seats::{Player, bot};
use crate::api::{Bot, Session};
use crate::base::SaturatingFrom;
use crate::ir::SeatId;

/// How long a bot waits before it tries again what could not be kept.
const PAUSE: Duration = Duration::from_secs(5);

/// So that people see what a bot does, it takes at least so long.
const BEAT: Duration = Duration::from_millis(300);

/// What comes next.
enum Next {
    /// Nothing, until something changes.
    Nothing,
    /// A bot thinks about its move at a step.
    Think(SeatId, Bot, Box<Session>, usize),
    /// A bot acts in a race at a time, unless somebody is faster.
    Act(SeatId, String, usize, Instant),
    /// The race is over at a time, unless somebody acts.
    Wait(usize, Instant),
}

/// Drives a table for as long as it is in memory.
pub(super) async fn drive(hall: Arc<Hall>, table: Weak<Table>, mut stir: watch::Receiver<Stir>) {
    loop {
        stir.borrow_and_update();
        let next = match table.upgrade() {
            Some(table) => next(&table).await,
            None => return,
        };
        match next {
            Next::Nothing => {
                if stir.changed().await.is_err() {
                    return;
                }
            }
            Next::Think(seat, bot, session, steps) => {
                let Some(text) = think(&hall, bot, session).await else {
                    // Its budget is exhausted: others may take the seat over.
                    if stir.changed().await.is_err() {
                        return;
                    }
                    continue;
                };
                play(&hall, &table, seat, &text, steps).await;
            }
            Next::Act(seat, text, steps, at) => {
                if due(at, &mut stir).await {
                    play(&hall, &table, seat, &text, steps).await;
                }
            }
            Next::Wait(steps, at) => {
                if due(at, &mut stir).await
                    && let Some(table) = table.upgrade()
                    && table.wait(&hall, steps).await.is_err()
                {
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }
}

/// Whether a time comes before anything changes.
async fn due(at: Instant, stir: &mut watch::Receiver<Stir>) -> bool {
    tokio::select! {
        () = sleep_until(at.into()) => true,
        _ = stir.changed() => false,
    }
}

async fn play(hall: &Hall, table: &Weak<Table>, seat: SeatId, text: &str, steps: usize) {
    let Some(table) = table.upgrade() else { return };
    let key = format!("bot {steps}");
    if table.answer(hall, seat, (text, steps, &key)).await.is_err_and(|refusal| refusal.code != "late") {
        tokio::time::sleep(PAUSE).await;
    }
}

/// A bot's move. Only so many think at once, and each no longer than it may.
async fn think(hall: &Hall, bot: Bot, session: Box<Session>) -> Option<String> {
    let permit = hall.thinking.acquire().await.ok()?;
    let (begin, time) = (Instant::now(), hall.config.limits.bot_time);
    let chosen = spawn_blocking(move || {
        let chosen = session.choose_until(&bot, &|| begin.elapsed() >= time);
        chosen.map(|mv| mv.to_string())
    });
    let chosen = chosen.await.ok().flatten();
    drop(permit);
    tokio::time::sleep(BEAT.saturating_sub(begin.elapsed())).await;
    chosen
}

async fn next(table: &Table) -> Next {
    // Bots do not play where nobody looks. A lock that is held for long is not waited for: something will change.
    let Ok(mut play) = timeout(PAUSE, table.play.lock()).await else { return Next::Nothing };
    if table.lines() == 0 || play.hosted.is_over() || play.players.contains(&Player::Free) {
        return Next::Nothing;
    }
    if play.hosted.is_race() {
        return if table.complete(&play.players) { race(&mut play) } else { Next::Nothing };
    }
    let session = play.hosted.session();
    let Some(seat) = session.to_move() else { return Next::Nothing };
    match play.players.get(seat) {
        Some(Player::Bot(name)) => match bot(session.rules(), name) {
            Ok(bot) => Next::Think(SeatId::new(seat), bot, Box::new(session.clone()), play.hosted.steps()),
            Err(_) => Next::Nothing,
        },
        Some(Player::Free | Player::Person(_)) | None => Next::Nothing,
    }
}

/// The first thing that happens in a race unless a person acts.
fn race(play: &mut Play) -> Next {
    let (steps, since, now) = (play.hosted.steps(), play.since, play.hosted.now());
    let at = |time: i64| since + Duration::from_millis(u64::saturating_from(time.saturating_sub(now).max(1)));
    let bots: Vec<SeatId> = play
        .players
        .iter()
        .enumerate()
        .filter(|(_, player)| matches!(player, Player::Bot(_)))
        .map(|(seat, _)| SeatId::new(seat))
        .collect();
    let (acts, deadline) = play.working(|play| {
        let acts: Vec<_> = bots.iter().filter_map(|seat| Some((*seat, play.hosted.intended(*seat)?))).collect();
        (acts, play.hosted.deadline())
    });
    let first = acts.into_iter().min_by_key(|(_, act)| act.time);
    match (first, deadline) {
        (Some((_, act)), Some(end)) if act.time > end => Next::Wait(steps, at(end)),
        (Some((seat, act)), _) => Next::Act(seat, own_act(&act.text), steps, at(act.time)),
        (None, Some(end)) => Next::Wait(steps, at(end)),
        (None, None) => Next::Nothing,
    }
}

/// An act without the name of its seat, which the table knows.
fn own_act(text: &str) -> String {
    text.split_once(' ').map_or(text, |(_, act)| act).to_owned()
}
