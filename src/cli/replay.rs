//! `replay`: verifies and shows a record.

use std::path::PathBuf;

use serde_json::json;

use super::exit::{Exit, Failure};

use super::game::{SetupArgs, open_metered};
use super::limits::StepArgs;
use super::ui::Ui;
use crate::files::read_text;
use crate::model::{Observation, Viewer};
use crate::notation::print_position;
use crate::play::{Record, ReplayError, Step, replay, told};
use crate::say::Arg;
use crate::serve::outcome;
use crate::view::{Detail, Look, deed, position as draw, refusal, seat_title};

/// Verifies a record move by move and shows how the game went
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ReplayArgs {
    /// A file written by `save`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show every step, not only the end
    #[arg(long)]
    steps: bool,
    #[command(flatten)]
    limit: StepArgs,
}

/// Runs the command.
pub(super) fn run(args: &ReplayArgs, ui: Ui) -> Result<Exit, Failure> {
    let record = Record::parse(&read_text(&args.file)?).map_err(|error| {
        Failure::new(Exit::Faults, format!("`{}`: {error}", args.file.display())).cure("give a file written by `save`")
    })?;
    let meter = args.limit.meter();
    let opened = open_metered(ui, &record.game, &SetupArgs::of(record.setup(), None), Some(&meter))?;
    let same = record.fits(opened.game());
    match record.digest.as_str() {
        _ if same || ui.is_json() => {}
        "" => ui.note(ui.words("replay-unpinned", &[])),
        other => {
            let pins = [("other", other.into()), ("these", Arg::Text(&opened.game().pin()))];
            ui.note(ui.words("replay-other", &pins));
        }
    }
    let found = replay(opened.engine(), &record);
    args.limit.within(&meter, &format!("the game in `{}`", args.file.display()))?;
    let found = found.map_err(|error| {
        let mut message = error.to_string();
        if let ReplayError::Illegal { text, refusal: why, .. } = &error {
            message =
                format!("{message}\n{}", refusal(ui.lang, opened.game(), opened.sources(), text, why, Detail::Clauses));
        }
        let cure = if same {
            "these are the rules it is pinned to, so that its text must have been changed"
        } else {
            "replay it with the rules it was played with; `regelwerk impact OLD NEW FILE` shows what has changed"
        };
        Failure::new(Exit::Faults, message).cure(cure)
    })?;
    // A record gives everything away; whoever has it is the referee.
    let (game, last) = (opened.game(), Observation::referee(found.game.position()));
    if ui.is_json() {
        ui.json(&json!({
            "game": game.name, "steps": found.game.steps().len(), "plies": last.ply, "same_rules": found.same_rules,
            "over": last.is_over(), "outcome": last.outcome.as_ref().map(|result| outcome(ui.lang, game, result)),
            "position": print_position(opened.engine(), &last),
        }));
        return Ok(Exit::Done);
    }
    if args.steps {
        for (before, step) in found.game.since(0) {
            match step {
                Step::Move(mv) => {
                    let seen = opened.engine().explain().observation(&before, Viewer::Spectator);
                    for (seat, done) in told(opened.engine(), &before, mv, Viewer::Spectator) {
                        let title = |seat| seat_title(game, usize::from(seat)).to_owned();
                        let who = seat.map_or_else(|| ui.words("play-chance", &[]), title);
                        ui.line(format!("{who}: {}", deed(ui.lang, game, &seen, &done)));
                    }
                }
                Step::Answer(answer) => ui.line(crate::notation::print_answer(game, &before, answer)),
            }
        }
    }
    ui.print(&draw(game, &last, &Look { colour: true, lang: ui.lang, ..Look::default() }));
    let id = match record.digest.as_str() {
        _ if found.same_rules => "replay-same",
        "" => "replay-legal",
        _ => "replay-changed",
    };
    ui.say(id, &[("steps", found.game.steps().len().into())]);
    Ok(Exit::Done)
}
