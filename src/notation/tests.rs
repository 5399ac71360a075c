//! Values and moves of a hand-made game; positions need an engine and are tested as laws over all games.

use smallvec::{SmallVec, smallvec};

use super::moves::parse_action;
use super::{NotationError, parse_value, print_value};
use crate::base::Bits;
use crate::ir::{
    Action, ActionRef, BlockId, Choice, EnumInfo, Expr, ExprKind, Field, Game, Header, Id, Kind, Move, Piece, RuleId,
    Seat, SeatId, Sight, Site, Slot, SlotInfo, Topology, Ty, Value, Way,
};

fn id<I: Id>(index: usize) -> I {
    I::at(index).expect("a number")
}

fn game() -> Game {
    let seat = |name: &str| Seat { name: name.to_owned(), title: String::new(), symbol: String::new() };
    let site = |name: &str| Site { name: name.to_owned(), board: 0, at: (0, 0), seat: None, number: 0 };
    let field = |name: &str, ty, default| Field { name: name.to_owned(), ty, default, symbol: String::new() };
    let slot = |name: &str, ty| SlotInfo { name: name.to_owned(), ty };
    let action = |name: &str, slots: &[Slot], named| Action {
        name: name.to_owned(),
        title: String::new(),
        head: slots
            .iter()
            .map(|&slot| {
                Header::Choose(Choice {
                    slot,
                    set: Expr::sites(ExprKind::Empty),
                    sight: Sight::All,
                    rule: RuleId::GAME,
                })
            })
            .collect(),
        body: BlockId::FIRST,
        ensure: Vec::new(),
        named,
        rule: RuleId::GAME,
    };
    Game {
        seats: [seat("white"), seat("black")].into_iter().collect(),
        enums: std::iter::once(EnumInfo {
            name: "mood".to_owned(),
            members: vec![("calm".to_owned(), String::new()), ("wild".to_owned(), String::new())],
        })
        .collect(),
        kinds: std::iter::once(Kind {
            name: "man".to_owned(),
            title: String::new(),
            symbol: "m".to_owned(),
            class: None,
            owned: true,
            fields: vec![field("mood", Ty::Enum(id(0)), 0), field("rank", Ty::Int, 3), field("king", Ty::Bool, 0)],
            attributes: Vec::new(),
            rule: RuleId::GAME,
            sight: Sight::All,
            owner_sight: Sight::All,
            it: id(0),
        })
        .collect(),
        topology: Topology { sites: ["a1", "b1", "c1", "axb"].map(site).into(), ..Topology::default() },
        slots: [
            slot("from", Ty::Site),
            slot("to", Ty::Site),
            slot("way", Ty::Way),
            slot("what", Ty::Kind),
            slot("n", Ty::Int),
        ]
        .into_iter()
        .collect(),
        actions: [
            action("walk", &[id(0), id(1)], false),
            action("take", &[id(0), id(2)], false),
            action("drop", &[id(3), id(1)], false),
            action("bid", &[id(4)], true),
            action("ask", &[id(4)], true),
            action("rest", &[], false),
        ]
        .into_iter()
        .collect(),
        ..Game::default()
    }
}

