//! A hall in a process of its own, and lines to it: the WebSocket protocol as far as tests need it, faults included.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Longer than anything takes, also where much else is running.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running hall; it is killed when this is dropped.
#[derive(Debug)]
pub(crate) struct House {
    pub(crate) child: std::process::Child,
    pub(crate) address: String,
    pub(crate) file: PathBuf,
    flags: Vec<String>,
}

impl House {
    /// Starts a hall whose games are in a file.
    pub(crate) fn start(file: &Path, flags: &[&str]) -> Self {
        let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
        let (child, address) = spawn(file, &flags, "0");
        Self { child, address, file: file.to_owned(), flags }
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("the hall runs");
        self.child.wait().expect("it ends");
    }

    /// Kills the hall and starts it again at the same address.
    pub(crate) fn restart(&mut self) {
        self.restart_with(&[]);
    }

    /// The same with some flags more, this time.
    pub(crate) fn restart_with(&mut self, more: &[&str]) {
        self.kill();
        let port = self.address.rsplit(':').next().expect("a port").to_owned();
        let flags: Vec<String> = self.flags.iter().cloned().chain(more.iter().map(|&flag| flag.to_owned())).collect();
        (self.child, self.address) = spawn(&self.file, &flags, &port);
    }
}

impl Drop for House {
    fn drop(&mut self) {
        // It may have been killed before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(file: &Path, flags: &[String], port: &str) -> (std::process::Child, String) {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_regelwerk"))
        .args(["serve", "--port", port, "--lang", "en", "--file"])
        .arg(file)
        .args(flags)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut first = String::new();
    let stdout = child.stdout.take().expect("its output");
    io::BufRead::read_line(&mut io::BufReader::new(stdout), &mut first).expect("its address");
    let address = first.trim().trim_start_matches("http://").to_owned();
    assert!(!address.is_empty(), "the hall does not start");
    (child, address)
}

/// A line to a hall.
#[derive(Debug)]
pub(crate) struct Line {
    stream: BufReader<TcpStream>,
    last: u64,
    /// What was told without having been asked for.
    pub(crate) news: VecDeque<Value>,
    /// Everything that was received, if it is kept.
    pub(crate) heard: Option<String>,
}

/// Asks for a page or a line; the status and the headers.
pub(crate) async fn knock(
    address: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> io::Result<(BufReader<TcpStream>, String)> {
    let mut stream = BufReader::new(TcpStream::connect(address).await?);
    let mut request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n");
    for (name, value) in headers {
        request.extend([*name, ": ", *value, "\r\n"]);
    }
    stream.get_mut().write_all(format!("{request}\r\n").as_bytes()).await?;
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if timeout(PATIENCE, stream.read_line(&mut head)).await?? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok((stream, head))
}

/// The headers of a request for a line.
pub(crate) const UPGRADE: [(&str, &str); 4] = [
    ("Connection", "Upgrade"),
    ("Upgrade", "websocket"),
    ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
];

/// A message as a browser would send it. The mask is zero, so the text stands as it is.
fn frame(kind: u8, text: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x80 | kind];
    match text.len() {
        short @ 0..126 => bytes.push(0x80 | u8::try_from(short).expect("short")),
        middle @ 126..65536 => {
            bytes.push(0x80 | 0x7e);
            bytes.extend(u16::try_from(middle).expect("middle").to_be_bytes());
        }
        long => {
            bytes.push(0x80 | 0x7f);
            bytes.extend((long as u64).to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(text);
    bytes
}

impl Line {
    /// Opens a line.
    pub(crate) async fn open(address: &str) -> io::Result<Self> {
        Self::with_headers(address, &UPGRADE).await
    }

    /// A line that a proxy passes on from a client.
    pub(crate) async fn from(address: &str, client: &str) -> io::Result<Self> {
        let headers: Vec<_> = UPGRADE.into_iter().chain([("X-Forwarded-For", client)]).collect();
        Self::with_headers(address, &headers).await
    }

    async fn with_headers(address: &str, headers: &[(&str, &str)]) -> io::Result<Self> {
        let (stream, head) = knock(address, "/line", headers).await?;
        if !head.starts_with("HTTP/1.1 101") {
            return Err(io::Error::other(head));
        }
        stream.get_ref().set_nodelay(true)?;
        Ok(Self { stream, last: 0, news: VecDeque::new(), heard: None })
    }

    /// Sends a text.
    pub(crate) async fn say(&mut self, text: &str) -> io::Result<()> {
        self.stream.get_mut().write_all(&frame(1, text.as_bytes())).await
    }

    /// Sends the first half of a message, and nothing more.
    pub(crate) async fn half(&mut self, text: &str) -> io::Result<()> {
        let bytes = frame(1, text.as_bytes());
        self.stream.get_mut().write_all(&bytes[..bytes.len() / 2]).await
    }

    /// The next message.
    pub(crate) async fn hear(&mut self) -> io::Result<Value> {
        timeout(PATIENCE, self.hear_text()).await?
    }

    /// The next message, whenever it comes.
    pub(crate) async fn hear_text(&mut self) -> io::Result<Value> {
        loop {
            let (kind, bytes) = self.read().await?;
            match kind {
                1 => {
                    let text = String::from_utf8(bytes).map_err(io::Error::other)?;
                    if let Some(heard) = &mut self.heard {
                        heard.push_str(&text);
                    }
                    return serde_json::from_str(&text).map_err(io::Error::other);
                }
                9 => self.stream.get_mut().write_all(&frame(10, &bytes)).await?,
                _ => return Err(io::ErrorKind::ConnectionAborted.into()),
            }
        }
    }

    async fn read(&mut self) -> io::Result<(u8, Vec<u8>)> {
        let kind = self.stream.read_u8().await? & 0x0f;
        let length = match self.stream.read_u8().await? & 0x7f {
            126 => u64::from(self.stream.read_u16().await?),
            127 => self.stream.read_u64().await?,
            short => u64::from(short),
        };
        let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        self.stream.read_exact(&mut bytes).await?;
        Ok((kind, bytes))
    }

    /// Sends a wish without waiting for the answer.
    pub(crate) async fn wish(&mut self, mut what: Value) -> io::Result<u64> {
        self.last += 1;
        what["id"] = json!(self.last);
        self.say(&what.to_string()).await?;
        Ok(self.last)
    }

    /// Asks for something: what is granted, or the error.
    pub(crate) async fn ask(&mut self, what: Value) -> io::Result<Result<Value, Value>> {
        let id = self.wish(what).await?;
        loop {
            let mut message = self.hear().await?;
            if message["id"] == json!(id) {
                return Ok(match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["ok"].take()),
                });
            }
            self.news.push_back(message);
        }
    }

    /// What is granted.
    pub(crate) async fn get(&mut self, what: Value) -> Value {
        let shown = what.to_string();
        self.ask(what).await.expect("a line").unwrap_or_else(|error| panic!("{shown}: {error}"))
    }

    /// The next piece of news.
    pub(crate) async fn next(&mut self) -> io::Result<Value> {
        match self.news.pop_front() {
            Some(message) => Ok(message),
            None => self.hear().await,
        }
    }
}
