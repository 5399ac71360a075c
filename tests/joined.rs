//! Overlays that never go one without the other: what meets among them is an error of the rules. What can be chosen
//! apart is only barred.

use regelwerk::load::{Files, Loaded, NoFiles, RuleFile, Setup, check_all, load};
use regelwerk::report::{Code, Report};

const BASE: &str = "game m \"M\"
players x, y
option top_ply = 5
option low_ply = 2
action a { choose n in 1..3 }
play { turns { mover plays a } }
end e after move when ply > top_ply + low_ply { draw }
variant quick { set top_ply = 3 }
variant slow \"Slow\" excludes quick { set low_ply = 9 }
variant calm { set low_ply = 1 }
reading rd = no_ | yes_
reading re = n2 | y2
with rd == yes_ { set low_ply = 3 }
with re == y2 { after_re }
";

fn rules(more: &str) -> String {
    BASE.replace("after_re", "end z after move when ply > 40 { draw }") + more
}

/// A file that extends the rules.
struct Beside;

impl Files for Beside {
    fn read(&self, _by: &str, _file: &str) -> Result<(String, String), String> {
        Ok(("m.rules".to_owned(), rules("")))
    }
}

/// What is reported, in one text.
fn reports(loaded: &Loaded) -> String {
    let said = |report: &&Report| format!("{} [{}]", report.message, report.help.as_deref().unwrap_or_default());
    loaded.reports.sorted().iter().map(said).collect::<Vec<_>>().join("\n")
}

fn conflicts(loaded: &Loaded) -> usize {
    loaded.reports.sorted().iter().filter(|report| report.code == Code::Conflict).count()
}

/// What conflicts however it is chosen, and words of the error.
const JOINED: &[(&str, &str)] = &[
    // The same choice.
    ("with rd == yes_ { set low_ply = 5 }", "two overlays that depend on `rd == yes_` both change `option low_ply`"),
    ("with quick { set top_ply = 4 }", "the variant `quick` and an overlay that depends on it both change"),
    (
        "with rd == no_ { set top_ply = 4 } with rd == no_ { set top_ply = 6 }",
        "two overlays that depend on `rd == no_`",
    ),
    (
        "with rd == yes_ { set top_ply = 4 } with rd == yes_ and rd == yes_ { set top_ply = 6 }",
        "two overlays that depend on `rd == yes_`",
    ),
    (
        "variant odd { set top_ply = 4 with odd { set top_ply = 6 } }",
        "the variant `odd` and an overlay that depends on it both change",
    ),
    // The same choices, in another order or nested.
    (
        "with quick and rd == yes_ { set top_ply = 4 } with rd == yes_ and quick { set top_ply = 5 }",
        "two overlays that depend on `quick and rd == yes_` both change `option top_ply`",
    ),
    (
        "variant big { with rd == yes_ { set top_ply = 8 } } with big and rd == yes_ { set top_ply = 9 }",
        "two overlays that depend on",
    ),
    (
        "with re == y2 { with rd == yes_ { set top_ply = 8 } } with rd == yes_ and re == y2 { set top_ply = 9 }",
        "two overlays that depend on",
    ),
    // An overlay that depends on two that meet, and says nothing of it.
    (
        "with rd == yes_ { set top_ply = 8 } with re == y2 { set top_ply = 9 }
         with rd == yes_ and re == y2 { action zz { choose q in nonsense } }",
        "how they join: without that, `rd == yes_ and re == y2` can never be played",
    ),
    (
        "with rd == yes_ { set top_ply = 8 } with quick and rd == yes_ { set low_ply = 8 }",
        "without that, `quick and rd == yes_` can never be played",
    ),
    (
        "variant dull { set top_ply = 7 } with quick and dull { end d after move when ply > 50 { draw } }",
        "without that, `quick and dull` can never be played",
    ),
    // Choices that are never made together.
    ("with rd == yes_ and rd == no_ { set top_ply = 4 }", "`rd == yes_` and `rd == no_` are never chosen together"),
    ("with rd == yes_ { with rd == no_ { set top_ply = 4 } }", "are never chosen together"),
    ("with quick and slow { set top_ply = 4 }", "the variants `quick` and `slow` exclude each other"),
    ("variant odd excludes calm { with calm { set top_ply = 4 } }", "the variants `odd` and `calm` exclude each other"),
    // What else is wrong does not hide it, nor is it hidden without a word.
    (
        "with rd == yes_ { set low_ply = 5 } with rd == yes_ { end q after move when nonsense > seats { draw } }",
        "two overlays that depend on `rd == yes_`",
    ),
];

