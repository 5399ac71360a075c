//! The state of lowering: what is known, where names live, tables and indexes.

use std::collections::HashMap;

use super::Gap;
use super::pieces::{Pieces, domain};
use super::program::{Bind, Home, Local, Number, Set, Sort, Table, Test};
use super::scan::Needs;
use crate::base::Word;
use crate::ir::{Attribute, Expr, Fold, Function, Game, SetOp, Slot, Ty, Value};
use crate::model::Position;
use crate::reference::Walker;

/// At most so many values are worked out for one table …
const TABLE: usize = 4_096;
/// … and for all tables of a game together.
const TABLES: usize = 40_000;
/// At most so many nodes: definitions stand where they are called.
const NODES: usize = 200_000;
/// Definitions may call each other so deeply.
const DEPTH: usize = 60;

/// What sort of value an expression has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Number,
    Truth,
    Set,
    List(Sort),
    /// The empty set, of whatever.
    Nothing,
    /// Not lowered.
    Other(&'static str),
}

/// An argument that a table goes by.
#[derive(Clone, Debug)]
pub(super) enum Arg {
    Me,
    Slot(Slot),
}

/// Lowers one game.
pub(super) struct Lower<'g, W: Word> {
    pub game: &'g Game,
    walker: &'g Walker,
    /// The empty position, in which constants are worked out.
    blank: Position,
    pub pieces: Pieces,
    pub homes: Vec<Home>,
    pub locals: [usize; 3],
    pub var_homes: Vec<Home>,
    /// What a name stands for in the definition that is being put in place.
    pub known: HashMap<Slot, Number<W>>,
    /// The same for sets.
    pub(super) known_sets: HashMap<Slot, Set<W>>,
    /// The site a path has lifted its piece from.
    pub lifted: Option<Local>,
    /// The maintained indexes: which pieces belong to each.
    pub indexes: Vec<Vec<bool>>,
    /// The maintained graphs.
    pub graphs: Vec<super::program::Graph<W>>,
    /// The definitions whose values are kept.
    pub(super) memos: Vec<super::program::Memo<W>>,
    pub(super) stale: super::program::Stale,
    /// Under which number each definition is kept, if it is.
    pub(super) kept_as: HashMap<u16, Option<u16>>,
    /// Values worked out so far.
    worked: usize,
    pub(super) nodes: usize,
    pub depth: usize,
}

impl<'g, W: Word> Lower<'g, W> {
    pub(super) fn new(walker: &'g Walker, game: &'g Game) -> Result<Self, Gap> {
        let (mut locals, mut homes) = ([0; 3], Vec::new());
        for slot in &game.slots {
            homes.push(home(&slot.ty, 1, &mut locals));
        }
        Ok(Self {
            game,
            walker,
            blank: walker.blank(),
            pieces: Pieces::of(game)?,
            homes,
            locals,
            var_homes: Vec::new(),
            known: HashMap::new(),
            known_sets: HashMap::new(),
            lifted: None,
            indexes: Vec::new(),
            graphs: Vec::new(),
            memos: Vec::new(),
            stale: super::program::Stale::default(),
            kept_as: HashMap::new(),
            worked: 0,
            nodes: 0,
            depth: 0,
        })
    }

    /// A new number among the local names.
    pub(super) fn fresh(&mut self) -> Local {
        let place = self.locals[0];
        self.locals[0] += 1;
        Local::try_from(place).unwrap_or(Local::MAX)
    }

    pub(super) fn node(&mut self) -> Result<(), Gap> {
        self.nodes += 1;
        if self.nodes > NODES { Err(Gap("definitions that grow too large when put in place")) } else { Ok(()) }
    }

    pub(super) fn number_home(&self, slot: Slot) -> Result<Local, Gap> {
        match self.homes.get(usize::from(slot)) {
            Some(Home::Number(at)) => Ok(*at),
            _ => Err(Gap("a local name for something other than a number")),
        }
    }

