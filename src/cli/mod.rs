//! The command line: one file per command, each with its arguments and `run`.
//!
//! `regelwerk COMMAND …`; results go to standard output, remarks and errors to standard error; [`Exit`] lists the
//! exit codes.
//!
//! **Invariant:** only `ui` prints and reads input, only `write` and `files` change the disk, and no other room reads
//! a clock or the environment.

mod advice;
mod bench;
mod book;
mod cases;
mod check;
mod compare;
mod compile;
mod completions;
mod consult;
mod content;
mod contest;
mod coverage;
mod diff;
mod document;
mod exit;
mod explain;
mod figures;
mod files;
mod fmt;
mod game;
mod hangup;
#[cfg(feature = "table")]
mod host;
mod impact;
mod lang;
mod limits;
#[cfg(feature = "lsp")]
mod lsp;
mod merge;
mod mutate;
mod new;
mod perft;
mod play;
mod playing;
mod racing;
mod readings;
mod replay;
mod report;
mod reports;
mod saving;
mod screen;
mod seats;
mod serve;
mod shards;
mod show;
mod simulate;
mod solve;
mod table;
mod test;
mod thinking;
mod tune;
mod typing;
mod ui;
mod verbose;
mod versions;
mod watch;
mod write;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

pub use exit::{Exit, Failure};
pub use ui::{Format, Ui};

use crate::bundled;
use crate::say::Lang;

/// Plays games from their rules; every verdict cites its clause
#[derive(Debug, Parser)]
#[command(name = "regelwerk", version, about, long_about = None, after_help = EXIT_CODES)]
struct Cli {
    /// How results are printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, global = true)]
    format: Format,
    /// The language for people who play and read: `de` or `en`. By default that of the environment (`LC_ALL`,
    /// `LC_MESSAGES`, `LANG`), else English. What is said to authors of rules is English
    #[arg(long, value_name = "LANGUAGE", value_parser = lang::parse, global = true)]
    lang: Option<Lang>,
    #[command(flatten)]
    limits: limits::LimitArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

const EXIT_CODES: &str = "Exit codes: 0 success · 1 errors found, a refused move, or text that does not match the rules · \
2 bad command line · 3 a file or game is missing or unreadable · 4 a limit was reached";

/// The commands.
#[derive(Debug, Subcommand)]
enum Command {
    Check(check::CheckArgs),
    Show(show::ShowArgs),
    Play(play::PlayArgs),
    Replay(replay::ReplayArgs),
    New(new::NewArgs),
    Perft(perft::PerftArgs),
    Simulate(simulate::SimulateArgs),
    Match(contest::MatchArgs),
    Merge(merge::MergeArgs),
    Compare(compare::CompareArgs),
    Tune(tune::TuneArgs),
    Readings(readings::ReadingsArgs),
    Bench(bench::BenchArgs),
    #[command(name = "serve-stdio")]
    Serve(serve::ServeArgs),
    #[cfg(feature = "table")]
    #[command(name = "serve")]
    Host(host::HostArgs),
    Solve(solve::SolveArgs),
    Impact(impact::ImpactArgs),
    Test(test::TestArgs),
    Fmt(fmt::FmtArgs),
    Diff(diff::DiffArgs),
    Watch(watch::WatchArgs),
    Book(book::BookArgs),
    Compile(compile::CompileArgs),
    Coverage(coverage::CoverageArgs),
    Mutate(mutate::MutateArgs),
    Explain(explain::ExplainArgs),
    Document(document::DocumentArgs),
    Completions(completions::CompletionsArgs),
    #[cfg(feature = "lsp")]
    Lsp(lsp::LspArgs),
}

/// Parses the command line, runs the command, and returns its exit code.
#[must_use]
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(said) => return told(&said),
    };
    let ui = Ui { format: cli.format, lang: cli.lang.unwrap_or_else(lang::of_environment) };
    let watched = limits::watch(&cli.limits, ui);
    let result = watched.and_then(|()| carry_out(cli.command.as_ref(), ui));
    match result {
        Ok(exit) => exit.code(),
        Err(failure) => {
            ui.failure(&failure);
            failure.exit.code()
        }
    }
}

/// Prints the help that was asked for, or what is wrong with the command line.
fn told(said: &clap::Error) -> ExitCode {
    ui::settle(said.print().and_then(|()| io::stdout().flush()));
    if said.use_stderr() { Exit::Usage.code() } else { Exit::Done.code() }
}

