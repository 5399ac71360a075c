//! Where a piece is known to lie: a move takes it only if it is there, and shows it only then.

use std::collections::BTreeSet;

use crate::ir::{
    BlockId, Expr, ExprKind, PieceLocation, PieceSelection, SetOp, Sight, Slot, Source, Stmt, StmtKind, Ty, Value,
    VarId, Viewers, Who, ZoneForm, ZoneId, ZoneRef,
};

use super::Analysis;
use super::course::{Course, place};
use super::passing::Lies;
use super::scope::{Name, Naming, Scope};

/// Definitions are looked through to this depth.
const DEEP: u8 = 8;

/// One list of a zone: its indices as far as they are known to be the same as others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    pub(super) zone: ZoneId,
    at: Vec<Index>,
}

impl Spot {
    /// Whether it is another list once the turn has passed.
    pub(super) fn passes(&self) -> bool {
        self.at.iter().any(|index| matches!(index, Index::Seat(Who::Me | Who::NotMe | Who::Mover)))
    }

    /// Whether an index of it is the acting seat.
    pub(super) fn is_own_by(&self, index: usize) -> bool {
        matches!(self.at.get(index), Some(Index::Seat(Who::Me)))
    }

    /// The names that its indices are known by.
    pub(super) fn named(&self) -> impl Iterator<Item = Slot> + '_ {
        self.at.iter().filter_map(|index| match index {
            Index::Seat(Who::Name(slot)) | Index::Name(slot) => Some(*slot),
            Index::Seat(Who::Me | Who::NotMe | Who::Mover | Who::Seat(_)) | Index::Member(_) => None,
        })
    }
}

/// An index that stays what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Index {
    Seat(Who),
    Name(Slot),
    Member(u32),
}

