//! What was put in secret: a piece whose kind or fields somebody chose, rolled or worked out where not everybody sees it. Its
//! like is not among the pieces that change places, so it is drawn anew.

use std::collections::{BTreeMap, BTreeSet};

use super::seed::Stream;
use crate::base::SaturatingFrom;
use crate::ir::{
    Attribute, BlockId, Expr, ExprKind, Game, Header, Piece, PieceExpr, SeatId, Slot, StmtKind, Ty, Value, VarId,
};

/// Names, definitions and variables are looked through to this depth.
const DEEP: u8 = 6;

/// Longer lists of values are cut off.
const MANY: usize = 1000;

/// So many expressions are looked at for all that a game puts: rules that people write take some dozens.
const WORK: u32 = 20_000;

/// What a number may be that the rules do not list.
const UNLISTED: std::ops::RangeInclusive<i64> = 0..=9;

/// What pieces may be that were put in secret.
#[derive(Clone, Debug, Default)]
pub(super) struct Redrawn {
    /// The kinds, each with the others that it may be instead.
    kinds: BTreeMap<usize, BTreeSet<usize>>,
    /// The kinds of which pieces were put for a seat that is not a fixed one, with those that it may be.
    owners: BTreeMap<usize, BTreeSet<usize>>,
    /// The fields by name, with the numbers that they may hold.
    fields: BTreeMap<String, Vec<i32>>,
    /// Whether the rules say more of it than the list does: it is better found by enacting the game again.
    pub(super) enacted: bool,
}

impl Redrawn {
    /// What the rules of a game put in secret.
    pub(super) fn of(game: &Game) -> Self {
        let mut found = Self::default();
        let mut listing = Listing { game, given: BTreeMap::new(), work: WORK };
        for (block, body) in game.blocks.numbered() {
            for (at, stmt) in body.stmts.iter().enumerate() {
                let on_board = matches!(stmt.kind, StmtKind::Put(..));
                if let StmtKind::Put(piece, _) | StmtKind::PutIn(piece, ..) = &stmt.kind {
                    found.put(&mut listing, (block, at), piece, on_board);
                }
                for (number, (name, value)) in stmt.kind.fields().iter().enumerate() {
                    if game.knowledge.veiled.contains(&(block, at, Some(number))) {
                        found.set(&mut listing, name, value);
                    }
                }
            }
        }
        for numbers in found.fields.values_mut() {
            numbers.sort_unstable();
            numbers.dedup();
        }
        found
    }

    fn put(&mut self, listing: &mut Listing<'_>, (block, at): (BlockId, usize), piece: &PieceExpr, on_board: bool) {
        let game = listing.game;
        // What comes to a board where everybody sees it is as it is seen.
        let lies_open = |kind: &Value| game.kinds.nth(kind.atom()).is_some_and(|kind| !kind.hides());
        if !game.knowledge.veiled.contains(&(block, at, None))
            || on_board && listing.values(&piece.kind, DEEP).is_some_and(|kinds| kinds.iter().all(lies_open))
        {
            return;
        }
        self.enacted = true;
        let listed = listing.values(&piece.kind, DEEP);
        let kinds: BTreeSet<usize> = match listed {
            Some(values) => values.iter().map(Value::atom).collect(),
            None => (0..game.kinds.len()).collect(),
        };
        if let Some(owner) = piece.owner.seat() {
            let owners: BTreeSet<usize> = match listing.values(owner, DEEP) {
                Some(values) => values.iter().map(Value::atom).collect(),
                None => (0..game.seats.len()).collect(),
            };
            for &kind in &kinds {
                self.owners.entry(kind).or_default().extend(&owners);
            }
        }
        // One of two ways may put this kind, and the other another.
        let class = |kind: usize| game.kinds.nth(kind).map(|kind| kind.class.as_deref());
        let alike: BTreeSet<usize> = self.kinds.keys().copied().chain(kinds).collect();
        for &kind in &alike {
            let others = alike.iter().copied().filter(|other| class(*other) == class(kind));
            self.kinds.entry(kind).or_default().extend(others);
        }
    }

