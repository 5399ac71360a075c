//! What all parts of the translation share: the functions of the module, the names in scope, tables, sets.

use std::collections::{BTreeMap, HashMap};

use wasm_encoder::{Function, Instruction as I};

use super::capacity::Capacity;
use super::cost::LEFT;
use super::func::{Address, Func, Label, Parts, Stretch};
use super::known::Known;
use super::lasting::{Changed, Kept};
use super::lattice::Lattice;
use super::layout::Layout;
pub(super) use super::place::Next;
use super::race::Races;
use super::span::Span;
use crate::base::{SaturatingFrom, Words};
use crate::compile::Gap;
use crate::compile::program::{Home, Local, OpKind, Program};
use crate::ir::{ActionId, ActionRef, BlockId, Game, PartId, RuleId};
use crate::model::{EndMoment, StmtRef};

/// What is found, or what the translation lacks.
pub(super) type Out<T = ()> = Result<T, Gap>;

/// The most instructions of a module: a game that would need more multiplies its definitions.
const MOST_CODE: usize = 400_000;

/// The functions of the module.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Key {
    /// One that other programs call.
    Export(Export),
    /// The value of a definition, and whether what it looks at is noted.
    Memo(u16, bool),
    /// Whether a definition that is a set has members; the same.
    Some(u16, bool),
    /// What is known of a guard before any move.
    Reason(u16),
    /// A procedure that asks nothing.
    Procedure(BlockId),
    /// The effects of an action that asks nothing.
    Effects(ActionId),
    /// Whether the guards on the position after a move hold; the question that comes next, if they look back.
    Trial(ActionId, Option<Next>),
    /// The same for all guards but those that count positions: the outcome is kept.
    Outcome(ActionId),
    /// Lists the legal moves of the first group of actions that has any; the question that comes after one.
    Listing(Vec<Vec<ActionRef>>, Option<Next>),
    /// Whether the acting seat has a move of one of the actions.
    Any(Vec<ActionRef>),
    /// Tests the end conditions of a moment.
    Ends(u8),
    /// Lists what can be done in a race.
    Race(StmtRef),
    /// Runs to the next question.
    Course,
    /// One of the operations that many games need.
    Help(Help),
    /// Finds the legal answer with a number, and carries one out.
    Locate,
    Play,
}

/// Operations that many games need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Help {
    /// Puts a piece on a site, and puts it back when a move has been tried out.
    Put,
    PutBack,
    /// Sets the number of tokens on a site.
    SetTokens,
    /// The next, or the previous, seat that still plays.
    Following,
    Preceding,
    /// Product, quotient and remainder of 64-bit numbers, kept in range.
    Product,
    Quotient,
    Remainder,
    /// Gives seats their final rank: from the top, or from the bottom.
    PlaceTop,
    PlaceBottom,
    /// A random number below another, and the next block of random numbers.
    Below,
    Block,
    /// What of the key of a position for repetition does not lie on the board, and the key of a part of it.
    Key,
    PartKey(PartId),
    /// How often the key of a position has been seen, or at how many plies that of a part; whether one stood at a ply.
    Seen,
    PartSeen(PartId),
    Stood,
    /// Forgets the latest positions.
    Forget,
    /// Puts the list that is being made in order.
    Sort,
    /// Puts a piece on top of a zone; takes the top one; takes a certain one.
    Push,
    Pop,
    Pull,
    /// Takes many pieces, from the top or from the bottom, and lays them down, on top or under the others.
    Take,
    Lay,
    /// Adds a walker of a path to others, and sorts ways.
    AddWalker,
    SortWays,
}

/// The functions that other programs call; see `docs/module.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Export {
    Seed,
    Start,
    Count,
    Ask,
    Seat,
    Action,
    Argument,
    Apply,
    Undo,
    Draw,
    Playout,
    Ply,
    Turn,
    Mover,
    Verdict,
    Rank,
    Score,
    Piece,
    Tokens,
    Held,
    Lying,
    Variable,
    Race,
    Who,
    When,
    Decisions,
    Answers,
}

