//! What a twentieth attack found, and what earlier ones had left.

use regelwerk::bots::{Evaluation, Spec};
use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Meter, Viewer};
use regelwerk::play::{InformationSet, Stream, View, perft};

fn fast(text: &str) -> Fast {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{:?}", loaded.reports);
    Fast::new(loaded.game.expect("a game"))
}

/// Each of 900 moves sows for as long as a decision may take, or for half of that. A search of them all would need more than
/// a thousand million steps; it ends after some twenty million, and goes on to be held to a meter that was there before.
#[test]
fn a_search_of_heavy_decisions_ends() {
    for (seeds, bot) in [(4_000_000_000_u64, "alphabeta:2"), (1_000_000, "alphabeta:2"), (1_000_000, "mcts:1000")] {
        let engine = fast(&format!(
            "game g
            players a, b
            board ring 900 named \"f{{n}}\"
            tokens seed
            setup {{ put {seeds} seed on sites }}
            action s {{ choose f in seed sow seed from f along ahead as last }}
            play {{ turns {{ mover plays s }} }}
            end e after move when ply > 3 {{ draw }}"
        ));
        let meter = Meter::new(40_000_000);
        let held = engine.within(&meter);
        let position = held.start();
        let bot: Spec = bot.parse().expect("a bot");
        let evaluation = std::sync::Arc::new(Evaluation::blind(held.as_ref()));
        let seat = position.asked().expect("a seat is asked");
        let view = View::new(held.as_ref(), &position, Viewer::Seat(seat));
        let known = InformationSet::new(held.as_ref(), &position, seat);
        let chosen = bot.bot(held.as_ref(), &evaluation, Stream::new(1, "bot", 0)).choose(&view, &known, &|| false);
        assert!(chosen.is_some_and(|n| n < view.legal.len()), "{bot}");
        assert!(!meter.is_spent(), "{bot} with {seeds} seeds");
        let before = meter.grant(u64::MAX);
        assert!(before < 40_000_000, "{bot}: its decisions are not counted");
    }
}

/// That a secret choice is legal is all there is to say of it as the last ply: a million of them are not carried out.
#[test]
fn secret_choices_of_the_last_ply_are_counted() {
    let engine = fast(
        "game g
        players a, b
        var x(p: seat): int
        action s { choose n in 1..300  choose m in 1..300  x(me) := n + m }
        play { repeat 2 { together seats play s } draw }",
    );
    let meter = Meter::new(40_000_000);
    let held = engine.within(&meter);
    let found = perft(held.as_ref(), &held.start(), 1, &|_| ());
    assert_eq!((found.by_depth, found.divide.len(), found.limited), (vec![90_000], 90_000, false));
}
