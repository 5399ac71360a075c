//! Determinization: sampling a position that looks the same to a viewer.

use std::collections::{BTreeMap, BTreeSet};

use super::dealt::{Narrow, Sorted, limits};
use super::lost::Gone;
use super::redrawn::Redrawn;
use super::rewritten::Rewritten;
use super::seed::Stream;
use crate::base::Bits;
use crate::ir::{Fields, Game, KindId, Piece, SeatId, ZoneForm};
use crate::model::{Engine, Glance, Position, Viewer};

/// A list of pieces: the number of its zone, and its index.
type List = (usize, usize);

/// What is seen of a piece, and if that is its back, what it could be taken for.
type Back = (Piece, Option<usize>);

/// The pieces that a viewer sees from the back only, and their places.
#[derive(Clone, Debug, Default)]
pub(super) struct Hidden {
    /// The pieces by what is seen of them, in an order that does not reveal where they are.
    pieces: Vec<Vec<Piece>>,
    /// What is seen of each kind of back.
    faces: Vec<Piece>,
    /// For each place, sites before zones, the kind of back there.
    backs: Vec<usize>,
    /// For each place, what it may hold, if not any of those with its kind of back.
    narrow: Vec<Option<Narrow>>,
    /// Pieces hidden in zones that would be seen on a board.
    open_on_boards: BTreeSet<Piece>,
    /// What is seen in each place. Pieces that are not counted lie in one more zone, behind the others.
    seen: Option<Position>,
    /// What lies in the zones, place by place.
    zones: Vec<Vec<Vec<Piece>>>,
    /// The lists that they were taken from.
    uncounted: Vec<List>,
    /// The rows whose order is not seen.
    unordered: Vec<List>,
    /// What was put in secret.
    pub(super) secret: Redrawn,
    /// What was written where not everybody sees it.
    written: Rewritten,
}

impl Hidden {
    /// What an observation leaves unknown; `lost` is what is gone, which the viewer takes for still there.
    pub(super) fn of(game: &Game, glance: Glance, position: &Position, lost: &Gone) -> Self {
        // What is seen of a piece, and what it could be taken for: pieces that are alike in that change places.
        let mixed = mixed(game);
        let back = |seen: &Piece, piece: &Piece| -> Back {
            let taken_for = mixed.get(usize::from(piece.kind)).filter(|_| seen.is_hidden()).copied();
            (seen.clone(), taken_for)
        };
        let mut position = position.clone();
        let Glance { faces: mut seen, uncounted, mut unordered, open_on_boards } = glance;
        arrange(&mut seen, &mut position, (&uncounted, &unordered), &back);
        unordered.retain(|(zone, _)| game.zones.nth(*zone).is_some_and(|zone| zone.form != ZoneForm::Set));
        let mut all: Vec<(Piece, Back)> = Vec::new();
        for_hidden(&seen, &mut position, &mut |seen, piece| all.push((piece.clone(), back(seen, piece))));
        // What has left the game may have been seen otherwise than anything that is left; what came and went unseen looks like
        // what is left of its like.
        let nothing = Piece { kind: KindId::HIDDEN, owner: None, fields: Fields::new() };
        let gone = lost.left.iter().map(|(face, piece)| {
            if let Some(face) = face {
                return back(face, piece);
            }
            let unseen = back(&nothing, piece);
            let fits = |(face, of): &&Back| {
                face.is_hidden() && *of == unseen.1 && face.owner.is_none_or(|owner| piece.owner == Some(owner))
            };
            all.iter().map(|(_, back)| back).filter(fits).min().cloned().unwrap_or(unseen)
        });
        let gone: Vec<Back> = gone.collect();
        let mut kinds: Vec<_> = all.iter().map(|(_, back)| back).chain(&gone).collect();
        kinds.sort();
        kinds.dedup();
        let number = |back: &Back| kinds.partition_point(|kind| *kind < back);
        let backs: Vec<usize> = all.iter().map(|(_, back)| number(back)).collect();
        let faces: Vec<Piece> = kinds.iter().map(|(face, _)| face.clone()).collect();
        let mut pieces = vec![Vec::new(); kinds.len()];
        for ((piece, _), &back) in all.iter().cloned().zip(&backs) {
            pieces[back].push(piece);
        }
        for ((_, piece), back) in lost.left.iter().zip(&gone) {
            pieces[number(back)].push(piece.clone());
        }
        let mut limits = limits(game, &seen, &position);
        limits.resize(backs.len(), None);
        // For each kind of back, the kinds of pieces with it, and whether none of them would be seen on a board: there may be
        // many pieces, and many places for them.
        let kinds = |list: &Vec<Piece>| list.iter().map(|piece| usize::from(piece.kind)).collect::<Bits>();
        let sorts: Vec<(Bits, bool)> =
            pieces.iter().map(|list| (kinds(list), !list.iter().any(|piece| open_on_boards.contains(piece)))).collect();
        let narrow = limits.into_iter().zip(&backs).map(|(limit, &back)| {
            let (kinds, covered) = &sorts[back];
            limit.filter(|limit| match limit {
                Narrow::Board => !covered,
                Narrow::Kinds(taken) => !kinds.within(taken),
            })
        });
        let narrow = narrow.collect();
        let (zones, secret, seen) = (position.zones, Redrawn::of(game), Some(seen));
        let nothing_seen = faces.iter().zip(&pieces).filter(|(face, _)| face.is_hidden());
        let written = Rewritten::of(game, nothing_seen.flat_map(|(_, list)| list).chain(&lost.were));
        for list in &mut pieces {
            list.sort_by_cached_key(|piece| written.key(piece));
        }
        Self { pieces, faces, backs, narrow, open_on_boards, seen, zones, uncounted, unordered, secret, written }
    }

