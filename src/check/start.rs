//! The start of a game: it must lead to a question and keep the invariants.

use std::sync::Arc;

use crate::base::Span;
use crate::ir::{Game, Liveness};
use crate::knowledge::knowledge;
use crate::model::{Ending, Engine, Violations};
use crate::reference::Walker;
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::{Item, ItemKind};

use super::disclosure::disclosures;

/// A setup and a first turn of no more steps are played in no time; each further step counts for as many of a check, since what
/// takes very many looks at whole boards or changes them.
const SHORT: u64 = 50_000;
const LONG: u64 = 3;

/// How much work of a check so many steps of play are.
fn played(steps: u64) -> u64 {
    steps.min(SHORT) + steps.saturating_sub(SHORT) * LONG
}

/// Runs the setup of a checked game.
pub(super) fn begin(mut game: Game, items: &[Arc<Item>], work: &mut u64, reports: &mut Reports) -> Option<Game> {
    if game.remembers {
        game.liveness = Liveness::of(&game);
    }
    let (known, steps) = knowledge(&game);
    game.knowledge = known;
    *work += steps;
    let walker = Walker::new(game);
    let (start, steps) = walker.opened();
    *work += played(steps);
    let (listed, steps) = walker.lists(&start);
    *work += played(steps);
    let Violations { broken, spent } = walker.violations(&start);
    let game = walker.into_game();
    let play = items.iter().find(|item| matches!(item.kind, ItemKind::Play(_)));
    if !listed {
        let message =
            "the moves of the first question take more steps to list than the step budget of one decision allows";
        let help = "let a seat choose among less at once: in two steps, or from a smaller set";
        reports.push(Report::new(Code::BadStart, play.map_or(Span::default(), |item| item.span), message).help(help));
    }
    if start.is_over() {
        let spent = matches!(start.outcome.as_ref().map(|outcome| outcome.ending), Some(Ending::Budget(_)));
        let (message, help) = if spent {
            (
                "the setup or the first turn takes more steps than the step budget of one decision allows",
                "make sure that every loop ends and that `play` asks a seat in every turn",
            )
        } else {
            (
                "the game is over right after the setup: nobody is ever asked",
                "make sure that `play` asks a seat (`mover plays …`), that the setup places the pieces, and that no `end` holds from the start",
            )
        };
        let place = play.map_or(Span::default(), |item| item.span);
        reports.push(Report::new(Code::BadStart, place, message).help(help));
        return None;
    }
    for (rules, what, help) in [
        (broken, "does not hold after the setup", "correct the setup or the invariant"),
        (spent, "takes more steps than the step budget of one decision allows", "make it look at less"),
    ] {
        for rule in rules.into_iter().filter_map(|rule| game.rules.get(rule)) {
            let message = format!("the invariant `{}` {what}", rule.name);
            reports.push(Report::new(Code::BadStart, rule.span, message).help(help));
        }
    }
    if game.knowledge.unfinished {
        let message = "it takes too much work to find out who may know what";
        let help = "call procedures with fewer different arguments, and nest fewer loops that move pieces";
        let place = play.map_or(Span::default(), |item| item.span);
        reports.push(Report::new(Code::BadStart, place, message).help(help));
    }
    disclosures(&game, reports);
    (!reports.has_errors()).then_some(game)
}
