//! Lowering of expressions whose values are numbers or truth values.

use super::Gap;
use super::class::{Class, gap};
use super::index::without;
use super::lower::Lower;
use super::program::{Args, Cell, Counter, Home, Loop, Number, Pools, Set, Source, Table, Test};
use super::table::{Shape, test_of};
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
            return Ok(match table {
                Shape::Const(n) => Number::Const(n),
                Shape::ByMe(values) => Number::ByMe(values),
                Shape::ByLocal(at, values) => Number::ByLocal(at, values),
                Shape::ByMeAnd(at, size, values) => Number::ByMeAnd(at, size, values),
                Shape::ByPiece(site, values) => Number::ByPiece(site, values),
                Shape::Table(table) => Number::Table(table),
            });
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
                match self.set(at)? {
                    Set::One(site) => Number::TokensAt(Box::new((pools, *site))),
                    sites => Number::Tokens(Box::new((pools, sites))),
                }
            }
            ExprKind::Neg(inner) => Number::Neg(Box::new(self.number(inner)?)),
            ExprKind::Calc(op, a, b) => Number::Calc(*op, Box::new((self.number(a)?, self.number(b)?))),
            ExprKind::If(condition, a, b) => match self.test(condition)? {
                Test::Const(true) => self.number(a)?,
                Test::Const(false) => self.number(b)?,
                test => Number::If(Box::new((test, self.number(a)?, self.number(b)?))),
            },
            ExprKind::Aggregate { fold, body, binders, filter } if *fold != Fold::Union => {
                let over = self.loops(binders, filter.as_deref())?;
                Number::Fold(*fold, Box::new((over, self.number(body)?)))
            }
            ExprKind::Attr(attribute, of) => self.number_attribute(attribute, of)?,
            ExprKind::Lookup(table, args) => {
                let (by, values) = self.lookup(*table, args, Self::as_number)?;
                Number::Table(Box::new(Table { by, values }))
            }
            ExprKind::Call(function, args) => {
                if let Some((memo, args)) = self.memo(*function, args)? {
                    return Ok(Number::Memo(memo, args));
                }
                self.call(*function, args, Self::number, |binds, body| Number::With(Box::new((binds, body))))?
            }
            ExprKind::Builtin(function, args) => self.number_builtin(*function, args)?,
            _ if expr.ty == Ty::Bool => Number::Truth(Box::new(self.test(expr)?)),
            _ => return Err(gap(expr, "an expression that is no number")),
        })
    }

    fn number_attribute(&mut self, attribute: &Attribute, of: &Expr) -> Result<Number<W>, Gap> {
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
                let ways = self.directions(args.get(2))?;
                Number::Distance(Box::new((self.number(arg(0)?)?, self.number(arg(1)?)?, ways)))
            }
            _ => return Err(Gap("a function that gives no number")),
        })
    }

    /// The given directions, or all.
    pub(super) fn directions(&mut self, said: Option<&Expr>) -> Result<Set<W>, Gap> {
        match said {
            Some(said) => self.set(said),
            None => Ok(Set::Const(W::all(self.game.topology.directions.len()))),
        }
    }

    /// Lowers `and`, else `or`. If the first operand decides, the second is not lowered.
    fn joined(&mut self, all: bool, a: &Expr, b: &Expr) -> Result<Test<W>, Gap> {
        let first = match self.test(a)? {
            Test::Const(value) if value == all => return self.test(b),
            Test::Const(value) => return Ok(Test::Const(value)),
            first => first,
        };
        Ok(match self.test(b)? {
            Test::Const(value) if value == all => first,
            Test::Const(value) => Test::Const(value),
            second if all => Test::And(Box::new((first, second))),
            second => Test::Or(Box::new((first, second))),
        })
    }

    /// Lowers an expression whose value is a truth value.
    pub(super) fn test(&mut self, expr: &Expr) -> Result<Test<W>, Gap> {
        self.node()?;
        if !matches!(expr.kind, ExprKind::Const(_) | ExprKind::Slot(_))
            && let Some(table) = self.tabled(expr, |_, value| Some(value.truth()))?
        {
            return Ok(test_of(table));
        }
        Ok(match &expr.kind {
            ExprKind::Const(value) => Test::Const(value.truth()),
            ExprKind::InPhase(phase) => Test::InPhase(*phase),
            ExprKind::CanPlay(seat, actions) => {
                Test::CanPlay(Box::new((self.number(seat)?, actions.clone().into_boxed_slice())))
            }
            ExprKind::Not(inner) => match self.test(inner)? {
                Test::Const(value) => Test::Const(!value),
                inner => Test::Not(Box::new(inner)),
            },
            ExprKind::And(a, b) => self.joined(true, a, b)?,
            ExprKind::Or(a, b) => self.joined(false, a, b)?,
            ExprKind::If(condition, a, b) => match self.test(condition)? {
                Test::Const(true) => self.test(a)?,
                Test::Const(false) => self.test(b)?,
                test => Test::If(Box::new((test, self.test(a)?, self.test(b)?))),
            },
            ExprKind::IsEmpty(inner) => {
                if let Class::List(_) = Class::of(inner) {
                    Test::NoneIn(Box::new(self.list(inner)?))
                } else {
                    Test::NoneOf(Box::new(self.set(inner)?))
                }
            }
            ExprKind::Same(a, b) => self.same(a, b)?,
            ExprKind::Compare(order, a, b) => Test::Compare(*order, Box::new((self.number(a)?, self.number(b)?))),
            ExprKind::Member(member, set) => {
                let number = self.number(member)?;
                match (Class::of(set), &set.kind) {
                    (_, ExprKind::Range(a, b)) => Test::InRange(Box::new((number, self.number(a)?, self.number(b)?))),
                    (Class::List(_), _) => Test::InList(Box::new((number, self.list(set)?))),
                    _ => Test::In(Box::new((number, self.set(set)?))),
                }
            }
            ExprKind::Within(a, b) => {
                if lists(a, b) {
                    Test::WithinList(Box::new((self.list(a)?, self.list(b)?)))
                } else {
                    Test::Within(Box::new((self.set(a)?, self.set(b)?)))
                }
            }
            ExprKind::Meets(a, b) => {
                if lists(a, b) {
                    Test::MeetsList(Box::new((self.list(a)?, self.list(b)?)))
                } else {
                    Test::Meets(Box::new((self.set(a)?, self.set(b)?)))
                }
            }
            ExprKind::Quantified { all, binders, filter, body } => {
                let over = self.loops(binders, filter.as_deref())?;
                Test::Quantified(*all, Box::new((over, self.test(body)?)))
            }
            ExprKind::Call(function, args) => {
                if let Some((memo, args)) = self.memo(*function, args)? {
                    return Ok(Test::Memo(memo, args));
                }
                self.call(*function, args, Self::test, |binds, body| Test::With(Box::new((binds, body))))?
            }
            ExprKind::Lookup(table, args) => {
                let (by, values) = self.lookup(*table, args, |_, value| Some(value.truth()))?;
                Test::Table(Box::new(Table { by, values }))
            }
            ExprKind::Builtin(function, args) => {
                let arg = |n: usize| args.get(n).ok_or(Gap("a function without its argument"));
                match function {
                    Function::Line => {
                        let (set, length) = (self.set(arg(0)?)?, self.number(arg(1)?)?);
                        match self.windows(&length) {
                            Some(rows) => Test::Row(Box::new((set, rows))),
                            None => Test::Line(Box::new((set, length))),
                        }
                    }
                    Function::Connected => {
                        let ways = self.directions(args.get(3))?;
                        let sets = [self.set(arg(0)?)?, self.set(arg(1)?)?, self.set(arg(2)?)?, ways];
                        Test::Connected(Box::new(sets))
                    }
                    Function::Repeats => {
                        self.counts(Counter::History);
                        Test::Repeats(self.number(arg(0)?)?)
                    }
                    _ => return Err(Gap("a function that gives no truth value")),
                }
            }
            ExprKind::Slot(_) | ExprKind::Var(..) | ExprKind::Attr(..) => Test::Number(self.truth_number(expr)?),
            _ => return Err(gap(expr, "an expression that is no truth value")),
        })
    }

    /// A truth value represented as a number.
    fn truth_number(&mut self, expr: &Expr) -> Result<Number<W>, Gap> {
        match &expr.kind {
            ExprKind::Slot(slot) => self.slot(*slot),
            ExprKind::Var(var, indices) => Ok(Number::Var(Box::new(self.var(*var, indices)?))),
            ExprKind::Attr(attribute, of) => self.number_attribute(attribute, of),
            _ => Err(Gap("an expression that is no truth value")),
        }
    }

    fn same(&mut self, a: &Expr, b: &Expr) -> Result<Test<W>, Gap> {
        let (class_a, class_b) = (Class::of(a), Class::of(b));
        Ok(match (class_a, class_b) {
            (Class::Other(what), _) | (_, Class::Other(what)) => return Err(Gap(what)),
            (Class::List(_), _) | (_, Class::List(_)) => Test::SameList(Box::new((self.list(a)?, self.list(b)?))),
            (Class::Set, _) | (_, Class::Set) => Test::SameSet(Box::new((self.set(a)?, self.set(b)?))),
            (Class::Truth, Class::Truth) => Test::Iff(Box::new((self.test(a)?, self.test(b)?))),
            (Class::Number | Class::Truth, Class::Number | Class::Truth) => match (self.number(a)?, self.number(b)?) {
                (Number::Const(n), other) | (other, Number::Const(n)) => Test::Is(Box::new(other), n),
                both => Test::Equal(Box::new(both)),
            },
        })
    }

    /// Lowers binders and their filter.
    pub(super) fn loops(&mut self, binders: &[Binder], filter: Option<&Expr>) -> Result<Loop<W>, Gap> {
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
            BinderSet::PiecesAt(sites) => match (self.set(sites)?, self.lifted) {
                (Set::One(site), None) => Source::PieceAt(*site),
                (sites, None) => Source::PiecesAt(sites),
                (sites, Some(start)) => Source::PiecesAt(without(sites, start)),
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
        Ok(Cell { first, at: self.indices(indices, &info.indices)? })
    }

    pub(super) fn zone(&mut self, zone: &ZoneRef) -> Result<Cell<W>, Gap> {
        let game = self.game;
        let before = game.zones.iter().take(usize::from(zone.zone));
        let first: usize = before.map(|zone| zone.indices.iter().map(|(_, size)| *size).product::<usize>()).sum();
        let info = game.zones.get(zone.zone).ok_or(Gap("a zone that is not there"))?;
        let first = u32::try_from(first).map_err(|_| Gap("too many zones"))?;
        Ok(Cell { first, at: self.indices(&zone.at, &info.indices)? })
    }

    fn indices(&mut self, exprs: &[Expr], sizes: &[(Ty, usize)]) -> Result<Args<W>, Gap> {
        exprs.iter().zip(sizes).map(|(expr, (_, size))| Ok((self.number(expr)?, *size))).collect()
    }

    /// A declared table with its index expressions.
    pub(super) fn lookup<T>(
        &mut self,
        table: TableId,
        args: &[Expr],
        read: impl Fn(&Self, &Value) -> Option<T>,
    ) -> Result<(Args<W>, Box<[T]>), Gap> {
        let game = self.game;
        let lookup = game.lookups.get(table).ok_or(Gap("a table that is not there"))?;
        let mut by = Vec::new();
        for (arg, size) in args.iter().zip(&lookup.sizes) {
            by.push((self.number(arg)?, *size));
        }
        let values: Option<Box<[T]>> = lookup.values.iter().map(|value| read(self, value)).collect();
        Ok((by.into(), values.ok_or(Gap("a table of ways, moves or lists"))?))
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
            Owner::Seat(seat) => match Class::of(seat) {
                Class::Number => Pools::Of(base, self.number(seat)?),
                _ => Pools::All(base, self.set(seat)?),
            },
        })
    }
}

fn lists(a: &Expr, b: &Expr) -> bool {
    matches!(Class::of(a), Class::List(_)) || matches!(Class::of(b), Class::List(_))
}
