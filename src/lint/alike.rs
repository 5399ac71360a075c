//! Legal moves that reveal to a seat what it does not see.

use std::collections::HashSet;

use super::{Tally, is_spent, stmt_at};
use crate::ir::{ActionRef, Move};
use crate::model::{Engine, Position};
use crate::play::{InformationSet, Stream};
use crate::reference::Walker;

/// How many legal moves, times the seats, are compared in a game with those of positions that look alike.
pub(super) const COMPARED: usize = 1 << 20;

impl Tally {
    /// Records moves that are legal here but not in a position that looks the same to the seat to act, or the
    /// reverse: by its legal moves the seat could tell the two apart. Returns how many there are in both.
    pub(super) fn compare(
        &mut self,
        engine: &Walker,
        position: &Position,
        dice: &mut Stream,
        occasion: impl Fn() -> String,
    ) -> usize {
        let game = engine.game();
        let Some(seat) = position.asked().filter(|_| !game.has_perfect_information()) else { return 0 };
        let other = InformationSet::new(engine, position, seat).determinize(dice);
        let (here, there) = (engine.legal(position), engine.legal(&other));
        let listed = here.len() + there.len();
        if is_spent(engine) {
            return listed;
        }
        // There may be very many of either.
        let only = |these: &[Move], those: &[Move]| {
            let those: HashSet<&Move> = those.iter().collect();
            these.iter().find(|mv| !those.contains(mv)).map(|mv| mv.action)
        };
        let rule = match only(&here, &there).or_else(|| only(&there, &here)) {
            Some(ActionRef::Action(action) | ActionRef::Race(action)) => {
                game.actions.get(action).map(|action| action.rule)
            }
            Some(ActionRef::Pick) => position.ask.at().and_then(|at| stmt_at(game, at)).map(|stmt| stmt.rule),
            Some(ActionRef::Pass | ActionRef::Decline | ActionRef::Wait) | None => None,
        };
        if let Some(rule) = rule.and_then(|rule| game.rules.get(rule)) {
            let first = || (rule.name.clone(), occasion());
            self.telling.entry(rule.span).or_insert_with(first);
        }
        listed
    }
}
