//! An adversary that remembers everything a seat was ever shown, and guesses what is hidden.
//!
//! Small games are played through to the end, every deal and every move, all equally likely. The adversary groups the
//! games by what the seat was shown, byte by byte, and guesses the most frequent hidden value of each group: no learner
//! can do better. Its success must be what exact inference from the public rules gives, which is worked out here by
//! counting on paper, not by the program.

use std::collections::BTreeMap;
use std::fmt::Write;

use regelwerk::engine::Fast;
use regelwerk::ir::{Move, SeatId, Value};
use regelwerk::load::{Setup, load};
use regelwerk::model::{Ask, Engine, Position, Viewer};
use regelwerk::notation::{print_move, print_position};
use regelwerk::play::{View, told};
use regelwerk::say::Lang;
use regelwerk::view::{Look, asked, position as draw};

use crate::support::{Disk, read, root};

fn game(name: &str, options: &[(&str, &str)]) -> Fast {
    let path = root(&format!("rules/classics/{name}/{name}.rules"));
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let setup = Setup { options, ..Setup::default() };
    let loaded = load(&path.display().to_string(), &read(&path), &Disk, &setup);
    Fast::new(loaded.game.expect("a game"))
}

/// Everything a seat is shown at a position.
fn shown(engine: &Fast, position: &Position, seat: SeatId) -> String {
    let view = View::new(engine, position, Viewer::Seat(seat));
    let legal: Vec<String> = view.legal.iter().map(|mv| print_move(engine.game(), &view.position, mv)).collect();
    let board = draw(engine.game(), &view.position, &Look::default());
    let line = print_position(engine, &view.position);
    format!("{board}\n{line}\n{}\n{legal:?}\n", asked(Lang::En, engine.game(), &view.position))
}

