//! Local names in the text of a position: what the rest of the turn reads must be given, and nothing else may be.
//!
//! A local name has its value from where it is bound to the end of its block. Elsewhere it has none: a value that lies
//! where no block would clear it is a value that no game has.

use super::NotationError;
use super::read::parse_maybe;
use crate::ir::{Game, Slot, StmtKind, Value};
use crate::model::{Ask, Frame, HELD, Position};

/// Whether the key of a segment is that of a local name.
pub(super) fn names_slot(key: &str, slot: Slot) -> bool {
    let number = key.strip_prefix("local.").and_then(|label| label.rsplit_once('.'));
    number.and_then(|(_, number)| number.parse().ok()) == Some(usize::from(slot))
}

/// Sets a local name, `x.3` for the name `x` with the number 3.
pub(super) fn set_local(game: &Game, position: &mut Position, label: &str, text: &str) -> Result<(), NotationError> {
    let forged = || NotationError::Forged { found: format!("local.{label}") };
    let (name, number) = label.rsplit_once('.').ok_or_else(forged)?;
    let number: usize = number.parse().map_err(|_| forged())?;
    let slot = game.slots.nth(number).filter(|slot| slot.name == name).ok_or_else(forged)?;
    let value = parse_maybe(game, &slot.ty, text)?;
    if let Some(place) = position.locals.get_mut(number) {
        *place = value;
    }
    if position.locals.iter().map(Value::size).sum::<usize>() > HELD {
        return Err(NotationError::OutOfRange {
            what: "the number of members".to_owned(),
            found: format!("local.{label}"),
            limits: format!("all local names together have at most {HELD}"),
        });
    }
    Ok(())
}

/// The local names that have their values at the position's question: those of what is still open.
fn open_names(game: &Game, position: &Position) -> Vec<Slot> {
    let mut names = Vec::new();
    for frame in &position.control {
        match frame {
            Frame::Block(block, _) => {
                names.extend(game.blocks.get(*block).iter().flat_map(|block| block.slots.iter().copied()));
            }
            Frame::Each((block, number), _) => {
                let stmt = game.blocks.get(*block).and_then(|block| block.stmts.get(usize::from(*number)));
                if let Some(StmtKind::For(slot, ..)) = stmt.map(|stmt| &stmt.kind) {
                    names.push(*slot);
                }
            }
            Frame::While(_)
            | Frame::Repeat(..)
            | Frame::Turns(..)
            | Frame::Phase(_)
            | Frame::Played(_)
            | Frame::Actor(_)
            | Frame::Ends(..)
            | Frame::Shuffle(..)
            | Frame::Together(..)
            | Frame::Ask(_) => {}
        }
    }
    names
}

/// Refuses a position within a turn that lacks the value of a local name on which the rest of the turn depends, or that
/// gives one to a name that has none here. What is not given has none either.
pub(super) fn settle(game: &Game, position: &mut Position, given: &dyn Fn(Slot) -> bool) -> Result<(), NotationError> {
    let open = open_names(game, position);
    for (slot, info) in game.slots.numbered().filter(|(slot, _)| !open.contains(slot)) {
        let Some(value) = position.locals.get_mut(usize::from(slot)) else { continue };
        if *value != Value::Unset && given(slot) {
            return Err(NotationError::Unbound { name: format!("local.{}.{slot}", info.name) });
        }
        *value = Value::Unset;
    }
    match lacking(game, position, &open).and_then(|slot| Some((slot, game.slots.get(slot)?))) {
        Some((slot, info)) => {
            let what = format!("`local.{}.{slot}=`, on which the rest of the turn depends", info.name);
            Err(NotationError::Missing { what })
        }
        None => Ok(()),
    }
}

/// A name without a value that the rest of the turn reads. Names of viewers and of parameters are bound where they are
/// used.
fn lacking(game: &Game, position: &Position, open: &[Slot]) -> Option<Slot> {
    let alive = game.alive();
    let mut read = position.control.iter().flat_map(|frame| frame.reads(&alive)).chain(position.ask.reads(&alive));
    // What the answer will bind need not be bound yet.
    let (Ask::Pick { at, .. } | Ask::Chance { at } | Ask::Race { at } | Ask::Choose { at, .. }) = position.ask else {
        return None;
    };
    let block = game.blocks.get(at.0);
    let stmt = block.and_then(|block| block.stmts.get(usize::from(at.1)));
    let bound = stmt.and_then(|stmt| stmt.kind.choice_or_roll()).map(|(slot, ..)| slot);
    let unset = |slot: Slot| position.locals.get(usize::from(slot)) == Some(&Value::Unset);
    read.find(|slot| Some(**slot) != bound && open.contains(slot) && unset(**slot)).copied()
}
