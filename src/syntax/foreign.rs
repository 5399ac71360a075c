//! Suggestions for what is written otherwise in other languages, or where this one has no such form.
//!
//! **Invariant:** what is suggested holds whatever was meant by the names; where several things may be meant, the help
//! says what is possible.

use super::error::ErrorContext;
use super::grammar::{INFIX, Rule};
use super::words::{Kind, Token, Words};
use crate::base::Span;
use crate::report::Report;

/// A suggestion, if it applies.
pub(super) type Suggest = fn(&ErrorContext<'_>, Report) -> Option<Report>;

/// The suggestions, of which the first that applies is made.
pub(super) const CURES: [Suggest; 21] = [
    filtered, range, counting, choice, function, collection, unnamed, taking, rolling, change, top, fields, path,
    belonging, covered, power, naming, operator, assigning, negation, several,
];

/// The text of the token this many places before the error, from 1.
fn back<'t>(context: &ErrorContext<'t>, places: usize) -> &'t str {
    context.before.len().checked_sub(places).and_then(|at| context.before.get(at)).map_or("", |token| token.text)
}

/// The tokens after the one at the error.
fn ahead<'t>(context: &ErrorContext<'t>) -> impl Iterator<Item = Token<'t>> + use<'t> {
    let text = context.segment.text;
    let from = context.found.map_or(text.len(), |token| token.end());
    Words::new(text.get(from..).unwrap_or("")).filter(|token| token.kind != Kind::Comment)
}

/// The report at the tokens from the one this many places before the error up to it.
fn at(context: &ErrorContext<'_>, places: usize, mut report: Report) -> Report {
    let first = context.before.len().checked_sub(places).and_then(|at| context.before.get(at));
    if let (Some(first), Some(found)) = (first, context.found) {
        report.span = Span::new(context.segment.file, first.start, found.end());
    }
    report
}

/// The name before the bracket that is open at the error, and where the bracket is among the tokens.
fn opener<'t>(context: &ErrorContext<'t>) -> Option<(&'t str, Token<'t>, usize)> {
    let (index, open) = context.open().last().copied()?;
    let name = index.checked_sub(1).and_then(|before| context.before.get(before)).map_or("", |token| token.text);
    Some((name, open, index))
}

/// `choose f in empty where C`.
fn filtered(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let found = context.found.filter(|found| found.text == "where")?;
    let at = context.before.windows(3).rposition(|three| {
        let [word, _, within] = three else { return false };
        matches!(word.text, "choose" | "roll") && within.text == "in"
    })?;
    let (word, name, within) = (context.before.get(at)?, context.before.get(at + 1)?, context.before.get(at + 2)?);
    let set = context.segment.text.get(within.end()..found.start)?.trim();
    let (word, name) = (word.text, name.text);
    Some(report.help(format!("filter the set in braces: `{word} {name} in {{{name} in {set} where …}}`")))
}

/// `1 to 10`, `roll d in 1, 6`, `for d = 1 to 5`.
fn range(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let is_number = |token: &Token<'_>| token.kind == Kind::Number;
    match context.word() {
        "to" => {
            let (low, high) = (context.last().filter(is_number)?, ahead(context).next().filter(is_number)?);
            Some(report.help(format!("a range is written with two dots: `{}..{}`", low.text, high.text)))
        }
        "," if ["in", "from", "{"].contains(&back(context, 2)) => {
            let (low, high) = (context.last().filter(is_number)?, ahead(context).next().filter(is_number)?);
            let (low, high) = (low.text, high.text);
            Some(report.help(format!(
                "a range is written with two dots, `{low}..{high}`; a set in braces, `{{{low}, {high}}}`"
            )))
        }
        "}" if back(context, 1) == ".." => {
            Some(report.help("both ends are said, as in `{2..4}`; `+` is once or more, `*` any number of times"))
        }
        "=" if back(context, 2) == "for" => {
            Some(report.help(format!("a loop runs over a set: `for {} in 1..5 {{ … }}`", back(context, 1))))
        }
        _ => None,
    }
}

/// `n ** 2`.
fn power(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let twice = context.word() == "*" && back(context, 1) == "*";
    twice.then(|| report.help("a power is written as a product: `a * a`"))
}

