//! `show`: a game and a position of it.

use serde_json::{Value, json};

use super::exit::{Exit, Failure};
use super::game::{GameArgs, dealt, open};
use super::ui::Ui;
use crate::api::Rules;
use crate::base::FileId;
use crate::ir::SeatId;
use crate::load::Choice;
use crate::model::{Ask, Observation, Position};
use crate::notation::{claim_pattern, move_pattern, print_move, print_position};
use crate::say::{Arg, Lang};
use crate::serve::offered;
use crate::serve::outcome;
use crate::view::{Look, asked, position as draw, rule_line, seat_symbol, seat_title};

/// How many bytes of legal moves are listed: with long names, 100 000 moves have many more.
const LISTED: usize = 16 << 20;

/// Lines of moves are wrapped at this column.
const WIDTH: usize = 78;

/// Shows a game: board, setup, options, readings, variants, legal moves
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ShowArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Show this position instead of the initial one
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Show only the legal moves
    #[arg(long)]
    moves: bool,
    /// Show only what can be chosen: players, variants, options, readings
    #[arg(long)]
    options: bool,
    /// Show the text of the rule file and of those it extends
    #[arg(long)]
    source: bool,
}

/// The interpreter of the game, and what was not lowered.
fn lowering(ui: Ui, opened: &Rules) {
    let engine = opened.engine();
    let (constructs, gaps) = engine.lowering().unwrap_or_default();
    ui.line(format!("engine `{}`: {constructs} constructs, {} of them not lowered", engine.name(), gaps.len()));
    for (what, rule) in gaps {
        ui.line(format!("{what}: {}", rule_line(Lang::En, opened.game(), opened.sources(), rule)));
    }
}

/// Runs the command.
pub(super) fn run(args: &ShowArgs, ui: Ui) -> Result<Exit, Failure> {
    let opened = open(ui, &args.game.game, &args.game.setup)?;
    let position = dealt(&opened, args.position.as_deref(), args.game.setup.seed())?;
    if ui.is_json() {
        ui.json(&as_json(&opened, &position));
        return Ok(Exit::Done);
    }
    if args.source {
        let mut number = 0;
        while let Some(source) = opened.sources().get(FileId(number)) {
            ui.print(&format!("// {}\n{}\n", source.name, source.text));
            number += 1;
        }
        return Ok(Exit::Done);
    }
    if args.game.setup.engine == Some(None) {
        lowering(ui, &opened);
        return Ok(Exit::Done);
    }
    let all = !args.moves && !args.options;
    if all {
        heading(ui, &opened);
        ui.line("");
        ui.print(&draw(
            opened.game(),
            &Observation::referee(&position),
            &Look { colour: true, lang: ui.lang, ..Look::default() },
        ));
        let text = print_position(opened.engine(), &Observation::referee(&position));
        ui.say("play-position", &[("position", (&text).into())]);
        ui.line("");
    }
    if args.options || all {
        options(ui, &opened);
    }
    if all {
        ui.line("");
    }
    if args.moves || all {
        for line in moves(ui, &opened, &position) {
            ui.line(line);
        }
    }
    Ok(Exit::Done)
}

fn heading(ui: Ui, opened: &Rules) {
    let game = opened.game();
    let title = if game.title.is_empty() { &game.name } else { &game.title };
    ui.line(format!("{title} ({})", game.name));
    for document in &game.documents {
        ui.say("show-after", &[("document", document.into())]);
    }
    let seats: Vec<String> = (0..game.seats.len())
        .map(|seat| {
            let (title, symbol) = (seat_title(game, seat), seat_symbol(game, seat));
            if title == symbol { symbol } else { format!("{title} {symbol}") }
        })
        .collect();
    ui.say("show-players", &[("seats", Arg::Text(&seats.join(", ")))]);
    if !game.variants.is_empty() {
        ui.say("show-variants", &[("variants", Arg::Text(&game.variants.join(", ")))]);
    }
    let actions: Vec<String> = game
        .actions
        .iter()
        .map(|action| {
            let title = if action.title.is_empty() { &action.name } else { &action.title };
            format!("{title} (`{}`)", move_pattern(game, action))
        })
        .collect();
    ui.say("show-moves", &[("moves", Arg::Text(&actions.join(", ")))]);
    let mut beside: Vec<String> =
        game.claims.iter().map(|claim| format!("`{}`", claim_pattern(game, &claim.action))).collect();
    beside.extend(game.offers.iter().map(|offer| format!("`offer {}`", offer.name)));
    if !beside.is_empty() {
        ui.say("show-beside", &[("answers", Arg::Text(&beside.join(", ")))]);
    }
}

fn cites(clauses: &[String]) -> String {
    let list: Vec<String> = clauses.iter().map(|clause| format!(" §{clause}")).collect();
    list.concat()
}

