//! Pieces that are put or changed: who may find out by it which they are.

use crate::ir::{
    Attribute, BlockId, Channel, Expr, ExprKind, Id, Kind, KindId, Knowledge, PieceExpr, PieceLocation, RuleId, Sight,
    Slot, Value, Viewers, Who, ZoneId,
};

use super::Analysis;
use super::scope::Scope;
use super::sight::piece_viewers;

impl Analysis<'_> {
    /// Fields of pieces on boards are set: who sees the pieces that have them sees it.
    pub(super) fn changed_there(
        &mut self,
        rule: RuleId,
        (sites, fields): (&Expr, &[(String, Expr)]),
        known: &Knowledge,
        scope: &Scope,
    ) {
        let game = self.game;
        let among = self.restricted(sites, scope);
        for (number, kind) in game.kinds.numbered() {
            if among.may_be(usize::from(number))
                && kind.fields.iter().any(|field| fields.iter().any(|(name, _)| *name == field.name))
            {
                let viewers = self.kind_viewers(Some(u32::from(number)), among.owner);
                self.shown(rule, Channel::Pieces, known, viewers.as_ref(), None, scope);
            }
        }
        self.marked(rule, &|kind| among.may_be(kind), fields, scope);
    }

    /// Fields of pieces are set by which it is decided who sees them, or whose they are: that shows sooner or later, also to those
    /// who do not see the pieces.
    pub(super) fn marked(
        &mut self,
        rule: RuleId,
        among: &dyn Fn(usize) -> bool,
        fields: &[(String, Expr)],
        scope: &Scope,
    ) {
        let game = self.game;
        let kinds = game.kinds.numbered().filter(|(number, _)| among(usize::from(*number)));
        let sights: Vec<(&Expr, Slot)> = kinds
            .flat_map(|(_, kind)| [&kind.sight, &kind.owner_sight].map(|sight| (sight, kind.it)))
            .filter_map(|(sight, it)| if let Sight::Seats(seats) = sight { Some((seats, it)) } else { None })
            .collect();
        for (name, value) in fields {
            if sights.iter().any(|(seats, it)| marks(seats, *it, name)) {
                let known = self.value(value, scope).and(&scope.flow);
                self.shown(rule, Channel::Pieces, &known, Some(&Viewers::Undecided), None, scope);
            }
        }
    }

    /// Who sees a piece of this kind on a board, or of a kind that is not known; none if everybody may.
    pub(super) fn kind_viewers(&self, kind: Option<u32>, owner: Option<Who>) -> Option<Viewers> {
        let hidden = self.hidden.iter().find(|(number, _)| kind == Some(u32::from(*number)))?;
        piece_viewers(&hidden.1.sight, owner)
    }

    /// Notes what is worked out for a piece that not everybody knows.
    pub(super) fn veil(&mut self, (block, at): (BlockId, usize), field: Option<usize>, value: &Expr, scope: &Scope) {
        let known = self.value(value, scope).and(&scope.flow);
        self.taint.keep(&known);
        if !known.is_public() {
            self.table.veiled.insert((block, at, field));
        }
    }

    pub(super) fn veil_fields(&mut self, at: (BlockId, usize), fields: &[(String, Expr)], scope: &Scope) {
        for (number, (_, value)) in fields.iter().enumerate() {
            self.veil(at, Some(number), value, scope);
        }
    }

    /// Pieces come to where they are covered. If it shows which they are, since the owners of some are seen and those of others are
    /// not, or on a board some are seen by seats that do not see others, that tells what is known of them.
    pub(super) fn backs(
        &mut self,
        rule: RuleId,
        known: &Knowledge,
        from: Option<ZoneId>,
        to: &PieceLocation,
        scope: &Scope,
    ) {
        let game = self.game;
        if known.is_public() || matches!(to, PieceLocation::Zone(zone) if self.zone_viewers(zone, scope).is_none()) {
            return;
        }
        let comes: Vec<(usize, &Kind)> = match from {
            None => game.kinds.numbered().map(|(number, kind)| (usize::from(number), kind)).collect(),
            Some(from) => {
                let kinds = self.stock.kinds(Some(from));
                kinds.filter_map(|number| Some((number, game.kinds.get(KindId::at(number)?)?))).collect()
            }
        };
        let differ = |number: usize| from.is_some_and(|from| self.stock.differ(Some(from), number));
        let fronts = matches!(to, PieceLocation::Sites(_));
        let covered = |number: usize, kind: &Kind| match to {
            PieceLocation::Zone(to) => game.zones.get(to.zone).is_some_and(|zone| zone.kinds.contains(number)),
            PieceLocation::Sites(_) => !matches!(kind.sight, Sight::All),
        };
        let covered: Vec<(usize, &Kind)> =
            comes.iter().filter(|(number, kind)| covered(*number, kind)).copied().collect();
        let Some((lowest, first)) = covered.first() else { return };
        // Where all of them are covered, those that are not tell nothing by it.
        let shown = fronts && covered.len() < comes.len();
        let told = |(number, kind): &(usize, &Kind)| {
            let looks = [back(kind), front(kind).filter(|_| fronts)].into_iter().flatten().any(by_kind);
            let alike = lowest == number || backs_alike(first, kind) && (!fronts || fronts_alike(first, kind));
            looks && covered.len() > 1 || differ(*number) || !alike
        };
        if shown || covered.iter().any(told) {
            self.shown(rule, Channel::Pieces, known, Some(&Viewers::Undecided), None, scope);
        }
    }

    /// Which piece is put where these see it.
    pub(super) fn pieces_shown(
        &mut self,
        (rule, block, at): (RuleId, BlockId, usize),
        piece: &PieceExpr,
        viewers: Option<&Viewers>,
        scope: &Scope,
    ) {
        self.veil((block, at), None, &piece.kind, scope);
        if let Some(owner) = piece.owner.seat() {
            self.veil((block, at), None, owner, scope);
        }
        self.veil_fields((block, at), &piece.fields, scope);
        let known = self.value(&piece.kind, scope).and(&self.all(piece.fields.iter().map(|(_, value)| value), scope));
        self.shown(rule, Channel::Pieces, &known, viewers, None, scope);
        let fixed = if let ExprKind::Const(Value::Atom(kind)) = piece.kind.kind { Some(kind as usize) } else { None };
        self.marked(rule, &|kind| fixed.is_none_or(|fixed| fixed == kind), &piece.fields, scope);
    }
}