/// Where control goes when a statement ends the turns or the game.
#[derive(Clone, Debug)]
pub(super) enum Exit {
    /// The function returns how it ended: 0 to continue, 1 to leave the turns, 2 for the end of the game.
    Return,
    /// To the end of a block, whatever it was.
    Leave(Label),
    /// To stretches of the course.
    Course {
        /// Where `stop` goes, if there are turns around.
        stop: Option<Stretch>,
        /// Where the end of the game goes.
        over: Stretch,
    },
}

/// What variables hold before the setup, by place: the numbers that are not 0, and the sets and lists that are not empty.
#[derive(Clone, Debug, Default)]
pub(super) struct First {
    pub numbers: Vec<(usize, i64)>,
    pub sets: Vec<(usize, Wide)>,
    pub lists: Vec<(usize, Vec<i64>)>,
}

/// The sets of programs that are translated. The room is compiled once; how many of the words a game needs is known when it is
/// translated.
pub(super) type Wide = Words<6>;

/// The module while it is written.
pub(super) struct Emit<'a> {
    /// How many words and bytes a set has.
    pub words: usize,
    pub bytes: u32,
    pub program: &'a Program<Wide>,
    pub game: &'a Game,
    /// Whether no seat ever drops out.
    pub all_play: bool,
    pub layout: Layout,
    /// For each maintained graph how its hops are kept.
    pub lattices: Vec<Option<Lattice>>,
    pub f: Func,
    pub exit: Exit,
    /// Whether a statement of the course left it since this was last cleared.
    pub left: bool,
    /// The question that comes next whatever happens, while something is translated that looks at earlier positions.
    pub next: Option<Next>,
    /// Where walkers lie, once there are any.
    pub walkers_at: Option<Address>,
    /// How many turns have been translated.
    pub turns: i64,
    /// Whether what is looked at is noted (`seen.rs`).
    pub notes: bool,
    /// The actions whose outcomes are kept (`lasting.rs`).
    pub lasting: Vec<Kept>,
    /// The keys of the position after a move whose outcome is kept, while guards are translated that count positions.
    pub changed: Option<Changed>,
    /// Whether the game has races, and the moves that are being listed are acts of one.
    pub races: Races,
    /// Where it stands what is known of each guard (`guard.rs`).
    pub reasons_at: BTreeMap<u16, Address>,
    /// The rule of the statement that is being translated.
    pub rule: RuleId,
    /// Names of numbers and sets in scope that are kept in locals of the function; the innermost last.
    pub numbers: Vec<(Local, u32)>,
    /// Locals of the function that hold the same number for as long as they are in scope.
    pub constants: Vec<(u32, usize)>,
    pub sets: Vec<(Local, Parts)>,
    pub lists: Vec<(Local, Span)>,
    /// Definitions that are worked out once, where that is so.
    pub known: Option<Known>,
    /// What variables hold before the setup, by place.
    pub first: First,
    /// The functions by their index, those still to be written, and those that are.
    functions: BTreeMap<Key, u32>,
    pub wanted: Vec<Key>,
    /// The names that procedures take.
    pub taken: BTreeMap<BlockId, Vec<Home>>,
    pub written: Vec<(u32, Key, Function)>,
    code: usize,
    /// What memory holds at the beginning, and where each table lies.
    pub data: Vec<(Address, Vec<u8>)>,
    pub tables: HashMap<Vec<u8>, Address>,
    free: Address,
    /// The next place for what the course keeps.
    pub frame: Address,
}

impl<'a> Emit<'a> {
    pub(super) fn new(
        program: &'a Program<Wide>,
        game: &'a Game,
        words: usize,
        (first, capacity): (First, &Capacity),
    ) -> Self {
        let bytes = 8 * u32::saturating_from(words);
        let lattices: Vec<Option<Lattice>> = program.graphs.iter().map(Lattice::of).collect();
        let layout = Layout::of(program, game, bytes, &lattices, capacity);
        let (free, frame) = (layout.free, layout.frames);
        let places = program.code.iter().flat_map(|code| &code.ops).any(|op| matches!(op.kind, OpKind::Place(..)));
        Self {
            words,
            bytes,
            program,
            game,
            all_play: !places,
            layout,
            lattices,
            f: Func::new(0),
            exit: Exit::Return,
            left: false,
            next: None,
            walkers_at: None,
            turns: 0,
            notes: false,
            lasting: Vec::new(),
            changed: None,
            races: Races::of(program),
            reasons_at: BTreeMap::new(),
            rule: RuleId::GAME,
            numbers: Vec::new(),
            constants: Vec::new(),
            sets: Vec::new(),
            lists: Vec::new(),
            known: None,
            first,
            functions: BTreeMap::new(),
            wanted: Vec::new(),
            taken: BTreeMap::new(),
            written: Vec::new(),
            code: 0,
            data: Vec::new(),
            tables: HashMap::new(),
            free,
            frame,
        }
    }

