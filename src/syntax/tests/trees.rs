//! Tests of parsing into trees.

use super::show::{expr, path, skeleton};
use super::{fault, good, item, stmts};
use crate::base::Sources;
use crate::syntax::ast::expr::{BinOp, Expr, ExprKind, PathKind, UnOp, Whose};
use crate::syntax::ast::item::{Given, Item, ItemKind};
use crate::syntax::ast::stmt::{PieceSelection, StmtKind};
use crate::syntax::comments;

const SMALL: &str = include_str!("small.rules");
const LARGE: &str = include_str!("every_form.rules");

#[test]
fn the_small_and_the_large_file_parse_without_reports() {
    assert_eq!(good(SMALL).items.len(), 8);
    let large = good(LARGE);
    let words = ["board", "define", "path", "region"];
    for word in words {
        let count = LARGE.lines().filter(|line| line.split(' ').next() == Some(word)).count();
        let found = large.items.iter().filter(|item| {
            let start = item.span.start as usize;
            LARGE[start..].split(' ').next() == Some(word)
        });
        assert_eq!(found.count(), count, "{word}");
    }
}

#[test]
fn operators_bind_as_the_tree_says() {
    let cases = [
        ("a or b and c", "(a Or (b And c))"),
        ("not a == b and c", "((Not (a Eq b)) And c)"),
        ("no own stone and some enemy stone", "((No own stone) And (Some enemy stone))"),
        ("a in b | c & d", "(a In (b Union (c Intersect d)))"),
        ("a & 1..n + 2 * 3", "(a Intersect (1 Range (n Add (2 Mul 3))))"),
        ("a - b - c", "((a Sub b) Sub c)"),
        ("-a * b", "((Neg a) Mul b)"),
        ("a == not b == c", "(a Eq (Not (b Eq c)))"),
        ("a mod 2 / 3 - -1", "(((a Mod 2) Div 3) Sub (Neg 1))"),
        ("a within b meets c", "((a Within b) Meets c)"),
        ("1 < 2 and 3 >= 2 or 1 != 2", "(((1 Lt 2) And (3 Ge 2)) Or (1 Ne 2))"),
        ("if a then b else c or d", "(if a then b else (c Or d))"),
        ("a and any x in S, y at T where x == y: b or c", "(a And (any x y where (x Eq y): (b Or c)))"),
        ("after m: a or b", "(after m: (a Or b))"),
        ("top x in S by x + 1", "(top x in S by (x Add 1))"),
        ("sum seed at s for s in S where a and b", "(Sum [seed at s] for 1 where (a And b))"),
        ("seed of f(p) at a.b + 1", "([seed of f(p) at a.b] Add 1)"),
        ("own checker at s", "[own checker at s]"),
        ("{x in S where x > 1} | {a, b} | {}", "(({x in S where (x Gt 1)} Union {a, b}) Union {})"),
        ("f(a.b, g()).c.d", "f(a.b, g()).c.d"),
        ("(a or b) and true", "((a Or b) And true)"),
    ];
    for (text, wanted) in cases {
        assert_eq!(expr(text), wanted, "{text}");
    }
}

#[test]
fn paths_bind_as_the_tree_says() {
    let cases = [
        ("step to a or step to b then take", "(step | (step > take))"),
        ("slide d through empty?", "slide{0..1}"),
        ("(hop over occupied §ziehen/4, §ziehen/5 to empty §ziehen/6)+", "hop{1..∞}"),
        (
            "along d in diagonal (slide d through empty? then step d to enemy piece then take then slide d through empty)",
            "along d diagonal (slide{0..1} > step > take > slide)",
        ),
        ("along d in f(x) (king)", "along d f(x) king()"),
        ("along d in diagonal (king)", "along d diagonal king()"),
        ("king{2} or king(p){2..3} fully or king*", "(king(){2..2} | king(p){2..3 fully} | king(){0..∞})"),
        ("hop over a taking §1 to b then if c or d", "(take-hop > if (c Or d))"),
    ];
    for (text, wanted) in cases {
        assert_eq!(skeleton(&path(text)), wanted, "{text}");
    }
    let PathKind::Repeat { body, .. } = path("(hop over a §1, §2 to b §3)+").kind else { panic!("a repetition") };
    let PathKind::Hop { over, to, .. } = body.kind else { panic!("a hop") };
    assert_eq!((over.cites.len(), to.cites.len(), body.cites.len()), (2, 1, 0));
}

