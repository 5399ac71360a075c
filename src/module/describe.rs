//! What a module says of itself: the names of what it calls by number.

use serde_json::{Map, Value, json};

use super::emit::{Emit, Key};
use crate::compile::program::{Head, Home};
use crate::ir::{ActionId, ActionRef, Game, Ty};

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
    let zones = game.zones.iter().zip(&program.zones).map(|(zone, info)| {
        let lists: usize = zone.indices.iter().map(|(_, size)| *size).product();
        (zone.name.clone(), json!({ "first": info.first, "lists": lists }))
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
        "zones": zones.collect::<Map<_, _>>(),
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
        Ty::Way => "way",
        Ty::Move | Ty::Set(_) => "other",
    }
}

/// What a function is called in the module, for those who look at where time goes or at a trap.
pub(super) fn function(game: &Game, key: &Key, index: u32) -> String {
    let action = |number: ActionId| game.actions.get(number).map_or("", |action| action.name.as_str());
    let listed = |action_: &ActionRef| match action_ {
        ActionRef::Action(number) => action(*number),
        ActionRef::Pass => "pass",
        ActionRef::Decline => "decline",
        ActionRef::Pick => "pick",
        ActionRef::Race(_) => "race",
        ActionRef::Wait => "wait",
    };
    let names = |actions: &mut dyn Iterator<Item = &ActionRef>| actions.map(listed).collect::<Vec<_>>().join(" ");
    match key {
        Key::Export(export) => format!("{export:?}").to_lowercase(),
        Key::Memo(number, false) => format!("definition {number}"),
        Key::Memo(number, true) => format!("definition {number} noted"),
        Key::Reason(number) => format!("reason of definition {number}"),
        Key::Some(number, _) => format!("any of definition {number}"),
        Key::Procedure(_) => format!("procedure {index}"),
        Key::Effects(number) => format!("effects of {}", action(*number)),
        Key::Trial(number, _) => format!("trial of {}", action(*number)),
        Key::Outcome(number) => format!("outcome of {}", action(*number)),
        Key::Listing(groups, _) => format!("list {}", names(&mut groups.iter().flatten())),
        Key::Any(actions) => format!("any {}", names(&mut actions.iter())),
        Key::Race(_) => format!("race {index}"),
        Key::Ends(moment) => format!("ends {moment}"),
        Key::Course => "course".to_owned(),
        Key::Help(help) => format!("help {help:?}").to_lowercase(),
        Key::Locate => "locate".to_owned(),
        Key::Play => "carry out".to_owned(),
    }
}
