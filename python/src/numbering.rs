//! A fixed numbering of actions: every move has the same number in every position of the game.
//!
//! Each action has a block of numbers, in the order of the rules, and each question in the middle of
//! a move one more. Within a block the parameters are the digits of a number, the last one changing
//! fastest. A parameter that cannot be counted beforehand (a number without constant limits, what a
//! way takes, a set) is no digit: moves that differ in nothing else are told apart by their order
//! among the legal moves, for which the block keeps some places.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use regelwerk::ir::{
    Action, ActionRef, Asked, Expr, ExprKind, Function, Game, Header, Move, Piece, SetOp, Slot, Ty, Value,
};
use regelwerk::model::{Ask, Engine, StmtRef};

use super::fault;

/// The places kept for moves that differ in what a way takes only.
const WAYS: usize = 8;

/// The places kept for moves that differ in another parameter that is no digit.
const FREE: usize = 32;

/// More different pieces than these are no digit.
const PIECES: usize = 4096;

/// What a parameter can be.
#[derive(Clone, Debug)]
enum Digit {
    /// A numbered value.
    Atom(usize),
    Bool,
    Int(i64, i64),
    /// Where a way ends.
    Way(usize),
    /// A piece by its kind: the first number of each kind, the sizes of owner and fields.
    Piece(Vec<(usize, Vec<usize>)>, usize),
    /// Not counted.
    Free,
}

/// A block of numbers.
#[derive(Clone, Debug)]
struct Group {
    name: String,
    first: usize,
    digits: Vec<Digit>,
    places: usize,
}

/// The numbering of the actions of a game.
#[derive(Clone, Debug)]
pub(crate) struct Numbering {
    /// An act in a race has the number of its action: neither its time nor its seat, which is the one that is asked.
    actions: Vec<Option<Group>>,
    /// Questions to seats in the middle of a move.
    picks: BTreeMap<StmtRef, Group>,
    /// Passing, declining, waiting.
    others: [Group; 3],
    size: usize,
    chance: usize,
}

/// More legal moves than the numbering has places for.
#[derive(Clone, Debug)]
pub(crate) struct Overflow(String);

impl Overflow {
    /// As an exception.
    pub(crate) fn raise(&self, py: Python<'_>) -> PyErr {
        let message = format!("the numbering of actions has not enough places for `{}`", self.0);
        fault::unfit(py, &message, "use `State.legal` and `State.play`, which need no numbers")
    }
}

impl Digit {
    fn new(game: &Game, ty: &Ty, set: &Expr, all: usize) -> Self {
        match ty {
            Ty::Int => range(set, all)
                .filter(|(low, high)| high - low < 4096)
                .map_or(Self::Free, |(low, high)| Self::Int(low, high)),
            Ty::Bool => Self::Bool,
            Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) => Self::Atom(atoms(game, ty)),
            Ty::Way => Self::Way(game.topology.sites.len()),
            Ty::Piece => pieces(game),
            Ty::Move | Ty::Set(_) => Self::Free,
        }
    }

    /// How many values it has.
    fn size(&self) -> usize {
        match self {
            Self::Atom(count) | Self::Way(count) | Self::Piece(_, count) => *count,
            Self::Bool => 2,
            Self::Int(low, high) => usize::try_from(high - low + 1).unwrap_or(1),
            Self::Free => 1,
        }
    }

    /// The places needed for what it does not tell.
    fn places(&self) -> usize {
        match self {
            Self::Way(_) => WAYS,
            Self::Free => FREE,
            Self::Atom(_) | Self::Bool | Self::Int(..) | Self::Piece(..) => 1,
        }
    }

    /// The digit of a value, if it is one of those counted.
    fn of(&self, value: &Value) -> Option<usize> {
        let digit = match (self, value) {
            (Self::Atom(_), Value::Atom(n)) => *n as usize,
            (Self::Bool, Value::Bool(truth)) => usize::from(*truth),
            (Self::Int(low, _), Value::Int(n)) => usize::try_from(n - low).ok()?,
            (Self::Way(_), Value::Way(way)) => way.to as usize,
            (Self::Piece(kinds, _), Value::Piece(piece)) => piece_number(kinds, piece)?,
            (Self::Free, _) => 0,
            (_, _) => return None,
        };
        (digit < self.size()).then_some(digit)
    }
}