#[test]
fn what_never_goes_apart_is_an_error_where_it_meets() {
    for (more, words) in JOINED {
        let text = rules(more);
        let found = check_all("m.rules", &text, &NoFiles);
        let shown = reports(&found);
        assert!(shown.contains(words), "{more}: {shown}");
        let list = found.reports.sorted();
        let conflict = list.iter().find(|report| report.code == Code::Conflict);
        let conflict = conflict.unwrap_or_else(|| panic!("{more}: {shown}"));
        assert!(!conflict.also.is_empty() && conflict.also[0].0 != conflict.span, "{more}: {shown}");
        assert!(conflict.help.is_some(), "{more}: {shown}");
        assert_eq!(found.incompatible, [], "{more}");
        if let Some(wrong) = &found.wrong {
            assert!(load("m.rules", &text, &NoFiles, wrong).game.is_none(), "{more}: {wrong:?} can be played");
        }
    }
}

#[test]
fn a_file_that_extends_the_rules_knows_of_their_overlays() {
    for (more, words) in [
        ("with quick { set top_ply = 4 }", "the variant `quick` and an overlay that depends on it"),
        ("with rd == yes_ { set low_ply = 5 }", "two overlays that depend on `rd == yes_`"),
    ] {
        let text = format!("game v \"V\" extends \"m.rules\"\n{more}");
        let found = check_all("v.rules", &text, &Beside);
        assert!(conflicts(&found) > 0 && reports(&found).contains(words), "{more}: {}", reports(&found));
    }
    // What it changes itself is not to be known by the variants of what it extends: they are not played with it.
    let text = "game v \"V\" extends \"m.rules\"\nset top_ply = 4";
    let found = check_all("v.rules", text, &Beside);
    assert!(!found.reports.has_errors(), "{}", reports(&found));
    assert_eq!(found.incompatible.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["quick"]);
}

/// What meets but can be chosen apart, or joins; and what is barred of it.
const APART: &[(&str, &[&str])] = &[
    ("", &[]),
    ("with re == y2 { set low_ply = 7 }", &[]),
    ("variant dull { set top_ply = 7 }", &[]),
    ("with re == y2 { set top_ply = 7 }", &[]),
    ("with rd == no_ { set top_ply = 7 }", &["quick"]),
    ("with rd == no_ { set top_ply = 7 } with re == y2 { set top_ply = 8 }", &["quick", "re = y2"]),
    ("variant sets { set rd = yes_ set low_ply = 8 }", &["sets"]),
    ("with quick and rd == yes_ { set top_ply = 4 set low_ply = 8 }", &[]),
    ("with quick and calm { set low_ply = 8 }", &[]),
    // What holds nothing but another overlay says nothing itself.
    ("variant dull { set top_ply = 7 } with quick and dull { with rd == yes_ { set top_ply = 4 } }", &[]),
    ("with re == y2 { set low_ply = 9 } with rd == yes_ and re == y2 { set low_ply = 10 set top_ply = 8 }", &[]),
    ("with re == y2 { set low_ply = 9 } with rd == yes_ and re == y2 and quick { set low_ply = 10 }", &[]),
];

#[test]
fn what_can_be_chosen_apart_is_only_barred() {
    for (more, barred) in APART {
        let found = check_all("m.rules", &rules(more), &NoFiles);
        assert!(!found.reports.has_errors(), "{more}: {}", reports(&found));
        let names: Vec<&str> = found.incompatible.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, *barred, "{more}: {:?}", found.incompatible);
        assert!(load("m.rules", &rules(more), &NoFiles, &Setup::default()).game.is_some(), "{more}");
    }
}