    /// The binding of a name to an expression.
    pub(super) fn bind(&mut self, slot: Slot, value: &Expr) -> Result<Bind<W>, Gap> {
        match self.homes.get(usize::from(slot)) {
            Some(&Home::Number(at)) => Ok(Bind::Number(at, self.number(value)?)),
            Some(&Home::Set(at)) => Ok(Bind::Set(at, self.set(value)?)),
            Some(&Home::List(at)) => Ok(Bind::List(at, self.list(value)?)),
            Some(Home::Nowhere) | None => Err(Gap("a local name for a way or a move")),
        }
    }

    pub(super) fn class(&self, expr: &Expr) -> Class {
        match expr {
            Expr::Const(value) => match value {
                Value::Int(_) | Value::Atom(_) | Value::Piece(_) => Class::Number,
                Value::Bool(_) => Class::Truth,
                Value::Set(bits) if bits.is_empty() => Class::Nothing,
                Value::Set(_) => Class::Set,
                Value::Ints(_) => Class::List(Sort::Numbers),
                Value::Pieces(_) => Class::List(Sort::Pieces),
                Value::Unset => Class::Other("a value that is not there"),
                Value::Way(_) | Value::Ways(_) => Class::Other("a way of a path that takes"),
                Value::Move(_) | Value::Moves(_) => Class::Other("a move as a value"),
            },
            Expr::Slot(slot) => self.game.slots.get(usize::from(*slot)).map_or(Class::Number, |info| class_of(&info.ty)),
            Expr::Var(var, _) => self.game.vars.get(usize::from(*var)).map_or(Class::Number, |info| class_of(&info.ty)),
            Expr::Mover
            | Expr::Me
            | Expr::Ply
            | Expr::Turn
            | Expr::Now
            | Expr::Occurrences
            | Expr::TokensAt(..)
            | Expr::Neg(_)
            | Expr::Calc(..) => Class::Number,
            Expr::Playing
            | Expr::Empty
            | Expr::Occupied
            | Expr::Pieces(..)
            | Expr::TokenSites(..) => Class::Set,
            Expr::InPhase(_)
            | Expr::Not(_)
            | Expr::IsEmpty(_)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::Same(..)
            | Expr::Compare(..)
            | Expr::Member(..)
            | Expr::Within(..)
            | Expr::Meets(..)
            | Expr::Quantified { .. } => Class::Truth,
            Expr::Zone(_) | Expr::TopOf(_) => Class::List(Sort::Pieces),
            Expr::Range(..) => Class::List(Sort::Numbers),
            Expr::List(ty, members) => match (ty, members.is_empty()) {
                (Ty::Int, _) => Class::List(Sort::Numbers),
                (_, true) => Class::Nothing,
                (Ty::Piece, _) => Class::List(Sort::Pieces),
                (ty, _) => class_of(&ty.clone().set()),
            },
            Expr::Set(_, a, b) | Expr::If(_, a, b) => match self.class(a) {
                Class::Nothing => self.class(b),
                class => class,
            },
            Expr::Aggregate { fold, body, .. } => {
                if *fold == Fold::Union {
                    self.class(body)
                } else {
                    Class::Number
                }
            }
            Expr::Top(_, set, _) | Expr::Filter(_, set, _) => self.class(set),
            Expr::After(..) => Class::Other("the position after a move"),
            Expr::Attr(attribute, _) => match attribute {
                Attribute::SiteInt(_) | Attribute::PieceKind => Class::Number,
                Attribute::SiteSeat(_) | Attribute::PieceOwner => Class::Set,
                Attribute::PieceField(_, ty) => class_of(ty),
                Attribute::KindValue(values) => class_of_values(values),
                Attribute::WayTo | Attribute::WayTaken => Class::Other("a way of a path that takes"),
            },
            Expr::Lookup(table, _) => {
                self.game.lookups.get(usize::from(*table)).map_or(Class::Number, |table| class_of_values(&table.values))
            }
            Expr::Call(function, _) => {
                self.game.functions.get(usize::from(*function)).map_or(Class::Number, |def| self.class(&def.body))
            }
            Expr::Path(path, ..) => match self.game.paths.get(usize::from(*path)) {
                Some(def) if def.takes => Class::Other("a path that takes"),
                _ => Class::Set,
            },
            Expr::Builtin(function, _) => match function {
                Function::Count
                | Function::Abs
                | Function::Greater
                | Function::Lesser
                | Function::Distance
                | Function::Following
                | Function::Preceding => Class::Number,
                Function::Around
                | Function::Toward
                | Function::Ray
                | Function::Between
                | Function::Rows
                | Function::Group
                | Function::Opponents
                | Function::Opposite => Class::Set,
                Function::Line | Function::Connected | Function::Repeats => Class::Truth,
            },
            Expr::MovesOf(_) => Class::Other("the legal moves as values"),
        }
    }

