//! The stream of an inbox: what comes into it, and how much of it is unread.
//!
//! The place of a reader is a version of the inbox, in the history of the store: after a restore the same
//! version may mean other items. Items are numbered by it, in the order in which they commit, so that
//! whoever goes on from a version misses nothing.

use std::time::Duration;

use axum::response::sse::Event as Line;
use baton_domain::{event::EventId, inbox};
use baton_engine::{Caller, Error, StreamPermit};
use baton_ports::store::NewItems;
use baton_protocol::inbox::InboxItem;
use serde_json::json;
use tokio::time::Instant;

use super::{
    Lines,
    reader::{Over, Reader, SAFETY},
    sse::with_data,
};
use crate::Api;

/// Items of one page.
const PAGE: u32 = 50;
/// How long news may gather after a wake-up: it comes with everybody's news.
const GATHER: Duration = Duration::from_millis(100);
/// How long a reader waits before it comes back after a break.
const RETRY: Duration = Duration::from_secs(2);

/// Opens a stream after the version that was last seen, or from now on.
pub fn open(
    api: &Api,
    recipient: String,
    last_seen: Option<&str>,
    now: inbox::Unread,
    epoch: i64,
    permit: StreamPermit,
) -> Lines {
    let (reader, lines) = Reader::new(api, permit, GATHER);
    let follower = Follower {
        engine: api.engine.clone(),
        reader,
        recipient,
        epoch,
        place: now.version,
        told: None,
        looked: None,
    };
    let last_seen = last_seen.map(str::to_owned);
    // Both ways to end lead here: nothing is left to do.
    tokio::spawn(async move { drop(follower.follow(last_seen).await) });
    lines
}

struct Follower {
    engine: Caller,
    reader: Reader,
    recipient: String,
    epoch: i64,
    place: i64,
    told: Option<i64>,
    /// When it was last seen that the history is the same.
    looked: Option<Instant>,
}

impl Follower {
    async fn follow(mut self, last_seen: Option<String>) -> Result<(), Over> {
        match last_seen.map(|id| id.parse::<EventId>()) {
            None => {}
            Some(Ok(seen)) if self.is_past(seen) => self.place = seen.seq,
            Some(_) => self.reset().await?,
        }
        loop {
            match self.advance().await? {
                Ok(true) => {}
                Ok(false) => self.reader.wait().await?,
                Err(Error::NotFound { .. }) => return Err(Over),
                Err(error) => {
                    tracing::debug!(%error, "a stream could not read an inbox; it tries again");
                    self.reader.wait().await?;
                }
            }
        }
    }

    /// Sends the next page and the count; whether there may be more at once.
    async fn advance(&mut self) -> Result<Result<bool, Error>, Over> {
        let news = self
            .engine
            .inbox_news(&self.recipient, self.place, PAGE)
            .await;
        // Versions of another history may be the very same: silence is no proof.
        let is_quiet = news.as_ref().is_ok_and(|news| self.is_told(news));
        if is_quiet && self.looked.is_some_and(|at| at.elapsed() < SAFETY) {
            return Ok(Ok(false));
        }
        // Looked at after the page: it is of this history, or the reader is told of another one.
        match self.begins_anew().await? {
            Ok(false) => {}
            begun => return Ok(begun),
        }
        let news = match news {
            Ok(news) => news,
            Err(error) => return Ok(Err(error)),
        };
        if self.is_told(&news) {
            return Ok(Ok(false));
        }
        let is_full = news.items.len() >= PAGE as usize;
        for item in news.items {
            self.place = item.seq;
            let line = Line::default().id(self.id()).event("inbox.added");
            self.reader
                .send(with_data(line, &InboxItem::from(item)))
                .await?;
        }
        if !is_full && self.told != Some(news.unread.version) {
            self.place = news.unread.version;
            self.told = Some(news.unread.version);
            let line = Line::default().id(self.id()).event("inbox.unread");
            self.reader
                .send(with_data(line.retry(RETRY), &news.unread))
                .await?;
        }
        Ok(Ok(is_full))
    }

    /// Whether another history has begun. Then the reader is told so, and goes on from where the inbox stands in it.
    async fn begins_anew(&mut self) -> Result<Result<bool, Error>, Over> {
        let epoch = match self.engine.event_bounds().await {
            Ok(bounds) => bounds.epoch,
            Err(error) => return Ok(Err(error)),
        };
        self.looked = Some(Instant::now());
        if epoch == self.epoch {
            return Ok(Ok(false));
        }
        // Asked once the history is known: a page that was read before may be of the former one.
        let place = match self.engine.unread(&self.recipient).await {
            Ok(unread) => unread.version,
            // Lost with the former history. The next look ends the stream.
            Err(Error::NotFound { .. }) => 0,
            Err(error) => return Ok(Err(error)),
        };
        (self.epoch, self.place, self.told) = (epoch, place, None);
        self.reset().await?;
        Ok(Ok(true))
    }

    /// Whether there is nothing that the reader has not been told.
    fn is_told(&self, news: &NewItems) -> bool {
        news.items.is_empty() && self.told == Some(news.unread.version)
    }

    fn is_past(&self, seen: EventId) -> bool {
        seen.epoch == self.epoch && (0..=self.place).contains(&seen.seq)
    }

    /// The place as readers see it.
    fn id(&self) -> String {
        let (epoch, seq) = (self.epoch, self.place);
        EventId { epoch, seq }.to_string()
    }

    async fn reset(&self) -> Result<(), Over> {
        let why = "This is no version that this inbox has had, or one from before the database was restored.";
        let line = Line::default().id(self.id()).event("reset");
        super::count_resync();
        self.reader
            .send(with_data(line, &json!({ "reason": why })))
            .await
    }
}
