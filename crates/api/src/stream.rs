//! The stream of events: one task for each reader, one page in memory at a time.
//!
//! The store is read in pages, when a wake-up comes and every few seconds besides, since it is only
//! a hint. A reader that is slow holds up its own task and nothing else.

pub mod inbox;
pub mod position;
mod reader;
mod sse;

use std::{convert::Infallible, time::Duration};

use axum::{
    http::{HeaderMap, HeaderValue, header::CACHE_CONTROL},
    response::{
        IntoResponse, Response, Sse,
        sse::{Event as Line, KeepAlive},
    },
};
use baton_engine::{Caller, StreamPermit, share::Exhausted};
use baton_ports::store::{EventBounds, EventFilter};
use baton_protocol::{Problem, ProblemKind};
use tokio_stream::wrappers::ReceiverStream;

use self::{
    position::Position,
    reader::{Over, Reader},
};
use crate::{Api, problem::ApiResult};

/// How often a comment keeps the line open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Events of one page.
const PAGE: u32 = 100;
/// How long news may gather after a wake-up.
const GATHER: Duration = Duration::from_millis(20);

/// What a reader is sent.
pub type Lines = ReceiverStream<Result<Line, Infallible>>;

/// A permit for one more stream.
pub async fn permit(api: &Api) -> ApiResult<StreamPermit> {
    let opened = api.shared.options.streams.open(api.engine.actor());
    Ok(opened.await.map_err(too_many)?)
}

fn too_many(exhausted: Exhausted) -> Problem {
    ProblemKind::Overloaded.because(match exhausted {
        Exhausted::Client => {
            "As many event streams of this key are open as one may have; close others first."
        }
        Exhausted::All => "As many event streams are open as the server bears.",
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
    permit: StreamPermit,
) -> Lines {
    let (reader, lines) = Reader::new(api, permit, GATHER);
    let start = match last_seen {
        None => Position::At(bounds.last),
        Some(id) => Position::read(id, &bounds),
    };
    let feed = Feed {
        engine: api.engine.clone(),
        reader,
        filter,
        epoch: bounds.epoch,
        place: bounds.last,
    };
    tokio::spawn(feed.run(start, bounds));
    lines
}

struct Feed {
    engine: Caller,
    reader: Reader,
    filter: EventFilter,
    epoch: i64,
    place: i64,
}

impl Feed {
    async fn run(mut self, start: Position, bounds: EventBounds) {
        // Both ways to end lead here: nothing is left to do.
        let _ = self.follow(start, bounds).await;
    }

    async fn follow(&mut self, start: Position, bounds: EventBounds) -> Result<(), Over> {
        match start {
            Position::At(seq) => {
                self.place = seq;
                self.reader.send(sse::begin(self.epoch, seq)).await?;
            }
            Position::Unreadable(error) => self.reset(&error.to_string(), bounds).await?,
            Position::Lost(why) => self.reset(&why, bounds).await?,
        }
        loop {
            match self.advance().await {
                Ok(true) => {}
                Ok(false) => self.reader.wait().await?,
                Err(StreamError::Over) => return Err(Over),
                Err(StreamError::Store(error)) => {
                    tracing::debug!(%error, "a stream could not read events; it tries again");
                    self.reader.wait().await?;
                }
            }
        }
    }

    /// Sends the next page; `false` if there was nothing new.
    async fn advance(&mut self) -> Result<bool, StreamError> {
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
            self.reader.send(sse::event(event)).await?;
        }
        if looked > self.place {
            self.place = looked;
            self.reader.send(sse::position(self.epoch, looked)).await?;
        }
        Ok(self.place > before)
    }

    async fn reset(&mut self, why: &str, bounds: EventBounds) -> Result<(), Over> {
        self.epoch = bounds.epoch;
        self.place = bounds.last;
        count_resync();
        self.reader.send(sse::reset(why, &bounds)).await
    }
}

/// Counts a stream whose client is told to begin anew.
fn count_resync() {
    metrics::counter!("baton_sse_resyncs_total").increment(1);
}

enum StreamError {
    Over,
    Store(baton_engine::Error),
}

impl From<Over> for StreamError {
    fn from(_: Over) -> Self {
        Self::Over
    }
}

impl From<baton_engine::Error> for StreamError {
    fn from(error: baton_engine::Error) -> Self {
        Self::Store(error)
    }
}
