//! Constructs that save authors a workaround, in small games played out by hand, on both interpreters; and what the
//! checker says where they are not allowed.

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Position};
use regelwerk::notation::{find_move, print_move};
use regelwerk::report::Code;
use regelwerk::say::Lang;
use regelwerk::view::outcome;

use crate::equal::compare;
use crate::support::print_position;

/// The fast engine, which must have lowered everything; it agrees with the reference in random games.
fn made(text: &str) -> Fast {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    assert!(fast.lowered(), "{:?}", fast.lowering());
    for seed in 0..12 {
        compare(&fast, seed, 40, text);
    }
    fast
}

/// Code, message and help of the reports.
fn told(text: &str) -> Vec<(Code, String, String)> {
    let reports = load("g.rules", text, &NoFiles, &Setup::default()).reports;
    let sorted = reports.sorted();
    sorted.iter().map(|r| (r.code, r.message.clone(), r.help.clone().unwrap_or_default())).collect()
}

/// The position after moves.
fn after(fast: &Fast, moves: &[&str]) -> Position {
    moves.iter().fold(fast.start(), |position, text| {
        let mv = find_move(fast, &position, text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        fast.play_unchecked(&position, &mv)
    })
}

fn legal(fast: &Fast, position: &Position) -> Vec<String> {
    fast.legal(position).iter().map(|mv| print_move(fast.game(), position, mv)).collect()
}

/// The winners, by number.
fn winners(fast: &Fast, moves: &[&str]) -> Vec<usize> {
    let position = after(fast, moves);
    let outcome = position.outcome.as_ref().unwrap_or_else(|| panic!("{}", print_position(fast, &position)));
    outcome.winners().collect()
}

const LANE: &str = "game lane\nplayers white, black\nboard square 4 x 1\npiece man owned\npiece rock\n\
    setup { put man of white on a1 put man of black on d1 }\n";

/// On three sites White goes to b1, after which Black on c1 cannot step. The answer is the same for every seat to act
/// and at every place in the rules; the seat asked about is the one whose men step.
#[test]
fn can_play_says_whether_a_seat_has_a_legal_move() {
    let step = "action step { choose from in own man choose to in around(from) & empty move from to to }\n";
    let asked = [
        ("play { turns { if not mover can play step { lose mover } mover plays step } }\n", "the mover"),
        (
            "play { turns { mover plays step } }\n\
             end stuck before turn when not (mover can play step) { lose mover }\n",
            "before a turn",
        ),
        (
            "play { turns { mover plays step } }\ndefine free(p: seat) = p can play step\n\
             end stuck after move when not free(opponent(me)) { win me }\n",
            "in a definition",
        ),
        (
            "play { turns { mover plays step } }\n\
             end stuck after move when {p in seats where p can play step} == {me} { win me }\n",
            "in a set",
        ),
    ];
    for (rest, what) in asked {
        let fast = made(&format!("{LANE}{step}{rest}").replace("4 x 1", "3 x 1").replace("d1", "c1"));
        assert_eq!(legal(&fast, &fast.start()), ["a1-b1"], "{what}");
        assert_eq!(winners(&fast, &["a1-b1"]), [0], "{what}");
    }
}

/// Used within an action about that same action: its own names keep their values, and so does `me`.
#[test]
fn can_play_leaves_local_names_alone() {
    let fast = made(&format!(
        "{LANE}action step {{ choose from in own man choose to in around(from) & empty move from to to \
         if opponent(me) can play step {{ put rock on from }} else {{ win me }} }}\nplay {{ turns {{ mover plays step }} }}\n"
    ));
    let position = after(&fast, &["a1-b1"]);
    assert!(print_position(&fast, &position).contains("rock: a1"), "{}", print_position(&fast, &position));
    // Black goes to c1: White is between the rock and Black.
    assert_eq!(winners(&fast, &["a1-b1", "d1-c1"]), [1]);
}

/// A guard may use `can play` on another action, even one with its own guards on the position after it: a rock may be
/// put only where the other side keeps a step that does not end on the edge.
#[test]
fn a_guard_may_use_can_play_on_another_action() {
    let fast = made(&format!(
        "{LANE}action step {{ choose from in own man choose to in around(from) & empty move from to to \
         ensure own man within b1..c1 }}\n\
         action block {{ choose at_site in empty put rock on at_site ensure opponent(me) can play step }}\n\
         play {{ turns {{ mover plays step | block else {{ draw }} }} }}\n"
    ));
    // Black can only step from d1 to c1, so the rock goes to b1, or White steps there.
    assert_eq!(legal(&fast, &fast.start()), ["a1-b1", "b1"]);
    // Black steps to c1 or puts a rock behind White; before White it would leave only the step to the edge.
    assert_eq!(legal(&fast, &after(&fast, &["a1-b1"])), ["d1-c1", "a1"]);
}

/// A seat that has left the game can play nothing.
#[test]
fn a_seat_that_has_left_cannot_play() {
    let fast = made(
        "game g\nplayers a, b, c\nvar n: int\nvar seen: set of seat\naction go { n += 1 }\n\
         play { turns { mover plays go seen := {p in seats where p can play go} } }\n\
         end out after turn when n == 1 { place mover }\nend over after turn when n == 3 { win seats }\n",
    );
    let seen = |moves: &[&str]| print_position(&fast, &after(&fast, moves));
    assert!(seen(&["go"]).contains("seen={a b c}"), "{}", seen(&["go"]));
    assert!(seen(&["go", "go"]).contains("seen={b c}"), "{}", seen(&["go", "go"]));
}

/// Whether a move is legal cannot depend on itself, not even indirectly.
#[test]
fn circular_legality_is_reported() {
    let head = "game g\nplayers a, b\nboard square 3 x 1\npiece man owned\n";
    let end = "end full after move when no empty { draw }\n";
    let circles = [
        "action put_one { choose f in empty require me can play put_one put own man on f }\nplay { turns { mover plays put_one } }\n",
        "action put_one { choose f in {f in empty where able} put own man on f }\ndefine able = me can play put_one\n\
         play { turns { mover plays put_one } }\n",
        "action put_one { choose f in empty require opponent(me) can play other put own man on f }\n\
         action other { choose f in empty put own man on f mark() ensure some empty }\n\
         procedure mark() { if opponent(me) can play put_one { remove a1 } }\n\
         play { turns { mover plays put_one | other else pass } }\n",
        "action put_one { choose f in toward_it(b1) put own man on f }\n\
         path toward_it = step to empty then if mover can play put_one\nplay { turns { mover plays put_one else pass } }\n",
    ];
    for text in circles {
        let told = told(&format!("{head}{text}{end}"));
        let [(code, message, help)] = told.as_slice() else { panic!("{text}: {told:?}") };
        assert_eq!(*code, Code::Circular, "{text}");
        assert!(message.starts_with("whether `") && message.contains("depends on whether"), "{message}");
        assert!(help.contains("ask in `play`, in an end"), "{help}");
    }
}

#[test]
fn can_play_takes_only_actions() {
    let text = |asked: &str| {
        format!(
            "game g\nplayers a, b\nvar n: int \"n\"\naction go {{ n += 1 }}\nplay {{ turns {{ mover plays go }} }}\n\
             end over after move when {asked} {{ draw }}\n"
        )
    };
    let told = |asked: &str| told(&text(asked)).into_iter().map(|(code, ..)| code).collect::<Vec<_>>();
    assert_eq!(told("mover can play go"), []);
    assert_eq!(told("mover can play pass"), [Code::Misplaced]);
    assert_eq!(told("mover can play gone"), [Code::UnknownName]);
    assert_eq!(told("seats can play go"), [Code::WrongType]);
}

/// The first turn is the named seat's, with all that follows from it, even where another seat was to be next.
#[test]
fn turns_begin_with_the_named_seat() {
    let fast = made(
        "game g\nplayers a, b, c\nvar n: int \"n\"\naction go { n += 1 }\nvar last: seat = c\n\
         play { repeat 2 { mover plays go give turn to b }\n\
           turns from last { if n == 4 { stop } mover plays go }\n\
           turns from preceding(mover) { mover plays go } }\n\
         end over after move when n == 6 { win mover }\n",
    );
    let asked: Vec<Option<usize>> =
        (0..6).map(|plies| after(&fast, &vec!["go"; plies]).asked().map(usize::from)).collect();
    // Two turns of a before any other; c and a; then, b being next, the previous seat, and b.
    assert_eq!(asked, [0, 0, 2, 0, 0, 1].map(Some));
}

/// A loop over several names is a nested loop whose filter is evaluated at each iteration: the pairs of x and a
/// greater y, in order, whose sum is not yet in the list.
#[test]
fn a_loop_over_several_names_is_nested() {
    let fast = made(
        "game g\nplayers a, b\nvar sums: set of int \"sums\"\nvar trail: int \"trail\"\n\
         action go { for x in 1..3, y in x..3 where x != y and not (x + y in sums) { sums += {x + y} trail := 100 * trail + 10 * x + y }\n\
           for p in seats from b, z in {1} { trail := 10 * trail + p.number } for q in seats where q == me { trail := 10 * trail + 7 } }\n\
         play { mover plays go }\n",
    );
    let end = after(&fast, &["go"]);
    assert!(print_position(&fast, &end).contains("sums={3 4 5} | trail=121323217"), "{}", print_position(&fast, &end));
    let nine = (0..9).map(|n| format!("n{n} in seats")).collect::<Vec<_>>().join(", ");
    let text = format!(
        "game g\nplayers a, b\nvar n: int\naction go {{ for {nine} {{ n += 1 }} }}\nplay {{ mover plays go }}\n"
    );
    assert_eq!(told(&text)[0].0, Code::TooDeep);
}

/// One value for each case, of any type; one site per seat gives a site.
#[test]
fn values_are_defined_by_cases() {
    let fast = made(
        "game g\nplayers a, b, c for 2..3\nboard square 3 x 3\npiece man owned\n\
         enum day = mon, tue, wed\ndefine next_day: wed = mon, mon = tue, tue = wed\n\
         define ahead: a = n, b = {e, w}, c = s\ndefine worth: a = 10, b = ply, c = 5\n\
         region door: a = a1, b = c3, c = b2\nregion far(f: site) = {g in sites where distance(door(a), g) == 2 and g != f}\n\
         var today: day = mon \"today\"\nvar sum_up: int \"sum\"\n\
         action go { choose f in toward(door(me), ahead(me)) put own man on f today := next_day(next_day(today))\n\
           sum_up += worth(me) + 100 * distance(door(me), f) + 1000 * door(me).row + 10000 * count(far(c3)) }\n\
         play { turns { mover plays go } }\nend over after move when ply == 2 { draw }\n",
    );
    assert_eq!(legal(&fast, &fast.start()), ["a2"]);
    // Four of the five sites at a distance of 2 from a1: 10 + 100 + 1000 + 40000; then b's ply is 1 and its door in
    // row 3.
    let shown = |moves: &[&str]| print_position(&fast, &after(&fast, moves));
    assert!(shown(&["a2"]).contains("today=wed | sum_up=41110"), "{}", shown(&["a2"]));
    assert_eq!(legal(&fast, &after(&fast, &["a2"])), ["b3"]);
    assert!(shown(&["a2", "b3"]).contains("today=tue | sum_up=84211"), "{}", shown(&["a2", "b3"]));
}

#[test]
fn cases_must_be_complete_and_of_one_type() {
    let text = |define: &str| {
        format!(
            "game g\nplayers a, b\nboard square 3 x 3\npiece man owned\nenum day = mon, tue\nvar d: day = mon \"day\"\n{define}\n\
             action go {{ choose f in x(me) put own man on f d := tue }}\nplay {{ turns {{ mover plays go else {{ draw }} }} }}\n"
        )
    };
    let told = |define: &str| {
        told(&text(define))
            .into_iter()
            .map(|(code, message, help)| (code, format!("{message}: {help}")))
            .collect::<Vec<_>>()
    };
    assert_eq!(told("define x: a = a1, b = empty"), []);
    assert_eq!(told("region x: a = a1, b = b1..c3"), []);
    let one = |define: &str, code: Code, words: &str| {
        let found = told(define);
        assert!(found.iter().any(|(other, text)| *other == code && text.contains(words)), "{define}: {found:?}");
    };
    one("define x: a = a1", Code::MissingItem, "the definition `x` has no value for `b`: add `b = …`");
    one("region x: a = a1", Code::MissingItem, "the region `x` has no set for `b`: add `b = …`");
    one("define x: a = a1, b = b1, a = c1", Code::Duplicate, "`a` is given twice: keep one of them");
    one("define x: a = a1, mon = b1", Code::WrongType, "`mon` is not a seat");
    one("define x: a1 = a1, b1 = b1", Code::WrongType, "`a1` is not a case: name each seat");
    one("define x: a = a1, b = 3", Code::WrongType, "expected");
    one("define x: a = a1, bb = b1", Code::UnknownName, "bb");
}

/// The title of the statement that decides the game is shown with the result, along with its own clauses.
#[test]
fn results_have_titles() {
    let text = |end: &str| {
        format!(
            "game g\nplayers a \"Ann\", b \"Ben\"\nclause §1 \"One.\"\nvar n: int \"n\"\naction go {{ n += 1 }}\n\
             play {{ turns {{ mover plays go if n == 1 {{ {end} }} }} }}\n"
        )
    };
    let said = |end: &str| {
        let fast = made(&text(end));
        let position = after(&fast, &["go"]);
        outcome(Lang::En, fast.game(), position.outcome.as_ref().unwrap_or_else(|| panic!("{end}")))
    };
    assert!(
        said("win a \"by a knockout\" §1").starts_with("Ann wins: by a knockout (§1)."),
        "{}",
        said("win a \"by a knockout\" §1")
    );
    assert!(said("lose a \"on time\"").starts_with("Ben wins: on time."));
    assert!(said("draw \"stalemate\" §1").starts_with("The game is a draw: stalemate (§1)."));
    assert!(said("rank p in seats by p.number \"on points\"").starts_with("Ben wins: on points."));
    assert!(said("win a").starts_with("Ann wins by `play`."));
}

const BEASTS: &str = "game g\nplayers a, b\nboard square 3 x 3\npiece stone owned\n\
    kinds beast owned\n| kind | legs |\n| cat | 4 |\n| dog | 4 |\n| hen | 2 |\n\
    setup { put cat of a on a1 put stone of a on c1 put dog of a on b2 put hen of b on c3 }\nvar tally: int \"n\"\n\
    procedure call of cat(x: piece, f: site) { tally += 10 }\nprocedure call of piece(x: piece, f: site) { tally += f.row }\n\
    procedure count_it of dog { tally += 100 }\nprocedure count_it of beast { tally += 1000 }\n\
    define worth of cat = 7\ndefine legged of beast(x: piece) = x.legs > 3\ndefine home of piece(k: kind) = b1\ndefine home of cat(k: kind) = a1\n\
    action go { choose from in own piece choose to in goals(from) move from to to\n\
      for x at to { call(x, to) count_it(x.kind) tally += 10000 * worth(x.kind) + 100000 * home(x.kind).column if legged(x) { tally += 1000000 } } }\n\
    play { turns { mover plays go else { draw } } }\nend over after move when ply == 4 { draw }\n";
const GOALS: &str = "define goals of beast(f: site) = toward(f, e)\ndefine goals of cat(f: site) = toward(f, n)\n\
    define goals of piece(f: site) = toward(f, w)\n";

/// A rule for a kind takes precedence over one for its class, and that over one for every piece; sites, pieces and
/// kinds select the rule; without a rule, the result is empty and nothing is done.
#[test]
fn the_most_specific_rule_of_a_kind_applies() {
    let fast = made(&format!("{BEASTS}{GOALS}"));
    assert_eq!(legal(&fast, &fast.start()), ["a1-a2", "c1-b1", "b2-c2"]);
    let n = |mv: &str| print_position(&fast, &after(&fast, &[mv]));
    assert!(n("a1-a2").contains(&format!("tally={}", 10 + 1000 + 70_000 + 100_000 + 1_000_000)), "{}", n("a1-a2"));
    assert!(n("b2-c2").contains(&format!("tally={}", 2 + 100 + 200_000 + 1_000_000)), "{}", n("b2-c2"));
    // The stone has no worth, is counted for nobody and has no legs.
    assert!(n("c1-b1").contains(&format!("tally={}", 1 + 200_000)), "{}", n("c1-b1"));
}

/// A variant replaces or removes the rule of one kind; then that of its class applies.
#[test]
fn rules_of_kinds_are_overridden_one_by_one() {
    let text = format!(
        "{BEASTS}{GOALS}variant up {{ replace define goals of cat(f: site) = toward(f, ne) & empty | toward(f, e) }}\n\
         variant plain {{ remove define goals of cat }}\n"
    );
    let moves = |variant: &str| {
        let setup = Setup { variants: vec![variant.to_owned()], ..Setup::default() };
        let loaded = load("g.rules", &text, &NoFiles, &setup);
        let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
        legal(&fast, &fast.start())
    };
    assert_eq!(moves("up"), ["a1-b1", "c1-b1", "b2-c2"]);
    assert_eq!(moves("plain"), ["a1-b1", "c1-b1", "b2-c2"]);
}

#[test]
fn rules_of_kinds_must_agree() {
    let one = |more: &str, code: Code, words: &str| {
        let found = told(&format!("{BEASTS}{more}"));
        assert!(
            found.iter().any(|(other, message, help)| *other == code && format!("{message}: {help}").contains(words)),
            "{more}: {found:?}"
        );
    };
    one(
        "define goals of cat(f: site) = toward(f, n)\ndefine goals of dog(k: kind) = a1..b2\n",
        Code::WrongType,
        "`goals of dog` has other parameters than `goals of cat`: give the rules of all kinds the same parameters",
    );
    one(
        "define goals of cat(n: int) = a1..b2\n",
        Code::WrongType,
        "the first parameter of `goals of cat` does not tell which kind is meant: make it a site",
    );
    one("define goals of cow(f: site) = toward(f, n)\n", Code::UnknownName, "cow");
    one(
        "define goals of cat(f: site) = f\n",
        Code::MissingItem,
        "`goals` has no value for a site where no piece stands: make the first parameter a kind or a piece",
    );
    one(&format!("{GOALS}define goals of cat(f: site) = toward(f, n)\n"), Code::Duplicate, "declared twice");
    one(&format!("{GOALS}define goals(f: site) = toward(f, n)\n"), Code::Duplicate, "`goals` is declared twice");
}
