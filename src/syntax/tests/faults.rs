//! Tests of syntax errors and their messages.

use super::show::expr;
use super::{fault, faults, read};
use crate::base::{FileId, Sources};
use crate::syntax::grammar::Rule;

#[test]
fn three_broken_items_give_three_reports_and_the_others_are_kept() {
    let text = "game a\npiece x: y\npiece good owned\naction b { chose s in empty }\nplay { turns { mover plays b } }\n\
                region r = a b\nend e after move when full { draw }\n";
    let (file, reports) = read(text);
    assert_eq!(reports.len(), 3, "{reports:#?}");
    let mut sources = Sources::default();
    let id = sources.add("x", text);
    assert_eq!(id, FileId(0));
    let lines: Vec<usize> = reports.iter().map(|report| sources.line_column(report.span).0).collect();
    assert_eq!(lines, [2, 4, 6]);
    assert_eq!(file.items.len(), 4);
    assert_eq!(sources.slice(file.items[3].span), "end e after move when full { draw }");
}

#[test]
fn messages_name_what_was_found_and_suggest_a_fix() {
    let cases = [
        ("piece ;", "expected a name, found `;`", None),
        ("piece top", "expected a name, found `top`", Some("reserved word")),
        ("actoin a { }", "expected an item such as `action`, found `actoin`", Some("did you mean `action`?")),
        ("action a { x = 3 }", "expected `:=`, `may` or `plays`, found `=`", Some("assign with `:=`")),
        ("action a { require x = 3 }", "expected `}`, a statement or an operator, found `=`", Some("`==`")),
        ("action a { let x := 3 }", "expected `=`, found `:=`", Some("single `=`")),
        ("action a { chose s in x }", "`chose` does not start a statement", Some("did you mean `choose`?")),
        (
            "action a { choose f in empty where f.row > 1 put stone on f }",
            "expected `by`, `seen`, `}` or a statement, found `where`",
            Some("`choose f in {f in empty where …}`"),
        ),
        (
            "play { turns { mover play place else { lose mover } } }",
            "expected `:=`, `may` or `plays`, found `play`",
            Some("did you mean `plays`?"),
        ),
        ("action a { if b { } else c }", "expected `if` or `{`, found `c`", Some("else { … }")),
        (
            "action a { x := 1",
            "expected `}`, a statement or an operator, found the end of the file",
            Some("line 1 is not"),
        ),
        (
            "action a {\n  x()\npiece b",
            "expected `}` or a statement, found `piece` on line 3",
            Some("`{` on line 1 is not closed"),
        ),
        ("play { }\n}", "expected an item such as `action`, found `}`", Some("no open bracket")),
        ("board square 3x3", "expected an expression, found `3x3`", Some("`3 x 3`")),
        ("define a = b && c", "expected an expression, found `&`", Some("`and`")),
        ("define a = {b, c)", "expected `,`, `}` or an operator, found `)`", Some("close the `{`")),
        ("game a \"b", "expected `extends` or the end of the item, found \"b", Some("not closed")),
        ("table t\n| a | b\n| c |", "this table row has no `|` at its end", None),
        (
            "action a {\nx()\npiece b\n",
            "expected `}` or a statement, found `piece` on line 3",
            Some("line 1 is not closed"),
        ),
        ("play { plays a }", "`plays` does not start a statement", Some("`mover plays …`")),
    ];
    for (text, message, help) in cases {
        let report = fault(text);
        assert_eq!(report.message, message, "{text}");
        let found = report.help.clone().unwrap_or_default();
        assert!(help.is_none_or(|help| found.contains(help)), "{text}\n{report:#?}");
    }
}

#[test]
fn every_alternative_has_a_label() {
    let shown = [Rule::statement, Rule::item, Rule::expr, Rule::name, Rule::colon, Rule::kw_piece, Rule::path_atom];
    for rule in shown {
        assert!(rule.label().is_some(), "{rule:?}");
    }
    for rule in Rule::all_rules() {
        let name = format!("{rule:?}");
        if let Some(word) = name.strip_prefix("kw_") {
            assert_eq!(rule.label(), Some(format!("`{word}`").as_str()));
            assert!(rule.is_mark());
        }
    }
}

#[test]
fn names_are_in_normal_form() {
    let reports = faults("piece u\u{308}ber\nregion a = u\u{308}ber | u\u{308}ber\n");
    assert_eq!(reports.len(), 1);
    assert!(reports[0].starts_with("syntax/not-normal the name `über`"), "{reports:?}");
}

#[test]
fn numbers_keep_their_limits() {
    assert_eq!(expr("1_000_000_000_000"), "1000000000000");
    assert!(faults("first 1_000_000_000_001")[0].starts_with("syntax/bad-number"));
    assert!(faults("first 99999999999999999999999")[0].starts_with("syntax/bad-number"));
    assert!(faults("players a for 2..5000000000")[0].starts_with("syntax/bad-number"));
}

#[test]
fn nesting_and_length_are_limited() {
    let deep = |open: &str, close: &str, n: usize| format!("define x = {}a{}", open.repeat(n), close.repeat(n));
    for (open, close) in [("(", ")"), ("{", "}"), ("f(", ")"), ("not ", ""), ("if a then b else ", ""), ("-", "")] {
        assert!(faults(&deep(open, close, 60)).is_empty(), "{open}");
        let reports = faults(&deep(open, close, 65));
        assert!(reports.len() == 1 && reports[0].starts_with("syntax/too-deep"), "{open} {reports:?}");
    }
    assert!(faults(&format!("define x = a{}", " + a".repeat(499))).is_empty());
    assert!(faults(&format!("define x = a{}", " + a".repeat(1000)))[0].starts_with("syntax/too-deep"));
    let tower = format!(
        "define x = {}a{}",
        "(".repeat(60),
        " + a)".repeat(60).replace(')', &format!("{})", " + a".repeat(20)))
    );
    assert!(faults(&tower)[0].starts_with("syntax/too-deep"));
    let lists = "-1, ".repeat(200);
    assert!(faults(&format!("define x = {{{lists}not a}} | {{not b and not c}}")).is_empty());
    assert!(faults(&" ".repeat((1 << 20) + 1))[0].starts_with("syntax/too-long"));
}

#[test]
fn hostile_texts_are_rejected_on_a_small_stack() {
    let units = ["(", "{", "not ", "if ", "a.", "set of ", "replace ", "any x in S: ", "x at ", "f(", "top x in S by "];
    let heads = ["define x = ", "action a { ", "var x: ", "path p = ", "variant v { ", ""];
    let mut texts: Vec<String> =
        units.iter().flat_map(|unit| heads.map(|head| format!("{head}{}", unit.repeat(20_000)))).collect();
    let extra =
        ["variant v { ", "play { if a { } else ", "else if c { } ", "along d in S (", "first(\n", "table x\n|(a|b\n"];
    texts.extend(extra.map(|unit| unit.repeat(20_000)));
    let work = move || {
        for text in &texts {
            assert!(!faults(text).is_empty(), "{}", &text[..40]);
        }
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).expect("a thread").join().expect("no overflow");
}
