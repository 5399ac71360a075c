//! Lowering of expressions whose values are numbers.

use std::sync::Arc;

use super::Gap;
use super::class::{Class, gap};
use super::lower::Lower;
use super::program::{Args, Cell, Counter, Home, Loop, Number, Pools, Set, Source, Table, Test};
use super::table::{Read, Shape};
use crate::base::Word;
use crate::ir::{
    Attribute, Binder, BinderSet, Expr, ExprKind, Field, Fold, Function, Owner, Piece, SetOp, TableId, TokenId, Ty,
    Value, VarId, ZoneRef,
};

impl<W: Word> Lower<'_, W> {
    /// Lowers an expression whose value is a number, an atom or a piece.
    pub(super) fn number(&mut self, expr: &Expr) -> Result<Number<W>, Gap> {
        self.node()?;
        if !matches!(expr.kind, ExprKind::Const(_) | ExprKind::Slot(_) | ExprKind::Me)
            && let Some(table) = self.tabled(expr, Self::as_number)?
        {
            return Ok(number_of(table));
        }
        Ok(match &expr.kind {
            ExprKind::Const(value) => Number::Const(self.as_number(value).ok_or(Gap("a constant that is no number"))?),
            ExprKind::Slot(slot) => self.slot(*slot)?,
            ExprKind::Var(var, indices) => Number::Var(Box::new(self.var(*var, indices)?)),
            ExprKind::Mover => Number::Mover,
            ExprKind::Me => Number::Me,
            ExprKind::Ply => {
                self.counts(Counter::Ply);
                Number::Ply
            }
            ExprKind::Turn => {
                self.counts(Counter::Turn);
                Number::Turn
            }
            ExprKind::Now => {
                self.counts(Counter::Now);
                Number::Now
            }
            ExprKind::Occurrences => {
                self.counts(Counter::History);
                Number::Occurrences
            }
            ExprKind::OccurrencesOf(part) => {
                self.counts(Counter::History);
                self.counts(Counter::Ply);
                Number::OccurrencesOf(*part)
            }
            ExprKind::TokensAt(tokens, owner, at) => {
                let pools = self.pools(*tokens, owner)?;
                let sites = self.set(at)?;
                if let Set::One(site) = sites {
                    Number::TokensAt(Box::new((pools, *site)))
                } else {
                    Number::Tokens(Box::new((pools, sites)))
                }
            }
            ExprKind::Neg(inner) => Number::Neg(Box::new(self.number(inner)?)),
            ExprKind::Calc(op, a, b) => Number::Calc(*op, Box::new((self.number(a)?, self.number(b)?))),
            ExprKind::If(condition, a, b) => match self.test(condition)?.settled() {
                Ok(true) => self.number(a)?,
                Ok(false) => self.number(b)?,
                Err(test) => Number::If(Box::new((test, self.number(a)?, self.number(b)?))),
            },
            ExprKind::Aggregate { fold, body, binders, filter } if *fold != Fold::Union => {
                let over = self.loops(binders, filter.as_deref())?;
                Number::Fold(*fold, Box::new((over, self.number(body)?)))
            }
            ExprKind::Attr(attribute, of) => self.number_attribute(attribute, of)?,
            ExprKind::Lookup(table, args) => {
                let (by, values) = self.lookup(*table, args, |lower| &mut lower.tables.numbers, Self::as_number)?;
                Number::Table(Box::new(Table { by, values }))
            }
            // A truth value is found out by a test, whose outcome is no number in machine code.
            ExprKind::Call(..) if expr.ty == Ty::Bool => Number::Truth(Box::new(self.test(expr)?)),
            ExprKind::Call(function, args) => {
                if let Some((memo, args)) = self.memo(*function, args)? {
                    return Ok(Number::Memo(memo, args));
                }
                self.call(*function, args, Self::number, |binds, body| Number::With(Box::new((binds, body))))?
            }
            ExprKind::Builtin(function, args) => self.number_builtin(*function, args)?,
            ExprKind::InPhase(_)
            | ExprKind::Not(_)
            | ExprKind::IsEmpty(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Same(..)
            | ExprKind::Compare(..)
            | ExprKind::Member(..)
            | ExprKind::Within(..)
            | ExprKind::Meets(..)
            | ExprKind::Quantified { .. }
            | ExprKind::CanPlay(..) => Number::Truth(Box::new(self.test(expr)?)),
            ExprKind::Playing
            | ExprKind::Empty
            | ExprKind::Occupied
            | ExprKind::Pieces(..)
            | ExprKind::Zone(_)
            | ExprKind::TopOf(_)
            | ExprKind::TokenSites(..)
            | ExprKind::Set(..)
            | ExprKind::List(_)
            | ExprKind::Range(..)
            | ExprKind::Aggregate { .. }
            | ExprKind::Top(..)
            | ExprKind::Filter(..)
            | ExprKind::After(..)
            | ExprKind::Path(..)
            | ExprKind::MovesOf(_) => return Err(gap(expr, "an expression that is no number")),
        })
    }

    pub(super) fn number_attribute(&mut self, attribute: &Attribute, of: &Expr) -> Result<Number<W>, Gap> {
        let values: Vec<i64> = match attribute {
            Attribute::SiteInt(table) => table.clone(),
            Attribute::KindValue(table) => {
                let number = |value| self.as_number(value).ok_or(Gap("a table whose values are no numbers"));
                table.iter().map(number).collect::<Result<_, _>>()?
            }
            Attribute::PieceKind => self.of_pieces(|piece| i64::from(piece.kind)),
            Attribute::PieceField(name, _) => {
                self.of_pieces(|piece| i64::from(self.game.field_of(piece, name).unwrap_or(Field::LACKING)))
            }
            Attribute::WayTo => return Ok(Number::WayTo(Box::new(self.number(of)?))),
            Attribute::WayTaken | Attribute::SiteSeat(_) | Attribute::PieceOwner => {
                return Err(Gap("an attribute that is no number"));
            }
        };
        let of = self.number(of)?;
        Ok(if let Number::Local(at) = of {
            Number::ByLocal(at, values.into())
        } else {
            let by = vec![(of, values.len())];
            Number::Table(Box::new(Table { by: by.into(), values: values.into() }))
        })
    }

    fn of_pieces(&self, number: impl Fn(&Piece) -> i64) -> Vec<i64> {
        let of = |n| match self.pieces.get(n) {
            Some(piece) => number(piece),
            // The empty site: any value will do.
            None => 0,
        };
        (0..self.pieces.len()).map(of).collect()
    }

    fn number_builtin(&mut self, function: Function, args: &[Expr]) -> Result<Number<W>, Gap> {
        let arg = |n: usize| args.get(n).ok_or(Gap("a function without its argument"));
        Ok(match function {
            Function::Count => {
                let inner = arg(0)?;
                match (&inner.kind, Class::of(inner)) {
                    (ExprKind::Zone(zone), _) => Number::ZoneSize(Box::new(self.zone(zone)?)),
                    (_, Class::List(_)) => Number::Length(Box::new(self.list(inner)?)),
                    _ => Number::Count(Box::new(self.set(inner)?)),
                }
            }
            Function::Abs => Number::Abs(Box::new(self.number(arg(0)?)?)),
            Function::Greater => Number::Greater(Box::new((self.number(arg(0)?)?, self.number(arg(1)?)?))),
            Function::Lesser => Number::Lesser(Box::new((self.number(arg(0)?)?, self.number(arg(1)?)?))),
            Function::Following => Number::Following(Box::new(self.number(arg(0)?)?)),
            Function::Preceding => Number::Preceding(Box::new(self.number(arg(0)?)?)),
            Function::Distance => {
                self.loops += 1;
                let ways = self.directions(args.get(2))?;
                Number::Distance(Box::new((self.number(arg(0)?)?, self.number(arg(1)?)?, ways)))
            }
            Function::Around
            | Function::Toward
            | Function::Ray
            | Function::Between
            | Function::Rectangle
            | Function::Line
            | Function::Rows
            | Function::Group
            | Function::Connected
            | Function::Opponents
            | Function::Repeats
            | Function::Opposite => return Err(Gap("a function that gives no number")),
        })
    }

    /// The given directions, or all.
    pub(super) fn directions(&mut self, said: Option<&Expr>) -> Result<Set<W>, Gap> {
        let ways = match said {
            Some(said) => self.set(said)?,
            None => Set::Const(W::all(self.game.topology.directions.len())),
        };
        if let Set::Const(ways) = ways
            && !self.near.contains(&ways)
        {
            self.near.push(ways);
        }
        Ok(ways)
    }

    /// Lowers binders and their filter.
    pub(super) fn loops(&mut self, binders: &[Binder], filter: Option<&Expr>) -> Result<Loop<W>, Gap> {
        self.loops += 1;
        let mut over = Vec::new();
        for binder in binders {
            let source = self.source(&binder.over)?;
            over.push((self.number_home(binder.slot)?, source));
        }
        let filter = filter.map(|filter| self.test(filter)).transpose()?;
        Ok(Loop { over: over.into(), filter: filter.filter(|test| !matches!(test, Test::Const(true))) })
    }

    /// What a binder ranges over.
    pub(super) fn source(&mut self, over: &BinderSet) -> Result<Source<W>, Gap> {
        Ok(match over {
            BinderSet::Members(set) => match Class::of(set) {
                Class::List(_) => Source::List(self.list(set)?),
                Class::Other(what) => return Err(Gap(what)),
                Class::Set | Class::Number | Class::Truth => Source::Set(self.set(set)?),
            },
            BinderSet::PiecesAt(sites) => match (self.set(sites)?, self.lifted.is_empty()) {
                (Set::One(site), true) => Source::PieceAt(*site),
                (sites, _) => Source::PiecesAt(self.without_lifted(sites)),
            },
        })
    }

    pub(super) fn var(&mut self, var: VarId, indices: &[Expr]) -> Result<Cell<W>, Gap> {
        let game = self.game;
        let info = game.vars.get(var).ok_or(Gap("a variable that is not there"))?;
        let first = match self.var_homes.get(usize::from(var)) {
            Some(Home::Number(at) | Home::Set(at) | Home::List(at)) => u32::from(*at),
            _ => return Err(Gap("a variable for moves")),
        };
        Ok(settled(Cell { first, at: self.indices(indices, &info.indices)? }))
    }

    pub(super) fn zone(&mut self, zone: &ZoneRef) -> Result<Cell<W>, Gap> {
        let game = self.game;
        let before = game.zones.iter().take(usize::from(zone.zone));
        let first: usize = before.map(|zone| zone.indices.iter().map(|(_, size)| *size).product::<usize>()).sum();
        let info = game.zones.get(zone.zone).ok_or(Gap("a zone that is not there"))?;
        let first = u32::try_from(first).map_err(|_| Gap("too many zones"))?;
        Ok(settled(Cell { first, at: self.indices(&zone.at, &info.indices)? }))
    }

    fn indices(&mut self, exprs: &[Expr], sizes: &[(Ty, usize)]) -> Result<Args<W>, Gap> {
        exprs.iter().zip(sizes).map(|(expr, (_, size))| Ok((self.number(expr)?, *size))).collect()
    }

    /// A declared table with its index expressions.
    pub(super) fn lookup<T>(
        &mut self,
        table: TableId,
        args: &[Expr],
        known: impl Fn(&mut Self) -> &mut Read<T>,
        read: impl Fn(&Self, &Value) -> Option<T>,
    ) -> Result<(Args<W>, Arc<[T]>), Gap> {
        let game = self.game;
        let lookup = game.lookups.get(table).ok_or(Gap("a table that is not there"))?;
        let mut by = Vec::new();
        for (arg, size) in args.iter().zip(&lookup.sizes) {
            by.push((self.number(arg)?, *size));
        }
        if let Some(values) = known(self).get(&table) {
            return Ok((by.into(), values.clone()));
        }
        let values: Option<Arc<[T]>> = lookup.values.iter().map(|value| read(self, value)).collect();
        let values = values.ok_or(Gap("a table of ways, moves or lists"))?;
        known(self).insert(table, values.clone());
        Ok((by.into(), values))
    }

    /// The pools of tokens of an owner.
    pub(super) fn pools(&mut self, tokens: TokenId, owner: &Owner) -> Result<Pools<W>, Gap> {
        let (game, seats) = (self.game, self.game.seats.len());
        let before = game.tokens.iter().take(usize::from(tokens));
        let base: usize = before.map(|tokens| if tokens.owned { seats } else { 1 }).sum();
        let base = u16::try_from(base).map_err(|_| Gap("too many pools of tokens"))?;
        if !game.tokens.get(tokens).is_some_and(|tokens| tokens.owned) {
            return Ok(Pools::One(base));
        }
        let everybody = Set::Const(W::all(seats));
        Ok(match owner {
            Owner::Me => Pools::Mine(base),
            Owner::Others => {
                let me = Set::One(Box::new(Number::Me));
                Pools::All(base, Set::Op(SetOp::Minus, Box::new((everybody, me))))
            }
            Owner::Anyone => Pools::All(base, everybody),
            Owner::Seat(seat) if Class::of(seat) == Class::Number => Pools::Of(base, self.number(seat)?),
            Owner::Seat(seats) => Pools::All(base, self.set(seats)?),
        })
    }
}

fn number_of<W: Word>(table: Shape<i64, W>) -> Number<W> {
    match table {
        Shape::Const(n) => Number::Const(n),
        Shape::ByMe(values) => Number::ByMe(values),
        Shape::ByLocal(at, values) => Number::ByLocal(at, values),
        Shape::ByMeAnd(at, size, values) => Number::ByMeAnd(at, size, values),
        Shape::ByPiece(site, values) => Number::ByPiece(site, values),
        Shape::Table(table) => Number::Table(table),
    }
}

/// A cell whose place is known at load if its indices are.
fn settled<W: Word>(cell: Cell<W>) -> Cell<W> {
    let place = cell.at.iter().try_fold(0_usize, |place, (number, size)| {
        let Number::Const(n) = number else { return None };
        usize::try_from(*n).ok().filter(|n| n < size).map(|n| place * size + n)
    });
    match place.and_then(|place| u32::try_from(place).ok()) {
        Some(place) => Cell { first: cell.first + place, at: Box::default() },
        None => cell,
    }
}
