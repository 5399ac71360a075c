//! Earlier positions: which parts are counted, and which expressions look at them.

use super::{Action, ActionRef, Choice, Expr, ExprKind, Function, Game, Header, Id, Path, VarId, ZoneId};
use crate::base::Bits;

/// A part of a position whose occurrences are counted separately.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The pieces and tokens on these sites.
    pub sites: Bits,
    /// The pieces in these zones.
    pub zones: Vec<ZoneId>,
    /// The values of these variables.
    pub vars: Vec<VarId>,
    /// Whose turn it is.
    pub mover: bool,
}

/// The definitions, paths and actions that look at earlier positions, by number; actions where their legality does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HistoryUse {
    actions: Vec<bool>,
    functions: Vec<bool>,
    paths: Vec<bool>,
}

impl HistoryUse {
    /// Of a game.
    pub(crate) fn of(game: &Game) -> Self {
        let mut past = Self::default();
        // Each may use those found before: a fixpoint.
        if !game.remembers {
            return past;
        }
        loop {
            let found = Self {
                actions: game.actions.iter().map(|action| past.legality(action)).collect(),
                functions: game.functions.iter().map(|def| past.looks(&def.body)).collect(),
                paths: game.paths.iter().map(|def| past.walks(&def.body)).collect(),
            };
            if found == past {
                return past;
            }
            past = found;
        }
    }

    /// Whether an expression looks at earlier positions.
    pub(crate) fn looks(&self, expr: &Expr) -> bool {
        let listed = |list: &[bool], at: usize| list.get(at).is_some_and(|looks| *looks);
        let legal = |action: &ActionRef| match action {
            ActionRef::Action(action) => listed(&self.actions, action.index()),
            ActionRef::Race(_) | ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => false,
        };
        let mut found = if let ExprKind::Call(function, _) = &expr.kind {
            listed(&self.functions, function.index())
        } else if let ExprKind::Path(path, ..) = &expr.kind {
            listed(&self.paths, path.index())
        } else if let ExprKind::CanPlay(_, actions) = &expr.kind {
            actions.iter().any(legal)
        } else {
            matches!(
                &expr.kind,
                ExprKind::Occurrences | ExprKind::OccurrencesOf(_) | ExprKind::Builtin(Function::Repeats, _)
            )
        };
        expr.children(&mut |part, _| found = found || self.looks(part));
        found
    }

    /// Whether the legality of an action depends on earlier positions.
    pub(crate) fn legality(&self, action: &Action) -> bool {
        action.ensure.iter().any(|(guard, _)| self.looks(guard))
            || action.head.iter().any(|line| match line {
                Header::Choose(Choice { set: expr, .. })
                | Header::Let(_, expr, _)
                | Header::Late(_, expr, _)
                | Header::Require(expr, _)
                | Header::Prefer(expr, _) => self.looks(expr),
            })
    }

    fn walks(&self, path: &Path) -> bool {
        let mut found = path.parts().iter().any(|part| self.walks(part));
        if let Path::Call(path, _) = path {
            found = self.paths.get(path.index()).is_some_and(|looks| *looks);
        }
        path.exprs(&mut |expr| found = found || self.looks(expr));
        found
    }
}
