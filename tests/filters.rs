//! Filters that the fast interpreter turns into set algebra, against a second way to find what they keep.

use regelwerk::engine::Fast;
use regelwerk::ir::Value;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Engine;
use regelwerk::play::Stream;

use crate::equal::compare;
use crate::support::{game, root};

/// What belongs to a site has several members, one or none; it meets, lies within or equals a set that changes.
const RELATIONS: &str = "\
game g
players a, b
board square 4 x 4
piece man owned
region beside(s: site) = around(s, orthogonal) & {t in sites where t.column > 2}
region next(s: site) = toward(s, n)
var marked: set of site = {}
action meeting { choose s in {t in empty where beside(t) meets marked} put own man on s marked := beside(s) }
action inside { choose s in {t in empty where beside(t) within marked} put own man on s marked := next(s) }
action equal { choose s in {t in empty where next(t) == marked} put own man on s marked := next(s) | beside(s) }
action turned { choose s in {t in empty where marked == next(t)} put own man on s marked := toward(next(s), e) }
action other {
  choose s in {t in empty where not (marked meets beside(t) or next(t) == marked)}
  put own man on s
  marked := next(s)
}
play { turns { mover plays meeting | inside | equal | turned | other } }
end full after move when no empty { draw }
";

#[test]
fn relations_of_a_member_to_a_set_are_filtered_alike() {
    let loaded = load("g.rules", RELATIONS, &NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    assert!(fast.lowered());
    let seen: usize = (0..200).map(|seed| compare(&fast, seed, 40, "relations")).sum();
    assert!(seen > 2000, "{seen}");
}

/// A condition on the piece on a site that is known, and what depends on where that site is.
const WHERE: &str = "\
game g
players a, b
board square 3 x 3
piece man owned
define beside(s: site) = if s in man of b then {s} else around(s, orthogonal)
setup { put man of a on c3 }
action lay { choose s in beside(b2) & empty put own man on s }
play { turns { mover plays lay else pass } }
end full after move when no beside(b2) & empty { draw }
";

#[test]
fn a_known_site_counts_by_its_place_as_well_as_by_its_piece() {
    let loaded = load("g.rules", WHERE, &NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    assert!(fast.lowered());
    // The four sites beside the middle, in the order of the board, and never the middle itself or a corner.
    let site = |name: &str| fast.game().topology.sites.iter().position(|site| site.name == name).map(Value::atom_of);
    let moves = |engine: &dyn Engine| engine.legal(&engine.start()).into_iter().map(|mv| mv.args[0].clone()).collect();
    let mut expected: Vec<Value> = ["b1", "a2", "c2", "b3"].iter().filter_map(|name| site(name)).collect();
    expected.sort();
    for engine in [&fast as &dyn Engine, fast.reference()] {
        let mut found: Vec<Value> = moves(engine);
        found.sort();
        assert_eq!(found, expected, "{}", engine.name());
    }
    assert!((0..50).map(|seed| compare(&fast, seed, 40, "where")).sum::<usize>() > 150);
}

/// A board of boards, each three by three: who has marked what, who has won what, and the board to play on.
#[derive(Default)]
struct Nested {
    marks: [[Option<usize>; 9]; 9],
    won: [Option<usize>; 9],
    sent: Option<usize>,
}

impl Nested {
    const LINES: [[usize; 3]; 8] =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

    fn lined(fields: &[Option<usize>; 9], seat: usize) -> bool {
        Self::LINES.iter().any(|line| line.iter().all(|&field| fields[field] == Some(seat)))
    }

    fn closed(&self, board: usize) -> bool {
        self.won[board].is_some() || self.marks[board].iter().all(Option::is_some)
    }

    /// The free fields where a mark may be placed, as board and field.
    fn legal(&self) -> Vec<(usize, usize)> {
        let sent = self.sent.filter(|&board| !self.closed(board));
        let boards = (0..9).filter(|&board| sent.map_or(!self.closed(board), |sent| sent == board));
        boards
            .flat_map(|board| (0..9).map(move |field| (board, field)))
            .filter(|&(board, field)| self.marks[board][field].is_none())
            .collect()
    }

    fn place(&mut self, (board, field): (usize, usize), seat: usize) {
        self.marks[board][field] = Some(seat);
        if Self::lined(&self.marks[board], seat) {
            self.won[board] = Some(seat);
        }
        self.sent = Some(field);
    }
}

/// The moves of nested tic-tac-toe, and who wins, are those of a game written by hand.
#[test]
fn boards_within_a_board_are_played_as_by_hand() {
    let fast = Fast::new(game(&root("tests/fixtures/nested.rules"), &Setup::default()));
    assert!(fast.lowered());
    let sites = &fast.game().topology.sites;
    let field = |value: &Value| {
        let Some(site) = value.number().and_then(|number| sites.get(usize::try_from(number).ok()?)) else {
            panic!("no site: {value:?}")
        };
        let (column, row) = (usize::try_from(site.at.0 - 1), usize::try_from(site.at.1 - 1));
        let (column, row) = (column.expect("from 1"), row.expect("from 1"));
        (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3)
    };
    let mut decided = [0; 3];
    for number in 0..60 {
        let mut dice = Stream::new(3, "nested", number);
        let (mut position, mut by_hand, mut seat) = (fast.start(), Nested::default(), 0);
        while !position.is_over() {
            let moves = fast.legal(&position);
            let mut found: Vec<_> = moves.iter().map(|mv| field(&mv.args[0])).collect();
            found.sort_unstable();
            assert_eq!(found, by_hand.legal());
            let chosen = &moves[dice.below(moves.len())];
            by_hand.place(field(&chosen.args[0]), seat);
            position = fast.play_unchecked(&position, chosen);
            assert_eq!(position.is_over(), Nested::lined(&by_hand.won, seat) || by_hand.legal().is_empty());
            decided[if Nested::lined(&by_hand.won, seat) { seat } else { 2 }] += usize::from(position.is_over());
            seat = 1 - seat;
        }
    }
    assert!(decided.iter().all(|&games| games > 0), "{decided:?}");
}

/// What a piece becomes when one of its fields is set follows from where it stands among all of them, however many values
/// the fields have: with several fields, in kinds that have them in another order, and in some that lack one.
#[test]
fn fields_of_many_values_are_set_alike() {
    let text = "game g\nplayers a, b\nboard square 3 x 3\n\
        piece p owned { n: int = 0, up: bool, m: int = 1 }\npiece q { m: int = 1, n: int = 0 }\npiece r owned { up: bool }\n\
        setup { put p of a on a1  put p of b on b2  put q on c3  put r of b on a3 }\n\
        action n { choose f in sites - empty  choose k in {0, 1, 7, 499, 500}  change f: n = k }\n\
        action m { choose f in sites - empty  choose k in 1..3  change f: m = k }\n\
        action up { choose f in sites - empty  change f: up = ply mod 3 == 0 }\n\
        play { turns { mover plays n | m | up } }\nend e after move when ply > 60 { draw }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    assert!(fast.lowered());
    assert!((0..40).map(|seed| compare(&fast, seed, 60, "fields")).sum::<usize>() > 2000);
}
