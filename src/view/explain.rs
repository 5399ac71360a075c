//! Outcomes, refusals and rules in sentences.

use std::fmt::Write;

use super::position::seat_title;
use crate::base::{Sources, Span, line_start};
use crate::ir::{Game, RuleId, RuleKind};
use crate::model::{Ending, Grounds, Outcome, Refusal, Verdict, Why};
use crate::notation::print_value;

/// The outcome of a game in sentences.
#[must_use]
pub fn outcome(game: &Game, outcome: &Outcome) -> String {
    let winners: Vec<&str> = outcome.winners().map(|seat| seat_title(game, seat)).collect();
    let all_lost = outcome.verdicts.iter().all(|verdict| *verdict == Verdict::Loss);
    let head = match (winners.as_slice(), outcome.ending) {
        (_, Ending::PlayedOut) => "The game is over without a result".to_owned(),
        (_, Ending::NoMove(_)) => {
            "The game stops: nothing is legal, and the rules do not say what happens then".to_owned()
        }
        (_, Ending::Budget(_)) => "The game stops: a decision needed more steps than the budget allows".to_owned(),
        ([], Ending::Rule(_)) if all_lost => "Nobody wins".to_owned(),
        ([], Ending::Rule(_)) => "The game is a draw".to_owned(),
        ([one], Ending::Rule(_)) => format!("{one} wins"),
        (several, Ending::Rule(_)) => format!("{} win", several.join(" and ")),
    };
    let mut text = head;
    if let Ending::Rule(rule) | Ending::NoMove(rule) | Ending::Budget(rule) = outcome.ending {
        let titled = outcome.statement.and_then(|rule| game.rules.get(rule));
        if let Some((title, rule)) = titled.and_then(|rule| Some((rule.title.as_ref()?, rule))) {
            let _ = write!(text, ": {title}{}", cites(&rule.clauses));
        } else if let Some(rule) = game.rules.get(rule).filter(|_| rule != RuleId::GAME) {
            let _ = write!(text, " by `{}`{}", rule.name, cites(&rule.clauses));
        }
        text.push('.');
        let rules: Vec<RuleId> = std::iter::once(rule).chain(outcome.statement).collect();
        for line in clause_texts(game, &rules) {
            let _ = write!(text, "\n  {line}");
        }
    } else {
        text.push('.');
    }
    for line in [ranking(game, outcome), scores(game, outcome)] {
        if !line.is_empty() {
            let _ = write!(text, "\n{line}");
        }
    }
    text
}

fn ranking(game: &Game, outcome: &Outcome) -> String {
    // Ranks add nothing where there are only winners and losers.
    if outcome.ranks.iter().all(|rank| *rank <= 1) || outcome.ranks.len() <= 2 {
        return String::new();
    }
    let mut ranked: Vec<(u8, usize)> = outcome.ranks.iter().enumerate().map(|(seat, &rank)| (rank, seat)).collect();
    ranked.retain(|(rank, _)| *rank > 0);
    ranked.sort_unstable();
    let parts: Vec<String> = ranked.iter().map(|(rank, seat)| format!("{rank}. {}", seat_title(game, *seat))).collect();
    format!("Ranking: {}.", parts.join(", "))
}

fn scores(game: &Game, outcome: &Outcome) -> String {
    let parts: Vec<String> =
        outcome.scores.iter().enumerate().map(|(seat, score)| format!("{} {score}", seat_title(game, seat))).collect();
    if parts.is_empty() { String::new() } else { format!("Score: {}.", parts.join(", ")) }
}

fn cites(clauses: &[String]) -> String {
    let list: Vec<String> = clauses.iter().map(|clause| format!("§{clause}")).collect();
    if list.is_empty() { String::new() } else { format!(" ({})", list.join(", ")) }
}

/// The restatements of the clauses that rules implement, without repetition.
fn clause_texts(game: &Game, rules: &[RuleId]) -> Vec<String> {
    let mut seen: Vec<&str> = Vec::new();
    for rule in rules.iter().filter_map(|rule| game.rules.get(*rule)) {
        for clause in &rule.clauses {
            if !seen.contains(&clause.as_str()) {
                seen.push(clause);
            }
        }
    }
    seen.into_iter().filter_map(|id| Some(format!("§{id}: {}", game.clauses.clauses.get(id)?.text))).collect()
}

/// A clause and its restatement as one line.
#[must_use]
pub fn clause_line(game: &Game, id: &str) -> String {
    match game.clauses.clauses.get(id) {
        Some(clause) => format!("§{id}: {}", clause.text),
        None => format!("§{id}"),
    }
}