/// The seats that see of a covered piece whose it is, if that is worked out.
fn back(kind: &Kind) -> Option<&Expr> {
    if let Sight::Seats(seats) = &kind.owner_sight { Some(seats).filter(|_| kind.owned) } else { None }
}

/// The seats that see what a piece on a board is, if that is worked out.
fn front(kind: &Kind) -> Option<&Expr> {
    if let Sight::Seats(seats) = &kind.sight { Some(seats) } else { None }
}

/// Whether the same seats see what two kinds are, on a board.
fn fronts_alike(one: &Kind, other: &Kind) -> bool {
    match (front(one), front(other)) {
        (Some(seats), Some(others)) => same((seats, one.it), (others, other.it)),
        (None, None) => matches!(one.sight, Sight::All) == matches!(other.sight, Sight::All),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Whether two kinds look alike from behind. Fields that decide it are told where they are set.
fn backs_alike(one: &Kind, other: &Kind) -> bool {
    let shown = |kind: &Kind| kind.owned && matches!(kind.owner_sight, Sight::All);
    match (back(one), back(other)) {
        (Some(seats), Some(others)) => same((seats, one.it), (others, other.it)),
        (None, None) => shown(one) == shown(other),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Whether two expressions are plainly the same of two pieces.
fn same((one, it): (&Expr, Slot), (other, its): (&Expr, Slot)) -> bool {
    let both = (&one.kind, &other.kind);
    let alike = if let (ExprKind::Slot(a), ExprKind::Slot(b)) = both {
        a == b || *a == it && *b == its
    } else if let (ExprKind::Const(a), ExprKind::Const(b)) = both {
        a == b
    } else if let (ExprKind::Attr(a, _), ExprKind::Attr(b, _)) = both {
        a == b
    } else if let (ExprKind::Var(a, _), ExprKind::Var(b, _)) = both {
        a == b
    } else if let (ExprKind::Compare(a, ..), ExprKind::Compare(b, ..)) = both {
        a == b
    } else if let (ExprKind::Set(a, ..), ExprKind::Set(b, ..)) = both {
        a == b
    } else if let (ExprKind::Builtin(a, _), ExprKind::Builtin(b, _)) = both {
        a == b
    } else {
        matches!(
            both,
            (ExprKind::If(..), ExprKind::If(..))
                | (ExprKind::List(_), ExprKind::List(_))
                | (ExprKind::Same(..), ExprKind::Same(..))
                | (ExprKind::And(..), ExprKind::And(..))
                | (ExprKind::Or(..), ExprKind::Or(..))
                | (ExprKind::Not(_), ExprKind::Not(_))
                | (ExprKind::Meets(..), ExprKind::Meets(..))
                | (ExprKind::Within(..), ExprKind::Within(..))
                | (ExprKind::IsEmpty(_), ExprKind::IsEmpty(_))
        )
    };
    let (mut parts, mut others) = (Vec::new(), Vec::new());
    one.children(&mut |part, _| parts.push(part));
    other.children(&mut |part, _| others.push(part));
    alike && parts.len() == others.len() && parts.iter().zip(others).all(|(a, b)| same((a, it), (b, its)))
}

/// Whether a kind, or a column of kinds, is asked for.
fn by_kind(seats: &Expr) -> bool {
    let mut found =
        matches!(seats.kind, ExprKind::Attr(Attribute::PieceKind | Attribute::KindValue(_), _) | ExprKind::Call(..));
    seats.children(&mut |part, _| found = found || by_kind(part));
    found
}

/// Whether seats that see something of a piece are worked out from a field of it, or may be.
pub(super) fn marks(seats: &Expr, it: Slot, field: &str) -> bool {
    if let ExprKind::Attr(attribute, piece) = &seats.kind
        && piece.as_slot() == Some(it)
    {
        return matches!(attribute, Attribute::PieceField(name, _) if name == field);
    }
    let mut found = seats.as_slot() == Some(it);
    seats.children(&mut |part, _| found = found || marks(part, it, field));
    found
}
