//! Conditions on figures: what a setting of the rules should achieve or keep.

use std::fmt;

use super::statistics::{Estimate, real, wilson};
use super::tally::Tally;
use crate::ir::{Game, Ty};

/// How far a mean may be from a wanted value, as a share of it, and how far a share of games.
const WITHIN: f64 = 0.02;

/// How far apart the wins of seats may be that count as even.
const EVEN: f64 = 0.05;

/// A figure of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The length in plies.
    Plies,
    /// The length in turns.
    Turns,
    /// The length in rounds.
    Rounds,
    /// The number of legal answers per decision.
    Branching,
    /// The share of games won by a seat.
    Wins(usize),
    /// The greatest difference between the shares of games won by two seats.
    Spread,
    /// The share of games that come to an end.
    Ended,
    /// The share of games that some seats won and others did not.
    Decided,
    /// The share of drawn games.
    Draws,
    /// A measure, and whether it is a condition.
    Measure(usize, bool),
}

/// How a figure and a value should compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Equal, within a tolerance.
    Equal,
    /// At most.
    AtMost,
    /// At least.
    AtLeast,
}

/// A wanted value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// This value.
    Value(f64),
    /// This share of the figure of the rules before anything is varied.
    OfBase(f64),
}

/// How far a figure may be from what is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// This far.
    Absolute(f64),
    /// For a mean this share of what is wanted, for a share of games this share of all games.
    Share(f64),
}

/// What is wanted of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// As it was written.
    pub text: String,
    /// The figure.
    pub quantity: Quantity,
    /// How it should compare.
    pub relation: Relation,
    /// With what.
    pub wanted: Wanted,
    /// How near it should be.
    pub within: Tolerance,
}

/// What is known about a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It holds.
    Met,
    /// It does not.
    Missed,
    /// There are too few games to say.
    Open,
}

/// A condition in a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The figure.
    pub figure: Estimate,
    /// How far it is from what is wanted; 0 if it is as wanted.
    pub distance: Estimate,
    /// Whether the condition holds.
    pub known: Known,
}

impl Quantity {
    /// Whether it is a number that every game has, such as its length.
    fn is_length(&self) -> bool {
        matches!(self, Self::Plies | Self::Turns | Self::Rounds | Self::Branching)
    }

    /// Whether it is a share of games.
    #[must_use]
    pub fn is_share(&self) -> bool {
        match self {
            Self::Plies | Self::Turns | Self::Rounds | Self::Branching | Self::Measure(_, false) => false,
            Self::Wins(_) | Self::Spread | Self::Ended | Self::Decided | Self::Draws | Self::Measure(_, true) => true,
        }
    }

    /// Its value, with an interval.
    #[must_use]
    pub fn of(&self, tally: &Tally, level: f64) -> Estimate {
        let share = |count: u64| wilson(count, tally.games, level);
        match self {
            Self::Plies => tally.plies.moments().sample(0).interval(level),
            Self::Turns => tally.turns.moments().sample(0).interval(level),
            Self::Rounds => tally.rounds.moments().sample(0).interval(level),
            Self::Branching => tally.branching.games.ratio(0, 1).interval(level),
            Self::Wins(seat) => share(tally.seats.get(*seat).copied().unwrap_or_default().win),
            Self::Spread => spread(tally, level),
            Self::Ended => share(tally.games - tally.capped - tally.exhausted),
            Self::Decided => share(tally.decided),
            Self::Draws => share(tally.draws),
            Self::Measure(number, _) => tally
                .measures
                .get(*number)
                .map_or_else(Estimate::default, |values| values.games.ratio(0, 1).interval(level)),
        }
    }
}

