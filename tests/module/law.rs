//! What holds of a compiled game: at each question it says what the interpreter says.

use regelwerk::engine::Fast;
use regelwerk::ir::{ActionRef, Game, Move, Piece, Value};
use regelwerk::model::{Ask, Ending, Engine, Outcome, Position, Verdict};
use regelwerk::play::Stream;

use crate::hosted::Hosted;
use crate::support::print_position;

/// What is asked, as the module says it.
fn asked(ask: &Ask) -> i32 {
    match ask {
        Ask::Over => 0,
        Ask::Choose { .. } => 1,
        Ask::Pick { .. } => 2,
        Ask::Chance { .. } => 3,
        Ask::Race { .. } => 4,
    }
}

/// A legal answer as the module says it: the number of its action and its parameters. An act in a race has two more in
/// front: who acts, and when.
fn answer(hosted: &Hosted, game: &Game, mv: &Move) -> (i32, Vec<i64>) {
    let action = match mv.action {
        ActionRef::Action(number) | ActionRef::Race(number) => i32::try_from(usize::from(number)).expect("few actions"),
        ActionRef::Decline => -1,
        ActionRef::Pass => -2,
        ActionRef::Pick => -3,
        ActionRef::Wait => -4,
    };
    (action, mv.args.iter().map(|value| number(hosted, game, value)).collect())
}

/// A value as a number; a piece is numbered as the module describes it.
fn number(hosted: &Hosted, game: &Game, value: &Value) -> i64 {
    // A bit for each site that it takes, and above them where it ends.
    if let Value::Way(way) = value {
        let taken = way.taken.iter().fold(0, |taken, site| taken | 1_i64 << site);
        return i64::from(way.to) << game.topology.sites.len() | taken;
    }
    let Value::Piece(piece) = value else { return value.number().expect("a number") };
    let pieces = hosted.description["pieces"].as_array().expect("pieces");
    let found = pieces.iter().position(|other| *other == described(game, piece));
    i64::try_from(found.expect("a piece of the game") + 1).expect("few pieces")
}

/// A piece as the module describes it.
fn described(game: &Game, piece: &Piece) -> serde_json::Value {
    let kind = game.kinds.get(piece.kind).map(|kind| kind.name.clone());
    serde_json::json!({ "kind": kind, "owner": piece.owner.map(usize::from), "fields": piece.fields.to_vec() })
}

fn verdict(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Open => 0,
        Verdict::Win => 1,
        Verdict::Draw => 2,
        Verdict::Loss => 3,
    }
}

/// Compares what stands on the board, and what numbers variables hold.
fn compare_positions(hosted: &mut Hosted, game: &Game, position: &Position, text: &dyn Fn() -> String) {
    for (site, piece) in (0..).zip(&position.sites) {
        let number = hosted.call("piece", &[site]);
        let found = number.checked_sub(1).and_then(|number| usize::try_from(number).ok());
        let found = found.map(|number| hosted.description["pieces"][number].clone());
        assert_eq!(found, piece.as_ref().map(|piece| described(game, piece)), "site {site}: {}", text());
    }
    for (list, pieces) in (0..).zip(position.zones.iter().flatten()) {
        let held = usize::try_from(hosted.call("held", &[list])).expect("a number of pieces");
        let number =
            |hosted: &mut Hosted, n: usize| hosted.call("lying", &[list, i32::try_from(n).expect("few pieces")]);
        let mut lying = Vec::new();
        for n in 0..held {
            let number = usize::try_from(number(hosted, n)).expect("a piece");
            lying.push(hosted.description["pieces"][number - 1].clone());
        }
        let expected: Vec<_> = pieces.iter().map(|piece| described(game, piece)).collect();
        assert_eq!(lying, expected, "list {list} of the zones: {}", text());
        assert_eq!(number(hosted, held), 0, "beyond list {list}: {}", text());
    }
    for (pool, counts) in (0..).zip(&position.tokens) {
        for (site, &count) in (0..).zip(counts) {
            assert_eq!(hosted.long("tokens", &[pool, site]), i64::from(count), "tokens on {site}: {}", text());
        }
    }
    for (var, values) in game.vars.iter().zip(&position.vars) {
        let Some(first) = hosted.description["variables"][&var.name]["first"].as_i64() else { continue };
        for (place, value) in (first..).zip(values) {
            let expected = number(hosted, game, value);
            let place = i32::try_from(place).expect("few variables");
            assert_eq!(hosted.long("variable", &[place]), expected, "`{}`: {}", var.name, text());
        }
    }
}

