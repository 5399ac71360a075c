//! Dependencies: what of a position and its local names an expression reads.

use super::Game;
use super::{
    Arena, Binder, BinderSet, Expr, ExprKind, FnDef, FnId, Function, Owner, Path, PathDef, PathId, Slot, Ty, VarId,
    ZoneId,
};

/// A part of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// The pieces on sites.
    Sites,
    /// Tokens.
    Tokens,
    /// A zone.
    Zone(ZoneId),
    /// A variable.
    Var(VarId),
    /// Which seats still play.
    Playing,
    /// Which moves are legal, which may depend on anything.
    Legal,
    /// Anything else.
    Other,
}

/// What an expression depends on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dependencies {
    /// Local names bound outside it.
    pub slots: Vec<Slot>,
    /// The seat that acts.
    pub me: bool,
    /// The position beyond that.
    pub position: bool,
    /// Parts of the position other than the pieces on these sites.
    pub elsewhere: bool,
    /// The parts of the position it reads.
    pub reads: Vec<Read>,
    /// The local names of sites whose pieces it reads.
    pub pieces_at: Vec<Slot>,
}

impl Dependencies {
    /// What an expression depends on.
    pub(crate) fn of(game: &Game, expr: &Expr) -> Self {
        Self::within(&game.functions, &game.paths, expr, &[])
    }

    /// The dependencies of a definition besides its parameters. Those of the definitions it uses are known.
    pub(crate) fn within(
        functions: &Arena<FnId, FnDef>,
        paths: &Arena<PathId, PathDef>,
        body: &Expr,
        params: &[Slot],
    ) -> Self {
        let mut scan = Scan { functions, paths, needs: Self::default(), bound: params.to_vec() };
        scan.expr(body);
        scan.needs
    }

    /// The same of the tests of a path; `bound` are its parameters and the sites it visits.
    pub(crate) fn of_path(
        functions: &Arena<FnId, FnDef>,
        paths: &Arena<PathId, PathDef>,
        body: &Path,
        bound: &[Slot],
    ) -> Self {
        let mut scan = Scan { functions, paths, needs: Self::default(), bound: bound.to_vec() };
        scan.path(body);
        scan.needs
    }

    /// Whether the value is the same in every position for given local names.
    pub(crate) fn is_constant(&self) -> bool {
        !self.me && !self.position
    }

    /// Whether it depends on one of these names.
    pub(crate) fn any_of(&self, slots: &[Slot]) -> bool {
        self.slots.iter().chain(&self.pieces_at).any(|slot| slots.contains(slot))
    }
}

struct Scan<'g> {
    functions: &'g Arena<FnId, FnDef>,
    paths: &'g Arena<PathId, PathDef>,
    needs: Dependencies,
    bound: Vec<Slot>,
}

