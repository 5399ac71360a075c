//! What a module says of itself: the names of what it calls by number.

use serde_json::{Map, Value, json};

use super::emit::Emit;
use crate::compile::program::{Head, Home};
use crate::ir::Ty;

/// The description, as JSON: the section `regelwerk` of the module; see `docs/module.md`.
pub(super) fn description(emit: &Emit<'_>) -> String {
    let (game, program) = (emit.game, emit.program);
    let actions = game.actions.iter().zip(&program.actions).map(|(action, lowered)| {
        let names = lowered.head.iter().filter_map(|line| match line {
            Head::Choose(slot, ..) => {
                game.slots.get(*slot).map(|slot| json!({ "name": slot.name, "type": sort(&slot.ty) }))
            }
            Head::Let(..) | Head::Require(_) | Head::Prefer(_) => None,
        });
        json!({ "name": action.name, "parameters": names.collect::<Vec<_>>() })
    });
    let pieces = (1..program.pieces.len()).map(|number| {
        let Some(piece) = program.pieces.get(number) else { return Value::Null };
        let kind = game.kinds.get(piece.kind).map(|kind| kind.name.clone());
        let owner = piece.owner.map(usize::from);
        json!({ "kind": kind, "owner": owner, "fields": piece.fields.to_vec() })
    });
    let variables = game.vars.iter().zip(&program.vars).filter_map(|(var, home)| match home {
        Home::Number(at) => {
            let places: usize = var.indices.iter().map(|(_, size)| *size).product();
            Some((var.name.clone(), json!({ "first": at, "values": places })))
        }
        Home::Set(_) | Home::List(_) | Home::Nowhere => None,
    });
    let mut pools = Vec::new();
    for token in &game.tokens {
        let count = if token.owned { game.seats.len() } else { 1 };
        pools.extend((0..count).map(|seat| json!({ "name": token.name, "owner": token.owned.then_some(seat) })));
    }
    json!({
        "game": game.title,
        "seats": game.seats.iter().map(|seat| seat.name.as_str()).collect::<Vec<_>>(),
        "sites": game.topology.sites.iter().map(|site| site.name.as_str()).collect::<Vec<_>>(),
        "actions": actions.collect::<Vec<_>>(),
        "pieces": pieces.collect::<Vec<_>>(),
        "tokens": pools,
        "variables": variables.collect::<Map<_, _>>(),
    })
    .to_string()
}

/// The sort of a parameter's values, which are numbers: of what.
fn sort(ty: &Ty) -> &'static str {
    match ty {
        Ty::Int => "number",
        Ty::Bool => "truth",
        Ty::Seat => "seat",
        Ty::Site => "site",
        Ty::Dir => "direction",
        Ty::Kind => "kind",
        Ty::Enum(_) => "member",
        Ty::Piece => "piece",
        Ty::Way | Ty::Move | Ty::Set(_) => "other",
    }
}