    fn set(&mut self, listing: &mut Listing<'_>, name: &str, value: &Expr) {
        self.enacted |= value.as_slot().is_none_or(|slot| numbers_of(listing.game, slot).is_empty());
        let numbers = self.fields.entry(name.to_owned()).or_default();
        match listing.values(value, DEEP) {
            Some(values) => numbers.extend(values.iter().map(number)),
            None => numbers.extend(UNLISTED.map(i32::saturating_from)),
        }
    }

    /// Draws the owner of a piece anew, if that is not seen.
    pub(super) fn redraw_owner(&self, piece: &mut Piece, dice: &mut Stream) {
        if let Some(owners) = self.owners.get(&usize::from(piece.kind)).filter(|_| piece.owner.is_some())
            && let Some(owner) = owners.iter().nth(dice.below(owners.len()))
        {
            piece.owner = Some(SeatId::new(*owner));
        }
    }

    /// Draws a piece anew that is seen from the back.
    pub(super) fn redraw(&self, game: &Game, piece: &mut Piece, dice: &mut Stream) {
        if let Some(others) = self.kinds.get(&usize::from(piece.kind))
            && let Some((id, kind)) =
                others.iter().nth(dice.below(others.len())).and_then(|other| game.kinds.numbered().nth(*other))
        {
            if id != piece.kind {
                piece.fields = kind.fields.iter().map(|field| field.default).collect();
            }
            piece.kind = id;
        }
        let fields = game.kinds.get(piece.kind).map_or(&[][..], |kind| &kind.fields);
        for (field, place) in fields.iter().zip(&mut piece.fields) {
            if let Some(numbers) = self.fields.get(&field.name)
                && let Some(number) = numbers.get(dice.below(numbers.len()))
            {
                *place = *number;
            }
        }
    }
}

/// The values a name is chosen or rolled from, where the rules list them.
pub(super) fn numbers_of(game: &Game, slot: Slot) -> Vec<Value> {
    let chosen = game.choices_and_rolls().find(|(name, ..)| *name == slot);
    chosen.and_then(|(_, set, _)| listed(set)).unwrap_or_default()
}

/// The members of a set, where the rules list them; of many numbers the first.
pub(super) fn listed(set: &Expr) -> Option<Vec<Value>> {
    if let ExprKind::Const(set) = &set.kind {
        return Some(set.clone().members());
    }
    let ExprKind::Range(a, b) = &set.kind else { return None };
    match (&a.kind, &b.kind) {
        (ExprKind::Const(Value::Int(a)), ExprKind::Const(Value::Int(b))) => {
            Some((*a..=*b).take(1000).map(Value::Int).collect())
        }
        (_, _) => None,
    }
}

/// A value as a field holds it.
fn number(value: &Value) -> i32 {
    if let Value::Int(number) = value {
        return i32::saturating_from(*number);
    }
    if let Value::Bool(truth) = value { i32::from(*truth) } else { i32::saturating_from(value.atom()) }
}

/// Lists what an expression may be, where the rules list what it is made from.
struct Listing<'g> {
    game: &'g Game,
    /// What parameters of definitions stand for.
    given: BTreeMap<Slot, Vec<Value>>,
    /// How many expressions may still be looked at.
    work: u32,
}