/// `let x in S`.
fn naming(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let name = back(context, 1);
    let chosen = context.word() == "in" && back(context, 2) == "let";
    chosen.then(|| {
        report.help(format!("`choose {name} in …` asks for one of a set; `let {name} = …` gives a value a name"))
    })
}

/// `n++`, `n--`.
fn counting(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let sign = Some(context.word()).filter(|sign| ["+", "-"].contains(sign) && context.expects(&[Rule::assign_op]))?;
    let name = back(context, 1);
    (ahead(context).next()?.text == sign).then(|| report.help(format!("write `{name} {sign}= 1`")))
}

/// `choose T within S`, `choose some T in S`, `choose c in S: C`.
fn choice(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let chosen = context.before.iter().rposition(|token| token.text == "choose")?;
    let since = context.before.len() - chosen;
    match context.word() {
        "within" if since == 2 => {}
        "some" | "all" | "no" if since == 1 => {}
        ":" if since > 2 && back(context, since - 2) == "in" && context.open().iter().all(|(at, _)| *at < chosen) => {
            let help = format!(
                "put the condition on a line of its own: `require …`, or filter the set: `choose {0} in {{{0} in … where …}}`",
                back(context, since - 1)
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
fn function(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let (name, open, index) = opener(context).filter(|(_, open, _)| open.text == "(")?;
    match (name, context.word()) {
        ("max" | "min", ",") => {
            let (by, which) = if name == "max" { ("greater", "greater") } else { ("lesser", "lesser") };
            let help =
                format!("`{by}(a, b)` is the {which} of two numbers; `{name} f(x) for x in S` ranges over a set");
            Some(report.help(help))
        }
        ("count", "where") => {
            let inner = context.segment.text.get(open.end()..context.found?.start)?.trim();
            let bound = context.before.get(index + 2).is_some_and(|token| token.text == "in");
            let set = if bound { inner.to_owned() } else { format!("x in {inner}") };
            Some(report.help(format!("a set with a condition stands in braces: `count({{{set} where …}})`")))
        }
        _ => None,
    }
}

/// `{f(x) for x in S}`.
fn collection(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let (_, open, _) = opener(context).filter(|(_, open, _)| open.text == "{")?;
    if context.word() != "for" || !context.expects(INFIX) {
        return None;
    }
    let inner = context.segment.text.get(open.end()..context.found?.start)?.trim();
    Some(
        report.help(format!(
            "the set of the values of an expression is `union {{{inner}}} for …`, without the outer braces"
        )),
    )
}

/// `my stone`, `opponent piece`, `not occupied`.
fn belonging(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    // The word behind it may be taken for the beginning of a statement.
    let pairs = [(back(context, 1), context.word()), (back(context, 2), back(context, 1))];
    let help = pairs.into_iter().find_map(|pair| match pair {
        (_, "") => None,
        ("my" | "mine", what) => Some(format!("what belongs to the seat that acts is `own {what}`")),
        ("their" | "his" | "her" | "opponent" | "opponents" | "opposing", what) => {
            Some(format!("what belongs to another seat is `enemy {what}`"))
        }
        ("not", "occupied") => Some("sites with nothing on them are `empty`".to_owned()),
        ("not", "empty") => Some("sites with something on them are `occupied`".to_owned()),
        _ => None,
    });
    Some(report.help(help?))
}

/// What joins values or conditions in words, and how it is written.
const OPERATORS: [(&str, &str); 14] = [
    ("plus", "write `+`"),
    ("minus", "write `-`"),
    ("times", "write `*`"),
    ("equals", "write `==`"),
    ("equal", "write `==`"),
    ("is", "values are compared with `==`, `!=`, `<`, `<=`, `>` and `>=`, or with `in` if one of several is meant"),
    ("isnt", "`a isnt b` is written `a != b`, any other comparison `not (…)`"),
    ("differs", "compare with `!=`"),
    ("exceeds", "write `>`"),
    ("but", "write `and`"),
    ("nor", "`neither a nor b` is written `not a and not b`"),
    ("unless", "`a unless b` is written `a and not b`"),
    ("without", "a set without the members of another is written `a - b`, a condition `a and not b`"),
    ("xor", "of two conditions, `a != b` says that exactly one holds"),
];

/// What a comparison in several words is written as, behind `is`, `are` or nothing.
fn comparison(words: &[&str]) -> Option<&'static str> {
    let less = |word: &str| ["less", "fewer", "smaller", "lower"].contains(&word);
    let more = |word: &str| ["more", "greater", "larger", "bigger", "higher"].contains(&word);
    match words {
        [word, "than", "or", "equal" | "equals", ..] if less(word) => Some("write `<=`"),
        [word, "than", "or", "equal" | "equals", ..] if more(word) => Some("write `>=`"),
        [word, "than", ..] if less(word) => Some("write `<`"),
        [word, "than", ..] if more(word) => Some("write `>`"),
        ["at", "most", ..] => Some("write `<=`"),
        ["at", "least", ..] => Some("write `>=`"),
        ["no", word, "than", ..] if more(word) => Some("write `<=`"),
        ["no", word, "than", ..] if less(word) => Some("write `>=`"),
        ["does", "not", "equal", ..] | ["not", "equal" | "equals", ..] => Some("compare with `!=`"),
        ["is" | "are", "not", ..] => Some("`a is not b` is written `a != b`, any other comparison `not (…)`"),
        [_, "or", ..] => Some("values are compared with `==`, `!=`, `<`, `<=`, `>` and `>=`"),
        _ => None,
    }
}

/// `a plus b`, `a but not b`, `a is at least b`.
fn operator(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    // The word may be taken for the beginning of a statement.
    let here = context.expects(INFIX).then(Vec::new);
    let before = context.begins_nothing().then(|| vec![back(context, 1)]);
    // `n at least` is what of `n` lies at a site of that name.
    let apart = (back(context, 3) == "at").then(|| vec!["at", back(context, 2)]);
    let help = [here, before, apart].into_iter().flatten().find_map(|mut words| {
        words.push(context.word());
        words.extend(ahead(context).take(4).map(|token| token.text));
        let named = OPERATORS.iter().find(|(word, _)| words.first() == Some(word)).map(|(_, help)| *help);
        let known = named.is_some() || words.get(1) != Some(&"or");
        let behind = words.strip_prefix(&["is"]).or_else(|| words.strip_prefix(&["are"])).and_then(comparison);
        behind.or_else(|| comparison(&words).filter(|_| known)).or(named)
    });
    Some(report.help(help?))
}

/// `set n = n + 1`, `n <- 1`.
fn assigning(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let set = back(context, 1) == "set" && context.begins_nothing();
    let arrow = context.word() == "<" && context.expects(&[Rule::assign_op]) && ahead(context).next()?.text == "-";
    // At the beginning of a line `set` begins an item.
    let within = context.word() == "set" && !context.open().is_empty();
    let name = if within { ahead(context).next()?.text } else { back(context, 1) };
    let name = if set { context.word() } else { name };
    (set || arrow || within).then(|| report.help(format!("a value is assigned with `:=`: `{name} := …`")))
}

/// `not put s on f`, `piece stone not owned`.
fn negation(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let here = ["not", "no"].contains(&context.word()) && context.expects(&[Rule::statement, Rule::kw_owned]);
    let before = ["not", "no"].contains(&back(context, 1)) && context.begins_nothing();
    (here || before).then(|| report.help("`not` and `no` stand in conditions; what is not to be is left out"))
}

/// `require a, b`.
fn several(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let joined =
        context.word() == "," && context.expects(INFIX) && context.open().iter().all(|(_, open)| open.text == "{");
    let guard = context.before.iter().rposition(|token| ["require", "ensure", "when", "if"].contains(&token.text))?;
    let since = context.before.get(guard + 1..)?;
    let whole = !since.iter().any(|token| token.first || token.text == "{");
    (joined && whole).then(|| report.help("several conditions are joined by `and`"))
}

/// `zone deck: pile of card, hidden`.
fn covered(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let hidden = matches!(context.word(), "hidden" | "secret" | "covered" | "private") && back(context, 1) == ",";
    let zone = context.before.iter().any(|token| token.text == "zone");
    (hidden && zone).then(|| report.help("write who sees it: `seen by no`, or `seen by p` for the seat that `p` names"))
}

/// Items that have no name, or none of their own, and so no `remove` of their own.
const UNNAMED: [&str; 6] = ["game", "players", "board", "setup", "play", "first"];

/// `remove setup`, of which the next word is taken for the name.
fn unnamed(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let places = [2, 1, 3].into_iter().find(|&places| back(context, places) == "remove")?;
    let word = if places == 1 { context.word() } else { back(context, places - 1) };
    if !UNNAMED.contains(&word) || context.open().len() > 1 {
        return None;
    }
    let help = match word {
        "setup" | "play" => format!("`{word}` has no name and cannot be removed; write `replace {word} {{ … }}`"),
        "board" => "a board without a name cannot be removed; write `replace board …`".to_owned(),
        "game" => "a game cannot be removed; what a variant does not name stays as it is".to_owned(),
        _ => format!("`{word}` has no name and cannot be removed; write `replace {word} …`"),
    };
    Some(at(context, places, report).help(help))
}

/// `remove x from S`, `var S: set of T = all`.
fn taking(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    if (back(context, 3), back(context, 1)) == ("remove", "from")
        || (back(context, 2), context.word()) == ("remove", "from")
    {
        let (what, set) = if context.word() == "from" {
            (back(context, 1), ahead(context).next().map_or("S", |token| token.text))
        } else {
            (back(context, 2), context.word())
        };
        let help = format!(
            "a value leaves the set of a variable with `{set} -= {what}`; a piece leaves a zone with `move {what} from {set} to …`"
        );
        return Some(report.help(help));
    }
    if (back(context, 2), back(context, 1)) == ("=", "all") && back(context, 4) == "of" {
        let every = match back(context, 3) {
            "seat" => "seats",
            "site" => "sites",
            "direction" => "directions",
            name => name,
        };
        let help = format!("`all` begins a condition, as in `all x in S: …`; every value is `= {every}`");
        return Some(at(context, 1, report).help(help));
    }
    None
}

/// `x := roll 1..6`.
fn rolling(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let places = (1..=3).find(|&places| back(context, places) == "roll")?;
    let assigned = [":=", "="].contains(&back(context, places + 1));
    assigned
        .then(|| report.help("`roll` is a statement that names what is rolled: `roll n in 1..6`, and then `… := n`"))
}

/// `change Z: f += 1`.
fn change(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let changed = context.before.iter().rev().take_while(|token| token.text != "}").any(|token| token.text == "change");
    if !changed || !["+=", "-="].contains(&context.word()) || !context.expects(&[Rule::equals]) {
        return None;
    }
    let field = back(context, 1);
    let sign = context.word().trim_end_matches('=');
    let help = format!(
        "`change` sets a field: `change f: {field} = (sum x.{field} for x at f) {sign} 1` for the piece on a site f; \
         for several sites do so in `for f in … {{ … }}`"
    );
    Some(at(context, 1, report).help(help))
}

/// `top 2 of Z` as a value.
fn top(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let number = context.found.is_some_and(|token| token.kind == Kind::Number);
    (number && back(context, 1) == "top")
        .then(|| report.help("`top N of` stands in `move` only; as a value there is `top of Z`, the last piece alone"))
}

/// `tokens t { n: int }`.
fn fields(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let tokens = context.before.first()?.text == "tokens" && context.word() == "{";
    tokens.then(|| report.help("tokens have no fields; write `piece` instead of `tokens` for what has some"))
}

/// Words that begin an element of a path.
const ELEMENTS: [&str; 5] = ["step", "slide", "hop", "along", "take"];

/// An unknown part of a path, or an element that a condition swallows.
fn path(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let last = context.last()?;
    let within = context.before.first()?.text == "path" && last.kind == Kind::Word && context.before.len() > 2;
    let follows = context.found.is_some_and(|token| matches!(token.kind, Kind::Word | Kind::Number));
    if !within || !follows || !context.expects(&[Rule::repetition]) {
        return None;
    }
    let before = context.before.as_slice();
    if let [.., or, _] = before
        && or.text == "or"
        && ELEMENTS.contains(&last.text)
        && let Some(first) = before.iter().rfind(|token| token.text == "if")
    {
        let condition = context.segment.text.get(first.start..or.start).unwrap_or("");
        let condition = condition.split_whitespace().collect::<Vec<_>>().join(" ");
        let help = format!("the condition takes `or` with it: set it apart, `({condition}) or {} …`", last.text);
        return Some(at(context, 2, report).help(help));
    }
    let help = "a path is made of `step`, `slide`, `hop`, `along`, `take`, `if` and the names of other paths";
    Some(at(context, 1, report).help(format!("`{}` is not followed by anything: {help}", last.text)))
}
