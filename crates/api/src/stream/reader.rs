//! The reader at the other end of a stream: what it is sent, and when there may be news for it.

use std::{convert::Infallible, time::Duration};

use axum::response::sse::Event as Line;
use baton_engine::StreamPermit;
use baton_ports::{Wakeup, wakeups::Subscription};
use tokio::{sync::mpsc, time::sleep};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;

use super::Lines;
use crate::Api;

/// Lines that wait for a slow reader.
const AHEAD: usize = 16;
/// How long a reader waits when no wake-up comes.
pub const SAFETY: Duration = Duration::from_secs(5);

/// The reader at the other end of a stream.
pub struct Reader {
    wakeups: Subscription,
    stop: CancellationToken,
    sender: mpsc::Sender<Result<Line, Infallible>>,
    /// How long news may gather after a wake-up; many streams then cost few reads.
    gather: Duration,
    _permit: StreamPermit,
}

/// The reader has gone, or the server stops.
pub struct Over;

impl Reader {
    /// A reader, and the lines that it is sent. It hears of news from here on: ask for what there is after this.
    pub fn new(api: &Api, permit: StreamPermit, gather: Duration) -> (Self, Lines) {
        let (sender, receiver) = mpsc::channel(AHEAD);
        let reader = Self {
            wakeups: api.engine.wakeups().subscribe(Wakeup::Events),
            stop: api.shared.options.stop.clone(),
            sender,
            gather,
            _permit: permit,
        };
        (reader, ReceiverStream::new(receiver))
    }

    /// Sends a line, as soon as there is room for it.
    pub async fn send(&self, line: Line) -> Result<(), Over> {
        tokio::select! {
            () = self.stop.cancelled() => Err(Over),
            sent = self.sender.send(Ok(line)) => sent.map_err(|_| Over),
        }
    }

    /// Waits until there may be news.
    pub async fn wait(&mut self) -> Result<(), Over> {
        tokio::select! {
            () = self.stop.cancelled() => return Err(Over),
            () = self.sender.closed() => return Err(Over),
            () = self.wakeups.recv() => {}
            () = sleep(SAFETY) => return Ok(()),
        }
        tokio::select! {
            () = self.stop.cancelled() => Err(Over),
            () = sleep(self.gather) => Ok(()),
        }
    }
}
