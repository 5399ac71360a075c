//! What happens at a table without anybody's asking: bots play, and races end at their deadline.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{sleep_until, timeout};

use super::hall::Hall;
use super::play::{BOT_KEY, Play, Stir, Table};
use super::seats::{Player, bot};
use crate::api::{Bot, Session};
use crate::base::SaturatingFrom;
use crate::ir::SeatId;

/// How long a bot waits before it tries again what could not be kept.
const PAUSE: Duration = Duration::from_secs(5);

/// So that people see what a bot does, it takes at least so long.
const BEAT: Duration = Duration::from_millis(300);

/// However many wait, a bot may think for so long.
const LEAST: Duration = Duration::from_millis(50);

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
            Some(table) => next(&hall, &table).await,
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
    let key = format!("{BOT_KEY}{steps}");
    if table.answer(hall, (seat, None), (text, steps, &key)).await.is_err_and(|refusal| refusal.code != "late") {
        tokio::time::sleep(PAUSE).await;
    }
}

/// How long a bot may think while so many others wait: together they take no longer than one alone, unless they are very many.
fn fair(time: Duration, waiting: usize) -> Duration {
    let share = u32::saturating_from(waiting).saturating_add(1);
    (time / share).max(LEAST.min(time))
}

/// A bot's move. Only so many think at once, and each no longer than it may.
async fn think(hall: &Hall, bot: Bot, session: Box<Session>) -> Option<String> {
    hall.waiting.fetch_add(1, Ordering::Relaxed);
    let permit = hall.thinking.acquire().await;
    let waiting = hall.waiting.fetch_sub(1, Ordering::Relaxed).saturating_sub(1);
    let permit = permit.ok()?;
    let (begin, time) = (Instant::now(), fair(hall.config.limits.bot_time, waiting));
    let chosen = spawn_blocking(move || {
        let found = session.hurried().choose_until(&bot, &|| begin.elapsed() >= time);
        // Where a single decision takes longer than a search can wait for, any move will do.
        let chosen = found.or_else(|| session.choose(&Bot::random()));
        chosen.map(|mv| mv.to_string())
    });
    let chosen = chosen.await.ok().flatten();
    drop(permit);
    tokio::time::sleep(BEAT.saturating_sub(begin.elapsed())).await;
    chosen
}

async fn next(hall: &Hall, table: &Table) -> Next {
    // Bots do not play where nobody looks. A lock that is held for long is not waited for: something will change.
    let Ok(mut play) = timeout(PAUSE, table.play.lock()).await else { return Next::Nothing };
    if table.lines() == 0 || play.hosted.is_over() || play.players.contains(&Player::Free) {
        return Next::Nothing;
    }
    if play.may_be_kept(hall).is_err() {
        // Until somebody else answers.
        return Next::Nothing;
    }
    if play.hosted.is_race() {
        let begun = table.begun(&play);
        return begun.map_or(Next::Nothing, |since| race(&mut play, since));
    }
    let Some(seat) = play.hosted.session().to_move() else { return Next::Nothing };
    let name = match play.players.get(seat) {
        Some(Player::Bot(name)) => name.clone(),
        Some(Player::Free | Player::Person(_)) | None => return Next::Nothing,
    };
    // To know what suits the game takes a few random games, once.
    match play.working(|play| bot(play.hosted.session().rules(), &name)) {
        Ok(bot) => Next::Think(SeatId::new(seat), bot, Box::new(play.hosted.session().clone()), play.hosted.steps()),
        Err(_) => Next::Nothing,
    }
}

/// The first thing that happens in a race unless a person acts.
fn race(play: &mut Play, since: Instant) -> Next {
    let (steps, now) = (play.hosted.steps(), play.hosted.now());
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::fair;

    #[test]
    fn bots_that_wait_share_the_time_of_one() {
        let time = Duration::from_secs(2);
        assert_eq!(fair(time, 0), time, "nobody waits");
        assert_eq!(fair(time, 3), Duration::from_millis(500), "four share it");
        assert_eq!(fair(time, 1_000_000), Duration::from_millis(50), "very many wait for each other");
        assert_eq!(fair(Duration::from_millis(10), 5), Duration::from_millis(10));
    }
}
