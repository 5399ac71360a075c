//! Kalaha for two to four players, by the clauses of `kalaha/`.

use std::collections::HashMap;

use super::{Position, count};

/// One player's side: the fields in sowing order, then the store (annahme/4).
#[derive(Clone)]
struct Side {
    fields: Vec<u32>,
    store: u32,
}

/// A position; the sides are in turn order, which is also the order of sowing (`ablauf/1b`, `3a`).
#[derive(Clone)]
struct Game {
    sides: Vec<Side>,
    to_move: usize,
}

/// Where the last stone of a sowing landed.
enum Last {
    OwnStore,
    Field { side: usize, field: usize },
}

/// Counts move sequences of 1 to `depth` plies; each sowing of an extra turn is a ply of its own.
///
/// A side has `fields` fields of `seeds` stones: 6 and 4 are the real game.
///
/// # Panics
///
/// If `players` is not between 2 and 4.
pub(crate) fn perft(players: usize, fields: usize, seeds: u32, depth: u32) -> Vec<u64> {
    assert!((2..=4).contains(&players), "two to four players, not {players}");
    let side = Side { fields: vec![seeds; fields], store: 0 };
    let start = Game { sides: vec![side; players], to_move: 0 };
    count(&start, depth)
}

/// The value of a board for two under perfect play: the first player's store minus the second's, by exhaustive
/// enumeration. The score is all that matters: the greater store wins (`ende/4`).
pub(crate) fn value(fields: usize, seeds: u32) -> i64 {
    let side = Side { fields: vec![seeds; fields], store: 0 };
    let start = Game { sides: vec![side; 2], to_move: 0 };
    still_to_win(&start, &mut HashMap::new())
}

/// How much more the first player will still gain than the second under perfect play. What is already in the stores
/// makes no difference.
fn still_to_win(game: &Game, known: &mut HashMap<(usize, Vec<u32>), i64>) -> i64 {
    let key = (game.to_move, game.sides.iter().flat_map(|side| side.fields.clone()).collect());
    if let Some(value) = known.get(&key) {
        return *value;
    }
    let ahead = |game: &Game| i64::from(game.sides[0].store) - i64::from(game.sides[1].store);
    let outcomes = game.successors().into_iter().map(|next| ahead(&next) - ahead(game) + still_to_win(&next, known));
    let best = if game.to_move == 0 { outcomes.max() } else { outcomes.min() };
    // No move: each player keeps the stones on his own side (`ende/2`).
    let left = |side: &Side| i64::from(side.fields.iter().sum::<u32>());
    let value = best.unwrap_or_else(|| left(&game.sides[0]) - left(&game.sides[1]));
    known.insert(key, value);
    value
}

impl Game {
    /// Plays `field` of the player to move: sows, captures, and passes the turn on.
    fn after(&self, field: usize) -> Self {
        let mut next = self.clone();
        match next.sow(field) {
            Last::OwnStore => return next, // the same player again (`ablauf/3f`)
            Last::Field { side, field } => {
                // One stone now means none before it (`ablauf/3g`).
                if side == self.to_move && next.sides[side].fields[field] == 1 {
                    next.capture(field);
                }
            }
        }
        next.to_move = (self.to_move + 1) % self.sides.len();
        next
    }

    /// Sows the stones of `field`, one each, into every field and the own store (`ablauf/3a`-`3e`).
    ///
    /// A long sowing passes the emptied field again (annahme/6).
    fn sow(&mut self, field: usize) -> Last {
        let mut hand = std::mem::take(&mut self.sides[self.to_move].fields[field]);
        let (mut side, mut next) = (self.to_move, field + 1);
        loop {
            if let Some(stones) = self.sides[side].fields.get_mut(next) {
                *stones += 1;
                hand -= 1;
                if hand == 0 {
                    return Last::Field { side, field: next };
                }
                next += 1;
            } else {
                if side == self.to_move {
                    self.sides[side].store += 1;
                    hand -= 1;
                    if hand == 0 {
                        return Last::OwnStore;
                    }
                }
                side = (side + 1) % self.sides.len();
                next = 0;
            }
        }
    }