impl Scan<'_> {
    /// Records a read of the position.
    fn far(&mut self, what: Read) {
        self.needs.position = true;
        self.needs.elsewhere = true;
        self.reads(what);
    }

    fn reads(&mut self, what: Read) {
        if !self.needs.reads.contains(&what) {
            self.needs.reads.push(what);
        }
    }

    /// Records a read of a name.
    fn name(&mut self, slot: Slot) {
        if !self.bound.contains(&slot) && !self.needs.slots.contains(&slot) {
            self.needs.slots.push(slot);
        }
    }

    /// Records a read of the piece on a site, if the site is a name bound outside; false if it is not.
    fn piece_at(&mut self, site: &Expr) -> bool {
        let Some(slot) = site.as_slot().filter(|_| site.ty == Ty::Site) else { return false };
        if self.bound.contains(&slot) {
            return false;
        }
        self.needs.position = true;
        self.reads(Read::Sites);
        if !self.needs.pieces_at.contains(&slot) {
            self.needs.pieces_at.push(slot);
        }
        true
    }

    /// Whether the expression tests that a piece of some kind is on a named site.
    fn stands(&mut self, set: &Expr, site: &Expr) -> bool {
        let ExprKind::Pieces(owner, kinds) = &set.kind else { return false };
        if !self.piece_at(site.sole().unwrap_or(site)) {
            return false;
        }
        self.owner(owner);
        owner.seat().into_iter().for_each(|seat| self.expr(seat));
        self.expr(kinds);
        true
    }

    fn owner(&mut self, owner: &Owner) {
        self.needs.me |= matches!(owner, Owner::Me | Owner::Others);
    }

    /// The dependencies of binders and of what is in their scope.
    fn under(&mut self, binders: &[Binder], inside: [Option<&Expr>; 2]) {
        let before = self.bound.len();
        for binder in binders {
            let set = binder.over.set();
            match binder.over {
                BinderSet::PiecesAt(_) if set.sole().is_some_and(|site| self.piece_at(site)) => {}
                BinderSet::PiecesAt(_) => {
                    self.far(Read::Sites);
                    self.expr(set);
                }
                BinderSet::Members(_) => self.expr(set),
            }
            self.bound.push(binder.slot);
        }
        inside.into_iter().flatten().for_each(|expr| self.expr(expr));
        self.bound.truncate(before);
    }

    /// Whoever uses a definition or a path depends on whatever that depends on.
    fn uses(&mut self, needs: Option<&Dependencies>) {
        let Some(needs) = needs else { return };
        self.needs.me |= needs.me;
        self.needs.position |= needs.position;
        self.needs.elsewhere |= needs.elsewhere;
        needs.reads.iter().for_each(|read| self.reads(*read));
    }

    fn path(&mut self, path: &Path) {
        let before = self.bound.len();
        if let Path::Along(way, ..) = path {
            self.bound.push(*way);
        }
        if let Path::Call(number, _) = path {
            let paths = self.paths;
            self.uses(paths.get(*number).map(|path| &path.needs));
        }
        path.exprs(&mut |expr| self.expr(expr));
        path.parts().iter().for_each(|part| self.path(part));
        self.bound.truncate(before);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Slot(slot) => self.name(*slot),
            ExprKind::Me => self.needs.me = true,
            ExprKind::Mover
            | ExprKind::Ply
            | ExprKind::Turn
            | ExprKind::Now
            | ExprKind::Occurrences
            | ExprKind::OccurrencesOf(_)
            | ExprKind::InPhase(_)
            | ExprKind::MovesOf(_) => self.far(Read::Other),
            ExprKind::Playing => self.far(Read::Playing),
            ExprKind::CanPlay(..) => self.far(Read::Legal),
            ExprKind::Empty | ExprKind::Occupied => {
                self.far(Read::Sites);
                self.far(Read::Tokens);
            }
            ExprKind::Var(var, _) => self.far(Read::Var(*var)),
            ExprKind::Zone(zone) => self.far(Read::Zone(zone.zone)),
            ExprKind::Pieces(owner, _) => {
                self.far(Read::Sites);
                self.owner(owner);
            }
            ExprKind::TokensAt(_, owner, _) | ExprKind::TokenSites(_, owner) => {
                self.far(Read::Tokens);
                self.owner(owner);
            }
            ExprKind::Member(a, b) if self.stands(b, a) => return,
            ExprKind::Meets(a, b) if self.stands(a, b) || self.stands(b, a) => return,
            ExprKind::Quantified { binders, filter, body, .. } | ExprKind::Aggregate { binders, filter, body, .. } => {
                return self.under(binders, [filter.as_deref(), Some(body)]);
            }
            ExprKind::After(slot, _) => {
                self.far(Read::Other);
                self.name(*slot);
            }
            ExprKind::Call(function, _) => {
                let functions = self.functions;
                self.uses(functions.get(*function).map(|function| &function.needs));
            }
            ExprKind::Path(path, ..) => {
                // The piece at the start counts as lifted, so that even a path without tests may depend on it.
                self.far(Read::Sites);
                let paths = self.paths;
                self.uses(paths.get(*path).map(|path| &path.needs));
            }
            ExprKind::Builtin(function, _) => self.builtin(*function),
            ExprKind::Const(_)
            | ExprKind::TopOf(_)
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
            | ExprKind::Set(..)
            | ExprKind::List(_)
            | ExprKind::Range(..)
            | ExprKind::If(..)
            | ExprKind::Top(..)
            | ExprKind::Filter(..)
            | ExprKind::Attr(..)
            | ExprKind::Lookup(..) => {}
        }
        expr.children(&mut |part, names| {
            let before = self.bound.len();
            self.bound.extend_from_slice(names);
            self.expr(part);
            self.bound.truncate(before);
        });
    }

    fn builtin(&mut self, function: Function) {
        match function {
            Function::Following | Function::Preceding | Function::Opponents => self.far(Read::Playing),
            Function::Repeats => self.far(Read::Other),
            Function::Count
            | Function::Abs
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
            | Function::Opposite => {}
        }
    }
}
