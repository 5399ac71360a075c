//! What a seat can infer from which pieces move, worked out a third way: by two games that it cannot tell apart.
//!
//! All cards of a game with a trick are different, so that it can be followed which of them lies where. Two courses that a
//! viewer was told in the same words, and that looked the same to it, are played on alike: what is chosen or drawn in the one is
//! what lies in its place in the other. Which cards the viewer then sees may differ, but not where they come from, unless
//! one that has come to be seen explains it.

use std::collections::BTreeMap;

use regelwerk::ir::{Move, Piece, Value, ZoneForm};
use regelwerk::model::{Ask, Engine, Position, Viewer};
use regelwerk::play::{Stream, told};

use super::{Sight, Watch};

/// How many other beginnings are tried for one that looks the same.
const BEGINNINGS: usize = 60;

/// At most so many steps are played.
const STEPS: usize = 120;

/// By what marks a card in the one game: what marks the card in its place in the other.
type Places = BTreeMap<i32, i32>;

/// The zones whose pieces lie in no order that is seen.
const UNORDERED: [&str; 3] = ["hand(", "box", "line"];

/// The mark of a piece as it is printed; none for a back.
fn mark(piece: &str) -> Option<i32> {
    piece.split("id=").nth(1)?.trim_end_matches('}').parse().ok()
}

impl Watch<'_> {
    /// The places of all cards, as far as both games have as many there. Cards of a set stand for each other at random
    /// where the viewer does not see them.
    fn places(&self, one: &Position, two: &Position, dice: &mut Stream) -> Places {
        let mut places = Places::new();
        let zones = self.engine.game().zones.iter().zip(one.zones.iter().zip(&two.zones));
        let marks = |pieces: &[Piece]| {
            pieces.iter().filter_map(|piece| piece.fields.last().copied()).filter(|mark| *mark > 0).collect()
        };
        for (zone, (one, two)) in zones {
            for (one, two) in one.iter().zip(two) {
                let (mut one, mut two): (Vec<i32>, Vec<i32>) = (marks(one), marks(two));
                if zone.form == ZoneForm::Set {
                    // What both hold stands for itself, since it may be seen.
                    places.extend(one.iter().filter(|mark| two.contains(mark)).map(|mark| (*mark, *mark)));
                    let both: Vec<i32> = one.iter().copied().filter(|mark| two.contains(mark)).collect();
                    one.retain(|mark| !both.contains(mark));
                    two.retain(|mark| !both.contains(mark));
                    for at in (1..two.len()).rev() {
                        two.swap(at, dice.below(at + 1));
                    }
                }
                places.extend(one.into_iter().zip(two));
            }
        }
        let sites = one.sites.iter().zip(&two.sites);
        let tiles = sites.filter_map(|(one, two)| Some((one.as_ref()?.fields.last()?, two.as_ref()?.fields.last()?)));
        places.extend(tiles.map(|(one, two)| (*one, *two)));
        places
    }

    fn words(&self, position: &Position, mv: &Move) -> String {
        let own = position.asked().map(Viewer::Seat) == Some(self.viewer);
        format!("{:?} {:?}", told(self.engine, position, mv, self.viewer), own.then_some(mv))
    }

    /// Both are played to the first look, where they look the same.
    fn beginning(&self, dice: &mut Stream) -> Option<(Position, Position)> {
        let deal = |dice: &mut Stream, like: Option<&[(Move, String)]>| {
            let (mut position, mut steps) = (self.engine.start(), Vec::new());
            while matches!(position.ask, Ask::Chance { .. }) && steps.len() < STEPS {
                let legal = self.engine.legal(&position);
                let same = like.and_then(|like| like.get(steps.len())).filter(|_| dice.below(6) > 0);
                let mv = match same {
                    Some((mv, _)) if legal.contains(mv) => mv.clone(),
                    _ => legal.get(dice.below(legal.len()))?.clone(),
                };
                let words = self.words(&position, &mv);
                if like.is_some_and(|like| like.get(steps.len()).is_none_or(|(_, other)| *other != words)) {
                    return None;
                }
                position = self.engine.play_unchecked(&position, &mv);
                steps.push((mv, words));
            }
            Some((position, steps))
        };
        let (one, steps) = deal(dice, None)?;
        let seen = self.sight(&one);
        let fits = |other: &Position| *other != one && self.sight(other) == seen;
        (0..BEGINNINGS).find_map(|_| deal(dice, Some(&steps)).map(|(two, _)| two).filter(fits)).map(|two| (one, two))
    }

    /// Plays two games on that look alike from the beginning; how often they were compared, or what tells them apart.
    pub(super) fn pair(&self, dice: &mut Stream) -> Result<usize, String> {
        let Some((mut one, mut two)) = self.beginning(dice) else { return Ok(0) };
        let mut places = self.places(&one, &two, dice);
        let (mut past, mut looks, mut explained) = (Vec::new(), 0, false);
        for _ in 0..STEPS {
            if one.is_over() || two.is_over() {
                break;
            }
            let legal = self.engine.legal(&one);
            let Some(mv) = legal.get(dice.below(legal.len())) else { break };
            let image = image(mv, &places, &two);
            let possible = self.engine.legal(&two);
            let words = self.words(&one, mv);
            let same = possible.contains(&image);
            // Which piece it is, and what a shuffle does, may be seen later on.
            let numbers = !words.starts_with("[]") && mv.args.iter().all(|value| matches!(value, Value::Int(_)));
            let other = match (same, dice.below(4)) {
                (true, 1..) => image.clone(),
                (true, _) if !numbers => image.clone(),
                (false, _) if !numbers => break,
                _ => match possible.iter().filter(|other| self.words(&two, other) == words).nth(0) {
                    Some(other) => other.clone(),
                    None => break,
                },
            };
            let answer = self.words(&two, &other);
            let before = (one.clone(), two.clone());
            one = self.engine.play_unchecked(&one, mv);
            two = self.engine.play_unchecked(&two, &other);
            past.push(if answer == words { words.clone() } else { format!("{words} / {answer}") });
            let whole = |position: &Position| crate::support::print_position(self.engine, position);
            let say = |what: &str| {
                let [a, b, c, d] = [&before.0, &before.1, &one, &two].map(whole);
                Err(format!("{:?}: {past:#?}\n{what}\n{places:?}\n{a}\n{b}\n{c}\n{d}", self.viewer))
            };
            // A card that is named, and is another one.
            explained |= answer != words;
            if one.ask != two.ask {
                if explained || shown(&self.sight(&one), &self.sight(&two), &places) {
                    break;
                }
                return say("what is asked");
            }
            if matches!(one.ask, Ask::Chance { .. }) {
                continue;
            }
            let sights = [self.sight(&one), self.sight(&two)];
            looks += 1;
            if sights[0] == sights[1] {
                places = self.places(&one, &two, dice);
                explained = false;
                continue;
            }
            if explained || shown(&sights[0], &sights[1], &places) {
                break;
            }
            return say(&format!("{:#?}\n{:#?}", sights[0], sights[1]));
        }
        Ok(looks)
    }
}