    /// Moves the stones opposite the own `field` into the own store; the own stone stays (annahme/1).
    fn capture(&mut self, field: usize) {
        let (side, opposite) = self.opposite(field);
        let booty = std::mem::take(&mut self.sides[side].fields[opposite]);
        self.sides[self.to_move].store += booty;
    }

    /// Returns the side and field opposite a field of the player to move (annahme/5).
    ///
    /// With three players nobody sits opposite: the right-hand neighbour, who is next in turn, and the field in the
    /// same position count as opposite (`ablauf/3h`).
    fn opposite(&self, field: usize) -> (usize, usize) {
        let players = self.sides.len();
        if players == 3 {
            ((self.to_move + 1) % players, field)
        } else {
            let across = (self.to_move + players / 2) % players;
            (across, self.sides[across].fields.len() - 1 - field)
        }
    }
}

impl Position for Game {
    /// A player to move without stones has no move; that is the end of the game (`ende/1`).
    fn successors(&self) -> Vec<Self> {
        let own = &self.sides[self.to_move].fields;
        (0..own.len()).filter(|&field| own[field] > 0).map(|field| self.after(field)).collect()
    }
}

#[cfg(test)]
mod tests {
    /// Six sowings; the third ends in the store and leaves its player five, the others six.
    #[test]
    fn openings() {
        for players in 2..=4 {
            assert_eq!(super::perft(players, 6, 4, 2), [6, 5 * 6 + 5]);
        }
    }

    /// One field a side: an extra turn with nothing to sow is the end (`ende/1`, annahme/8).
    #[test]
    fn the_end_counts_extra_turns() {
        assert_eq!(super::perft(2, 1, 1, 3), [1, 0, 0]);
        assert_eq!(super::perft(2, 1, 2, 3), [1, 1, 0]);
    }

    /// By hand. One field and one stone: it goes to the store, and nothing is left to sow. Two stones: the second
    /// lands on B's field and makes three; B's last stone ends on his own empty field, captures nothing (A's field is
    /// empty), and A cannot move: 1 against 3.
    #[test]
    fn values_of_one_field() {
        assert_eq!((super::value(1, 1), super::value(1, 2)), (0, -2));
    }

    /// `ablauf/3g`, `3h`: a lone stone sown into an empty field takes the opposite field only.
    #[test]
    fn captures() {
        let opposite = [(2, 1, 4), (3, 1, 1), (4, 2, 4)];
        for (players, victim, field) in opposite {
            let mut game = super::Game {
                sides: vec![super::Side { fields: vec![1, 0, 0, 0, 0, 5], store: 0 }; players],
                to_move: 0,
            };
            game.sides[victim].fields[field] = 9;
            let next = game.after(0);
            assert_eq!(next.sides[victim].fields[field], 0);
            assert_eq!(next.sides[0].fields, [0, 1, 0, 0, 0, 5]);
            assert_eq!((next.sides[0].store, next.to_move), (9, 1));
        }
    }

    /// `ablauf/3d`: eight stones pass the other store; the last one captures what it passed.
    #[test]
    fn a_foreign_store_is_skipped() {
        let mut game =
            super::Game { sides: vec![super::Side { fields: vec![0, 0, 0, 0, 0, 8], store: 0 }; 2], to_move: 0 };
        game.sides[1].fields = vec![1; 6];
        let next = game.after(5);
        assert_eq!(next.sides[0].fields, [1, 0, 0, 0, 0, 0]);
        assert_eq!(next.sides[1].fields, [2, 2, 2, 2, 2, 0]);
        assert_eq!((next.sides[0].store, next.sides[1].store), (3, 0));
    }
}
