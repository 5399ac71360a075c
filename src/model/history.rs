//! What was asked before.

/// The positions that stood at earlier questions of play, by their keys, and at the end of the game.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct History {
    /// For each how many plies had been made, never falling.
    plies: Vec<u32>,
    keys: Vec<u64>,
    /// For each the keys of the parts that are counted by themselves; 0 in the middle of a move.
    parts: Vec<u64>,
}

impl Clone for History {
    fn clone(&self) -> Self {
        Self { plies: self.plies.clone(), keys: self.keys.clone(), parts: self.parts.clone() }
    }

    // Called for every playout: the memory is used again.
    fn clone_from(&mut self, other: &Self) {
        self.plies.clone_from(&other.plies);
        self.keys.clone_from(&other.keys);
        self.parts.clone_from(&other.parts);
    }
}

impl History {
    /// Adds a position, with the keys of its parts. False if it has fewer plies than the one before,
    /// and then it is not added.
    pub fn push(&mut self, ply: u32, key: u64, parts: impl IntoIterator<Item = u64>) -> bool {
        let follows = self.plies.last().is_none_or(|before| *before <= ply);
        if follows {
            self.plies.push(ply);
            self.keys.push(key);
            self.parts.extend(parts);
        }
        follows
    }

    /// Takes the last position away.
    pub fn pop(&mut self) {
        self.parts.truncate(self.parts.len().saturating_sub(self.width()));
        self.plies.pop();
        self.keys.pop();
    }

    /// Takes all away.
    pub fn clear(&mut self) {
        self.plies.clear();
        self.keys.clear();
        self.parts.clear();
    }

    /// How many parts are counted.
    fn width(&self) -> usize {
        if self.keys.is_empty() { 0 } else { self.parts.len() / self.keys.len() }
    }

    /// How many of them have a key.
    #[must_use]
    pub fn count(&self, key: u64) -> usize {
        self.keys.iter().filter(|old| **old == key).count()
    }

    /// Whether a position with a key stood when so many plies had been made.
    #[must_use]
    pub fn stood(&self, ply: u32, key: u64) -> bool {
        let from = self.plies.partition_point(|before| *before < ply);
        self.iter().skip(from).take_while(|(at, ..)| *at == ply).any(|(_, old, _)| old == key)
    }

    /// After how many plies a part had a key, when so many have been made and it has it now.
    #[must_use]
    pub fn count_part(&self, part: usize, key: u64, now: u32) -> usize {
        let mut count = 1;
        let mut last = now;
        for (ply, _, parts) in self.iter().rev() {
            if ply != last && parts.get(part) == Some(&key) {
                (count, last) = (count + 1, ply);
            }
        }
        count
    }

    /// Each position: how many plies had been made, its key, and those of its parts.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, u64, &[u64])> + ExactSizeIterator + '_ {
        let width = self.width();
        let parts = move |at: usize| self.parts.get(at * width..(at + 1) * width).unwrap_or(&[]);
        let both = self.plies.iter().zip(&self.keys).enumerate();
        both.map(move |(at, (&ply, &key))| (ply, key, parts(at)))
    }
}