pub(crate) fn compare_outcomes(
    hosted: &mut Hosted,
    seats: usize,
    outcome: Option<&Outcome>,
    text: &dyn Fn() -> String,
) {
    for seat in 0..seats {
        let number = i32::try_from(seat).expect("few seats");
        let expected = outcome.map_or(0, |outcome| verdict(outcome.verdicts[seat]));
        assert_eq!(hosted.call("verdict", &[number]), expected, "seat {seat}: {}", text());
        let rank = outcome.map_or(0, |outcome| i32::from(outcome.ranks[seat]));
        assert_eq!(hosted.call("rank", &[number]), rank, "seat {seat}: {}", text());
        if let Some(score) = outcome.and_then(|outcome| outcome.scores.get(seat)) {
            assert_eq!(hosted.long("score", &[number]), *score, "seat {seat}: {}", text());
        }
    }
}

/// Whether a decision took more than it may: where the interpreter ends the game, a module stops with a trap, each by its
/// own count.
fn gave_up(outcome: Option<&Outcome>) -> bool {
    matches!(outcome.map(|outcome| outcome.ending), Some(Ending::Budget(_)))
}

/// Plays one random game on both, comparing all that can be seen; at each question one answer is played, taken back
/// and played again. Returns how many positions were compared.
pub(crate) fn compare(fast: &Fast, hosted: &mut Hosted, seed: u64, length: usize, what: &str) -> usize {
    let game = fast.game();
    let mut run = fast.run();
    let start = fast.start();
    run.load(&start);
    if !hosted.starts(seed, 0) {
        assert!(gave_up(start.outcome.as_ref()), "{what}: the module does not begin");
        return 0;
    }
    let mut dice = Stream::new(seed, "module", 0);
    let mut seen = 0;
    for _ in 0..length {
        let position = run.position();
        let text = || format!("{what}, seed {seed}: {}", print_position(fast, &position));
        if gave_up(run.outcome()) {
            break;
        }
        let count = run.count();
        assert_eq!(hosted.call("ask", &[]), asked(&run.ask()), "{}", text());
        assert_eq!(usize::try_from(hosted.call("count", &[])), Ok(count), "{}", text());
        if let Ask::Choose { seat, .. } | Ask::Pick { seat, .. } = run.ask() {
            assert_eq!(usize::try_from(hosted.call("seat", &[])), Ok(usize::from(seat)), "{}", text());
        }
        let counters = ["ply", "turn", "mover"].map(|name| hosted.call(name, &[]));
        let mover = i32::try_from(usize::from(run.mover())).expect("few seats");
        assert_eq!(counters, [run.ply().cast_signed(), run.turn().cast_signed(), mover], "{}", text());
        compare_positions(hosted, game, &position, &text);
        compare_outcomes(hosted, game.seats.len(), run.outcome(), &text);
        if run.outcome().is_some() || count == 0 {
            break;
        }
        // Of many answers, some and the last.
        for n in (0..count).rev().step_by(count.div_ceil(40)) {
            let mv = run.legal(n).expect("a legal move");
            let (action, mut args) = answer(hosted, game, &mv);
            let number = i32::try_from(n).expect("not too many moves");
            let (mut who, mut when) = (-1, -1);
            if let ActionRef::Race(_) = mv.action {
                (who, when) = (args.remove(0), args.remove(0));
            }
            assert_eq!(i64::from(hosted.call("who", &[number])), who, "answer {n}: {}", text());
            assert_eq!(hosted.long("when", &[number]), when, "answer {n}: {}", text());
            assert_eq!(hosted.call("action", &[number]), action, "answer {n}: {}", text());
            for (at, arg) in (0..).zip(args) {
                assert_eq!(hosted.long("argument", &[number, at]), arg, "answer {n}: {}", text());
            }
        }
        let [chosen, other] = [dice.below(count), dice.below(count)].map(|n| i32::try_from(n).expect("a number"));
        hosted.applies(other);
        assert_eq!(hosted.call("undo", &[]), 0, "{}", text());
        let applied = hosted.applies(chosen);
        run.play_nth(usize::try_from(chosen).expect("a number"));
        seen += 1;
        if !applied {
            assert!(gave_up(run.outcome()), "the module stops: {}", text());
            break;
        }
    }
    seen
}
