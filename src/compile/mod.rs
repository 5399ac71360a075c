//! Lowering: from the typed game to a fast program.
//!
//! Everything independent of the position is computed here, once: seats, sites, neighbours, regions, tables,
//! definitions of seats and sites. What remains are typed trees over machine words ([`program`]). Queries for the
//! sites of certain pieces become indexes that the engine maintains.
//!
//! **Invariant:** a lowered program means what the reference interpreter does. What this room cannot lower it reports
//! ([`Unlowered`]), and the game then runs on the reference interpreter.

mod class;
mod compared;
mod filter;
mod fused;
mod graph;
mod index;
mod inspect;
mod lasting;
mod list;
mod lower;
mod memo;
mod number;
mod outlook;
mod path;
mod pieces;
pub(crate) mod program;
mod question;
mod range;
mod relation;
mod reverse;
mod rows;
mod set;
mod stmt;
mod table;
mod test;
mod touch;
mod track;
mod trial;
mod unroll;

use class::home;
use lower::Lower;
use program::{Action, CellKind, Code, End, Home, OpKind, Program, Test, WayHomes, ZoneInfo};
use reverse::Reversible;

use crate::base::{SaturatingFrom, Word};
use crate::ir::{BlockId, Game, Moment, RuleId, Ty};
use crate::model::piece_digest;
use crate::reference::Walker;

/// Why a construct is not lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gap(pub &'static str);

/// A construct that is not lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unlowered {
    /// The construct.
    pub what: &'static str,
    /// Its rule.
    pub rule: RuleId,
}

/// How much of a game can be lowered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lowering {
    /// The number of statements, actions, end conditions and invariants.
    pub constructs: usize,
    /// The constructs that are not lowered.
    pub gaps: Vec<Unlowered>,
    /// How many steps the values of tables took.
    pub steps: u64,
}

impl Lowering {
    /// The report for a game whose sets are too wide for any program.
    #[must_use]
    pub(crate) fn too_large() -> Self {
        Self {
            constructs: 1,
            gaps: vec![Unlowered { what: "boards of more than 1024 sites", rule: RuleId::GAME }],
            ..Self::default()
        }
    }
}

/// How many words a set of the game needs.
#[must_use]
pub(crate) fn words(game: &Game) -> usize {
    atoms(game).div_ceil(64)
}

/// How many members the largest set of a game can have.
#[must_use]
pub(crate) fn atoms(game: &Game) -> usize {
    let enums = game.enums.iter().map(|info| info.members.len());
    let counts = [game.topology.sites.len(), game.topology.directions.len(), game.kinds.len(), game.seats.len() + 1];
    // Truth values are two.
    counts.into_iter().chain(enums).fold(2, usize::max)
}

/// Lowers a game; no program if something in it cannot be lowered, as the report says.
#[must_use]
pub(crate) fn lower<W: Word>(walker: &Walker, game: &Game) -> (Option<Program<W>>, Lowering) {
    let mut report = Lowering {
        constructs: game.blocks.iter().map(|block| block.stmts.len()).sum::<usize>()
            + game.actions.len()
            + game.ends.len()
            + game.invariants.len(),
        gaps: Vec::new(),
        steps: 0,
    };
    let program = match Lower::<W>::new(walker, game) {
        Ok(mut lower) => {
            let mut program = whole(&mut lower, &mut report);
            question::settle_answers(&mut program);
            report.steps = table::ALL_STEPS - lower.steps;
            Some(program)
        }
        Err(unlowered) => {
            report.gaps.push(unlowered);
            None
        }
    };
    (program.filter(|_| report.gaps.is_empty()), report)
}

