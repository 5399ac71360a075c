//! Rules that do not hold for one seat, or with one number of players.

use super::Kind;
use super::edits::{Edits, Range};
use crate::syntax::ast::expr::{Expr, ExprKind, Over};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::stmt::StmtKind;

/// Where an exception is made: a guard lets one more pass, a condition one less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    Guard,
    Condition,
}

/// Who is excepted.
struct Excepted {
    /// A seat by its number in turn order: the last one with the most players.
    seat: u32,
    /// A number of players other than the default, if there is one.
    count: Option<u32>,
}

/// Notes where exceptions can be made.
pub(super) fn change(all: &[Item], items: &[&Item], edits: &mut Edits<'_>) {
    let Some(who) = excepted(all) else { return };
    for item in items {
        if let ItemKind::End { when, .. } = &item.kind {
            except(Stands::Condition, when, &who, edits);
        }
        item.each_stmt(&mut |stmt| {
            if let StmtKind::Require(test) | StmtKind::Ensure(test) = &stmt.kind {
                except(Stands::Guard, test, &who, edits);
            } else if let StmtKind::If(test, ..) = &stmt.kind {
                except(Stands::Condition, test, &who, edits);
            } else if let StmtKind::For(_, Over::Members, set, ..) = &stmt.kind {
                leave_out(set, &who, edits);
            }
        });
        item.each_expr(&mut |expr| {
            if let ExprKind::Quantified { binders, .. } | ExprKind::Aggregate { binders, .. } = &expr.kind {
                let members = binders.iter().filter(|binder| binder.over == Over::Members);
                members.for_each(|binder| leave_out(&binder.set, &who, edits));
            } else if let ExprKind::Filter(_, set, _) = &expr.kind {
                leave_out(set, &who, edits);
            }
        });
    }
}

fn excepted(all: &[Item]) -> Option<Excepted> {
    all.iter().find_map(|item| {
        let ItemKind::Players { players, counts } = &item.kind else { return None };
        let ranges =
            counts.iter().map(|(least, most)| (least.node, most.as_ref().map_or(least.node, |most| most.node)));
        let named = u32::try_from(players.len()).ok()?;
        let seat = ranges.clone().map(|(_, most)| most).max().map_or(named, |most| most);
        let default = ranges.clone().next().map_or(named, |(least, _)| least);
        let others = ranges.flat_map(|(least, most)| [least, most]).filter(|&count| count != default);
        Some(Excepted { seat, count: others.max() })
    })
}

fn except(stands: Stands, test: &Expr, who: &Excepted, edits: &mut Edits<'_>) {
    let at = edits.whole(test);
    // What never holds has no exceptions; what tells numbers of players apart is one.
    if matches!(test.kind, ExprKind::Truth(_)) || edits.slice(at).contains("count(seats)") {
        return;
    }
    let mut make = |holds: &str, fails: &str, whom: String| {
        let text = edits.slice(at);
        let with = match stands {
            Stands::Guard => format!("({text}) or {holds}"),
            Stands::Condition => format!("({text}) and {fails}"),
        };
        edits.push(Kind::Exception, at, with, format!("`{}` with an exception for {whom}", edits.shown(at)));
    };
    let (first, last) = (1, who.seat);
    for seat in [first, last] {
        make(&format!("me.number == {seat}"), &format!("me.number != {seat}"), format!("seat {seat}"));
    }
    if let Some(count) = who.count {
        make(&format!("count(seats) == {count}"), &format!("count(seats) != {count}"), format!("{count} players"));
    }
}

/// Leaves the last seat out of a set of seats that is named.
fn leave_out(set: &Expr, who: &Excepted, edits: &mut Edits<'_>) {
    let at: Range = edits.whole(set);
    let named = if let ExprKind::Name(name) = &set.kind {
        matches!(name.as_str(), "seats" | "playing")
    } else {
        matches!(&set.kind, ExprKind::Call(name, _) if name.node == "opponents")
    };
    if named {
        let seat = who.seat;
        let with = format!("{{each_seat in {} where each_seat.number != {seat}}}", edits.slice(at));
        edits.push(Kind::Exception, at, with, format!("`{}` without seat {seat}", edits.shown(at)));
    }
}
