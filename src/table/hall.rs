//! The hall: all tables, those in memory and those on the disk.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex as Lock, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use thiserror::Error;
use tokio::sync::{Mutex, Semaphore};
use tokio::task::block_in_place;
use xxhash_rust::xxh3::xxh3_128;

use super::Config;
use super::bundle::Bundle;
use super::crowd::{Admitted, Crowd};
use super::drive::drive;
use super::memory::{Memory, Share};
use super::message::Refusal;
use super::play::{Table, WORK};
use super::ration::Ration;
use super::seats::Player;
use super::store::{Kept, Store, StoreError, Write};
use super::token::Token;
use crate::api::Rules;
use crate::base::SaturatingFrom;
use crate::load::Setup;
use crate::play::Record;
use crate::say::Lang;
use crate::serve::Hosted;

/// How many sets of rules are kept ready.
const READY: usize = 64;

/// How often is looked for tables that nobody looks at.
const SWEEP: Duration = Duration::from_secs(30);

/// For how many milliseconds each second an address may have rules tried out, after twice the time of one trial.
const TRIED: f64 = 200.0;

/// Milliseconds for which an address may have games made ready and read from the disk in advance, and each second.
const MADE: (f64, f64) = (10_000.0, 200.0);

/// One address has at most this part of the file in advance, and as much again until what is kept longest is forgotten.
const PART: f64 = 8.0;

/// Why a hall cannot be run.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum HallError {
    /// The file of games cannot be used.
    #[error("the file of games cannot be used: {0}")]
    File(String),
    /// Another hall uses it.
    #[error("the file of games is used by another hall")]
    Taken,
    /// It is there already and is no file of games.
    #[error("{0}")]
    Foreign(String),
    /// The game to be offered cannot be found.
    #[error("{0}")]
    Missing(String),
    /// The game to be offered cannot be played.
    #[error("{0}")]
    Game(String),
    /// The network.
    #[error("the network cannot be used: {0}")]
    Network(String),
}

/// All tables.
#[derive(Debug)]
pub(super) struct Hall {
    pub(super) config: Config,
    pub(super) store: Store,
    /// The game that the hall was started with.
    pub(super) own: Option<(String, Arc<Bundle>)>,
    tables: Lock<HashMap<Token, Arc<Table>>>,
    ready: Lock<Vec<(String, Setup, Rules)>>,
    /// What the games in memory take.
    memory: Arc<Memory>,
    /// How many bots may think at once.
    pub(super) thinking: Semaphore,
    /// How many bots wait until they may think.
    pub(super) waiting: AtomicUsize,
    /// Strangers' rules are tried out one at a time.
    pub(super) trials: Semaphore,
    openings: Ration<IpAddr>,
    /// Milliseconds that rules of an address were tried out for.
    pub(super) tried: Ration<IpAddr>,
    /// Milliseconds that games of an address took to be made ready, or read from the disk.
    made: Ration<IpAddr>,
    /// Games are made ready one at a time.
    making: Semaphore,
    /// Bytes of the file that come from an address.
    kept: Ration<IpAddr>,
    /// Those that are being read from the disk, one at a time for each table.
    returning: Lock<HashMap<Token, Arc<Mutex<()>>>>,
    /// Milliseconds that tables took to be played again when they were read from the disk.
    returned: Ration<Token>,
    lines: Arc<Crowd>,
}

/// The time, in seconds since 1970.
pub(super) fn now() -> i64 {
    i64::saturating_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs())
}

