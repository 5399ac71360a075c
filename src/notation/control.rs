//! The control stack and the current question as text.
//!
//! Parsed references must point at statements of the right kind: a tampered position is refused here, before it
//! reaches an engine.

use super::NotationError;
use super::moves::{parse_action, print_named, slot_type};
use super::names::{atom_name, find_atom, split_top};
use super::value::{parse_value, print_value, spaced};
use super::zone::{MANY, too_many};
use crate::base::SaturatingFrom;
use crate::ir::{Game, PhaseId, SeatId, StmtKind, Ty};
use crate::model::{Ask, EndMoment, Frame, Position, StmtRef, TurnStage};

/// A question as text.
pub(super) fn print_ask(game: &Game, ask: &Ask) -> String {
    let place = |at: &StmtRef| format!("{}.{}", at.0, at.1);
    match ask {
        Ask::Choose { seat, at } => format!("{} choose {}", seat_name(game, *seat), place(at)),
        Ask::Pick { seat, at } => format!("{} pick {}", seat_name(game, *seat), place(at)),
        Ask::Race { at } => format!("race {}", place(at)),
        Ask::Chance { at } => format!("chance {}", place(at)),
        Ask::Over => "over".to_owned(),
    }
}

fn seat_name(game: &Game, seat: SeatId) -> String {
    atom_name(game, &Ty::Seat, usize::from(seat))
}

fn maybe_seat(game: &Game, seat: Option<SeatId>) -> String {
    seat.map_or_else(|| "-".to_owned(), |seat| seat_name(game, seat))
}

/// The control stack as text.
pub(super) fn print_control(game: &Game, position: &Position) -> String {
    spaced(position.control.iter().map(|frame| print_frame(game, frame)))
}

pub(super) fn print_frame(game: &Game, frame: &Frame) -> String {
    match frame {
        Frame::Block(block, next) => format!("b{block}.{next}"),
        Frame::While((block, number)) => format!("w{block}.{number}"),
        Frame::Repeat((block, number), left) => format!("r{block}.{number}*{left}"),
        Frame::Each(at, members) => {
            let ty = member_type(game, *at).unwrap_or(Ty::Int);
            let members = spaced(members.iter().map(|member| print_value(game, &ty, member)));
            format!("e{}.{}{{{members}}}", at.0, at.1)
        }
        Frame::Turns((block, number), stage) => {
            let stage = match stage {
                TurnStage::Begin => 's',
                TurnStage::Body => 'b',
                TurnStage::End => 'e',
                TurnStage::Pass => 'n',
            };
            format!("t{block}.{number}{stage}")
        }
        Frame::Phase(before) => before.map_or_else(|| "p-".to_owned(), |phase| format!("p{phase}")),
        Frame::Played(before) => format!("m{}", maybe_seat(game, *before)),
        Frame::Actor(before) => format!("a{}", maybe_seat(game, *before)),
        Frame::Ends(moment, number) => {
            let moment = match moment {
                EndMoment::BeforeTurn => 't',
                EndMoment::AfterMove => 'm',
                EndMoment::AfterTurn => 'u',
            };
            format!("x{moment}{number}")
        }
        Frame::Shuffle((block, number), left) => format!("z{block}.{number}*{left}"),
        Frame::Together(at, left, chosen) => {
            let left: Vec<String> = left.iter().map(|seat| seat_name(game, *seat)).collect();
            let chosen: Vec<String> = chosen
                .iter()
                .map(|(seat, mv)| format!("{}=({})", seat_name(game, *seat), print_named(game, mv)))
                .collect();
            format!("g{}.{}({};{})", at.0, at.1, left.join(" "), chosen.join(" "))
        }
        Frame::Ask(ask) => format!("q({})", print_ask(game, ask)),
    }
}

/// The statement with a place.
pub(super) fn kind(game: &Game, (block, number): StmtRef) -> Option<&StmtKind> {
    Some(&game.blocks.get(block)?.stmts.get(usize::from(number))?.kind)
}

