//! One table: its game, who sits at it, and what each of them is told.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex as Lock};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::{Mutex, watch};
use tokio::task::block_in_place;

use super::bucket::Bucket;
use super::hall::{Hall, no_memory, now};
use super::memory::Share;
use super::message::Refusal;
use super::present::Present;
use super::seats::{AUTO, Player, bot};
use super::store::{Write, bytes_of};
use super::token::Token;
use crate::base::SaturatingFrom;
use crate::ir::SeatId;
use crate::model::Viewer;
use crate::serve::Hosted;

/// After so long without a line of its player, others may give a seat to a bot.
const GONE: Duration = Duration::from_mins(1);

/// How the keys of bots' answers begin; people's must not, or a bot would take somebody's answer for its own.
pub(super) const BOT_KEY: &str = "bot ";

/// The longest key of an answer.
const KEY: usize = 64;

/// Milliseconds of work that a table may have done in advance, and what it gets each second: strangers' rules that take
/// long over every move wait for it, and nobody else does.
pub(super) const WORK: (f64, f64) = (20_000.0, 500.0);

/// The most bytes of scenes that are kept for those who ask for the same.
const SCENES: usize = 1 << 21;

/// What has changed, for those who look: the number of steps, and of changes at the seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stir {
    pub(super) steps: usize,
    pub(super) people: u64,
}

/// A table.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) id: Token,
    pub(super) play: Mutex<Play>,
    pub(super) stir: watch::Sender<Stir>,
    pub(super) present: Lock<Present>,
}

/// The game, locked while an answer is being kept.
#[derive(Debug)]
pub(super) struct Play {
    pub(super) hosted: Hosted,
    pub(super) players: Vec<Player>,
    /// The keys of answers, each with its seat and its step.
    pub(super) keys: HashMap<(usize, String), usize>,
    /// When the current question was shown.
    pub(super) since: Instant,
    pub(super) next: Option<Token>,
    /// The address that what is kept of the game counts for: whose answer was the last.
    payer: Option<IpAddr>,
    scenes: Vec<((Viewer, usize), Arc<str>)>,
    work: Bucket,
    share: Share,
}

impl Table {
    pub(super) fn new(id: Token, share: Share, hosted: Hosted, players: Vec<Player>) -> Self {
        let stir = watch::Sender::new(Stir { steps: hosted.steps(), people: 0 });
        let since = Instant::now();
        let (keys, work) = (HashMap::new(), Bucket::new(WORK.0, WORK.1, since));
        let play = Play { hosted, players, keys, since, next: None, payer: None, scenes: Vec::new(), work, share };
        Self { id, play: Mutex::new(play), stir, present: Lock::default() }
    }

    /// The table comes from the disk: whoever sat at it has to come back as if gone just now.
    pub(super) fn desert(&mut self) {
        let persons = |(seat, player): (usize, &Player)| matches!(player, Player::Person(_)).then_some(seat);
        let gone: Vec<usize> = self.play.get_mut().players.iter().enumerate().filter_map(persons).collect();
        let now = Instant::now();
        self.present().gone.extend(gone.into_iter().map(|seat| (seat, now)));
    }

    /// So many milliseconds of work have been done on the game.
    pub(super) fn worked(&mut self, took: f64) {
        self.play.get_mut().work.spend(took);
    }

    /// Somebody looks from an address: what happens without an answer counts for whoever was first.
    pub(super) async fn seen_from(&self, address: IpAddr) {
        self.play.lock().await.payer.get_or_insert(address);
    }

    /// The seat of a token.
    pub(super) async fn seat_of(&self, token: &Token) -> Option<SeatId> {
        let play = self.play.lock().await;
        let holds = |player: &Player| matches!(player, Player::Person(own) if own.is(token));
        play.players.iter().position(holds).map(SeatId::new)
    }

    /// Who sits where, as everybody is told.
    pub(super) async fn people(&self) -> Value {
        let play = self.play.lock().await;
        let present = self.present();
        let seat = |(seat, player): (usize, &Player)| {
            let mine = present.lines.values().filter(|(viewer, _)| *viewer == Viewer::Seat(SeatId::new(seat)));
            let delays: Vec<u64> = mine.clone().filter_map(|(_, delay)| *delay).collect();
            json!({"player": player.json(), "lines": mine.count(), "delay": delays.iter().max()})
        };
        let spectators = present.lines.values().filter(|(viewer, _)| *viewer == Viewer::Spectator).count();
        json!({
            "seats": play.players.iter().enumerate().map(seat).collect::<Vec<_>>(),
            "spectators": spectators,
            "next": play.next.as_ref().map(Token::text),
        })
    }