    /// Whether not all pieces are counted.
    pub(super) fn is_uncounted(&self) -> bool {
        !self.uncounted.is_empty()
    }

    /// Whether another position has as many pieces in all lists that are counted.
    pub(super) fn counts_alike(&self, other: &Position) -> bool {
        let lists = |zones: &[Vec<Vec<Piece>>]| -> Vec<Vec<usize>> {
            zones.iter().map(|lists| lists.iter().map(Vec::len).collect()).collect()
        };
        let (mut here, mut there) = (lists(&self.zones), lists(&other.zones));
        here.truncate(there.len());
        for &(zone, index) in &self.uncounted {
            for counts in [&mut here, &mut there] {
                if let Some(count) = counts.get_mut(zone).and_then(|counts| counts.get_mut(index)) {
                    *count = 0;
                }
            }
        }
        here == there
    }

    /// How many pieces that are not counted lie in each of their lists in another position; none if they are more or fewer.
    fn lengths(&self, other: &Position) -> Option<Vec<usize>> {
        let length = |zones: &[Vec<Vec<Piece>>], (zone, index): List| zones.get(zone)?.get(index).map(Vec::len);
        // What lies there already is seen on top.
        let more = |at: &List| length(&other.zones, *at)?.checked_sub(length(&self.zones, *at)?);
        let lengths: Vec<usize> = self.uncounted.iter().map(more).collect::<Option<_>>()?;
        let all = self.zones.last().map(|lists| lists.iter().map(Vec::len).sum());
        (all == Some(lengths.iter().sum::<usize>())).then_some(lengths)
    }

    /// Lays pieces that are not counted into their lists: as many into each as it has in another position, if that comes
    /// out even, else at random, where they may lie and there is room.
    fn spread(
        &self,
        game: &Game,
        mut loose: Vec<Piece>,
        drawn: &mut Position,
        like: Option<&Position>,
        dice: &mut Stream,
    ) {
        let limit = |(zone, index): &List| {
            let limit = game.zones.nth(*zone).and_then(|zone| zone.limit)?;
            Some(limit.saturating_sub(self.zones.get(*zone)?.get(*index)?.len()))
        };
        let mut room: Vec<Option<usize>> = match like.and_then(|other| self.lengths(other)) {
            Some(lengths) => lengths.into_iter().map(Some).collect(),
            None => self.uncounted.iter().map(limit).collect(),
        };
        mix(&mut loose, dice);
        let mut below: Vec<Vec<Piece>> = vec![Vec::new(); self.uncounted.len()];
        // For each kind the lists that take it and have room: there may be thousands of lists, and of pieces.
        let mut fitting: BTreeMap<KindId, Vec<usize>> = BTreeMap::new();
        for piece in loose {
            let fit = fitting.entry(piece.kind).or_insert_with(|| {
                let takes =
                    |zone: usize| game.zones.nth(zone).is_some_and(|zone| zone.kinds.contains(usize::from(piece.kind)));
                let places = self.uncounted.iter().zip(&room).enumerate();
                places.filter(|(_, ((zone, _), room))| **room != Some(0) && takes(*zone)).map(|(at, _)| at).collect()
            });
            // Where none has, any takes it.
            let drawn = dice.below(if fit.is_empty() { room.len() } else { fit.len() });
            let at = fit.get(drawn).copied().unwrap_or(drawn);
            if let Some(Some(room)) = room.get_mut(at) {
                *room = room.saturating_sub(1);
                if *room == 0 {
                    for fit in fitting.values_mut() {
                        if let Ok(place) = fit.binary_search(&at) {
                            fit.remove(place);
                        }
                    }
                }
            }
            if let Some(list) = below.get_mut(at) {
                list.push(piece);
            }
        }
        for (&(zone, index), mut pieces) in self.uncounted.iter().zip(below) {
            if let Some(list) = drawn.zones.get_mut(zone).and_then(|lists| lists.get_mut(index)) {
                // Below what is seen on top, each below the one before.
                pieces.reverse();
                pieces.append(list);
                *list = pieces;
            }
        }
    }

