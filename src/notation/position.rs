//! The format of a position's text, and its defaults.
//!
//! A text without `at=`, `ask=`, `actor=` and `local.` means the beginning of a turn: the program runs from there to
//! the first question, which binds the local names of the turn. With any of them, the others default to their values
//! at the first question of the game; so they do if that question is outside any turn.
//!
//! Segments are separated by `|`; the first one is `GAME N`, the game's name and the number of seats. The others may
//! come in any order and may be left out.
//!
//! | segment | meaning | default |
//! |---|---|---|
//! | `mover=white` | the mover | the seat that begins |
//! | `ply=12`, `turn=12` | plies made, turns completed | 0 |
//! | `now=1200` | the logical clock | 0 |
//! | `actor=black` or `actor=-` | the seat that acts in place of the mover | the seat asked |
//! | `next_mover=white` | the seat given the next turn | none |
//! | `phase=bidding` or `phase=-` | the current phase | as at the start |
//! | `out=white:1,black:2` | seats that no longer play, with their ranks | none |
//! | `stone.white: e5 f6` | pieces of a kind and owner | none |
//! | `tile.blue{face=down}: a1` | pieces with non-default fields | none |
//! | `seed: a1*4 b1`, `seed.white: a1` | tokens | none |
//! | `deck: red*2 blue`, `hand(white): red` | the pieces in a zone, the last on top | none |
//! | `score(white)=3`, `var.turn=3` | a variable; `var.` if it is named like a segment | its initial value |
//! | `local.x.3=e5` | a local name (number 3, named x) | see above |
//! | `offers=draw:white` | the seats that have agreed to each offer | none |
//! | `at=b0.1 t0.0e b1.1 m` | the control stack, see below | see above |
//! | `ask=white choose 1.0` | the question, see below | see above; asked of the mover |
//! | `result=white:win:1:33 black:loss:2:15 rule.4` | verdict, rank and score of each seat, and why | none |
//! | `history=1f 2e =3c 5:4d` | the keys of earlier positions: one ply after the previous one, `=` at the same ply, or `N:` at ply N; `/` before the key of each separately counted part | that of this one |
//!
//! An entry of the control stack is a letter and numbers, outermost first; `3.1`
//! is statement 1 of block 3, and a seat may be `-`:
//!
//! | entry | construct |
//! |---|---|
//! | `b3.1` | block 3, statement 1 is next |
//! | `w3.1`, `r3.1*5`, `e3.1{a b}` | `while`; `repeat` with 5 iterations left; `for` with the members left, the next one last |
//! | `t3.1s` | `turns`; the next stage is the start `s`, the body `b`, the end `e` or the next seat `n` |
//! | `p2` | a phase; phase 2 is restored after it |
//! | `mwhite`, `awhite` | a move, or an act; this seat was the previous actor |
//! | `xt4`, `xm4`, `xu4` | end conditions from number 4 on: before a turn, after a move, after a turn |
//! | `z3.1*5` | a `shuffle`; 5 pieces have no place yet |
//! | `g3.1(b c;a=(sign rock))` | a `together`; b and c have yet to choose, a has |
//! | `q(white choose 3.1)` | a question to ask again |
//!
//! A question is `SEAT choose 3.1`, `SEAT pick 3.1`, `race 3.1`, `chance 3.1` or `over`.

use super::NotationError;
use super::value::spaced;
use crate::base::Bits;
use crate::ir::{Game, SeatId, Slot, StmtKind, Value};
use crate::model::{Ask, Engine, Frame, History, Position, Standing, TurnStage};

/// The maximum length of a position text: 1 MiB.
pub const MAX_LENGTH: usize = 1 << 20;

/// Words that a segment with `=` may begin with; a variable with such a name is written with `var.` before it.
pub(super) const WORDS: [&str; 15] = [
    "mover", "ply", "turn", "now", "actor", "given", "phase", "out", "offers", "at", "ask", "result", "history", "var",
    "local",
];

/// The pools of a kind of token: one, or one per seat.
pub(super) fn pools(game: &Game, tokens: usize) -> std::ops::Range<usize> {
    let size = |owned: bool| if owned { game.seats.len() } else { 1 };
    let before = |tokens: usize| game.tokens.iter().take(tokens).map(|t| size(t.owned)).sum();
    before(tokens)..before(tokens + 1)
}

/// The number of pools of all tokens.
pub(super) fn pool_count(game: &Game) -> usize {
    pools(game, game.tokens.len()).start
}

