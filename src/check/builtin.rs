//! The built-in names and functions of the language.

use crate::ir::{Function, Ty};

/// The names the language brings, besides those of boards.
pub(super) const BUILTINS: &[&str] = &[
    "mover",
    "me",
    "ply",
    "turn",
    "now",
    "playing",
    "occurrences",
    "empty",
    "occupied",
    "seats",
    "sites",
    "directions",
    "count",
    "abs",
    "greater",
    "lesser",
    "around",
    "toward",
    "ray",
    "between",
    "distance",
    "line",
    "rows",
    "group",
    "connected",
    "following",
    "preceding",
    "opponents",
    "opponent",
    "repeats",
    "opposite",
    "told",
    "moves",
    "kinds",
    "phase",
    "piece",
];

/// The columns of a table of kinds that say how a kind is shown.
pub(super) const SHOWN: [&str; 2] = ["title", "symbol"];

/// The functions with plain signatures: parameters, result.
pub(super) fn signature(name: &str) -> Option<(Function, Vec<Ty>, Ty)> {
    let (sites, directions) = (Ty::Site.set(), Ty::Dir.set());
    Some(match name {
        "abs" => (Function::Abs, vec![Ty::Int], Ty::Int),
        "greater" => (Function::Greater, vec![Ty::Int, Ty::Int], Ty::Int),
        "lesser" => (Function::Lesser, vec![Ty::Int, Ty::Int], Ty::Int),
        "around" => (Function::Around, vec![sites.clone()], sites),
        "toward" => (Function::Toward, vec![sites.clone(), directions], sites),
        "ray" => (Function::Ray, vec![sites.clone(), directions], sites),
        "between" => (Function::Between, vec![Ty::Site, Ty::Site], sites),
        "distance" => (Function::Distance, vec![Ty::Site, Ty::Site], Ty::Int),
        "line" => (Function::Line, vec![sites, Ty::Int], Ty::Bool),
        "rows" => (Function::Rows, vec![sites.clone(), Ty::Int], sites),
        "group" => (Function::Group, vec![sites.clone(), sites.clone()], sites),
        "connected" => (Function::Connected, vec![sites.clone(), sites.clone(), sites], Ty::Bool),
        "following" => (Function::Following, vec![Ty::Seat], Ty::Seat),
        "preceding" => (Function::Preceding, vec![Ty::Seat], Ty::Seat),
        "opponents" => (Function::Opponents, vec![Ty::Seat.set()], Ty::Seat.set()),
        "repeats" => (Function::Repeats, vec![Ty::Int], Ty::Bool),
        "opposite" => (Function::Opposite, vec![directions.clone()], directions),
        _ => return None,
    })
}