fn member_type(game: &Game, at: StmtRef) -> Option<Ty> {
    if let StmtKind::For(slot, ..) = kind(game, at)? { Some(slot_type(game, *slot)) } else { None }
}

/// Parses a question.
pub(super) fn parse_ask(game: &Game, text: &str) -> Result<Ask, NotationError> {
    let forged = || NotationError::Forged { found: text.to_owned() };
    let words: Vec<&str> = text.split_whitespace().collect();
    let seat = |name: &str| find_atom(game, &Ty::Seat, name).map(SeatId::new);
    let ask = match words.as_slice() {
        ["over"] => Ask::Over,
        ["race", at] => Ask::Race { at: place(at).ok_or_else(forged)? },
        ["chance", at] => Ask::Chance { at: place(at).ok_or_else(forged)? },
        [name, "choose", at] => Ask::Choose { seat: seat(name)?, at: place(at).ok_or_else(forged)? },
        [name, "pick", at] => Ask::Pick { seat: seat(name)?, at: place(at).ok_or_else(forged)? },
        _ => {
            return Err(NotationError::misfit("a question, such as `SEAT choose 3.1` or `chance 3.1`", text));
        }
    };
    let fits = match &ask {
        Ask::Choose { at, .. } => {
            matches!(kind(game, *at), Some(StmtKind::Plays { .. } | StmtKind::Together { .. }))
        }
        Ask::Race { at } => matches!(kind(game, *at), Some(StmtKind::Race { .. })),
        Ask::Pick { at, .. } => matches!(kind(game, *at), Some(StmtKind::Pick(..))),
        Ask::Chance { at } => matches!(kind(game, *at), Some(StmtKind::Roll(..) | StmtKind::Shuffle(_))),
        Ask::Over => true,
    };
    if fits { Ok(ask) } else { Err(forged()) }
}

/// Parses a control stack.
pub(super) fn parse_control(game: &Game, text: &str) -> Result<Vec<Frame>, NotationError> {
    split_top(text, char::is_whitespace).into_iter().map(|entry| parse_frame(game, entry)).collect()
}

