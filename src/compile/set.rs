//! Lowering of expressions whose values are sets of atoms.
//!
//! Two things make sets fast: filters become set algebra where they can, and sets of sites that depend only on the
//! pieces there become maintained indexes.

use super::Gap;
use super::class::{Class, gap};
use super::index::replace_me;
use super::lower::Lower;
use super::path::{is_name, reach};
use super::program::{Number, Set, Table};
use super::table::{Arg, Shape, shape};
use crate::base::{SaturatingFrom, Word};
use crate::ir::Dependencies;
use crate::ir::{Attribute, Binder, BinderSet, Expr, ExprKind, Fold, Function, Owner, SetOp, Slot, Value};

impl<W: Word> Lower<'_, W> {
    /// Lowers an expression whose value is a set of atoms.
    pub(super) fn set(&mut self, expr: &Expr) -> Result<Set<W>, Gap> {
        self.node()?;
        let sole = expr.sole().is_some_and(|only| matches!(only.kind, ExprKind::Slot(_) | ExprKind::Me));
        let short = sole || matches!(expr.kind, ExprKind::Const(_) | ExprKind::Slot(_));
        if !short && let Some(table) = self.tabled(expr, |_, value| Self::as_words(value))? {
            return Ok(set_of(table));
        }
        Ok(match &expr.kind {
            ExprKind::Const(value) => {
                Set::Const(Self::as_words(value).ok_or(Gap("a set of other than numbered values"))?)
            }
            ExprKind::Slot(slot) if self.known_sets.contains_key(slot) => self.known_sets[slot].clone(),
            ExprKind::Slot(slot) => match self.homes.get(usize::from(*slot)) {
                Some(super::program::Home::Set(at)) => Set::Local(*at),
                _ => return Err(Gap("a local name that is no set")),
            },
            ExprKind::Var(var, indices) => Set::Var(Box::new(self.var(*var, indices)?)),
            ExprKind::Playing => Set::Playing,
            ExprKind::Empty => self.vacated(SetOp::Union, Set::Empty)?,
            ExprKind::Occupied => self.vacated(SetOp::Minus, Set::Occupied)?,
            ExprKind::Pieces(owner, kinds) => self.pieces_set(owner, kinds)?,
            ExprKind::TokenSites(tokens, owner) => Set::TokenSites(Box::new(self.pools(*tokens, owner)?)),
            ExprKind::Set(op, a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                match self.index_algebra(*op, &a, &b)? {
                    Some(index) => index,
                    None => reach(combine(*op, a, b)),
                }
            }
            ExprKind::List(members) => match members.as_slice() {
                [] => Set::Const(W::NONE),
                [only] => Set::One(Box::new(self.number(only)?)),
                many => Set::Some(many.iter().map(|member| self.number(member)).collect::<Result<_, _>>()?),
            },
            ExprKind::If(condition, a, b) => match self.test(condition)?.settled() {
                Ok(true) => self.set(a)?,
                Ok(false) => self.set(b)?,
                Err(test) => Set::If(Box::new((test, self.set(a)?, self.set(b)?))),
            },
            ExprKind::Filter(slot, set, condition) => {
                let set = self.set(set)?;
                self.restrict(*slot, set, condition)?
            }
            ExprKind::Top(slot, set, by) => {
                let set = self.set(set)?;
                Set::Top(self.number_home(*slot)?, Box::new((set, self.number(by)?)))
            }
            ExprKind::Aggregate { fold: Fold::Union, body, binders, filter } => {
                self.union(body, binders, filter.as_deref())?
            }
            ExprKind::Attr(attribute, of) => self.set_attribute(attribute, of)?,
            ExprKind::Lookup(table, args) => {
                let (by, values) =
                    self.lookup(*table, args, |lower| &mut lower.tables.sets, |_, value| Self::as_words(value))?;
                Set::Table(Box::new(Table { by, values }))
            }
            ExprKind::Call(function, args) => {
                if let Some((memo, args)) = self.memo(*function, args)? {
                    return Ok(Set::Memo(memo, args));
                }
                self.call(*function, args, Self::set, |binds, body| Set::With(Box::new((binds, body))))?
            }
            ExprKind::Path(path, from, args) => self.ends(*path, from, args)?,
            ExprKind::Builtin(function, args) => self.set_builtin(*function, args)?,
            ExprKind::Mover
            | ExprKind::Me
            | ExprKind::Ply
            | ExprKind::Turn
            | ExprKind::Now
            | ExprKind::Occurrences
            | ExprKind::OccurrencesOf(_)
            | ExprKind::InPhase(_)
            | ExprKind::Zone(_)
            | ExprKind::TopOf(_)
            | ExprKind::TokensAt(..)
            | ExprKind::Not(_)
            | ExprKind::IsEmpty(_)
            | ExprKind::Neg(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Same(..)
            | ExprKind::Compare(..)
            | ExprKind::Calc(..)
            | ExprKind::Member(..)
            | ExprKind::Within(..)
            | ExprKind::Meets(..)
            | ExprKind::Range(..)
            | ExprKind::Quantified { .. }
            | ExprKind::After(..)
            | ExprKind::MovesOf(_)
            | ExprKind::CanPlay(..)
            | ExprKind::Aggregate { .. } => return Err(gap(expr, "an expression that is no set")),
        })
    }

    /// A set with or without the sites that paths have lifted their pieces from, unless tokens lie there.
    fn vacated(&mut self, op: SetOp, mut set: Set<W>) -> Result<Set<W>, Gap> {
        let game = self.game;
        for start in self.lifted.clone() {
            let mut site = Set::One(Box::new(Number::Local(start)));
            for (tokens, _) in game.tokens.numbered() {
                let there = Set::TokenSites(Box::new(self.pools(tokens, &Owner::Anyone)?));
                site = combine(SetOp::Minus, site, there);
            }
            set = Set::Op(op, Box::new((set, site)));
        }
        Ok(set)
    }

    fn set_attribute(&mut self, attribute: &Attribute, of: &Expr) -> Result<Set<W>, Gap> {
        let values: Option<Vec<W>> = match attribute {
            Attribute::SiteSeat(table) | Attribute::KindValue(table) => table.iter().map(Self::as_words).collect(),
            Attribute::PieceOwner => {
                let owner = |n: usize| self.pieces.get(n).and_then(|piece| piece.owner);
                Some(
                    (0..self.pieces.len())
                        .map(|n| owner(n).map_or(W::NONE, |seat| W::one(usize::from(seat))))
                        .collect(),
                )
            }
            Attribute::WayTaken => return Ok(Set::WayTaken(Box::new(self.number(of)?))),
            Attribute::WayTo | Attribute::SiteInt(_) | Attribute::PieceKind | Attribute::PieceField(..) => None,
        };
        let values = values.ok_or(Gap("an attribute that is no set"))?;
        let by = vec![(self.number(of)?, values.len())];
        Ok(set_of(shape(by, values)))
    }

    fn set_builtin(&mut self, function: Function, args: &[Expr]) -> Result<Set<W>, Gap> {
        let arg = |n: usize| args.get(n).ok_or(Gap("a function without its argument"));
        self.loops += usize::from(matches!(function, Function::Rows | Function::Group));
        Ok(match function {
            Function::Around => {
                let ways = self.directions(args.get(1))?;
                Set::Around(Box::new((self.set(arg(0)?)?, ways)))
            }
            Function::Toward => Set::Toward(Box::new((self.set(arg(0)?)?, self.directions(args.get(1))?))),
            Function::Ray => {
                self.rays = true;
                Set::Ray(Box::new((self.set(arg(0)?)?, self.set(arg(1)?)?)))
            }
            Function::Between => Set::Between(Box::new((self.number(arg(0)?)?, self.number(arg(1)?)?))),
            Function::Rectangle => Set::Rectangle(Box::new((self.number(arg(0)?)?, self.number(arg(1)?)?))),
            Function::Rows => {
                let (set, length) = (self.set(arg(0)?)?, self.number(arg(1)?)?);
                match self.row_table(&length) {
                    Some(rows) => Set::InRows(Box::new((set, rows))),
                    None => Set::Rows(Box::new((set, length))),
                }
            }
            Function::Group => {
                let ways = self.directions(args.get(2))?;
                Set::Group(Box::new([self.set(arg(0)?)?, self.set(arg(1)?)?, ways]))
            }
            Function::Opponents => combine(SetOp::Minus, Set::Playing, self.set(arg(0)?)?),
            Function::Opposite => {
                let (all, ways) = (self.game.topology.directions.len(), self.set(arg(0)?)?);
                let back = (0..all).map(|way| self.game.topology.reverses(way).collect()).collect();
                self.of_each(ways, back)?
            }
            Function::Count
            | Function::Abs
            | Function::Greater
            | Function::Lesser
            | Function::Distance
            | Function::Line
            | Function::Connected
            | Function::Following
            | Function::Preceding
            | Function::Repeats => return Err(Gap("a function that gives no set")),
        })
    }

    /// The sites with pieces of some kinds and owners: an index.
    fn pieces_set(&mut self, owner: &Owner, kinds: &Expr) -> Result<Set<W>, Gap> {
        let Some(mut args) = self.args(kinds, &[]) else {
            return Err(Gap("kinds of piece that a position tells"));
        };
        let seats = self.game.seats.len();
        let mut many = None;
        let whose = match owner {
            Owner::Anyone => None,
            Owner::Me | Owner::Others => Some(Number::Me),
            Owner::Seat(seat) if Class::of(seat) == Class::Number => Some(self.number(seat)?),
            Owner::Seat(seats) => {
                many = Some(self.set(seats)?);
                None
            }
        };
        let others = matches!(owner, Owner::Others);
        if let Some(seats_set) = many {
            // One index per seat, and their union over the seats concerned.
            let name = self.fresh()?;
            let one = self.owned_index(&mut args, kinds, Some(Number::Local(name)), false, seats)?;
            let over = super::program::Loop {
                over: vec![(name, super::program::Source::Set(seats_set))].into(),
                filter: None,
            };
            return Ok(Set::Fold(Box::new((over, one))));
        }
        self.owned_index(&mut args, kinds, whose, others, seats)
    }

    fn owned_index(
        &mut self,
        args: &mut Vec<(Arg, usize)>,
        kinds: &Expr,
        whose: Option<Number<W>>,
        others: bool,
        seats: usize,
    ) -> Result<Set<W>, Gap> {
        let given = args.len();
        // The seat is an extra argument after those of the kinds.
        let fixed = match whose {
            None | Some(Number::Const(_)) => whose.clone(),
            Some(_) => {
                args.push((Arg::Me, seats));
                None
            }
        };
        let kinds = kinds.clone();
        let mut sets: Vec<Option<Value>> = Vec::new();
        let combos: usize = args[..given].iter().map(|(_, size)| *size).product();
        for cell in 0..combos {
            let bound = super::table::combination(&args[..given], cell);
            sets.push(self.work_out(&kinds, &bound));
        }
        let sizes: Vec<usize> = args[..given].iter().map(|(_, size)| *size).collect();
        let index = self.index(args, |lower, bound, number| {
            let cell = bound[..given].iter().zip(&sizes).fold(0, |cell, ((_, at), size)| cell * size + at);
            let kinds = sets.get(cell)?.clone()?.into_set();
            let piece = lower.pieces.get(number)?;
            let seat = match (&fixed, bound.get(given)) {
                (Some(Number::Const(seat)), _) => Some(usize::try_from(*seat).ok()?),
                (_, Some((_, seat))) => Some(*seat),
                (_, None) => None,
            };
            let owner = piece.owner.map(usize::from);
            let fits = match (seat, owner) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(seat), Some(owner)) => (seat == owner) != others,
            };
            Some(fits && kinds.contains(usize::from(piece.kind)))
        })?;
        let index = index.ok_or(Gap("a set of pieces with too many cases"))?;
        // `Me` was a placeholder for the seat concerned.
        Ok(match whose {
            None | Some(Number::Me | Number::Const(_)) => index,
            Some(seat) => replace_me(index, &seat),
        })
    }

    /// A union over binders. Where the last two range over sites and the pieces there, and only the piece matters, it
    /// is an index.
    fn union(&mut self, body: &Expr, binders: &[Binder], filter: Option<&Expr>) -> Result<Set<W>, Gap> {
        if let [looked, site, piece] = binders
            && let Some(found) = self.by_looked(looked, site, piece, body, filter)?
        {
            return Ok(found);
        }
        if let [rest @ .., site, piece] = binders
            && let (BinderSet::Members(sites), BinderSet::PiecesAt(at)) = (&site.over, &piece.over)
            && is_name(at, site.slot)
            && is_name(body, site.slot)
            && Class::of(sites) == Class::Set
            && let Some(index) = self.piece_index(piece.slot, site.slot, filter)?
        {
            let over = self.loops(rest, None)?;
            let sites = self.set(sites)?;
            let found = match self.index_algebra(SetOp::Intersect, &sites, &index)? {
                Some(index) => index,
                None => combine(SetOp::Intersect, sites, index),
            };
            return Ok(if over.over.is_empty() { found } else { Set::Fold(Box::new((over, found))) });
        }
        if let ([Binder { slot, over: BinderSet::Members(ways) }], None) = (binders, filter)
            && let (ExprKind::Path(path, from, args), ExprKind::Attr(Attribute::WayTaken, of)) =
                (&ways.kind, &body.kind)
            && of.as_slot() == Some(*slot)
        {
            return Ok(Set::Takes(Box::new(self.track(*path, from, args)?)));
        }
        let over = self.loops(binders, filter)?;
        let body = self.set(body)?;
        Ok(Set::Fold(Box::new((over, body))))
    }

    /// Sites selected by their piece and the piece on one other site: an index for each piece there.
    fn by_looked(
        &mut self,
        looked: &Binder,
        site: &Binder,
        piece: &Binder,
        body: &Expr,
        filter: Option<&Expr>,
    ) -> Result<Option<Set<W>>, Gap> {
        let (BinderSet::PiecesAt(there), BinderSet::Members(sites), BinderSet::PiecesAt(at)) =
            (&looked.over, &site.over, &piece.over)
        else {
            return Ok(None);
        };
        let Some(there) = there.sole().and_then(Expr::as_slot) else { return Ok(None) };
        let apart = [looked.slot, site.slot, piece.slot];
        let shaped = is_name(at, site.slot) && is_name(body, site.slot) && Class::of(sites) == Class::Set;
        if !shaped || !self.lifted.is_empty() || Dependencies::of(self.game, sites).any_of(&apart) {
            return Ok(None);
        }
        let number = self.slot(there)?;
        let numbers = (0..self.pieces.len()).map(i64::saturating_from).collect();
        let old = self.known.insert(looked.slot, Number::ByPiece(Box::new(number), numbers));
        let index = self.piece_index(piece.slot, site.slot, filter);
        match old {
            Some(number) => self.known.insert(looked.slot, number),
            None => self.known.remove(&looked.slot),
        };
        let Some(index) = index? else { return Ok(None) };
        // If that site is empty, the result must be empty.
        let Set::IndexBy(both) = &index else { return Ok(None) };
        let none = both.1.first().and_then(|&first| self.indexes.get(usize::from(first)));
        if !matches!(both.0, Number::ByPiece(..)) || none.is_none_or(|mask| mask.iter().any(|&inside| inside)) {
            return Ok(None);
        }
        let sites = self.set(sites)?;
        Ok(Some(match self.index_algebra(SetOp::Intersect, &sites, &index)? {
            Some(index) => index,
            None => combine(SetOp::Intersect, sites, index),
        }))
    }

    fn piece_index(&mut self, piece: Slot, site: Slot, filter: Option<&Expr>) -> Result<Option<Set<W>>, Gap> {
        let Some(filter) = filter else {
            return self.index(&[], |_, _, _| Some(true));
        };
        if Dependencies::of(self.game, filter).any_of(&[site]) {
            return Ok(None);
        }
        let (Some(args), Some(())) = (self.args(filter, &[piece]), self.settle(filter)) else { return Ok(None) };
        let filter = filter.clone();
        self.index(&args, |lower, bound, number| {
            let mut bound = bound.to_vec();
            bound.push((Arg::Slot(piece), number));
            lower.value_for(&filter, &bound).map(|value| value.truth())
        })
    }
}

