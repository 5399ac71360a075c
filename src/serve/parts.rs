//! The components of a game, its picture, and structured moves: what a user interface needs beyond text.

use serde_json::{Map, Value, json};

use super::fault::{Code, Fault};
use super::game::{Open, budget};
use super::json::seat_name;
use super::request::Fields;
use super::size::{self, bounded};
use crate::api::Bot;
use crate::base::SaturatingFrom;
use crate::ir::{Action, ActionRef, Game, Move, Piece, SeatId, Ty, Value as IrValue, ZoneForm};
use crate::model::{Ask, Observation, Viewer};
use crate::notation::{parameter_names, parameter_types, print_value, zone_name};
use crate::play::{Step, Who};
use crate::view::{picture, seat_symbol};

impl Open {
    /// Kinds of piece, zones, tokens, variables and sites, with their titles.
    pub(super) fn components(&self) -> Result<Value, Fault> {
        let game = self.ir();
        bounded("the list of components", size::zones(game))?;
        let site = |seat: Option<SeatId>| seat_name(game, seat);
        let boards = &game.topology.boards;
        let sites: Vec<Value> = game
            .topology
            .sites
            .iter()
            .map(|info| {
                let board = boards.get(usize::from(info.board)).map(|board| &board.name);
                json!({"name": info.name, "board": board, "at": [info.at.0, info.at.1], "seat": site(info.seat)})
            })
            .collect();
        let seats: Vec<Value> = game
            .seats
            .iter()
            .enumerate()
            .map(|(number, seat)| json!({"name": seat.name, "title": seat.title, "symbol": seat_symbol(game, number)}))
            .collect();
        let kinds: Vec<Value> = game.kinds.iter().map(|kind| {
            let fields: Vec<Value> = kind.fields.iter().map(|field| json!({"name": field.name, "symbol": field.symbol, "type": word(&field.ty)})).collect();
            json!({"name": kind.name, "title": kind.title, "symbol": kind.symbol, "owned": kind.owned, "fields": fields})
        }).collect();
        let members = |(name, title): &(String, String)| json!({"name": name, "title": title});
        let enums: Map<String, Value> =
            game.enums.iter().map(|one| (one.name.clone(), one.members.iter().map(members).collect())).collect();
        let tokens: Vec<Value> =
            game.tokens.iter().map(|kind| json!({"name": kind.name, "title": kind.title})).collect();
        let variables: Map<String, Value> = game.vars.iter().map(|var| (var.name.clone(), json!(var.title))).collect();
        Ok(json!({
            "seats": seats, "sites": sites, "kinds": kinds, "enums": enums, "tokens": tokens, "variables": variables,
            "zones": zones(game), "phases": game.phases.iter().collect::<Vec<_>>(),
        }))
    }

    /// The boards as the sender sees them, drawn.
    pub(super) fn picture(&self, fields: &Fields) -> Result<Value, Fault> {
        let seen = self.seen(fields)?;
        Ok(json!({"svg": picture(self.ir(), &seen, &self.ir().title)}))
    }

    /// The position as the sender sees it, now or before a step.
    pub(super) fn seen(&self, fields: &Fields) -> Result<Observation, Fault> {
        let door = self.session.door(self.who(fields)?);
        let Some(step) = fields.number("step")?.map(usize::saturating_from) else { return Ok(door.position()) };
        door.position_before(step).ok_or_else(|| {
            Fault::new(
                Code::BadValue,
                format!("there is no step {step}"),
                format!("the steps are 0 to {}", self.steps()),
            )
        })
    }

    /// A bot's move for a seat that is to act, or its next act in a race; null if it would not act.
    pub(super) fn choose(&self, fields: &Fields, late: &dyn Fn() -> bool) -> Result<Value, Fault> {
        let Who::Viewer(Viewer::Seat(seat)) = self.who(fields)? else {
            return Err(Fault::new(Code::NotAsked, "a bot plays for a seat", "name the seat as `who`"));
        };
        let cure = "give `random`, `mcts:1000` (iterations) or `alphabeta:4` (answers deep)";
        let Some(name) = fields.text("bot")? else { return Err(fields.missing("bot", cure)) };
        let bad = |error: crate::api::BotError| Fault::new(Code::BadValue, error.to_string(), cure);
        let bot: Bot = name.parse().map_err(bad)?;
        bot.fits(self.session.rules()).map_err(bad)?;
        let chosen = match self.public().ask {
            Ask::Choose { seat: asked, .. } | Ask::Pick { seat: asked, .. } if asked == seat => {
                Some(self.session.hurried().choose_until(&bot, late).ok_or_else(budget)?)
            }
            Ask::Race { .. } => {
                let door = self.session.door(Who::seat(seat));
                let told = |mv: Move| json!({"time": mv.time(), "move": door.written(&Step::Move(mv)).open()});
                let endless = || {
                    let message = "when this seat may act cannot be found out within the step budget";
                    Fault::new(Code::Limit, message, "compare `now` in guards with what is known before")
                };
                let act = self.session.act(seat).ok_or_else(endless)?;
                return Ok(act.map_or_else(|| json!({"move": null}), told));
            }
            Ask::Choose { .. } | Ask::Pick { .. } | Ask::Chance { .. } | Ask::Over => {
                let message = format!("`{}` is not asked", self.name(seat));
                return Err(Fault::new(Code::NotAsked, message, "wait until `asked` names the seat"));
            }
        };
        let mut told = json!({"move": chosen.map(|mv| mv.to_string())});
        if late() {
            told["late"] = json!(true);
        }
        Ok(told)
    }

