//! The state of lowering: known values, homes of local names, tables and indexes.

use std::cell::RefCell;
use std::collections::HashMap;

use super::class::home;
use super::pieces::Pieces;
use super::program::{Bind, Cues, Home, Local, Number, Set};
use super::table::Tables;
use super::{Gap, Unlowered};
use crate::base::Word;
use crate::ir::{Cue, Expr, FnId, Game, HistoryUse, Slot};
use crate::model::Position;
use crate::reference::{Distances, Walker};

/// The maximum number of nodes: definitions are inlined where they are called.
const NODES: usize = 120_000;
/// About how many bytes a node takes.
const BYTES_A_NODE: usize = 256;
/// The maximum depth of nested definitions.
const DEPTH: usize = 60;

/// Lowers one game.
pub(super) struct Lower<'g, W: Word> {
    pub game: &'g Game,
    pub walker: &'g Walker,
    /// What depends on earlier positions.
    pub past: HistoryUse,
    /// The empty position, in which constants are computed.
    pub blank: Position,
    /// Distances that tables were computed from.
    pub distances: RefCell<Distances>,
    pub pieces: Pieces,
    pub homes: Vec<Home>,
    pub locals: [usize; 3],
    pub var_homes: Vec<Home>,
    /// What a name stands for in the definition being inlined.
    pub known: HashMap<Slot, Number<W>>,
    /// The same for sets.
    pub known_sets: HashMap<Slot, Set<W>>,
    /// The sites that paths have lifted their pieces from: a path may ask for another one.
    pub lifted: Vec<Local>,
    /// The maintained indexes: for each, which pieces belong to it.
    pub indexes: Vec<Vec<bool>>,
    /// The maintained graphs.
    pub graphs: Vec<super::program::Graph<W>>,
    /// What each outlook watches.
    pub outlooks: Vec<super::program::Watched>,
    /// The tables that were read so far.
    pub tables: Tables<W>,
    /// The definitions whose values are cached.
    pub memos: Vec<super::program::Memo<W>>,
    pub stale: super::program::Stale,
    /// The number of each cached definition; none if it is not cached.
    pub cached_as: HashMap<FnId, Option<u16>>,
    /// The sets of directions, known at load, in which neighbours are looked for.
    pub near: Vec<W>,
    /// Whether paths slide, or rays are asked for.
    pub rays: bool,
    /// The sets of directions, known at load, in which paths slide.
    pub fans: Vec<W>,
    /// How many loops, paths and searches have been lowered.
    pub loops: usize,
    /// The counters that the lowered code reads.
    pub counters: Vec<super::program::Counter>,
    /// How many values have been computed so far.
    pub worked: usize,
    /// How many steps are left for all values of tables together.
    pub steps: u64,
    pub nodes: usize,
    pub depth: usize,
}

impl<'g, W: Word> Lower<'g, W> {
    pub(super) fn new(walker: &'g Walker, game: &'g Game) -> Result<Self, Unlowered> {
        let (mut locals, mut homes) = ([0; 3], Vec::new());
        for slot in &game.slots {
            homes.push(home(&slot.ty, 1, &mut locals));
        }
        Ok(Self {
            game,
            walker,
            past: HistoryUse::of(game),
            blank: walker.blank(),
            distances: RefCell::default(),
            pieces: Pieces::of(game)?,
            homes,
            locals,
            var_homes: Vec::new(),
            known: HashMap::new(),
            known_sets: HashMap::new(),
            lifted: Vec::new(),
            indexes: Vec::new(),
            graphs: Vec::new(),
            outlooks: Vec::new(),
            tables: Tables::default(),
            memos: Vec::new(),
            stale: super::program::Stale::default(),
            cached_as: HashMap::new(),
            near: Vec::new(),
            rays: false,
            fans: Vec::new(),
            loops: 0,
            counters: Vec::new(),
            worked: 0,
            steps: super::table::ALL_STEPS,
            nodes: 0,
            depth: 0,
        })
    }

    /// The cues, if every seat sees all that they depend on, and they can be lowered. They are no rules: what they read
    /// of a position does not tell it apart from others.
    pub(super) fn cues(&mut self) -> Option<Cues<W>> {
        let game = self.game;
        let counters = self.counters.clone();
        let lowered = |cue: &Cue| Some((cue.action, self.test(&cue.when).ok()?));
        let cues = if game.knowledge.cues_are_seen { game.cues.iter().map(lowered).collect() } else { None };
        self.counters = counters;
        cues
    }

    /// Records a read of a counter.
    pub(super) fn counts(&mut self, counter: super::program::Counter) {
        if !self.counters.contains(&counter) {
            self.counters.push(counter);
        }
    }

    /// A fresh local for a number.
    pub(super) fn fresh(&mut self) -> Result<Local, Gap> {
        let place = Local::try_from(self.locals[0]).map_err(|_| Gap("too many local names"))?;
        self.locals[0] += 1;
        Ok(place)
    }

