//! Suggestions for common mistakes.
//!
//! **Invariant:** a suggestion only adds help, a fix and related places to a report; the first applicable one is
//! used.

use super::depth::partner;
use super::error::ErrorContext;
use super::foreign::{CURES, Suggest};
use super::grammar::{INFIX, ITEMS, RESERVED, Rule, STATEMENTS};
use super::words::{Kind, Token, flush};
use crate::base::{Span, nearest};
use crate::report::{Code, Fix, Report};

/// Adds the first applicable suggestion.
pub(super) fn apply(context: &ErrorContext<'_>, plain: Report) -> Report {
    let cures: [Suggest; 12] =
        [reserved, shape, item, bracket, equality, logic, branch, size, apart, fraction, statement, block];
    let first: [Suggest; 2] = [sign, text];
    let mut cures = first.iter().chain(&CURES).chain(&cures);
    cures.find_map(|cure| cure(context, plain.clone())).unwrap_or(plain)
}

fn replace(context: &ErrorContext<'_>, token: &Token<'_>, by: &str) -> Fix {
    Fix::replace(context.span(token), by)
}

/// Signs of typography and mathematics, as they come with text from elsewhere, and how they are typed.
const SIGNS: [(char, &str); 16] = [
    ('−', "write `-`"),
    ('–', "write `-`"),
    ('—', "write `-`"),
    ('×', "write `*`, or `x` between the sides of a board"),
    ('·', "write `*`"),
    ('÷', "write `/`"),
    ('≥', "write `>=`"),
    ('≤', "write `<=`"),
    ('≠', "write `!=`"),
    ('∧', "write `and`"),
    ('∨', "write `or`"),
    ('¬', "write `not`"),
    ('∈', "write `in`"),
    ('∉', "write `not x in S`"),
    ('∅', "write `empty` for the sites without pieces, `{}` for a set without members, or `no S`"),
    ('\u{a0}', "write a plain space instead of this no-break space, U+00A0"),
];

/// A sign that is typed otherwise.
fn sign(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let found = context.found?.text.chars().next()?;
    let typed = SIGNS.iter().find(|(sign, _)| *sign == found)?.1;
    Some(report.help(typed))
}

/// Missing or wrong quotes.
fn text(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let found = context.found?;
    match found.kind {
        Kind::Text if found.text.len() == 1 || !found.text.ends_with('"') => {
            Some(report.help("this string is not closed on its line: add a `\"`"))
        }
        Kind::Mark if matches!(found.text, "'" | "„" | "“" | "”" | "»" | "«" | "‚" | "‘") => {
            Some(report.help("strings are written in straight double quotes: \"like this\""))
        }
        Kind::Mark if found.text == "#" => Some(report.help("comments start with `//`")),
        Kind::Word
        | Kind::Number
        | Kind::Text
        | Kind::Clause
        | Kind::Open
        | Kind::Close
        | Kind::Row
        | Kind::Mark
        | Kind::Comment => None,
    }
}

/// A reserved word where a name is required.
fn reserved(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let word = context.word();
    let wanted = context.expects_label("a name") && !context.expects(INFIX);
    (wanted && RESERVED.contains(&word))
        .then(|| report.help(format!("`{word}` is a reserved word; use another name, such as `the_{word}`")))
}

/// The keyword of a shape as the name of a board.
fn shape(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    const SHAPES: [&str; 5] = ["square", "hex", "ring", "track", "graph"];
    let head: Vec<&str> =
        context.before.iter().map(|token| token.text).chain(context.found.map(|found| found.text)).collect();
    let [.., "board", name, shape] = head.get(..3.min(head.len()))? else { return None };
    (SHAPES.contains(name) && SHAPES.contains(shape)).then(|| {
        report.help(format!(
            "`{name}` is the shape of a board and cannot name it: use another name, such as `board the_{name} {shape} …`"
        ))
    })
}