/// The position denoted by a text with only `mover=`, without history: empty boards, variables at their initial
/// values, the first question of the game, asked of the mover. When the game is over, nothing is asked.
pub(super) fn usual(engine: &dyn Engine, mover: SeatId, over: bool) -> Position {
    let game = engine.game();
    let start = engine.opening();
    let sites = game.topology.sites.len();
    let turned = |seat: SeatId| if seat == start.mover { mover } else { seat };
    let ask = match start.ask.clone() {
        Ask::Choose { seat, at } => Ask::Choose { seat: turned(seat), at },
        Ask::Pick { seat, at } => Ask::Pick { seat: turned(seat), at },
        other @ (Ask::Race { .. } | Ask::Chance { .. } | Ask::Over) => other,
    };
    let values = |var: &crate::ir::VarInfo| {
        let count = var.indices.iter().map(|(_, size)| *size).product();
        vec![var.init.clone(); count]
    };
    Position {
        sites: vec![None; sites],
        tokens: vec![vec![0; sites]; pool_count(game)],
        zones: start.zones.iter().map(|lists| vec![Vec::new(); lists.len()]).collect(),
        vars: game.vars.iter().map(values).collect(),
        locals: if over { vec![Value::Unset; game.slots.len()] } else { start.locals },
        mover,
        actor: if over { None } else { start.actor.map(turned) },
        next_mover: None,
        ply: 0,
        turn: 0,
        now: 0,
        phase: start.phase,
        standing: vec![Standing::Playing; game.seats.len()],
        offers: vec![Bits::new(); game.offers.len()],
        control: if over { Vec::new() } else { start.control },
        ask: if over { Ask::Over } else { ask },
        outcome: None,
        history: History::default(),
    }
}

/// Runs from the beginning of a position's turn to the first question there, for a text without a control stack.
/// Returns the position unchanged if the first question of the game is outside any turn.
pub(super) fn begun(engine: &dyn Engine, mut position: Position) -> Position {
    let game = engine.game();
    let Some(depth) = position.control.iter().rposition(|frame| matches!(frame, Frame::Turns(..))) else {
        return position;
    };
    let mut forget = |slot: Slot| {
        if let Some(local) = position.locals.get_mut(usize::from(slot)) {
            *local = Value::Unset;
        }
    };
    for frame in position.control.drain(depth + 1..).rev() {
        match frame {
            Frame::Block(block, _) => {
                let block = game.blocks.get(block);
                block.into_iter().flat_map(|block| &block.slots).copied().for_each(&mut forget);
            }
            Frame::Each((block, number), _) => {
                let stmt = game.blocks.get(block).and_then(|block| block.stmts.get(usize::from(number)));
                if let Some(StmtKind::For(slot, ..)) = stmt.map(|stmt| &stmt.kind) {
                    forget(*slot);
                }
            }
            Frame::Played(before) | Frame::Actor(before) => position.actor = before,
            Frame::Phase(before) => position.phase = before,
            Frame::While(_)
            | Frame::Repeat(..)
            | Frame::Turns(..)
            | Frame::Ends(..)
            | Frame::Shuffle(..)
            | Frame::Together(..)
            | Frame::Ask(_) => {}
        }
    }
    if let Some(Frame::Turns(_, stage)) = position.control.last_mut() {
        *stage = TurnStage::Begin;
    }
    position.ask = Ask::Over;
    engine.resume(&position)
}

/// The history denoted by a text that omits it: the position itself.
pub(super) fn usual_history(game: &Game, position: &Position) -> History {
    let mut history = History::default();
    if game.remembers && !position.in_setup(game) {
        history.push(position.ply, position.key(game), position.part_keys(game));
    }
    history
}

/// Earlier positions as text.
pub(super) fn print_history(history: &History) -> String {
    let mut next = Some(0);
    let mut word = |(ply, key, parts): (u32, u64, &[u64])| {
        let at = match next {
            Some(next) if next == ply => String::new(),
            Some(next) if next == ply + 1 => "=".to_owned(),
            _ => format!("{ply}:"),
        };
        next = ply.checked_add(1);
        let keys: Vec<String> = [key].iter().chain(parts).map(|key| format!("{key:x}")).collect();
        format!("{at}{}", keys.join("/"))
    };
    spaced(history.iter().map(&mut word))
}

/// Parses earlier positions.
pub(super) fn parse_history(game: &Game, text: &str) -> Result<History, NotationError> {
    let mut history = History::default();
    let mut next = Some(0);
    for word in text.split_whitespace() {
        let misfit = || NotationError::misfit("a key, which is a hexadecimal number, after no fewer plies", word);
        let (ply, key) = match (word.strip_prefix('='), word.split_once(':')) {
            (Some(key), _) => (next.and_then(|next: u32| next.checked_sub(1)), key),
            (None, Some((ply, key))) => (ply.parse().ok(), key),
            (None, None) => (next, word),
        };
        let keys = key.split('/').map(|key| u64::from_str_radix(key, 16).ok()).collect::<Option<Vec<u64>>>();
        let (Some(ply), Some((key, parts))) = (ply, keys.as_ref().and_then(|keys| keys.split_first())) else {
            return Err(misfit());
        };
        // What the text was written without counts from now on.
        let unknown = match game.parts.len().checked_sub(parts.len()) {
            Some(0) => 0,
            Some(more) if parts.len() == game.own_parts => more,
            Some(_) | None => return Err(misfit()),
        };
        if !history.push(ply, *key, parts.iter().copied().chain(std::iter::repeat_n(0, unknown))) {
            return Err(misfit());
        }
        next = ply.checked_add(1);
    }
    Ok(history)
}
