//! What people new to the language write, and what they are told.

use regelwerk::lint::unlowered;
use regelwerk::load::{NoFiles, RuleFile, Setup, WORK, load};
use regelwerk::mend::{Subject, mend_loaded, offer};
use regelwerk::report::{Code, Severity};

/// A number of players named twice is offered once; the one named first is the default.
#[test]
fn numbers_of_players_are_offered_once() {
    let text =
        "game g\nplayers a, b, c for 2, 1..3\naction go { choose n in 1..3 }\nplay { repeat 2 { a plays go } draw }\n";
    assert_eq!(load("g.rules", text, &NoFiles, &Setup::default()).offer.players, [2, 1, 3]);
    assert_eq!(RuleFile::read("g.rules", text, &NoFiles).setups().len(), 3);
}

/// What keeps a game from the fast engine is found in variants and at the ends of options as well.
#[test]
fn what_is_not_lowered_is_found_in_every_variant() {
    let text = "game g\nplayers a, b\noption side = 8 from 2..40\nboard square side x side\n\
        piece tower owned { height: int = 1 }\naction found { choose f in empty put own tower on f }\n\
        action raise { choose f in own tower change f: height = lesser((sum t.height for t at f) + 1, 5) }\n\
        play { turns { mover plays found | raise } }\n\
        end tall after move when any t at own tower: t.height == 5 { win me }\nend full after move when no empty { draw }\n\
        variant high { replace action raise { choose f in own tower change f: height = (sum t.height for t at f) + 1 } }\n";
    let plain = text.replace("2..40", "2..32");
    let messages = |text: &str| -> Vec<String> {
        unlowered("g.rules", text, &NoFiles).sorted().iter().map(|report| report.message.clone()).collect()
    };
    let slow = ": the whole game runs on the slow reference interpreter";
    let high =
        format!("with variant high, the fast engine does not take a field of pieces that holds any number{slow}");
    assert_eq!(messages(&plain), [high.as_str()]);
    let wide = format!("with side=40, the fast engine does not take boards of more than 1024 sites{slow}");
    assert_eq!(messages(text), [wide.as_str(), high.as_str()]);
}

const BASE: &str = "game g\nplayers a, b, x for 2..3\nboard square 4 x 4\nenum die = die1, die2\nenum suit = clubs, hearts\n\
    piece stone owned { height: int = 1 }\nkinds card { suit: suit }\n  | kind  | rank |\n  | jack  | 1 |\n  | queen | 2 |\n\
    zone hand(p: seat): set of card, seen by p\nzone in_play: row of card, seen by all\n\
    zone starter: pile of card, seen by all\nvar pips(d: die): int\nvar marked: set of site\nvar n: int\n\
    define score(p: seat) = n\n\
    setup { put stone of a on a1..a4 put jack with suit = clubs on hand(a) put queen with suit = clubs on starter }\n";

