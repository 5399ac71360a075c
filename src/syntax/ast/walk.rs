//! What stands directly in an expression, a path, a statement or an item, in the order of the text.

use super::expr::{Binder, Expr, ExprKind, Path, PathKind, Whose};
use super::item::{Given, HexShape, Item, ItemKind, Shape, Sight};
use super::part::{EditKind, PartEdit};
use super::stmt::{PieceSelection, PieceSpec, Stmt, StmtKind, TokenSpec};

fn owner(whose: &Whose) -> Option<&Expr> {
    if let Whose::Of(seat) = whose { Some(seat) } else { None }
}

fn seen_by(sight: Option<&Sight>) -> Option<&Expr> {
    if let Some(Sight::Seats(seats)) = sight { Some(seats) } else { None }
}

fn bound<'e>(binders: &'e [Binder], filter: Option<&'e Expr>) -> impl Iterator<Item = &'e Expr> {
    binders.iter().map(|binder| &binder.set).chain(filter)
}

impl Expr {
    /// The expressions that it is made of.
    #[must_use]
    pub fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            ExprKind::Name(_) | ExprKind::Number(_) | ExprKind::Truth(_) => Vec::new(),
            ExprKind::Call(_, all) | ExprKind::Set(all) => all.iter().collect(),
            ExprKind::Pieces(whose, _) => owner(whose).into_iter().collect(),
            ExprKind::Tokens(whose, _, place) => owner(whose).into_iter().chain([&**place]).collect(),
            ExprKind::Field(inner, _)
            | ExprKind::Unary(_, inner)
            | ExprKind::TopOf(inner)
            | ExprKind::After(_, inner)
            | ExprKind::CanPlay(inner, _) => vec![inner],
            ExprKind::Binary(_, one, two) | ExprKind::Top(_, one, two) | ExprKind::Filter(_, one, two) => {
                vec![one, two]
            }
            ExprKind::Quantified { binders, filter, body, .. } => {
                bound(binders, filter.as_deref()).chain([&**body]).collect()
            }
            ExprKind::Aggregate { body, binders, filter, .. } => {
                std::iter::once(&**body).chain(bound(binders, filter.as_deref())).collect()
            }
            ExprKind::If(test, yes, no) => vec![test, yes, no],
        }
    }

    /// Visits it and all that it is made of, however deep.
    pub fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Self)) {
        visit(self);
        self.parts().into_iter().for_each(|part| part.each(visit));
    }
}

impl Path {
    /// The expressions in it.
    #[must_use]
    pub fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            PathKind::Step { heading, to } => heading.iter().chain([&to.set]).collect(),
            PathKind::Slide { heading, limit, through } => heading.iter().chain(limit).chain([&through.set]).collect(),
            PathKind::Hop { heading, over, taking: _, to } => heading.iter().chain([&over.set, &to.set]).collect(),
            PathKind::Along(_, set, _) | PathKind::Test(set) => vec![set],
            PathKind::Call(_, args) => args.iter().collect(),
            PathKind::Take | PathKind::Then(_) | PathKind::Or(_) | PathKind::Repeat { .. } => Vec::new(),
        }
    }

    /// The paths that it is made of.
    #[must_use]
    pub fn parts(&self) -> &[Self] {
        match &self.kind {
            PathKind::Then(all) | PathKind::Or(all) => all,
            PathKind::Along(_, _, body) | PathKind::Repeat { body, .. } => std::slice::from_ref(&**body),
            PathKind::Step { .. }
            | PathKind::Slide { .. }
            | PathKind::Hop { .. }
            | PathKind::Take
            | PathKind::Test(_)
            | PathKind::Call(..) => &[],
        }
    }

    /// Visits it and all that it is made of, however deep.
    pub fn each<'p>(&'p self, visit: &mut dyn FnMut(&'p Self)) {
        visit(self);
        self.parts().iter().for_each(|part| part.each(visit));
    }
}

impl PieceSpec {
    fn exprs(&self) -> impl Iterator<Item = &Expr> {
        owner(&self.whose).into_iter().chain(&self.args).chain(self.fields.iter().map(|(_, value)| value))
    }
}

impl TokenSpec {
    fn exprs(&self) -> impl Iterator<Item = &Expr> {
        owner(&self.whose).into_iter()
    }
}

impl PieceSelection {
    fn exprs(&self) -> impl Iterator<Item = &Expr> {
        match self {
            Self::Top(count) | Self::Bottom(count) => count.iter(),
            Self::All => None.iter(),
        }
    }
}

