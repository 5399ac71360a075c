//! Earlier positions, for repetition.

/// The keys of the positions at earlier questions of play, and of the one at the end of the game.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct History {
    /// The number of plies made before each position; never decreasing.
    plies: Vec<u32>,
    keys: Vec<u64>,
    /// The keys of the separately counted parts of each position; 0 within a move.
    parts: Vec<u64>,
}

impl Clone for History {
    fn clone(&self) -> Self {
        Self { plies: self.plies.clone(), keys: self.keys.clone(), parts: self.parts.clone() }
    }

    // Called for every playout, so it reuses the allocation.
    fn clone_from(&mut self, other: &Self) {
        self.plies.clone_from(&other.plies);
        self.keys.clone_from(&other.keys);
        self.parts.clone_from(&other.parts);
    }
}

impl History {
    /// Adds a position with the keys of its parts. False, and nothing is added, if it has fewer plies than the one
    /// before.
    pub fn push(&mut self, ply: u32, key: u64, parts: impl IntoIterator<Item = u64>) -> bool {
        let follows = self.plies.last().is_none_or(|before| *before <= ply);
        if follows {
            self.plies.push(ply);
            self.keys.push(key);
            self.parts.extend(parts);
        }
        follows
    }

    /// Removes the last position.
    pub fn pop(&mut self) {
        self.parts.truncate(self.parts.len().saturating_sub(self.width()));
        self.plies.pop();
        self.keys.pop();
    }

    /// Removes all positions.
    pub fn clear(&mut self) {
        self.plies.clear();
        self.keys.clear();
        self.parts.clear();
    }

    /// How many parts are counted per position.
    fn width(&self) -> usize {
        if self.keys.is_empty() { 0 } else { self.parts.len() / self.keys.len() }
    }

    /// How many positions have this key.
    #[must_use]
    pub fn count(&self, key: u64) -> usize {
        self.keys.iter().filter(|old| **old == key).count()
    }

    /// Whether a position with this key occurred at this ply.
    #[must_use]
    pub fn stood(&self, ply: u32, key: u64) -> bool {
        let from = self.plies.partition_point(|before| *before < ply);
        self.iter().skip(from).take_while(|(at, ..)| *at == ply).any(|(_, old, _)| old == key)
    }

    /// The number of plies at which a part has had this key, including ply `now`, at which it has it.
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

    /// Each position: the number of plies made, its key, and the keys of its parts.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, u64, &[u64])> + ExactSizeIterator + '_ {
        let width = self.width();
        let parts = move |at: usize| self.parts.get(at * width..(at + 1) * width).unwrap_or(&[]);
        let both = self.plies.iter().zip(&self.keys).enumerate();
        both.map(move |(at, (&ply, &key))| (ply, key, parts(at)))
    }
}
