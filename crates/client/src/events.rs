//! Events: read pages, or follow the feed across lost connections.

use baton_protocol::event::{Event, EventPage, EventsQuery, Reset, StreamQuery};
use futures::Stream;

use crate::{
    Client, Result,
    follower::{StreamItem, follow},
};

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
    pub async fn events(&self, query: &EventsQuery) -> Result<EventPage> {
        self.get_with(&["events"], query).await
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
        follow(self, self.url_with(&["events", "stream"], &query)).await
    }
}

impl StreamItem for FeedMessage {
    fn read(event: &str, data: &str) -> serde_json::Result<Option<Self>> {
        let told = match event {
            "reset" => Self::Reset(serde_json::from_str(data)?),
            _ => Self::Event(serde_json::from_str(data)?),
        };
        Ok(Some(told))
    }

    fn place(&self) -> Option<String> {
        match self {
            Self::Event(_) => None,
            Self::Reset(reset) => Some(reset.last.to_string()),
        }
    }
}