    /// Where all is seen of a piece but its owner, it may be any such piece, also among those of which nothing is seen; and
    /// what may be changed of a piece does not tell it from others.
    fn exchange_owners(&self, left: &mut [Vec<Piece>], dice: &mut Stream) {
        let sort = |piece: &Piece| self.written.lasting.sort(&Piece { owner: None, ..piece.clone() });
        let shown = self.faces.iter().filter(|face| !face.is_hidden() && face.owner.is_none());
        let mut touched = vec![false; left.len()];
        for alike in shown.map(sort).collect::<BTreeSet<Piece>>() {
            let may = |face: &Piece| face.owner.is_none() && (face.is_hidden() || sort(face) == alike);
            let lists = left.iter_mut().zip(&mut touched).zip(&self.faces).filter(|(_, face)| may(face));
            let mut places: Vec<&mut Piece> = Vec::new();
            for ((list, touched), _) in lists {
                *touched = true;
                // In an order that does not reveal whose each of them is.
                list.sort_by_cached_key(|piece| Piece { owner: None, ..self.written.key(piece) });
                places.extend(list.iter_mut().filter(|piece| piece.owner.is_some() && sort(piece) == alike));
            }
            let mut owners: Vec<Option<SeatId>> = places.iter().map(|piece| piece.owner).collect();
            owners.sort_unstable();
            mix(&mut owners, dice);
            for (piece, owner) in places.iter_mut().zip(owners) {
                piece.owner = owner;
            }
        }
        // The others are in that order already.
        for (list, _) in left.iter_mut().zip(touched).filter(|(_, touched)| *touched) {
            list.sort_by_cached_key(|piece| self.written.key(piece));
        }
    }

    /// One of the pieces, uniformly at random; if all lie open, one of those.
    pub(super) fn any(&self, game: &Game, dice: &mut Stream) -> Option<Piece> {
        let count = self.pieces.iter().map(Vec::len).sum();
        let Some(mut piece) = self.pieces.iter().flatten().nth(dice.below(count)).cloned() else {
            let seen = self.seen.as_ref()?;
            let open: Vec<&Piece> = seen.sites.iter().flatten().chain(seen.zones.iter().flatten().flatten()).collect();
            return open.get(dice.below(open.len())).copied().cloned();
        };
        self.written.draw(game, &mut piece, dice);
        self.secret.redraw(game, &mut piece, dice);
        Some(piece)
    }
}

/// Brings pieces into an order that depends on nothing but what is seen of them: lists whose order is not seen are sorted
/// by it, and pieces that are not counted are laid into one more zone.
fn arrange(
    seen: &mut Position,
    position: &mut Position,
    (uncounted, unordered): (&[List], &[List]),
    back: &dyn Fn(&Piece, &Piece) -> Back,
) {
    let mut loose: Vec<(Piece, Piece)> = Vec::new();
    let [mixed, open] = [unordered, uncounted].map(|lists| lists.iter().collect::<BTreeSet<&List>>());
    for list in unordered.iter().chain(uncounted) {
        let &(zone, index) = list;
        let lists = [&mut seen.zones, &mut position.zones].map(|zones| zones.get_mut(zone)?.get_mut(index));
        let [Some(faces), Some(pieces)] = lists else { continue };
        let mut both: Vec<(Piece, Piece)> = std::mem::take(faces).into_iter().zip(std::mem::take(pieces)).collect();
        if mixed.contains(list) {
            both.sort_by(|(one, _), (other, _)| one.cmp(other));
        }
        if open.contains(list) {
            let tops = usize::from(both.last().is_some_and(|(face, _)| !face.is_hidden()));
            loose.extend(both.drain(..both.len().saturating_sub(tops)));
        }
        (*faces, *pieces) = both.into_iter().unzip();
    }
    loose.sort_by_key(|(face, piece)| back(face, piece));
    let (faces, pieces) = loose.into_iter().unzip();
    seen.zones.push(vec![faces]);
    position.zones.push(vec![pieces]);
}

/// Brings a list into random order.
fn mix<T>(list: &mut [T], dice: &mut Stream) {
    for end in (1..list.len()).rev() {
        list.swap(end, dice.below(end + 1));
    }
}

