//! A stream of the server, followed across lost connections.

use std::{collections::VecDeque, pin::Pin, time::Duration};

use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use reqwest::Method;
use url::Url;

use crate::{Client, Error, Result, sse::Parser};

/// A stream that says nothing for so long is dead: the server speaks each 15 s.
const SILENCE: Duration = Duration::from_secs(45);
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// What a stream tells.
pub trait StreamItem: Sized + Send + 'static {
    /// What a message says; nothing if it is of a sort that is not known.
    fn read(event: &str, data: &str) -> serde_json::Result<Option<Self>>;

    /// Where the stream goes on after it, if it says that itself.
    fn place(&self) -> Option<String> {
        None
    }
}

/// Follows a stream for as long as it is read. The first connection is made at once.
pub async fn follow<T: StreamItem>(
    client: &Client,
    url: Url,
) -> Result<impl Stream<Item = Result<T>> + Send + use<T>> {
    let mut follower = Follower {
        client: client.clone(),
        url,
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

type Body = Pin<Box<dyn Stream<Item = reqwest::Result<Bytes>> + Send>>;

struct Follower<T> {
    client: Client,
    url: Url,
    parser: Parser,
    /// The last id that was told whole.
    place: Option<String>,
    body: Option<Body>,
    told: VecDeque<T>,
    failures: u32,
}

impl<T: StreamItem> Follower<T> {
    async fn next(&mut self) -> Result<T> {
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
        let request = || {
            // A stream has no end to wait for; its silence is watched instead.
            let request = self.client.endless_request(Method::GET, &self.url);
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
            let told = match &message.data {
                Some(data) => T::read(&message.event, data),
                None => Ok(None),
            };
            let told = told.map_err(|error| self.strange(error.to_string()))?;
            let place = told.as_ref().and_then(T::place);
            self.place = place.or(message.id).or(self.place.take());
            self.told.extend(told);
        }
        Ok(())
    }

    fn strange(&self, what: String) -> Error {
        Error::Unexpected {
            url: self.url.to_string(),
            what,
        }
    }
}