/// The greatest difference between the wins of two seats. Its interval holds if those of all seats hold jointly.
fn spread(tally: &Tally, level: f64) -> Estimate {
    let seats = tally.seats.len().max(1) as u64;
    let each = 1.0 - (1.0 - level) / real(seats);
    let wins: Vec<Estimate> = tally.seats.iter().map(|results| wilson(results.win, tally.games, each)).collect();
    let greatest = |of: fn(&Estimate) -> f64| wins.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let least = |of: fn(&Estimate) -> f64| wins.iter().map(of).fold(f64::INFINITY, f64::min);
    Estimate {
        value: greatest(|one| one.value) - least(|one| one.value),
        low: (greatest(|one| one.low) - least(|one| one.high)).max(0.0),
        high: greatest(|one| one.high) - least(|one| one.low),
    }
}

impl Condition {
    /// What is known of it in a setting; `base` is the tally of the rules before anything is varied.
    #[must_use]
    pub fn judge(&self, tally: &Tally, base: Option<&Tally>, level: f64) -> Found {
        let figure = self.quantity.of(tally, level);
        let wanted = match self.wanted {
            Wanted::Value(value) => Estimate::around(value, 0.0),
            Wanted::OfBase(share) => {
                let base = base.map_or_else(Estimate::default, |base| self.quantity.of(base, level));
                Estimate { value: share * base.value, low: share * base.low, high: share * base.high }
            }
        };
        let scale = if self.quantity.is_share() { 1.0 } else { wanted.value.abs() };
        let within = match self.within {
            Tolerance::Absolute(within) => within,
            Tolerance::Share(share) => share * scale,
        };
        // Above what is wanted if positive, below it if negative.
        let gap = Estimate {
            value: figure.value - wanted.value,
            low: figure.low - wanted.high,
            high: figure.high - wanted.low,
        };
        let beyond = match self.relation {
            Relation::Equal => {
                Estimate { value: gap.value.abs(), low: gap.low.max(-gap.high).max(0.0), high: gap.high.max(-gap.low) }
            }
            Relation::AtMost => gap,
            Relation::AtLeast => Estimate { value: -gap.value, low: -gap.high, high: -gap.low },
        };
        let slack = if self.relation == Relation::Equal { within } else { 0.0 };
        let known = match beyond {
            Estimate { high, .. } if high <= slack => Known::Met,
            Estimate { low, .. } if low > slack => Known::Missed,
            _ => Known::Open,
        };
        let distance = Estimate { value: beyond.value.max(0.0), low: beyond.low.max(0.0), high: beyond.high.max(0.0) };
        Found { figure, distance, known }
    }
}

/// Why a text is no condition, and what to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionError {
    /// What is wrong.
    pub message: String,
    /// What to write.
    pub cure: String,
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.message, self.cure)
    }
}

impl std::error::Error for ConditionError {}

/// The parts of a condition: figure, relation, value, tolerance.
struct Parts<'t> {
    figure: &'t str,
    relation: Relation,
    value: &'t str,
    within: Option<&'t str>,
}

/// Splits a text at its last relation, since an expression may contain others.
fn parts(text: &str) -> Option<Parts<'_>> {
    let (text, within) = match text.rsplit_once(" within ") {
        Some((head, within)) => (head, Some(within.trim())),
        None => (text, None),
    };
    if let Some(figure) = text.trim().strip_suffix(" even") {
        return Some(Parts { figure: figure.trim(), relation: Relation::AtMost, value: "even", within });
    }
    let at = text.rfind('=')?;
    let (head, value) = (text.get(..at)?, text.get(at + 1..)?.trim());
    let (figure, relation) = match head.as_bytes().last() {
        Some(b'<') => (head.get(..at - 1)?, Relation::AtMost),
        Some(b'>') => (head.get(..at - 1)?, Relation::AtLeast),
        _ => (head, Relation::Equal),
    };
    Some(Parts { figure: figure.trim(), relation, value, within })
}

impl Condition {
    /// What is measured, as it was written.
    #[must_use]
    pub fn figure(&self) -> &str {
        parts(&self.text).map_or(self.text.as_str(), |parts| parts.figure)
    }
}