/// What conflicts with what goes by default is checked with another alternative of that.
#[test]
fn what_is_barred_by_a_default_is_checked_without_it() {
    let more = "with rd == no_ { set top_ply = 7 }
         with re == y2 { set top_ply = 8 end q after move when nonsense > 3 { draw } }";
    let found = check_all("m.rules", &rules(more), &NoFiles);
    assert!(reports(&found).contains("nonsense"), "{}", reports(&found));
    assert_eq!(conflicts(&found), 0, "{}", reports(&found));
}

/// A registry with one clause, and a ledger.
struct Papers<'a> {
    id: &'a str,
    /// What else is said of the clause.
    more: &'a str,
    ledger: &'a str,
}

impl Files for Papers<'_> {
    fn read(&self, _by: &str, file: &str) -> Result<(String, String), String> {
        let registry = format!("Registry(clauses: [Clause(id: \"{}\", kind: Advice, {})])", self.id, self.more);
        let text = if file == "clauses.ron" { registry } else { self.ledger.to_owned() };
        Ok((file.to_owned(), text))
    }
}

/// What a ledger names must exist, and what a registry holds must be citable.
#[test]
fn the_ids_of_registries_and_ledgers_are_checked() {
    let text = rules("document \"D\" clauses \"clauses.ron\" ledger \"ledger.ron\"\nclause §own \"Own.\"\n")
        .replace("action a {", "action a §own {");
    let gap = |named: &str| {
        format!("Ledger(gaps: [Gap(id: \"g/1\", clauses: [\"{named}\"], question: \"What?\", decision: \"That.\")])")
    };
    let recorded = |named: &str| format!("Ledger(gaps: [], documented: [Documented(id: \"{named}\", reason: \"r\")])");
    for (id, ledger, words) in [
        ("ziel/1", gap("ziel/1"), ""),
        ("ziel/1", gap("own"), ""),
        ("3.2a-b_c", gap("3.2a-b_c"), ""),
        ("ziel/1", recorded("ziel/1"), ""),
        ("ziel/1", gap("ziel/2"), "`ledger.ron` names `§ziel/2` for the gap `§g/1`, but there is no such clause"),
        ("ziel/1", gap("nope"), "`ledger.ron` names `§nope`"),
        ("ziel/1", recorded("ziel/9"), "`ledger.ron` names `§ziel/9` as only documented"),
        ("ziel 1", gap("own"), "`clauses.ron` has a clause with the id `ziel 1`, which no rule can cite"),
        ("ziel..1", gap("own"), "with the id `ziel..1`"),
        ("ziel/", gap("own"), "with the id `ziel/`"),
        ("", gap("own"), "with the id ``"),
        ("§1", gap("own"), "with the id `§1`"),
    ] {
        let found = check_all("m.rules", &text, &Papers { id, more: "text: \"One.\"", ledger: &ledger });
        let shown = reports(&found);
        assert_eq!(found.reports.has_errors(), !words.is_empty(), "{id}, {ledger}: {shown}");
        assert!(shown.contains(words), "{id}, {ledger}: {shown}");
        for report in found.reports.sorted() {
            assert!(report.help.is_some(), "{shown}");
        }
    }
}

/// A clause has a text, and a gap that it names stands in the ledger.
#[test]
fn a_clause_has_a_text_and_its_gap_exists() {
    let text = rules("document \"D\" clauses \"clauses.ron\" ledger \"ledger.ron\"\nclause §own \"Own.\"\n")
        .replace("action a {", "action a §own {");
    let ledger = "Ledger(gaps: [Gap(id: \"annahme/1\", clauses: [\"own\"], question: \"What?\", decision: \"That.\")])";
    for (more, words) in [
        ("text: \"One.\"", ""),
        ("text: \"\"", "the clause `§c` in `clauses.ron` has no text"),
        ("text: \" \"", "the clause `§c` in `clauses.ron` has no text"),
        ("text: \"One.\", state: Assumed([1])", ""),
        (
            "text: \"One.\", state: Assumed([2])",
            "`clauses.ron` names `§annahme/2` as the gap that settles `§c`, but there is no such clause",
        ),
    ] {
        let found = check_all("m.rules", &text, &Papers { id: "c", more, ledger });
        assert_eq!(found.reports.has_errors(), !words.is_empty(), "{more}: {}", reports(&found));
        assert!(reports(&found).contains(words), "{more}: {}", reports(&found));
    }
}