/// What the adversary has gathered: by question of play, the number of the question.
#[derive(Default)]
struct Adversary {
    /// By what the seat was shown up to here, and by what is hidden: how likely.
    groups: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Adversary {
    /// How often the best guess is right, over all times.
    fn success(&self) -> f64 {
        let all: f64 = self.groups.values().flat_map(BTreeMap::values).sum();
        let right: f64 = self.groups.values().map(|group| group.values().fold(0.0, |a: f64, b| a.max(*b))).sum();
        right / all
    }
}

/// Plays all games through, to `plies`, and lets the seat's adversary watch each position in which something is
/// hidden from it.
fn watch(
    engine: &Fast,
    seat: SeatId,
    plies: u32,
    hidden: &dyn Fn(&Position) -> Option<String>,
    adversary: &mut Adversary,
    at: (&Position, &str, f64),
) {
    let (position, past, likely) = at;
    let open = !position.in_setup(engine.game());
    let seen = if open { format!("{past}{}", shown(engine, position, seat)) } else { past.to_owned() };
    if open && let Some(value) = hidden(position) {
        *adversary.groups.entry(seen.clone()).or_default().entry(value).or_default() += likely;
    }
    if position.is_over() || position.ply >= plies {
        return;
    }
    let legal = engine.legal(position);
    for mv in &legal {
        let lines: Vec<String> = told(engine, position, mv, Viewer::Seat(seat))
            .into_iter()
            .map(|(who, text)| format!("{who:?} {text}\n"))
            .collect();
        let next = engine.play_unchecked(position, mv);
        let past = format!("{seen}{}", lines.concat());
        watch(
            engine,
            seat,
            plies,
            hidden,
            adversary,
            (&next, &past, likely / f64::from(u32::try_from(legal.len()).expect("few"))),
        );
    }
}

fn zone(engine: &Fast, name: &str) -> usize {
    engine.game().zones.iter().position(|zone| zone.name == name).expect("a zone")
}

fn near(one: f64, two: f64) {
    assert!((one - two).abs() < 1e-9, "{one} {two}");
}

/// Kuhn poker: of three cards one is known, so the other seat's card is guessed in one of two games, whatever was bet.
#[test]
fn nothing_tells_a_card_of_kuhn_poker() {
    let engine = game("kuhn-poker", &[]);
    let hand = zone(&engine, "hand");
    for (me, other) in [(0, 1), (1, 0)] {
        let mut adversary = Adversary::default();
        let hidden = |position: &Position| position.zones[hand][other].first().map(|card| format!("{card:?}"));
        watch(&engine, SeatId::new(me), 9, &hidden, &mut adversary, (&engine.start(), "", 1.0));
        near(adversary.success(), 0.5);
    }
}

/// Leduc poker: of six cards, two of each rank, one is known: another rank is held in two of five cases. Once a card lies
/// on the table, four cards are left: in any case two of one rank are among them, so that one of two is right.
#[test]
fn nothing_tells_a_card_of_leduc_poker() {
    let engine = game("leduc-poker", &[]);
    let (hand, table) = (zone(&engine, "hand"), zone(&engine, "table_card"));
    for (drawn, wanted) in [(false, 0.4), (true, 0.5)] {
        let mut adversary = Adversary::default();
        let hidden = |position: &Position| {
            let lies = !position.zones[table][0].is_empty();
            let card = position.zones[hand][1].first().filter(|_| lies == drawn);
            card.map(|card| format!("{card:?}"))
        };
        watch(&engine, SeatId::new(0), 3, &hidden, &mut adversary, (&engine.start(), "", 1.0));
        near(adversary.success(), wanted);
    }
}

/// Goofspiel with three cards: who chooses second knows nothing of the first one's secret card but that it is one of those
/// left; nor anybody of the next prize.
#[test]
fn nothing_tells_a_bid_of_goofspiel() {
    let engine = game("goofspiel", &[("cards", "3")]);
    let prizes = zone(&engine, "prizes");
    let left = |position: &Position| position.zones[prizes][0].len();
    for (rounds, wanted) in [(2, 1.0 / 3.0), (1, 0.5)] {
        let mut bids = Adversary::default();
        let chosen = |position: &Position| {
            let chosen = position.control.iter().find_map(|frame| {
                if let regelwerk::model::Frame::Together(_, _, chosen) = frame { chosen.first() } else { None }
            });
            chosen.filter(|_| left(position) == rounds).map(|(_, mv)| format!("{mv:?}"))
        };
        watch(&engine, SeatId::new(1), 9, &chosen, &mut bids, (&engine.start(), "", 1.0));
        near(bids.success(), wanted);
    }
    // While two prizes are covered, the next one is either of them.
    let mut next = Adversary::default();
    let prize = |position: &Position| {
        let top = position.zones[prizes][0].last().filter(|_| left(position) == 2);
        top.map(|card| format!("{card:?}"))
    };
    watch(&engine, SeatId::new(1), 9, &prize, &mut next, (&engine.start(), "", 1.0));
    near(next.success(), 0.5);
}

/// Coins in a fist, none to three, each as likely: who sees neither which nor how many guesses right in one of four games,
/// before anything is said and after.
#[test]
fn nothing_tells_how_many_coins_are_in_a_fist() {
    let setup = Setup { players: Some(2), ..Setup::default() };
    let engine = Fast::new(crate::support::game(&root("tests/fixtures/fists.rules"), &setup));
    let fist = zone(&engine, "fist");
    for (me, other) in [(0, 1), (1, 0)] {
        let mut adversary = Adversary::default();
        let hidden = |position: &Position| {
            let both = (2..4).contains(&position.ply);
            both.then(|| position.zones[fist][other].len().to_string())
        };
        watch(&engine, SeatId::new(me), 3, &hidden, &mut adversary, (&engine.start(), "", 1.0));
        near(adversary.success(), 0.25);
    }
}

/// The markers of a guess, by Knuth's rule.
fn markers(code: &[usize], guess: &[usize]) -> (usize, usize) {
    let black = code.iter().zip(guess).filter(|(a, b)| a == b).count();
    let of = |row: &[usize], colour| row.iter().filter(|peg| **peg == colour).count();
    let all: usize = (0..6).map(|colour| of(code, colour).min(of(guess, colour))).sum();
    (black, all - black)
}

/// Mastermind: the codebreaker can tell two codes apart only by the markers, for each of some rows of guesses.
#[test]
fn the_markers_tell_all_there_is_of_a_code() {
    let engine = game("mastermind", &[]);
    let codes: Vec<[usize; 4]> = (0..1296).map(|n: usize| [n / 216, n / 36 % 6, n / 6 % 6, n % 6]).collect();
    let kinds = |row: &[usize; 4]| row.iter().map(|kind| Value::atom_of(*kind)).collect();
    for guesses in [[[0, 0, 1, 1], [0, 1, 2, 3]], [[2, 2, 2, 2], [5, 4, 3, 2]]] {
        let mut groups: BTreeMap<String, usize> = BTreeMap::new();
        let mut wanted: BTreeMap<Vec<(usize, usize)>, usize> = BTreeMap::new();
        // Every choice of pegs is legal in every row; only the action differs.
        let mut templates: Vec<Move> = Vec::new();
        for code in &codes {
            let mut position = engine.start();
            let mut seen = String::new();
            let mut known = Vec::new();
            for (at, row) in [code].into_iter().chain(&guesses).enumerate() {
                if position.is_over() {
                    break;
                }
                if templates.len() == at {
                    templates.push(engine.legal(&position).swap_remove(0));
                }
                let mut mv = templates[at].clone();
                mv.args = kinds(row);
                for (who, text) in told(&engine, &position, &mv, Viewer::Seat(SeatId::new(1))) {
                    let _ = writeln!(seen, "{who:?} {text}");
                }
                position = engine.play_unchecked(&position, &mv);
                assert!(matches!(position.ask, Ask::Choose { .. } | Ask::Over));
                seen.push_str(&shown(&engine, &position, SeatId::new(1)));
                if at > 0 {
                    known.push(markers(code, row));
                }
            }
            *groups.entry(seen).or_default() += 1;
            *wanted.entry(known).or_default() += 1;
        }
        let sizes = |groups: Vec<usize>| {
            let mut sizes = groups;
            sizes.sort_unstable();
            sizes
        };
        assert_eq!(sizes(groups.into_values().collect()), sizes(wanted.into_values().collect()));
    }
}
