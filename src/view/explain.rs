//! Outcomes, refusals and rules in sentences.

use std::fmt::Write;

use super::position::seat_title;
use super::reason::Speaker;
use crate::base::{Sources, Span, line_start};
use crate::ir::{Clause, Game, RuleId, RuleKind};
use crate::model::{Ending, Grounds, Outcome, Refusal, Verdict, Why};
use crate::notation::print_value;
use crate::say::{Arg, Lang};

/// How much an explanation says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// What decided, and the clauses.
    #[default]
    Clauses,
    /// The rules as well, with their places and lines.
    Rules,
}

/// The outcome of a game in sentences.
#[must_use]
pub fn outcome(lang: Lang, game: &Game, outcome: &Outcome) -> String {
    let winners: Vec<&str> = outcome.winners().map(|seat| seat_title(game, seat)).collect();
    let all_lost = outcome.verdicts.iter().all(|verdict| *verdict == Verdict::Loss);
    let head = match (winners.as_slice(), outcome.ending) {
        (_, Ending::PlayedOut) => lang.say("result-none", &[]),
        (_, Ending::NoMove(_)) => lang.say("result-stuck", &[]),
        (_, Ending::Budget(_)) => lang.say("result-budget", &[]),
        ([], Ending::Rule(_)) if all_lost => lang.say("result-all-lose", &[]),
        ([], Ending::Rule(_)) => lang.say("result-draw", &[]),
        ([one], Ending::Rule(_)) => lang.say("result-win", &[("who", (*one).into())]),
        (several, Ending::Rule(_)) => lang.say("result-win-together", &[("who", Arg::Text(&lang.and(several)))]),
    };
    let mut text = head;
    let clauses = outcome.clauses(game);
    if let Ending::Rule(rule) | Ending::NoMove(rule) | Ending::Budget(rule) = outcome.ending {
        let titled = outcome.statement.and_then(|rule| game.rules.get(rule));
        if let Some(title) = titled.and_then(|rule| rule.title.as_ref()) {
            let _ = write!(text, ": {title}{}", cites(&clauses));
        } else if let Some(rule) = game.rules.get(rule).filter(|_| rule != RuleId::GAME) {
            text = lang.say("result-by", &[("result", Arg::Text(&text)), ("rule", (&rule.name).into())]);
            text.push_str(&cites(&clauses));
        }
        text.push('.');
        for line in clause_texts(lang, game, &clauses) {
            let _ = write!(text, "\n  {line}");
        }
    } else {
        text.push('.');
    }
    for line in [ranking(lang, game, outcome), scores(lang, game, outcome)] {
        if !line.is_empty() {
            let _ = write!(text, "\n{line}");
        }
    }
    text
}

fn ranking(lang: Lang, game: &Game, outcome: &Outcome) -> String {
    // Ranks add nothing where there are only winners and losers.
    if outcome.ranks.iter().all(|rank| *rank <= 1) || outcome.ranks.len() <= 2 {
        return String::new();
    }
    let mut ranked: Vec<(u8, usize)> = outcome.ranks.iter().enumerate().map(|(seat, &rank)| (rank, seat)).collect();
    ranked.retain(|(rank, _)| *rank > 0);
    ranked.sort_unstable();
    let parts: Vec<String> = ranked.iter().map(|(rank, seat)| format!("{rank}. {}", seat_title(game, *seat))).collect();
    lang.say("ranking", &[("ranks", Arg::Text(&parts.join(", ")))])
}

fn scores(lang: Lang, game: &Game, outcome: &Outcome) -> String {
    let scored = (0..game.seats.len()).filter_map(|seat| Some((seat, outcome.score(seat)?)));
    let parts: Vec<String> = scored.map(|(seat, score)| format!("{} {score}", seat_title(game, seat))).collect();
    if parts.is_empty() { String::new() } else { lang.say("scores", &[("scores", Arg::Text(&parts.join(", ")))]) }
}

fn cites(clauses: &[&str]) -> String {
    let list: Vec<String> = clauses.iter().map(|clause| format!("§{clause}")).collect();
    if list.is_empty() { String::new() } else { format!(" ({})", list.join(", ")) }
}

/// The restatements of clauses.
fn clause_texts(lang: Lang, game: &Game, ids: &[&str]) -> Vec<String> {
    let text = |id: &&str| Some(format!("§{id}: {}", game.clauses.clauses.get(*id)?.text_in(lang.tag())));
    ids.iter().filter_map(text).collect()
}

/// A clause and its restatement as one line.
#[must_use]
pub fn clause_line(lang: Lang, game: &Game, id: &str) -> String {
    match game.clauses.clauses.get(id) {
        Some(clause) => format!("§{id}: {}", clause.text_in(lang.tag())),
        None => format!("§{id}"),
    }
}

