//! What an expression depends on.

use crate::ir::{Attribute, Binder, BinderSet, Expr, Function, Game, Owner, Slot};

/// What an expression depends on.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// Local names bound outside it.
    pub slots: Vec<Slot>,
    /// The seat that acts.
    pub me: bool,
    /// The position beyond that.
    pub position: bool,
}

impl Needs {
    /// What an expression depends on.
    pub(super) fn of(game: &Game, expr: &Expr) -> Self {
        let mut scan = Scan { game, needs: Self::default(), bound: Vec::new(), depth: 0 };
        scan.expr(expr);
        scan.needs
    }

    /// Whether it depends on one of these names.
    pub(super) fn any_of(&self, slots: &[Slot]) -> bool {
        self.slots.iter().any(|slot| slots.contains(slot))
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
                    self.needs.position = true;
                    self.expr(sites);
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

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(_) => {}
            Expr::Slot(slot) => {
                if !self.bound.contains(slot) && !self.needs.slots.contains(slot) {
                    self.needs.slots.push(*slot);
                }
            }
            Expr::Me => self.needs.me = true,
            Expr::Mover
            | Expr::Ply
            | Expr::Turn
            | Expr::Now
            | Expr::Playing
            | Expr::Occurrences
            | Expr::InPhase(_)
            | Expr::Empty
            | Expr::Occupied
            | Expr::MovesOf(_) => self.needs.position = true,
            Expr::Var(_, indices) => {
                self.needs.position = true;
                self.all(indices);
            }
            Expr::Pieces(owner, kinds) => {
                self.needs.position = true;
                self.owner(owner);
                self.expr(kinds);
            }
            Expr::Zone(zone) => {
                self.needs.position = true;
                self.all(&zone.at);
            }
            Expr::TokensAt(_, owner, at) => {
                self.needs.position = true;
                self.owner(owner);
                self.expr(at);
            }
            Expr::TokenSites(_, owner) => {
                self.needs.position = true;
                self.owner(owner);
            }
            Expr::TopOf(inner) | Expr::Not(inner) | Expr::IsEmpty(inner) | Expr::Neg(inner) => self.expr(inner),
            Expr::And(a, b)
            | Expr::Or(a, b)
            | Expr::Same(a, b)
            | Expr::Compare(_, a, b)
            | Expr::Calc(_, a, b)
            | Expr::Member(a, b)
            | Expr::Within(a, b)
            | Expr::Meets(a, b)
            | Expr::Set(_, a, b)
            | Expr::Range(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Expr::List(_, members) => self.all(members),
            Expr::If(condition, a, b) => {
                self.expr(condition);
                self.expr(a);
                self.expr(b);
            }
            Expr::Quantified { binders, filter, body, .. } | Expr::Aggregate { binders, filter, body, .. } => {
                self.under(binders, &[filter.as_deref(), Some(body)]);
            }
            Expr::Top(slot, set, body) | Expr::Filter(slot, set, body) => self.with(*slot, set, body),
            Expr::After(slot, body) => {
                self.needs.position = true;
                self.expr(&Expr::Slot(*slot));
                self.expr(body);
            }
            Expr::Attr(attribute, of) => {
                if matches!(attribute, Attribute::WayTo | Attribute::WayTaken) {
                    self.needs.position = true;
                }
                self.expr(of);
            }
            Expr::Lookup(_, args) => self.all(args),
            Expr::Call(function, args) => {
                self.all(args);
                if let Some(def) = self.game.functions.get(usize::from(*function)) {
                    let before = self.bound.len();
                    self.bound.extend(&def.params);
                    self.depth += 1;
                    if self.depth < 100 {
                        self.expr(&def.body);
                    } else {
                        self.needs.position = true;
                    }
                    self.depth -= 1;
                    self.bound.truncate(before);
                }
            }
            Expr::Path(_, from, args) => {
                // Its tests may look at anything.
                self.needs.position = true;
                self.needs.me = true;
                self.expr(from);
                self.all(args);
            }
            Expr::Builtin(function, args) => {
                match function {
                    Function::Following | Function::Preceding | Function::Opponents | Function::Repeats => {
                        self.needs.position = true;
                    }
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
