//! What the functions of a module take and return.

use wasm_encoder::ValType;

use super::emit::{Emit, Export, Help, Key};
use crate::compile::program::{Body, Home};

/// What a function takes and returns.
pub(super) fn of(emit: &Emit<'_>, key: &Key) -> (Vec<ValType>, Vec<ValType>) {
    let (int, long) = (ValType::I32, ValType::I64);
    let longs = |count: usize| vec![long; count];
    match key {
        Key::Export(export) => {
            let result = match export {
                Export::Seed | Export::Start => vec![],
                Export::Argument
                | Export::Score
                | Export::Tokens
                | Export::Variable
                | Export::When
                | Export::Decisions
                | Export::Answers => vec![long],
                Export::Count
                | Export::Ask
                | Export::Seat
                | Export::Action
                | Export::Apply
                | Export::Undo
                | Export::Draw
                | Export::Playout
                | Export::Ply
                | Export::Turn
                | Export::Mover
                | Export::Verdict
                | Export::Rank
                | Export::Piece
                | Export::Held
                | Export::Lying
                | Export::Race
                | Export::Who => vec![int],
            };
            let of = if matches!(export, Export::Seed | Export::Race) { long } else { int };
            (vec![of; Emit::export_params(*export) as usize], result)
        }
        Key::Some(number, _) => {
            let memo = emit.program.memos.get(usize::from(*number));
            (longs(memo.iter().map(|memo| memo.params.len()).sum()), vec![int])
        }
        Key::Memo(number, _) => {
            let memo = emit.program.memos.get(usize::from(*number));
            let params = memo.iter().map(|memo| memo.params.len()).sum();
            let result = match memo.map(|memo| &memo.body) {
                Some(Body::Number(_)) => vec![long],
                Some(Body::Set(_)) => emit.set_types(),
                Some(Body::Test(_) | Body::Trial) | None => vec![int],
            };
            (longs(params), result)
        }
        Key::Procedure(body) => {
            let taken = emit.taken.get(body).map_or(&[][..], Vec::as_slice);
            let params = taken.iter().flat_map(|home| match home {
                Home::Number(_) => vec![long],
                Home::Set(_) => emit.set_types(),
                Home::List(_) => vec![int; 2],
                Home::Nowhere => Vec::new(),
            });
            (params.collect(), vec![int])
        }
        Key::Effects(action) | Key::Trial(action, _) | Key::Outcome(action) => {
            let action = emit.program.actions.get(usize::from(*action));
            (longs(action.iter().map(|action| Emit::arity(action) as usize).sum()), vec![int])
        }
        Key::Race(_) => (vec![long], vec![]),
        Key::Listing(..) | Key::Course | Key::Reason(_) => (vec![], vec![]),
        Key::Any(_) | Key::Ends(_) => (vec![], vec![int]),
        Key::Locate | Key::Play => (vec![int], vec![int]),
        Key::Help(help) => match help {
            Help::Put | Help::PutBack => (vec![long, int], vec![]),
            Help::SetTokens => (longs(3), vec![]),
            Help::Following | Help::Preceding | Help::Below | Help::Seen | Help::PartKey(_) => (longs(1), longs(1)),
            Help::Product | Help::Quotient | Help::Remainder | Help::Key | Help::PartSeen(_) => (longs(2), longs(1)),
            Help::Stood => (longs(2), vec![int]),
            Help::Forget => (vec![int], vec![]),
            Help::PlaceTop | Help::PlaceBottom => (emit.set_types(), vec![int]),
            Help::Block => (vec![], vec![]),
            Help::AddWalker => (vec![int, long], vec![]),
            Help::Sort | Help::Push | Help::SortWays => (vec![int; 2], vec![]),
            Help::Pop => (vec![int], vec![int]),
            Help::Pull => (vec![int, long], vec![int]),
            Help::Take => (vec![int, int, long], vec![int]),
            Help::Lay => (vec![int; 3], vec![]),
        },
    }
}
