//! The classics against independent figures: published perft counts, and the value of a game that has been solved on
//! paper.

use std::collections::BTreeMap;

use regelwerk::engine::Fast;
use regelwerk::load::Setup;
use regelwerk::model::{Ask, Engine, Position, Viewer};
use regelwerk::notation::{parse_position, print_move};
use regelwerk::play::perft;

use crate::support::{classics, game, print_position, read, root, rules_of};

/// A published count.
struct Row {
    game: String,
    setup: Setup,
    position: String,
    depth: u32,
    nodes: u64,
}

/// The rows of `rules/classics/perft.tsv`; settings are written as on the command line.
fn published() -> Vec<Row> {
    let text = read(&root("rules/classics/perft.tsv"));
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.starts_with("game\t"));
    let rows: Vec<Row> = lines
        .map(|line| {
            let [game, settings, position, depth, nodes, _how, _source] =
                line.split('\t').collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!("seven columns: {line}"));
            let mut setup = Setup::default();
            let words: Vec<&str> = settings.split_whitespace().collect();
            for pair in words.chunks(2) {
                match pair {
                    ["--variant", name] => setup.variants.push((*name).to_owned()),
                    ["--players", n] => setup.players = Some(n.parse().expect("a number")),
                    ["--set", choice] => {
                        let (name, value) = choice.split_once('=').expect("NAME=VALUE");
                        setup.options.push((name.to_owned(), value.to_owned()));
                    }
                    other => panic!("{other:?} is no setting: {line}"),
                }
            }
            Row {
                game: game.to_owned(),
                setup,
                position: position.to_owned(),
                depth: depth.parse().expect("a number"),
                nodes: nodes.parse().expect("a number"),
            }
        })
        .collect();
    assert!(rows.len() > 40, "only {} rows", rows.len());
    rows
}

/// Counts what a row specifies and compares it with the published number.
fn hold(row: &Row) {
    let engine = Fast::new(game(&rules_of(&row.game), &row.setup));
    let position = match row.position.as_str() {
        "start" => engine.start(),
        text => parse_position(&engine, text).unwrap_or_else(|error| panic!("{}: {error}", row.game)),
    };
    let found = perft(&engine, &position, row.depth, &|_| ());
    assert!(!found.limited, "{} to depth {}", row.game, row.depth);
    assert_eq!(found.nodes(), row.nodes, "{} to depth {} from {}", row.game, row.depth, row.position);
}

/// Counts up to this size take seconds in total, even without optimisation.
const QUICK: u64 = 10_000;

#[test]
fn counts_agree_with_published_ones() {
    published().iter().filter(|row| row.nodes <= QUICK).for_each(hold);
}

/// The full run: `cargo test --release -- --ignored every_published_count`.
#[test]
#[ignore = "minutes; run by hand in release mode"]
fn every_published_count_agrees() {
    published().iter().for_each(hold);
}

/// The classics give no warnings, whatever the variant.
#[test]
fn classics_are_bundled_by_their_names() {
    let bundled = regelwerk::bundled::collected();
    let files = classics();
    assert!(files.len() >= 24, "only {} classics", files.len());
    assert_eq!(bundled.len(), files.len());
    for path in files {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let (_, text) = regelwerk::bundled::find(&name).unwrap_or_else(|| panic!("{name} is not bundled"));
        assert_eq!(text, read(&path), "{name}");
    }
}

/// The game tree of a two-player game with scores, for evaluating strategies.
enum Node {
    /// The score of the first seat.
    Over(f64),
    /// Equally likely outcomes.
    Chance(Vec<Node>),
    /// A decision: the seat, what it knows, its moves.
    Choice(usize, String, Vec<(String, Node)>),
}

/// The game tree below a position; `told` is what has been played openly.
fn tree(engine: &Fast, position: &Position, told: &str) -> Node {
    if let Some(outcome) = &position.outcome {
        return Node::Over(f64::from(i32::try_from(outcome.scores[0]).expect("small")));
    }
    let after = |mv| engine.play_unchecked(position, mv);
    let legal = engine.legal(position);
    if let Some(seat) = position.asked() {
        let seen = engine.explain().observation(position, Viewer::Seat(seat));
        let known = format!("{told} {}", print_position(engine, &seen));
        let moves = legal.iter().map(|mv| {
            let name = print_move(engine.game(), position, mv);
            let below = tree(engine, &after(mv), &format!("{told} {name}"));
            (name, below)
        });
        return Node::Choice(seat.into(), known, moves.collect());
    }
    assert!(matches!(position.ask, Ask::Chance { .. }));
    Node::Chance(legal.iter().map(|mv| tree(engine, &after(mv), told)).collect())
}

