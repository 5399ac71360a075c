//! The moves of a case that begin alike.

use super::runner::Run;
use crate::ir::{Action, Header, StmtKind, Ty};

impl Run<'_> {
    /// Whether the moves that begin like this are those that end like these.
    pub(super) fn moves_from(&mut self, start: &str, ends: &[String]) {
        // A move that is no longer than its beginning ends in nothing.
        let end = |text: &String| match text.strip_prefix(start)? {
            "" => Some(String::new()),
            rest => rest.strip_prefix('-').map(str::to_owned),
        };
        let moves = self.moves();
        let found: Vec<String> = moves.iter().filter_map(end).collect();
        if found.is_empty() && !self.may_begin_moves(start) {
            return self.fail(format!("no move begins with `{start}`: write sites and names as moves have them"));
        }
        // What is written otherwise is no proof that there is none.
        let typed = moves.iter().find(|text| found.is_empty() && self.begins(text, start));
        if let Some(one) = typed {
            return self
                .fail(format!("`{one}` begins like `{start}`, but is written otherwise: write it as it is here"));
        }
        let wanted = self.once(ends);
        self.same(&format!("the moves from {start}"), &wanted, &found);
    }

    /// Whether moves begin like this, wherever they may be legal: with an action, or a value of what one is chosen from first.
    fn may_begin_moves(&self, start: &str) -> bool {
        let game = self.game;
        let mut stmts = game.blocks.iter().flat_map(|block| &block.stmts);
        let races = stmts.any(|stmt| matches!(stmt.kind, StmtKind::Race { .. }));
        let begins = |word: &str| {
            // What is no move of an action is written by these words.
            if ["pass", "decline", "wait"].contains(&word) {
                return true;
            }
            let name = word.split(['.', '{']).next().unwrap_or(word);
            let named = |ty: &Ty| match ty {
                Ty::Seat => game.seats.iter().any(|seat| seat.name == name),
                Ty::Site | Ty::Way => game.topology.sites.iter().any(|site| site.name == name),
                Ty::Dir => game.topology.directions.iter().any(|direction| direction.name == name),
                Ty::Kind | Ty::Piece => game.kinds.iter().any(|kind| kind.name == name),
                Ty::Enum(number) => {
                    let members = game.enums.get(*number).map_or(&[][..], |one| &one.members);
                    members.iter().any(|(member, _)| member == name)
                }
                Ty::Int => name.parse::<i64>().is_ok(),
                Ty::Bool | Ty::Move | Ty::Set(_) => true,
            };
            game.actions.iter().any(|action| action.name == name || first(action).is_some_and(&named))
                || races && named(&Ty::Seat)
        };
        start.split([' ', '-']).find(|part| !part.is_empty()).is_some_and(begins)
    }

    /// Whether a move begins like this as it may be typed: with its action or without, in capitals or not.
    fn begins(&self, text: &str, start: &str) -> bool {
        let (text, start) = (text.to_lowercase(), start.trim().to_lowercase());
        let action = |text: &str| {
            let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
            self.game.actions.iter().any(|action| action.name.to_lowercase() == name).then(|| rest.to_owned())
        };
        let with = |text: &str, start: &str| {
            let rest = text.strip_prefix(start);
            rest.is_some_and(|rest| rest.is_empty() || start.is_empty() || rest.starts_with(['-', ' ']))
        };
        match (action(&text), action(&start)) {
            (None, Some(values)) => with(&text, &values),
            (Some(values), None) => with(&values, &start) || with(&text, &start),
            (Some(_), Some(_)) | (None, None) => with(&text, &start),
        }
    }
}

/// The type of what an action is chosen from first.
fn first(action: &Action) -> Option<&Ty> {
    action
        .head
        .iter()
        .find_map(|line| if let Header::Choose(choice) = line { Some(choice.set.ty.element()) } else { None })
}