fn parse_frame(game: &Game, text: &str) -> Result<Frame, NotationError> {
    let forged = || NotationError::Forged { found: text.to_owned() };
    let mut letters = text.chars();
    let letter = letters.next().unwrap_or(' ');
    let rest = letters.as_str();
    let seat = |name: &str| match name {
        "-" => Ok(None),
        name => find_atom(game, &Ty::Seat, name).map(|seat| Some(SeatId::new(seat))),
    };
    match letter {
        'b' => {
            let (block, next) = place(rest).ok_or_else(forged)?;
            let length = game.blocks.get(block).ok_or_else(forged)?.stmts.len();
            if usize::from(next) > length { Err(forged()) } else { Ok(Frame::Block(block, next)) }
        }
        'w' => match place(rest) {
            Some(at) if matches!(kind(game, at), Some(StmtKind::While(..))) => Ok(Frame::While(at)),
            _ => Err(forged()),
        },
        'r' => {
            let (at, left) = rest.split_once('*').ok_or_else(forged)?;
            match (place(at), left.parse()) {
                (Some(at), Ok(left)) if matches!(kind(game, at), Some(StmtKind::Repeat(..))) => {
                    Ok(Frame::Repeat(at, left))
                }
                _ => Err(forged()),
            }
        }
        'e' => {
            let (at, members) = rest.split_once('{').ok_or_else(forged)?;
            let members = members.strip_suffix('}').ok_or_else(forged)?;
            let at = place(at).ok_or_else(forged)?;
            let ty = member_type(game, at).ok_or_else(forged)?;
            let members = split_top(members, char::is_whitespace);
            let members = members.into_iter().map(|member| parse_value(game, &ty, member));
            Ok(Frame::Each(at, members.collect::<Result<_, _>>()?))
        }
        't' => {
            let stage = match rest.chars().last() {
                Some('s') => TurnStage::Begin,
                Some('b') => TurnStage::Body,
                Some('e') => TurnStage::End,
                Some('n') => TurnStage::Pass,
                _ => return Err(forged()),
            };
            match rest.get(..rest.len() - 1).and_then(place) {
                Some(at) if matches!(kind(game, at), Some(StmtKind::Turns(..))) => Ok(Frame::Turns(at, stage)),
                _ => Err(forged()),
            }
        }
        'p' if rest == "-" => Ok(Frame::Phase(None)),
        'p' => match rest.parse::<PhaseId>() {
            Ok(phase) if usize::from(phase) < game.phases.len() => Ok(Frame::Phase(Some(phase))),
            _ => Err(forged()),
        },
        'm' => seat(rest).map(Frame::Played),
        'a' => seat(rest).map(Frame::Actor),
        'x' => {
            let moment = match rest.chars().next() {
                Some('t') => EndMoment::BeforeTurn,
                Some('m') => EndMoment::AfterMove,
                Some('u') => EndMoment::AfterTurn,
                _ => return Err(forged()),
            };
            match rest.get(1..).and_then(|number| number.parse::<u16>().ok()) {
                Some(number) if usize::from(number) <= game.ends.len() => Ok(Frame::Ends(moment, number)),
                _ => Err(forged()),
            }
        }
        'z' => {
            let (at, left) = rest.split_once('*').ok_or_else(forged)?;
            match (place(at), left.parse()) {
                (Some(at), Ok(left)) if matches!(kind(game, at), Some(StmtKind::Shuffle(_))) => {
                    if usize::saturating_from(left) > MANY {
                        return Err(too_many("the number of pieces left to shuffle", text));
                    }
                    Ok(Frame::Shuffle(at, left))
                }
                _ => Err(forged()),
            }
        }
        'g' => parse_together(game, rest).ok_or_else(forged),
        'q' => {
            let inner = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or_else(forged)?;
            match parse_ask(game, inner)? {
                Ask::Over => Err(forged()),
                ask @ (Ask::Choose { .. } | Ask::Pick { .. } | Ask::Race { .. } | Ask::Chance { .. }) => {
                    Ok(Frame::Ask(ask))
                }
            }
        }
        _ => Err(NotationError::misfit("an entry of the control stack, such as `b0.1`", text)),
    }
}

fn place(text: &str) -> Option<StmtRef> {
    let (block, number) = text.split_once('.')?;
    let plain = |text: &str| !text.starts_with('+');
    if !plain(block) || !plain(number) {
        return None;
    }
    Some((block.parse().ok()?, number.parse().ok()?))
}

/// Parses a `together`: place, seats left, moves chosen.
fn parse_together(game: &Game, text: &str) -> Option<Frame> {
    let (at, inner) = text.split_once('(')?;
    let (left, chosen) = inner.strip_suffix(')')?.split_once(';')?;
    let at = place(at).filter(|at| matches!(kind(game, *at), Some(StmtKind::Together { .. })))?;
    let seat = |name: &str| find_atom(game, &Ty::Seat, name).ok().map(SeatId::new);
    let left = left.split_whitespace().map(seat).collect::<Option<Vec<_>>>()?;
    // The next one is the last, and each chooses once.
    if !left.is_sorted_by(|a, b| a > b) {
        return None;
    }
    let moves = split_top(chosen, char::is_whitespace).into_iter().map(|entry| {
        let (name, mv) = entry.split_once('=')?;
        let mv = mv.strip_prefix('(')?.strip_suffix(')')?;
        Some((seat(name)?, parse_action(game, mv).ok()?))
    });
    Some(Frame::Together(at, left, moves.collect::<Option<_>>()?))
}