#[test]
fn values_round_trip() {
    let game = game();
    let set = |ty: Ty| ty.set();
    let way = |to, taken: &[usize]| Way { to, taken: taken.iter().copied().collect(), trail: SmallVec::new() };
    let man =
        |owner, fields: [i32; 3]| Value::Piece(Piece { kind: id(0), owner, fields: fields.into_iter().collect() });
    let walk = Move { action: ActionRef::Action(id(0)), args: smallvec![Value::Atom(0), Value::Atom(2)] };
    let cases = [
        (Ty::Int, Value::Int(-12), "-12"),
        (Ty::Bool, Value::Bool(true), "true"),
        (Ty::Site, Value::Atom(2), "c1"),
        (Ty::Enum(id(0)), Value::Atom(1), "wild"),
        (set(Ty::Site), Value::Set([0, 2].into_iter().collect()), "{a1 c1}"),
        (set(Ty::Seat), Value::Set(Bits::new()), "{}"),
        (set(Ty::Int), Value::Ints(vec![-1, 4]), "{-1 4}"),
        (set(Ty::Int), Value::Ints(Vec::new()), "{}"),
        (set(Ty::Int), Value::Set(Bits::new()), "{-}"),
        (Ty::Piece, man(Some(SeatId::new(1)), [0, 3, 0]), "man.black{calm}"),
        (Ty::Piece, man(Some(SeatId::new(0)), [1, -4, 1]), "man.white{wild,rank=-4,king}"),
        (Ty::Piece, man(None, [0, 3, 0]), "man.-{calm}"),
        (Ty::Way, Value::Way(Box::new(way(0, &[1, 2]))), "a1xb1+c1"),
        (Ty::Way, Value::Way(Box::new(way(3, &[3]))), "axbxaxb"),
        (set(Ty::Way), Value::Ways(vec![way(0, &[]), way(0, &[1])]), "{a1 a1xb1}"),
        (Ty::Move, Value::Move(Box::new(walk.clone())), "(walk a1-c1)"),
        (set(Ty::Move), Value::Moves(vec![walk]), "{(walk a1-c1)}"),
    ];
    for (ty, value, text) in cases {
        assert_eq!(print_value(&game, &ty, &value), text);
        assert_eq!(parse_value(&game, &ty, text), Ok(value), "{text}");
    }
}

#[test]
fn unknown_names_are_reported_with_the_most_similar() {
    let game = game();
    let error = parse_value(&game, &Ty::Site, "b2").expect_err("no such site");
    assert_eq!(error.to_string(), "there is no site `b2`");
    assert_eq!(error.cure().as_deref(), Some("did you mean `b1`?"));
    let error = parse_value(&game, &Ty::Piece, "man").expect_err("no owner");
    assert_eq!(error.to_string(), "`man` is not a piece with its owner, such as `man.white` or `man.black`");
    assert!(parse_value(&game, &Ty::Piece, "man.white{rank=99999999999}").is_err());
    assert!(parse_value(&game, &Ty::Site, "?").is_err(), "a move never has an unset argument");
}

#[test]
fn moves_parse_by_name_by_type_and_as_a_path() {
    let game = game();
    let read = |text: &str| parse_action(&game, text);
    let to = |number, args: &[u32]| {
        Ok(Move { action: ActionRef::Action(id(number)), args: args.iter().copied().map(Value::Atom).collect() })
    };
    assert_eq!(read("walk A1 c1"), to(0, &[0, 2]));
    assert_eq!(read("drop-MAN-b1"), to(2, &[0, 1]));
    assert_eq!(read("man-b1"), to(2, &[0, 1]));
    assert_eq!(read("walk a1-b1-c1"), to(0, &[0, 2]), "the first and the last site count");
    assert_eq!(read("rest"), to(5, &[]));
    assert_eq!(read("bid 7"), Ok(Move { action: ActionRef::Action(id(3)), args: smallvec![Value::Int(7)] }));
    assert_eq!(read("Pass").map(|mv| mv.action), Ok(ActionRef::Pass));
}

#[test]
fn ambiguous_moves_are_resolved_by_name() {
    let Err(NotationError::Ambiguous { readings, .. }) = parse_action(&game(), "7") else { panic!("two readings") };
    assert_eq!(readings, ["bid 7", "ask 7"]);
    let Err(NotationError::Ambiguous { readings, .. }) = parse_action(&game(), "a1-c1") else { panic!("two readings") };
    assert_eq!(readings, ["walk a1-c1", "take a1-c1"]);
}

#[test]
fn moves_that_do_not_parse_say_what_is_wrong() {
    let game = game();
    let error = parse_action(&game, "walk a1-d1").expect_err("no such site");
    assert_eq!(error.cure().as_deref(), Some("did you mean `a1`?"));
    let error = parse_action(&game, "walk a1").expect_err("half a move");
    assert_eq!(error.to_string(), "`walk a1` is not a move; a move is written `from-to`");
    let long = "a1-".repeat(5000);
    assert!(matches!(parse_action(&game, &long), Err(NotationError::TooLong { .. })));
}