    /// The arguments an expression's value goes by, if it is the same in every
    /// position: each with how many values it has.
    pub(super) fn args(&self, expr: &Expr, apart: &[Slot]) -> Option<Vec<(Arg, usize)>> {
        let needs = Needs::of(self.game, expr);
        if needs.position {
            return None;
        }
        let mut args = Vec::new();
        if needs.me {
            args.push((Arg::Me, self.game.seats.len()));
        }
        for slot in needs.slots {
            if apart.contains(&slot) || matches!(self.known.get(&slot), Some(Number::Const(_))) {
                continue;
            }
            args.push((Arg::Slot(slot), self.slot_domain(slot)?));
        }
        Some(args)
    }

    pub(super) fn slot_domain(&self, slot: Slot) -> Option<usize> {
        let ty = &self.game.slots.get(usize::from(slot))?.ty;
        if *ty == Ty::Piece { Some(self.pieces.len()) } else { domain(self.game, ty) }
    }

    /// A number of a slot as a value of its type.
    pub(super) fn as_value(&self, slot: Slot, number: usize) -> Value {
        let ty = self.game.slots.get(usize::from(slot)).map_or(&Ty::Int, |info| &info.ty);
        match ty {
            Ty::Int => Value::Int(i64::try_from(number).unwrap_or(0)),
            Ty::Bool => Value::Bool(number != 0),
            Ty::Piece => self.pieces.get(number).cloned().map_or(Value::Unset, Value::Piece),
            _ => Value::atom_of(number),
        }
    }

    /// The number of a value; none for sets.
    pub(super) fn as_number(&self, value: &Value) -> Option<i64> {
        match value {
            Value::Int(n) => Some(*n),
            Value::Bool(b) => Some(i64::from(*b)),
            Value::Atom(n) => Some(i64::from(*n)),
            Value::Piece(piece) => self.pieces.number(Some(piece)).map(i64::from),
            Value::Unset => Some(0),
            _ => None,
        }
    }

    /// A set's value.
    pub(super) fn as_words(value: &Value) -> Option<W> {
        match value {
            Value::Set(bits) => W::from_bits(bits),
            Value::Unset => Some(W::NONE),
            other if other.clone().members().is_empty() => Some(W::NONE),
            _ => None,
        }
    }

    /// The value of an expression that no position changes, with names bound.
    pub(super) fn work_out(&mut self, expr: &Expr, bound: &[(Arg, usize)]) -> Option<Value> {
        self.worked += 1;
        if self.worked > TABLES {
            return None;
        }
        self.blank.actor = None;
        let needs = Needs::of(self.game, expr);
        for slot in needs.slots {
            if let Some(Number::Const(n)) = self.known.get(&slot) {
                let value = match self.game.slots.get(usize::from(slot)).map(|info| &info.ty) {
                    Some(Ty::Int) => Value::Int(*n),
                    _ => self.as_value(slot, usize::try_from(*n).ok()?),
                };
                self.blank.locals[usize::from(slot)] = value;
            }
        }
        for (arg, number) in bound {
            match arg {
                Arg::Me => self.blank.actor = u8::try_from(*number).ok(),
                Arg::Slot(slot) => self.blank.locals[usize::from(*slot)] = self.as_value(*slot, *number),
            }
        }
        self.walker.value(&self.blank, expr)
    }

    /// Whether the budget of values still allows a table.
    pub(super) fn affords(&self, cells: usize) -> bool {
        cells <= TABLE && self.worked + cells <= TABLES
    }