/// What a clause is about, as a word.
#[must_use]
pub fn kind_of_clause(lang: Lang, clause: &Clause) -> String {
    lang.say("clause-kind", &[("kind", Arg::Text(&clause.kind.replace(' ', "-")))])
}

/// The kind of a rule as a word.
#[must_use]
pub fn kind_word(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::Fact => "fact",
        RuleKind::Definition => "definition",
        RuleKind::Procedure => "procedure",
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
pub fn rule_line(lang: Lang, game: &Game, sources: &Sources, rule: RuleId) -> String {
    let Some(rule) = game.rules.get(rule) else {
        return String::new();
    };
    let place = sources.get(rule.span.file).map(|source| {
        let (line, _) = sources.line_column(rule.span);
        format!(", {}:{line}", source.name)
    });
    let kind = lang.say("rule-kind", &[("kind", kind_word(rule.kind).into())]);
    format!("{kind} `{}`{}", rule.name, place.unwrap_or_default())
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

/// The names of rules, each once.
#[must_use]
pub fn rules_names(lang: Lang, game: &Game, rules: &[RuleId]) -> String {
    let mut names: Vec<String> = Vec::new();
    for rule in rules.iter().filter_map(|rule| game.rules.get(*rule)) {
        let kind = lang.say("rule-kind", &[("kind", kind_word(rule.kind).into())]);
        let name = format!("  {kind} `{}`\n", rule.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.concat()
}

/// Rules with their places and source lines, without repeating a line.
#[must_use]
pub fn rules_list(lang: Lang, game: &Game, sources: &Sources, rules: &[RuleId]) -> String {
    let mut text = String::new();
    let mut places = Vec::new();
    for (&number, rule) in rules.iter().filter_map(|rule| Some((rule, game.rules.get(*rule)?))) {
        let place = (rule.span.file, sources.line_column(rule.span).0);
        if !places.contains(&place) {
            places.push(place);
            let _ = writeln!(text, "  {}", rule_line(lang, game, sources, number));
            let _ = writeln!(text, "    {}", source_line(sources, rule.span));
        }
    }
    text
}

/// What was found that forbids a move, as half a sentence: `e1 is empty`. None where the kind of refusal says it all.
#[must_use]
pub fn because(lang: Lang, game: &Game, sources: &Sources, refusal: &Refusal) -> Option<String> {
    refusal.found.as_ref().map(|found| Speaker { lang, game, sources }.reason(found))
}

/// A refusal as text: what was found in a sentence, then the clauses that forbid the move; in detail the rules as well, with
/// their places.
#[must_use]
pub fn refusal(lang: Lang, game: &Game, sources: &Sources, what: &str, refusal: &Refusal, detail: Detail) -> String {
    let mut args = vec![("what", Arg::Text(what))];
    let shown;
    if let Why::NotAmong { slot, value } = &refusal.why {
        let info = game.slots.get(*slot);
        shown = info.map_or_else(String::new, |info| print_value(game, &info.ty, value));
        args.push(("value", Arg::Text(&shown)));
        args.push(("name", Arg::Text(info.map_or("it", |info| info.name.as_str()))));
    }
    let id = format!("refused-{}", refusal.why.word());
    let found = because(lang, game, sources, refusal);
    let mut text = if let Some(found) = &found {
        args.push(("because", Arg::Text(found)));
        lang.say("refused", &args)
    } else {
        lang.say(&id, &args)
    };
    text.push('\n');
    if detail == Detail::Rules && !refusal.rules.is_empty() {
        let _ = writeln!(text, "{}", lang.say(&format!("{id}-rules"), &[]));
        text.push_str(&rules_list(lang, game, sources, &refusal.rules));
    }
    for line in clause_texts(lang, game, &game.forbidding(&refusal.rules)) {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// An explanation for players of why a step is legal or not.
#[must_use]
pub fn explained(lang: Lang, game: &Game, sources: &Sources, what: &str, grounds: &Grounds, detail: Detail) -> String {
    let rules = match &grounds.verdict {
        Err(why) => return refusal(lang, game, sources, what, why, detail),
        Ok(rules) => rules,
    };
    let clauses = clause_texts(lang, game, &game.clauses_of(rules));
    let listed = if detail == Detail::Rules { rules_list(lang, game, sources, rules) } else { String::new() };
    let id = if clauses.is_empty() && listed.is_empty() { "legal-plain" } else { "legal" };
    let mut text = format!("{}\n{listed}", lang.say(id, &[("what", what.into())]));
    for line in clauses {
        let _ = writeln!(text, "  {line}");
    }
    if grounds.veiled {
        let _ = writeln!(text, "{}", lang.say("legal-veiled", &[]));
    }
    text
}