    pub(super) fn node(&mut self) -> Result<(), Gap> {
        self.nodes += 1;
        if self.nodes > NODES { Err(Gap("definitions that grow too large when put in place")) } else { Ok(()) }
    }

    /// Counts a table that a node has of its own as the nodes that take as much memory.
    pub(super) fn weigh(&mut self, bytes: usize) -> Result<(), Gap> {
        self.nodes += bytes / BYTES_A_NODE;
        self.node()
    }

    pub(super) fn number_home(&self, slot: Slot) -> Result<Local, Gap> {
        match self.homes.get(usize::from(slot)) {
            Some(Home::Number(at)) => Ok(*at),
            _ => Err(Gap("a local name for something other than a number")),
        }
    }

    pub(super) fn set_home(&self, slot: Slot) -> Result<Local, Gap> {
        match self.homes.get(usize::from(slot)) {
            Some(Home::Set(at)) => Ok(*at),
            _ => Err(Gap("a local name for something other than a set")),
        }
    }

    /// The binding of a name to an expression.
    pub(super) fn bind(&mut self, slot: Slot, value: &Expr) -> Result<Bind<W>, Gap> {
        match self.homes.get(usize::from(slot)) {
            Some(&Home::Number(at)) => Ok(Bind::Number(at, self.number(value)?)),
            Some(&Home::Set(at)) => Ok(Bind::Set(at, self.set(value)?)),
            Some(&Home::List(at)) => Ok(Bind::List(at, self.list(value)?)),
            Some(Home::Nowhere) | None => Err(Gap("a local name for a move")),
        }
    }

    /// The number a slot stands for.
    pub(super) fn slot(&self, slot: Slot) -> Result<Number<W>, Gap> {
        match self.known.get(&slot) {
            Some(number) => Ok(number.clone()),
            None => Ok(Number::Local(self.number_home(slot)?)),
        }
    }

    /// Inlines a definition where it is called: its parameters are bound, or replaced by their arguments.
    pub(super) fn call<T>(
        &mut self,
        function: FnId,
        args: &[Expr],
        body: impl FnOnce(&mut Self, &Expr) -> Result<T, Gap>,
        with: impl FnOnce(Box<[Bind<W>]>, T) -> T,
    ) -> Result<T, Gap> {
        let game = self.game;
        let Some(def) = game.functions.get(function) else {
            return Err(Gap("a definition that is not there"));
        };
        if let Some(arg) = args.first().filter(|_| def.told) {
            return body(self, arg);
        }
        if self.depth >= DEPTH {
            return Err(Gap("definitions that call each other too deeply"));
        }
        let mut binds = Vec::new();
        let mut given = Vec::new();
        for (&slot, arg) in def.params.iter().zip(args) {
            let bind = self.bind(slot, arg)?;
            if let Bind::Number(_, number) = &bind
                && is_plain(number)
            {
                given.push((slot, Some(number.clone())));
            } else {
                given.push((slot, None));
                binds.push(bind);
            }
        }
        let before: Vec<(Slot, Option<Number<W>>)> = given
            .into_iter()
            .map(|(slot, number)| {
                let old = match number {
                    Some(number) => self.known.insert(slot, number),
                    None => self.known.remove(&slot),
                };
                (slot, old)
            })
            .collect();
        self.depth += 1;
        let lowered = body(self, &def.body);
        self.depth -= 1;
        for (slot, old) in before {
            match old {
                Some(number) => self.known.insert(slot, number),
                None => self.known.remove(&slot),
            };
        }
        let lowered = lowered?;
        Ok(if binds.is_empty() { lowered } else { with(binds.into_boxed_slice(), lowered) })
    }
}

/// Whether a number is cheap enough to be duplicated instead of bound to a name.
pub(super) fn is_plain<W: Word>(number: &Number<W>) -> bool {
    match number {
        Number::Const(_)
        | Number::Local(_)
        | Number::Me
        | Number::Mover
        | Number::ByLocal(..)
        | Number::ByMe(_)
        | Number::ByMeAnd(..) => true,
        Number::ByPiece(site, _) => matches!(**site, Number::Local(_)),
        Number::Var(_)
        | Number::Ply
        | Number::Turn
        | Number::Now
        | Number::Occurrences
        | Number::OccurrencesOf(_)
        | Number::Neg(_)
        | Number::Abs(_)
        | Number::Calc(..)
        | Number::Greater(_)
        | Number::Lesser(_)
        | Number::If(_)
        | Number::Table(_)
        | Number::Count(_)
        | Number::Length(_)
        | Number::ZoneSize(_)
        | Number::Tokens(_)
        | Number::TokensAt(_)
        | Number::Fold(..)
        | Number::Following(_)
        | Number::Preceding(_)
        | Number::Distance(_)
        | Number::WayTo(_)
        | Number::Truth(_)
        | Number::Memo(..)
        | Number::With(_) => false,
    }
}