/// What is written in an action `go`, and a part of what the first report says to do about it.
const WRITTEN: [(&str, &str); 36] = [
    ("require max pips(d) for d in die >= 3", "(max f(n) for n in S) >= k"),
    ("choose k in bool", "declare an enum of two values"),
    ("choose k in {true, false}", "enum answer = yes, no"),
    ("choose T within die", "one value of a set"),
    ("choose some T in die", "one value of a set"),
    ("choose c in in_play: c.suit == clubs", "choose c in {c in … where …}"),
    ("choose d in die pips(d) := roll 1..6", "roll n in 1..6"),
    ("n++", "`n += 1`"),
    ("n--", "`n -= 1`"),
    ("for d = 1 to 5 { n += d }", "for d in 1..5"),
    ("for d in 1 to 5 { n += d }", "`1..5`"),
    ("n := max(n, 3)", "greater(a, b)"),
    ("n := min(n, 3)", "lesser(a, b)"),
    ("n := count(d in die where pips(d) == 1)", "count({d in die where …})"),
    ("n := count({pips(d) for d in die})", "union {pips(d)} for …"),
    ("choose s in sites remove s from marked", "marked -= s"),
    ("choose c in hand(me) move c to in_play", "move c from ZONE to …"),
    ("choose c in hand(me) change c: suit = hearts", "change ZONE: …"),
    ("choose c in hand(me) put c on a1", "move c from ZONE to …"),
    ("choose c in hand(me) remove c", "move c from ZONE to …"),
    ("choose f in own stone put f on b2", "move f to …"),
    ("let s = top of starter if s.kind == jack { n := 1 }", "any x in …: x.kind"),
    ("if top of starter == jack { n := 1 }", "any x in ZONE: x.kind == …"),
    ("n := in_play.count", "count(…)"),
    ("n := in_play.size", "count(…)"),
    ("choose c in hand(me) require c != queen", "c.kind == …"),
    ("require jack in hand(me)", "any x in ZONE: x.kind == …"),
    ("choose c in hand(me) require c in jack", "….kind"),
    ("choose f in own stone n := f.height", "any x at f: x.height"),
    ("choose f in own stone require f.owner == me", "any x at f: x.owner"),
    ("choose c in hand(me) require c.suit > clubs", "define worth: clubs = 1, hearts = 2"),
    ("choose f in own stone change f: height += 1", "height = (sum x.height for x at f) + 1"),
    ("n := count(top 2 of in_play)", "stands in `move` only"),
    ("n := n + clubs", "have no order"),
    ("choose c in hand(me) choose f in empty move c to f", "move c from ZONE to …"),
    ("move hand(me) to in_play", "move all of …"),
];

/// The help of the first report, with fixes tried as `check` does.
fn help(text: &str) -> String {
    let mut loaded = load("g.rules", text, &NoFiles, &Setup::default());
    offer(Subject { name: "g.rules", text, files: &NoFiles }, &Setup::default(), &mut loaded);
    let reports = loaded.reports.sorted();
    let first = reports.iter().find(|report| report.code.severity() == Severity::Error);
    let first = first.unwrap_or_else(|| panic!("accepted:\n{text}"));
    let fix = first.fix.as_ref().map_or_else(String::new, |fix| format!(" FIX {}", fix.message));
    format!("{}{fix}", first.help.clone().unwrap_or_default())
}

