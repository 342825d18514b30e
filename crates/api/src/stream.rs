//! The stream of events: one task for each reader, one page in memory at a time.
//!
//! The store is read in pages, when a wake-up comes and every few seconds besides, since it is only
//! a hint. A reader that is slow holds up its own task and nothing else.

pub mod inbox;
pub mod position;
mod words;

use std::{convert::Infallible, time::Duration};

use axum::{
    http::{HeaderMap, HeaderValue, header::CACHE_CONTROL},
    response::{
        IntoResponse, Response, Sse,
        sse::{Event as Line, KeepAlive},
    },
};
use baton_engine::Engine;
use baton_ports::{
    Wakeup,
    store::{EventBounds, EventFilter},
    wakeups::Subscription,
};
use baton_protocol::ProblemKind;
use tokio::{
    sync::{OwnedSemaphorePermit, mpsc},
    time::sleep,
};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;

use crate::{Api, problem::Answer};
use position::Position;

/// How often a comment keeps the line open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Events of one page.
const PAGE: u32 = 100;
/// Lines that wait for a slow reader.
const AHEAD: usize = 16;
/// How long a reader waits when no wake-up comes.
const SAFETY: Duration = Duration::from_secs(5);
/// How long news may gather after a wake-up; many streams then cost few reads.
const GATHER: Duration = Duration::from_millis(20);

/// What a reader is sent.
pub type Lines = ReceiverStream<Result<Line, Infallible>>;

/// A permit for one more stream.
pub fn permit(api: &Api) -> Answer<OwnedSemaphorePermit> {
    let permits = api.shared.options.streams.clone();
    permits.try_acquire_owned().map_err(|_| {
        ProblemKind::Overloaded
            .because("As many event streams are open as the server bears.")
            .into()
    })
}

/// The last event that a reader has seen, as browsers say it by themselves.
pub fn last_seen(headers: &HeaderMap) -> Option<String> {
    let id = headers.get("last-event-id")?;
    Some(String::from_utf8_lossy(id.as_bytes()).into_owned()).filter(|id| !id.is_empty())
}

/// The answer that carries a stream.
pub fn response(lines: Lines) -> Response {
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE).text("keep-alive");
    let mut response = Sse::new(lines).keep_alive(keep_alive).into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// Opens a stream after `last_seen`, or from now on.
pub fn open(
    api: &Api,
    filter: EventFilter,
    last_seen: Option<&str>,
    bounds: EventBounds,
    permit: OwnedSemaphorePermit,
) -> Lines {
    let (sender, receiver) = mpsc::channel(AHEAD);
    let start = match last_seen {
        None => Position::At(bounds.last),
        Some(id) => Position::read(id, &bounds),
    };
    let feed = Feed {
        engine: api.engine.clone(),
        // Subscribed before the first look, so that nothing falls between the two.
        wakeups: api.engine.wakeups().subscribe(Wakeup::Events),
        stop: api.shared.options.stop.clone(),
        filter,
        epoch: bounds.epoch,
        place: bounds.last,
        sender,
        _permit: permit,
    };
    tokio::spawn(feed.run(start, bounds));
    ReceiverStream::new(receiver)
}

struct Feed {
    engine: Engine,
    wakeups: Subscription,
    stop: CancellationToken,
    filter: EventFilter,
    epoch: i64,
    place: i64,
    sender: mpsc::Sender<Result<Line, Infallible>>,
    _permit: OwnedSemaphorePermit,
}

/// The reader has gone, or the server stops.
struct Over;

impl Feed {
    async fn run(mut self, start: Position, bounds: EventBounds) {
        // Both ways to end lead here: nothing is left to do.
        let _ = self.follow(start, bounds).await;
    }

    async fn follow(&mut self, start: Position, bounds: EventBounds) -> Result<(), Over> {
        match start {
            Position::At(seq) => {
                self.place = seq;
                self.say(words::begin(self.epoch, seq)).await?;
            }
            Position::Unreadable(error) => self.reset(&error.to_string(), bounds).await?,
            Position::Lost(why) => self.reset(&why, bounds).await?,
        }
        loop {
            match self.advance().await {
                Ok(true) => {}
                Ok(false) => self.wait().await?,
                Err(Stumble::Over) => return Err(Over),
                Err(Stumble::Store(error)) => {
                    tracing::debug!(%error, "a stream could not read events; it tries again");
                    self.wait().await?;
                }
            }
        }
    }

    /// Sends the next page; `false` if there was nothing new.
    async fn advance(&mut self) -> Result<bool, Stumble> {
        let (events, looked) = self.engine.events(self.place, PAGE, &self.filter).await?;
        // Looked at after the page: what was pruned while the page was read is noticed as well.
        let bounds = self.engine.event_bounds().await?;
        if let Some(why) = position::lost(self.epoch, self.place, &bounds) {
            self.reset(&why, bounds).await?;
            return Ok(true);
        }
        let before = self.place;
        for event in events {
            self.place = event.id.seq;
            self.say(words::event(event)).await?;
        }
        if looked > self.place {
            self.place = looked;
            self.say(words::position(self.epoch, looked)).await?;
        }
        Ok(self.place > before)
    }

    async fn reset(&mut self, why: &str, bounds: EventBounds) -> Result<(), Over> {
        self.epoch = bounds.epoch;
        self.place = bounds.last;
        self.say(words::reset(why, &bounds)).await
    }

    async fn wait(&mut self) -> Result<(), Over> {
        tokio::select! {
            () = self.stop.cancelled() => return Err(Over),
            () = self.sender.closed() => return Err(Over),
            () = self.wakeups.recv() => {}
            () = sleep(SAFETY) => return Ok(()),
        }
        tokio::select! {
            () = self.stop.cancelled() => Err(Over),
            () = sleep(GATHER) => Ok(()),
        }
    }

    async fn say(&self, line: Line) -> Result<(), Over> {
        tokio::select! {
            () = self.stop.cancelled() => Err(Over),
            sent = self.sender.send(Ok(line)) => sent.map_err(|_| Over),
        }
    }
}

enum Stumble {
    Over,
    Store(baton_engine::Error),
}

impl From<Over> for Stumble {
    fn from(_: Over) -> Self {
        Self::Over
    }
}

impl From<baton_engine::Error> for Stumble {
    fn from(error: baton_engine::Error) -> Self {
        Self::Store(error)
    }
}