/// The probability of each move, by what is known and the move's name.
type Strategy = BTreeMap<(String, String), f64>;

/// The expected score of the first seat.
fn value(node: &Node, strategies: [&Strategy; 2]) -> f64 {
    match node {
        Node::Over(points) => *points,
        Node::Chance(below) => {
            let each = 1.0 / f64::from(u32::try_from(below.len()).expect("few outcomes"));
            below.iter().map(|node| each * value(node, strategies)).sum()
        }
        Node::Choice(seat, known, moves) => moves
            .iter()
            .map(|(name, below)| strategies[*seat][&(known.clone(), name.clone())] * value(below, strategies))
            .sum(),
    }
}

/// The decisions of a seat: what it knows, and its moves.
fn decisions(node: &Node, wanted: usize, into: &mut BTreeMap<String, Vec<String>>) {
    match node {
        Node::Over(_) => {}
        Node::Chance(below) => below.iter().for_each(|node| decisions(node, wanted, into)),
        Node::Choice(seat, known, moves) => {
            if *seat == wanted {
                let names: Vec<String> = moves.iter().map(|(name, _)| name.clone()).collect();
                let before = into.insert(known.clone(), names.clone());
                assert!(
                    before.is_none_or(|before| before == names),
                    "what a seat may do tells what it cannot see: {known}"
                );
            }
            for (_, below) in moves {
                decisions(below, wanted, into);
            }
        }
    }
}

/// Every pure strategy: one move for each decision.
fn pure(decisions: &BTreeMap<String, Vec<String>>) -> Vec<Strategy> {
    let mut all = vec![Strategy::new()];
    for (known, names) in decisions {
        all = all
            .into_iter()
            .flat_map(|strategy| {
                names.iter().map(move |chosen| {
                    let mut strategy = strategy.clone();
                    for name in names {
                        strategy.insert((known.clone(), name.clone()), f64::from(u8::from(name == chosen)));
                    }
                    strategy
                })
            })
            .collect();
    }
    all
}

/// Kuhn's own solution (1950) with the first player's parameter at 1/4: no reply to it is better than −1/18 for the
/// first seat, or better than 1/18 for the second, so by the minimax theorem that is the value. What a seat knows
/// comes from the engine's observations: if it could see a card it should not, there would be more than these twelve
/// decisions.
#[test]
fn kuhn_poker_is_worth_a_loss_of_an_eighteenth() {
    let engine = Fast::new(game(&rules_of("kuhn-poker"), &Setup::default()));
    let tree = tree(&engine, &engine.start(), "");
    let mut known = [BTreeMap::new(), BTreeMap::new()];
    for (seat, known) in known.iter_mut().enumerate() {
        decisions(&tree, seat, known);
        assert_eq!(known.len(), 6, "{known:#?}");
    }
    let alpha = 0.25;
    let solution = |seat: usize| -> Strategy {
        let mut strategy = Strategy::new();
        for (known, names) in &known[seat] {
            let card = ["jack", "queen", "king"].iter().position(|card| known.contains(card)).expect("a card is seen");
            // The probability of putting in a chip: by betting, or by calling a bet.
            let facing = names.iter().any(|name| name == "call");
            let chip = match (seat, facing, card) {
                (0, false, 0) => alpha,
                (0, false, 2) => 3.0 * alpha,
                (0, true, 1) => alpha + 1.0 / 3.0,
                (1, false, 0) | (1, true, 1) => 1.0 / 3.0,
                (_, true, 2) | (1, false, 2) => 1.0,
                _ => 0.0,
            };
            for name in names {
                let puts = matches!(name.as_str(), "bet" | "call");
                strategy.insert((known.clone(), name.clone()), if puts { chip } else { 1.0 - chip });
            }
        }
        strategy
    };
    let (first, second) = (solution(0), solution(1));
    let best = pure(&known[0]).iter().map(|answer| value(&tree, [answer, &second])).fold(f64::MIN, f64::max);
    let worst = pure(&known[1]).iter().map(|answer| value(&tree, [&first, answer])).fold(f64::MAX, f64::min);
    let wanted = -1.0 / 18.0;
    assert!((best - wanted).abs() < 1e-12 && (worst - wanted).abs() < 1e-12, "{worst} to {best}");
}
