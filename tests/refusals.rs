//! Which clauses a refusal names.

use regelwerk::ir::{ActionRef, Move, SeatId};
use regelwerk::load::{Files, NoFiles, Setup, load};
use regelwerk::measure::refusals;
use regelwerk::model::{Engine, Why};
use regelwerk::notation::{find_move, parse_position};
use regelwerk::play::{Step, grounds};
use regelwerk::reference::Walker;
use regelwerk::say::Lang;
use regelwerk::view::{Detail, refusal};

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
        ("stone.a: a1", "a1-e2", &["near", "far"]),
        ("stone.a: a1 | stone.b: c1", "a1-d1", &["kinds"]),
    ] {
        let position = parse_position(&walker, &format!("lane 2 | mover=a | {stones}")).expect("a position");
        let mv = find_move(&walker, &position, text).expect("a move");
        let refusal = walker.explain().refusal(&position, &mv).expect("it is refused");
        assert_eq!(walker.game().forbidding(&refusal.rules), wanted, "{stones}: {text}");
    }
}

struct Ranked;

impl Files for Ranked {
    fn read(&self, _by: &str, _file: &str) -> Result<(String, String), String> {
        let clauses = "Registry(clauses: [
            Clause(id: \"high\", kind: Movement, text: \"The highest is called.\"),
            Clause(id: \"bets\", kind: Movement, text: \"So it is with bets.\"),
            Clause(id: \"call\", kind: TurnOrder, text: \"Somebody calls.\"),
        ])";
        Ok(("clauses.ron".to_owned(), clauses.to_owned()))
    }
}

/// A move that an action would allow, but for its `prefer`, is refused by that line, in whatever question; where another
/// group comes first, by the question.
#[test]
fn what_prefers_another_move_refuses_this_one() {
    for (asks, text, why, rule) in [
        ("mover plays hit | bet else pass", "hit 1", Why::NotPreferred, "high"),
        ("together seats play hit | bet", "hit 1", Why::NotPreferred, "high"),
        ("race seats play hit | bet until now + 500", "a hit 1 @5", Why::NotPreferred, "high"),
        // Of the moves of a group the best is compulsory, of whatever action it is.
        ("mover plays hit | bet else pass", "bet 2", Why::NotPreferred, "bets"),
        ("race seats play hit | bet until now + 500", "a bet 2 @5", Why::NotPreferred, "bets"),
        // The second group does not have its turn.
        ("mover plays hit else bet", "bet 2", Why::Precedence, "call"),
    ] {
        let rules = format!(
            "game calls\ndocument \"Calls\" clauses \"clauses.ron\"\nplayers a, b\n\
             action hit {{ choose k in 1..3 prefer k §high }}\naction bet {{ choose k in 1..3 prefer 0 §bets }}\n\
             play {{ turns {{ {asks} §call }} }}\n"
        );
        let loaded = load("calls.rules", &rules, &Ranked, &Setup::default());
        let walker = Walker::new(loaded.game.unwrap_or_else(|| panic!("{rules}{:?}", loaded.reports)));
        let position = walker.start();
        let mv = find_move(&walker, &position, text).expect("a move");
        let refusal = walker.explain().refusal(&position, &mv).expect("it is refused");
        assert_eq!((refusal.why, walker.game().forbidding(&refusal.rules)), (why, vec![rule]), "{asks}: {text}");
    }
}

const FOUND: &str = "game found \"Found\"
players a \"Anna\", b \"Ben\" for 2
board square 5 x 2
piece stone \"Stone\" owned
piece tower \"Tower\" owned
kinds card { red: bool } | kind | title | worth |
  | low | Two | 2 |
  | high | Ten | 10 |
zone hand(p: seat): set of card \"Hand\", seen by p
var gold(p: seat): int
path hops = (hop orthogonal over stone to empty)+
path run(n: int) = slide e up to n through empty
action jump { choose from in own stone choose to in hops(from) move from to to }
action go { choose from in own tower choose to in run(from, 2) move from to to }
action play { choose c in hand(me) require gold(me) >= c.worth move c from hand(me) to hand(opponent(me)) }
action pick { choose f in {c1, c2} choose n in {k in 1..4 where k > gold(me)} choose g in empty - {f} }
play { turns { mover plays jump | go | play | pick else pass } }
";

/// What each test finds, in both languages. The positions are laid out so that one test decides.
#[test]
fn a_refusal_says_what_the_test_found() {
    let loaded = load("found.rules", FOUND, &NoFiles, &Setup::default());
    let sources = loaded.sources;
    let walker = Walker::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    let told = |position: &str, text: &str, lang: Lang| {
        let position = parse_position(&walker, &format!("found 2 | mover=a | {position}")).expect("a position");
        let mv = find_move(&walker, &position, text).expect("a move");
        let refused = walker.explain().refusal(&position, &mv).expect("it is refused");
        refusal(lang, walker.game(), &sources, text, &refused, Detail::Clauses)
    };
    for (position, text, english, german) in [
        (
            "stone.a: a1",
            "jump a1-c1",
            "b1 is empty: there is nothing to jump over",
            "b1 ist leer: Dort ist nichts zu überspringen",
        ),
        (
            "stone.a: a1 | stone.b: b1 c1",
            "jump a1-c1",
            "c1 is not empty (Stone (Ben))",
            "c1 ist nicht leer (Stone (Ben))",
        ),
        ("stone.b: a1", "jump a1-c1", "a1 (Stone) belongs to Ben, not to Anna", "a1 (Stone) gehört Ben, nicht Anna"),
        ("stone.a: a1", "jump b2-c1", "b2 is empty", "b2 ist leer"),
        ("stone.a: a1", "go a1-b1", "a1 (Stone) is not Tower", "a1 (Stone) ist nicht Tower"),
        ("tower.a: a1", "go a1-d1", "d1 is more than 2 steps from a1", "d1 ist von a1 mehr als 2 Schritte entfernt"),
        (
            "tower.a: c1",
            "go c1-b1",
            "b1 is not in a permitted direction from c1 (e)",
            "b1 liegt von c1 aus in keiner erlaubten Richtung (e)",
        ),
        (
            "hand(a): low",
            "low",
            "`gold(me)` is 0 and would have to be at least `c.worth` (2)",
            "`gold(me)` ist 0 und müsste mindestens `c.worth` (2) sein",
        ),
        (
            "stone.a: a1 | gold(a)=3",
            "c1-2-d1",
            "`k` is 2 and would have to be more than `gold(me)` (3)",
            "`k` ist 2 und müsste größer sein als `gold(me)` (3)",
        ),
        ("stone.a: a1", "c1-2-c1", "c1 is in `{f}`", "c1 gehört zu `{f}`"),
    ] {
        assert_eq!(told(position, text, Lang::En), format!("`{text}` is not legal: {english}.\n"));
        assert_eq!(told(position, text, Lang::De), format!("`{text}` ist nicht erlaubt: {german}.\n"));
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

/// Where a move is hardly ever illegal, one sample of those that look the same says nothing: what it fails at need not be so.
#[test]
fn what_one_sample_fails_at_is_not_said() {
    let rules = |bound: i64| {
        format!(
            "game g\nclause §1 \"One.\"\nclause §2 \"Two.\"\nplayers a, b\nvar one: int seen by no\nvar two: int seen by no\nvar n: int \"n\"\n\
             setup {{ roll e in 1..100 seen by no  one := e  roll f in 1..100 seen by no  two := f }}\n\
             action go {{ require told(one < {bound}) §1  require told(two < {bound}) §2  n += 1 }}\naction skip {{ n += 2 }}\n\
             play {{ turns {{ if ply > 40 {{ draw }} mover plays go | skip }} }}\n"
        )
    };
    for bound in [100, 99, 98, 97] {
        let loaded = load("g.rules", &rules(bound), &NoFiles, &Setup::default());
        let engine = Walker::new(loaded.game.expect("a game that checks"));
        let first = engine.game().actions.ids().next().expect("an action");
        for ply in 0..20 {
            let text = format!("g 2 | mover=a | ply={ply} | one=100 | two=100");
            let position = parse_position(&engine, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let go = Move { action: ActionRef::Action(first), args: [].into_iter().collect() };
            let grounds = grounds(&engine, &position, Some(SeatId::new(0)), &Step::Move(go));
            let refusal = grounds.verdict.expect_err("not legal");
            assert_eq!(refusal.found, None, "{bound} {ply}: neither number is known");
            assert!(refusal.rules.is_empty() && grounds.veiled, "{bound} {ply}: {:?}", refusal.rules);
        }
    }
}
