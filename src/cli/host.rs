//! `serve`: tables for people who play over the network.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use super::exit::{Exit, Failure};
use super::ui::Ui;
use crate::table::{Config, HallError, Limits, serve};

/// Opens tables for people who play together in their browsers
///
/// The page is part of the program: open the address that is printed, choose a game, and send the link of the table to
/// those who play. Games are kept in one file, and go on after a new start. docs/table.md says what the limits are and
/// how to make it reachable from elsewhere.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Try:\n  regelwerk serve\n  regelwerk serve my.rules --address 0.0.0.0 --port 8000")]
pub(super) struct HostArgs {
    /// A rule file, or the name of a bundled game, that is offered first
    #[arg(value_name = "GAME")]
    game: Option<String>,
    /// The address to listen on; 0.0.0.0 for all of this machine
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    address: IpAddr,
    /// The port to listen on; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 8080)]
    port: u16,
    /// The file that keeps the games
    #[arg(long, value_name = "FILE", default_value = "regelwerk.games")]
    file: PathBuf,
    /// Under which address browsers reach it, such as `https://games.example`; may be given several times
    #[arg(long = "origin", value_name = "URL", value_parser = origin)]
    origins: Vec<String>,
    /// It stands behind a proxy that appends the client's address to `X-Forwarded-For`
    #[arg(long)]
    proxied: bool,
    /// Do not accept rule files of people who open a table
    #[arg(long)]
    no_own_rules: bool,
    #[command(flatten)]
    limits: HallLimits,
}

/// What a hall allows.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
struct HallLimits {
    /// The maximum number of bytes in a message
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().message)]
    max_message: usize,
    /// The maximum number of tables that are kept
    #[arg(long, value_name = "N", default_value_t = Limits::default().tables)]
    max_tables: usize,
    /// The maximum number of seats at a table
    #[arg(long, value_name = "N", default_value_t = Limits::default().seats)]
    max_seats: usize,
    /// The maximum number of steps in a game
    #[arg(long, value_name = "N", default_value_t = Limits::default().steps)]
    max_steps: usize,
    /// The maximum number of lines: browser windows that are open
    #[arg(long, value_name = "N", default_value_t = Limits::default().lines)]
    max_lines: usize,
    /// The same from one address
    #[arg(long, value_name = "N", default_value_t = Limits::default().lines_each)]
    max_lines_each: usize,
    /// The maximum number of messages a second on a line; short bursts may have three times as many
    #[arg(long, value_name = "N", default_value_t = Limits::default().rate, value_parser = clap::value_parser!(u32).range(1..))]
    max_rate: u32,
    /// The maximum number of tables that an address may open in a minute
    #[arg(long, value_name = "N", default_value_t = Limits::default().openings, value_parser = clap::value_parser!(u32).range(1..))]
    max_openings: u32,
    /// How many seconds a bot thinks about a move
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    bot_time: u64,
    /// How many seconds it may take to try out a rule file that was sent in
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().trial_time, value_parser = clap::value_parser!(u64).range(1..))]
    trial_time: u64,
    /// How much memory it may take meanwhile, in MiB
    #[arg(long, value_name = "MIB", default_value_t = Limits::default().trial_memory, value_parser = clap::value_parser!(u64).range(1..))]
    trial_memory: u64,
    /// How much memory the games of all tables may take together, in MiB
    #[arg(long, value_name = "MIB", default_value_t = Limits::default().memory, value_parser = clap::value_parser!(u64).range(1..))]
    max_memory: u64,
    /// The maximum size of the file of games, in MiB
    #[arg(long, value_name = "MIB", default_value_t = Limits::default().disk, value_parser = clap::value_parser!(u64).range(1..))]
    max_disk: u64,
    /// Tables at which nobody has played for so many days are forgotten
    #[arg(long, value_name = "DAYS", default_value_t = Limits::default().keep_days)]
    keep_days: u32,
}

impl HallLimits {
    fn limits(&self) -> Limits {
        Limits {
            message: self.max_message,
            tables: self.max_tables,
            seats: self.max_seats,
            steps: self.max_steps,
            lines: self.max_lines,
            lines_each: self.max_lines_each,
            rate: self.max_rate,
            openings: self.max_openings,
            bot_time: Duration::from_secs(self.bot_time),
            trial_time: self.trial_time,
            trial_memory: self.trial_memory,
            memory: self.max_memory,
            disk: self.max_disk,
            keep_days: self.keep_days,
        }
    }
}

/// An origin as browsers name it: without the scheme's own port and without what may follow.
fn origin(text: &str) -> Result<String, String> {
    let trimmed = text.strip_suffix('/').unwrap_or(text);
    let parts =
        trimmed.split_once("://").filter(|(_, place)| !place.is_empty() && !place.contains(['/', '?', '#', '@']));
    let Some((scheme, place)) = parts.filter(|(scheme, _)| matches!(*scheme, "http" | "https")) else {
        return Err("write it as `https://games.example` or `http://games.example:8080`".to_owned());
    };
    let own = if scheme == "https" { ":443" } else { ":80" };
    Ok(format!("{scheme}://{}", place.strip_suffix(own).unwrap_or(place)))
}

/// Runs the command.
pub(super) fn run(args: &HostArgs, ui: Ui) -> Result<Exit, Failure> {
    let config = Config {
        address: SocketAddr::new(args.address, args.port),
        file: args.file.clone(),
        origins: args.origins.clone(),
        proxied: args.proxied,
        game: args.game.clone(),
        strangers: !args.no_own_rules,
        lang: ui.lang,
        limits: args.limits.limits(),
    };
    let ready = |address: SocketAddr| ui.line(format!("http://{address}"));
    match serve(config, ready, until_told()) {
        Ok(()) => Ok(Exit::Done),
        Err(error) => {
            let (exit, cure) = match &error {
                HallError::File(_) => (Exit::Missing, "name another with `--file`"),
                HallError::Taken => (Exit::Missing, "name another with `--file`, or stop that hall first"),
                HallError::Foreign(_) => {
                    (Exit::Missing, "name a file with `--file` that is not there yet, or one that a hall has made")
                }
                HallError::Game(_) => (Exit::Faults, "`regelwerk check` says what is wrong with it"),
                HallError::Missing(_) => (Exit::Missing, "name a rule file, or one of the bundled games"),
                HallError::Network(_) => (Exit::Missing, "name another `--address` or `--port`"),
            };
            Err(Failure::new(exit, error.to_string()).cure(cure))
        }
    }
}

/// Until somebody ends the program.
async fn until_told() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut ended), Ok(mut hung)) = (signal(SignalKind::terminate()), signal(SignalKind::hangup())) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = ended.recv() => {}
                _ = hung.recv() => {}
            }
            return;
        }
    }
    drop(tokio::signal::ctrl_c().await);
}

#[cfg(test)]
mod tests {
    use super::origin;

    /// What browsers never say is not waited for.
    #[test]
    fn origins_are_as_browsers_name_them() {
        let same = ["https://games.example", "https://games.example/", "https://games.example:443"];
        for text in same {
            assert_eq!(origin(text).as_deref(), Ok("https://games.example"), "{text}");
        }
        assert_eq!(origin("http://games.example:8080").as_deref(), Ok("http://games.example:8080"));
        for text in ["foo", "https://", "https://a/b", "ftp://a", "https://me@a"] {
            assert!(origin(text).is_err(), "{text}");
        }
    }
}
