//! The two versions that `compare` plays: which rules, and what they are called.

use super::compare::CompareArgs;
use super::exit::{Exit, Failure};
use super::game::{SetupArgs, open};
use super::ui::Ui;
use crate::api::Rules;
use crate::bundled::PREFIX;
use crate::measure::{Plan, has_turns};

/// A rule file as a user would type it: a bundled game by its name.
fn called(file: &str) -> String {
    let Some(inside) = file.strip_prefix(PREFIX).and_then(|inside| inside.strip_suffix(".rules")) else {
        return file.to_owned();
    };
    match inside.split_once('/') {
        Some((folder, name)) if folder == name => name.to_owned(),
        _ => inside.to_owned(),
    }
}

/// The setup of the second version, and its game.
fn second(ui: Ui, args: &CompareArgs, first: &Rules) -> Result<(String, SetupArgs), Failure> {
    let (mut game, mut setup) = (args.game.game.clone(), first_setup(args));
    if args.against.is_empty() {
        if setup.variants.is_empty() && setup.readings.is_empty() && setup.options.is_empty() {
            let read = super::game::read(ui, &game, &setup.setup())?;
            if let Some((origin, _, _)) = super::diff::origin(&read, &setup.setup()) {
                return Ok((called(&origin), setup));
            }
        }
        let players = setup.players.or_else(|| u32::try_from(first.game().seats.len()).ok());
        let kept =
            SetupArgs { seed: setup.seed, engine: setup.engine, measures: setup.measures, ..SetupArgs::default() };
        return Ok((game, SetupArgs { players, ..kept }));
    }
    // The settings of the unmodified file, since a variant may exclude another.
    let offer = open(ui, &game, &SetupArgs::default())?.offer().clone();
    for what in &args.against {
        if let Some((name, value)) = what.split_once('=') {
            let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
            let reading = first.offer().readings.iter().any(|choice| choice.name == name);
            let list = if reading { &mut setup.readings } else { &mut setup.options };
            list.retain(|(other, _)| *other != name);
            list.push((name, value));
            continue;
        }
        let names: Vec<&str> = what.split('+').map(str::trim).collect();
        let known = |name: &&str| offer.variants.iter().any(|(variant, _, _)| variant == name);
        let file = names.len() == 1 && (what.contains(['/', '.']) || crate::files::find_rules(what).is_ok());
        if !names.iter().all(known) && file {
            game.clone_from(what);
        } else {
            setup.variants.pop();
            setup.variants.extend(names.into_iter().map(str::to_owned));
        }
    }
    Ok((game, setup))
}

/// A version of a game in a few words: its settings.
fn label(game: &str, setup: &SetupArgs, alone: bool) -> String {
    let mut parts: Vec<String> = setup.variants.clone();
    parts.extend(setup.readings.iter().chain(&setup.options).map(|(name, value)| format!("{name}={value}")));
    match (parts.is_empty(), alone) {
        (true, true) => "plain".to_owned(),
        (true, false) => game.to_owned(),
        (false, true) => parts.join("+"),
        (false, false) => format!("{game} {}", parts.join("+")),
    }
}

/// The setup of the first version.
fn first_setup(args: &CompareArgs) -> SetupArgs {
    args.game.setup.measuring(args.measures.asked())
}

/// Two versions of a game.
pub(super) struct Versions {
    pub(super) rules: [Rules; 2],
    pub(super) labels: [String; 2],
    pub(super) plan: Plan,
}

impl Versions {
    pub(super) fn open(args: &CompareArgs, ui: Ui) -> Result<Self, Failure> {
        let one = open(ui, &args.game.game, &first_setup(args))?;
        let (name, setup) = second(ui, args, &one)?;
        let two = open(ui, &name, &setup)?;
        let (seats, others) = (one.game().seats.len(), two.game().seats.len());
        if seats != others {
            let message = format!("the first has {seats}, the second {others}");
            return Err(Failure::new(Exit::Usage, message).cure("choose a `--players` count that both support"));
        }
        if one.game().digest == two.game().digest && !args.independent {
            let cure = "name what differs with `--variant`, `--reading`, `--set` or `--against`; \
                `--independent` compares a game with itself";
            return Err(Failure::new(Exit::Usage, "both versions are identical").cure(cure));
        }
        let alone = name == args.game.game;
        let labels = [label(&args.game.game, &args.game.setup, alone), label(&name, &setup, alone)];
        let plan = args.playing.plan(one.game(), args.game.setup.seed())?;
        Ok(Self { rules: [one, two], labels, plan })
    }

    pub(super) fn turns(&self) -> bool {
        self.rules.iter().all(|rules| has_turns(rules.game()))
    }
}
