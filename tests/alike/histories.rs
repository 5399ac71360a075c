//! Pairs of games that looked the same to a viewer all along: it is told the same of them, step by step.

use regelwerk::ir::{Move, SeatId};
use regelwerk::model::{Engine, Viewer};
use regelwerk::play::{Match, Stream, Who, deal, determinize, told};

use super::subjects::Subject;
use super::{Count, answers};

/// At most so many moves are tried for one that is told alike.
const TRIED: usize = 40;

/// Plays on from positions that a viewer cannot tell apart, as long as it is told the same and sees the same, and compares
/// what it is answered at the end.
pub(super) fn compare_games(subject: &Subject, seed: u64, plies: u32) -> Count {
    let engine = &subject.engine;
    let mut dice = Stream::new(seed, "histories", 0);
    let mut count = Count::default();
    let seats = SeatId::all(engine.game().seats.len()).map(Viewer::Seat);
    for (number, viewer) in (0..).zip(seats.chain([Viewer::Spectator])) {
        // Either from two deals that look alike, or from the beginning, so that chance draws what looks alike.
        let start =
            if (seed + number).is_multiple_of(2) { deal(engine, engine.start(), &mut dice) } else { engine.start() };
        let dealt = !start.in_setup(engine.game());
        let other = if dealt { determinize(engine, &start, viewer, &mut dice) } else { start.clone() };
        let (mut one, mut two) = (Match::new(engine, start), Match::new(engine, other));
        while one.ply() < plies.min(20) && one.steps().len() < 150 && !one.is_over() {
            if !step(engine, (&mut one, &mut two), viewer, &mut dice) {
                break;
            }
        }
        count.pairs += 1;
        count.different += usize::from(one.texts() != two.texts() || one.position() != two.position());
        let what = || format!("{} (game {seed}) {viewer:?}: {:?}\n{:?}", subject.name, one.texts(), two.texts());
        let said = [&one, &two].map(|game| {
            let door = game.door(Who::Viewer(viewer));
            let views: Vec<_> = (0..=game.steps().len()).map(|step| door.position_before(step)).collect();
            let mut said = vec![
                ("events".to_owned(), format!("{:?}", door.events(0, game.steps().len()))),
                ("views".to_owned(), format!("{views:?}")),
                ("last move".to_owned(), format!("{:?}", door.last_move())),
            ];
            said.extend(answers(subject, game, viewer, &[], true));
            said
        });
        count.answers += said[0].len();
        for (one, two) in said[0].iter().zip(&said[1]) {
            assert_eq!(one, two, "{}", what());
        }
        assert_eq!(said[0].len(), said[1].len(), "{}", what());
    }
    count
}

/// Plays a step in both games that the viewer is told in the same words and after which it sees the same; false if there
/// is none, and nothing was played.
fn step(engine: &dyn Engine, (one, two): (&mut Match<'_>, &mut Match<'_>), viewer: Viewer, dice: &mut Stream) -> bool {
    let legal = engine.legal(one.position());
    if legal.is_empty() {
        return false;
    }
    let mv = legal[dice.below(legal.len())].clone();
    let said = told(engine, one.position(), &mv, viewer);
    let mut possible = engine.legal(two.position());
    // The viewer knows what it did itself, though it is told only that it has chosen.
    let own = one.asked().map(Viewer::Seat) == Some(viewer);
    possible.retain(|other| !own || *other == mv);
    // Any of them, or the same move first, if it is possible there.
    for at in (1..possible.len()).rev() {
        possible.swap(at, dice.below(at + 1));
    }
    if dice.below(2) == 0
        && let Some(at) = possible.iter().position(|other| *other == mv)
    {
        possible.swap(0, at);
    }
    one.play_unchecked(mv);
    let fits = |other: &Move, two: &mut Match<'_>| {
        if told(engine, two.position(), other, viewer) != said {
            return false;
        }
        two.play_unchecked(other.clone());
        let seen = |game: &Match<'_>| (game.ask().clone(), game.door(Who::Viewer(viewer)).position());
        let alike = seen(one) == seen(two);
        if !alike {
            two.undo();
        }
        alike
    };
    let found = possible.iter().take(TRIED).any(|other| fits(other, two));
    if !found {
        one.undo();
    }
    found
}