/// A move of the one game in the other.
fn image(mv: &Move, places: &Places, two: &Position) -> Move {
    let pieces = || two.zones.iter().flatten().flatten().chain(two.sites.iter().flatten());
    let mut mv = mv.clone();
    for value in &mut mv.args {
        if let Value::Piece(piece) = value
            && let Some(id) = piece.fields.last().and_then(|id| places.get(id))
            && let Some(other) = pieces().find(|other| other.kind == piece.kind && other.fields.last() == Some(id))
        {
            *piece = other.clone();
        }
    }
    mv
}

/// Whether a card has come to be seen that is another one in its place in the other game, or shows something else.
fn shown(one: &Sight, two: &Sight, places: &Places) -> bool {
    one.pieces.iter().any(|(place, these)| {
        let those: Vec<&str> = two.pieces.get(place).map(|those| those.split(' ').collect()).unwrap_or_default();
        let unordered = UNORDERED.iter().any(|zone| place.starts_with(zone));
        these.split(' ').enumerate().any(|(at, this)| {
            let Some(other) = mark(this).and_then(|mark| places.get(&mark)) else { return false };
            let differs = |that: &str| mark(that) == Some(*other) && that != this;
            if unordered {
                those.iter().any(|that| differs(that))
            } else {
                those.get(at).is_some_and(|that| differs(that))
            }
        })
    })
}
