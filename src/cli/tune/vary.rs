//! `--vary NAME=VALUES`: which settings are tried.

use super::super::exit::{Exit, Failure};
use super::super::game::SetupArgs;
use crate::load::Offer;

/// The most settings that are tried.
const MOST: usize = 2000;

/// What is varied, and the values it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Vary {
    name: String,
    values: Vec<String>,
}

/// Parses `NAME=A..B` or `NAME=A|B|C`.
pub(in super::super) fn vary(text: &str) -> Result<Vary, String> {
    let fault = || "write it as NAME=A..B or NAME=A|B|C, such as `hand=2..5` or `tie=shared|drawn`".to_owned();
    let (name, values) = text.split_once('=').ok_or_else(fault)?;
    let (name, values) = (name.trim().to_owned(), values.trim());
    let values: Vec<String> = match values.split_once("..") {
        Some((from, to)) => {
            let (from, to): (i64, i64) =
                from.trim().parse().ok().zip(to.trim_start_matches('=').trim().parse().ok()).ok_or_else(fault)?;
            if from > to {
                return Err(format!("a range begins with the smaller number: write `{name}={to}..{from}`"));
            }
            (from..=to).take(MOST + 1).map(|number| number.to_string()).collect()
        }
        None => values.split('|').map(|value| value.trim().to_owned()).collect(),
    };
    if let Some((_, twice)) = values.iter().enumerate().find(|(at, value)| values[..*at].contains(value)) {
        return Err(format!("`{name}` has `{twice}` twice: list each value once"));
    }
    let sound = !name.is_empty() && !values.is_empty() && values.iter().all(|value| !value.is_empty());
    if sound { Ok(Vary { name, values }) } else { Err(fault()) }
}

/// A setting: what is chosen, and the flags that choose it.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) chosen: Vec<(String, String)>,
    pub(super) setup: SetupArgs,
}

impl Setting {
    /// The setting in a few words.
    pub(super) fn label(&self) -> String {
        let parts: Vec<String> = self.chosen.iter().map(|(name, value)| format!("{name}={value}")).collect();
        parts.join(" ")
    }
}

/// Every combination of the values, in order.
///
/// # Errors
/// If there is nothing of a name, or there are too many combinations.
pub(super) fn settings(base: &SetupArgs, varied: &[Vary], offer: &Offer) -> Result<Vec<Setting>, Failure> {
    let mut found = vec![Setting { chosen: Vec::new(), setup: base.clone() }];
    for (at, Vary { name, values }) in varied.iter().enumerate() {
        // Several variants can be played together; of everything else one value holds.
        if name != "variant" && varied[..at].iter().any(|other| other.name == *name) {
            let failure = Failure::new(Exit::Usage, format!("`{name}` is varied twice"));
            return Err(failure.cure("list all its values in one `--vary`"));
        }
        if found.len().saturating_mul(values.len()) > MOST {
            let failure = Failure::new(Exit::Usage, format!("there are more than {MOST} settings"));
            return Err(failure.cure("vary fewer things at a time, or narrower ranges"));
        }
        let mut more = Vec::new();
        for setting in &found {
            for value in values {
                let mut chosen = setting.chosen.clone();
                chosen.push((name.clone(), value.clone()));
                more.push(Setting { chosen, setup: choose(&setting.setup, name, value, offer)? });
            }
        }
        found = more;
    }
    Ok(found)
}

/// The flags with one choice more.
fn choose(setup: &SetupArgs, name: &str, value: &str, offer: &Offer) -> Result<SetupArgs, Failure> {
    let mut setup = setup.clone();
    let pair = (name.to_owned(), value.to_owned());
    let offered = |choices: &[crate::load::Choice]| choices.iter().any(|choice| choice.name == name);
    if name == "variant" {
        setup.variants.extend((value != "none").then(|| value.to_owned()));
    } else if name == "players" {
        let number =
            value.parse().map_err(|_| Failure::new(Exit::Usage, format!("`{value}` is no number of players")))?;
        setup.players = Some(number);
    } else if offered(&offer.readings) {
        setup.readings.retain(|(other, _)| other != name);
        setup.readings.push(pair);
    } else if offered(&offer.options) {
        setup.options.retain(|(other, _)| other != name);
        setup.options.push(pair);
    } else {
        let choices = offer.options.iter().chain(&offer.readings).map(|choice| choice.name.as_str());
        let names: Vec<&str> = choices.chain(["variant", "players"]).collect();
        let near = crate::base::nearest(name, names.iter().copied());
        let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        let cure = format!("{near}what can be varied is: {}", names.join(", "));
        return Err(Failure::new(Exit::Usage, format!("there is nothing called `{name}` to vary")).cure(cure));
    }
    Ok(setup)
}