/// The position with its hidden pieces dealt at random again; each place keeps its kind of back. Where it is not seen how
/// many lie in a list, there are as many as in another position that could be this one, or a random number.
pub(super) fn deal_hidden(
    game: &Game,
    position: &Position,
    hidden: &Hidden,
    like: Option<&Position>,
    dice: &mut Stream,
) -> Position {
    let mut drawn = position.clone();
    let Some(seen) = &hidden.seen else { return drawn };
    drawn.zones.clone_from(&hidden.zones);
    let mut left = hidden.pieces.clone();
    hidden.exchange_owners(&mut left, dice);
    for list in &mut left {
        mix(list, dice);
    }
    // First boards, where some pieces would be seen; then zones that take only some of the kinds.
    let mut dealt: Vec<Option<Piece>> = vec![None; hidden.backs.len()];
    let round = |narrow: Option<&Narrow>| match narrow {
        Some(Narrow::Board) => 0,
        Some(Narrow::Kinds(_)) => 1,
        None => 2,
    };
    for now in 0..3 {
        let mut sorts: Vec<Sorted<'_>> = left.iter_mut().map(Sorted::new).collect();
        for ((place, &back), narrow) in dealt.iter_mut().zip(&hidden.backs).zip(&hidden.narrow) {
            if round(narrow.as_ref()) == now
                && let Some(sorted) = sorts.get_mut(back)
            {
                *place = sorted.last_for(narrow.as_ref(), &hidden.open_on_boards);
            }
        }
        sorts.iter_mut().for_each(Sorted::put_back);
    }
    let mut next = dealt.into_iter();
    for_hidden(seen, &mut drawn, &mut |back, piece| {
        if let Some(other) = next.next().flatten() {
            *piece = other;
        }
        if back.owner.is_none() {
            hidden.secret.redraw_owner(piece, dice);
        }
        // Where the kind is seen, so are the fields.
        if back.is_hidden() {
            hidden.written.draw(game, piece, dice);
            hidden.secret.redraw(game, piece, dice);
        }
    });
    let loose = drawn.zones.pop().into_iter().flatten().flatten().collect();
    hidden.spread(game, loose, &mut drawn, like, dice);
    for &(zone, index) in &hidden.unordered {
        if let Some(list) = drawn.zones.get_mut(zone).and_then(|lists| lists.get_mut(index)) {
            mix(list, dice);
        }
    }
    for (zone, lists) in game.zones.iter().zip(&mut drawn.zones) {
        if zone.form == ZoneForm::Set {
            for list in lists {
                list.sort();
            }
        }
    }
    drawn
}

/// Samples a position that the viewer cannot tell from this one by sight: pieces seen only from the back change
/// places among places with the same kind of back, also between lists whose number of pieces it does not see; rows whose
/// order it does not see are mixed, and what was put in secret is drawn again. The sample need not be reachable
/// under the rules, and it does not depend on where the hidden pieces are in this position.
#[must_use]
pub fn determinize(engine: &dyn Engine, position: &Position, viewer: Viewer, dice: &mut Stream) -> Position {
    let glance = engine.explain().glance(position, viewer);
    deal_hidden(engine.game(), position, &Hidden::of(engine.game(), glance, position, &Gone::default()), None, dice)
}

/// For each kind, what it could be taken for from behind: kinds of one class, kinds that some zone may hold together, and
/// all kinds without a class have the same number.
fn mixed(game: &Game) -> Vec<usize> {
    let mut number: Vec<usize> = (0..game.kinds.len()).collect();
    let mut join = |kinds: &mut dyn Iterator<Item = usize>| {
        let mut first = None;
        for kind in kinds {
            let (one, other) = (number[*first.get_or_insert(kind)], number[kind]);
            for number in &mut number {
                if *number == other {
                    *number = one;
                }
            }
        }
    };
    let classes: BTreeSet<Option<&str>> = game.kinds.iter().map(|kind| kind.class.as_deref()).collect();
    for class in classes {
        let alike = game.kinds.iter().enumerate().filter(|(_, kind)| kind.class.as_deref() == class);
        join(&mut alike.map(|(number, _)| number));
    }
    for zone in &game.zones {
        join(&mut zone.kinds.iter());
    }
    number
}

/// Visits the pieces of a position that an observation does not show as they are, with what it shows.
fn for_hidden(seen: &Position, position: &mut Position, each: &mut dyn FnMut(&Piece, &mut Piece)) {
    for (seen, piece) in seen.sites.iter().zip(&mut position.sites) {
        if let (Some(seen), Some(piece)) = (seen, piece)
            && (seen.is_hidden() || *seen != *piece)
        {
            each(seen, piece);
        }
    }
    for (seen, lists) in seen.zones.iter().flatten().zip(position.zones.iter_mut().flatten()) {
        for (seen, piece) in seen.iter().zip(lists) {
            if seen.is_hidden() || *seen != *piece {
                each(seen, piece);
            }
        }
    }
}
