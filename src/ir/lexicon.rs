//! Names by how they are written in small letters, so that a text is looked up without comparing it with each of them.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{Game, Ty};

/// The numbers of one or two names that are alike but for the case of their letters.
type Numbers = (usize, Option<usize>);

/// The names of the values of a game's atomic types. It is made when somebody first looks a name up; a copy of a game makes
/// its own.
#[derive(Debug, Default)]
pub struct Lexicon(OnceLock<HashMap<Ty, HashMap<String, Numbers>>>);

impl Clone for Lexicon {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Game {
    /// The names of an atomic type's values in order; none for other types.
    #[must_use]
    pub fn names(&self, ty: &Ty) -> Vec<&str> {
        match ty {
            Ty::Seat => self.seats.iter().map(|seat| seat.name.as_str()).collect(),
            Ty::Site => self.topology.sites.iter().map(|site| site.name.as_str()).collect(),
            Ty::Dir => self.topology.directions.iter().map(|direction| direction.name.as_str()).collect(),
            Ty::Kind => self.kinds.iter().map(|kind| kind.name.as_str()).collect(),
            Ty::Enum(number) => {
                let members = self.enums.get(*number).map(|info| info.members.iter());
                members.into_iter().flatten().map(|(name, _)| name.as_str()).collect()
            }
            Ty::Int | Ty::Bool | Ty::Piece | Ty::Way | Ty::Move | Ty::Set(_) => Vec::new(),
        }
    }

    /// The numbers of the names of an atomic type that a text may mean: the one equal to it, else the first two that are in
    /// any letter case.
    #[must_use]
    pub fn named(&self, ty: &Ty, text: &str) -> (Option<usize>, Option<usize>) {
        let words = self.lexicon.0.get_or_init(|| self.lexicon());
        let small: String = text.to_lowercase();
        let Some(&(first, second)) = words.get(ty).and_then(|names| names.get(&small)) else { return (None, None) };
        let Some(other) = second else { return (Some(first), None) };
        // Few names differ in case alone.
        match self.names(ty).iter().position(|name| *name == text) {
            Some(exact) => (Some(exact), None),
            None => (Some(first), Some(other)),
        }
    }

    fn lexicon(&self) -> HashMap<Ty, HashMap<String, Numbers>> {
        let enums = self.enums.ids().map(Ty::Enum);
        let types = [Ty::Seat, Ty::Site, Ty::Dir, Ty::Kind].into_iter().chain(enums);
        let words = types.map(|ty| {
            let mut names: HashMap<String, Numbers> = HashMap::new();
            for (number, name) in self.names(&ty).into_iter().enumerate() {
                let entry = names.entry(name.to_lowercase());
                entry.and_modify(|(_, second)| *second = second.or(Some(number))).or_insert((number, None));
            }
            (ty, names)
        });
        words.collect()
    }
}