fn locked<T>(lock: &Lock<T>) -> MutexGuard<'_, T> {
    // Whoever panicked while holding it changed one entry at most.
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hall {
    pub(super) fn open(config: Config) -> Result<Self, HallError> {
        let own = match &config.game {
            None => None,
            Some(game) => {
                let wrong = |why: String| HallError::Game(format!("`{game}` cannot be played: {why}"));
                let bundle = Bundle::from_disk(game).map_err(|error| HallError::Missing(error.to_string()))?;
                bundle.rules(&Setup::default()).map_err(|error| wrong(error.to_string()))?;
                Some((bundle.label.clone(), Arc::new(bundle)))
            }
        };
        let file = |error| match error {
            StoreError::Full => HallError::File("the disk is full".to_owned()),
            StoreError::Taken => HallError::Taken,
            StoreError::Foreign(why) => HallError::Foreign(why),
            StoreError::Failed(why) => HallError::File(why),
        };
        let store = Store::open(&config.file, config.limits.disk).map_err(file)?;
        let openings = f64::from(config.limits.openings);
        let tried = 2000.0 * Duration::from_secs(config.limits.trial_time).as_secs_f64();
        let part = f64::from(u32::saturating_from(config.limits.disk)) * f64::from(1 << 20) / PART;
        let kept = Ration::new(part, part / (86_400.0 * f64::from(config.limits.keep_days.max(1))));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            config,
            store,
            own,
            tables: Lock::default(),
            ready: Lock::default(),
            memory: Arc::default(),
            thinking: Semaphore::new(cores.saturating_sub(1).max(1)),
            waiting: AtomicUsize::new(0),
            trials: Semaphore::new(1),
            openings: Ration::new(openings, openings / 60.0),
            tried: Ration::new(tried, TRIED),
            made: Ration::new(MADE.0, MADE.1),
            making: Semaphore::new(1),
            kept,
            returning: Lock::default(),
            returned: Ration::new(WORK.0, WORK.1),
            lines: Arc::default(),
        })
    }

    /// The place of a new line from an address, if there may be one.
    pub(super) fn arrive(&self, address: IpAddr) -> Option<Admitted> {
        let limits = &self.config.limits;
        self.lines.admit(Some(address), limits.lines, limits.lines_each)
    }

    /// Whether an address may open one more table, or have one more rule file tried out.
    pub(super) fn may_open(&self, address: IpAddr) -> Result<(), Refusal> {
        if self.openings.take(address, Instant::now()) {
            Ok(())
        } else {
            let each = self.config.limits.openings;
            Err(Refusal::limit(format!("more than {each} tables a minute from one place"), "wait a minute"))
        }
    }

    /// Whether anything more of an address may be kept.
    pub(super) fn may_keep(&self, address: IpAddr) -> Result<(), Refusal> {
        if self.kept.take(address, Instant::now()) {
            return Ok(());
        }
        let message = "what is kept of the games of one place takes as much of this hall's file as it may";
        Err(Refusal::limit(message, "ask whoever runs this hall for a larger file"))
    }

    /// So many bytes are kept of an address.
    pub(super) fn keeps(&self, address: IpAddr, bytes: usize) {
        self.kept.spend(address, f64::from(u32::saturating_from(bytes)), Instant::now());
    }

    /// What a table takes of its address, however little is in it: there may be only so many, unless there are few.
    pub(super) fn keeps_table(&self, address: IpAddr, bytes: usize) {
        let limits = &self.config.limits;
        let each = (limits.disk << 20) / u64::saturating_from(limits.tables.max(1000));
        self.keeps(address, bytes.max(usize::saturating_from(each)));
    }

    /// The rules of a bundle in a setup, for an address. What takes long counts, so that it stops no others.
    pub(super) async fn rules_for(
        &self,
        from: IpAddr,
        (key, bundle): (&str, &Bundle),
        setup: &Setup,
    ) -> Result<Rules, Refusal> {
        if let Some(rules) = self.ready(key, setup) {
            return Ok(rules);
        }
        let _one = self.making.acquire().await;
        let begin = Instant::now();
        self.may_make(from, begin)?;
        let rules = self.rules(key, bundle, setup);
        self.made.spend(from, begin.elapsed().as_secs_f64() * 1000.0, Instant::now());
        rules
    }

    fn may_make(&self, from: IpAddr, now: Instant) -> Result<(), Refusal> {
        if self.made.take(from, now) {
            return Ok(());
        }
        Err(Refusal::limit("one place asks for many games at once", "wait a minute"))
    }

    fn ready(&self, key: &str, setup: &Setup) -> Option<Rules> {
        let mut ready = locked(&self.ready);
        let at = ready.iter().position(|(known, other, _)| known == key && other == setup)?;
        let one = ready.remove(at);
        ready.push(one);
        ready.last().map(|(_, _, rules)| rules.clone())
    }

    /// The rules of a bundle in a setup; those used last are kept ready.
    fn rules(&self, key: &str, bundle: &Bundle, setup: &Setup) -> Result<Rules, Refusal> {
        if let Some(rules) = self.ready(key, setup) {
            return Ok(rules);
        }
        let rules = block_in_place(|| bundle.rules(setup))?;
        if bundle.memory.is_some() {
            // A stranger's rules are nobody else's: they go with their table.
            return Ok(rules);
        }
        let mut ready = locked(&self.ready);
        if ready.len() >= READY {
            ready.remove(0);
        }
        ready.push((key.to_owned(), setup.clone(), rules.clone()));
        Ok(rules)
    }

    /// A table by its name, for an address.
    pub(super) async fn find(self: &Arc<Self>, from: IpAddr, name: &str) -> Result<Arc<Table>, Refusal> {
        let none = || Refusal::new("no-table", "there is no such table", "check the link, or open a new table");
        let id = Token::read(name).ok_or_else(none)?;
        if let Some(table) = self.present(&id) {
            return Ok(table);
        }
        let turn = self.returning(&id);
        let _one = turn.lock().await;
        if let Some(table) = self.present(&id) {
            return Ok(table);
        }
        let kept = self.store.read(id.text()).await?.ok_or_else(none)?;
        let begin = Instant::now();
        self.may_make(from, begin)?;
        // Its moves are played again, which counts like playing them.
        if !self.returned.take(id.clone(), begin) {
            return Err(Refusal::limit(
                "this game has just been read from the disk, which took long",
                "try again later",
            ));
        }
        let table = self.restore(id.clone(), &kept);
        let took = begin.elapsed().as_secs_f64() * 1000.0;
        self.returned.spend(id, took, Instant::now());
        self.made.spend(from, took, Instant::now());
        let mut table = table?;
        table.worked(took);
        Ok(self.put(table))
    }

    fn present(&self, id: &Token) -> Option<Arc<Table>> {
        locked(&self.tables).get(id).map(Arc::clone)
    }

    /// What those hold in turn who read the same table from the disk.
    fn returning(&self, id: &Token) -> Arc<Mutex<()>> {
        let mut returning = locked(&self.returning);
        returning.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(returning.entry(id.clone()).or_default())
    }

    /// Adds a table, unless somebody else has just done so.
    pub(super) fn put(self: &Arc<Self>, table: Table) -> Arc<Table> {
        let mut tables = locked(&self.tables);
        if let Some(known) = tables.get(&table.id) {
            return Arc::clone(known);
        }
        let table = Arc::new(table);
        tables.insert(table.id.clone(), Arc::clone(&table));
        tokio::spawn(drive(Arc::clone(self), Arc::downgrade(&table), table.stir.subscribe()));
        table
    }

    /// The share of a game that comes into memory, with what its rules take.
    pub(super) fn shared(&self, hosted: &Hosted, rules: usize) -> Result<Share, Refusal> {
        let share = self.memory.share(rules);
        share.set(hosted.bytes());
        if share.fits(self.most_memory()) { Ok(share) } else { Err(no_memory()) }
    }

    fn most_memory(&self) -> usize {
        usize::saturating_from(self.config.limits.memory << 20)
    }

    /// Whether a game may take more memory.
    pub(super) fn has_room(&self, share: &Share) -> bool {
        share.may_grow(self.most_memory())
    }

    /// A table from what was kept of it.
    fn restore(&self, id: Token, kept: &Kept) -> Result<Table, Refusal> {
        let lost =
            |_| Refusal::new("not-kept", "what was kept of this table cannot be read", "ask whoever runs this hall");
        let bundle: Bundle = serde_json::from_str(&kept.rules.1).map_err(lost)?;
        let mut record: Record = serde_json::from_str(&kept.record).map_err(lost)?;
        let rules = self.rules(&kept.rules.0, &bundle, &record.setup())?;
        record.steps = kept.steps.iter().map(|(text, _, _)| text.clone()).collect();
        let lang = Lang::of(&kept.lang).unwrap_or_default();
        let hosted = block_in_place(|| Hosted::resume(&rules, &record, lang))?;
        let players = kept.seats.iter().map(|(player, token)| Player::read(player, token.as_deref())).collect();
        let mut table = Table::new(id, self.shared(&hosted, bundle.memory.unwrap_or_default())?, hosted, players);
        table.desert();
        let play = table.play.get_mut();
        play.next = kept.next.as_deref().and_then(Token::read);
        let keys =
            kept.steps.iter().enumerate().filter_map(|(step, (_, seat, key))| Some((((*seat)?, key.clone()?), step)));
        play.keys = keys.collect();
        Ok(table)
    }

    /// Lets go, from time to time, of tables that nobody looks at; they are on the disk.
    pub(super) fn sweep(self: &Arc<Self>) {
        let hall = Arc::clone(self);
        tokio::spawn(async move {
            loop {
                let days = i64::from(hall.config.limits.keep_days);
                // If it cannot be done now, it is tried again.
                drop(hall.store.write(Write::Forget { before: now() - days * 86_400 }).await);
                for _ in 0..120 {
                    tokio::time::sleep(SWEEP).await;
                    locked(&hall.tables).retain(|_, table| table.lines() > 0 || Arc::strong_count(table) > 1);
                }
            }
        });
    }
}

/// The games in memory take as much as they may, and this one takes more than most.
pub(super) fn no_memory() -> Refusal {
    Refusal::limit("there is no more memory for this game", "try again when fewer games are played here")
}

/// The key of a bundle that whoever runs the hall provides.
pub(super) fn key_of(bundle: &str) -> String {
    format!("{:032x}", xxh3_128(bundle.as_bytes()))
}