    /// An expression as a table: by its arguments if no position changes it, by the
    /// piece on a site if nothing else of the position does.
    pub(super) fn tabled<T: Clone + PartialEq>(
        &mut self,
        expr: &Expr,
        read: impl Fn(&Self, &Value) -> Option<T>,
    ) -> Result<Option<Shape<T, W>>, Gap> {
        if let Some(values) = self.by_piece(expr, &read)? {
            return Ok(Some(values));
        }
        let Some(args) = self.args(expr, &[]) else { return Ok(None) };
        let cells: usize = args.iter().map(|(_, size)| *size).product();
        if cells == 0 || !self.affords(cells) {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(cells);
        for cell in 0..cells {
            let bound = combination(&args, cell);
            let Some(value) = self.work_out(expr, &bound).and_then(|value| read(self, &value)) else {
                return Ok(None);
            };
            values.push(value);
        }
        Ok(Some(shape(self.by(&args)?, values)))
    }

    fn by_piece<T: Clone + PartialEq>(
        &mut self,
        expr: &Expr,
        read: &impl Fn(&Self, &Value) -> Option<T>,
    ) -> Result<Option<Shape<T, W>>, Gap> {
        let needs = Needs::of(self.game, expr);
        let [site] = needs.pieces_at.as_slice() else { return Ok(None) };
        let unbound = |slot: &Slot| !matches!(self.known.get(slot), Some(Number::Const(_)));
        if needs.elsewhere || needs.me || self.lifted.is_some() || needs.slots.iter().any(unbound) {
            return Ok(None);
        }
        if self.blank.sites.is_empty() || !self.affords(self.pieces.len()) {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(self.pieces.len());
        for number in 0..self.pieces.len() {
            self.blank.sites[0] = self.pieces.get(number).cloned();
            let value = self.work_out(expr, &[(Arg::Slot(*site), 0)]);
            self.blank.sites[0] = None;
            let Some(value) = value.and_then(|value| read(self, &value)) else { return Ok(None) };
            values.push(value);
        }
        Ok(Some(Shape::ByPiece(Box::new(self.slot(*site)?), values.into())))
    }

    /// The numbers a table goes by.
    pub(super) fn by(&mut self, args: &[(Arg, usize)]) -> Result<Vec<(Number<W>, usize)>, Gap> {
        let mut by = Vec::new();
        for (arg, size) in args {
            let number = match arg {
                Arg::Me => Number::Me,
                Arg::Slot(slot) => self.slot(*slot)?,
            };
            by.push((number, *size));
        }
        Ok(by)
    }

    /// The number a slot stands for.
    pub(super) fn slot(&self, slot: Slot) -> Result<Number<W>, Gap> {
        match self.known.get(&slot) {
            Some(number) => Ok(number.clone()),
            None => Ok(Number::Local(self.number_home(slot)?)),
        }
    }

    /// Lowers a definition where it is called: its parameters are bound or stand
    /// for what they are given.
    pub(super) fn call<T>(
        &mut self,
        function: u16,
        args: &[Expr],
        body: impl FnOnce(&mut Self, &Expr) -> Result<T, Gap>,
        with: impl FnOnce(Box<[Bind<W>]>, T) -> T,
    ) -> Result<T, Gap> {
        let game = self.game;
        let Some(def) = game.functions.get(usize::from(function)) else {
            return Err(Gap("a definition that is not there"));
        };
        if self.depth >= DEPTH {
            return Err(Gap("definitions that call each other too deeply"));
        }
        let mut binds = Vec::new();
        let mut given = Vec::new();
        for (&slot, arg) in def.params.iter().zip(args) {
            match self.bind(slot, arg)? {
                Bind::Number(_, number) if is_plain(&number) => given.push((slot, Some(number))),
                bind => {
                    given.push((slot, None));
                    binds.push(bind);
                }
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

    /// A maintained index for each combination of arguments. `belongs` tells which
    /// pieces are in it.
    pub(super) fn index(
        &mut self,
        args: &[(Arg, usize)],
        mut belongs: impl FnMut(&mut Self, &[(Arg, usize)], usize) -> Option<bool>,
    ) -> Result<Option<Set<W>>, Gap> {
        let cells: usize = args.iter().map(|(_, size)| *size).product();
        if cells == 0 || !self.affords(cells * self.pieces.len()) {
            return Ok(None);
        }
        let mut map = Vec::with_capacity(cells);
        for cell in 0..cells {
            let bound = combination(args, cell);
            let mut mask = vec![false; self.pieces.len()];
            for (number, place) in mask.iter_mut().enumerate().skip(1) {
                let Some(inside) = belongs(self, &bound, number) else { return Ok(None) };
                *place = inside;
            }
            map.push(self.mask_index(mask)?);
        }
        let by = self.by(args)?;
        let set = match by.as_slice() {
            [] => Set::Index(map[0]),
            [(Number::Me, _)] => Set::IndexByMe(map.into()),
            [(first, _), rest @ ..] => {
                let mut number = first.clone();
                for (next, size) in rest {
                    number = flat(number, next.clone(), *size);
                }
                Set::IndexBy(Box::new((number, map.into())))
            }
        };
        Ok(Some(match self.lifted {
            None => set,
            Some(start) => without(set, start),
        }))
    }
}

impl<W: Word> Lower<'_, W> {
    /// The index of the sites whose pieces are in a mask.
    fn mask_index(&mut self, mask: Vec<bool>) -> Result<u16, Gap> {
        let at = self.indexes.iter().position(|other| *other == mask).unwrap_or_else(|| {
            self.indexes.push(mask);
            self.indexes.len() - 1
        });
        u16::try_from(at).map_err(|_| Gap("too many indexes"))
    }

    /// Set algebra on indexes, as an index of its own.
    pub(super) fn index_algebra(&mut self, op: SetOp, a: &Set<W>, b: &Set<W>) -> Result<Option<Set<W>>, Gap> {
        let mut joined = |a: u16, b: u16| {
            let (a, b) = (&self.indexes[usize::from(a)], &self.indexes[usize::from(b)]);
            let join = |(&a, &b): (&bool, &bool)| match op {
                SetOp::Union => a || b,
                SetOp::Intersect => a && b,
                SetOp::Minus => a && !b,
            };
            let mask = a.iter().zip(b).map(join).collect();
            self.mask_index(mask)
        };
        Ok(match (a, b) {
            (Set::Index(a), Set::Index(b)) => Some(Set::Index(joined(*a, *b)?)),
            (Set::IndexByMe(map), Set::Index(b)) => {
                Some(Set::IndexByMe(map.iter().map(|&a| joined(a, *b)).collect::<Result<_, _>>()?))
            }
            (Set::Index(a), Set::IndexByMe(map)) => {
                Some(Set::IndexByMe(map.iter().map(|&b| joined(*a, b)).collect::<Result<_, _>>()?))
            }
            (Set::IndexByMe(a), Set::IndexByMe(b)) => {
                Some(Set::IndexByMe(a.iter().zip(b).map(|(&a, &b)| joined(a, b)).collect::<Result<_, _>>()?))
            }
            (Set::Index(a), Set::IndexBy(both)) => {
                let map = both.1.iter().map(|&b| joined(*a, b)).collect::<Result<_, _>>()?;
                Some(Set::IndexBy(Box::new((both.0.clone(), map))))
            }
            (Set::IndexBy(both), Set::Index(b)) => {
                let map = both.1.iter().map(|&a| joined(a, *b)).collect::<Result<_, _>>()?;
                Some(Set::IndexBy(Box::new((both.0.clone(), map))))
            }
            _ => None,
        })
    }
}

/// A set without the site a path starts from.
pub(super) fn without<W: Word>(set: Set<W>, start: Local) -> Set<W> {
    let lifted = Set::One(Box::new(Number::Local(start)));
    Set::Op(SetOp::Minus, Box::new((set, lifted)))
}

fn flat<W: Word>(a: Number<W>, b: Number<W>, size: usize) -> Number<W> {
    let size = Number::Const(i64::try_from(size).unwrap_or(1));
    let high = Number::Calc(crate::ir::IntOp::Mul, Box::new((a, size)));
    Number::Calc(crate::ir::IntOp::Add, Box::new((high, b)))
}

/// The values of the arguments in a cell of their table.
pub(super) fn combination(args: &[(Arg, usize)], mut cell: usize) -> Vec<(Arg, usize)> {
    let mut bound: Vec<(Arg, usize)> = Vec::with_capacity(args.len());
    for (arg, size) in args.iter().rev() {
        bound.push((arg.clone(), cell % size));
        cell /= size;
    }
    bound.reverse();
    bound
}

/// Whether a number may stand in several places instead of its name.
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
        _ => false,
    }
}

/// A table's node, in its shortest form.
pub(super) enum Shape<T, W: Word> {
    Const(T),
    ByMe(Box<[T]>),
    ByLocal(Local, Box<[T]>),
    ByMeAnd(Local, usize, Box<[T]>),
    ByPiece(Box<Number<W>>, Box<[T]>),
    Table(Box<Table<T, W>>),
}

pub(super) fn shape<T: Clone, W: Word>(by: Vec<(Number<W>, usize)>, mut values: Vec<T>) -> Shape<T, W>
where
    T: PartialEq,
{
    if values.len() == 1 || values.windows(2).all(|pair| pair[0] == pair[1]) {
        return Shape::Const(values.swap_remove(0));
    }
    match by.as_slice() {
        [(Number::Me, _)] => Shape::ByMe(values.into()),
        [(Number::Local(at), _)] => Shape::ByLocal(*at, values.into()),
        [(Number::Me, _), (Number::Local(at), size)] => Shape::ByMeAnd(*at, *size, values.into()),
        _ => Shape::Table(Box::new(Table { by: by.into(), values: values.into() })),
    }
}

fn class_of(ty: &Ty) -> Class {
    match ty {
        Ty::Int | Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) | Ty::Piece => Class::Number,
        Ty::Bool => Class::Truth,
        Ty::Way => Class::Other("a way of a path that takes"),
        Ty::Move => Class::Other("a move as a value"),
        Ty::Set(inner) => match **inner {
            Ty::Int => Class::List(Sort::Numbers),
            Ty::Piece => Class::List(Sort::Pieces),
            Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) => Class::Set,
            Ty::Bool | Ty::Way | Ty::Move | Ty::Set(_) => Class::Other("a set of ways, moves or sets"),
        },
    }
}

