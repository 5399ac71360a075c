//! What people look up during play: the clauses, the symbols, what can be claimed and offered, and what an act came to.

use super::table::Table;
use super::ui::wrapped;
use crate::base::nearest;
use crate::ir::{Piece, SeatId};
use crate::model::Observation;
use crate::notation::{claim_pattern, zone_name};
use crate::view::{kind_of_clause, rules_list, seat_symbol, seat_title};

impl Table<'_> {
    /// The clauses of the document: all, those whose id begins with a text, or one with the rules that cite it.
    pub(super) fn clauses(&self, wanted: &str) {
        let game = self.rules();
        let (clauses, wanted) = (&game.clauses.clauses, wanted.trim_start_matches('§'));
        if let Some(clause) = clauses.get(wanted) {
            let text =
                format!("§{wanted} ({}): {}", kind_of_clause(self.ui.lang, clause), clause.text_in(self.ui.lang.tag()));
            self.ui.print(&wrapped(&text, 0));
            let citing = game.rules.numbered().filter(|(_, rule)| rule.clauses.iter().any(|id| id == wanted));
            let citing: Vec<_> = citing.map(|(rule, _)| rule).collect();
            return self.ui.print(&rules_list(self.ui.lang, game, self.opened.sources(), &citing));
        }
        let found: Vec<_> = clauses.iter().filter(|(id, _)| id.starts_with(wanted)).collect();
        for (id, clause) in &found {
            self.ui.print(&wrapped(&format!("§{id} {}", clause.text_in(self.ui.lang.tag())), 0));
        }
        match (found.is_empty(), nearest(wanted, clauses.keys().map(String::as_str))) {
            (false, _) => {}
            (true, _) if clauses.is_empty() => self.ui.say("clause-none", &[]),
            (true, Some(near)) => {
                self.ui.say("play-near-clause", &[("clause", wanted.into()), ("near", near.into())]);
            }
            (true, None) => self.ui.say("play-no-clause", &[("clause", wanted.into())]),
        }
    }

    /// What the symbols on the board mean.
    pub(super) fn legend(&self) {
        let game = self.rules();
        let titled = |title: &str, name: &str| if title.is_empty() { name.to_owned() } else { title.to_owned() };
        let mut lines: Vec<(String, String)> = Vec::new();
        for seat in 0..game.seats.len() {
            lines.push((seat_symbol(game, seat), seat_title(game, seat).to_owned()));
        }
        // The pieces of a game with one kind are drawn as their owner's.
        let single = game.kinds.len() == 1;
        for kind in game.kinds.iter().filter(|kind| !(single && kind.owned)) {
            let name = titled(&kind.title, &kind.name);
            lines.push((kind.symbol.clone(), name.clone()));
            let marked = kind.fields.iter().filter(|field| !field.symbol.is_empty());
            lines.extend(marked.map(|field| (field.symbol.clone(), format!("{name}: {}", field.name))));
        }
        for token in &game.tokens {
            lines.push(("1, 2, …".to_owned(), titled(&token.title, &token.name)));
        }
        lines.retain(|(symbol, _)| !symbol.is_empty());
        let widest = lines.iter().map(|(symbol, _)| symbol.chars().count()).max().unwrap_or_default();
        for (symbol, meaning) in lines {
            self.ui.line(format!("  {symbol:<widest$}  {meaning}"));
        }
    }

    /// What can be claimed, offered or accepted.
    pub(super) fn answers(&self, word: &str) {
        let game = self.rules();
        let open = self.door().position();
        let lines: Vec<(String, String)> = match word {
            "claim" => {
                let one = |claim: &crate::ir::Claim| (claim_pattern(game, &claim.action), claim.action.title.clone());
                game.claims.iter().map(one).collect()
            }
            "accept" => {
                let agreed = game.offers.iter().zip(&open.offers).filter(|(_, agreed)| !agreed.is_empty());
                agreed.map(|(offer, _)| (format!("accept {}", offer.name), offer.title.clone())).collect()
            }
            _ => game.offers.iter().map(|offer| (format!("offer {}", offer.name), offer.title.clone())).collect(),
        };
        if lines.is_empty() {
            return self.ui.say("play-no-answers", &[("word", word.into())]);
        }
        let widest = lines.iter().map(|(text, _)| text.chars().count()).max().unwrap_or_default() + 2;
        for (text, title) in lines {
            self.ui.line(format!("  {text:<widest$}{title}").trim_end());
        }
    }

    /// What an act in a race came to: where pieces went.
    pub(super) fn came_to(&self, before: &Observation) {
        let changes = moved(self, before, &self.door().position());
        if !changes.is_empty() {
            self.ui.line(format!("  {}", changes.join(", ")));
        }
    }
}

/// The zones with more or fewer pieces than before.
fn moved(table: &Table<'_>, before: &Observation, after: &Observation) -> Vec<String> {
    let game = table.rules();
    let mut changes = Vec::new();
    for (number, (zone, (old, new))) in game.zones.iter().zip(before.zones.iter().zip(&after.zones)).enumerate() {
        for (index, (old, new)) in old.iter().zip(new).enumerate() {
            let counted = |list: &[Piece]| !list.iter().any(Piece::is_uncounted);
            if old.len() == new.len() || !counted(old) || !counted(new) {
                continue;
            }
            // A zone of each seat is named by its owner.
            let owner =
                (zone.indices.len() == 1 && zone.indices[0].0 == crate::ir::Ty::Seat).then(|| SeatId::new(index));
            let title = if zone.title.is_empty() { &zone.name } else { &zone.title };
            let name = match owner {
                Some(seat) => format!("{} {title}", seat_title(game, usize::from(seat))),
                None => zone_name(game, number, index),
            };
            changes.push(format!("{name}: {} → {}", old.len(), new.len()));
        }
    }
    changes
}