impl Analysis<'_> {
    /// The one list that pieces lie in, if that can be told.
    pub(super) fn whereabouts(&self, pieces: &Expr, scope: &Scope) -> Option<Spot> {
        self.lying(pieces, scope, DEEP)
    }

    fn lying(&self, pieces: &Expr, scope: &Scope, deep: u8) -> Option<Spot> {
        if *pieces.ty.element() != Ty::Piece {
            return None;
        }
        let both = |a: &Expr, b: &Expr| {
            let deep = deep.checked_sub(1)?;
            let spot = self.lying(a, scope, deep);
            spot.filter(|spot| self.lying(b, scope, deep).as_ref() == Some(spot))
        };
        if let Some(only) = pieces.sole() {
            return self.lying(only, scope, deep);
        }
        if let ExprKind::Slot(slot) = pieces.kind {
            return scope.get(slot)?.spot.clone();
        }
        if let ExprKind::Zone(zone) = &pieces.kind {
            return self.spot(zone, scope);
        }
        if let ExprKind::TopOf(list)
        | ExprKind::Filter(_, list, _)
        | ExprKind::Top(_, list, _)
        | ExprKind::Set(SetOp::Intersect | SetOp::Minus, list, _) = &pieces.kind
        {
            return self.lying(list, scope, deep);
        }
        if let ExprKind::Set(SetOp::Union, a, b) = &pieces.kind {
            return both(a, b);
        }
        if let ExprKind::If(condition, yes, no) = &pieces.kind {
            let fixed = if let ExprKind::Const(Value::Bool(holds)) = condition.kind { Some(holds) } else { None };
            return fixed.map_or_else(|| both(yes, no), |holds| self.lying(if holds { yes } else { no }, scope, deep));
        }
        if let ExprKind::Call(function, args) = &pieces.kind {
            let def = self.game.functions.get(*function)?;
            if let Some(arg) = args.first().filter(|_| def.told) {
                return self.lying(arg, scope, deep);
            }
            let mut inner = Scope::played_by(scope.acting);
            for (param, arg) in def.params.iter().zip(args) {
                let spot = self.lying(arg, scope, deep.checked_sub(1)?);
                inner.bind(*param, Name { who: self.who(arg, scope), spot, ..Name::default() });
            }
            return self.lying(&def.body, &inner, deep.checked_sub(1)?);
        }
        None
    }

    /// One list of a zone, if its indices stay what they are.
    pub(super) fn spot(&self, zone: &ZoneRef, scope: &Scope) -> Option<Spot> {
        let index = |expr: &Expr| {
            if let Some(who) = self.who(expr, scope) {
                return Some(Index::Seat(scope.plain(who)));
            }
            if let ExprKind::Const(Value::Atom(member)) = expr.kind {
                return Some(Index::Member(member));
            }
            expr.as_slot().map(Index::Name)
        };
        let at = zone.at.iter().map(index).collect::<Option<Vec<Index>>>()?;
        Some(Spot { zone: zone.zone, at })
    }

    pub(super) fn is_pile(&self, zone: ZoneId) -> bool {
        self.game.zones.get(zone).is_some_and(|info| info.form == ZoneForm::Pile)
    }

    pub(super) fn is_unordered(&self, zone: ZoneId) -> bool {
        let info = self.game.zones.get(zone);
        info.is_some_and(|info| info.form == ZoneForm::Set || !matches!(info.order_sight, Sight::All))
    }

    /// Whether these pieces are known to lie where they are moved from.
    pub(super) fn is_there(&self, pieces: &Expr, from: &PieceLocation, scope: &Scope) -> bool {
        match from {
            PieceLocation::Sites(_) => true,
            PieceLocation::Zone(zone) => {
                let spot = self.spot(zone, scope);
                spot.is_some() && self.whereabouts(pieces, scope) == spot
            }
        }
    }

    /// Whether the rules say in so many words that everybody may know it.
    pub(super) fn tells(&self, expr: &Expr) -> bool {
        let ExprKind::Call(function, _) = expr.sole().unwrap_or(expr).kind else { return false };
        self.game.functions.get(function).is_some_and(|def| def.told)
    }

    /// After a move it is known where a named piece lies that was there, but not of others that lay there.
    pub(super) fn moved(
        &self,
        selection: &PieceSelection,
        (from, to, under): (&PieceLocation, &PieceLocation, bool),
        scope: &mut Scope,
    ) {
        let named = one_of(selection).filter(|slot| scope.get(*slot).is_some_and(|name| name.spot.is_some()));
        let named =
            named.filter(|_| matches!(selection, PieceSelection::These(pieces) if self.is_there(pieces, from, scope)));
        let arrived = match to {
            PieceLocation::Sites(_) => None,
            PieceLocation::Zone(zone) => self.spot(zone, scope),
        };
        scope.lose(&place(from).into_iter().collect());
        if let Some(zone) = place(to) {
            scope.cover(Some(zone));
        }
        if let Some(slot) = named {
            scope.find(slot, arrived, if under { Lies::Among } else { Lies::Last });
        }
    }

    /// The zones that a statement may take pieces from, or change the pieces of.
    pub(super) fn disturbed(&self, kind: &StmtKind, except: Option<Slot>) -> BTreeSet<ZoneId> {
        let taken = match kind {
            StmtKind::MovePieces { selection, from, .. } => {
                place(from).filter(|_| except.is_none() || one_of(selection) != except)
            }
            StmtKind::Change(location, _) => place(location),
            StmtKind::Plays { .. } | StmtKind::Together { .. } | StmtKind::Race { .. } => {
                return self.game.zones.ids().collect();
            }
            StmtKind::Let(..)
            | StmtKind::Pick(..)
            | StmtKind::Roll(..)
            | StmtKind::Put(..)
            | StmtKind::PutTokens(..)
            | StmtKind::MoveTokens(..)
            | StmtKind::PutIn(..)
            | StmtKind::Shuffle(_)
            | StmtKind::Move(..)
            | StmtKind::Remove(_)
            | StmtKind::Swap(..)
            | StmtKind::Rotate(..)
            | StmtKind::Sow { .. }
            | StmtKind::Assign(..)
            | StmtKind::If(..)
            | StmtKind::For(..)
            | StmtKind::While(..)
            | StmtKind::Repeat(..)
            | StmtKind::Turns(..)
            | StmtKind::Phase(..)
            | StmtKind::Call(..)
            | StmtKind::Stop
            | StmtKind::Give(_)
            | StmtKind::Win(_)
            | StmtKind::Lose(_)
            | StmtKind::Draw
            | StmtKind::Rank(..)
            | StmtKind::Place(_)
            | StmtKind::Eliminate(_) => None,
        };
        let mut zones: BTreeSet<ZoneId> = taken.into_iter().collect();
        for block in kind.blocks() {
            zones.extend(self.disturbed_in(block, except));
        }
        zones
    }

    /// The same of a block.
    pub(super) fn disturbed_in(&self, block: BlockId, except: Option<Slot>) -> BTreeSet<ZoneId> {
        if let Some(known) = self.disturbing.borrow().get(&(block, except)) {
            return known.clone();
        }
        let stmts = self.game.blocks.get(block).map_or(&[][..], |block| &block.stmts);
        let all: BTreeSet<ZoneId> = stmts.iter().flat_map(|stmt| self.disturbed(&stmt.kind, except)).collect();
        self.disturbing.borrow_mut().insert((block, except), all.clone());
        all
    }

    /// Who sees the zone that a piece is moved to in any case before the next question, if it is moved to one. What a seat chose
    /// and chance drew is announced with the pieces that were face up on their way; any other piece is seen only if it stays.
    pub(super) fn laid_open(&self, block: BlockId, from: usize, slot: Slot, scope: &Scope) -> Option<Option<Viewers>> {
        let stmts = self.game.blocks.get(block)?.stmts.get(from..)?;
        let name = scope.get(slot)?;
        let zone = name.spot.as_ref()?.zone;
        for (at, Stmt { kind, .. }) in stmts.iter().enumerate() {
            if let StmtKind::MovePieces {
                selection: selection @ PieceSelection::These(pieces),
                from: source,
                to,
                under,
            } = kind
                && one_of(selection) == Some(slot)
            {
                let stays = || self.course.at(block, from + at + 1).is_some_and(|taken| !taken.contains(&place(to)));
                if !self.is_there(pieces, source, scope) || !(name.naming == Naming::Announced || stays()) {
                    return None;
                }
                return match to {
                    // Beneath others on a pile nobody sees it.
                    PieceLocation::Zone(zone) if *under && self.is_pile(zone.zone) => None,
                    // Among others in no order nobody knows which of those that came it is.
                    PieceLocation::Zone(zone) if name.blurred && self.is_unordered(zone.zone) => None,
                    PieceLocation::Zone(zone)
                        if name.naming == Naming::Drawn
                            && self.is_unordered(zone.zone)
                            && (name.spot.as_ref().is_some_and(|spot| spot.zone == zone.zone)
                                || !self.comes_alone(zone.zone, (block, from, from + at), scope)) =>
                    {
                        None
                    }
                    PieceLocation::Zone(zone) => Some(self.zone_viewers(zone, scope)),
                    PieceLocation::Sites(_) => self.hidden.is_empty().then_some(None),
                };
            }
            let found = if let StmtKind::If(condition, yes, no) = kind {
                let branch = |block: BlockId| self.laid_open(block, 0, slot, scope);
                match (&condition.kind, no) {
                    (ExprKind::Const(Value::Bool(true)), _) => branch(*yes),
                    (ExprKind::Const(Value::Bool(false)), Some(no)) => branch(*no),
                    (_, Some(no)) => branch(*yes).filter(|to| branch(*no).as_ref() == Some(to)),
                    (_, None) => None,
                }
            } else if let StmtKind::Call(names, body) = kind {
                let inside = names.iter().find(|(_, value)| value.as_slot() == Some(slot));
                let mut inner = scope.clone();
                for (param, arg) in names {
                    inner.bind(*param, self.let_be(arg, scope));
                }
                inside.and_then(|(inside, _)| self.laid_open(*body, 0, *inside, &inner))
            } else {
                None
            };
            // It may have gone, so that nothing shows it any more.
            if found.is_some() || self.asks(kind) || self.disturbed(kind, None).contains(&zone) {
                return found;
            }
        }
        None
    }

    /// Whether a piece that is moved to a zone is for certain all that comes there between two questions. It is moved by a statement of
    /// a block; the first one here follows the draw.
    fn comes_alone(&self, zone: ZoneId, (block, first, at): (BlockId, usize, usize), scope: &Scope) -> bool {
        let between = self.game.blocks.get(block).and_then(|block| block.stmts.get(first..at)).unwrap_or_default();
        let calm = between.iter().all(|stmt| matches!(stmt.kind, StmtKind::Let(..) | StmtKind::Assign(..)));
        let course = self.mingling.get_or_init(|| Course::of(self.game, true));
        let later = course.at(block, at + 1).is_none_or(|taken| taken.contains(&Some(zone)));
        calm && !later && !scope.fresh.mixes(zone)
    }

    /// Whether nothing of a variable is read here but the one value that this is the index of.
    pub(super) fn reads_alone(&self, expr: &Expr, var: VarId, at: &[Expr], scope: &Scope) -> bool {
        if let ExprKind::Var(other, index) = &expr.kind
            && *other == var
        {
            return index.len() == at.len() && index.iter().zip(at).all(|(a, b)| self.alike(a, b, scope));
        }
        let mut leaf = true;
        let mut alone = true;
        expr.children(&mut |part, _| {
            leaf = false;
            alone = alone && self.reads_alone(part, var, at, scope);
        });
        if leaf || matches!(expr.kind, ExprKind::Call(..)) {
            return !self.value(expr, scope).secrets().any(|secret| secret.source == Source::Var(var));
        }
        alone
    }

    /// Whether two expressions are the same for certain.
    fn alike(&self, a: &Expr, b: &Expr, scope: &Scope) -> bool {
        let all = |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.alike(a, b, scope));
        match (&a.kind, &b.kind) {
            (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
            (ExprKind::Slot(a), ExprKind::Slot(b)) => a == b,
            (ExprKind::Var(a, at), ExprKind::Var(b, to)) => a == b && all(at, to),
            (ExprKind::Lookup(a, at), ExprKind::Lookup(b, to)) => a == b && all(at, to),
            (ExprKind::Builtin(a, at), ExprKind::Builtin(b, to)) => a == b && all(at, to),
            (ExprKind::Call(a, at), ExprKind::Call(b, to)) => a == b && all(at, to),
            (_, _) => self.who(a, scope).is_some_and(|who| self.who(b, scope) == Some(who)),
        }
    }
}

/// The name of the only piece that is moved.
fn one_of(selection: &PieceSelection) -> Option<Slot> {
    let PieceSelection::These(pieces) = selection else { return None };
    let only = pieces.sole().unwrap_or(pieces);
    only.as_slot().filter(|_| only.ty == Ty::Piece)
}