/// What other languages have, and what stands for something else, is answered with what this one has instead; no edit
/// is offered that would mean something else.
#[test]
fn what_is_written_otherwise_is_answered_with_what_to_write() {
    let play = "\nplay { repeat 2 { a plays go } draw }\n";
    let mut wrong = Vec::new();
    for (written, wanted) in WRITTEN {
        let told = help(&format!("{BASE}action go {{ {written} }}{play}"));
        if !told.contains(wanted) || told.contains(" FIX ") {
            wrong.push(format!("{written}\n    {told}"));
        }
    }
    let items = [
        ("var kept: piece", "at most 1"),
        ("var kept: set of piece", "at most 1"),
        ("var open: set of die = all\nvar m: int", "`= die`"),
        ("path p = walk n to empty", "`step`, `slide`, `hop`"),
        ("option who: seat = a from seats", "list them: `{a, b}`"),
        ("variant v { remove setup }", "`replace setup { … }`"),
        ("variant v { remove setup\nset n = 4 }", "`replace setup { … }`"),
        ("variant v { remove board\nend e after move when n == 1 { draw } }", "`replace board …`"),
        ("define twice = {pips(d) for d in die}", "union {pips(d)} for …"),
    ];
    for (item, wanted) in items {
        let told = help(&format!("{BASE}{item}\naction go {{ choose k in 1..2 n += k }}{play}"));
        if !told.contains(wanted) || told.contains(" FIX ") {
            wrong.push(format!("{item}\n    {told}"));
        }
    }
    let go = "action go { choose k in 1..2 n += k }\n";
    let told = help(&format!("{BASE}{go}play {{ repeat 2 {{ a plays score }} draw }}\n"));
    if !told.contains("declared, but not as an action") {
        wrong.push(told);
    }
    let told = help(&format!("{}{go}{play}", BASE.replace("for 2..3", "for 2 to 3")));
    if !told.contains("`2..3`") {
        wrong.push(told);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Fixes are tried with the steps that the check has left, and what has no fix takes none.
#[test]
fn fixes_take_the_steps_that_are_left() {
    let text = "game g\nplayers a, b\nvar points: int\naction go { point += 1 }\nplay { turns { mover plays go } }\n\
                end e after move when ply > 3 { draw }\n";
    let subject = Subject { name: "g.rules", text, files: &NoFiles };
    let fixes = |work: u64| {
        let mut loaded = load("g.rules", text, &NoFiles, &Setup::default());
        loaded.work = work;
        offer(subject, &Setup::default(), &mut loaded);
        loaded.reports.sorted().iter().filter(|report| report.fix.is_some()).count()
    };
    assert_eq!((fixes(0), fixes(WORK)), (1, 0));
    // What was loaded need not be loaded again, and says then which fixes there are.
    let mut loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let mut work = 0;
    assert_eq!(mend_loaded(subject, &Setup::default(), &mut loaded, &mut work).done, []);
    assert!(work > 0 && loaded.reports.sorted().iter().any(|report| report.fix.is_some()));
    let text = "game g\nplayers a, b\nboard ring 4096\nregion q(f: site) = union around(x) for x in sites\n\
                action go { choose k in 1..3 }\nplay { turns { mover plays go } }\n";
    let subject = Subject { name: "g.rules", text, files: &NoFiles };
    let mut loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(loaded.reports.has_errors());
    let mut work = 0;
    let mended = mend_loaded(subject, &Setup::default(), &mut loaded, &mut work);
    assert_eq!((mended.text.as_str(), work), (text, 0));
}

/// A comma between two seats is likelier than a title of one of them, and no assignment is made of a word that is misspelt.
#[test]
fn fixes_neither_quote_seats_nor_assign() {
    let text = |seats: &str, guard: &str, end: &str| {
        format!(
            "game g\nplayers {seats}\nboard square 3 x 3\npiece stone owned\n\
             action place {{ choose s in empty require s != b2 {guard} ply > 3 put own stone on s }}\n\
             play {{ turns {{ mover plays place }} }}\nend full after move when no empty {end} draw }}\n"
        )
    };
    let fixed = |text: &str| -> Vec<String> {
        let mut loaded = load("g.rules", text, &NoFiles, &Setup::default());
        offer(Subject { name: "g.rules", text, files: &NoFiles }, &Setup::default(), &mut loaded);
        loaded.reports.sorted().iter().filter_map(|report| report.fix.as_ref()).map(|fix| fix.text.clone()).collect()
    };
    // Where nothing speaks of it, a word may just as well not belong there.
    assert_eq!(fixed(&text("a b, c", "or", "{ if ply == 1 { lose a } if ply == 2 { lose b }")), [","]);
    assert_eq!(fixed(&text("a b, c", "or", "{")), [] as [&str; 0]);
    // Beside another error of the text a word that is no statement looks like a variable.
    assert_eq!(fixed(&text("a, b", "orr", "{{")), [] as [&str; 0]);
    assert_eq!(fixed(&text("a, b", "or", "{{")), [] as [&str; 0]);
}

/// An error of syntax hides others: fixes are made only as far as the file has fewer errors in the end.
#[test]
fn fixes_leave_fewer_errors_of_any_kind() {
    let text = |piece: &str, name: &str, guard: &str| {
        format!(
            "game g\nplayers a, b\nboard square 3 x 3\npiece mark {piece}\n\naction {name} \"place a mark\" {{\n\
             choose square in empty require {guard} put own mark on square\n}}\nplay {{ turns {{ mover plays place }} }}\n\
             end full after move when no empty {{ draw }}\n"
        )
    };
    let mended = |text: &str| {
        let subject = Subject { name: "g.rules", text, files: &NoFiles };
        let mut loaded = load("g.rules", text, &NoFiles, &Setup::default());
        assert!(loaded.reports.has_errors());
        mend_loaded(subject, &Setup::default(), &mut loaded, &mut 0)
    };
    // Whatever can be read of an action without a name has other errors.
    let nameless = text("owned", "", "square != b2");
    let left = mended(&nameless);
    assert_eq!((left.text.as_str(), left.done.len()), (nameless.as_str(), 0));
    // What comes to light is mended as well, or nothing is.
    let mixed = |guard: &str| text("owned", "place", guard).replace("mover plays", "mover palys");
    let known = mended(&mixed("square != b2"));
    assert_eq!((known.text, known.done.len()), (text("owned", "place", "square != b2"), 1));
    for name in ["sqaure", "wxyz"] {
        let strange = mixed(&format!("{name} != b2"));
        assert_eq!(mended(&strange).text, strange);
    }
}

/// What is settled before something cannot use it, and is not said to be missing.
#[test]
fn what_is_settled_later_is_said_so() {
    let said = |items: &str| -> Vec<String> {
        let text = format!(
            "game g\nplayers a, b\n{items}\nvar n: int\naction go {{ n += 1 }}\nplay {{ turns {{ mover plays go }} }}\n\
             end over after move when n > 5 {{ draw }}\n"
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        let errors = loaded.reports.sorted().into_iter().filter(|report| report.code.severity() == Severity::Error);
        errors.map(|report| format!("{} {}", report.code.text(), report.message)).collect()
    };
    let late = |name: &str| {
        format!("check/misplaced `{name}` is settled later than what stands here, so that it cannot use it")
    };
    assert_eq!(said("define size = 4\nboard square size x 3"), [late("size")]);
    assert_eq!(said("define size = 4\noption side = size from 2..5"), [late("size")]);
    assert_eq!(said("define size = 4\noption side = 3 from 2..size"), [late("size")]);
    // The option that failed is not missing where it is used.
    assert_eq!(said("option one = two from 1..3\noption two = 2 from 1..3\nboard square one x 3"), [late("two")]);
    assert_eq!(said("option two = 2 from 1..3\noption one = two from 1..3\nboard square one x 3"), [] as [String; 0]);
    assert_eq!(said("board square wxyz x 3"), ["check/unknown-name there is no name `wxyz`"]);
}

/// Quotes make a title of a name, brackets of a sum another one, and a link that is moved turns a statement round: where one of
/// them is missing, or out of place, the author has to say what is meant.
#[test]
fn fixes_leave_quotes_brackets_and_links_to_the_author() {
    let base = "game g\nplayers a, b, c\nboard square 3 x 3\npiece stone owned\nvar points(p: seat): int\nvar who: set of seat = a\n\
        action lay { choose f in empty choose t in empty points(me) += 1 + 2 put own stone on f move f to b1 }\n\
        play { turns { mover plays lay } }\nend full after move when no empty & a1 and no own stone { lose a }\n";
    assert!(!load("g.rules", base, &NoFiles, &Setup::default()).reports.has_errors());
    for (right, wrong) in [
        ("lose a }", "lose a b }"),
        ("lose a }", "win a lose }"),
        ("set of seat = a", "set of seat = a b"),
        ("): int", "): int secret"),
        ("+= 1 + 2", "+= 1 + 2) * 3"),
        ("+= 1 + 2", "+= (1 + 2 * 3"),
        ("no empty & a1 and", "(no empty & a1 and"),
        ("move f to b1", "move to b1 f"),
        ("choose t in empty", "choose t in empty by all"),
        ("move f to b1", "move to b1"),
        ("turns { mover plays lay }", "turns { mover plays lay { lose mover } }"),
        ("{ lose a }", "{ \"no room\" }"),
        ("+= 1 + 2", "+= 2 * ((1 + 2) + 3"),
        ("choose t in empty", "choose t in nonempty"),
        ("stone owned", "stone unowned"),
    ] {
        assert!(base.contains(right), "{right}");
        let text = base.replace(right, wrong);
        let subject = Subject { name: "g.rules", text: &text, files: &NoFiles };
        let mut loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        assert!(loaded.reports.has_errors(), "{wrong}");
        let mended = mend_loaded(subject, &Setup::default(), &mut loaded, &mut 0);
        assert_eq!(mended.text, text, "{wrong}: {:?}", mended.done);
    }
}

/// A mark is added where it can stand nowhere else; where several places would do, the author alone knows which.
#[test]
fn marks_are_added_where_nothing_else_would_do() {
    let base = "game g\nplayers a, b\nboard square 3 x 3\npiece stone owned\naction lay { choose f in empty z(f) }\n\
        play { turns { mover plays lay } }\nend full after move when no empty { draw }\n";
    let mended = |item: &str| {
        let text = format!("{base}{item}\ndefine other = 1\n");
        let subject = Subject { name: "g.rules", text: &text, files: &NoFiles };
        let mut loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        assert!(loaded.reports.has_errors(), "{item}");
        offer(subject, &Setup::default(), &mut loaded);
        let sorted = loaded.reports.sorted();
        let fixes: Vec<_> = sorted.iter().filter_map(|report| report.fix.as_ref()).collect();
        let mended = match fixes[..] {
            [fix] => [&text[..fix.span.start as usize], &fix.text, &text[fix.span.end as usize..]].concat(),
            _ => text.clone(),
        };
        assert!(mended == text || !load("g.rules", &mended, &NoFiles, &Setup::default()).reports.has_errors());
        // It is the author who adds it.
        assert_eq!(mend_loaded(subject, &Setup::default(), &mut loaded, &mut 0).text, text);
        mended.replace(base, "").replace("\ndefine other = 1\n", "")
    };
    let block = |inner: &str| format!("procedure z(f: site) {{\n  if f in a1 {{\n    put own stone on f{inner}\n");
    for (item, right) in [
        (block("\n  }\n"), block("\n  }\n }")),
        // Before `else` a block ends.
        (block("\n  else {\n    put own stone on b1\n  }\n}"), block(" }\n  else {\n    put own stone on b1\n  }\n}")),
        (
            "procedure z(f: site) { if f in a1 { put own stone on f }".to_owned(),
            "procedure z(f: site) { if f in a1 { put own stone on f } }".to_owned(),
        ),
        (
            "procedure z(f: site) { put own stone on f".to_owned(),
            "procedure z(f: site) { put own stone on f }".to_owned(),
        ),
        (
            "procedure z(f site) { put own stone on f }".to_owned(),
            "procedure z(f : site) { put own stone on f }".to_owned(),
        ),
    ] {
        let dense = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(dense(&mended(&item)), dense(&right));
    }
    let procedure = "procedure z(f: site) { put own stone on f }";
    for open in [
        &block("\n  put own stone on b1\n}"),
        "procedure z(f: site) { if f in a1 { put own stone on f\n  if f in b1 { put own stone on b2 }\n  put own stone on c1\n}",
        "procedure z(f: site) {\n  if f in a1 { if ply > 3 { put own stone on f }\n  else { put own stone on b1 }\n}",
        "procedure z(f: site) { if f in a1 { put own stone on f put own stone on b1 }",
        &format!("{procedure}\nregion r = a1..c3 & {{a1, b2 - c3"),
        &format!("{procedure}\nregion r = a1 | b1, c1}} & a1..c3"),
        &format!("{procedure}\ndefine q(f: site) = {{g in around(f) where g in a1..c3 | own stone & around(f)"),
    ] {
        assert_eq!(mended(open), open);
    }
}

/// A seat that may decline is asked in any case: what stands behind it for the case that nothing is legal never runs.
#[test]
fn a_block_behind_a_seat_that_may_decline_never_runs() {
    let said = |word: &str, block: &str| {
        let text = format!(
            "game g\nplayers a, b\nvar n: int\naction go {{ require n < 9 n += 1 }}\n\
             play {{ turns {{ mover {word} go {block} n += 1 if n > 20 {{ draw }} }} }}\n"
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{text}");
        loaded.reports.sorted().iter().filter(|report| report.code == Code::NoEffect).count()
    };
    assert_eq!(said("may play", "else { n += 3 }"), 1);
    assert_eq!(said("may play", ""), 0);
    assert_eq!(said("plays", "else { n += 3 }"), 0);
}

/// What is not displayed stands in no name, or two that look the same would differ; a text may need it.
#[test]
fn names_that_look_the_same_are_one() {
    let said = |title: &str, name: &str| {
        let text = format!(
            "game g \"{title}\"\nplayers a, b\nvar left: int // {title}\naction go {{ {name} += 1 }}\n\
             play {{ turns {{ mover plays go }} }}\nend e after move when left > 3 {{ draw }}\n"
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        loaded.reports.sorted().iter().map(|report| report.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(said("می\u{200c}خواهم", "left"), [""; 0]);
    for hidden in ["\u{200c}", "\u{200d}", "\u{200b}", "\u{ad}", "\u{2060}"] {
        let [said] = &said("G", &format!("le{hidden}ft"))[..] else { panic!("{hidden:?}") };
        let code = u32::from(hidden.chars().next().unwrap_or_default());
        assert_eq!(*said, format!("the character U+{code:04X} is not displayed and cannot stand in a name"));
    }
}

/// Signs that come with text from elsewhere are answered with how they are typed.
#[test]
fn signs_of_typography_are_answered_with_how_they_are_typed() {
    let text = |guard: &str| {
        format!(
            "game g\nplayers a, b\nboard square 3 x 3\npiece stone owned\n\
             action place {{ choose s in empty require {guard} put own stone on s }}\n\
             play {{ turns {{ mover plays place }} }}\nend full after move when no empty {{ draw }}\n"
        )
    };
    for (guard, cure) in [
        ("s.row − 1 < 9", "write `-`"),
        ("s.row ÷ 2 < 9", "write `/`"),
        ("s.row ≥ 0", "write `>=`"),
        ("¬ s == b2", "write `not`"),
        ("s.row\u{a0}> 0", "write a plain space instead of this no-break space, U+00A0"),
    ] {
        let (before, text) = (text("s.row > 0"), text(guard));
        assert!(load("g.rules", &before, &NoFiles, &Setup::default()).game.is_some());
        let mut loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        offer(Subject { name: "g.rules", text: &text, files: &NoFiles }, &Setup::default(), &mut loaded);
        let reports = loaded.reports.sorted();
        let help = reports.first().and_then(|report| report.help.clone());
        assert_eq!(help.as_deref(), Some(cure), "{guard}");
    }
    // What an editor may show as the beginning of a line is none.
    let text = text("s.row > 0 // high\u{2028}require s.row > 1");
    assert!(load("g.rules", &text, &NoFiles, &Setup::default()).game.is_none());
}

/// A word that says something is not to be removed, nor taken for its opposite: what is left would be other rules. Each with what
/// is said instead, if there is something to say.
#[test]
fn what_says_something_is_not_removed() {
    const SLIPS: [(&str, &str); 12] = [
        ("choose f in my stone", "`own stone`"),
        ("choose f in their stone", "`enemy stone`"),
        ("choose f in opponent stone", "`enemy stone`"),
        ("choose f in not occupied", "some …"),
        ("choose f in not empty", "some …"),
        ("n := + 1", ""),
        ("choose f in (a1, b2)", ""),
        ("if n == 1 and any own stone { n := 2 }", ""),
        ("choose f in stone without own stone", ""),
        ("choose f in every stone", ""),
        ("choose f in only own stone", ""),
        ("require never n == 2", ""),
    ];
    for (slip, cure) in SLIPS {
        let text = format!("{BASE}action go {{\n{slip}\n}}\nplay {{ turns {{ mover plays go }} }}\n");
        let said = help(&text);
        let offered = ["remove `", "write `no`", "write `not`"].iter().any(|words| said.contains(words));
        assert!(said.contains(cure) && !offered, "{slip}: {said}");
    }
    let deck = BASE.replace("zone starter: pile of card, seen by all", "zone starter: pile of card, hidden");
    let covered = help(&format!("{deck}action go {{ n += 1 }}\nplay {{ turns {{ mover plays go }} }}\n"));
    assert!(covered.contains("`seen by no`"), "{covered}");
    let several = help_of_plays("mover plays go, rest");
    assert!(!several.contains("remove"), "{several}");
}

/// What would parse, and be other rules: a statement, number or word for another one, or what is left without it.
#[test]
fn what_only_fits_is_not_advised() {
    for (slip, wrong) in [
        ("3 times { n += 1 }", "`phase`"),
        ("swap a1 to b2", "`move`"),
        ("put stone in a1", "`choose`"),
        ("choose to in stone  remove a1 to", "remove `to`"),
        ("choose f in stone  f", "`;`"),
        ("require n 1", "`!=`"),
        ("remove a1, b2", "`swap`"),
        ("swap a1 | b2", "`remove`"),
        ("rotate a1..a4", "`remove`"),
        ("choose from in stone  choose to in empty  move 2 stone from to to", "add `to`"),
        ("put jack on starter 3", "`;`"),
        ("shuffle starter 3", "`;`"),
        ("choose t in hop n taking stone to empty (a1)", "`over`"),
        ("choose t in (step n to empty){2,4} (a1)", "remove `,`"),
        ("choose t in (step n to empty){2..} (a1)", "remove `..`"),
        ("choose t in (step n to empty)*2 (a1)", "`fully`"),
        ("n := count(stone of )", "remove `of`"),
        ("n := count( of a)", "remove `of`"),
        ("choose f in around(a1, )", "remove `,`"),
        ("for p in seats from { n += 1 }", "remove `from`"),
        ("n += 1 { §1 }", "swap"),
        ("require n ~= 1", "write `<`"),
        ("require n -> 1", "swap"),
    ] {
        let said = help(&format!("{BASE}action go {{\n{slip}\n}}\nplay {{ turns {{ mover plays go }} }}\n"));
        assert!(!said.contains(wrong), "{slip}: {said}");
    }
}

/// An operator that is lost is not guessed where another one makes the text as right. One that nothing else can be is added.
#[test]
fn a_lost_operator_is_not_guessed() {
    for slip in [
        "require stone (a1 | a2)",
        "require (n == 1) (n == 2)",
        "if n == 1 n == 2 { n := 3 }",
        "n := n 2 * n",
        "n := count(stone) count(empty)",
        "choose f in around(a1) stone",
    ] {
        let said = help(&format!("{BASE}action go {{\n{slip}\n}}\nplay {{ turns {{ mover plays go }} }}\n"));
        let operators = ["within", "meets", "and", "or", "+", "*", "-", "|", "&"];
        assert!(operators.iter().all(|text| !said.contains(&format!("add `{text}`"))), "{slip}: {said}");
    }
    let passes = help(&format!("{BASE}action go {{ n += 1 }}\nplay {{ turns {{ mover plays go pass }} }}\n"));
    assert!(!passes.contains("add `"), "{passes}");
    let chosen =
        help(&format!("{BASE}action go {{ choose f stone  remove f }}\nplay {{ turns {{ mover plays go }} }}\n"));
    assert!(chosen.contains("add `in`"), "{chosen}");
}

/// A word is not answered with an operator that only happens to fit, nor with another statement: what it says is said.
#[test]
fn words_are_answered_with_the_operator_that_they_name() {
    const SLIPS: [(&str, &str); 34] = [
        ("require n is smaller than or equal to 1", "write `<=`"),
        ("require n exceeds or equals 1", "`>=`"),
        ("require n equals or is less than 1", "`<=`"),
        ("require n is less than or equal to 1", "write `<=`"),
        ("require n is no more than 1", "write `<=`"),
        ("require n is different from 1", "`!=`"),
        ("require n is not less than 1", "`not (…)`"),
        ("let f in empty", "`choose f in …`"),
        ("n := n ** 2", "`a * a`"),
        ("roll d in 1,6", "`1..6`"),
        ("require n is not 1", "`a != b`"),
        ("require n does not equal 1", "`!=`"),
        ("require n less than 1", "write `<`"),
        ("require n is more than 1", "write `>`"),
        ("require n at least 1", "write `>=`"),
        ("if n is at most 1 { n := 2 }", "write `<=`"),
        ("if n greater than 1 { n := 2 }", "write `>`"),
        ("require (any x in stone: x is not a1)", "`a != b`"),
        ("n := n plus 1", "write `+`"),
        ("n := n minus 1", "write `-`"),
        ("require n equals 1", "write `==`"),
        ("require (any x in stone: x equals a1)", "write `==`"),
        ("if n == 1 but not n == 2 { n := 2 }", "write `and`"),
        ("require n == 1 nor n == 2", "`not a and not b`"),
        ("require n == 1 unless some stone", "`a and not b`"),
        ("choose f in stone minus own stone", "write `-`"),
        ("set n = n + 1", "`n := …`"),
        ("n <- 0", "`n := …`"),
        ("not put own stone on a1", "left out"),
        ("no put own stone on a1", "left out"),
        ("not n := 1", "left out"),
        ("require n == 1 , n == 2", "joined by `and`"),
        ("require n == 1 whereas n == 2", ""),
        ("n := (if n == 1 then next n else 2)", ""),
    ];
    for (slip, cure) in SLIPS {
        let text = format!("{BASE}action go {{\n{slip}\n}}\nplay {{ turns {{ mover plays go }} }}\n");
        let said = help(&text);
        let offered = ["remove `", "instead of", "`let`", "\"not\""].iter().any(|words| said.contains(words));
        assert!(said.contains(cure) && !offered, "{slip}: {said}");
    }
    // What is said in words that are no part of the language is left to the author.
    let words = ["nicht", "isnt", "cannot", "ist", "eq", "lt", "iff", "yet", "ohne", "und", "after", "against"];
    let contexts = [
        "require W n == 1",
        "require n == 1 and W n == 2",
        "require n W 1",
        "choose f in empty W {a1, b2}",
        "win W me",
        "n := count(W stone)",
        "if W n == 1 { n := 2 }",
    ];
    for context in contexts {
        for word in words {
            let slip = context.replace('W', word);
            let said = help(&format!("{BASE}action go {{\n{slip}\n}}\nplay {{ turns {{ mover plays go }} }}\n"));
            assert!(!["remove `", "instead of"].iter().any(|words| said.contains(words)), "{slip}: {said}");
        }
    }
    for (slip, cure) in [
        ("choose f in empty lse", ""),
        ("n := count(stone) < = 3", "`<=`"),
        ("put queen with suit = clubs under starter", ""),
        ("choose 2 f in empty", ""),
        ("loop { n := 1 }", ""),
        ("require >= 3", ""),
        ("require in empty", ""),
    ] {
        let said = help(&format!("{BASE}action go {{\n{slip}\n}}\nplay {{ turns {{ mover plays go }} }}\n"));
        let offered = ["remove `", "write `on`", "write `some`", "`phase`"].iter().any(|words| said.contains(words));
        assert!(said.contains(cure) && !offered, "{slip}: {said}");
    }
    let shortened = help_of_plays("mover plays go lse rest");
    assert!(shortened.contains("`else`"), "{shortened}");
    for slip in ["mover plays go then rest", "mover plays go lt rest"] {
        let said = help_of_plays(slip);
        assert!(!said.contains("else"), "{slip}: {said}");
    }
    let players = help(&BASE.replace("for 2..3", "for 2 bis 3"));
    assert!(!players.contains("instead of"), "{players}");
    let titled = help(&BASE.replace("piece stone", "piece stone not"));
    assert!(titled.contains("left out") && !titled.contains("\"not\""), "{titled}");
    let again = help_of_plays("not mover plays go");
    assert!(!again.contains("again") && !again.contains("remove"), "{again}");
}

/// What the first report says to do about a statement of `play`.
fn help_of_plays(stmt: &str) -> String {
    help(&format!("{BASE}action go {{ n += 1 }}\naction rest {{ n += 2 }}\nplay {{ turns {{ {stmt} }} }}\n"))
}
