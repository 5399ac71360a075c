//! Drawings of hand-made boards.
use super::{Look, board as draw};
use crate::base::Bits;
use crate::ir::{
    Board, BoardForm, Fields, Game, Id, Kind, KindId, Piece, Region, RuleId, Seat, SeatId, Sight, Site, Slot, Tokens,
    Topology,
};
use crate::model::{Ask, Observation, Position};

fn board(game: &Game, position: &Position, look: &Look) -> String {
    draw(game, &Observation::referee(position), look)
}

fn game(form: BoardForm, sites: Vec<Site>) -> Game {
    let seat = |name: &str, symbol: &str| Seat {
        name: name.to_owned(),
        title: name.to_uppercase(),
        symbol: symbol.to_owned(),
    };
    let count = u16::try_from(sites.len()).expect("few sites");
    Game {
        seats: [seat("red", "R"), seat("blue", "B")].into_iter().collect(),
        topology: Topology {
            boards: vec![Board { name: "board".to_owned(), form, first: 0, count }],
            sites,
            ..Topology::default()
        },
        ..Game::default()
    }
}

fn kind(name: &str, owned: bool) -> Kind {
    Kind {
        name: name.to_owned(),
        title: String::new(),
        symbol: name.chars().take(1).collect(),
        class: None,
        owned,
        fields: Vec::new(),
        attributes: Vec::new(),
        rule: RuleId::GAME,
        sight: Sight::All,
        owner_sight: Sight::All,
        it: Slot::default(),
    }
}

fn position(game: &Game) -> Position {
    Position {
        sites: vec![None; game.topology.sites.len()],
        tokens: Vec::new(),
        zones: Vec::new(),
        vars: Vec::new(),
        locals: Vec::new(),
        mover: SeatId::FIRST,
        actor: None,
        next_mover: None,
        ply: 0,
        turn: 0,
        now: 0,
        phase: None,
        standing: Vec::new(),
        offers: Vec::new(),
        control: Vec::new(),
        ask: Ask::Over,
        outcome: None,
        history: crate::model::History::default(),
    }
}

fn site(name: String, at: (i32, i32)) -> Site {
    Site { name, board: 0, at, seat: None, number: 0 }
}

fn square(size: i32) -> Game {
    let cells = (1..=size).flat_map(|row| (1..=size).zip("abcdefgh".chars()).map(move |(column, c)| (column, row, c)));
    game(BoardForm::Square, cells.map(|(column, row, c)| site(format!("{c}{row}"), (column, row))).collect())
}

fn piece(kind: usize, owner: Option<SeatId>) -> Piece {
    Piece { kind: KindId::at(kind).expect("a kind"), owner, fields: Fields::new() }
}

#[test]
fn squares_have_files_and_ranks_and_the_last_move_in_brackets() {
    let mut game = square(3);
    game.kinds = [kind("man", true)].into_iter().collect();
    game.regions = vec![Region { name: "home".to_owned(), seat: Some(SeatId::new(1)), sites: Bits::one(8) }];
    let mut position = position(&game);
    position.sites[0] = Some(piece(0, Some(SeatId::new(0))));
    position.sites[4] = Some(piece(0, Some(SeatId::new(1))));
    let look = Look { marked: [3, 4].into_iter().collect(), ..Look::default() };
    assert_eq!(board(&game, &position, &look), "3  · · :\n2 [·|B]·\n1  R · ·\n   a b c\n");
}

#[test]
fn kinds_are_distinct_and_neutral_ones_never_look_owned() {
    let mut game = square(3);
    game.kinds = [kind("king", true), kind("pawn", true), kind("pit", false), kind("Xyz", false)].into_iter().collect();
    let mut position = position(&game);
    position.sites[0] = Some(piece(0, Some(SeatId::new(0))));
    position.sites[1] = Some(piece(1, Some(SeatId::new(1))));
    position.sites[2] = Some(piece(2, None));
    position.sites[3] = Some(piece(3, None));
    let drawn = board(&game, &position, &Look::default());
    assert_eq!(drawn, "3  ·   ·   ·\n2  X   ·   ·\n1  K   p   p0\n   a   b   c\n");
}

#[test]
fn hex_rows_are_indented_and_labelled_at_their_ends() {
    let cells = [("a1", (0, 0)), ("a2", (1, 0)), ("b1", (-1, 1)), ("b2", (0, 1)), ("b3", (1, 1))];
    let game = game(BoardForm::Hex, cells.iter().map(|(name, at)| site((*name).to_owned(), *at)).collect());
    let position = position(&game);
    assert_eq!(board(&game, &position, &Look::default()), "a1   · ·  a2\nb1  · · · b3\n");
}

#[test]
fn tracks_of_two_seats_face_each_other() {
    let mut sites = Vec::new();
    for (seat, name) in [(0, "r"), (1, "b")] {
        let group = |n: i32, name: String| Site { seat: Some(SeatId::new(seat)), number: n, ..site(name, (0, 0)) };
        sites.extend((1..=2).map(|n| group(n, format!("{name}{n}"))));
        sites.push(group(1, format!("k{name}")));
    }
    let mut game = game(BoardForm::Line { closed: true }, sites);
    game.tokens = [Tokens { name: "seed".to_owned(), title: String::new(), owned: false }].into_iter().collect();
    let mut position = position(&game);
    position.tokens = vec![vec![3, 0, 7, 10, 1, 2]];
    let drawn = board(&game, &position, &Look::default());
    assert_eq!(drawn, "    b2  b1\nkb   1  10\n 2           7\n     3   0  kr\n    r1  r2\n");
}

#[test]
fn graphs_named_like_squares_are_drawn_as_such() {
    let named =
        |names: &[&str]| game(BoardForm::Graph, names.iter().map(|name| site((*name).to_owned(), (0, 0))).collect());
    let like = named(&["a1", "c1", "b2"]);
    assert_eq!(board(&like, &position(&like), &Look::default()), "2    ·\n1  ·   ·\n   a b c\n");
    let other = named(&["inn", "mill"]);
    assert_eq!(board(&other, &position(&other), &Look::default()), "inn   ·   mill  ·\n");
}

#[test]
fn colour_appears_only_on_request() {
    let mut game = square(2);
    game.kinds = [kind("man", true)].into_iter().collect();
    let mut position = position(&game);
    position.sites[0] = Some(piece(0, Some(SeatId::new(0))));
    assert!(!board(&game, &position, &Look::default()).contains('\u{1b}'));
    let look = Look { colour: true, ..Look::default() };
    assert!(board(&game, &position, &look).contains("\u{1b}[1;36mR\u{1b}[0m"));
}