impl StmtKind {
    /// The expressions that stand in it, outside its blocks.
    #[must_use]
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::Choose(_, set, by, sight) => [set].into_iter().chain(by).chain(seen_by(sight.as_ref())).collect(),
            Self::Roll(_, set, sight) => [set].into_iter().chain(seen_by(sight.as_ref())).collect(),
            Self::Require(one)
            | Self::Ensure(one)
            | Self::Prefer(one)
            | Self::Let(_, one)
            | Self::Remove(one)
            | Self::Shuffle(one)
            | Self::If(one, ..)
            | Self::While(one, _)
            | Self::Repeat(one, _)
            | Self::Together(one, _)
            | Self::Give(one)
            | Self::Win(one)
            | Self::Lose(one)
            | Self::Place(one)
            | Self::Eliminate(one)
            | Self::Plays { seat: one, .. } => vec![one],
            Self::Swap(one, two) | Self::Rotate(one, two) | Self::Rank(_, one, two) => vec![one, two],
            Self::Put(count, piece, place) => count.iter().chain(piece.exprs()).chain([place]).collect(),
            Self::MovePacket(which, from, to, _) => which.exprs().chain([from, to]).collect(),
            Self::MoveTokens(count, tokens, from, to) => count.iter().chain(tokens.exprs()).chain([from, to]).collect(),
            Self::Move(what, from, to, _) => [what].into_iter().chain(from).chain([to]).collect(),
            Self::Change(what, fields) => std::iter::once(what).chain(fields.iter().map(|(_, value)| value)).collect(),
            Self::Sow { tokens, from, along, skip, last: _ } => {
                tokens.exprs().chain([from, along]).chain(skip).collect()
            }
            Self::For(_, _, set, from, _) => [set].into_iter().chain(from).collect(),
            Self::Turns(from, _) => from.iter().collect(),
            Self::Race { seats, until, .. } => [seats].into_iter().chain(until).collect(),
            Self::Assign(_, at, _, value) => at.iter().chain([value]).collect(),
            Self::Call(_, args) => args.iter().collect(),
            Self::Phase(..) | Self::Stop | Self::Again | Self::Draw => Vec::new(),
        }
    }
}

impl Stmt {
    /// Visits it and all statements in it, however deep.
    pub fn each<'s>(&'s self, visit: &mut dyn FnMut(&'s Self)) {
        visit(self);
        self.kind.blocks().flat_map(|block| &block.stmts).for_each(|inner| inner.each(visit));
    }
}

impl Given {
    fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::Formula(_, value) => vec![value],
            Self::Cases(all) => all.iter().map(|(_, value)| value).collect(),
            Self::ByKind(_) => Vec::new(),
        }
    }
}

impl Shape {
    fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::Square(one, two) | Self::Hex(HexShape::Rhombus(one, two)) => vec![one, two],
            Self::Hex(HexShape::Star(one) | HexShape::Hexagon(one) | HexShape::Triangle(one))
            | Self::Line { count: one, .. } => vec![one],
            Self::PerSeat { groups, .. } => groups.iter().filter_map(|group| group.count.as_ref()).collect(),
            Self::Graph(_) => Vec::new(),
        }
    }
}

impl ItemKind {
    /// The expressions that stand in it, outside its statements, its path and the items in it.
    #[must_use]
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::First(one) | Self::Invariant(_, one) | Self::Set(_, one) | Self::End { when: one, .. } => vec![one],
            Self::Option { value, from, .. } => [value].into_iter().chain(from).collect(),
            Self::Kinds { fields, sights, .. } | Self::Piece { fields, sights, .. } => {
                let defaults = fields.iter().filter_map(|field| field.default.as_ref());
                let owner = sights.owner.as_ref().map(|sight| &sight.node);
                defaults.chain(seen_by(sights.piece.as_ref())).chain(seen_by(owner)).collect()
            }
            Self::Board { shape, keep, .. } => shape.exprs().into_iter().chain(keep).collect(),
            Self::Region(_, given) | Self::Define(_, given) => given.exprs(),
            Self::Var { init, sight, .. } => init.iter().chain(seen_by(sight.as_ref())).collect(),
            Self::Zone { limit, beside, sights, .. } => {
                let others = [&sights.number, &sights.order].into_iter().flatten();
                let sights = seen_by(sights.pieces.as_ref())
                    .into_iter()
                    .chain(others.filter_map(|one| seen_by(Some(&one.node))));
                limit.iter().chain(beside).chain(sights).collect()
            }
            Self::Cue(_, delay, when) => delay.iter().chain([when]).collect(),
            Self::Change(_, _, edits) => edits.iter().filter_map(PartEdit::when).collect(),
            Self::Game { .. }
            | Self::Document { .. }
            | Self::Clause(..)
            | Self::Players { .. }
            | Self::Seating(..)
            | Self::Reading(..)
            | Self::Enum(..)
            | Self::Tokens { .. }
            | Self::Table(..)
            | Self::Path(..)
            | Self::Setup(_)
            | Self::Action(..)
            | Self::Claim { .. }
            | Self::Offer(..)
            | Self::Procedure(..)
            | Self::Play(_)
            | Self::Variant { .. }
            | Self::With(..)
            | Self::Replace(_)
            | Self::Remove(..)
            | Self::Row(..)
            | Self::RemoveRow(..) => Vec::new(),
        }
    }
}

impl PartEdit {
    /// The condition of an end that it replaces.
    fn when(&self) -> Option<&Expr> {
        if let EditKind::When(when, _) = &self.kind { Some(when) } else { None }
    }
}

impl Item {
    /// Visits all expressions in it, however deep, but not those of the items in it.
    pub fn each_expr<'i>(&'i self, visit: &mut dyn FnMut(&'i Expr)) {
        self.kind.exprs().into_iter().for_each(|expr| expr.each(visit));
        if let ItemKind::Path(_, _, path) = &self.kind {
            path.each(&mut |part| part.exprs().into_iter().for_each(|expr| expr.each(visit)));
        }
        self.each_stmt(&mut |stmt| stmt.kind.exprs().into_iter().for_each(|expr| expr.each(visit)));
    }

    /// Visits all statements in it, however deep, but not those of the items in it.
    pub fn each_stmt<'i>(&'i self, visit: &mut dyn FnMut(&'i Stmt)) {
        self.kind.blocks().flat_map(|block| &block.stmts).for_each(|stmt| stmt.each(visit));
    }
}
