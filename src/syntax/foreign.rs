//! Suggestions for what is written otherwise in other languages, or where this one has no such form.
//!
//! **Invariant:** what is suggested holds whatever was meant by the names; where several things may be meant, the help
//! says what is possible.

use super::error::Scene;
use super::grammar::{INFIX, Rule};
use super::words::{Kind, Token, Words};
use crate::base::Span;
use crate::report::Report;

/// A suggestion, if it applies.
pub(super) type Cure = fn(&Scene<'_>, Report) -> Option<Report>;

/// The suggestions, of which the first that applies is made.
pub(super) const CURES: [Cure; 10] =
    [range, counting, choice, function, collection, taking, rolling, change, top, path];

/// The text of the token this many places before the error, from 1.
fn back<'t>(scene: &Scene<'t>, places: usize) -> &'t str {
    scene.before.len().checked_sub(places).and_then(|at| scene.before.get(at)).map_or("", |token| token.text)
}

/// The tokens after the one at the error.
fn ahead<'t>(scene: &Scene<'t>) -> impl Iterator<Item = Token<'t>> + use<'t> {
    let text = scene.stretch.text;
    let from = scene.found.map_or(text.len(), |token| token.end());
    Words::new(text.get(from..).unwrap_or("")).filter(|token| token.kind != Kind::Comment)
}

/// The report at the tokens from the one this many places before the error up to it.
fn at(scene: &Scene<'_>, places: usize, mut report: Report) -> Report {
    let first = scene.before.len().checked_sub(places).and_then(|at| scene.before.get(at));
    if let (Some(first), Some(found)) = (first, scene.found) {
        report.span = Span::new(scene.stretch.file, first.start, found.end());
    }
    report
}

/// The name before the bracket that is open at the error, and where the bracket is among the tokens.
fn opener<'t>(scene: &Scene<'t>) -> Option<(&'t str, Token<'t>, usize)> {
    let (index, open) = scene.open().last().copied()?;
    let name = index.checked_sub(1).and_then(|before| scene.before.get(before)).map_or("", |token| token.text);
    Some((name, open, index))
}

/// `1 to 10`, `for d = 1 to 5`.
fn range(scene: &Scene<'_>, report: Report) -> Option<Report> {
    let is_number = |token: &Token<'_>| token.kind == Kind::Number;
    match scene.word() {
        "to" => {
            let (low, high) = (scene.last().filter(is_number)?, ahead(scene).next().filter(is_number)?);
            Some(report.help(format!("a range is written with two dots: `{}..{}`", low.text, high.text)))
        }
        "=" if back(scene, 2) == "for" => {
            Some(report.help(format!("a loop runs over a set: `for {} in 1..5 {{ … }}`", back(scene, 1))))
        }
        _ => None,
    }
}

/// `n++`, `n--`.
fn counting(scene: &Scene<'_>, report: Report) -> Option<Report> {
    let sign = Some(scene.word()).filter(|sign| ["+", "-"].contains(sign) && scene.expects(&[Rule::assign_op]))?;
    let name = back(scene, 1);
    (ahead(scene).next()?.text == sign).then(|| report.help(format!("write `{name} {sign}= 1`")))
}

/// `choose T within S`, `choose some T in S`, `choose c in S: C`.
fn choice(scene: &Scene<'_>, report: Report) -> Option<Report> {
    let chosen = scene.before.iter().rposition(|token| token.text == "choose")?;
    let since = scene.before.len() - chosen;
    match scene.word() {
        "within" if since == 2 => {}
        "some" | "all" | "no" if since == 1 => {}
        ":" if back(scene, since - 2) == "in" && scene.open().iter().all(|(at, _)| *at < chosen) => {
            let help = format!(
                "put the condition on a line of its own: `require …`, or filter the set: `choose {0} in {{{0} in … where …}}`",
                back(scene, since - 1)
            );
            return Some(report.help(help));
        }
        _ => return None,
    }
    Some(report.help(
        "`choose` takes one value of a set; for several, ask for one after the other, or for each whether it belongs",
    ))
}

