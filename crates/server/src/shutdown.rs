//! How a process is told to stop: once softly, twice at once.

use std::io;

use tokio_util::sync::CancellationToken;

use crate::exit::Failure;

/// The two ways to be told to stop.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    /// The first signal: stop in order.
    pub soft: CancellationToken,
    /// The second signal: leave at once; leases cover the rest.
    pub hard: CancellationToken,
}

impl Shutdown {
    /// Listens for interrupt and terminate from here on.
    pub fn listen() -> Result<Self, Failure> {
        let shutdown = Self::default();
        let mut signals = Signals::new().map_err(|error| {
            Failure::new(format!("the process cannot listen for signals: {error}"))
        })?;
        let told = shutdown.clone();
        tokio::spawn(async move {
            signals.next().await;
            told.soft.cancel();
            signals.next().await;
            told.hard.cancel();
        });
        Ok(shutdown)
    }
}

/// Waits until the terminal is closed. Only a command that nobody would leave running asks for this;
/// a server goes on without its terminal.
#[cfg(unix)]
pub async fn hung_up() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::hangup()) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}

/// Waits for ever: there are no such signals.
#[cfg(not(unix))]
pub async fn hung_up() {
    std::future::pending().await
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