fn whole<W: Word>(lower: &mut Lower<'_, W>, report: &mut Lowering) -> Program<W> {
    let game = lower.game;
    let mut cells = [0; 3];
    for var in &game.vars {
        let places = var.indices.iter().map(|(_, size)| *size).product();
        lower.var_homes.push(home(&var.ty, places, &mut cells));
    }
    lower.stale = program::Stale::new(zones(game).1, cells);
    let mut gap = |what: Gap, rule: RuleId| report.gaps.push(Unlowered { what: what.0, rule });
    let mut code: Vec<Code<W>> = game.blocks.iter().map(|block| lower.block(block, &mut gap)).collect();
    let mut actions = Vec::new();
    for action in &game.actions {
        match lower.action(action) {
            Ok(lowered) => actions.push(lowered),
            Err(what) => gap(what, action.rule),
        }
    }
    let mut ends = [Vec::new(), Vec::new(), Vec::new()];
    for (number, end) in (0_u16..).zip(&game.ends) {
        let place = match end.moment {
            Moment::BeforeTurn => 0,
            Moment::AfterMove => 1,
            Moment::AfterTurn => 2,
        };
        match lower.end(number, end) {
            Ok(End { when: Test::Const(false), .. }) => {}
            Ok(lowered) => ends[place].push(lowered),
            Err(what) => gap(what, end.rule),
        }
    }
    let mut invariants = Vec::new();
    for law in &game.invariants {
        match lower.test(&law.holds) {
            Ok(test) => invariants.push((test, law.rule)),
            Err(what) => gap(what, law.rule),
        }
    }
    let cues = lower.cues();
    for home in &lower.var_homes {
        if *home == Home::Nowhere {
            gap(Gap("a variable for moves"), RuleId::GAME);
        }
    }
    settle_trials(lower, &mut actions, &mut code);
    let sites = game.topology.sites.len();
    let (onward, steps) = steps(game);
    let near = std::mem::take(&mut lower.near).into_iter().map(|ways| (ways, near(ways, &steps, sites))).collect();
    let pieces = std::mem::take(&mut lower.pieces);
    let member = |number: usize| {
        let inside = lower.indexes.iter().enumerate().filter(|(_, mask)| mask[number]);
        inside.filter_map(|(at, _)| u16::try_from(at).ok()).collect()
    };
    let indexed: Box<[Box<[u16]>]> = (0..pieces.len()).map(member).collect();
    let on_sites = lower.outlooks.iter().any(|watched| matches!(watched, program::Watched::Sites));
    let (zones, lists) = zones(game);
    let rays = rays(game, lower.rays);
    let digests = (0..pieces.len())
        .map(|number| match pieces.get(number) {
            Some(piece) => piece_digest(piece),
            None => 0,
        })
        .collect();
    let index_bits: Box<[u64]> = indexed.iter().map(|indexes| index_bits(indexes)).collect();
    spare_trials(lower, &mut actions, &mut code, &index_bits);
    Program {
        index_bits,
        inspects: on_sites || lower.memos.iter().any(|memo| memo.inspects.is_some()),
        indexed,
        pieces,
        indexes: lower.indexes.len(),
        graphs: std::mem::take(&mut lower.graphs).into(),
        memos: std::mem::take(&mut lower.memos).into(),
        stale: std::mem::take(&mut lower.stale),
        outlooks: std::mem::take(&mut lower.outlooks).into(),
        sites,
        pools: game.tokens.iter().map(|t| if t.owned { game.seats.len() } else { 1 }).sum(),
        onward,
        shifts: shifts(game),
        fans: lower.fans.iter().filter_map(|&ways| program::Fan::of(ways, &rays, sites)).collect(),
        rays,
        steps,
        near,
        ways: WayHomes::of(game, &lower.homes),
        homes: lower.homes.clone().into(),
        locals: lower.locals,
        vars: lower.var_homes.clone().into(),
        cells,
        zones,
        lists,
        code: code.into(),
        actions: actions.into(),
        ends: ends.map(Vec::into_boxed_slice),
        invariants: invariants.into(),
        cues,
        remembers: game.remembers,
        quiet: game.ends.iter().all(|end| question::is_quiet_end(game, end)),
        counters: std::mem::take(&mut lower.counters),
        digests,
        keyed: keyed(game, &lower.var_homes),
    }
}

/// Works out what is carried out while moves are tried out, which blocks ask, and which effects can be unmade.
fn settle_trials<W: Word>(lower: &Lower<'_, W>, actions: &mut [Action<W>], code: &mut Vec<Code<W>>) {
    for (lowered, action) in actions.iter_mut().zip(&lower.game.actions) {
        trial::shorten(lower.game, &lower.past, action, lowered, code);
    }
    mark_asking(code);
    let mut reversible = Reversible::new(code);
    for action in actions {
        action.reversible &= reversible.contains(action.trial);
    }
}

/// Works out which moves need no trial, or none more than once.
fn spare_trials<W: Word>(lower: &mut Lower<'_, W>, actions: &mut [Action<W>], code: &mut [Code<W>], bits: &[u64]) {
    for (lowered, action) in actions.iter_mut().zip(&lower.game.actions) {
        lowered.touch = touch::touch(lowered, code, &lower.memos, &lower.stale, bits);
        if lowered.touch.is_none() {
            lowered.lasting = lasting::lasting(lower, action, lowered, code);
        }
    }
}

/// For each direction and site, the first site one step away; the greatest number for none.
type Onward = Box<[Box<[u16]>]>;

/// For each direction and site, the first site one step away, and all of them.
fn steps<W: Word>(game: &Game) -> (Onward, Box<[Box<[W]>]>) {
    let topology = &game.topology;
    let (directions, sites) = (topology.directions.len(), topology.sites.len());
    let first = |direction: usize| {
        let one = |site| match topology.step(direction, site) {
            [next, ..] => *next,
            [] => u16::MAX,
        };
        (0..sites).map(one).collect()
    };
    let all = |direction: usize| {
        let next = |site| topology.step(direction, site).iter().map(|&next| usize::from(next)).collect::<W>();
        (0..sites).map(next).collect()
    };
    ((0..directions).map(first).collect(), (0..directions).map(all).collect())
}