/// `max(a, b)`, `count(x in S where C)`.
fn function(scene: &Scene<'_>, report: Report) -> Option<Report> {
    let (name, open, index) = opener(scene).filter(|(_, open, _)| open.text == "(")?;
    match (name, scene.word()) {
        ("max" | "min", ",") => {
            let (by, which) = if name == "max" { ("greater", "greater") } else { ("lesser", "lesser") };
            let help =
                format!("`{by}(a, b)` is the {which} of two numbers; `{name} f(x) for x in S` ranges over a set");
            Some(report.help(help))
        }
        ("count", "where") => {
            let inner = scene.stretch.text.get(open.end()..scene.found?.start)?.trim();
            let bound = scene.before.get(index + 2).is_some_and(|token| token.text == "in");
            let set = if bound { inner.to_owned() } else { format!("x in {inner}") };
            Some(report.help(format!("a set with a condition stands in braces: `count({{{set} where …}})`")))
        }
        _ => None,
    }
}

/// `{f(x) for x in S}`.
fn collection(scene: &Scene<'_>, report: Report) -> Option<Report> {
    let (_, open, _) = opener(scene).filter(|(_, open, _)| open.text == "{")?;
    if scene.word() != "for" || !scene.expects(INFIX) {
        return None;
    }
    let inner = scene.stretch.text.get(open.end()..scene.found?.start)?.trim();
    Some(
        report.help(format!(
            "the set of the values of an expression is `union {{{inner}}} for …`, without the outer braces"
        )),
    )
}

/// `remove x from S`, `var S: set of T = all`.
fn taking(scene: &Scene<'_>, report: Report) -> Option<Report> {
    if (back(scene, 3), back(scene, 1)) == ("remove", "from") || (back(scene, 2), scene.word()) == ("remove", "from") {
        let (what, set) = if scene.word() == "from" {
            (back(scene, 1), ahead(scene).next().map_or("S", |token| token.text))
        } else {
            (back(scene, 2), scene.word())
        };
        let help = format!(
            "a value leaves the set of a variable with `{set} -= {what}`; a piece leaves a zone with `move {what} from {set} to …`"
        );
        return Some(report.help(help));
    }
    if (back(scene, 2), back(scene, 1)) == ("=", "all") && back(scene, 4) == "of" {
        let every = match back(scene, 3) {
            "seat" => "seats",
            "site" => "sites",
            "direction" => "directions",
            name => name,
        };
        let help = format!("`all` begins a condition, as in `all x in S: …`; every value is `= {every}`");
        return Some(at(scene, 1, report).help(help));
    }
    None
}

/// `x := roll 1..6`.
fn rolling(scene: &Scene<'_>, report: Report) -> Option<Report> {
    let places = (1..=3).find(|&places| back(scene, places) == "roll")?;
    let assigned = [":=", "="].contains(&back(scene, places + 1));
    assigned
        .then(|| report.help("`roll` is a statement that names what is rolled: `roll n in 1..6`, and then `… := n`"))
}

/// `change Z: f += 1`.
fn change(scene: &Scene<'_>, report: Report) -> Option<Report> {
    let changed = scene.before.iter().rev().take_while(|token| token.text != "}").any(|token| token.text == "change");
    if !changed || !["+=", "-="].contains(&scene.word()) || !scene.expects(&[Rule::equals]) {
        return None;
    }
    let field = back(scene, 1);
    let sign = scene.word().trim_end_matches('=');
    let help = format!(
        "`change` sets a field: `change f: {field} = (sum x.{field} for x at f) {sign} 1` for the piece on a site f; \
         for several sites do so in `for f in … {{ … }}`"
    );
    Some(at(scene, 1, report).help(help))
}

/// `top 2 of Z` as a value.
fn top(scene: &Scene<'_>, report: Report) -> Option<Report> {
    let number = scene.found.is_some_and(|token| token.kind == Kind::Number);
    (number && back(scene, 1) == "top")
        .then(|| report.help("`top N of` stands in `move` only; as a value there is `top of Z`, the last piece alone"))
}

/// An unknown part of a path.
fn path(scene: &Scene<'_>, report: Report) -> Option<Report> {
    let last = scene.last()?;
    let within = scene.before.first()?.text == "path" && last.kind == Kind::Word && scene.before.len() > 2;
    let follows = scene.found.is_some_and(|token| matches!(token.kind, Kind::Word | Kind::Number));
    (within && follows && scene.expects(&[Rule::repetition])).then(|| {
        let help = "a path is made of `step`, `slide`, `hop`, `along`, `take`, `if` and the names of other paths";
        at(scene, 1, report).help(format!("`{}` is not followed by anything: {help}", last.text))
    })
}