/// How many values a numbered type has.
fn atoms(game: &Game, ty: &Ty) -> usize {
    match ty {
        Ty::Seat => game.seats.len(),
        Ty::Site => game.topology.sites.len(),
        Ty::Dir => game.topology.directions.len(),
        Ty::Kind => game.kinds.len(),
        Ty::Enum(number) => game.enums.get(*number).map_or(0, |info| info.members.len()),
        Ty::Bool => 2,
        Ty::Int | Ty::Piece | Ty::Way | Ty::Move | Ty::Set(_) => 0,
    }
}

/// The least and the greatest number of a set of numbers, if they are constant or a count: there are `all` pieces.
fn range(set: &Expr, all: usize) -> Option<(i64, i64)> {
    match &set.kind {
        ExprKind::Const(value) => {
            let members = value.clone().members();
            let numbers = || members.iter().map(Value::int);
            numbers().min().zip(numbers().max())
        }
        ExprKind::Range(low, high) => match (&low.kind, &high.kind) {
            (ExprKind::Const(Value::Int(low)), ExprKind::Const(Value::Int(high))) if low <= high => Some((*low, *high)),
            (ExprKind::Const(Value::Int(low)), ExprKind::Builtin(Function::Count, _)) => {
                i64::try_from(all).ok().filter(|high| low <= high).map(|high| (*low, high))
            }
            (_, _) => None,
        },
        ExprKind::Set(SetOp::Minus | SetOp::Intersect, whole, _) => range(whole, all),
        _ => None,
    }
}

/// All pieces there can be, if they can be counted.
fn pieces(game: &Game) -> Digit {
    let (mut kinds, mut count) = (Vec::new(), 0);
    for kind in &game.kinds {
        let mut sizes = vec![game.seats.len() + 1];
        for field in &kind.fields {
            match atoms(game, &field.ty) {
                0 => return Digit::Free,
                size => sizes.push(size),
            }
        }
        kinds.push((count, sizes.clone()));
        count += sizes.iter().product::<usize>();
        if count > PIECES {
            return Digit::Free;
        }
    }
    Digit::Piece(kinds, count)
}

fn piece_number(kinds: &[(usize, Vec<usize>)], piece: &Piece) -> Option<usize> {
    let (first, sizes) = kinds.get(usize::from(piece.kind))?;
    let owner = piece.owner.map_or(0, |seat| usize::from(seat) + 1);
    let mut number = 0;
    let fields = piece.fields.iter().map(|value| usize::try_from(*value));
    for (size, digit) in sizes.iter().zip(std::iter::once(Ok(owner)).chain(fields)) {
        let digit = digit.ok().filter(|digit| digit < size)?;
        number = number * size + digit;
    }
    Some(first + number)
}

impl Group {
    fn new(name: String, first: usize, digits: Vec<Digit>) -> Self {
        let places = digits.iter().map(Digit::places).max().unwrap_or(1);
        Self { name, first, digits, places }
    }

    fn size(&self) -> usize {
        self.digits.iter().map(Digit::size).product::<usize>() * self.places
    }

    /// The first of the places of a move.
    fn number<'v>(&self, args: impl Iterator<Item = &'v Value>) -> Option<usize> {
        let mut number = 0;
        for (digit, value) in self.digits.iter().zip(args) {
            number = number * digit.size() + digit.of(value)?;
        }
        Some(self.first + number * self.places)
    }
}