/// Titles and texts stand in the pages of `readings` as in books.
#[test]
fn markup_in_titles_is_escaped() {
    assert_eq!(regelwerk::book::escaped("<s> a | b `c` *d*"), "\\<s\\> a \\| b \\`c\\` \\*d\\*");
    assert_eq!(regelwerk::book::escaped("a\u{1b}[2J\u{7} b\tc"), "a\\[2J b c");
}

/// A game of ten lines, with more.
fn small(more: &str) -> String {
    format!(
        "game g\nplayers a, b\naction go {{ choose k in 1..3 }}\nplay {{ turns {{ mover plays go }} }}\n\
         end e after move when ply > 3 {{ draw }}\nvariant v {{}}\nreading r = x | y\noption o = 1\n{more}"
    )
}

/// Overlays of one choice share a setup, though what they change meets, and it is laid over the rules once.
#[test]
fn overlays_of_one_choice_share_a_setup() {
    for overlay in ["with r == y { set o = 2 }", "with v { set o = 2 }", "with r == y { with v { set o = 2 } }"] {
        let covering = |times: usize| {
            let rules = RuleFile::read("g.rules", &small(&format!("{overlay}\n").repeat(times)), &NoFiles);
            let mut work = 0;
            (rules.covering(&mut work).len(), work)
        };
        let (few, many) = (covering(10), covering(100));
        assert_eq!(few.0, many.0, "{overlay}");
        // Ten times as many overlays are ten times as long a text, and no more often laid over the rules.
        assert!(many.1 <= 12 * few.1, "{overlay}: {few:?} {many:?}");
    }
}

/// Overlays of different choices that meet are laid over the rules once each, and not once for each other.
#[test]
fn overlays_that_meet_are_not_laid_in_pairs() {
    let meeting = |n: usize| format!("reading r{n} = x | y\nwith r{n} == y {{ set o = {n} }}\n");
    let text = small(&(0..60).map(meeting).collect::<String>());
    let rules = RuleFile::read("g.rules", &text, &NoFiles);
    let mut work = 0;
    // One for the variant.
    assert_eq!(rules.covering(&mut work).len(), 61);
    assert!(work < 70 * 3 * text.len() as u64, "{work}");
    // And those that do not meet share one.
    let apart = |n: usize| format!("option o{n} = 1\nreading r{n} = x | y\nwith r{n} == y {{ set o{n} = 2 }}\n");
    let rules = RuleFile::read("g.rules", &small(&(0..60).map(apart).collect::<String>()), &NoFiles);
    assert_eq!(rules.covering(&mut 0).len(), 2);
}

/// Comparing what layers change takes steps, also with the layers that may join them.
#[test]
fn comparing_layers_takes_steps() {
    let overlays = |same: bool| -> String {
        let of = |n: usize| if same { 0 } else { n };
        let one =
            |n: usize| format!("option o{n} = 1\nreading r{n} = x | y\nwith r{n} == x {{ set o{} = 2 }}\n", of(n));
        let two = |n: usize| format!("with r{n} == x and r{} == x {{ set o{} = 3 }}\n", (n + 1) % 40, of(n));
        (0..40).map(one).chain((0..40).map(two)).collect()
    };
    let work = |same: bool| load("g.rules", &small(&overlays(same)), &NoFiles, &Setup::default()).work;
    // Each of 780 pairs with 40 layers that depend on more.
    assert!(work(true) > work(false) + 780 * 40, "{} {}", work(true), work(false));
}