/// The kind of a rule as a word.
#[must_use]
pub fn kind_word(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::Fact => "fact",
        RuleKind::Path => "path",
        RuleKind::Action => "action",
        RuleKind::Choose => "choice",
        RuleKind::Guard => "guard",
        RuleKind::Statement => "statement",
        RuleKind::End => "end",
        RuleKind::Invariant => "invariant",
    }
}

/// A rule with its place: `path jump, file.rules:12`.
#[must_use]
pub fn rule_line(game: &Game, sources: &Sources, rule: RuleId) -> String {
    let Some(rule) = game.rules.get(rule) else {
        return String::new();
    };
    let place = sources.get(rule.span.file).map(|source| {
        let (line, _) = sources.line_column(rule.span);
        format!(", {}:{line}", source.name)
    });
    format!("{} `{}`{}", kind_word(rule.kind), rule.name, place.unwrap_or_default())
}

/// The first line of a rule, with runs of blanks collapsed.
#[must_use]
pub fn source_line(sources: &Sources, span: Span) -> String {
    let Some(source) = sources.get(span.file) else {
        return String::new();
    };
    let start = (span.start as usize).min(source.text.len());
    let from = line_start(&source.text, start);
    let line = source.text.get(from..).and_then(|rest| rest.lines().next()).unwrap_or("");
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Rules with their places and source lines, without repeating a line.
#[must_use]
pub fn rules_list(game: &Game, sources: &Sources, rules: &[RuleId]) -> String {
    let mut text = String::new();
    let mut places = Vec::new();
    for (&number, rule) in rules.iter().filter_map(|rule| Some((rule, game.rules.get(*rule)?))) {
        let place = (rule.span.file, sources.line_column(rule.span).0);
        if !places.contains(&place) {
            places.push(place);
            let _ = writeln!(text, "  {}", rule_line(game, sources, number));
            let _ = writeln!(text, "    {}", source_line(sources, rule.span));
        }
    }
    text
}

/// Rules with their places and source lines, followed by the clauses they implement, each once.
#[must_use]
pub fn rules_text(game: &Game, sources: &Sources, rules: &[RuleId]) -> String {
    let mut text = rules_list(game, sources, rules);
    for line in clause_texts(game, rules) {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// A refusal as text: the reason in a sentence, then the rules that forbid the move, with their places and clauses.
#[must_use]
pub fn refusal(game: &Game, sources: &Sources, what: &str, refusal: &Refusal) -> String {
    let (head, tail) = match &refusal.why {
        Why::Over => ("the game is over".to_owned(), "It ended by:"),
        Why::NotAsked => ("that seat is not asked for this now".to_owned(), "The question, or what it would need:"),
        Why::NotNow => ("that time has passed or is outside the race".to_owned(), "The question:"),
        Why::NotAmong { slot, value } => {
            let info = game.slots.get(*slot);
            let name = info.map_or("it", |info| info.name.as_str());
            let value = info.map_or_else(String::new, |info| print_value(game, &info.ty, value));
            (format!("`{value}` cannot be chosen here (as `{name}`)"), "Forbidden by:")
        }
        Why::Guard => ("a condition of the move does not hold".to_owned(), "The condition:"),
        Why::GuardAfter => ("a condition would not hold after the move".to_owned(), "The condition:"),
        Why::Precedence => ("something else must be played first".to_owned(), "Decided by:"),
        Why::NotPreferred => ("a better move is compulsory".to_owned(), "Decided by:"),
        Why::NotOffered => ("that is not one of the choices".to_owned(), "Decided by:"),
        Why::AlreadyOffered => ("that seat has already offered it".to_owned(), "The offer:"),
        Why::Unseen => {
            ("what forbids it depends on what is hidden from that seat".to_owned(), "In any case it relies on:")
        }
        Why::Budget => ("the step budget ran out before this was decided".to_owned(), "Where:"),
    };
    let mut text = format!("`{what}` is not legal: {head}.\n");
    if !refusal.rules.is_empty() {
        let _ = writeln!(text, "{tail}");
        text.push_str(&rules_text(game, sources, &refusal.rules));
    }
    text
}

/// An explanation for players of why a step is legal or not.
#[must_use]
pub fn explained(game: &Game, sources: &Sources, what: &str, grounds: &Grounds) -> String {
    match &grounds.verdict {
        Err(why) => refusal(game, sources, what, why),
        Ok(rules) => {
            let mut text = format!("`{what}` is legal. The rules it relies on:\n{}", rules_text(game, sources, rules));
            if grounds.veiled {
                text.push_str("What else follows depends on what you do not see.\n");
            }
            text
        }
    }
}