fn class_of_values(values: &[Value]) -> Class {
    let telling = values.iter().find(|value| !matches!(value, Value::Unset) && **value != Value::Set(crate::base::Bits::new()));
    match telling {
        Some(Value::Int(_) | Value::Atom(_) | Value::Piece(_)) => Class::Number,
        Some(Value::Bool(_)) => Class::Truth,
        Some(Value::Set(_)) => Class::Set,
        Some(Value::Ints(_)) => Class::List(Sort::Numbers),
        Some(_) => Class::Other("a table of ways or moves"),
        None => Class::Nothing,
    }
}

/// Where a name or variable of a type is kept, with so many places.
pub(super) fn home(ty: &Ty, places: usize, taken: &mut [usize; 3]) -> Home {
    let (sort, make): (usize, fn(Local) -> Home) = match class_of(ty) {
        Class::Number | Class::Truth => (0, Home::Number),
        Class::Set | Class::Nothing => (1, Home::Set),
        Class::List(_) => (2, Home::List),
        Class::Other(_) => return Home::Nowhere,
    };
    let first = taken[sort];
    taken[sort] += places;
    Local::try_from(first).map_or(Home::Nowhere, make)
}

/// A test's table as a node.
pub(super) fn test_of<W: Word>(shape: Shape<bool, W>) -> Test<W> {
    match shape {
        Shape::Const(value) => Test::Const(value),
        Shape::ByMe(values) => Test::ByMe(values),
        Shape::ByLocal(at, values) => Test::ByLocal(at, values),
        Shape::ByMeAnd(at, size, values) => Test::ByMeAnd(at, size, values),
        Shape::ByPiece(site, values) => Test::ByPiece(site, values),
        Shape::Table(table) => Test::Table(table),
    }
}
