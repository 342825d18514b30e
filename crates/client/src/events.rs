//! Events: read pages, or follow the feed across lost connections.

use std::{collections::VecDeque, pin::Pin, time::Duration};

use baton_protocol::event::{Event, EventPage, EventsQuery, Reset, StreamQuery};
use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use reqwest::Method;

use crate::{
    Client, Error, Result,
    sse::{Message, Parser},
};

/// A stream that says nothing for so long is dead: the server speaks each 15 s.
const SILENCE: Duration = Duration::from_secs(45);
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// What the feed tells.
#[derive(Debug, Clone, PartialEq)]
pub enum FeedMessage {
    /// The next event.
    Event(Event),
    /// The feed cannot go on where the reader was: read the present state, then follow.
    Reset(Reset),
}

impl Client {
    /// One page of the feed.
    ///
    /// # Errors
    /// When the place is gone, the query was refused, or no answer came.
    pub async fn events(&self, query: &EventsQuery) -> Result<EventPage> {
        self.get(self.url_with(&["v1", "events"], query)).await
    }

    /// Follows the feed after `query.after`, or from now. A lost connection is made again, from where
    /// it was lost, for as long as the stream is read.
    ///
    /// # Errors
    /// When the first connection cannot be made; later only when the server refuses to go on.
    pub async fn follow(
        &self,
        query: StreamQuery,
    ) -> Result<impl Stream<Item = Result<FeedMessage>> + Send + use<>> {
        let mut follower = Follower {
            client: self.clone(),
            query,
            parser: Parser::default(),
            place: None,
            body: None,
            told: VecDeque::new(),
            failures: 0,
        };
        follower.connect().await?;
        Ok(stream::try_unfold(follower, |mut follower| async move {
            let told = follower.next().await?;
            Ok(Some((told, follower)))
        }))
    }
}

type Body = Pin<Box<dyn Stream<Item = reqwest::Result<Bytes>> + Send>>;

struct Follower {
    client: Client,
    query: StreamQuery,
    parser: Parser,
    /// The last id that was told whole.
    place: Option<String>,
    body: Option<Body>,
    told: VecDeque<FeedMessage>,
    failures: u32,
}

impl Follower {
    async fn next(&mut self) -> Result<FeedMessage> {
        loop {
            if let Some(told) = self.told.pop_front() {
                return Ok(told);
            }
            match &mut self.body {
                None => self.reconnect().await?,
                Some(body) => match tokio::time::timeout(SILENCE, body.next()).await {
                    Ok(Some(Ok(bytes))) => self.take(&bytes)?,
                    _ => self.body = None,
                },
            }
        }
    }

    async fn reconnect(&mut self) -> Result<()> {
        tokio::time::sleep(self.pause()).await;
        self.failures += 1;
        match self.connect().await {
            Err(Error::Unreachable { .. }) => Ok(()),
            Err(Error::Problem(problem)) if problem.status == 503 => Ok(()),
            outcome => outcome,
        }
    }

    fn pause(&self) -> Duration {
        let first = self.parser.retry.unwrap_or(FIRST_PAUSE);
        first
            .saturating_mul(1 << self.failures.min(10))
            .min(LONGEST_PAUSE)
    }

    async fn connect(&mut self) -> Result<()> {
        let url = self
            .client
            .url_with(&["v1", "events", "stream"], &self.query);
        let request = || {
            // A stream has no end to wait for; its silence is watched instead.
            let request = self.client.endless_request(Method::GET, &url);
            match &self.place {
                Some(id) => request.header("last-event-id", id),
                None => request,
            }
        };
        let response = self.client.stream(request).await?;
        self.body = Some(response.bytes_stream().boxed());
        // What was cut off in the middle of a message comes again as a whole.
        self.parser.begin_anew();
        Ok(())
    }

    fn take(&mut self, bytes: &[u8]) -> Result<()> {
        self.failures = 0;
        let messages = self
            .parser
            .take(bytes)
            .map_err(|_| self.strange("a line without an end".to_owned()))?;
        for message in messages {
            let told = read(&message).map_err(|error| self.strange(error.to_string()))?;
            self.place = match &told {
                Some(FeedMessage::Reset(reset)) => Some(reset.last.to_string()),
                _ => message.id.or(self.place.take()),
            };
            self.told.extend(told);
        }
        Ok(())
    }

    fn strange(&self, what: String) -> Error {
        Error::Unexpected {
            url: self.client.url(&["v1", "events", "stream"]).to_string(),
            what,
        }
    }
}

fn read(message: &Message) -> serde_json::Result<Option<FeedMessage>> {
    let Some(data) = &message.data else {
        return Ok(None);
    };
    if message.event == "reset" {
        Ok(Some(FeedMessage::Reset(serde_json::from_str(data)?)))
    } else {
        Ok(Some(FeedMessage::Event(serde_json::from_str(data)?)))
    }
}
