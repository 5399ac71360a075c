//! What random games found, as reports.

use super::{Budget, Tally, Thing};
use crate::base::Span;
use crate::report::{Code, Report, Reports};

impl Tally {
    /// One report for each unused construct that is not inside another one.
    pub(super) fn reports(self, budget: Budget) -> Reports {
        let mut reports = Reports::default();
        let games = if self.played == 1 { "1 random game".to_owned() } else { format!("{} random games", self.played) };
        // Of several reports at one place the first is given.
        if let Some(play) = self.play.filter(|_| self.stopped > 0) {
            let message =
                format!("the step budget stopped {} of {games}: what they never used may come later", self.stopped);
            let help = "work out less for one decision, and let every turn come to a question";
            reports.push(Report::new(Code::Endless, play, message).help(help));
        }
        if let Some(play) = self.play.filter(|_| self.played > 0 && self.ended == 0) {
            let message = format!("none of {games} ended within {} moves", budget.cap);
            let help = "add an `end` that is bound to be reached: nobody can move, the board is full, a limit on plies";
            reports.push(Report::new(Code::Endless, play, message).help(help));
        }
        if let Some(play) = self.play.filter(|_| self.hollow > 0) {
            let place = match self.setups - self.hollow {
                0 => String::new(),
                _ => format!(" in {} of {} setups", self.hollow, self.setups),
            };
            let message = format!("no random game was won or drawn{place}: each stopped without a result");
            let help = "add an `end` that decides the game when nobody can move";
            reports.push(Report::new(Code::Endless, play, message).help(help));
        }
        for (span, (name, occasion)) in &self.telling {
            let message = format!("what is legal by `{name}` tells a seat what it does not see: {occasion}");
            let help = "let chance draw with `roll` instead of a choice, choose among what the seat sees, or test only what it sees";
            reports.push(Report::new(Code::TellsHidden, *span, message).help(help));
        }
        for (span, (name, occasion)) in &self.broken {
            let message = format!("the invariant `{name}` did not hold {occasion}");
            let help = "correct the rule that breaks it, or the invariant";
            reports.push(Report::new(Code::BrokenInvariant, *span, message).help(help));
        }
        for (span, (name, occasion)) in &self.untested {
            let message = format!("the invariant `{name}` took more steps than the step budget {occasion}");
            reports.push(Report::new(Code::BrokenInvariant, *span, message).help("make it look at less"));
        }
        let mut idle: Vec<Span> = Vec::new();
        let mut silent: Vec<String> = Vec::new();
        for (span, (name, seen)) in &self.things {
            if !seen.used && seen.thing == Thing::Action {
                silent.push(name.clone());
            }
            if !seen.used && idle.iter().any(|outer| outer.file == span.file && outer.end >= span.end) {
                continue;
            }
            // The rules of an action that nobody plays are unused along with it.
            if seen.used || seen.thing == Thing::Rule && silent.contains(name) {
                continue;
            }
            idle.push(*span);
            let (code, what, help) = match seen.thing {
                Thing::Action => (
                    Code::IdleAction,
                    format!("`{name}` was never legal in {games}"),
                    "check that `play` offers it and that its conditions can hold",
                ),
                Thing::Phase => (
                    Code::IdlePhase,
                    format!("{games} never reached the phase `{name}`"),
                    "check what keeps play from getting there",
                ),
                Thing::End => (
                    Code::IdleEnd,
                    format!("{games} never ended by `{name}`"),
                    "check that its condition can hold; some ends are just rare: play more games",
                ),
                Thing::Kind => (
                    Code::IdleKind,
                    format!("`{name}` never appeared in {games}"),
                    "put it on the board or into a zone in the setup or in a rule, or remove it",
                ),
                Thing::Rule => (
                    Code::IdleRule,
                    format!("{games} never used this part of `{name}`"),
                    "check that its conditions can hold; some rules are just rare: play more games",
                ),
            };
            reports.push(Report::new(code, *span, what).help(help));
        }
        reports
    }
}
