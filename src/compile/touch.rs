//! What the effects of an action touch. A guard on the position after a move has the value that it has before it,
//! unless the effects touch something that it inspected; most moves then need not be tried out.

use std::collections::HashMap;

use super::program::{
    Action, Args, Bind, Cell, Code, Head, Local, Make, Memo, Number, Op, OpKind, PieceLocation, Stale, Touch, Values,
};
use super::program::{Set, Test};
use crate::base::Word;
use crate::ir::BlockId;

/// The maximum depth of nested blocks.
const DEPTH: usize = 64;

/// What the effects of an action touch, if it is known before they are carried out, and if all guards are cached ones
/// that notice nothing else.
pub(super) fn touch<W: Word>(
    action: &Action<W>,
    code: &[Code<W>],
    memos: &[Memo<W>],
    stale: &Stale,
    bits: &[u64],
) -> Option<Touch<W>> {
    let Some(Head::Choose(_, last, Values::Set(_))) = action.head.get(action.tail.checked_sub(1)?) else { return None };
    let guards: Option<Box<[u16]>> = action.ensure.iter().map(cached).collect();
    let guards = guards.filter(|guards| !guards.is_empty())?;
    let settled = |guard: &u16| memos.get(usize::from(*guard)).is_some_and(|memo| memo.inspects.is_some());
    if !guards.iter().all(settled) {
        return None;
    }
    let watching = guards.iter().fold(0, |all, guard| all | 1 << guard);
    let mut scan =
        Scan { code, stale, bits, watching, known: HashMap::new(), sites: Vec::new(), sources: Vec::new(), made: 0 };
    for line in &action.head {
        match line {
            Head::Choose(_, at, _) | Head::Let(_, Bind::Number(at, _)) => scan.name(*at),
            Head::Let(_, Bind::Set(at, _)) => {
                scan.known.insert(Name::Set(*at), Known::Set(Set::Local(*at)));
            }
            Head::Let(_, Bind::List(..)) | Head::Require(_) | Head::Prefer(_) => {}
        }
    }
    scan.block(action.trial, 0)?;
    let (sites, sources) = (std::mem::take(&mut scan.sites), std::mem::take(&mut scan.sources));
    scan.known.remove(&Name::Number(*last));
    let is_fixed = |set: &Set<W>| scan.set(set).is_some();
    let is_last =
        |set: &Set<W>| matches!(set, Set::One(number) if matches!(**number, Number::Local(at) if at == *last));
    let (fixed, others): (Vec<_>, Vec<_>) = sites.into_iter().partition(is_fixed);
    Some(Touch {
        guards,
        fixed: fixed.into(),
        last: others.iter().any(is_last),
        varying: others.iter().filter(|set| !is_last(set)).cloned().collect(),
        made: scan.made,
        moves_last: !sources.iter().all(is_fixed),
    })
}

/// The number of a guard that is cached by itself.
fn cached<W: Word>(guard: &Test<W>) -> Option<u16> {
    if let Test::Memo(number, args) = guard { args.is_empty().then_some(*number) } else { None }
}

/// A local name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Name {
    Number(Local),
    Set(Local),
}

/// A value that is known before the effects are carried out, in terms of the names that the head binds.
#[derive(Clone)]
enum Known<W: Word> {
    Number(Number<W>),
    Set(Set<W>),
}

struct Scan<'c, W: Word> {
    code: &'c [Code<W>],
    stale: &'c Stale,
    /// For each piece the indexes that contain its site.
    bits: &'c [u64],
    /// The guards, one bit each.
    watching: u64,
    known: HashMap<Name, Known<W>>,
    /// What is touched.
    sites: Vec<Set<W>>,
    /// Those of them from which pieces move.
    sources: Vec<Set<W>>,
    /// The indexes of pieces that are made.
    made: u64,
}