    /// The index of a function, which is written if it is not yet.
    pub(super) fn function(&mut self, key: Key) -> u32 {
        if let Some(&index) = self.functions.get(&key) {
            return index;
        }
        let index = u32::saturating_from(self.functions.len());
        self.functions.insert(key.clone(), index);
        self.wanted.push(key);
        index
    }

    pub(super) fn call(&mut self, key: Key) {
        let function = self.function(key);
        self.f.call(function);
    }

    pub(super) fn help(&mut self, help: Help) {
        self.call(Key::Help(help));
    }

    /// Takes note that a function is finished.
    pub(super) fn finish(&mut self, key: Key, place: Option<u32>) -> Out {
        let f = std::mem::replace(&mut self.f, Func::new(0));
        self.code += f.len();
        if self.code > MOST_CODE {
            return Err(Gap("so many statements, or definitions and procedures that multiply each other"));
        }
        let index = self.function(key.clone());
        let function = match place {
            Some(place) => f.finish_course(place, self.layout.place),
            None => f.finish(),
        };
        self.written.push((index, key, function));
        self.numbers.clear();
        self.sets.clear();
        self.lists.clear();
        self.known = None;
        self.exit = Exit::Return;
        self.notes = false;
        Ok(())
    }

    /// Whether so much code has been written that it makes no sense to go on.
    pub(super) fn bounded(&self) -> Out {
        if self.code + self.f.len() > MOST_CODE {
            return Err(Gap("so many statements, or definitions and procedures that multiply each other"));
        }
        Ok(())
    }

    /// Room that nothing else uses.
    pub(super) fn room(&mut self, bytes: u32) -> Address {
        let at = self.free;
        self.free += bytes.next_multiple_of(8);
        at
    }

    /// Where memory that nothing has been placed in begins.
    pub(super) fn end_of_memory(&self) -> Address {
        self.free
    }

    /// Room for what the course keeps between two questions.
    pub(super) fn kept(&mut self, words: usize) -> Out<Address> {
        let at = self.frame;
        self.frame += 8 * u32::saturating_from(words);
        if self.frame > self.layout.frames_end {
            return Err(Gap("so many statements that ask within each other"));
        }
        Ok(at)
    }

    /// Counts so many instructions as the 64-bit number on the stack says.
    pub(super) fn spend(&mut self) {
        let instructions = self.f.keep();
        self.f.op(I::GlobalGet(LEFT)).get(instructions).op(I::I64Sub).op(I::GlobalSet(LEFT));
        self.f.stop_if_spent();
    }

    /// Does something for each member of a set, in order. `each` receives the local with the member, and the label
    /// that leaves the loop.
    pub(super) fn members(&mut self, set: &Parts, each: &mut dyn FnMut(&mut Self, u32, Label) -> Out) -> Out {
        let left = self.variable(set);
        let done = self.f.block();
        let again = if left.len() == 1 { self.f.again_for_few() } else { self.f.again() };
        self.none(&Self::now(&left));
        self.f.br_if(done);
        let member = self.pop(&left);
        let outer = std::mem::replace(&mut self.f.busy, false);
        each(self, member, done)?;
        if self.f.busy {
            self.f.stop_if_spent();
        }
        self.f.busy = outer;
        self.f.br(again);
        self.f.end_loop();
        self.f.end();
        self.bounded()
    }

    /// Leaves the acting seat on the stack.
    pub(super) fn me(&mut self) {
        let at = self.layout.me;
        self.f.read_int(at).op(I::I64ExtendI32U);
    }
}

/// The number of a moment, as for [`Key::Ends`].
pub(super) fn moment(moment: EndMoment) -> u8 {
    match moment {
        EndMoment::BeforeTurn => 0,
        EndMoment::AfterMove => 1,
        EndMoment::AfterTurn => 2,
    }
}
