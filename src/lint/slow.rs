//! What keeps a game from running on the fast interpreter.

use crate::engine::Fast;
use crate::load::{Files, RuleFile, Setup};
use crate::model::Engine;
use crate::report::{Code, Report, Reports};

/// Warns about everything that is not lowered and so makes the whole game run on the reference interpreter. The file
/// must check; otherwise nothing is reported.
#[must_use]
pub fn unlowered(name: &str, text: &str, files: &dyn Files) -> Reports {
    let mut reports = Reports::default();
    let Some(game) = RuleFile::read(name, text, files).load(&Setup::default()).game else { return reports };
    let fast = Fast::new(game);
    for (what, rule) in fast.lowering().map(|(_, gaps)| gaps).into_iter().flatten() {
        let Some(rule) = fast.game().rules.get(rule) else { continue };
        let message = format!("{what} is not lowered: the whole game runs on the slow reference interpreter");
        reports.push(Report::new(Code::NotLowered, rule.span, message).help(cure(what)));
    }
    reports
}

/// How to avoid it.
fn cure(what: &str) -> &'static str {
    match what {
        "the position after a move" | "the legal moves as values" | "a move as a value" | "a set of moves or sets" => {
            "make it a condition of the action itself, with `require` or `ensure`"
        }
        "a field of pieces that holds any number" => {
            "bound what is put into it, as in `lesser(n, 9)`, or keep the number in a variable"
        }
        "too many different pieces" => "give the fields of pieces fewer values, or use fewer fields",
        "boards of more than 1024 sites" => "use smaller boards, or leave sites out with `keep`",
        _ => "say it in simpler parts: definitions with fewer parameters, sets that are known at load",
    }
}
