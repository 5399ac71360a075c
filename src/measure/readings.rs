//! How much a document's gaps matter: each alternative reading against the default.

use super::compare::{Difference, Figure, differences};
use super::looks::level;
use super::pair::Pairs;
use super::statistics::{Estimate, holm, wilson};
use crate::ir::{Force, Game, Seat};
use crate::load::{Offer, RuleFile, Setup};

/// An alternative decision of a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlternativeReading {
    /// The gaps it decides differently.
    pub gaps: Vec<String>,
    /// What it is about: these gaps, or if there are none, the clauses that it cites.
    pub about: Vec<String>,
    /// The reading or variant: `name = value` or `variant name`.
    pub name: String,
    /// The default it replaces; empty if that is the default of the rules.
    pub default: String,
    /// The question it answers.
    pub text: String,
    /// The number of players.
    pub players: u32,
    /// The setup with the default.
    pub setup: Setup,
    /// The setup with the alternative.
    pub other: Setup,
}

/// All alternative decisions of a rule file's gaps, for every number of players: those of its `reading` lines, those
/// that a variant brings along, and the variants that implement nothing but a gap.
#[must_use]
pub fn alternative_readings(rules: &RuleFile) -> Vec<AlternativeReading> {
    let plain = rules.load(&Setup::default());
    let Some(game) = &plain.game else { return Vec::new() };
    let is_gap = |id: &String| game.clauses.clauses.get(id).is_some_and(|clause| clause.force == Force::Gap);
    let gaps = |clauses: &[String]| clauses.iter().filter(|id| is_gap(id)).cloned().collect::<Vec<_>>();
    let mut found = Vec::new();
    readings(&mut found, rules, &plain.offer, &[], &|_| true, &gaps);
    for (variant, title, clauses) in &plain.offer.variants {
        let variants = vec![variant.clone()];
        let offer = rules.load(&Setup { variants: variants.clone(), ..Setup::default() }).offer;
        let new = |reading: &str| plain.offer.readings.iter().all(|choice| choice.name != reading);
        readings(&mut found, rules, &offer, &variants, &new, &gaps);
        // A variant of the documents themselves is not an alternative.
        if clauses.is_empty() || !clauses.iter().all(is_gap) {
            continue;
        }
        for players in offer.players.iter().filter(|players| plain.offer.players.contains(players)) {
            let setup = Setup { players: Some(*players), ..Setup::default() };
            found.push(AlternativeReading {
                about: clauses.clone(),
                gaps: clauses.clone(),
                players: *players,
                name: format!("variant {variant}"),
                default: String::new(),
                text: title.clone(),
                other: Setup { variants: variants.clone(), ..setup.clone() },
                setup,
            });
        }
    }
    found
}

fn readings(
    found: &mut Vec<AlternativeReading>,
    rules: &RuleFile,
    offer: &Offer,
    variants: &[String],
    wanted: &dyn Fn(&str) -> bool,
    gaps: &dyn Fn(&[String]) -> Vec<String>,
) {
    for choice in offer.readings.iter().filter(|choice| wanted(&choice.name)) {
        for value in choice.values.iter().filter(|value| **value != choice.default) {
            let within = variants.first().map_or_else(String::new, |variant| format!("{variant}: "));
            let readings = vec![(choice.name.clone(), value.clone())];
            let chosen = Setup { variants: variants.to_vec(), readings: readings.clone(), ..Setup::default() };
            // A reading may support other numbers of players.
            let counts = rules.counts(&chosen);
            for players in offer.players.iter().filter(|players| counts.contains(players)) {
                let setup = Setup { players: Some(*players), variants: variants.to_vec(), ..Setup::default() };
                let gaps = gaps(&choice.clauses);
                found.push(AlternativeReading {
                    about: if gaps.is_empty() { choice.clauses.clone() } else { gaps.clone() },
                    gaps,
                    players: *players,
                    name: format!("{within}{} = {value}", choice.name),
                    default: choice.default.clone(),
                    text: choice.text.clone(),
                    other: Setup { readings: readings.clone(), ..setup.clone() },
                    setup,
                });
            }
        }
    }
}