/// Whether a command can print a table.
fn has_table(command: &Command) -> bool {
    matches!(
        command,
        Command::Perft(_)
            | Command::Simulate(_)
            | Command::Match(_)
            | Command::Merge(_)
            | Command::Compare(_)
            | Command::Tune(_)
            | Command::Readings(_)
    )
}

/// Whether a command shares its work among threads whose number nobody can say.
fn shares_threads(command: &Command) -> bool {
    matches!(
        command,
        Command::Test(_)
            | Command::Serve(_)
            | Command::Diff(_)
            | Command::Watch(_)
            | Command::Coverage(_)
            | Command::Mutate(_)
    )
}

fn carry_out(command: Option<&Command>, ui: Ui) -> Result<Exit, Failure> {
    if ui.is_csv() && !command.is_some_and(has_table) {
        let cure =
            "use `--format json`; tables are printed by simulate, compare, match, merge, perft, readings and tune";
        return Err(Failure::new(Exit::Usage, "this command prints no table").cure(cure));
    }
    if ui.is_json() && matches!(command, Some(Command::Play(_))) {
        let cure = "let a program play by `serve-stdio`; `replay FILE --format json` says how a saved game went";
        return Err(Failure::new(Exit::Usage, "`play` speaks to people alone").cure(cure));
    }
    if command.is_some_and(shares_threads) {
        game::common_threads();
    }
    match command {
        None => Ok(welcome(ui)),
        Some(Command::Check(args)) => Ok(check::run(args, ui)),
        Some(Command::Show(args)) => show::run(args, ui),
        Some(Command::Play(args)) => play::run(args, ui),
        Some(Command::Replay(args)) => replay::run(args, ui),
        Some(Command::New(args)) => new::run(args, ui),
        Some(Command::Perft(args)) => perft::run(args, ui),
        Some(Command::Simulate(args)) => simulate::run(args, ui),
        Some(Command::Match(args)) => contest::run(args, ui),
        Some(Command::Merge(args)) => merge::run(args, ui),
        Some(Command::Compare(args)) => compare::run(args, ui),
        Some(Command::Tune(args)) => tune::run(args, ui),
        Some(Command::Readings(args)) => readings::run(args, ui),
        Some(Command::Bench(args)) => bench::run(args, ui),
        Some(Command::Impact(args)) => impact::run(args, ui),
        Some(Command::Solve(args)) => solve::run(args, ui),
        Some(Command::Serve(args)) => serve::run(args, ui),
        #[cfg(feature = "table")]
        Some(Command::Host(args)) => host::run(args, ui),
        Some(Command::Test(args)) => test::run(args, ui),
        Some(Command::Fmt(args)) => Ok(fmt::run(args, ui)),
        Some(Command::Diff(args)) => diff::run(args, ui),
        Some(Command::Watch(args)) => watch::run(args, ui),
        Some(Command::Book(args)) => book::run(args, ui),
        Some(Command::Compile(args)) => compile::run(args, ui),
        Some(Command::Coverage(args)) => coverage::run(args, ui),
        Some(Command::Mutate(args)) => mutate::run(args, ui),
        Some(Command::Explain(args)) => explain::run(args, ui),
        Some(Command::Document(args)) => document::run(args, ui),
        #[cfg(feature = "lsp")]
        Some(Command::Lsp(args)) => lsp::run(args),
        Some(Command::Completions(args)) => Ok(completions::run(args, ui, Cli::command())),
    }
}

/// Getting started.
fn welcome(ui: Ui) -> Exit {
    let games = bundled::games();
    let example = games.first().copied().unwrap_or("GAME");
    ui.line("Regelwerk plays games from their rules.\n");
    ui.line(format!("  regelwerk play {example}                    play at the terminal"));
    ui.line(format!("  regelwerk play {example} --seat 2=mcts:1s   against a bot"));
    ui.line(format!("  regelwerk show {example}                    board, options, readings, legal moves"));
    ui.line("  regelwerk check my.rules                check a rule file of your own");
    ui.line("  regelwerk help                          all commands\n");
    ui.line(format!("Bundled games: {}", games.join(", ")));
    ui.line(format!("Classics: {}", bundled::collected().join(", ")));
    Exit::Done
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }
}