    /// A structured move; `picked` is the type of what is picked, if the question is for a value.
    pub(super) fn parts(&self, mv: &Move, picked: Option<&Ty>) -> Value {
        let game = self.ir();
        let action = match mv.action {
            ActionRef::Action(number) | ActionRef::Race(number) => game.actions.get(number),
            ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => None,
        };
        let mut types = parameter_types(game, mv);
        if mv.action == ActionRef::Pick {
            types.extend(picked.cloned());
        }
        let timed = matches!(mv.action, ActionRef::Race(_));
        let names = action.map_or_else(Vec::new, |action| names(game, action, timed));
        let args = types.iter().zip(&mv.args).enumerate().filter(|(at, _)| !(timed && *at == 1));
        let args: Vec<Value> = args
            .map(|(at, (ty, value))| {
                let mut part = part(game, ty, value);
                part["name"] = json!(names.get(at));
                part
            })
            .collect();
        json!({"action": action.map(|action| &action.name), "args": args})
    }
}

/// The names of an action's parameters; for an act in a race, including the seat and the time.
fn names<'a>(game: &'a Game, action: &Action, timed: bool) -> Vec<&'a str> {
    let own = parameter_names(game, action);
    if timed { ["seat", "time"].into_iter().chain(own).collect() } else { own }
}

/// The zones by their names in views, with the declared zone and index each stands for.
fn zones(game: &Game) -> Map<String, Value> {
    let mut found = Map::new();
    for (number, zone) in game.zones.iter().enumerate() {
        let form = match zone.form {
            ZoneForm::Pile => "pile",
            ZoneForm::Row => "row",
            ZoneForm::Set => "set",
        };
        let count = zone.indices.iter().map(|(_, size)| *size).product();
        for index in 0..count {
            // The last index varies fastest.
            let (mut rest, mut seat) = (index, None);
            for (ty, size) in zone.indices.iter().rev() {
                if *ty == Ty::Seat {
                    seat = Some(SeatId::new(rest % (*size).max(1)));
                }
                rest /= (*size).max(1);
            }
            let site = |at: usize| game.topology.sites.get(at).map(|site| &site.name);
            let beside: Vec<_> =
                zone.beside.get(index).map(|sites| sites.iter().map(site).collect()).unwrap_or_default();
            let kinds: Vec<_> = zone.kinds.iter().map(|kind| game.kinds.nth(kind).map(|kind| &kind.name)).collect();
            let one = json!({
                "zone": zone.name, "title": zone.title, "form": form, "seat": seat_name(game, seat), "kinds": kinds, "beside": beside,
            });
            found.insert(zone_name(game, number, index), one);
        }
    }
    found
}

/// A value with its type; for a way also its end, for several pieces each of them.
fn part(game: &Game, ty: &Ty, value: &IrValue) -> Value {
    let site = |number: usize| game.topology.sites.get(number).map(|site| &site.name);
    let piece = |piece: &Piece| print_value(game, &Ty::Piece, &IrValue::Piece(piece.clone()));
    let mut found = json!({"type": word(ty), "text": print_value(game, ty, value)});
    match value {
        IrValue::Way(way) => {
            found["to"] = json!(site(way.to as usize));
            found["over"] = way.trail.iter().map(|at| json!(site(*at as usize))).collect();
            found["takes"] = way.taken.iter().map(|at| json!(site(at))).collect();
        }
        IrValue::Set(_) | IrValue::Pieces(_) => {
            let members = value.clone().members();
            let one = |member: &IrValue| {
                if let IrValue::Piece(one) = member {
                    json!(piece(one))
                } else {
                    json!(print_value(game, ty.element(), member))
                }
            };
            found["of"] = json!(word(ty.element()));
            found["members"] = members.iter().map(one).collect();
        }
        IrValue::Atom(number) => {
            let title = match ty {
                Ty::Enum(info) => {
                    let info = game.enums.get(*info);
                    info.and_then(|info| info.members.get(*number as usize)).map(|(_, title)| title)
                }
                Ty::Kind => game.kinds.nth(*number as usize).map(|kind| &kind.title),
                Ty::Seat => game.seats.nth(*number as usize).map(|seat| &seat.title),
                Ty::Site | Ty::Dir | Ty::Int | Ty::Bool | Ty::Piece | Ty::Way | Ty::Move | Ty::Set(_) => None,
            };
            if let Some(title) = title.filter(|title| !title.is_empty()) {
                found["title"] = json!(title);
            }
        }
        IrValue::Unset
        | IrValue::Int(_)
        | IrValue::Bool(_)
        | IrValue::Piece(_)
        | IrValue::Ints(_)
        | IrValue::Ways(_)
        | IrValue::Move(_)
        | IrValue::Moves(_) => {}
    }
    found
}

fn word(ty: &Ty) -> &'static str {
    match ty {
        Ty::Int => "int",
        Ty::Bool => "bool",
        Ty::Seat => "seat",
        Ty::Site => "site",
        Ty::Dir => "direction",
        Ty::Kind => "kind",
        Ty::Enum(_) => "enum",
        Ty::Piece => "piece",
        Ty::Way => "way",
        Ty::Move => "move",
        Ty::Set(_) => "set",
    }
}
