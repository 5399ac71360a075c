//! How the values of an item differ: values, seats, sites, cells.

use super::{Fact, Side, Written};
use crate::base::Span;
use crate::ir::{Region, SeatId};
use crate::syntax::ast::Ident;
use crate::syntax::ast::item::{Item, ItemKind, Row, Rows};

/// The differing facts of an item that is in both games.
pub(super) fn facts(old: &Side<'_>, new: &Side<'_>, before: &Item, after: &Item) -> Vec<Fact> {
    let mut found = Vec::new();
    match (&before.kind, &after.kind) {
        (ItemKind::Option { name, value: a, from: was, .. }, ItemKind::Option { value: b, from: is, .. }) => {
            found.extend(setting(old, new, name, (a.span, b.span)));
            if was != is {
                let slice = |side: &Side<'_>, item: &Item, from: Option<Span>| {
                    let text = from.map_or_else(|| "any".to_owned(), |span| side.sources.slice(span).to_owned());
                    Some(Written { text, span: from.unwrap_or(item.span) })
                };
                let (was, is) = (was.as_ref().map(|e| e.span), is.as_ref().map(|e| e.span));
                found.push(fact("values offered", slice(old, before, was), slice(new, after, is)));
            }
        }
        (ItemKind::Reading(name, a, _), ItemKind::Reading(_, b, _)) => {
            let first = |list: &[Ident], item: &Item| list.first().map_or(item.span, |first| first.span);
            found.extend(setting(old, new, name, (first(a, before), first(b, after))));
            found.extend(members(a.iter(), b.iter()));
        }
        (ItemKind::Enum(_, a), ItemKind::Enum(_, b)) => {
            found.extend(members(a.iter().map(|(name, _)| name), b.iter().map(|(name, _)| name)));
        }
        (ItemKind::Players { .. }, ItemKind::Players { .. }) => {
            let seats = |side: &Side<'_>| join(side.game.seats.iter().map(|seat| seat.name.as_str()));
            found.extend(differs("seats", (seats(old), before.span), (seats(new), after.span)));
        }
        (ItemKind::Board { name, .. }, ItemKind::Board { .. }) => {
            let name = name.as_ref().map_or("board", |name| name.node.as_str());
            let count = |side: &Side<'_>| {
                let board = side.game.topology.boards.iter().find(|board| board.name == name);
                board.map_or_else(String::new, |board| board.count.to_string())
            };
            found.extend(differs("number of sites", (count(old), before.span), (count(new), after.span)));
        }
        (ItemKind::Region(name, _), ItemKind::Region(..)) => {
            let seats = |side: &Side<'_>| -> Vec<Option<SeatId>> {
                regions(side, &name.node).map(|region| region.seat).collect()
            };
            let mut all = seats(old);
            all.extend(seats(new).into_iter().filter(|seat| !seats(old).contains(seat)));
            for seat in all {
                let (a, b) = (sites(old, &name.node, seat), sites(new, &name.node, seat));
                let owner = seat.and_then(|seat| new.game.seats.get(seat));
                let what = owner.map_or_else(|| "sites".to_owned(), |owner| format!("sites of {}", owner.name));
                found.extend(differs(&what, (a, before.span), (b, after.span)));
            }
        }
        (ItemKind::Kinds { rows: a, .. }, ItemKind::Kinds { rows: b, .. })
        | (ItemKind::Table(_, a), ItemKind::Table(_, b)) => table(a, b, &mut found),
        _ => {}
    }
    found
}

fn fact(what: &str, old: Option<Written>, new: Option<Written>) -> Fact {
    Fact { what: what.to_owned(), old, new }
}

/// A fact, if the texts differ.
fn differs(what: &str, old: (String, Span), new: (String, Span)) -> Option<Fact> {
    let written = |(text, span): (String, Span)| Some(Written { text, span });
    (old.0 != new.0).then(|| fact(what, written(old), written(new)))
}

fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(" ") }
}

