//! What is asked about moves: which are legal, and whether there is one. What is told on purpose.

use crate::base::Span;
use crate::ir::{ActionRef, Expr, ExprKind, Ty};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::{Expr as Tree, ExprKind as TreeKind};

use super::checker::Checker;
use super::scope::{Entry, Symbol};

impl Checker<'_> {
    /// `moves(ACTION)`.
    pub(super) fn moves(&mut self, name: &Ident, args: &[Tree]) -> Option<Expr> {
        let [Tree { kind: TreeKind::Name(action), span }] = args else {
            return self.wrong_count(name, args.len(), 1, "name one action");
        };
        let Some(Symbol::Action(number)) = self.lookup(action, *span, None) else {
            self.unknown(action, *span, "action");
            return None;
        };
        if !self.in_claim {
            let message = "`moves(…)` can be used only in a claim";
            self.report(
                Report::new(Code::Misplaced, name.span, message)
                    .help("in an action, choose sites and restrict them with `require`"),
            );
            return None;
        }
        Some(Expr::new(ExprKind::MovesOf(number), Ty::Move.set()))
    }

    /// `told(X)`: X itself, which everybody may know.
    pub(super) fn told(&mut self, name: &Ident, args: &[Tree], want: Option<&Ty>) -> Option<Expr> {
        let [value] = args else {
            return self.wrong_count(name, args.len(), 1, "mark one value or condition as known to everybody");
        };
        let value = self.expr(value, want)?;
        Some(self.applied(&name.node, true, value, |_, value| value))
    }

    pub(super) fn action_ref(&mut self, name: &Ident) -> Option<ActionRef> {
        let action = self.lookup(&name.node, name.span, None);
        self.note_action(name.span);
        match action {
            Some(Symbol::Action(number)) => Some(ActionRef::Action(number)),
            None if name.node == "pass" => Some(ActionRef::Pass),
            _ => {
                self.unknown(&name.node, name.span, "action");
                None
            }
        }
    }

    /// The actions that a question offers together, each once: the moves of one that is named twice would be listed twice.
    pub(super) fn action_group(&mut self, names: &[Ident]) -> Option<Vec<ActionRef>> {
        let mut group = Vec::with_capacity(names.len());
        for name in names {
            let action = self.action_ref(name)?;
            if group.contains(&action) {
                let message = format!("`{}` is offered twice", name.node);
                self.report(Report::new(Code::Duplicate, name.span, message).help("name each action once"));
                return None;
            }
            group.push(action);
        }
        Some(group)
    }

    /// Refuses a statement that lets seats answer with a word that is a value as well: a move may be that value alone.
    pub(super) fn answers_with(&mut self, word: &str, span: Span) {
        let is_value = |entry: &Entry| matches!(&entry.symbol, Symbol::Const(ty, _) if ty.is_atom());
        let named = |(name, entries): (&str, &[Entry])| {
            let entry = entries.iter().find(|entry| is_value(entry)).filter(|_| name.to_lowercase() == word);
            entry.map(|entry| entry.span)
        };
        let Some(declared) = self.scope.globals().find_map(named) else { return };
        let message = format!("seats answer here with `{word}`, which is a value in these rules");
        let mut report = Report::new(Code::Duplicate, span, message).help("call the value something else");
        if let Some(declared) = declared {
            report = report.also(declared, "it is declared here");
        }
        self.report(report);
    }

    /// Refuses to call an action like an answer that seats have anyway.
    pub(super) fn check_action_name(&mut self, name: &Ident) {
        if ["pass", "decline"].contains(&name.node.to_lowercase().as_str()) {
            let message = format!("no action can be called `{}`, which is an answer that seats have anyway", name.node);
            self.report(Report::new(Code::Duplicate, name.span, message).help("call it something else"));
        }
    }

    /// Whether a seat has a legal move of one of these actions.
    pub(super) fn can_play(&mut self, seat: &Tree, names: &[Ident]) -> Option<Expr> {
        let seat = self.typed(seat, &Ty::Seat);
        let mut actions = Vec::new();
        for name in names {
            let action = self.action_ref(name)?;
            let ActionRef::Action(number) = action else {
                let help = "name the actions that matter; passing is always possible";
                return self.misplaced(name.span, "`can play` does not ask for `pass`", help);
            };
            self.asked_for.push((usize::from(number), name.span));
            actions.push(action);
        }
        Some(Expr::bool(ExprKind::CanPlay(Box::new(seat?), actions)))
    }
}