    /// What a viewer is told: the scene, and the number of its step.
    pub(super) async fn scene(&self, viewer: Viewer, from: usize) -> (Arc<str>, usize) {
        let mut play = self.play.lock().await;
        let steps = play.hosted.steps();
        let key = (viewer, from.min(steps));
        if let Some((_, scene)) = play.scenes.iter().find(|(known, _)| *known == key) {
            return (Arc::clone(scene), steps);
        }
        let scene: Arc<str> = play.working(|play| play.hosted.scene(viewer, key.1).to_string()).into();
        if play.scenes.iter().map(|(_, scene)| scene.len()).sum::<usize>() + scene.len() > SCENES {
            play.scenes.clear();
        }
        play.scenes.push((key, Arc::clone(&scene)));
        (scene, steps)
    }

    /// Takes a free seat. Returns its token once that is kept.
    pub(super) async fn sit(&self, hall: &Hall, name: &str) -> Result<(SeatId, Token), Refusal> {
        let mut play = self.play.lock().await;
        let seat = play.seat(name)?;
        if play.players.get(seat) != Some(&Player::Free) {
            return Err(Refusal::new("taken", format!("`{name}` is taken"), "take another seat, or look on"));
        }
        let token = Token::new().map_err(|_| Refusal::limit("the system has no random numbers", "try again later"))?;
        self.assign(hall, &mut play, seat, Player::Person(token.clone())).await?;
        Ok((SeatId::new(seat), token))
    }

    /// Lets a bot play a seat.
    pub(super) async fn place_bot(
        &self,
        hall: &Hall,
        by: SeatId,
        name: &str,
        which: Option<&str>,
    ) -> Result<(), Refusal> {
        let mut play = self.play.lock().await;
        let seat = play.seat(name)?;
        let gone = || {
            let since = self.present().gone.get(&seat).copied();
            self.lines_of(seat) == 0 && since.is_some_and(|since| since.elapsed() >= GONE)
        };
        let may = match play.players.get(seat) {
            Some(Player::Free | Player::Bot(_)) => true,
            Some(Player::Person(_)) => usize::from(by) == seat || gone(),
            None => false,
        };
        if !may {
            let cure = format!("wait until its player has been gone for {} s", GONE.as_secs());
            return Err(Refusal::new("taken", format!("somebody plays `{name}`"), cure));
        }
        let which = which.unwrap_or(AUTO);
        // To know what suits the game takes a few random games.
        play.working(|play| bot(play.hosted.session().rules(), which))?;
        self.assign(hall, &mut play, seat, Player::Bot(which.to_owned())).await
    }

    async fn assign(&self, hall: &Hall, play: &mut Play, seat: usize, player: Player) -> Result<(), Refusal> {
        let (text, token) = player.kept();
        hall.store.write(Write::Seat { id: self.id.text().to_owned(), seat, player: text, token }).await?;
        if let Some(place) = play.players.get_mut(seat) {
            *place = player;
        }
        // Nobody has waited for an act while a seat was free.
        play.since = Instant::now();
        self.stirred();
        Ok(())
    }

    /// Plays an answer of a seat; returns once it is kept. The same key again is the same answer.
    pub(super) async fn answer(
        &self,
        hall: &Hall,
        (seat, from): (SeatId, Option<IpAddr>),
        (text, step, key): (&str, usize, &str),
    ) -> Result<Value, Refusal> {
        let arrived = Instant::now();
        if key.is_empty() || key.len() > KEY {
            return Err(Refusal::new("bad-value", "an answer needs a short `key`", format!("give 1 to {KEY} bytes")));
        }
        let mut play = self.play.lock().await;
        let known = (usize::from(seat), key.to_owned());
        if let Some(step) = play.keys.get(&known) {
            return Ok(json!({"step": step, "again": true}));
        }
        if play.players.contains(&Player::Free) {
            return Err(Refusal::new(
                "not-begun",
                "there are free seats",
                "wait until somebody takes them, or let bots",
            ));
        }
        let before = play.hosted.steps();
        if step != before {
            // What was meant for another question is no answer to this one: nobody pays for a slow line.
            return Err(Refusal::new(
                "late",
                "somebody else was faster, or this was answered",
                "look, and answer anew",
            ));
        }
        play.payer = from.or(play.payer);
        play.may_be_kept(hall)?;
        let since = self.begun(&play);
        let time = play.time(text, arrived, since)?;
        if !hall.has_room(&play.share) {
            return Err(no_memory());
        }
        let left = hall.config.limits.steps.saturating_sub(before);
        play.working(|play| play.hosted.apply(Viewer::Seat(seat), text, time, left))?;
        self.keep(hall, &mut play, before, Some(known)).await?;
        Ok(json!({"step": before}))
    }

