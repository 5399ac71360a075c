//! Reports of what the rules tell a seat that it does not see.

use crate::ir::{Audience, Channel, Disclosure, Game, Source};
use crate::report::{Code, Report, Reports};

/// A report for each place of the rules that tells something hidden.
pub(super) fn disclosures(game: &Game, reports: &mut Reports) {
    for Disclosure { rule, channel, audience, source } in &game.knowledge.disclosures {
        let Some(rule) = game.rules.get(*rule) else { continue };
        let message = format!("{} depends on {}, {}", channel_text(game, *channel), source_text(game, *source), {
            match audience {
                Audience::Asked => "which the seat that is asked may not know",
                Audience::Viewers => "which those who see the one may not know of the other",
                Audience::Everybody => "which not everybody may know",
            }
        });
        reports.push(Report::new(Code::Tells, rule.span, message).help(cure(*channel)));
    }
}

fn channel_text(game: &Game, channel: Channel) -> String {
    match channel {
        Channel::Choice => "what can be chosen here".to_owned(),
        Channel::Guard => "what is legal here".to_owned(),
        Channel::Roll => "what can be rolled here".to_owned(),
        Channel::Question => "whether this is asked, and of whom,".to_owned(),
        Channel::Course => "how the game goes on here".to_owned(),
        Channel::End => "whether the game ends here".to_owned(),
        Channel::Result => "the result".to_owned(),
        Channel::Var(var) => {
            let name = game.vars.get(var).map_or("", |info| &info.name);
            format!("the value of `{name}`")
        }
        Channel::Places => "where pieces lie, or how many,".to_owned(),
        Channel::Pieces => "what can be seen of a piece".to_owned(),
        Channel::Sight => "who sees it".to_owned(),
    }
}

fn source_text(game: &Game, source: Source) -> String {
    match source {
        Source::Var(var) => format!("`{}`", game.vars.get(var).map_or("", |info| &info.name)),
        Source::Zone(zone) => format!("the pieces of `{}`", game.zones.get(zone).map_or("", |info| &info.name)),
        Source::Count(zone) => {
            format!("how many pieces lie in `{}`", game.zones.get(zone).map_or("", |info| &info.name))
        }
        Source::Order(zone) | Source::Place(zone) => {
            format!("the order of `{}`", game.zones.get(zone).map_or("", |info| &info.name))
        }
        Source::Kind(kind) => format!("where `{}` is", game.kinds.get(kind).map_or("", |info| &info.name)),
        Source::Choice(slot) | Source::Value(slot) | Source::Number(slot) => {
            format!("`{}`", game.slots.get(slot).map_or("", |info| &info.name))
        }
        Source::Elsewhere => "positions other than the one on the table".to_owned(),
    }
}

fn cure(channel: Channel) -> &'static str {
    match channel {
        Channel::Choice => {
            "choose among what the seat sees, or let chance draw unseen: `roll … seen by me`; if the rules tell it on purpose, \
             write `told(…)` and cite the clause"
        }
        Channel::Guard | Channel::Question | Channel::Roll => {
            "depend on what the seat sees, or ask everybody who might answer alike; if the rules tell it on purpose, write \
             `told(…)` and cite the clause"
        }
        Channel::Var(_) | Channel::Pieces | Channel::Sight => {
            "hide it from those who may not know it, with `seen by`; if the rules tell it on purpose, write `told(…)` and \
             cite the clause"
        }
        Channel::Course | Channel::End | Channel::Result | Channel::Places => {
            "lay open what it depends on first, by a move to where all see it; if the rules tell it on purpose, write \
             `told(…)` and cite the clause"
        }
    }
}