/// The figures that every game has, except the wins of a seat.
const FIGURES: [(&str, Quantity); 8] = [
    ("plies", Quantity::Plies),
    ("turns", Quantity::Turns),
    ("rounds", Quantity::Rounds),
    ("branching", Quantity::Branching),
    ("ended", Quantity::Ended),
    ("decided", Quantity::Decided),
    ("draws", Quantity::Draws),
    ("wins", Quantity::Spread),
];

/// The expression that a condition measures; none if it is about a figure that every game has.
#[must_use]
pub fn expression(text: &str) -> Option<&str> {
    let figure = parts(text)?.figure;
    let known = FIGURES.iter().any(|(name, _)| *name == figure) || figure.starts_with("wins of ");
    (!known).then_some(figure)
}

/// A number, or a percentage as a share.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    text.strip_suffix('%').map_or_else(|| number(text), |percent| number(percent).map(|percent| percent / 100.0))
}

/// Reads a condition, such as `turns = 20`, `turns = 80% of base within 3%`, `ended >= 99%`, `wins even`,
/// `wins of north <= 55%` or `count(stone) = 4`.
///
/// # Errors
/// Says what to write instead.
pub fn condition(text: &str, game: &Game) -> Result<Condition, ConditionError> {
    let fault = |message: String, cure: &str| Err(ConditionError { message, cure: cure.to_owned() });
    let Some(Parts { figure, relation, value, within }) = parts(text) else {
        return fault(format!("`{text}` compares nothing"), "write FIGURE = VALUE, FIGURE <= VALUE or FIGURE >= VALUE");
    };
    let seat = figure.strip_prefix("wins of ").map(str::trim);
    let quantity = match (FIGURES.iter().find(|(name, _)| *name == figure), seat) {
        (Some((_, quantity)), _) => quantity.clone(),
        (None, Some(name)) => {
            let Some(seat) = game.seats.iter().position(|seat| seat.name == name) else {
                let names: Vec<&str> = game.seats.iter().map(|seat| seat.name.as_str()).collect();
                return fault(format!("there is no seat `{name}`"), &format!("the seats are {}", names.join(", ")));
            };
            Quantity::Wins(seat)
        }
        (None, None) => {
            let found = game.measures.iter().position(|measure| measure.name == figure || measure.text == figure);
            match found.and_then(|number| game.measures.get(number).map(|measure| (number, measure))) {
                Some((number, measure)) => Quantity::Measure(number, measure.value.ty == Ty::Bool),
                None => return fault(format!("there is no figure `{figure}`"), "name one with `--measure`"),
            }
        }
    };
    let cure = "write a number, a percentage, or `80% of base`";
    let wanted = match (value, value.strip_suffix("of base")) {
        ("even", _) => Some(Wanted::Value(within.and_then(number).unwrap_or(EVEN))),
        (_, Some(share)) => number(share).map(Wanted::OfBase),
        (_, None) => number(value).map(Wanted::Value),
    };
    let Some(wanted) = wanted else { return fault(format!("`{value}` is no value"), cure) };
    let within = match within {
        None => Tolerance::Share(WITHIN),
        Some(text) => match number(text) {
            Some(share) if text.ends_with('%') => Tolerance::Share(share),
            Some(far) => Tolerance::Absolute(far),
            None => return fault(format!("`{text}` is no tolerance"), "write a number or a percentage"),
        },
    };
    let beyond = |far: f64| quantity.is_share() && far.abs() > 1.0;
    let whole = if let Wanted::Value(value) = wanted { beyond(value) } else { false };
    if whole || matches!(within, Tolerance::Absolute(far) | Tolerance::Share(far) if beyond(far)) {
        return fault(
            format!("`{figure}` is a share of games, of which there are no more than all"),
            "write `50%` or `0.5`",
        );
    }
    if quantity.is_length() && value.ends_with('%') {
        return fault(format!("`{figure}` is no share of games"), "write a number, or `80% of base`");
    }
    Ok(Condition { text: text.trim().to_owned(), quantity, relation, wanted, within })
}
