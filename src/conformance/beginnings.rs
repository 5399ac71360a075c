//! The moves of a case that begin alike.

use super::runner::Run;
use crate::ir::{Action, Header, StmtKind, Ty};
use crate::model::Ask;
use crate::notation::asked_slot;

impl Run<'_> {
    /// Whether the moves that begin like this are those that end like these. The beginning is read as moves are: in any letter case,
    /// with blanks or dashes, and with the action or without.
    pub(super) fn moves_from(&mut self, start: &str, ends: &[String]) {
        let moves = self.moves();
        let words = words(start);
        let found = self.ends_after(&moves, &words);
        if found.is_empty() && !self.may_begin_moves(&words) {
            return self.fail(format!("no move begins with `{start}`: write sites and names as moves have them"));
        }
        let wanted = self.once(ends);
        self.same(&format!("the moves from {start}"), &wanted, &found);
    }

    /// What moves end in after this beginning: of those that are written so, or if there are none, of those that may be.
    fn ends_after(&self, moves: &[String], start: &[String]) -> Vec<String> {
        let named = |words: &[String]| {
            let first = words.first().map(|word| word.to_lowercase());
            first.is_some_and(|first| self.game.actions.iter().any(|action| action.name.to_lowercase() == first))
        };
        let end = |words: &[String], start: &[String]| {
            let begins =
                words.len() >= start.len() && words.iter().zip(start).all(|(word, part)| is_short_for(part, word));
            begins.then(|| words[start.len()..].join("-"))
        };
        let after = |with: bool, start: &[String]| -> Vec<String> {
            let ends = moves.iter().filter_map(|text| {
                let words = words(text);
                end(if !with && named(&words) { &words[1..] } else { &words }, start)
            });
            ends.collect()
        };
        let mut found = after(true, start);
        if found.is_empty() {
            found = after(false, start);
        }
        if let Some((_, rest)) = start.split_first().filter(|_| found.is_empty() && named(start)) {
            let unnamed = moves.iter().map(|text| words(text)).filter(|words| !named(words));
            found = unnamed.filter_map(|words| end(&words, rest)).collect();
        }
        found
    }

    /// Whether moves begin like this, wherever they may be legal: of some action, or of the pick that is asked for, each part is a value
    /// of what is chosen there.
    fn may_begin_moves(&self, start: &[String]) -> bool {
        let game = self.game;
        // What is no move of an action is written by these words.
        if let [word] = start
            && ["pass", "decline", "wait"].contains(&&*word.to_lowercase())
        {
            return true;
        }
        if let Ask::Pick { .. } | Ask::Chance { .. } = self.position.ask {
            let slot = asked_slot(game, &self.position).and_then(|slot| game.slots.get(slot));
            return slot.is_some_and(|slot| matches!(start, [word] if self.is_named(&slot.ty, word)));
        }
        let mut stmts = game.blocks.iter().flat_map(|block| &block.stmts);
        let races = stmts.any(|stmt| matches!(stmt.kind, StmtKind::Race { .. }));
        let start = match start {
            [seat, rest @ ..] if races && self.is_named(&Ty::Seat, seat) => rest,
            _ => start,
        };
        let fits = |action: &Action, words: &[String]| {
            let chosen: Vec<&Ty> = chosen(action).collect();
            let way = chosen.contains(&&Ty::Way);
            // Whoever writes a way may write all its sites.
            let ty = |at: usize| chosen.get(at).copied().or(way.then_some(&Ty::Way));
            words.iter().enumerate().all(|(at, word)| ty(at).is_some_and(|ty| self.is_named(ty, word)))
        };
        start.is_empty()
            || game.actions.iter().any(|action| {
                let named = start[0].eq_ignore_ascii_case(&action.name);
                named && fits(action, &start[1..]) || fits(action, start)
            })
    }

    /// Whether a word may stand for a value of a type.
    fn is_named(&self, ty: &Ty, word: &str) -> bool {
        let game = self.game;
        let name = word.split(['.', '{', '@']).next().unwrap_or(word);
        let same = |other: &str| other.to_lowercase() == name.to_lowercase();
        match ty {
            Ty::Seat => game.seats.iter().any(|seat| same(&seat.name)),
            Ty::Site | Ty::Way => game.topology.sites.iter().any(|site| same(&site.name)),
            Ty::Dir => game.topology.directions.iter().any(|direction| same(&direction.name)),
            Ty::Kind | Ty::Piece => game.kinds.iter().any(|kind| same(&kind.name)),
            Ty::Enum(number) => {
                let members = game.enums.get(*number).map_or(&[][..], |one| &one.members);
                members.iter().any(|(member, _)| same(member))
            }
            Ty::Int => name.parse::<i64>().is_ok(),
            Ty::Bool => same("true") || same("false"),
            Ty::Move | Ty::Set(_) => true,
        }
    }
}

/// The types of what an action is chosen from.
fn chosen(action: &Action) -> impl Iterator<Item = &Ty> {
    action
        .head
        .iter()
        .filter_map(|line| if let Header::Choose(choice) = line { Some(choice.set.ty.element()) } else { None })
}

/// Whether a part is what a word of a move says, in short: a piece may be written without what tells it apart.
fn is_short_for(part: &str, word: &str) -> bool {
    let (part, word) = (part.to_lowercase(), word.to_lowercase());
    part == word || word.strip_prefix(&part).is_some_and(|rest| rest.starts_with(['{', '.']))
}

/// The parts of a move, between blanks and dashes. A dash before a digit that follows one of these is a sign, and braces hold together.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut depth = 0_usize;
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let empty = words.last().is_some_and(String::is_empty);
        let minus = sign == '-' && empty && words.len() > 1 && signs.peek().is_some_and(char::is_ascii_digit);
        if depth == 0 && (sign == ' ' || sign == '-' && !minus) {
            words.extend((!empty).then(String::new));
        } else if let Some(word) = words.last_mut() {
            word.push(sign);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_taken_apart() {
        for (text, wanted) in [
            ("push e2-e4", &["push", "e2", "e4"][..]),
            ("b1  a3-", &["b1", "a3"]),
            ("bid 2 -1", &["bid", "2", "-1"]),
            ("shift-3--1", &["shift", "3", "-1"]),
            ("lay ace{hearts,height=-1}-a1", &["lay", "ace{hearts,height=-1}", "a1"]),
            ("a ring @1400", &["a", "ring", "@1400"]),
            ("", &[]),
        ] {
            assert_eq!(words(text), wanted, "{text}");
        }
        assert!(is_short_for("ace", "ace{hearts}") && is_short_for("MAN", "man.white{king}"));
        assert!(!is_short_for("a", "ace{hearts}") && !is_short_for("a1", "a10"));
    }
}
