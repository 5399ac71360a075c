//! What can be settled before a game begins, and what is.

use crate::ir::Game;

/// What is chosen before a game starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// How many play; the rules' first number when absent.
    pub players: Option<u32>,
    /// The variants played.
    pub variants: Vec<String>,
    /// Readings that differ from the first, as name and alternative.
    pub readings: Vec<(String, String)>,
    /// Options that differ from their default, as name and value.
    pub options: Vec<(String, String)>,
}

impl Setup {
    /// What is chosen, as text.
    #[must_use]
    pub fn words(&self) -> String {
        let players = self.players.map(|players| format!("{players} players"));
        let variants = self.variants.iter().map(|variant| format!("the variant `{variant}`"));
        let values = self.readings.iter().chain(&self.options).map(|(name, value)| format!("`{name}={value}`"));
        players.into_iter().chain(variants).chain(values).collect::<Vec<_>>().join(", ")
    }
}

/// What a rule file offers to be settled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// The numbers of players, the default first.
    pub players: Vec<u32>,
    /// Options.
    pub options: Vec<Choice>,
    /// Readings.
    pub readings: Vec<Choice>,
    /// Variants: name, title, clauses.
    pub variants: Vec<(String, String, Vec<String>)>,
}

/// An option or reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Its name.
    pub name: String,
    /// What it means.
    pub text: String,
    /// The value when nothing is said.
    pub default: String,
    /// The values offered; empty if any of its type goes.
    pub values: Vec<String>,
    /// The clauses it implements.
    pub clauses: Vec<String>,
}

impl Offer {
    /// About how many bytes it takes in memory: an option may have a hundred thousand values.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let values = self.options.iter().chain(&self.readings).flat_map(|choice| &choice.values);
        values.map(|value| size_of::<String>() + value.len().next_multiple_of(ALLOTTED)).sum()
    }
}

/// What is allotted in memory is a multiple of so many bytes, at least.
const ALLOTTED: usize = 16;

impl Choice {
    /// Its value in a game.
    #[must_use]
    pub fn chosen<'a>(&'a self, game: &'a Game) -> &'a str {
        game.settings.iter().find(|(name, _)| *name == self.name).map_or(self.default.as_str(), |(_, value)| value)
    }
}
