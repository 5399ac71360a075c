//! What an expression depends on.

use super::{Attribute, Binder, BinderSet, Expr, ExprKind, Function, Game, Owner, Slot};

/// A part of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// The pieces on sites.
    Sites,
    /// Tokens.
    Tokens,
    /// A zone.
    Zone(u16),
    /// A variable.
    Var(u16),
    /// Which seats still play.
    Playing,
    /// Anything else.
    Other,
}

/// What an expression depends on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needs {
    /// Local names bound outside it.
    pub slots: Vec<Slot>,
    /// The seat that acts.
    pub me: bool,
    /// The position beyond that.
    pub position: bool,
    /// The position in other ways than by the pieces on these sites.
    pub elsewhere: bool,
    /// The parts of the position it looks at.
    pub reads: Vec<Read>,
    /// The sites, by their names, whose pieces are asked for.
    pub pieces_at: Vec<Slot>,
}

impl Needs {
    /// What an expression depends on.
    pub(crate) fn of(game: &Game, expr: &Expr) -> Self {
        let mut scan = Scan { game, needs: Self::default(), bound: Vec::new(), depth: 0 };
        scan.expr(expr);
        scan.needs
    }

    /// Whether it depends on one of these names.
    pub(crate) fn any_of(&self, slots: &[Slot]) -> bool {
        self.slots.iter().chain(&self.pieces_at).any(|slot| slots.contains(slot))
    }
}

struct Scan<'g> {
    game: &'g Game,
    needs: Needs,
    bound: Vec<Slot>,
    depth: usize,
}

impl Scan<'_> {
    fn all<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    /// Notes that the position is looked at.
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

    /// Notes that a name is looked at.
    fn name(&mut self, slot: Slot) {
        if !self.bound.contains(&slot) && !self.needs.slots.contains(&slot) {
            self.needs.slots.push(slot);
        }
    }

    /// Notes that the piece on a site is looked at, if the site has a name that is
    /// bound outside; false if it has not.
    fn piece_at(&mut self, site: &Expr) -> bool {
        let Some(slot) = site.as_slot() else { return false };
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

    /// Whether it is asked if a piece of some kind stands on a named site.
    fn stands(&mut self, set: &Expr, site: &Expr) -> bool {
        let ExprKind::Pieces(owner, kinds) = &set.kind else { return false };
        if !self.piece_at(site.sole().unwrap_or(site)) {
            return false;
        }
        self.owner(owner);
        self.expr(kinds);
        true
    }

    fn owner(&mut self, owner: &Owner) {
        match owner {
            Owner::Me | Owner::Others => self.needs.me = true,
            Owner::Seat(seat) => self.expr(seat),
            Owner::Anyone => {}
        }
    }

    /// Binders and what stands under them.
    fn under(&mut self, binders: &[Binder], inside: &[Option<&Expr>]) {
        let before = self.bound.len();
        for binder in binders {
            match &binder.over {
                BinderSet::Members(set) => self.expr(set),
                BinderSet::PiecesAt(sites) => {
                    if !sites.sole().is_some_and(|site| self.piece_at(site)) {
                        self.far(Read::Sites);
                        self.expr(sites);
                    }
                }
            }
            self.bound.push(binder.slot);
        }
        self.all(inside.iter().flatten().copied());
        self.bound.truncate(before);
    }

    fn with(&mut self, slot: Slot, set: &Expr, body: &Expr) {
        self.expr(set);
        self.bound.push(slot);
        self.expr(body);
        self.bound.pop();
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of expression")]
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) => {}
            ExprKind::Slot(slot) => self.name(*slot),
            ExprKind::Me => self.needs.me = true,
            ExprKind::Mover
            | ExprKind::Ply
            | ExprKind::Turn
            | ExprKind::Now
            | ExprKind::Occurrences
            | ExprKind::InPhase(_)
            | ExprKind::MovesOf(_) => self.far(Read::Other),
            ExprKind::Playing => self.far(Read::Playing),
            ExprKind::Empty | ExprKind::Occupied => {
                self.far(Read::Sites);
                self.far(Read::Tokens);
            }
            ExprKind::Var(var, indices) => {
                self.far(Read::Var(*var));
                self.all(indices);
            }
            ExprKind::Pieces(owner, kinds) => {
                self.far(Read::Sites);
                self.owner(owner);
                self.expr(kinds);
            }
            ExprKind::Zone(zone) => {
                self.far(Read::Zone(zone.zone));
                self.all(&zone.at);
            }
            ExprKind::TokensAt(_, owner, at) => {
                self.far(Read::Tokens);
                self.owner(owner);
                self.expr(at);
            }
            ExprKind::TokenSites(_, owner) => {
                self.far(Read::Tokens);
                self.owner(owner);
            }
            ExprKind::Member(site, set) | ExprKind::Meets(set, site) if self.stands(set, site) => {}
            ExprKind::Meets(site, set) if self.stands(set, site) => {}
            ExprKind::TopOf(inner) | ExprKind::Not(inner) | ExprKind::IsEmpty(inner) | ExprKind::Neg(inner) => {
                self.expr(inner)
            }
            ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Same(a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::Calc(_, a, b)
            | ExprKind::Member(a, b)
            | ExprKind::Within(a, b)
            | ExprKind::Meets(a, b)
            | ExprKind::Set(_, a, b)
            | ExprKind::Range(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::List(members) => self.all(members),
            ExprKind::If(condition, a, b) => {
                self.expr(condition);
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Quantified { binders, filter, body, .. } | ExprKind::Aggregate { binders, filter, body, .. } => {
                self.under(binders, &[filter.as_deref(), Some(body)]);
            }
            ExprKind::Top(slot, set, body) | ExprKind::Filter(slot, set, body) => self.with(*slot, set, body),
            ExprKind::After(slot, body) => {
                self.far(Read::Other);
                self.name(*slot);
                self.expr(body);
            }
            ExprKind::Attr(attribute, of) => {
                if matches!(attribute, Attribute::WayTo | Attribute::WayTaken) {
                    self.far(Read::Other);
                }
                self.expr(of);
            }
            ExprKind::Lookup(_, args) => self.all(args),
            ExprKind::Call(function, args) => {
                self.all(args);
                if let Some(def) = self.game.functions.get(usize::from(*function)) {
                    let before = self.bound.len();
                    self.bound.extend(&def.params);
                    self.depth += 1;
                    if self.depth < 100 {
                        self.expr(&def.body);
                    } else {
                        self.far(Read::Other);
                    }
                    self.depth -= 1;
                    self.bound.truncate(before);
                }
            }
            ExprKind::Path(_, from, args) => {
                // Its tests may look at anything.
                self.far(Read::Other);
                self.needs.me = true;
                self.expr(from);
                self.all(args);
            }
            ExprKind::Builtin(function, args) => {
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
                    | Function::Distance
                    | Function::Line
                    | Function::Rows
                    | Function::Group
                    | Function::Connected
                    | Function::Opposite => {}
                }
                self.all(args);
            }
        }
    }
}
