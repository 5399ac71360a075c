//! Those who play: each looks at its seat, answers what it is asked, and writes down what it was told.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::Plan;
use super::client::Line;

/// The games for four, in turn: seeds in pits, three with hidden hands, one with secret bids, and a race.
pub(crate) const GAMES: [&str; 6] = ["kalaha", "hearts", "hai-noon", "crazy-eights", "liars-dice", "halli-galli"];

/// What all players share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) plan: Plan,
    pub(crate) address: String,
    pub(crate) answered: AtomicUsize,
    pub(crate) vanished: AtomicUsize,
    pub(crate) halves: AtomicUsize,
    pub(crate) floods: AtomicUsize,
    pub(crate) late: AtomicUsize,
    /// Answers that were refused since the disk was full.
    pub(crate) full: AtomicUsize,
    /// Whether everybody sits, so that play begins.
    pub(crate) begun: watch::Sender<bool>,
}

impl Shared {
    pub(crate) fn new(plan: Plan, address: String) -> Self {
        let zero = AtomicUsize::default;
        Self {
            plan,
            address,
            answered: zero(),
            vanished: zero(),
            halves: zero(),
            floods: zero(),
            late: zero(),
            full: zero(),
            begun: watch::Sender::new(false),
        }
    }
}

/// What one player has sent and been told.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) table: String,
    pub(crate) game: &'static str,
    pub(crate) seat: usize,
    /// Keys of answers, each with its step.
    pub(crate) sent: BTreeMap<String, u64>,
    pub(crate) acknowledged: BTreeSet<String>,
    /// How many answers were sent more than once.
    pub(crate) again: usize,
    /// How long the others took.
    pub(crate) times: Vec<Duration>,
    /// Some of what was shown.
    pub(crate) scenes: Vec<Value>,
}

/// Numbers that are the same in every run (`SplitMix64`).
#[derive(Debug)]
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % most.max(1) as u64).unwrap_or(0)
    }
}

/// What the players of a table share.
#[derive(Debug)]
struct Table {
    shared: Arc<Shared>,
    name: String,
    answered: AtomicUsize,
    over: AtomicUsize,
}

/// Opens a table and lets four play.
pub(crate) async fn table(shared: &Arc<Shared>, number: usize) -> Vec<JoinHandle<Told>> {
    let game = GAMES[number % GAMES.len()];
    let mut line = Line::open(&shared.address).await.expect("a line");
    let open = if game == "hearts" {
        json!({"rules": game, "do": "open"})
    } else {
        json!({"rules": game, "players": 4, "do": "open"})
    };
    let name = line.get(open).await["table"].as_str().expect("a table").to_owned();
    line.get(json!({"do": "enter", "table": name})).await;
    let table = Arc::new(Table {
        shared: Arc::clone(shared),
        name: name.clone(),
        answered: AtomicUsize::new(0),
        over: AtomicUsize::new(0),
    });
    let mut players = Vec::new();
    for seat in 0..4 {
        let mut line = Line::open(&shared.address).await.expect("a line");
        let told = line.get(json!({"do": "enter", "table": name})).await;
        let who = told["opening"]["seats"][seat]["name"].clone();
        let token = line.get(json!({"do": "sit", "seat": who})).await["token"].as_str().expect("a token").to_owned();
        // Until then it looked on.
        line.news.clear();
        let told = Told { table: name.clone(), game, seat, ..Told::default() };
        let dice = Dice((number * 4 + seat) as u64);
        let player = Player { table: Arc::clone(&table), token, dice, told, doubt: None };
        players.push((player, line));
    }
    players.into_iter().map(|(player, line)| tokio::spawn(player.play(Some(line)))).collect()
}

struct Player {
    table: Arc<Table>,
    token: String,
    dice: Dice,
    told: Told,
    /// An answer of which it is not known whether it was kept.
    doubt: Option<Value>,
}

impl Player {
    async fn play(mut self, mut line: Option<Line>) -> Told {
        if let Some(one) = &mut line
            && self.wait(one).await.is_err()
        {
            line = None;
        }
        while !self.is_done() {
            // Whatever goes wrong with a line, another is opened.
            let found = match line.take() {
                Some(line) => self.answer_all(line).await,
                None => match self.enter().await {
                    Ok(line) => self.answer_all(line).await,
                    Err(error) => Err(error),
                },
            };
            if found.is_err() {
                sleep(Duration::from_millis(50)).await;
            }
        }
        // What is in doubt is cleared up: the hall may have been killed just then.
        for _ in 0..100 {
            let Some(doubt) = self.doubt.clone() else { break };
            let settled = match self.enter().await {
                Ok(mut line) => self.insist(&mut line, &doubt).await,
                Err(error) => Err(error),
            };
            if settled.is_err() {
                sleep(Duration::from_millis(100)).await;
            }
        }
        assert!(self.doubt.is_none(), "the hall did not come back");
        self.told
    }

