//! How much an answer says, before it is made: a small file may have thousands of pieces with long names, or of sets.

use std::collections::HashMap;

use super::fault::{Code, Fault};
use crate::base::Bits;
use crate::ir::{Game, Kind, Move, Ty, Value};
use crate::model::Observation;

/// How many names and numbers an answer says at most, each in some dozens of bytes; a longer name counts for more.
const SAID: usize = 1_000_000;

/// So many bytes of a name count for one more.
const NAMED: usize = 24;

/// Refuses an answer that would say too much.
pub(super) fn bounded(what: &str, said: usize) -> Result<(), Fault> {
    if said <= SAID {
        return Ok(());
    }
    let message = format!("{what} would say {said} names and numbers, and may say {SAID}");
    Err(Fault::new(Code::Limit, message, "use fewer pieces, fields, members of sets or sites beside zones"))
}

/// What the longest name of each type's values counts for.
struct Names<'g> {
    game: &'g Game,
    longest: HashMap<&'g Ty, usize>,
}

impl<'g> Names<'g> {
    fn new(game: &'g Game) -> Self {
        Self { game, longest: HashMap::new() }
    }

    fn weight(&mut self, ty: &'g Ty) -> usize {
        let longest = || self.game.names(ty).into_iter().map(str::len).max().unwrap_or_default();
        *self.longest.entry(ty).or_insert_with(|| 1 + longest() / NAMED)
    }

    fn piece(&mut self, kind: &'g Kind) -> usize {
        let fields = kind.fields.iter().map(|field| self.weight(&field.ty) + field.name.len() / NAMED);
        fields.sum::<usize>() + 1 + kind.name.len() / NAMED
    }
}

/// What a view says: the pieces that are seen, each with its fields, and the variables.
pub(super) fn said(game: &Game, seen: &Observation) -> usize {
    let mut names = Names::new(game);
    let kinds: Vec<usize> = game.kinds.iter().map(|kind| names.piece(kind)).collect();
    let pieces = seen.sites.iter().flatten().chain(seen.zones.iter().flatten().flatten());
    let pieces: usize = pieces.map(|piece| kinds.get(usize::from(piece.kind)).unwrap_or(&1)).sum();
    let mut values = 0;
    for (info, held) in game.vars.iter().zip(&seen.vars) {
        let each = names.weight(info.ty.element());
        values += held.iter().map(|value| 1 + members(value) * each).sum::<usize>();
    }
    pieces + values
}

/// How many members a value has, if it is a set or a list.
fn members(value: &Value) -> usize {
    match value {
        Value::Set(bits) => bits.count(),
        Value::Ints(numbers) => numbers.len(),
        Value::Pieces(pieces) => pieces.len(),
        Value::Ways(ways) => ways.len(),
        Value::Moves(moves) => moves.len(),
        Value::Unset
        | Value::Int(_)
        | Value::Bool(_)
        | Value::Atom(_)
        | Value::Piece(_)
        | Value::Way(_)
        | Value::Move(_) => 1,
    }
}

/// What the components of a game say of its zones: for each list its kinds, and the sites it lies beside.
pub(super) fn zones(game: &Game) -> usize {
    let mut names = Names::new(game);
    let (kind, site) = (names.weight(&Ty::Kind), names.weight(&Ty::Site));
    let zones = game.zones.iter().map(|zone| {
        let lists: usize = zone.indices.iter().map(|(_, size)| *size).product();
        let beside: usize = zone.beside.iter().map(Bits::count).sum();
        lists * (1 + (zone.title.len() / NAMED) + zone.kinds.count() * kind) + beside * site
    });
    zones.sum()
}

/// How many of these moves say no more names and numbers than so many: a way says all sites that it passes, a piece all its
/// fields. At least one does.
pub(super) fn fitting(game: &Game, moves: &[Move], most: usize) -> usize {
    let mut names = Names::new(game);
    let kinds: Vec<usize> = game.kinds.iter().map(|kind| names.piece(kind)).collect();
    let value = |value: &Value| match value {
        Value::Way(way) => 1 + way.trail.len() + way.taken.count(),
        Value::Piece(piece) => *kinds.get(usize::from(piece.kind)).unwrap_or(&1),
        Value::Pieces(pieces) => pieces.iter().filter_map(|piece| kinds.get(usize::from(piece.kind))).sum(),
        Value::Unset
        | Value::Int(_)
        | Value::Bool(_)
        | Value::Atom(_)
        | Value::Set(_)
        | Value::Ints(_)
        | Value::Ways(_)
        | Value::Move(_)
        | Value::Moves(_) => 1,
    };
    let mut said = 0;
    let fit = moves.iter().take_while(|mv| {
        said += 1 + mv.args.iter().map(value).sum::<usize>();
        said <= most
    });
    fit.count().max(1).min(moves.len())
}
