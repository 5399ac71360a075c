//! Which clauses a refusal names.

use regelwerk::load::{Files, Setup, load};
use regelwerk::measure::refusals;
use regelwerk::model::{Engine, Why};
use regelwerk::notation::{find_move, parse_position};
use regelwerk::reference::Walker;

use crate::support::{engine, rules_of};

const RULES: &str = "game lane
document \"Lane\" clauses \"clauses.ron\"
players a, b
board square 5 x 2
piece stone owned
path step = step orthogonal to empty §free  §near
path jump = hop orthogonal over stone §over to empty §free  §far, §any, §hint
action move {
  choose from in own stone §own, §sample
  choose to in step(from) | jump(from) §kinds
  move from to to
}
play { turns { mover plays move else pass } }
";

const CLAUSES: &str = "Registry(clauses: [
    Clause(id: \"own\", kind: Movement, text: \"A stone of one's own moves.\"),
    Clause(id: \"sample\", kind: Movement, says: Example, text: \"White moves a white stone.\"),
    Clause(id: \"kinds\", kind: Movement, text: \"It steps or jumps.\"),
    Clause(id: \"near\", kind: Movement, text: \"A step leads to the next field.\"),
    Clause(id: \"far\", kind: Movement, text: \"A jump leads to the field behind a stone.\"),
    Clause(id: \"any\", kind: Movement, says: Permission, text: \"Any stone may be jumped.\"),
    Clause(id: \"hint\", kind: Advice, text: \"Jumps are faster.\"),
    Clause(id: \"over\", kind: Movement, text: \"There is a stone to jump over.\"),
    Clause(id: \"free\", kind: Forbidden, text: \"No two stones on a field.\"),
])";

struct Registry;

impl Files for Registry {
    fn read(&self, _by: &str, _file: &str) -> Result<(String, String), String> {
        Ok(("clauses.ron".to_owned(), CLAUSES.to_owned()))
    }
}

/// What keeps the move from being legal: one test, or two of one path together, or that no path leads there. What only
/// permits, gives an example or advises is never among it.
#[test]
fn a_refusal_names_what_forbids() {
    let loaded = load("lane.rules", RULES, &Registry, &Setup::default());
    let walker = Walker::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    for (stones, text, wanted) in [
        ("stone.a: a1", "b1-c1", &["own"][..]),
        ("stone.a: a1 | stone.b: b1", "a1-b1", &["free"]),
        ("stone.a: a1", "a1-c1", &["over"]),
        ("stone.a: a1 | stone.b: b1 c1", "a1-c1", &["free"]),
        ("stone.a: a1 | stone.b: c1", "a1-c1", &["over", "free"]),
        ("stone.a: a1", "a1-e2", &["near", "far", "kinds"]),
    ] {
        let position = parse_position(&walker, &format!("lane 2 | mover=a | {stones}")).expect("a position");
        let mv = find_move(&walker, &position, text).expect("a move");
        let refusal = walker.explain().refusal(&position, &mv).expect("it is refused");
        assert_eq!(walker.game().forbidding(&refusal.rules), wanted, "{stones}: {text}");
    }
}

/// How many clauses are named for random illegal moves, on average: at most two.
#[test]
#[expect(clippy::print_stdout, reason = "it tells its figures")]
fn few_clauses_are_named() {
    for game in ["halma", "kalaha", "sternhalma", "halali", "hai-noon", "halli-galli"] {
        let engine = engine(&rules_of(game), &Setup::default());
        let found = refusals(&engine, 0, 300);
        let cited: usize = found.iter().map(|one| one.clauses.len()).sum();
        println!("{game}: {} illegal moves, {cited} clauses", found.len());
        assert_eq!(found.len(), 300, "{game}");
        assert!(cited <= 2 * found.len(), "{game}: {cited} clauses");
        // Whoever is out of a game is asked for nothing by no clause.
        let silent = found.iter().filter(|one| one.clauses.is_empty());
        assert!(silent.into_iter().all(|one| one.refusal.why == Why::NotAsked), "{game}: a refusal without a clause");
    }
}
