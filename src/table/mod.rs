//! The table: games between people over the network, with a page for the browser.
//!
//! A *hall* holds tables. Everybody has a *line* to it, a WebSocket that carries objects of JSON. What a line may see
//! and do is decided here, from the seat whose secret token it named; what a seat is told comes from
//! [`Hosted`](crate::serve::Hosted), and so from the room `play`. `docs/table.md` describes the whole.
//!
//! **Invariant:** an answer is acknowledged, and shown to anybody, only once it is on the disk. No message has a path
//! of the host in it. A line that is slow, silent or flooding costs nobody else anything but its share.

mod bucket;
mod bundle;
mod crowd;
mod drive;
mod hall;
mod http;
mod line;
mod memory;
mod message;
mod open;
mod own;
mod play;
mod porch;
mod present;
mod ration;
mod seats;
mod store;
mod token;
mod trial;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use hall::Hall;
pub use hall::HallError;

use crate::say::Lang;

/// What a hall allows.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a message.
    pub message: usize,
    /// Tables on the disk.
    pub tables: usize,
    /// Seats of a table.
    pub seats: usize,
    /// Steps of a game.
    pub steps: usize,
    /// Lines that are open at once.
    pub lines: usize,
    /// The same from one address.
    pub lines_each: usize,
    /// Messages a second on one line; short bursts may have three times as many.
    pub rate: u32,
    /// Tables a minute from one address.
    pub openings: u32,
    /// How long a bot thinks about a move.
    pub bot_time: Duration,
    /// How long a stranger's rules may take to be tried out, in seconds.
    pub trial_time: u64,
    /// The memory they may take meanwhile, in MiB.
    pub trial_memory: u64,
    /// The memory that the games of all tables may take together, in MiB, as estimated.
    pub memory: u64,
    /// The greatest size of the file of games, in MiB.
    pub disk: u64,
    /// Tables at which nobody has played for so many days are forgotten.
    pub keep_days: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message: 64 << 10,
            tables: 10_000,
            seats: 16,
            steps: 20_000,
            lines: 10_000,
            lines_each: 64,
            rate: 20,
            openings: 20,
            bot_time: Duration::from_secs(2),
            trial_time: 10,
            trial_memory: 512,
            memory: 2048,
            disk: 4096,
            keep_days: 90,
        }
    }
}

/// How a hall is run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens.
    pub address: SocketAddr,
    /// The file that keeps the games.
    pub file: PathBuf,
    /// The addresses under which browsers reach it, such as `https://games.example`; otherwise only this machine's
    /// names and bare addresses are accepted.
    pub origins: Vec<String>,
    /// Whether the last address in `X-Forwarded-For` is that of the client.
    pub proxied: bool,
    /// A rule file or game that is offered first.
    pub game: Option<String>,
    /// Whether rule files of strangers are accepted.
    pub strangers: bool,
    /// The language of tables whose opener names none.
    pub lang: Lang,
    /// What is allowed.
    pub limits: Limits,
}

/// Runs a hall until `until` ends. `ready` is told where it listens.
///
/// # Errors
/// If the file or the address cannot be used.
pub fn serve(
    config: Config,
    ready: impl FnOnce(SocketAddr),
    until: impl Future<Output = ()> + Send + 'static,
) -> Result<(), HallError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| HallError::Network(error.to_string()))?;
    let hall = Arc::new(Hall::open(config)?);
    runtime.block_on(async move {
        let network = |error: std::io::Error| HallError::Network(error.to_string());
        let listener = TcpListener::bind(hall.config.address).await.map_err(network)?;
        ready(listener.local_addr().map_err(network)?);
        hall.sweep();
        let served = http::serve(listener, Arc::clone(&hall), until).await.map_err(network);
        // What was acknowledged is on the disk, be it beside the file; whoever copies it shall find all of it there.
        let _ = hall.store.close().await;
        served
    })
}
