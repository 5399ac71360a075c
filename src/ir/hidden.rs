//! Whether a game hides anything, and from whom.

use super::expr::Expr;
use super::id::Slot;
use super::stmt::StmtKind;
use super::zone::{Sight, ZoneForm};
use super::{Game, Header};

impl Game {
    /// Whether anything on the table is hidden from anybody.
    #[must_use]
    pub fn hides(&self) -> bool {
        let hidden = |sight: &Sight| !matches!(sight, Sight::All);
        self.zones.iter().any(|zone| zone.sights().any(hidden) || zone.form == ZoneForm::Pile)
            || self.kinds.iter().any(|kind| hidden(&kind.sight) || hidden(&kind.owner_sight))
            || self.vars.iter().any(|var| hidden(&var.sight))
    }

    /// Everything that is chosen or rolled: the name it is bound to, the set it comes from, and who sees it.
    pub fn choices_and_rolls(&self) -> impl Iterator<Item = (Slot, &Expr, &Sight)> {
        let stmts = self.blocks.iter().flat_map(|block| &block.stmts).filter_map(|stmt| stmt.kind.choice_or_roll());
        let actions = self.actions.iter().chain(self.claims.iter().map(|claim| &claim.action));
        stmts.chain(actions.flat_map(|action| &action.head).filter_map(|line| match line {
            Header::Choose(choice) => Some((choice.slot, &choice.set, &choice.sight)),
            Header::Let(..) | Header::Late(..) | Header::Require(..) | Header::Prefer(..) => None,
        }))
    }

    /// Whether any choice or roll is hidden from anybody, at least for a while.
    #[must_use]
    pub fn hides_choices(&self) -> bool {
        self.choices_and_rolls().any(|(_, _, sight)| !matches!(sight, Sight::All))
    }

    /// Whether this is a game of perfect information.
    #[must_use]
    pub fn has_perfect_information(&self) -> bool {
        !self.hides() && !self.has_secrets() && !self.hides_choices()
    }

    /// Whether seats see different things, so that players sharing a screen must take turns at it.
    #[must_use]
    pub fn has_secrets(&self) -> bool {
        let secretly = |kind: &StmtKind| matches!(kind, StmtKind::Together { .. });
        self.has_private_sights() || self.blocks.iter().flat_map(|block| &block.stmts).any(|stmt| secretly(&stmt.kind))
    }

    /// Whether a seat may see what another does not, beside what several choose at once.
    #[must_use]
    pub fn has_private_sights(&self) -> bool {
        let secret = |sight: &Sight| matches!(sight, Sight::Seats(_));
        self.zones.iter().any(|zone| zone.sights().any(secret))
            || self.kinds.iter().any(|kind| secret(&kind.sight) || secret(&kind.owner_sight))
            || self.vars.iter().any(|var| secret(&var.sight))
            || self.choices_and_rolls().any(|(_, _, sight)| secret(sight))
    }
}