fn options(ui: Ui, opened: &Rules) {
    let (game, offer) = (opened.game(), opened.offer());
    let numbers: Vec<String> = offer.players.iter().map(u32::to_string).collect();
    ui.line(format!("--players {}", ui.lang.or(&numbers)));
    for (name, title, clauses) in &offer.variants {
        let title = game.clauses.setting(ui.lang.tag(), name).unwrap_or(title);
        ui.line(format!("--variant {name}: {title}{}", cites(clauses)));
    }
    for (flag, choices) in [("--set", &offer.options), ("--reading", &offer.readings)] {
        for choice in choices {
            let chosen = choice.chosen(game);
            let text = game.clauses.setting(ui.lang.tag(), &choice.name).unwrap_or(&choice.text);
            let values = values(ui, choice);
            ui.line(format!("{flag} {}={chosen}: {text} ({values}){}", choice.name, cites(&choice.clauses)));
        }
    }
}

/// The values of a choice as text; consecutive numbers as `1 to 9`.
fn values(ui: Ui, choice: &Choice) -> String {
    let numbers: Option<Vec<i64>> = choice.values.iter().map(|value| value.parse().ok()).collect();
    match (choice.values.as_slice(), numbers.as_deref()) {
        ([], _) => ui.words("show-any", &[]),
        (_, Some([first, .., last])) if usize::try_from(last - first) == Ok(choice.values.len() - 1) => {
            let (first, last) = (first.to_string(), last.to_string());
            ui.words("show-range", &[("first", (&first).into()), ("last", (&last).into())])
        }
        (values, _) => ui.lang.or(values),
    }
}

/// The legal moves for people, several on a line.
fn moves(ui: Ui, opened: &Rules, position: &Position) -> Vec<String> {
    let (game, engine) = (opened.game(), opened.engine());
    let legal = engine.legal(position);
    let what = match position.ask {
        Ask::Choose { .. } => "show-legal",
        Ask::Pick { .. } => "show-values",
        Ask::Race { .. } => "show-acts",
        Ask::Chance { .. } => "show-outcomes",
        Ask::Over => return vec![asked(ui.lang, game, &Observation::referee(position))],
    };
    if legal.is_empty() {
        return vec![ui.words("too-many", &[])];
    }
    let mut lines = vec![ui.words(what, &[("count", legal.len().into())])];
    let mut line = String::new();
    let (mut listed, mut bytes) = (0, 0);
    // Chance has one outcome per copy of a piece.
    for alike in legal.chunk_by(|a, b| a == b) {
        let text = print_move(game, position, &alike[0]);
        bytes += text.len();
        if bytes > LISTED {
            break;
        }
        listed += alike.len();
        let text = if alike.len() == 1 { text } else { format!("{text} ×{}", alike.len()) };
        if !line.is_empty() && line.chars().count() + text.chars().count() + 3 > WIDTH {
            lines.push(std::mem::take(&mut line));
        }
        line.push_str("  ");
        line.push_str(&text);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    if listed < legal.len() {
        lines.push(format!("  … {}", ui.words("more-counters", &[("count", (legal.len() - listed).into())])));
    }
    lines
}

fn as_json(opened: &Rules, position: &Position) -> Value {
    let (game, engine) = (opened.game(), opened.engine());
    let seats: Vec<Value> =
        game.seats.iter().map(|seat| json!({"name": seat.name, "title": seat.title, "symbol": seat.symbol})).collect();
    let (legal, mut bytes) = (engine.legal(position), 0);
    let texts = legal.iter().map(|mv| print_move(game, position, mv)).take_while(|text| {
        bytes += text.len();
        bytes <= LISTED
    });
    let moves: Vec<String> = texts.collect();
    let left = legal.len() - moves.len();
    let seat_name = |seat: SeatId| game.seats.get(seat).map(|seat| seat.name.clone());
    let ask = position.ask.word();
    let mut shown = json!({
        "game": game.name,
        "title": game.title,
        "players": game.seats.len(),
        "seats": seats,
        "mover": seat_name(position.mover),
        "asked": position.asked().and_then(seat_name),
        "ask": ask,
        "ply": position.ply,
        "turn": position.turn,
        "over": position.is_over(),
        "outcome": position.outcome.as_ref().map(|result| outcome(Lang::En, game, result)),
        "position": print_position(engine, &Observation::referee(position)),
        "moves": moves,
        "claims": game.claims.iter().map(|claim| claim.action.name.clone()).collect::<Vec<_>>(),
        "offers": game.offers.iter().map(|offer| offer.name.clone()).collect::<Vec<_>>(),
        "board": draw(game, &Observation::referee(position), &Look::default()),
    });
    if left > 0 {
        shown["moves_left_out"] = json!(left);
    }
    for (name, value) in offered(Lang::En, game, opened.offer()) {
        shown[name] = value;
    }
    shown
}
