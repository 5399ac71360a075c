//! What is given by cases: one value for each seat, direction, kind or member of an enum.

use crate::base::Span;
use crate::ir::{Expr, ExprKind, Id, KindId, RuleId, SeatId, Ty, Value};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::Expr as Tree;

use super::checker::{Checker, Defined};
use super::scope::Symbol;

/// The cases of an item: by what they are told apart, and the value of each with its place.
struct Cases {
    by: Ty,
    values: Vec<(Expr, Span)>,
}

impl Checker<'_> {
    /// A definition whose one parameter tells its cases apart.
    pub(super) fn define_cases(&mut self, name: &Ident, cases: &[(Ident, Tree)], rule: RuleId) -> Option<Defined> {
        let Cases { by, values } = self.cases("definition", name, cases, None, None)?;
        let first = values.first().map(|(value, _)| value.ty.clone())?;
        // One case may be a member where another is a set.
        let set = values.iter().map(|(value, _)| &value.ty).find(|ty| **ty == first.clone().set());
        let ty = set.cloned().unwrap_or(first);
        let fitted = values.into_iter().map(|(value, place)| self.fit(value, &ty, place));
        let mut values: Vec<Expr> = fitted.collect::<Vec<_>>().into_iter().collect::<Option<_>>()?;
        // A name that no expression can use.
        let slot = self.bind("", by.clone());
        let mut body = values.pop()?;
        for (number, value) in values.into_iter().enumerate().rev() {
            let case = Expr::constant(Value::atom_of(number), by.clone());
            let asked = Expr::new(ExprKind::Slot(slot), by.clone());
            let test = Expr::bool(ExprKind::Same(Box::new(asked), Box::new(case)));
            body = Expr::new(ExprKind::If(Box::new(test), Box::new(value), Box::new(body)), ty.clone());
        }
        Some(self.add_function(name, vec![slot], vec![by], body, rule))
    }

    /// The sites of a region for each seat: sets, or single sites if every case names one.
    pub(super) fn region_cases(
        &mut self,
        name: &Ident,
        cases: &[(Ident, Tree)],
        rule: RuleId,
    ) -> Option<(Vec<Value>, Ty)> {
        let sites = Ty::Site.set();
        let Cases { values, .. } = self.cases("region", name, cases, Some(Ty::Seat), Some(&sites))?;
        let single = values.iter().all(|(value, _)| value.ty == Ty::Site);
        let ty = if single { Ty::Site } else { sites };
        let mut found = Vec::new();
        for (value, place) in values {
            let value = self.fit(value, &ty, place)?;
            found.push(self.beneath(rule, |check| check.constant(&value, place))?);
        }
        Some((found, ty))
    }

    /// One expression for each value that tells the cases apart, in the order of the values.
    fn cases(
        &mut self,
        what: &str,
        name: &Ident,
        cases: &[(Ident, Tree)],
        mut by: Option<Ty>,
        want: Option<&Ty>,
    ) -> Option<Cases> {
        let (mut sound, mut hint) = (true, want.cloned());
        by = by.or_else(|| self.shared_type(cases.iter().map(|(key, _)| key.node.as_str())));
        hint = self.shared_by(cases.iter().map(|(_, tree)| tree), want).or(hint);
        let lead = self.leading(cases.iter().map(|(_, tree)| tree), hint.as_ref());
        let mut leading = lead.and_then(|lead| self.expr(&cases[lead].1, hint.as_ref()));
        if let Some(value) = &leading {
            hint.get_or_insert(value.ty.clone());
        }
        let mut given: Vec<(usize, Expr, Span)> = Vec::new();
        for (number, (key, tree)) in cases.iter().enumerate() {
            let value = if lead == Some(number) { leading.take() } else { self.expr(tree, hint.as_ref()) };
            let number = self.case(key, &mut by);
            match (number, value) {
                (Some(Some(number)), Some(value)) => {
                    if given.iter().any(|(other, ..)| *other == number) {
                        let report = Report::new(Code::Duplicate, key.span, format!("`{}` is given twice", key.node));
                        self.report(report.help("keep one of them"));
                        sound = false;
                    }
                    given.push((number, value, tree.span));
                }
                // A seat that does not take part with so many players.
                (Some(None), Some(_)) => {}
                (_, _) => sound = false,
            }
        }
        let by = by.filter(|_| sound)?;
        let mut values = Vec::new();
        for number in 0..self.size_of(&by)? {
            let Some(at) = given.iter().position(|(other, ..)| *other == number) else {
                let missing = self.name_of(&by, number);
                let value = if what == "region" { "set" } else { "value" };
                let message = format!("the {what} `{}` has no {value} for `{missing}`", name.node);
                let report = Report::new(Code::MissingItem, name.span, message);
                self.report(report.help(format!("add `{missing} = …`")));
                return None;
            };
            let (_, value, place) = given.swap_remove(at);
            values.push((value, place));
        }
        Some(Cases { by, values })
    }

    /// The number of the value that a case names; none inside for a seat that does not take part.
    fn case(&mut self, key: &Ident, by: &mut Option<Ty>) -> Option<Option<usize>> {
        let named = match self.lookup(&key.node, key.span, by.as_ref()) {
            Some(Symbol::Absent) => Some((Ty::Seat, None)),
            Some(Symbol::Const(ty @ (Ty::Seat | Ty::Dir | Ty::Kind | Ty::Enum(_)), value)) => {
                Some((ty, Some(value.atom())))
            }
            Some(_) => None,
            None => {
                self.unknown(&key.node, key.span, if *by == Some(Ty::Seat) { "player" } else { "name" });
                return None;
            }
        };
        let wanted = by.clone();
        match named {
            Some((ty, number)) if wanted.as_ref().is_none_or(|by| *by == ty) => {
                *by = Some(ty);
                Some(number)
            }
            _ => {
                let help = match wanted {
                    Some(Ty::Seat) => "name each seat",
                    _ => "name each seat, or each direction, kind or member of one enum",
                };
                let what = wanted.map_or_else(|| "a case".to_owned(), |by| self.type_text(&by));
                let report = Report::new(Code::WrongType, key.span, format!("`{}` is not {what}", key.node));
                self.report(report.help(help));
                None
            }
        }
    }

    /// What a value is called in the rules.
    fn name_of(&self, ty: &Ty, number: usize) -> String {
        let game = &self.game;
        let name = match ty {
            Ty::Seat => game.seats.get(SeatId::new(number)).map(|seat| &seat.name),
            Ty::Dir => game.topology.directions.get(number).map(|direction| &direction.name),
            Ty::Kind => KindId::at(number).and_then(|kind| game.kinds.get(kind)).map(|kind| &kind.name),
            Ty::Enum(of) => {
                let info = game.enums.get(*of);
                info.and_then(|info| info.members.get(number)).map(|(name, _)| name)
            }
            Ty::Int | Ty::Bool | Ty::Site | Ty::Piece | Ty::Way | Ty::Move | Ty::Set(_) => None,
        };
        name.cloned().unwrap_or_default()
    }
}