/// A line that begins with something other than an item.
fn item(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    if context.word() == ";" && context.expects(&[Rule::item, Rule::EOI]) {
        return Some(report.help("items are not separated by `;`: remove it"));
    }
    let found =
        context.found.filter(|_| context.before.is_empty() && context.expects(&[Rule::item, Rule::only_item]))?;
    if let Some(near) = nearest(found.text, ITEMS.iter().copied()).filter(|_| found.kind == Kind::Word) {
        return Some(report.suggest(Some(near)));
    }
    if STATEMENTS.contains(&found.text) {
        let help =
            format!("`{}` is a statement: it belongs in the braces of an `action`, `play` or similar item", found.text);
        return Some(report.help(help));
    }
    match found.kind {
        Kind::Close => Some(report.help(format!("there is no open bracket here for `{}` to close", found.text))),
        Kind::Row => Some(report.help("table rows follow `table NAME` or `kinds NAME`")),
        Kind::Word | Kind::Number | Kind::Text | Kind::Clause | Kind::Open | Kind::Mark | Kind::Comment => {
            Some(report.help(
                "a file is a list of items, each of which starts with a keyword such as `piece`, `action` or `end`",
            ))
        }
    }
}

/// Brackets left open or closed too often.
fn bracket(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let open = context.open();
    let open = open.last().map(|(_, token)| token);
    let begins =
        context.found.is_some_and(|token| ITEMS.contains(&token.text) && flush(context.segment.text, token.start));
    let closes = context.found.filter(|token| token.kind == Kind::Close);
    match (open, closes) {
        (None, Some(token)) => {
            Some(report.help(format!("there is no open bracket here for `{}` to close", token.text)))
        }
        (Some(opener), Some(token)) if opener.text.starts_with(partner(token.text)) => None,
        (Some(opener), Some(token)) => {
            let help = format!("close the `{}` before this `{}`", opener.text, token.text);
            Some(report.help(help).also(context.span(opener), "opened here"))
        }
        (Some(opener), None) if context.at_end() || begins => {
            let line = context.line(opener.start);
            let help = format!("the `{}` on line {line} is not closed", opener.text);
            Some(report.help(help).also(context.span(opener), "opened here"))
        }
        (_, None) if context.word() == "[" => {
            Some(report.help("sets and blocks are written in `{ }`, arguments in `( )`"))
        }
        (None | Some(_), None) => None,
    }
}

/// Confusion of `=`, `==` and `:=`.
fn equality(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let found = context.found?;
    let (help, by) = match found.text {
        "=" | "==" | ":" if context.expects(&[Rule::assign_op]) => ("assign with `:=`", ":="),
        "=" if context.expects(INFIX) => ("compare with `==`", "=="),
        ":=" | "==" if context.expects(&[Rule::equals]) => ("write a single `=` here", "="),
        _ => return None,
    };
    let mut report = report.help(help);
    report.fix = Some(replace(context, &found, by));
    Some(report)
}

/// `&&`, `||` and `!` from other languages.
fn logic(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let last = context.last().map_or("", |token| token.text);
    match (last, context.word()) {
        ("&", "&") => Some(report.help("`and` joins conditions; `&` is the intersection of two sets")),
        ("|", "|") => Some(report.help("`or` joins conditions; `|` is the union of two sets")),
        (_, "!") => Some(report.help("`not` negates a condition; `!=` compares")),
        ("<", ">") => Some(report.help("`!=` compares")),
        ("<", "=") => Some(report.help("write `<=` without a space")),
        (">", "=") => Some(report.help("write `>=` without a space")),
        ("+", "+") | ("-", "-") => Some(report.help("increment with `+= 1`, decrement with `-= 1`")),
        (_, "%") => Some(report.help("the remainder is `a mod b`")),
        (_, "?") => Some(report.help("choose between values with `if C then A else B`")),
        _ => None,
    }
}

/// `else` without braces, or in other spellings.
fn branch(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let last = context.last().map_or("", |token| token.text);
    let behind =
        context.open().last().and_then(|&(index, _)| context.before.get(index.checked_sub(1)?)).map(|t| t.text);
    match (last, context.word()) {
        (_, _) if matches!(behind, Some("then" | "else")) && context.expects(INFIX) => {
            Some(report.help("statements after `if` go in braces, without `then`: `if C { … } else { … }`"))
        }
        (_, "elif" | "elseif" | "elsif") | ("elif" | "elseif" | "elsif", _) => Some(report.help("write `else if`")),
        ("else", _) if context.expects(&[Rule::block, Rule::lbrace]) => {
            Some(report.help("write `else { … }` or `else if … { … }`"))
        }
        (_, "then") if context.expects(&[Rule::block, Rule::lbrace]) => {
            Some(report.help("an `if` statement takes braces instead of `then`: `if C { … }`"))
        }
        (_, "{") if context.expects(&[Rule::kw_then]) => {
            Some(report.help("an `if` expression is written `if C then A else B`"))
        }
        _ => None,
    }
}