/// For each direction, how a step changes the numbers of sites, if it does so uniformly.
fn shifts<W: Word>(game: &Game) -> Box<[Option<program::Shift<W>>]> {
    (0..game.topology.directions.len()).map(|way| program::Shift::of(&game.topology, way)).collect()
}

/// The rays of each direction, if paths follow any.
fn rays<W: Word>(game: &Game, followed: bool) -> Box<[Option<program::Rays<W>>]> {
    let ways = if followed { game.topology.directions.len() } else { 0 };
    (0..ways).map(|way| program::Rays::of(&game.topology, way)).collect()
}

/// Indexes as one bit each, as far as bits go.
fn index_bits(indexes: &[u16]) -> u64 {
    indexes.iter().filter_map(|&index| 1_u64.checked_shl(index.into())).fold(0, |bits, bit| bits | bit)
}

/// For each site, the sites one step away in any of some directions.
fn near<W: Word>(ways: W, steps: &[Box<[W]>], sites: usize) -> Box<[W]> {
    (0..sites).map(|site| ways.iter().fold(W::NONE, |all, way| all.or(steps[way][site]))).collect()
}

/// The place of each value of a variable, and whether it counts in keys.
fn keyed(game: &Game, homes: &[Home]) -> Box<[(bool, CellKind)]> {
    let mut keyed = Vec::new();
    for (var, home) in game.vars.iter().zip(homes) {
        let places: usize = var.indices.iter().map(|(_, size)| *size).product();
        for place in 0..u32::saturating_from(places) {
            let held = match (home, &var.ty) {
                (Home::Number(at), Ty::Piece) => CellKind::Piece(u32::from(*at) + place),
                (Home::Number(at), _) => CellKind::Number(u32::from(*at) + place),
                (Home::Set(at), _) => CellKind::Set(u32::from(*at) + place),
                (Home::List(at), ty) if *ty == Ty::Piece.set() => CellKind::Pieces(u32::from(*at) + place),
                (Home::List(at), _) => CellKind::Numbers(u32::from(*at) + place),
                (Home::Nowhere, _) => continue,
            };
            keyed.push((!var.record, held));
        }
    }
    keyed.into()
}

fn zones(game: &Game) -> (Box<[ZoneInfo]>, usize) {
    let mut first = 0;
    let mut zones = Vec::new();
    for zone in &game.zones {
        zones.push(ZoneInfo { first: u32::saturating_from(first), form: zone.form });
        first += zone.indices.iter().map(|(_, size)| *size).product::<usize>();
    }
    (zones.into(), first)
}

/// Marks the blocks that may ask: their progress is kept in the position. All others run without the control stack.
fn mark_asking<W: Word>(code: &mut [Code<W>]) {
    loop {
        let asking: Vec<bool> = code.iter().map(|code| code.asks).collect();
        let asks = |block: &BlockId| asking.get(usize::from(*block)).is_some_and(|asks| *asks);
        let mut more = false;
        for block in code.iter_mut() {
            for op in &mut block.ops {
                // Statements that look at earlier positions need their place on the control stack.
                if (op.looks || op.asks) && !block.asks {
                    (block.asks, more) = (true, true);
                }
                let now = match &op.kind {
                    OpKind::Pick(..)
                    | OpKind::Roll(_)
                    | OpKind::Shuffle(_)
                    | OpKind::Turns(..)
                    | OpKind::Phase(..)
                    | OpKind::Plays { .. }
                    | OpKind::Together(..)
                    | OpKind::Race(_) => true,
                    OpKind::Do(body)
                    | OpKind::While(_, body)
                    | OpKind::Repeat(_, body)
                    | OpKind::For(_, _, _, _, body)
                    | OpKind::Call(_, body) => asks(body),
                    OpKind::If(_, yes, no) => asks(yes) || no.as_ref().is_some_and(asks),
                    OpKind::Nothing
                    | OpKind::Let(..)
                    | OpKind::Put(..)
                    | OpKind::PutTokens(..)
                    | OpKind::MoveTokens(..)
                    | OpKind::PutIn(..)
                    | OpKind::MovePieces(..)
                    | OpKind::MoveSite(..)
                    | OpKind::Move(..)
                    | OpKind::Remove(_)
                    | OpKind::Swap(..)
                    | OpKind::Rotate(..)
                    | OpKind::Change(..)
                    | OpKind::Sow(_)
                    | OpKind::AssignNumber(..)
                    | OpKind::AssignSet(..)
                    | OpKind::AssignList(..)
                    | OpKind::Stop
                    | OpKind::Give(_)
                    | OpKind::Decide(..)
                    | OpKind::Draw
                    | OpKind::Rank(..)
                    | OpKind::Place(..) => false,
                };
                if now && !op.asks {
                    (op.asks, block.asks, more) = (true, true, true);
                }
            }
        }
        if !more {
            break;
        }
    }
}