impl Listing<'_> {
    /// All values, and perhaps more; none if they are not listed, or too many.
    fn values(&mut self, expr: &Expr, deep: u8) -> Option<Vec<Value>> {
        let deep = deep.checked_sub(1)?;
        self.work = self.work.checked_sub(1)?;
        if let Some(only) = expr.sole() {
            return self.values(only, deep);
        }
        if let ExprKind::Const(value) = &expr.kind {
            return Some(if matches!(expr.ty, Ty::Set(_)) { value.clone().members() } else { vec![value.clone()] });
        }
        if let ExprKind::Slot(slot) = expr.kind {
            return self.named(slot, deep);
        }
        if let ExprKind::Var(var, _) = expr.kind {
            return self.held(var, deep);
        }
        if let ExprKind::If(_, yes, no) = &expr.kind {
            let mut all = self.values(yes, deep)?;
            all.extend(self.values(no, deep)?);
            return few(all);
        }
        if let ExprKind::Calc(op, a, b) = &expr.kind {
            let (a, b) = (self.values(a, deep)?, self.values(b, deep)?);
            if a.len() * b.len() > MANY {
                return None;
            }
            let both = a.iter().flat_map(|a| b.iter().map(move |b| Value::Int(op.of(a.int(), b.int()))));
            return few(both.collect());
        }
        if let ExprKind::Lookup(table, _) = expr.kind {
            return few(self.game.lookups.get(table)?.values.kinds().to_vec());
        }
        if let ExprKind::Attr(Attribute::KindValue(table), of) = &expr.kind
            && *of.ty.element() == Ty::Kind
        {
            let kinds = self.values(of, deep);
            let of_kind = |kind: &Value| table.get(kind.atom()).cloned().unwrap_or_default();
            return few(kinds.map_or_else(|| table.clone(), |kinds| kinds.iter().map(of_kind).collect()));
        }
        if let ExprKind::Call(function, args) = &expr.kind {
            let def = self.game.functions.get(*function)?;
            for (param, arg) in def.params.iter().zip(args) {
                let values = self.values(arg, deep).unwrap_or_default();
                self.given.insert(*param, values);
            }
            return self.values(&def.body, deep);
        }
        None
    }

    /// What a name may stand for: what is chosen or rolled, what it is given, or a member of what a loop goes through.
    fn named(&mut self, slot: Slot, deep: u8) -> Option<Vec<Value>> {
        if let Some(given) = self.given.get(&slot) {
            return (!given.is_empty()).then(|| given.clone());
        }
        let chosen = numbers_of(self.game, slot);
        if !chosen.is_empty() {
            return few(chosen);
        }
        let game = self.game;
        // All of them are looked through for the name.
        self.work = self.work.checked_sub(u32::saturating_from(game.blocks.len()))?;
        let mut all = Vec::new();
        let heads =
            game.actions.iter().chain(game.claims.iter().map(|claim| &claim.action)).flat_map(|action| &action.head);
        for line in heads {
            if let Header::Let(name, value, _) | Header::Late(name, value, _) = line
                && *name == slot
            {
                all.extend(self.values(value, deep)?);
            }
        }
        for stmt in game.blocks.iter().flat_map(|block| &block.stmts) {
            if let StmtKind::Let(name, value) = &stmt.kind
                && *name == slot
            {
                all.extend(self.values(value, deep)?);
            }
            if let StmtKind::Call(names, _) = &stmt.kind {
                for (_, value) in names.iter().filter(|(name, _)| *name == slot) {
                    all.extend(self.values(value, deep)?);
                }
            }
            if let StmtKind::For(name, over, ..) = &stmt.kind
                && *name == slot
            {
                all.extend(listed(over.set())?);
            }
        }
        few(all)
    }

    /// What a variable may hold.
    fn held(&mut self, var: VarId, deep: u8) -> Option<Vec<Value>> {
        let game = self.game;
        let mut all = vec![game.vars.get(var)?.init.clone()];
        for stmt in game.blocks.iter().flat_map(|block| &block.stmts) {
            if let StmtKind::Assign(to, _, value) = &stmt.kind
                && *to == var
            {
                all.extend(self.values(value, deep)?);
            }
        }
        few(all)
    }
}

/// At least one value and not too many, each once.
fn few(mut values: Vec<Value>) -> Option<Vec<Value>> {
    values.sort();
    values.dedup();
    (!values.is_empty() && values.len() <= MANY).then_some(values)
}
