//! Games, outcomes and rules as JSON.

use serde_json::{Map, Value, json};

use crate::api::Rules;
use crate::base::Sources;
use crate::ir::{Action, Game, RuleId, SeatId, Ty};
use crate::load::{Choice, Offer};
use crate::model::{Observation, Outcome};
use crate::notation::{claim_pattern, move_pattern, print_value, variable_name, zone_name};
use crate::say::Lang;
use crate::view::{kind_word, outcome as told, source_line};

/// The settings available, and those of this game: numbers of players, variants, options, readings.
#[must_use]
pub fn offered(lang: Lang, game: &Game, offer: &Offer) -> Map<String, Value> {
    let said = |name: &str, text: &str| game.clauses.setting(lang.tag(), name).unwrap_or(text).to_owned();
    let choice = |choice: &Choice| {
        json!({
            "name": choice.name, "text": said(&choice.name, &choice.text), "default": choice.default, "value": choice.chosen(game),
            "values": choice.values, "clauses": choice.clauses,
        })
    };
    let variant = |(name, title, clauses): &(String, String, Vec<String>)| json!({"name": name, "title": said(name, title), "clauses": clauses, "played": game.variants.contains(name)});
    let lists = [
        ("player_counts", json!(offer.players)),
        ("variants", offer.variants.iter().map(variant).collect()),
        ("options", offer.options.iter().map(choice).collect()),
        ("readings", offer.readings.iter().map(choice).collect()),
    ];
    lists.into_iter().map(|(name, list)| (name.to_owned(), list)).collect()
}

/// What stays the same throughout a game.
pub(super) fn opening(rules: &Rules) -> Value {
    let game = rules.game();
    let seats: Vec<Value> =
        game.seats.iter().map(|seat| json!({"name": seat.name, "title": seat.title, "symbol": seat.symbol})).collect();
    let written =
        |action: &Action, pattern: String| json!({"name": action.name, "title": action.title, "pattern": pattern});
    let settings: Map<String, Value> = game.settings.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    json!({
        "rules": rules.name(),
        "title": game.title,
        "digest": game.pin(),
        "seats": seats,
        "variants": game.variants,
        "settings": settings,
        "secrets": !game.has_perfect_information(),
        "moves": game.actions.iter().map(|a| written(a, move_pattern(game, a))).collect::<Vec<_>>(),
        "claims": game.claims.iter().map(|c| written(&c.action, claim_pattern(game, &c.action))).collect::<Vec<_>>(),
        "offers": game.offers.iter().map(|o| json!({"name": o.name, "title": o.title})).collect::<Vec<_>>(),
    })
}

/// The name of a seat; null if there is none.
pub(super) fn seat_name(game: &Game, seat: Option<SeatId>) -> Value {
    json!(seat.and_then(|seat| game.seats.get(seat)).map(|seat| &seat.name))
}

/// The outcome of a game: the single JSON format, here and on the command line.
pub(crate) fn outcome(lang: Lang, game: &Game, outcome: &Outcome) -> Value {
    let rule = outcome.ending.rule().and_then(|rule| game.rules.get(rule));
    let seat = |(number, seat): (usize, &crate::ir::Seat)| {
        let verdict = outcome.verdicts.get(number).map(|verdict| verdict.word());
        let rank = outcome.ranks.get(number).filter(|rank| **rank > 0);
        (seat.name.clone(), json!({"verdict": verdict, "rank": rank, "score": outcome.score(number)}))
    };
    json!({
        "text": told(lang, game, outcome),
        "ending": outcome.ending.word(),
        "rule": rule.map(|rule| &rule.name),
        "clauses": outcome.clauses(game),
        "seats": game.seats.iter().enumerate().map(seat).collect::<Map<_, _>>(),
    })
}

/// Rules with their places, and the texts of the clauses they implement; of a refusal, those that can forbid.
pub(super) fn grounds(lang: Lang, game: &Game, sources: &Sources, rules: &[RuleId], legal: bool) -> (Value, Value) {
    let ids = if legal { game.clauses_of(rules) } else { game.forbidding(rules) };
    let text = |id: &str| Some(json!(game.clauses.clauses.get(id)?.text_in(lang.tag())));
    let clauses: Map<String, Value> = ids.into_iter().filter_map(|id| Some((id.to_owned(), text(id)?))).collect();
    let mut listed = Vec::new();
    for rule in rules.iter().filter_map(|rule| game.rules.get(*rule)) {
        let place = sources.get(rule.span.file).map(|source| (&source.name, sources.line_column(rule.span).0));
        listed.push(json!({
            "kind": kind_word(rule.kind), "name": rule.name, "clauses": rule.clauses,
            "file": place.map(|(name, _)| name), "line": place.map(|(_, line)| line),
            "text": source_line(sources, rule.span),
        }));
    }
    (json!(listed), Value::Object(clauses))
}

/// The contents of boards, zones and variables, as far as a position shows them. Hidden pieces begin with `?`, hidden
/// variables are `?`; what is empty or has its initial value is left out.
pub(super) fn table(game: &Game, position: &Observation) -> Value {
    let site = |number: usize| game.topology.sites.get(number).map_or(String::new(), |site| site.name.clone());
    let piece = |piece: &crate::ir::Piece| print_value(game, &Ty::Piece, &crate::ir::Value::Piece(piece.clone()));
    let standing = position.sites.iter().enumerate();
    let pieces: Map<String, Value> =
        standing.filter_map(|(at, on)| Some((site(at), json!(piece(on.as_ref()?))))).collect();
    let owners = game.tokens.iter().flat_map(|kind| {
        let seats = game.seats.iter().map(|seat| format!("{}.{}", kind.name, seat.name));
        if kind.owned { seats.collect() } else { vec![kind.name.clone()] }
    });
    let counted = |counts: &Vec<u32>| -> Map<String, Value> {
        counts.iter().enumerate().filter(|(_, n)| **n > 0).map(|(at, n)| (site(at), json!(n))).collect()
    };
    let tokens: Map<String, Value> =
        owners.zip(&position.tokens).map(|(name, counts)| (name, Value::Object(counted(counts)))).collect();
    let mut zones = Map::new();
    for (number, lists) in position.zones.iter().enumerate() {
        for (index, list) in lists.iter().enumerate() {
            zones.insert(zone_name(game, number, index), list.iter().map(|one| json!(piece(one))).collect());
        }
    }
    let mut variables = Map::new();
    for (number, (info, values)) in game.vars.iter().zip(&position.vars).enumerate() {
        for (index, value) in values.iter().enumerate().filter(|(_, value)| **value != info.init) {
            variables.insert(variable_name(game, number, index), json!(print_value(game, &info.ty, value)));
        }
    }
    json!({"pieces": pieces, "tokens": tokens, "zones": zones, "variables": variables})
}
