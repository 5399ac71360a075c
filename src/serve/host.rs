//! One game for a program that knows who sends each request, such as a server of tables.

use serde_json::{Map, Value, json};

use super::fault::{Code, Fault};
use super::game::{Left, Open};
use super::json::{opening, table};
use super::request::{Fields, Method};
use crate::api::{Ask, Rules, Session};
use crate::ir::SeatId;
use crate::model::Viewer;
use crate::play::{Record, Seed, Step, Who};
use crate::say::Lang;
use crate::view::{asked, picture};

/// A game of which every question comes from a known viewer: what a request says of itself is not believed.
#[derive(Debug)]
pub struct Hosted(Open);

/// An act in a race that somebody intends, or the deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intended {
    /// The act, without a time.
    pub text: String,
    /// When, on the logical clock.
    pub time: i64,
}

/// The maximum size in bytes of the positions of a game, as estimated from their contents.
const BYTES: usize = 1 << 28;

/// The maximum number of parameters of the moves of a scene.
const PARAMETERS: usize = 10_000;

/// What one answer may add to a game that may have so many steps more.
fn room(open: &Open, steps: usize) -> Result<Left, Fault> {
    let bytes = BYTES.saturating_sub(open.bytes());
    if bytes > 0 {
        return Ok(Left { steps, bytes });
    }
    let message = "the positions of this game take as much memory as those of one game may";
    Err(Fault::new(Code::Limit, message, "begin another game, or choose a smaller board"))
}

impl Hosted {
    /// A new game whose chance draws from a seed.
    ///
    /// # Errors
    /// If the setup does not end within the limits.
    pub fn begin(rules: &Rules, seed: Seed, lang: Lang, most: usize) -> Result<Self, Fault> {
        let session = Session::at(rules, rules.engine().start(), None, seed, true);
        let mut open = Open { number: 1, session, lang };
        let left = room(&open, most)?;
        open.draw(left)?;
        Ok(Self(open))
    }

    /// A game from its record, every step of which must be legal.
    ///
    /// # Errors
    /// If it does not fit the rules.
    pub fn resume(rules: &Rules, record: &Record, lang: Lang) -> Result<Self, Fault> {
        let misfit = |message: String| Fault::new(Code::BadRecord, message, "use the rules it was played with");
        let begun = record.start(rules.engine()).map_err(|error| misfit(error.to_string()))?;
        let mut session = Session::at(rules, begun, record.position.clone(), record.seed, true);
        session.replay(record).map_err(|error| misfit(error.to_string()))?;
        Ok(Self::of(session, lang))
    }

    /// A game in progress.
    #[must_use]
    pub fn of(session: Session, lang: Lang) -> Self {
        Self(Open { number: 1, session, lang })
    }

    /// The game, for bots.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.0.session
    }

    /// How many steps have been made.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.0.steps()
    }

    /// About how many bytes its positions take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Whether it is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.0.session.is_over()
    }

    /// Whether several seats are asked at once, and the first to act answers.
    #[must_use]
    pub fn is_race(&self) -> bool {
        self.0.session.ask() == Ask::Race
    }

    /// The logical clock of races, in milliseconds.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.0.session.now()
    }

    /// The names of the seats.
    #[must_use]
    pub fn seats(&self) -> Vec<String> {
        self.0.ir().seats.iter().map(|seat| seat.name.clone()).collect()
    }

    /// What stays the same throughout the game: its rules, seats and components.
    #[must_use]
    pub fn opening(&self) -> Value {
        let components = self.0.components().unwrap_or_else(|fault| json!({"fault": fault.json()}));
        json!({"opening": opening(self.0.session.rules()), "components": components})
    }

    /// The steps from a number on, as a record has them.
    #[must_use]
    pub fn texts(&self, from: usize) -> Vec<String> {
        self.0.session.texts(from)
    }

    /// All that a viewer may know now, with what happened from a step on.
    #[must_use]
    pub fn scene(&self, viewer: Viewer, from: usize) -> Value {
        let fields = request(Method::Legal, viewer, [("parts", json!(true))]);
        let legal = self.0.legal_within(&fields, PARAMETERS).unwrap_or_else(|fault| json!({"fault": fault.json()}));
        let mut found = self.sight(viewer, None);
        found["state"] = self.0.state();
        found["legal"] = legal;
        found["events"] = json!(self.0.told(Who::Viewer(viewer), from, self.steps()));
        found["from"] = json!(from);
        found
    }

    /// What a viewer saw before a step.
    ///
    /// # Errors
    /// If there is no such step.
    pub fn look(&self, viewer: Viewer, step: u64) -> Result<Value, Fault> {
        // A step that does not exist is refused as anywhere in the protocol.
        self.0.seen(&request(Method::View, viewer, [("step", json!(step))]))?;
        Ok(self.sight(viewer, Some(step)))
    }

    fn sight(&self, viewer: Viewer, step: Option<u64>) -> Value {
        let fields = request(Method::View, viewer, [("step", json!(step))]);
        let Ok(seen) = self.0.seen(&fields) else { return json!({}) };
        let game = self.0.ir();
        let mut found = table(game, &seen);
        found["prompt"] = json!(asked(self.0.lang, game, &seen));
        found["svg"] = json!(picture(game, &seen, &game.title));
        found
    }

    /// Why a move is legal or not, as far as a viewer can know.
    ///
    /// # Errors
    /// If the text is not a move of the viewer.
    pub fn why(&self, viewer: Viewer, text: &str) -> Result<Value, Fault> {
        self.0.why(&request(Method::Why, viewer, [("move", json!(text))]))
    }

    /// Plays a move, claim or offer of a viewer; in a race at a time.
    ///
    /// # Errors
    /// If it is refused; nothing has changed then.
    pub fn apply(&mut self, viewer: Viewer, text: &str, time: Option<i64>, left: usize) -> Result<Value, Fault> {
        let fields = request(Method::Apply, viewer, [("move", json!(text)), ("time", json!(time))]);
        let left = room(&self.0, left)?;
        self.0.play(&fields, left)
    }

    /// Nobody acted before the deadline of a race.
    ///
    /// # Errors
    /// If there is none.
    pub fn wait(&mut self, left: usize) -> Result<(), Fault> {
        let mut fields = request(Method::Apply, Viewer::Spectator, [("move", json!("wait"))]);
        fields.set("who", json!("referee"));
        let left = room(&self.0, left)?;
        self.0.play(&fields, left).map(|_| ())
    }

    /// Takes back the steps from a number on, which nobody has been told of.
    pub fn rewind(&mut self, steps: usize) {
        self.0.session.rewind(steps);
    }

    /// What a bot does next in a race.
    #[must_use]
    pub fn intended(&self, seat: SeatId) -> Option<Intended> {
        let act = self.0.session.act(seat)??;
        let (time, step) = (act.time()?, Step::Move(act));
        let text = self.0.session.door(Who::seat(seat)).written(&step).open();
        Some(Intended { text: text.split(" @").next()?.to_owned(), time })
    }

    /// When the race ends, if it has a deadline: the clock once nobody has acted.
    #[must_use]
    pub fn deadline(&self) -> Option<i64> {
        self.0.session.deadline()
    }
}

/// A request of a viewer.
fn request<const N: usize>(method: Method, viewer: Viewer, given: [(&str, Value); N]) -> Fields {
    let mut all: Map<String, Value> = given.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let who = match viewer {
        Viewer::Seat(seat) => json!(usize::from(seat) + 1),
        Viewer::Spectator => json!("spectator"),
    };
    all.insert("who".to_owned(), who);
    Fields::of(method, all)
}
