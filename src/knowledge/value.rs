//! What the value of an expression is worked out from.

use crate::ir::{
    Attribute, Binder, BinderSet, Expr, ExprKind, Function, Knowledge, Owner, Path, PathId, Slot, Source, Ty, Value,
    Viewers, ZoneForm, ZoneRef,
};

use super::Analysis;
use super::scope::{Name, Scope};
use super::sight::either;

impl Analysis<'_> {
    /// What the value of an expression is worked out from.
    pub(super) fn value(&self, expr: &Expr, scope: &Scope) -> Knowledge {
        let known = self.once(expr, false, scope, |analysis| analysis.worked_out(expr, scope));
        if expr.ty == Ty::Piece.set() && !matches!(expr.kind, ExprKind::TopOf(_)) { known } else { known.placed() }
    }

    fn worked_out(&self, expr: &Expr, scope: &Scope) -> Knowledge {
        match &expr.kind {
            ExprKind::Const(_)
            | ExprKind::Mover
            | ExprKind::Me
            | ExprKind::Ply
            | ExprKind::Turn
            | ExprKind::Now
            | ExprKind::Playing
            | ExprKind::InPhase(_)
            | ExprKind::Empty
            | ExprKind::Occupied => Knowledge::public(),
            ExprKind::Slot(slot) => Self::name(*slot, scope, |name| &name.value),
            ExprKind::Var(var, at) => {
                let mut known = self.values(at, scope);
                if let Some(info) = self.game.vars.get(*var)
                    && let Some(viewers) =
                        self.standing_viewers(&info.sight, &info.params, &self.indexed(&info.params, at, scope))
                {
                    known.add(&Knowledge::of(Source::Var(*var), viewers));
                }
                known
            }
            ExprKind::Occurrences | ExprKind::OccurrencesOf(_) => self.elsewhere(),
            ExprKind::Pieces(owner, kinds) => self.pieces(owner, kinds, scope),
            ExprKind::Zone(zone) => self.held(zone, scope, false),
            ExprKind::TopOf(list) => {
                if let ExprKind::Zone(zone) = &list.kind {
                    return self.held(zone, scope, true);
                }
                self.value(list, scope)
            }
            ExprKind::TokenSites(_, owner) => self.owned(owner, scope),
            ExprKind::TokensAt(_, owner, at) => self.owned(owner, scope).and(&self.value(at, scope)),
            ExprKind::IsEmpty(set) => self.whether(set, scope),
            ExprKind::Member(a, b) => self.value(a, scope).and(&self.value(b, scope).unordered()),
            ExprKind::Not(a) | ExprKind::Neg(a) => self.value(a, scope),
            ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Same(a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::Calc(_, a, b)
            | ExprKind::Within(a, b)
            | ExprKind::Meets(a, b)
            | ExprKind::Set(_, a, b)
            | ExprKind::Range(a, b) => self.value(a, scope).and(&self.value(b, scope)),
            ExprKind::List(list) | ExprKind::Lookup(_, list) => self.values(list, scope),
            ExprKind::If(condition, yes, no) => {
                self.branches(condition, yes, no, &|branch| self.value(branch, scope), scope)
            }
            ExprKind::Quantified { binders, filter, body, .. } | ExprKind::Aggregate { binders, filter, body, .. } => {
                let (mut known, inner) = self.bound(binders, scope);
                for part in filter.iter().chain([body]) {
                    known.add(&self.value(part, &inner));
                }
                known
            }
            ExprKind::Top(slot, set, by) | ExprKind::Filter(slot, set, by) => {
                let inner = scope.with(*slot, self.member(*slot, set, scope));
                self.value(set, scope).and(&self.value(by, &inner))
            }
            ExprKind::After(name, then) => {
                let known = Self::name(*name, scope, |name| &name.value);
                known.and(&self.value(then, scope)).and(&self.elsewhere())
            }
            ExprKind::Attr(attribute, of) => self.attribute(attribute, of, scope),
            ExprKind::Call(function, args) => {
                let def = self.game.functions.get(*function);
                match (def, self.summary_of(*function, args, scope)) {
                    (Some(def), Some(known)) => self.applied(&known.value, &def.params, args, scope),
                    (_, _) => self.elsewhere(),
                }
            }
            ExprKind::Path(path, from, args) => {
                let known = self.value(from, scope).and(&self.values(args, scope));
                known.and(&self.followed(*path, args, scope)).and(&scope.fresh.all())
            }
            ExprKind::Builtin(function, args) => self.builtin(*function, args, scope),
            ExprKind::MovesOf(action) => self.moves_of(*action).and(&scope.fresh.all()),
            ExprKind::CanPlay(seat, actions) => {
                let known = self.value(seat, scope).and(&scope.fresh.all());
                known.and(&self.legality(actions, self.who(seat, scope)))
            }
        }
    }

    /// What the number of members of a set or list is worked out from.
    pub(super) fn number(&self, expr: &Expr, scope: &Scope) -> Knowledge {
        if let ExprKind::Slot(slot) = expr.kind {
            return Self::name(slot, scope, |name| &name.number);
        }
        if let ExprKind::Zone(zone) = &expr.kind {
            return self.values(&zone.at, scope).and(&self.counted(zone, scope, false));
        }
        if let ExprKind::TopOf(list) = &expr.kind {
            return self.whether(list, scope);
        }
        if let ExprKind::Set(crate::ir::SetOp::Union, a, b) = &expr.kind
            && *expr.ty.element() == Ty::Piece
        {
            return self.number(a, scope).and(&self.number(b, scope));
        }
        if let ExprKind::If(condition, yes, no) = &expr.kind {
            return self.branches(condition, yes, no, &|branch| self.number(branch, scope), scope);
        }
        if let ExprKind::Filter(slot, set, condition) | ExprKind::Top(slot, set, condition) = &expr.kind {
            return self.once(expr, true, scope, |analysis| {
                let inner = scope.with(*slot, analysis.member(*slot, set, scope));
                analysis.number(set, scope).and(&analysis.value(condition, &inner))
            });
        }
        if let ExprKind::Call(function, args) = &expr.kind
            && let (Some(def), Some(known)) =
                (self.game.functions.get(*function), self.summary_of(*function, args, scope))
        {
            return self.applied(&known.number, &def.params, args, scope);
        }
        self.value(expr, scope)
    }

    /// What decides whether a set or list has any members. Whoever sees the top of a pile sees whether there is one.
    pub(super) fn whether(&self, expr: &Expr, scope: &Scope) -> Knowledge {
        if let ExprKind::TopOf(list) = &expr.kind {
            return self.whether(list, scope);
        }
        if let ExprKind::Zone(zone) = &expr.kind {
            return self.values(&zone.at, scope).and(&self.counted(zone, scope, true));
        }
        self.number(expr, scope)
    }

    /// How many pieces lie in a zone, or whether any do.
    pub(super) fn counted(&self, zone: &ZoneRef, scope: &Scope, whether: bool) -> Knowledge {
        let Some(info) = self.game.zones.get(zone.zone) else { return self.elsewhere() };
        let mut viewers = self.count_viewers(zone, scope);
        if whether || info.form != ZoneForm::Pile {
            viewers = either(viewers, self.zone_viewers(zone, scope));
        }
        let known = viewers.map_or_else(Knowledge::public, |viewers| Knowledge::of(Source::Count(zone.zone), viewers));
        known.and(&scope.fresh.counts(zone.zone))
    }

    pub(super) fn values(&self, exprs: &[Expr], scope: &Scope) -> Knowledge {
        let mut known = Knowledge::public();
        for expr in exprs {
            known.add(&self.value(expr, scope));
        }
        known
    }

    fn name(slot: Slot, scope: &Scope, part: impl Fn(&Name) -> &Knowledge) -> Knowledge {
        scope
            .get(slot)
            .map_or_else(|| Knowledge::of(Source::Value(slot), Viewers::Undecided), |name| part(name).clone())
    }

    /// Earlier positions, or such as are not on the table, show what was hidden in them.
    pub(super) fn elsewhere(&self) -> Knowledge {
        if self.game.has_perfect_information() {
            return Knowledge::public();
        }
        Knowledge::of(Source::Elsewhere, Viewers::Undecided)
    }

    /// The pieces of a zone, or the last of them alone.
    pub(super) fn held(&self, zone: &ZoneRef, scope: &Scope, last: bool) -> Knowledge {
        let mut known = self.values(&zone.at, scope).and(&scope.fresh.at(Some(zone.zone)));
        let Some(info) = self.game.zones.get(zone.zone) else { return known };
        let viewers =
            if info.form == ZoneForm::Pile && !last { Some(Viewers::Nobody) } else { self.zone_viewers(zone, scope) };
        if let Some(viewers) = viewers {
            known.add(&Knowledge::of(Source::Zone(zone.zone), viewers));
        }
        if let Some(viewers) =
            self.standing_viewers(&info.order_sight, &info.params, &self.indexed(&info.params, &zone.at, scope))
        {
            known.add(&Knowledge::of(Source::Order(zone.zone), viewers));
        }
        known
    }

    /// Who is shown how many pieces a zone holds, beside those who see all of them; none if everybody is.
    pub(super) fn count_viewers(&self, zone: &ZoneRef, scope: &Scope) -> Option<Viewers> {
        let info = self.game.zones.get(zone.zone)?;
        self.standing_viewers(&info.number_sight, &info.params, &self.indexed(&info.params, &zone.at, scope))
    }

    /// Who sees the pieces of a zone; none if everybody does.
    pub(super) fn zone_viewers(&self, zone: &ZoneRef, scope: &Scope) -> Option<Viewers> {
        let info = self.game.zones.get(zone.zone)?;
        self.standing_viewers(&info.sight, &info.params, &self.indexed(&info.params, &zone.at, scope))
    }

    /// The names of indices or parameters, bound to what stands for them.
    pub(super) fn indexed(&self, params: &[Slot], at: &[Expr], scope: &Scope) -> Scope {
        let mut inner = scope.clone();
        for (slot, expr) in params.iter().zip(at) {
            inner.bind(*slot, self.let_be(expr, scope));
        }
        inner
    }

    fn owned(&self, owner: &Owner, scope: &Scope) -> Knowledge {
        owner.seat().map_or_else(Knowledge::public, |seat| self.value(seat, scope))
    }

    /// The sites of pieces of some kinds. Where all hidden kinds are among them or none is, the backs tell the sites.
    fn pieces(&self, owner: &Owner, kinds: &Expr, scope: &Scope) -> Knowledge {
        let mut known = self.owned(owner, scope).and(&self.value(kinds, scope)).and(&scope.fresh.at(None));
        let among = fixed(kinds);
        if !matches!(owner, Owner::Anyone) {
            let owner = self.owner_of(owner, scope);
            known.add(&self.unowned(|kind| among.as_ref().is_none_or(|among| among.contains(kind)), owner));
        }
        let all =
            among.as_ref().is_some_and(|among| self.hidden.iter().all(|(kind, _)| among.contains((*kind).into())));
        if all {
            return known;
        }
        let unseen =
            self.unseen(|kind| among.as_ref().is_none_or(|among| among.contains(kind)), self.owner_of(owner, scope));
        known.and(&unseen)
    }

    fn attribute(&self, attribute: &Attribute, of: &Expr, scope: &Scope) -> Knowledge {
        match attribute {
            // The back of a piece says whose it is, unless that is hidden by itself; which piece it is may be hidden all the same.
            Attribute::PieceOwner => {
                self.which(of, scope).and(&self.number(of, scope)).and(&self.unowned(|_| true, None))
            }
            Attribute::PieceField(field, Ty::Bool) if self.shows_itself(field) => self.which(of, scope),
            Attribute::SiteInt(_)
            | Attribute::SiteSeat(_)
            | Attribute::PieceKind
            | Attribute::PieceField(..)
            | Attribute::KindValue(_)
            | Attribute::WayTo
            | Attribute::WayTaken => self.value(of, scope),
        }
    }

    fn builtin(&self, function: Function, args: &[Expr], scope: &Scope) -> Knowledge {
        match function {
            Function::Count => {
                let mut known = Knowledge::public();
                for set in args {
                    known.add(&self.number(set, scope));
                }
                known
            }
            Function::Repeats => self.values(args, scope).and(&self.elsewhere()),
            Function::Abs
            | Function::Greater
            | Function::Lesser
            | Function::Around
            | Function::Toward
            | Function::Ray
            | Function::Between
            | Function::Rectangle
            | Function::Distance
            | Function::Line
            | Function::Rows
            | Function::Group
            | Function::Connected
            | Function::Following
            | Function::Preceding
            | Function::Opponents
            | Function::Opposite => self.values(args, scope),
        }
    }

    /// A conditional value; a branch that is never taken tells nothing.
    pub(super) fn branches(
        &self,
        condition: &Expr,
        yes: &Expr,
        no: &Expr,
        of: &dyn Fn(&Expr) -> Knowledge,
        scope: &Scope,
    ) -> Knowledge {
        if let ExprKind::Const(Value::Bool(holds)) = condition.kind {
            return of(if holds { yes } else { no });
        }
        self.value(condition, scope).and(&of(yes)).and(&of(no))
    }

    /// The names of binders, and what their number is worked out from.
    fn bound(&self, binders: &[Binder], scope: &Scope) -> (Knowledge, Scope) {
        let mut inner = scope.clone();
        let mut known = Knowledge::public();
        for Binder { slot, over } in binders {
            let name = match over {
                BinderSet::Members(set) => {
                    known.add(&self.number(set, &inner));
                    self.member(*slot, set, &inner)
                }
                BinderSet::PiecesAt(sites) => {
                    known.add(&self.value(sites, &inner));
                    self.standing(sites, &inner)
                }
            };
            inner.bind(*slot, name);
        }
        (known, inner)
    }

    /// What a use of a declared path looks at.
    fn followed(&self, path: PathId, args: &[Expr], scope: &Scope) -> Knowledge {
        let (Some(def), Some(known)) = (self.game.paths.get(path), self.paths.get(usize::from(path))) else {
            return self.elsewhere();
        };
        if known.get().is_none() {
            let mut inner = self.parameters(&def.params);
            for slot in [def.here, def.taken, def.start] {
                inner.bind(slot, Name::public(None));
            }
            // A definition that looks at it may have come to the same meanwhile.
            known.set(self.walked(&def.body, &inner)).unwrap_or_default();
        }
        known.get().map_or_else(|| self.elsewhere(), |found| self.applied(found, &def.params, args, scope))
    }

    /// What a path looks at.
    fn walked(&self, path: &Path, scope: &Scope) -> Knowledge {
        let mut known = Knowledge::public();
        let mut inner = scope.clone();
        if let Path::Along(slot, ..) = path {
            inner.bind(*slot, Name::public(None));
        }
        path.exprs(&mut |expr| known.add(&self.value(expr, scope)));
        if let Path::Call(called, args) = path {
            known.add(&self.followed(*called, args, scope));
        }
        path.parts().iter().for_each(|part| known.add(&self.walked(part, &inner)));
        known
    }
}

/// The kinds that a set names outright.
pub(super) fn fixed(kinds: &Expr) -> Option<crate::base::Bits> {
    if let ExprKind::Const(value) = &kinds.kind {
        return Some(value.clone().atoms());
    }
    let ExprKind::List(members) = &kinds.kind else { return None };
    let kind = |member: &Expr| {
        if let ExprKind::Const(Value::Atom(kind)) = member.kind { Some(kind as usize) } else { None }
    };
    members.iter().map(kind).collect::<Option<crate::base::Bits>>()
}
