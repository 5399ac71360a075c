//! How many pieces and numbers lists can hold: each has its place in memory before any game is played.

use std::collections::{BTreeMap, BTreeSet};

use super::emit::Wide;
use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{Bind, Head, List, Local, Number, Op, OpKind, Program, Set, Source};
use crate::ir::{BlockId, Game, SetOp};
use crate::model::StmtRef;

/// How many a list has room for where the rules do not tell how many there can be.
const MANY: usize = 1000;

/// The most bytes that the lists of a position take together.
const BYTES: usize = 1 << 24;

/// How often sizes that depend on each other are worked out.
const ROUNDS: usize = 4;

/// How many pieces, or numbers, lists have room for.
#[derive(Clone, Debug, Default)]
pub(super) struct Capacity {
    /// Each list of a zone.
    pub zone: usize,
    /// Each list that a variable holds.
    pub variable: usize,
    /// Local names that outlast a question.
    pub locals: BTreeMap<Local, usize>,
    /// What loops that ask run over.
    pub loops: BTreeMap<StmtRef, usize>,
}

impl Capacity {
    pub(super) fn of(program: &Program<Wide>, game: &Game, first: &[(usize, Vec<i64>)]) -> Self {
        let mut found =
            Self { variable: first.iter().map(|(_, list)| list.len()).fold(1, usize::max), ..Self::default() };
        found.zone = if program.lists == 0 { 0 } else { found.pieces(program, game) };
        for round in 0..=ROUNDS {
            let ops = program.code.iter().flat_map(|code| &code.ops);
            let assigned =
                ops.filter_map(
                    |op| {
                        if let OpKind::AssignList(_, list) = &op.kind { Some(found.most(list)) } else { None }
                    },
                );
            let most = assigned.fold(found.variable, usize::max);
            if most == found.variable {
                break;
            }
            found.variable = if round == ROUNDS { MANY.max(most) } else { most };
        }
        found.kept(program, game);
        found
    }

    /// Whether all lists of a position fit into memory.
    pub(super) fn fits(&self, program: &Program<Wide>) -> bool {
        let zones = self.zone.saturating_mul(2 * program.lists);
        let kept = self.locals.values().chain(self.loops.values()).fold(0, |sum: usize, n| sum.saturating_add(*n));
        let numbers = self.variable.saturating_mul(program.cells[2]).saturating_add(kept);
        zones.saturating_add(numbers.saturating_mul(8)) <= BYTES
    }

    /// What outlasts questions: names bound beside them, and what loops around them run over.
    fn kept(&mut self, program: &Program<Wide>, game: &Game) {
        let mut binds: Vec<&Bind<Wide>> = Vec::new();
        let blocks = game.blocks.ids().zip(&program.code);
        for (block, code) in blocks.filter(|(_, code)| code.asks) {
            for (at, op) in (0..).zip(&code.ops) {
                if let OpKind::Let(_, bind) = &op.kind {
                    binds.push(bind);
                } else if let (OpKind::Call(all, _), true) = (&op.kind, op.asks) {
                    binds.extend(all.iter().map(|(_, bind)| bind));
                } else if let (OpKind::For(_, _, source, ..), true) = (&op.kind, op.asks) {
                    let most = self.rounds(source, program.sites);
                    self.loops.insert((block, at), most);
                }
            }
        }
        let asks = |body: BlockId| program.code.get(usize::from(body)).is_some_and(|code| code.asks);
        let heads = program.actions.iter().filter(|action| asks(action.body)).flat_map(|action| &action.head);
        binds.extend(heads.filter_map(|line| if let Head::Let(_, bind) = line { Some(bind) } else { None }));
        for bind in binds {
            if let Bind::List(at, list) = bind {
                let most = self.most(list);
                let room = self.locals.entry(*at).or_default();
                *room = most.max(*room);
            }
        }
    }

    /// How many members a list has at most.
    fn most(&self, list: &List<Wide>) -> usize {
        match list {
            List::Const(members) => members.len(),
            List::Some(members, _) => members.len(),
            List::Zone(_) => self.zone,
            List::Var(_) => self.variable,
            List::Last(_) => 1,
            List::Op(SetOp::Union, both, _) => self.most(&both.0).saturating_add(self.most(&both.1)),
            List::Op(SetOp::Intersect | SetOp::Minus, both, _) => self.most(&both.0),
            List::If(parts) => self.most(&parts.1).max(self.most(&parts.2)),
            List::Filter(_, both) => self.most(&both.0),
            List::Top(_, both) => self.most(&both.0),
            List::With(both) => self.most(&both.1),
            List::Range(both) => match (&both.0, &both.1) {
                (Number::Const(a), Number::Const(b)) => usize::saturating_from(b.saturating_sub(*a).saturating_add(1)),
                (_, _) => MANY,
            },
            List::Local(_) | List::Ways(_) | List::Fold(..) => MANY.max(self.zone),
        }
    }

