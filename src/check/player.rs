//! Players and their seats.

use std::sync::Arc;

use crate::base::{SaturatingFrom, Span, Spanned, nearest};
use crate::ir::{RuleKind, Seat, Ty, Value};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::item::{Item, ItemKind, Player};

use super::item::Declarations;
use super::scope::Symbol;

/// The numbers of players that items offer; none if that is faulty.
pub(crate) fn players(items: &[Arc<Item>]) -> Vec<u32> {
    let offers = items.iter().find_map(|item| {
        let ItemKind::Players { players, counts } = &item.kind else { return None };
        Some((u32::try_from(players.len()).ok()?, counts))
    });
    offers.and_then(|(all, counts)| offered(all, counts).ok()).unwrap_or_default()
}

/// The numbers of players offered of so many that are named; where that is faulty, the place.
fn offered(all: u32, counts: &[(Spanned<u32>, Option<Spanned<u32>>)]) -> Result<Vec<u32>, Span> {
    let mut offered = Vec::new();
    for (low, high) in counts {
        let high = high.as_ref().map_or(low.node, |high| high.node);
        if low.node == 0 || high > all || low.node > high {
            return Err(low.span);
        }
        // The default is often named first and lies within a range named after it.
        for count in low.node..=high {
            if !offered.contains(&count) {
                offered.push(count);
            }
        }
    }
    Ok(if counts.is_empty() { vec![all] } else { offered })
}

impl Declarations<'_, '_> {
    pub(super) fn players(&mut self, items: &[Arc<Item>]) {
        let found = items.iter().find_map(|item| {
            if let ItemKind::Players { players, counts } = &item.kind { Some((item, players, counts)) } else { None }
        });
        let Some((item, players, counts)) = found else {
            return;
        };
        self.check.rule(RuleKind::Fact, "players", item.span, &item.cites);
        let all = u32::saturating_from(players.len());
        match offered(all, counts) {
            Ok(counts) => self.offer.players = counts,
            Err(place) => {
                let message = format!("{all} players are declared, so a player count must be between 1 and {all}");
                self.check.report(
                    Report::new(Code::OutOfRange, place, message)
                        .help("declare more players, or remove the larger counts"),
                );
                return;
            }
        }
        if all > 64 {
            self.check.report(
                Report::new(Code::OutOfRange, item.span, "a game has at most 64 players").help("declare fewer"),
            );
            return;
        }
        let count = self.setup.players.unwrap_or_else(|| self.offer.players.first().copied().unwrap_or(all));
        if !self.offer.players.contains(&count) {
            let listed = self.offer.players.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            let message = format!("the game is not offered for {count} players");
            self.check.report(
                Report::new(Code::OutOfRange, item.span, message).help(format!("it can be played by {listed}")),
            );
            return;
        }
        let seating = items.iter().find_map(|item| {
            let ItemKind::Seating(n, names) = &item.kind else { return None };
            (n.node == count).then_some((item, names))
        });
        let seated: Vec<&Player> = match seating {
            None => players.iter().take(count as usize).collect(),
            Some((item, names)) => {
                self.check.rule(RuleKind::Fact, "seating", item.span, &item.cites);
                self.seated(players, names, count, item.span)
            }
        };
        for player in &seated {
            let title = player.title.clone().unwrap_or_else(|| player.name.node.clone());
            let symbol = player.symbol.as_ref().map_or_else(|| first_letter(&player.name.node), |s| s.node.clone());
            self.check.game.seats.push(Seat { name: player.name.node.clone(), title, symbol });
        }
        for player in players {
            let seat = seated.iter().position(|other| other.name.node == player.name.node);
            let symbol = seat.map_or(Symbol::Absent, |seat| Symbol::Const(Ty::Seat, Value::atom_of(seat)));
            self.check.declare(&player.name, symbol);
        }
        for item in items {
            if let ItemKind::Seating(_, names) = &item.kind {
                for name in names {
                    self.check.lookup(&name.node, name.span, Some(&Ty::Seat));
                }
            }
        }
    }

    fn seated<'p>(&mut self, players: &'p [Player], names: &[Ident], count: u32, span: Span) -> Vec<&'p Player> {
        let mut seated: Vec<&Player> = Vec::new();
        for name in names {
            match players.iter().find(|player| player.name.node == name.node) {
                Some(player) if seated.iter().any(|other| other.name.node == name.node) => {
                    let message = format!("`{}` is seated twice", player.name.node);
                    self.check.report(Report::new(Code::Duplicate, name.span, message).help("list each player once"));
                }
                Some(player) => seated.push(player),
                None => {
                    let near = nearest(&name.node, players.iter().map(|player| player.name.node.as_str()));
                    let message = format!("there is no player `{}`", name.node);
                    self.check.report(
                        Report::new(Code::UnknownName, name.span, message).help("name one of `players`").suggest(near),
                    );
                }
            }
        }
        if seated.len() != count as usize {
            let message = format!("the seating for {count} players names {}", seated.len());
            self.check.report(Report::new(Code::WrongCount, span, message).help(format!("list {count} players")));
        }
        seated
    }
}

/// The first letter of a name, for drawing.
pub(super) fn first_letter(name: &str) -> String {
    name.chars().next().map_or_else(String::new, |c| c.to_uppercase().collect())
}