/// Set algebra, folding constants.
pub(super) fn combine<W: Word>(op: SetOp, a: Set<W>, b: Set<W>) -> Set<W> {
    match (op, a, b) {
        (SetOp::Union, Set::Const(a), Set::Const(b)) => Set::Const(a.or(b)),
        (SetOp::Intersect, Set::Const(a), Set::Const(b)) => Set::Const(a.and(b)),
        (SetOp::Minus, Set::Const(a), Set::Const(b)) => Set::Const(a.minus(b)),
        (SetOp::Union, Set::Const(none), other) | (SetOp::Union | SetOp::Minus, other, Set::Const(none))
            if none.is_empty() =>
        {
            other
        }
        (SetOp::Intersect, Set::Const(none), _) | (SetOp::Intersect, _, Set::Const(none)) if none.is_empty() => {
            Set::Const(W::NONE)
        }
        (SetOp::Minus, Set::Const(none), _) if none.is_empty() => Set::Const(W::NONE),
        (op, a, b) => Set::Op(op, Box::new((a, b))),
    }
}

pub(super) fn set_of<W: Word>(shape: Shape<W, W>) -> Set<W> {
    match shape {
        Shape::Const(value) => Set::Const(value),
        Shape::ByMe(values) => Set::ByMe(values),
        Shape::ByLocal(at, values) => Set::ByLocal(at, values),
        Shape::ByMeAnd(at, size, values) => Set::ByMeAnd(at, size, values),
        Shape::ByPiece(site, values) => Set::ByPiece(site, values),
        Shape::Table(table) => Set::Table(table),
    }
}