/// The value of an option or reading in each game.
fn setting(old: &Side<'_>, new: &Side<'_>, name: &Ident, spans: (Span, Span)) -> Option<Fact> {
    let value = |side: &Side<'_>| {
        let found = side.game.settings.iter().find(|(known, _)| *known == name.node);
        found.map_or_else(String::new, |(_, value)| value.clone())
    };
    differs("value", (value(old), spans.0), (value(new), spans.1))
}

/// The names in only one of two lists.
fn members<'a>(old: impl Iterator<Item = &'a Ident>, new: impl Iterator<Item = &'a Ident>) -> Vec<Fact> {
    let (old, new): (Vec<&Ident>, Vec<&Ident>) = (old.collect(), new.collect());
    let written = |name: &Ident| Some(Written { text: name.node.clone(), span: name.span });
    let gone = old.iter().filter(|name| !new.contains(name)).map(|name| fact("alternative", written(name), None));
    let come = new.iter().filter(|name| !old.contains(name)).map(|name| fact("alternative", None, written(name)));
    gone.chain(come).collect()
}

fn regions<'a>(side: &Side<'a>, name: &'a str) -> impl Iterator<Item = &'a Region> + use<'a> {
    side.game.regions.iter().filter(move |region| region.name == name)
}

/// The names of the sites of a region.
fn sites(side: &Side<'_>, name: &str, seat: Option<SeatId>) -> String {
    let found = side.game.regions.iter().filter(|region| region.name == name && region.seat == seat);
    let sites = found.flat_map(|region| region.sites.iter());
    join(sites.filter_map(|site| side.game.topology.sites.get(site)).map(|site| site.name.as_str()))
}

/// The name of a column without its type.
fn column(cell: &Ident) -> &str {
    cell.node.split(':').next().unwrap_or("").trim()
}

fn key(row: &Row) -> &str {
    row.cells.first().map_or("", |cell| cell.node.as_str())
}

/// Differing rows and cells of two tables: rows are matched by their first cell, cells by their column.
fn table(old: &Rows, new: &Rows, found: &mut Vec<Fact>) {
    let written = |cell: &Ident| Some(Written { text: cell.node.clone(), span: cell.span });
    let whole = |row: &Row| {
        let span = row.cells.iter().map(|cell| cell.span).reduce(Span::to)?;
        let cells: Vec<&str> = row.cells.iter().map(|cell| cell.node.as_str()).collect();
        Some(Written { text: format!("| {} |", cells.join(" | ")), span })
    };
    for cell in &old.header.cells {
        match new.header.cells.iter().find(|other| column(other) == column(cell)) {
            None => found.push(fact("column", written(cell), None)),
            Some(other) if other != cell => found.push(fact("column", written(cell), written(other))),
            Some(_) => {}
        }
    }
    for cell in &new.header.cells {
        if !old.header.cells.iter().any(|other| column(other) == column(cell)) {
            found.push(fact("column", None, written(cell)));
        }
    }
    for row in &old.body {
        let Some(other) = new.body.iter().find(|other| key(other) == key(row)) else {
            found.push(fact("row", whole(row), None));
            continue;
        };
        for (head, cell) in old.header.cells.iter().zip(&row.cells) {
            let at = new.header.cells.iter().position(|other| column(other) == column(head));
            let Some(there) = at.and_then(|at| other.cells.get(at)) else { continue };
            if there != cell {
                found.push(fact(&format!("{}.{}", key(row), column(head)), written(cell), written(there)));
            }
        }
        if row.cites != other.cites {
            let cites = |row: &Row| {
                let span = row.cites.iter().map(|cite| cite.span).reduce(Span::to);
                let cites: Vec<String> = row.cites.iter().map(|cite| format!("§{}", cite.node)).collect();
                span.map(|span| Written { text: cites.join(", "), span })
            };
            found.push(fact(&format!("clauses of {}", key(row)), cites(row), cites(other)));
        }
    }
    for row in &new.body {
        if !old.body.iter().any(|other| key(other) == key(row)) {
            found.push(fact("row", None, whole(row)));
        }
    }
}