impl<W: Word> Scan<'_, W> {
    fn name(&mut self, at: Local) {
        self.known.insert(Name::Number(at), Known::Number(Number::Local(at)));
    }

    fn block(&mut self, block: BlockId, depth: usize) -> Option<()> {
        let ops = &self.code.get(usize::from(block)).filter(|_| depth < DEPTH)?.ops;
        ops.iter().try_for_each(|op| self.op(op, depth))
    }

    fn op(&mut self, op: &Op<W>, depth: usize) -> Option<()> {
        match &op.kind {
            OpKind::Nothing => Some(()),
            OpKind::Let(_, bind) => {
                self.binds(std::slice::from_ref(bind));
                Some(())
            }
            OpKind::Put(make, sites) => {
                self.made |= match make {
                    Make::Known(piece) => *self.bits.get(usize::from(*piece))?,
                    Make::Of(..) => u64::MAX,
                };
                self.touches(sites)
            }
            OpKind::Remove(sites) => self.touches(sites),
            OpKind::MoveSite(from, to) => {
                let [from, to] = [self.number(from)?, self.number(to)?].map(|end| Set::One(Box::new(end)));
                self.sources.push(from.clone());
                self.sites.extend([from, to]);
                Some(())
            }
            OpKind::Move(from, to) => {
                self.sources.push(self.set(from)?);
                self.touches(from)?;
                self.touches(to)
            }
            OpKind::Swap(from, to) => {
                self.sources.extend([self.set(from)?, self.set(to)?]);
                self.touches(from)?;
                self.touches(to)
            }
            OpKind::AssignNumber(cell, _) => self.writes(0, cell),
            OpKind::AssignSet(cell, _) => self.writes(1, cell),
            OpKind::AssignList(cell, _) => self.writes(2, cell),
            OpKind::PutTokens(..) | OpKind::MoveTokens(..) | OpKind::Sow(_) => {
                (self.stale.tokens & self.watching == 0).then_some(())
            }
            OpKind::Do(body) | OpKind::While(_, body) | OpKind::Repeat(_, body) | OpKind::For(_, _, _, _, body) => {
                self.block(*body, depth + 1)
            }
            OpKind::If(_, yes, no) => {
                self.block(*yes, depth + 1)?;
                no.map_or(Some(()), |no| self.block(no, depth + 1))
            }
            OpKind::Call(binds, body) => {
                self.binds(&binds.iter().map(|(_, bind)| bind.clone()).collect::<Vec<_>>());
                self.block(*body, depth + 1)
            }
            OpKind::Change(PieceLocation::Sites(_) | PieceLocation::Zone(_), _)
            | OpKind::Rotate(..)
            | OpKind::Decide(..)
            | OpKind::Draw
            | OpKind::Pick(..)
            | OpKind::Roll(_)
            | OpKind::Shuffle(_)
            | OpKind::PutIn(..)
            | OpKind::MovePieces(..)
            | OpKind::Turns(..)
            | OpKind::Phase(..)
            | OpKind::Give(_)
            | OpKind::Rank(..)
            | OpKind::Place(..)
            | OpKind::Stop
            | OpKind::Plays { .. }
            | OpKind::Together(..)
            | OpKind::Race(_) => None,
        }
    }

    fn touches(&mut self, sites: &Set<W>) -> Option<()> {
        let sites = self.set(sites)?;
        self.sites.push(sites);
        Some(())
    }

    /// A variable is set that no guard may read.
    fn writes(&self, sort: usize, cell: &Cell<W>) -> Option<()> {
        let first = usize::try_from(cell.first).ok()?;
        let places = cell.at.iter().map(|(_, size)| *size).product::<usize>();
        let read = self.stale.cells.get(sort)?.get(first..first + places)?;
        read.iter().all(|memos| memos & self.watching == 0).then_some(())
    }

    /// Names bound simultaneously.
    fn binds(&mut self, binds: &[Bind<W>]) {
        let values: Vec<_> = binds
            .iter()
            .map(|bind| match bind {
                Bind::Number(at, value) => (Name::Number(*at), self.number(value).map(Known::Number)),
                Bind::Set(at, value) => (Name::Set(*at), self.set(value).map(Known::Set)),
                Bind::List(at, _) => (Name::Set(*at), None),
            })
            .collect();
        for (bind, (name, value)) in binds.iter().zip(values) {
            match (bind, value) {
                (Bind::List(..), _) => {}
                (_, Some(value)) => {
                    self.known.insert(name, value);
                }
                (_, None) => {
                    self.known.remove(&name);
                }
            }
        }
    }

    fn number(&self, number: &Number<W>) -> Option<Number<W>> {
        match number {
            Number::Const(_) | Number::Me | Number::ByMe(_) => Some(number.clone()),
            Number::Local(at) => match self.known.get(&Name::Number(*at))? {
                Known::Number(number) => Some(number.clone()),
                Known::Set(_) => None,
            },
            Number::ByLocal(at, values) => Some(Number::ByLocal(self.renamed(*at)?, values.clone())),
            Number::Table(table) => {
                let mut table = table.clone();
                table.by = self.args(&table.by)?;
                Some(Number::Table(table))
            }
            Number::Var(_)
            | Number::Mover
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
            | Number::ByMeAnd(..)
            | Number::ByPiece(..)
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
            | Number::With(_) => None,
        }
    }

    /// The name of the head that a name stands for.
    fn renamed(&self, at: Local) -> Option<Local> {
        if let Number::Local(at) = self.number(&Number::Local(at))? { Some(at) } else { None }
    }

    fn args(&self, args: &Args<W>) -> Option<Args<W>> {
        args.iter().map(|(number, size)| Some((self.number(number)?, *size))).collect()
    }

    /// A set that depends on nothing but names of the head.
    fn set(&self, set: &Set<W>) -> Option<Set<W>> {
        Some(match set {
            Set::Const(_) | Set::ByMe(_) => set.clone(),
            Set::Local(at) => match self.known.get(&Name::Set(*at))? {
                Known::Set(set) => set.clone(),
                Known::Number(_) => return None,
            },
            Set::One(number) => Set::One(Box::new(self.number(number)?)),
            Set::Some(numbers) => Set::Some(numbers.iter().map(|number| self.number(number)).collect::<Option<_>>()?),
            Set::Op(op, both) => Set::Op(*op, self.both(both)?),
            Set::ByLocal(at, values) => Set::ByLocal(self.renamed(*at)?, values.clone()),
            Set::ByMeAnd(at, size, values) => Set::ByMeAnd(self.renamed(*at)?, *size, values.clone()),
            Set::Table(table) => {
                let mut table = table.clone();
                table.by = self.args(&table.by)?;
                Set::Table(table)
            }
            Set::Toward(both) => Set::Toward(self.both(both)?),
            Set::Around(both) => Set::Around(self.both(both)?),
            Set::Between(both) => Set::Between(Box::new((self.number(&both.0)?, self.number(&both.1)?))),
            Set::Inspected(inner) => return self.set(inner),
            Set::Compared(both) => return self.set(&both.0),
            Set::Var(_)
            | Set::Empty
            | Set::Occupied
            | Set::Index(_)
            | Set::IndexByMe(_)
            | Set::IndexBy(_)
            | Set::TokenSites(_)
            | Set::Playing
            | Set::If(_)
            | Set::Filter(..)
            | Set::Top(..)
            | Set::Fold(_)
            | Set::ByPiece(..)
            | Set::Path(_)
            | Set::Reach(_)
            | Set::Ends(_)
            | Set::Takes(_)
            | Set::WayTaken(_)
            | Set::Ray(_)
            | Set::Rectangle(_)
            | Set::Group(_)
            | Set::Rows(_)
            | Set::InRows(_)
            | Set::Memo(..)
            | Set::With(_) => return None,
        })
    }

    fn both(&self, both: &(Set<W>, Set<W>)) -> Option<Box<(Set<W>, Set<W>)>> {
        Some(Box::new((self.set(&both.0)?, self.set(&both.1)?)))
    }
}