#[test]
fn statements_with_similar_beginnings_are_distinguished() {
    use StmtKind::{Assign, Call, Move, MovePacket, MoveTokens, Place, Plays, Put};
    let kinds = stmts(
        "move from to to  move 3 seed from a to b  move all seed from opposite(last) to store(me)
         move top of a to b  move top 2 of a to b  move card from hand to b  put seed on pits  put 4 seed on pits
         put n tile(bear) of p with face = up on s  move all of a under b  place me  place := 3  place(x) += 1
         score(x)  mover plays capture else move | drop else pass  victim may play shield",
    );
    let wanted: Vec<bool> = kinds
        .iter()
        .zip(0..)
        .map(|(stmt, at)| match (&stmt.kind, at) {
            (Move(_, None, _, false), 0)
            | (Move(_, Some(_), _, false), 5)
            | (MoveTokens(Some(_), ..), 1)
            | (MoveTokens(None, ..), 2)
            | (MovePacket(PieceSelection::Top(None), _, _, false), 3)
            | (MovePacket(PieceSelection::Top(Some(_)), ..), 4)
            | (Put(None, ..), 6)
            | (Put(Some(_), ..), 7)
            | (MovePacket(PieceSelection::All, _, _, true), 9)
            | (Place(_), 10)
            | (Call(..), 13) => true,
            (Put(Some(_), spec, _), 8) => spec.args.len() == 1 && spec.fields.len() == 1 && spec.whose != Whose::Anyone,
            (Assign(_, args, ..), 11 | 12) => args.len() == at - 11,
            (Plays { may, groups, .. }, 14) => !may && groups.iter().map(Vec::len).collect::<Vec<_>>() == [1, 2, 1],
            (Plays { may, .. }, 15) => *may,
            _ => false,
        })
        .collect();
    assert_eq!(wanted, vec![true; 16], "{kinds:#?}");
}

#[test]
fn keywords_end_at_a_word_boundary() {
    assert!(matches!(item("define notes = nothing & order"), ItemKind::Define(..)));
    assert_eq!(expr("nota"), "nota");
    assert_eq!(expr("not_a in inner"), "(not_a In inner)");
    assert_eq!(fault("pieces x").message, "expected an item such as `action`, found `pieces`");
    assert!(matches!(&item("piece place"), ItemKind::Piece { name, .. } if name.node == "place"));
}

#[test]
fn line_ends_marks_and_umlauts_leave_spans_exact() {
    let plain = "game spiel \"Käse\"\npiece größe // Maß\n\nregion öde = {ä1} §ziehen/4\n";
    let text = format!("\u{FEFF}{}", plain.replace('\n', "\r\n"));
    assert_eq!(good(&text), good(plain));
    let mut sources = Sources::default();
    let id = sources.add("x", text.clone());
    let file = good(&text);
    let spans: Vec<&str> = file.items.iter().map(|item| sources.slice(item.span)).collect();
    assert_eq!(spans, ["game spiel \"Käse\"", "piece größe", "region öde = {ä1} §ziehen/4"]);
    assert_eq!(sources.slice(file.items[2].cites[0].span), "§ziehen/4");
    let found = comments(id, &text);
    assert_eq!((found.len(), found[0].text.as_str(), found[0].own_line), (1, "// Maß", false));
    assert_eq!(fault("piece a\r\npiece ;\r\n").span.start, 15);
}

#[test]
fn table_cells_are_trimmed_and_ragged_rows_reported() {
    let text = "kinds tile §1 | kind | side: side |\n  | bear |  blue  | §2, §3 // x | y\n  |fox||\n";
    let ItemKind::Kinds { rows, .. } = item(text) else { panic!("kinds") };
    let mut sources = Sources::default();
    sources.add("x", text);
    let cells: Vec<&str> = rows.body.iter().flat_map(|row| &row.cells).map(|cell| sources.slice(cell.span)).collect();
    assert_eq!(cells, ["bear", "blue", "fox", ""]);
    assert_eq!(rows.body[0].cites.len(), 2);
    assert_eq!(rows.header.cells[1].node, "side: side");
    let report = fault("table t\n| a | b |\n| 1 |\n| 1 | 2 |\n| 1 | 2 | 3 |\npiece x");
    assert_eq!(report.message, "this row has 1 cell, but the header has 2");
    assert_eq!(report.also.len(), 2);
    assert!(good("table t\n| ( | \" |\n| { | [ |\npiece x").items.len() == 2);
}

#[test]
fn items_and_statements_carry_their_clauses() {
    let text = "setup §1, §2 { put a on b §3 }";
    let file = good(text);
    let Item { kind: ItemKind::Setup(block), cites, .. } = &file.items[0] else { panic!("a setup") };
    assert_eq!((cites.len(), block.stmts[0].cites.len()), (2, 1));
    let ItemKind::Region(_, Given::Cases(cases)) = item("region house: white = {a1}, black = {b2}") else {
        panic!("cases")
    };
    assert_eq!(cases.len(), 2);
    let StmtKind::Require(Expr { kind: ExprKind::Binary(BinOp::And, left, _), .. }) =
        &stmts("require not a and b")[0].kind
    else {
        panic!("and")
    };
    assert!(matches!(left.kind, ExprKind::Unary(UnOp::Not, _)));
}
