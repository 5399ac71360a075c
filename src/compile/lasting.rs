//! Actions whose trials are kept: what a move does, and whether its guards hold, stays the same until something that
//! its trial inspected changes. Guards that count how often the position has occurred are tested anew; the key of the
//! position after the move is that of the position before it, changed as it was in the trial.

use super::inspect::Scope;
use super::lower::Lower;
use super::memo::{CELLS, MOST};
use super::program::{Action, Body, Code, Head, Lasting, Make, Memo, OpKind, Owned, Values};
use crate::base::Word;
use crate::ir::{self, BlockId, Dependencies, Expr, ExprKind, FnId, Game, Read, StmtKind, Ty};

/// The maximum depth of nested blocks and definitions.
const DEPTH: usize = 64;

/// How the trials of an action are kept, if they can be.
pub(super) fn lasting<W: Word>(
    lower: &mut Lower<'_, W>,
    action: &ir::Action,
    lowered: &mut Action<W>,
    code: &mut [Code<W>],
) -> Option<Lasting> {
    let game = lower.game;
    let [Head::Choose(slot, local, Values::Set(_))] = lowered.head.as_ref() else { return None };
    let (slot, local) = (*slot, *local);
    let size = lower.slot_domain(slot).filter(|_| game.slots.get(slot).is_some_and(|slot| slot.ty == Ty::Site))?;
    let seats = game.seats.len();
    let taken_apart = lowered.ensure.len() != action.ensure.len();
    if !lowered.reversible
        || taken_apart
        || size * seats > CELLS
        || lower.memos.len() >= MOST
        || !game.tokens.is_empty()
    {
        return None;
    }
    let counting: Box<[bool]> = action.ensure.iter().map(|(guard, _)| counts(game, guard, &mut vec![], 0)).collect();
    if lowered.looks && !counting.contains(&true) || counting.iter().all(|counting| *counting) {
        return None;
    }
    let mut reads = Vec::new();
    let others = action.ensure.iter().zip(&counting).filter(|(_, counting)| !**counting);
    others.for_each(|((guard, _), _)| reads.extend(Dependencies::of(game, guard).reads));
    read_by(game, action.body, &mut reads, 0)?;
    if reads.iter().any(|read| matches!(read, Read::Legal | Read::Other)) {
        return None;
    }
    let guards = lowered.ensure.iter_mut().zip(&counting).filter(|(_, counting)| !**counting).map(|(guard, _)| guard);
    let mut scope = Scope::at(local, &lower.memos);
    if !scope.block(code, lowered.trial, 0) || !guards.into_iter().all(|guard| scope.test(guard)) {
        return None;
    }
    let inspects = scope.inspects([local].into());
    let number = u16::try_from(lower.memos.len()).ok()?;
    reads.retain(|read| *read != Read::Sites);
    lower.mark_stale(&reads, 1 << number);
    let params = [(local, size)].into();
    lower.memos.push(Memo { params, seats: Some(seats), body: Body::Trial, inspects: Some(inspects), guard: false });
    Some(Lasting { number, size, counting })
}

/// What the effects read, apart from what they assign.
fn read_by(game: &Game, block: BlockId, reads: &mut Vec<Read>, depth: usize) -> Option<()> {
    for stmt in &game.blocks.get(block).filter(|_| depth < DEPTH)?.stmts {
        if !matches!(stmt.kind, StmtKind::Assign(..)) {
            stmt.kind.exprs(&mut |expr| reads.extend(Dependencies::of(game, expr).reads));
            stmt.kind.blocks().try_for_each(|inner| read_by(game, inner, reads, depth + 1))?;
        }
    }
    Some(())
}

/// Whether a guard depends only on how often the position, or the whole board with nothing else, has occurred. What `seen`
/// names was found to, since nothing is looked at after what does not.
fn counts(game: &Game, guard: &Expr, seen: &mut Vec<FnId>, depth: usize) -> bool {
    if depth >= DEPTH {
        return false;
    }
    if let ExprKind::Call(function, args) = &guard.kind {
        let found = seen.contains(function);
        if !found {
            seen.push(*function);
        }
        let def = game.functions.get(*function).filter(|_| args.is_empty());
        return def.is_some_and(|def| found || counts(game, &def.body, seen, depth + 1));
    }
    let mut inner = |expr: &Expr| counts(game, expr, seen, depth + 1);
    if let ExprKind::OccurrencesOf(part) = &guard.kind {
        let whole = |part: &ir::Part| part.sites.count() == game.topology.sites.len();
        return game.parts.get(*part).is_some_and(whole);
    }
    if let ExprKind::Not(a) | ExprKind::Neg(a) = &guard.kind {
        return inner(a);
    }
    if let ExprKind::And(a, b)
    | ExprKind::Or(a, b)
    | ExprKind::Same(a, b)
    | ExprKind::Compare(_, a, b)
    | ExprKind::Calc(_, a, b) = &guard.kind
    {
        return inner(a) && inner(b);
    }
    matches!(guard.kind, ExprKind::Const(_) | ExprKind::Occurrences)
}

impl<W: Word> Scope<'_, W> {
    /// Effects that put pieces on sites that are inspected, and nothing else.
    fn block(&mut self, code: &mut [Code<W>], block: BlockId, depth: usize) -> bool {
        let Some(place) = code.get_mut(usize::from(block)).filter(|_| depth < DEPTH) else { return false };
        let mut ops = std::mem::take(&mut place.ops);
        let settled = ops.iter_mut().all(|op| self.op(code, &mut op.kind, depth));
        if let Some(place) = code.get_mut(usize::from(block)) {
            place.ops = ops;
        }
        settled
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "only effects on sites are followed")]
    fn op(&mut self, code: &mut [Code<W>], kind: &mut OpKind<W>, depth: usize) -> bool {
        match kind {
            OpKind::Nothing => true,
            OpKind::Put(make, sites) => self.made(make) && self.members(sites),
            OpKind::Remove(sites) => self.members(sites),
            OpKind::MoveSite(from, to) => self.site(from) && self.site(to),
            OpKind::Let(_, bind) => self.binds(std::slice::from_mut(bind)),
            OpKind::Do(body) => self.block(code, *body, depth + 1),
            OpKind::If(test, yes, no) => {
                self.test(test)
                    && self.block(code, *yes, depth + 1)
                    && no.is_none_or(|no| self.block(code, no, depth + 1))
            }
            _ => false,
        }
    }

    fn made(&mut self, make: &mut Make<W>) -> bool {
        match make {
            Make::Known(_) => true,
            Make::Of(kind, owner, fields) => {
                let owned = match owner {
                    Owned::Me | Owned::Nobody => true,
                    Owned::First(seats) => self.closed(seats),
                };
                owned && self.number(kind) && fields.iter_mut().all(|(_, value)| self.number(value))
            }
        }
    }
}