    /// Nobody has acted before the deadline of a race.
    pub(super) async fn wait(&self, hall: &Hall, steps: usize) -> Result<(), Refusal> {
        let mut play = self.play.lock().await;
        if play.hosted.steps() != steps {
            return Ok(());
        }
        if !hall.has_room(&play.share) {
            return Err(no_memory());
        }
        let left = hall.config.limits.steps.saturating_sub(steps);
        play.working(|play| play.hosted.wait(left))?;
        self.keep(hall, &mut play, steps, None).await
    }

    /// Keeps what has just been played, and then shows it; if it cannot be kept, nothing has happened.
    async fn keep(
        &self,
        hall: &Hall,
        play: &mut Play,
        before: usize,
        known: Option<(usize, String)>,
    ) -> Result<(), Refusal> {
        let (id, texts) = (self.id.text().to_owned(), play.hosted.texts(before));
        let (seat, key) = (known.as_ref().map(|(seat, _)| *seat), known.as_ref().map(|(_, key)| key.clone()));
        let bytes = bytes_of(&texts, key.as_deref());
        if let Err(error) = hall.store.write(Write::Steps { id, from: before, texts, seat, key, now: now() }).await {
            play.hosted.rewind(before);
            return Err(error.into());
        }
        if let Some(payer) = play.payer {
            hall.keeps(payer, bytes);
        }
        play.share.set(play.hosted.bytes());
        play.keys.extend(known.map(|known| (known, before)));
        play.since = Instant::now();
        play.scenes.clear();
        let steps = play.hosted.steps();
        self.stir.send_modify(|stir| stir.steps = steps);
        Ok(())
    }
}

impl Play {
    /// Does some work on the game, which is counted. The worker's other tasks go on elsewhere meanwhile.
    pub(super) fn working<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let begin = Instant::now();
        let done = block_in_place(|| work(self));
        self.work.spend(begin.elapsed().as_secs_f64() * 1000.0);
        done
    }

    /// Takes a little of the table's share of work, if anything is left of it.
    pub(super) fn may_work(&mut self) -> Result<(), Refusal> {
        if self.work.take(Instant::now()) {
            return Ok(());
        }
        let message = "these rules take long over every move, and this table has used up its share";
        Err(Refusal::limit(message, "wait a while, or play simpler rules"))
    }

    /// Whether the hall keeps more of whoever plays here.
    pub(super) fn may_be_kept(&self, hall: &Hall) -> Result<(), Refusal> {
        self.payer.map_or(Ok(()), |payer| hall.may_keep(payer))
    }

    /// The time of an act in a race, by the clock of the hall.
    fn time(&mut self, text: &str, arrived: Instant, since: Option<Instant>) -> Result<Option<i64>, Refusal> {
        self.may_work()?;
        if !self.hosted.is_race() {
            return Ok(None);
        }
        if ["claim ", "offer ", "accept "].iter().any(|word| text.trim_start().starts_with(word)) {
            return Ok(None);
        }
        let Some(since) = since else {
            let message = "somebody who plays is away, and the race waits";
            return Err(Refusal::new("absent", message, "act once all are back: the time begins anew then"));
        };
        if text.contains('@') {
            return Err(Refusal::new("bad-value", "the hall's clock says when somebody acted", "leave out `@`"));
        }
        let after = i64::saturating_from(arrived.saturating_duration_since(since).as_millis());
        Ok(Some(self.hosted.now().saturating_add(after.max(1))))
    }

    fn seat(&self, name: &str) -> Result<usize, Refusal> {
        let found = self.hosted.seats().iter().position(|seat| seat == name);
        found.ok_or_else(|| {
            let cure = format!("the seats are {}", self.hosted.seats().join(", "));
            Refusal::new("unknown-seat", format!("there is no seat `{name}`"), cure)
        })
    }
}