    /// Listens until everybody sits. Had the first tables played while the last were opened, they would have had the hall
    /// to themselves.
    async fn wait(&self, line: &mut Line) -> io::Result<()> {
        let mut begun = self.table.shared.begun.subscribe();
        loop {
            tokio::select! {
                _ = begun.wait_for(|begun| *begun) => return Ok(()),
                message = line.hear_text() => {
                    let message = message?;
                    if !message["scene"].is_null() {
                        line.news.push_back(message);
                    }
                }
            }
        }
    }

    fn is_done(&self) -> bool {
        let table = &self.table;
        table.over.load(Ordering::Relaxed) > 0 || table.answered.load(Ordering::Relaxed) >= table.shared.plan.answers
    }

    async fn enter(&self) -> io::Result<Line> {
        let mut line = Line::open(&self.table.shared.address).await?;
        let entered = line.ask(json!({"do": "enter", "table": self.table.name, "token": self.token})).await?;
        entered.map_err(|error| io::Error::other(error.to_string()))?;
        Ok(line)
    }

    async fn answer_all(&mut self, mut line: Line) -> io::Result<()> {
        if let Some(doubt) = self.doubt.clone() {
            self.told.again += 1;
            self.insist(&mut line, &doubt).await?;
        }
        let mut last = Value::Null;
        while !self.is_done() {
            let Ok(message) = timeout(Duration::from_millis(200), line.next()).await else {
                // In a race all may have waited for each other.
                if last["legal"]["ask"] == json!("race") && !self.answer(&mut line, &last).await? {
                    return Ok(());
                }
                continue;
            };
            let mut message = message?;
            let scene = message["scene"].take();
            if scene.is_null() {
                continue;
            }
            if scene["state"]["over"] == json!(true) {
                self.table.over.store(1, Ordering::Relaxed);
            }
            if self.dice.below(self.table.shared.plan.sample) == 0 {
                self.told.scenes.push(scene.clone());
            }
            last = scene.clone();
            // What has come in meanwhile is newer.
            if line.news.iter().all(|one| one["scene"].is_null()) && !self.answer(&mut line, &scene).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Answers a scene, if it asks this seat; false if the line is given up.
    async fn answer(&mut self, line: &mut Line, scene: &Value) -> io::Result<bool> {
        let moves = scene["legal"]["moves"].as_array().cloned().unwrap_or_default();
        let race = scene["legal"]["ask"] == json!("race");
        if moves.is_empty() || (race && self.dice.below(3) > 0) {
            return Ok(true);
        }
        let shared = Arc::clone(&self.table.shared);
        if shared.plan.think > 0 {
            sleep(Duration::from_millis(shared.plan.think)).await;
        }
        let chosen = moves[self.dice.below(moves.len())].as_str().unwrap_or_default();
        let text = if race { chosen.split_whitespace().nth(1).unwrap_or_default() } else { chosen };
        let step = scene["state"]["steps"].as_u64().unwrap_or_default();
        let key = format!("{step}-{}-{}", self.told.seat, self.told.sent.len());
        let wish = json!({"do": "play", "move": text, "step": step, "key": key});
        self.told.sent.insert(key, step);
        self.doubt = Some(wish.clone());
        if self.dice.below(100) < shared.plan.faults as usize {
            if self.dice.below(2) == 0 {
                line.half(&wish.to_string()).await?;
                shared.halves.fetch_add(1, Ordering::Relaxed);
            } else {
                line.wish(wish).await?;
                shared.vanished.fetch_add(1, Ordering::Relaxed);
            }
            return Ok(false);
        }
        let begin = Instant::now();
        if self.insist(line, &wish).await? {
            self.told.times.push(begin.elapsed());
        }
        Ok(true)
    }

    /// Sends an answer until it is settled: where the disk is full it is refused, and asked again with the same key, until
    /// somebody has made room. False if that was so.
    async fn insist(&mut self, line: &mut Line, wish: &Value) -> io::Result<bool> {
        let mut first = true;
        loop {
            let answer = line.ask(wish.clone()).await?;
            if !answer.as_ref().is_err_and(|error| error["code"] == json!("full")) {
                self.settle(wish, &answer);
                return Ok(first);
            }
            self.table.shared.full.fetch_add(1, Ordering::Relaxed);
            first = false;
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// An answer has been acknowledged or refused.
    fn settle(&mut self, wish: &Value, answer: &Result<Value, Value>) {
        self.doubt = None;
        let shared = &self.table.shared;
        match answer {
            Ok(_) => {
                self.told.acknowledged.insert(wish["key"].as_str().unwrap_or_default().to_owned());
                self.table.answered.fetch_add(1, Ordering::Relaxed);
                shared.answered.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) if error["code"] == json!("late") => {
                shared.late.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) => panic!("{} at table {}: {wish} is refused: {error}", self.told.game, self.told.table),
        }
    }
}