impl Numbering {
    /// The numbering of a game.
    pub(crate) fn new(engine: &dyn Engine) -> Self {
        let game = engine.game();
        let mut next = 0;
        let mut block = |name: String, digits: Vec<Digit>| {
            let group = Group::new(name, next, digits);
            next += group.size();
            group
        };
        let stmts = || {
            game.blocks
                .numbered()
                .flat_map(|(block, inner)| (0_u16..).zip(&inner.stmts).map(move |(at, stmt)| ((block, at), &stmt.kind)))
        };
        // A shuffle has one outcome for each piece of the zone at most, and after the setup all lie about.
        let opening = engine.opening();
        let on_zones: usize = opening.zones.iter().flatten().map(Vec::len).sum();
        let pieces = on_zones + opening.sites.iter().flatten().count();
        let offered: Vec<ActionRef> = stmts().flat_map(|(_, kind)| kind.groups()).flatten().copied().collect();
        let each = game.actions.numbered().map(|(number, action)| {
            // What is offered nowhere has no numbers.
            let is_offered = offered.contains(&ActionRef::Action(number));
            is_offered.then(|| block(action.name.clone(), parameters(game, action, pieces).collect()))
        });
        let actions = each.collect();
        let (mut picks, mut chance) = (BTreeMap::new(), 0);
        for (at, kind) in stmts() {
            let digit = kind
                .choice_or_roll()
                .and_then(|(slot, set, _)| Some((slot, Digit::new(game, slot_type(game, slot)?, set, pieces))));
            match (kind.asks(), digit) {
                (Some(Asked::Seat), Some((slot, digit))) => {
                    let name = game.slots.get(slot).map_or("", |slot| slot.name.as_str());
                    picks.insert(at, block(format!("pick {name}"), vec![digit]));
                }
                (Some(Asked::Chance), Some((_, digit))) => chance = chance.max(digit.size() * digit.places()),
                (Some(Asked::Chance), None) => chance = chance.max(pieces),
                (Some(Asked::Seat) | None, _) => {}
            }
        }
        let others = ["pass", "decline", "wait"].map(|name| block(name.to_owned(), Vec::new()));
        Self { actions, picks, others, size: next, chance }
    }

    /// How many numbers there are.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The most outcomes of a question to chance.
    pub(crate) fn chance(&self) -> usize {
        self.chance
    }

    /// The blocks: name, first number, size.
    pub(crate) fn groups(&self) -> Vec<(String, usize, usize)> {
        let all = self.actions.iter().flatten().chain(self.picks.values()).chain(&self.others);
        let mut groups: Vec<_> = all.map(|group| (group.name.clone(), group.first, group.size())).collect();
        groups.sort_by_key(|(_, first, _)| *first);
        groups
    }

    /// The numbers of all legal moves of a position, in order.
    pub(crate) fn numbers<'m>(&self, ask: &Ask, legal: impl Iterator<Item = &'m Move>) -> Result<Vec<usize>, Overflow> {
        let mut used = Vec::new();
        legal.map(|mv| self.number(ask, mv, &mut used)).collect()
    }

    /// The number of a legal move. `used` has the first places of those before it that keep more than one.
    pub(crate) fn number(&self, ask: &Ask, mv: &Move, used: &mut Vec<usize>) -> Result<usize, Overflow> {
        let group = match (mv.action, ask) {
            (ActionRef::Action(action) | ActionRef::Race(action), _) => {
                self.actions.get(usize::from(action)).and_then(Option::as_ref)
            }
            (ActionRef::Pick, Ask::Pick { at, .. }) => self.picks.get(at),
            (ActionRef::Pick, _) => None,
            (ActionRef::Pass, _) => self.others.first(),
            (ActionRef::Decline, _) => self.others.get(1),
            (ActionRef::Wait, _) => self.others.get(2),
        };
        let overflow = || Overflow(group.map_or_else(|| "chance".to_owned(), |group| group.name.clone()));
        let group = group.ok_or_else(overflow)?;
        // The first arguments of an act in a race are its seat and its time.
        let skipped = if matches!(mv.action, ActionRef::Race(_)) { 2 } else { 0 };
        let number = group.number(mv.args.iter().skip(skipped)).ok_or_else(overflow)?;
        if group.places == 1 {
            return Ok(number);
        }
        let before = used.iter().filter(|other| **other == number).count();
        used.push(number);
        if before < group.places { Ok(number + before) } else { Err(overflow()) }
    }
}

fn parameters<'g>(game: &'g Game, action: &'g Action, pieces: usize) -> impl Iterator<Item = Digit> + 'g {
    action.head.iter().filter_map(move |line| match line {
        Header::Choose(choice) => Some(Digit::new(game, slot_type(game, choice.slot)?, &choice.set, pieces)),
        Header::Let(..) | Header::Require(..) | Header::Prefer(..) => None,
    })
}

fn slot_type(game: &Game, slot: Slot) -> Option<&Ty> {
    game.slots.get(slot).map(|info| &info.ty)
}