/// `3x3` without blanks, and numbers with letters.
fn size(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let found = context.found.filter(|token| token.kind == Kind::Number)?;
    let (columns, rows) = found.text.split_once('x')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    (digits(columns) && digits(rows)).then(|| {
        let by = format!("{columns} x {rows}");
        let mut report = report.help(format!("write `{by}` with spaces"));
        report.fix = Some(replace(context, &found, &by));
        report
    })
}

/// A number and a word that are written as one: `2seed`, `mod4`.
fn apart(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let found = context.found.and_then(run_together).or_else(|| context.last().and_then(run_together));
    found.map(|(before, behind)| {
        report.help(format!("a number and a word are written with a space between them: `{before} {behind}`"))
    })
}

fn run_together(token: Token<'_>) -> Option<(&str, &str)> {
    let digit = |c: char| c.is_ascii_digit();
    match token.kind {
        Kind::Number => token.text.find(|c| !digit(c)).map(|at| token.text.split_at(at)),
        Kind::Word => {
            let (word, number) = token.text.split_at(token.text.trim_end_matches(digit).len());
            (RESERVED.contains(&word) && !number.is_empty()).then_some((word, number))
        }
        Kind::Text | Kind::Clause | Kind::Open | Kind::Close | Kind::Row | Kind::Mark | Kind::Comment => None,
    }
}

/// A decimal fraction.
fn fraction(context: &ErrorContext<'_>, _: Report) -> Option<Report> {
    let (found, text) = (context.found?, context.segment.text);
    let (before, dot) = match (found.text, context.before.as_slice()) {
        (".", [.., before]) => (before, found.start),
        (_, [.., before, dot]) if dot.text == "." => (before, dot.start),
        _ => return None,
    };
    let digits = text.get(dot + 1..)?.bytes().take_while(u8::is_ascii_digit).count();
    if before.kind != Kind::Number || before.end() != dot || digits == 0 {
        return None;
    }
    let span = Span::new(context.segment.file, before.start, dot + 1 + digits);
    let number = text.get(before.start..dot + 1 + digits)?;
    let help = "count in smaller units, such as halves or tenths: 7.5 points are 15 halves";
    Some(
        Report::new(Code::BadNumber, span, format!("`{number}` is not a whole number, and all numbers are whole"))
            .label("not whole")
            .help(help),
    )
}

/// A misspelt first word of a statement.
fn statement(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let last = context.last().filter(|_| context.begins_nothing())?;
    if matches!(last.text, "plays" | "may") {
        return Some(report.help("say which seat is asked: `mover plays …`"));
    }
    if let Some((found, near)) = context.found.and_then(|found| Some((found, nearest(found.text, ["plays", "may"])?))) {
        // What comes before it names the seat that is asked.
        let message = format!("expected `:=`, `may` or `plays`, found `{}`", found.text);
        let mut report = Report::new(Code::Unexpected, context.span(&found), message);
        report.fix = Some(replace(context, &found, near));
        return Some(report.help(format!("did you mean `{near}`?")));
    }
    Some(match nearest(last.text, STATEMENTS.iter().copied()) {
        Some(near) => report.suggest(Some(near)),
        None => report.help("a statement starts with a keyword such as `choose`, `put` or `move`, or is `NAME := …`"),
    })
}

/// Statements without braces.
fn block(context: &ErrorContext<'_>, report: Report) -> Option<Report> {
    let wanted = context.expects(&[Rule::block, Rule::lbrace]) && !context.expects(&[Rule::EOI]);
    (wanted && !context.at_end()).then(|| report.help("statements go in braces: `{ … }`"))
}