    /// How many members a loop has at most.
    fn rounds(&self, source: &Source<Wide>, sites: usize) -> usize {
        match source {
            Source::Set(set) => members(set, Wide::ROOM),
            Source::List(list) => self.most(list),
            Source::PiecesAt(_) => sites,
            Source::PieceAt(_) => 1,
        }
    }

    /// How many pieces a game has at most, if only the setup makes any; else so many more than the setup makes.
    fn pieces(&self, program: &Program<Wide>, game: &Game) -> usize {
        let setup = self.made_by(program, game.setup, &mut BTreeMap::new());
        let (mut seen, mut left) = (BTreeSet::new(), vec![game.play]);
        left.extend(program.actions.iter().map(|action| action.body));
        left.extend(program.ends.iter().flatten().map(|end| end.body));
        let mut makes = setup == usize::MAX;
        while let Some(block) = left.pop() {
            if seen.insert(block) {
                for op in ops(program, block) {
                    makes |= matches!(op.kind, OpKind::Put(..) | OpKind::PutIn(..));
                    left.extend(inner(op));
                }
            }
        }
        let made = if setup == usize::MAX { 0 } else { setup };
        if makes { made.saturating_add(MANY) } else { made.max(1) }
    }

    /// How many pieces a block makes at most; the greatest number if it cannot be told.
    fn made_by(&self, program: &Program<Wide>, block: BlockId, known: &mut BTreeMap<BlockId, usize>) -> usize {
        if let Some(&made) = known.get(&block) {
            return made;
        }
        let mut made = 0_usize;
        for op in ops(program, block) {
            let mut times = 1;
            if let OpKind::PutIn(_, number, _) = &op.kind {
                made = made.saturating_add(greatest(number));
            } else if let OpKind::Put(_, sites) = &op.kind {
                made = made.saturating_add(members(sites, program.sites));
            } else if let OpKind::Repeat(number, _) = &op.kind {
                times = greatest(number);
            } else if let OpKind::For(_, _, source, ..) = &op.kind {
                times = self.rounds(source, program.sites);
            } else if let OpKind::While(..) | OpKind::Turns(..) = &op.kind {
                times = usize::MAX;
            }
            for block in inner(op) {
                made = made.saturating_add(times.saturating_mul(self.made_by(program, block, known)));
            }
        }
        known.insert(block, made);
        made
    }
}

fn ops(program: &Program<Wide>, block: BlockId) -> &[Op<Wide>] {
    program.code.get(usize::from(block)).map_or(&[], |code| &code.ops)
}

/// The blocks within a statement.
fn inner(op: &Op<Wide>) -> Vec<BlockId> {
    match &op.kind {
        OpKind::Do(block)
        | OpKind::For(.., block)
        | OpKind::While(_, block)
        | OpKind::Repeat(_, block)
        | OpKind::Turns(_, block)
        | OpKind::Phase(_, block)
        | OpKind::Call(_, block) => vec![*block],
        OpKind::If(_, yes, no) => std::iter::once(*yes).chain(*no).collect(),
        OpKind::Plays { otherwise, .. } => otherwise.iter().copied().collect(),
        OpKind::Race(race) => race.otherwise.iter().copied().collect(),
        OpKind::Let(..)
        | OpKind::Pick(..)
        | OpKind::Roll(_)
        | OpKind::Put(..)
        | OpKind::PutTokens(..)
        | OpKind::MoveTokens(..)
        | OpKind::PutIn(..)
        | OpKind::Shuffle(_)
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
        | OpKind::Nothing
        | OpKind::Stop
        | OpKind::Give(_)
        | OpKind::Decide(..)
        | OpKind::Draw
        | OpKind::Rank(..)
        | OpKind::Place(..)
        | OpKind::Together(..) => Vec::new(),
    }
}

/// How many members a set has at most, if there are so many atoms.
fn members(set: &Set<Wide>, atoms: usize) -> usize {
    if let Set::Const(set) = set { set.count() } else { atoms }
}

/// The greatest value of a number, or the greatest number if it cannot be told.
fn greatest(number: &Number<Wide>) -> usize {
    let of = |values: &[i64]| values.iter().fold(0, |most, &n| usize::saturating_from(n).max(most));
    if let Number::Const(n) = number {
        usize::saturating_from(*n)
    } else if let Number::ByMe(values) | Number::ByLocal(_, values) | Number::ByMeAnd(_, _, values) = number {
        of(values)
    } else if let Number::ByPiece(_, values) = number {
        of(values)
    } else if let Number::Table(table) = number {
        of(&table.values)
    } else if let Number::If(parts) = number {
        greatest(&parts.1).max(greatest(&parts.2))
    } else {
        usize::MAX
    }
}
