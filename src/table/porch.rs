//! The porch: connections, before they have become lines.
//!
//! Whoever connects has a while to ask for something. A page is small and asked for at once, so whoever needs longer, or
//! says nothing, makes room for others; only what has become a line may stay.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex as Lock, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Sleep, sleep};

use super::crowd::{Admitted, Crowd, customer};

/// How long a connection may last that has not become a line.
const STAY: Duration = Duration::from_secs(10);

/// How many such connections there may be, in all and from one address, unless it may have more lines: those of many people
/// behind it, since a browser opens half a dozen for a page.
const MOST: (usize, usize) = (4096, 256);

/// How long is waited when the system allows no more connections.
const PAUSE: Duration = Duration::from_millis(100);

/// Lets connections in, as many as there may be.
pub(super) struct Porch {
    pub(super) listener: TcpListener,
    pub(super) guests: Arc<Crowd>,
    /// How many lines an address may have.
    pub(super) lines_each: usize,
    /// Whether all connections are those of a proxy, which has to know whom it lets through.
    pub(super) proxied: bool,
}

/// A connection.
pub(super) struct Guest {
    stream: TcpStream,
    until: Pin<Box<Sleep>>,
    stay: Arc<Stay>,
}

/// Whether a connection has become a line, and its place until then.
#[derive(Debug)]
struct Stay {
    line: AtomicBool,
    place: Lock<Option<Admitted>>,
}

/// Who is at the other end of a connection.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) address: IpAddr,
    stay: Arc<Stay>,
}

impl Peer {
    /// The connection becomes a line, which may stay and is counted as such.
    pub(super) fn stays(&self) {
        self.stay.line.store(true, Ordering::Relaxed);
        drop(self.stay.place.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

impl Connected<IncomingStream<'_, Porch>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Porch>) -> Self {
        Self { address: stream.remote_addr().ip(), stay: Arc::clone(&stream.io().stay) }
    }
}

impl Listener for Porch {
    type Io = Guest;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Guest, SocketAddr) {
        loop {
            let Ok((stream, from)) = self.listener.accept().await else {
                sleep(PAUSE).await;
                continue;
            };
            let address = (!self.proxied).then(|| customer(from.ip()));
            // One too many is closed without a word, which costs nothing.
            let each = MOST.1.max(self.lines_each);
            if let Some(place) = self.guests.admit(address, MOST.0.max(each), each) {
                let stay = Arc::new(Stay { line: AtomicBool::new(false), place: Lock::new(Some(place)) });
                return (Guest { stream, until: Box::pin(sleep(STAY)), stay }, from);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Guest {
    /// What a connection does, unless it waits for longer than it may stay. What has arrived in time counts, however long the
    /// hall takes to look at it.
    fn meanwhile<T>(&mut self, context: &mut Context<'_>, does: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if does.is_pending() && !self.stay.line.load(Ordering::Relaxed) && self.until.as_mut().poll(context).is_ready()
        {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        does
    }
}

impl AsyncRead for Guest {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let guest = self.get_mut();
        let does = Pin::new(&mut guest.stream).poll_read(context, into);
        guest.meanwhile(context, does)
    }
}

impl AsyncWrite for Guest {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let guest = self.get_mut();
        let does = Pin::new(&mut guest.stream).poll_write(context, bytes);
        guest.meanwhile(context, does)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let guest = self.get_mut();
        let does = Pin::new(&mut guest.stream).poll_flush(context);
        guest.meanwhile(context, does)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let guest = self.get_mut();
        let does = Pin::new(&mut guest.stream).poll_shutdown(context);
        guest.meanwhile(context, does)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let guest = self.get_mut();
        let does = Pin::new(&mut guest.stream).poll_write_vectored(context, parts);
        guest.meanwhile(context, does)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
