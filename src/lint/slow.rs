//! What keeps a game from running on the fast interpreter.

use std::collections::BTreeSet;

use super::told;
use crate::engine::Fast;
use crate::load::{Files, Offer, RuleFile, Setup};
use crate::model::Engine;
use crate::report::{Code, Report, Reports};

/// How many setups are lowered, and after how many steps of checking and lowering them no more.
const SETUPS: usize = 24;
const WORK: u64 = 24_000_000;

/// Warns about everything that is not lowered and so makes the whole game run on the reference interpreter: in the
/// default setup, and where a variant, an option at one of its ends or a reading adds to that. The file must check;
/// otherwise nothing is reported.
#[must_use]
pub fn unlowered(name: &str, text: &str, files: &dyn Files) -> Reports {
    let mut reports = Reports::default();
    let rules = RuleFile::read(name, text, files);
    let first = rules.load(&Setup::default());
    let mut seen = BTreeSet::new();
    let mut lower = |setup: &Setup, game| {
        let fast = Fast::new(game);
        for (what, rule) in fast.lowering().map(|(_, gaps)| gaps).into_iter().flatten() {
            let Some(rule) = fast.game().rules.get(rule).filter(|rule| seen.insert((rule.span, what))) else {
                continue;
            };
            let with = told(setup);
            let with = with.strip_prefix(", ").map_or_else(String::new, |with| format!("with {with}, "));
            let message = format!(
                "{with}the fast engine does not take {what}: the whole game runs on the slow reference interpreter"
            );
            reports.push(Report::new(Code::NotLowered, rule.span, message).help(cure(what)));
        }
        fast.lowered_in()
    };
    let Some(game) = first.game else { return Reports::default() };
    let mut work = first.work + lower(&Setup::default(), game);
    for setup in others(&first.offer).into_iter().take(SETUPS) {
        if work > WORK {
            break;
        }
        let loaded = rules.load(&setup);
        work += loaded.work;
        if let Some(game) = loaded.game {
            work += lower(&setup, game);
        }
    }
    reports
}

/// The setups that differ from the default in one thing: a variant, an option at one of its ends, a reading.
fn others(offer: &Offer) -> Vec<Setup> {
    let plain = Setup::default;
    let variants = offer.variants.iter().map(|(name, ..)| Setup { variants: vec![name.clone()], ..plain() });
    let ends = offer.options.iter().flat_map(|option| {
        let (first, last) = (option.values.first(), option.values.last());
        let other = [first, last].into_iter().flatten().filter(|value| **value != option.default);
        other.map(|value| Setup { options: vec![(option.name.clone(), value.clone())], ..plain() })
    });
    let readings = offer.readings.iter().flat_map(|reading| {
        let other = reading.values.iter().filter(|value| **value != reading.default);
        other.map(|value| Setup { readings: vec![(reading.name.clone(), value.clone())], ..plain() })
    });
    variants.chain(ends).chain(readings).collect()
}

/// How to avoid it.
fn cure(what: &str) -> &'static str {
    match what {
        "the position after a move" | "the legal moves as values" | "a move as a value" | "a set of moves or sets" => {
            "make it a condition of the action itself, with `require` or `ensure`"
        }
        "a field of pieces that holds any number" => {
            "bound what is put into it, as in `lesser(n, 9)`, or keep the number in a variable"
        }
        "more than 16384 different pieces" => "give the fields of pieces fewer values, or use fewer fields",
        "boards of more than 1024 sites" => "use smaller boards, or leave sites out with `keep`",
        "a set of pieces with too many cases" => {
            "let the definitions it stands in depend on fewer names, and name seats and kinds outright where they are known"
        }
        _ => "say it in simpler parts: definitions with fewer parameters, sets that are known at load",
    }
}