/// Whether clauses concern only claims and offers, which random play does not make.
#[must_use]
pub fn is_claimed(game: &Game, clauses: &[String]) -> bool {
    let claimed = |name: &str| {
        game.claims.iter().any(|claim| claim.action.name == name) || game.offers.iter().any(|offer| offer.name == name)
    };
    let facts: Vec<&String> = game.settings.iter().map(|(name, _)| name).collect();
    let mut citing = game
        .rules
        .iter()
        .filter(|rule| rule.clauses.iter().any(|id| clauses.contains(id)) && !facts.contains(&&rule.name))
        .peekable();
    citing.peek().is_some() && citing.all(|rule| claimed(&rule.name))
}

/// An alternative that was simulated.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The alternative.
    pub alternative: AlternativeReading,
    /// The pairs: the alternative first, the default second.
    pub pairs: Pairs,
    /// Whether the game has turns.
    pub turns: bool,
    /// Whether the gap concerns only claims and offers.
    pub claimed: bool,
    /// The seats that take part.
    pub seats: Vec<Seat>,
}

/// How much a reading matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// It changes the result of more than one game in twenty: the author should be asked.
    Decides,
    /// It changes results, scores, ranks, lengths or who wins, but less often.
    Matters,
    /// It changes the course of games, but no other difference was found.
    Unnoticed,
    /// It changed no game.
    Idle,
    /// It concerns only claims and offers.
    Claimed,
    /// No game ended, so nothing was decided either way.
    Untold,
}

/// The effect of an alternative. Intervals and corrections hold for all alternatives together.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The simulation.
    pub tried: Tried,
    /// The share of pairs whose results differ.
    pub results: Estimate,
    /// The share of pairs whose courses differ.
    pub courses: Estimate,
    /// The difference in length, in turns if the game has them.
    pub length: Difference,
    /// The greatest difference among the shares of wins and the other shares.
    pub shift: Difference,
    /// All significant differences, after Holm's correction.
    pub real: Vec<Difference>,
    /// How much it matters.
    pub weight: Weight,
}

/// The effects of alternatives, the strongest first.
#[must_use]
pub fn effects(tried: Vec<Tried>) -> Vec<Effect> {
    let level = level(tried.len());
    let found: Vec<Vec<Difference>> = tried.iter().map(|one| differences(&one.pairs, one.turns, level, None)).collect();
    let all: Vec<f64> = found.iter().flatten().map(|one| one.p).collect();
    let mut corrected = holm(&all).into_iter();
    let mut effects: Vec<Effect> = tried
        .into_iter()
        .zip(found)
        .filter_map(|(tried, mut figures)| {
            for (figure, corrected) in figures.iter_mut().zip(&mut corrected) {
                figure.corrected = corrected;
            }
            effect(tried, &figures, level)
        })
        .collect();
    // The sort is stable: equal effects stay in the order of the rules.
    effects.sort_by(|a, b| a.weight.cmp(&b.weight).then(b.results.value.total_cmp(&a.results.value)));
    effects
}

fn effect(tried: Tried, figures: &[Difference], level: f64) -> Option<Effect> {
    let of = |figure| figures.iter().find(|one| one.figure == figure).copied();
    let length = of(Figure::Turns).or_else(|| of(Figure::Plies))?;
    let shares = figures.iter().filter(|one| one.figure.is_share()).copied();
    let shift = shares.max_by(|a, b| a.difference.value.abs().total_cmp(&b.difference.value.abs()))?;
    let results = wilson(tried.pairs.results, tried.pairs.pairs, level);
    let courses = wilson(tried.pairs.courses, tried.pairs.pairs, level);
    let real: Vec<Difference> = figures.iter().filter(|one| one.is_real()).copied().collect();
    let untold = tried.pairs.open.both == tried.pairs.pairs;
    let weight = match (tried.pairs.courses + tried.pairs.results + tried.pairs.standings, tried.claimed) {
        (0, true) => Weight::Claimed,
        (1.., _) if untold => Weight::Untold,
        (0, false) => Weight::Idle,
        _ if results.low > 0.05 => Weight::Decides,
        _ if results.value > 0.0 || tried.pairs.standings > 0 || !real.is_empty() => Weight::Matters,
        _ => Weight::Unnoticed,
    };
    Some(Effect { tried, results, courses, length, shift, real, weight })
}
