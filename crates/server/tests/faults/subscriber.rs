//! A reader of the event feed that stays from the first event to the last, across every fault.

use baton_client::{Client, EventsQuery, Result, StreamQuery, Told};
use baton_domain::event::EventId;
use baton_lab::checker::{Seen, Subscriber as Log};
use futures::{StreamExt, stream::BoxStream};
use tokio::{sync::watch, task::JoinHandle, time::timeout};

use crate::{fixture::PATIENCE, history::as_lab};

/// A reader of the feed.
pub struct Subscriber {
    last: watch::Sender<Option<EventId>>,
    task: JoinHandle<Vec<(EventId, Seen)>>,
}

impl Subscriber {
    /// Follows the feed from its first event on.
    pub async fn start(client: &Client) -> Self {
        let page = client.events(&EventsQuery::default()).await.unwrap();
        let first = EventId {
            seq: 0,
            ..page.position
        };
        let query = StreamQuery {
            after: Some(first.to_string()),
            ..StreamQuery::default()
        };
        let feed = client.follow(query).await.unwrap().boxed();
        let (last, end) = watch::channel(None);
        let task = tokio::spawn(read(feed, end));
        Self { last, task }
    }

    /// Lets it read up to this event; what came later is left out.
    pub async fn end(self, last: EventId) -> Log {
        self.last.send_replace(Some(last));
        let seen = timeout(PATIENCE, self.task).await;
        let seen = seen
            .expect("the stream reaches the end of the feed")
            .unwrap();
        let up_to_last = seen.into_iter().filter(|(id, _)| !id.is_after(last));
        Log {
            name: "the event stream".to_owned(),
            seen: up_to_last.map(|(_, seen)| seen).collect(),
            stayed: true,
        }
    }
}

async fn read(
    mut feed: BoxStream<'static, Result<Told>>,
    mut end: watch::Receiver<Option<EventId>>,
) -> Vec<(EventId, Seen)> {
    let mut seen = Vec::new();
    let mut place = None::<EventId>;
    let is_there = |place: Option<EventId>, end: Option<EventId>| {
        place
            .zip(end)
            .is_some_and(|(place, end)| place.has_reached(end))
    };
    while !is_there(place, *end.borrow()) {
        tokio::select! {
            _ = end.changed() => {}
            told = feed.next() => {
                let (id, told) = match told.expect("the stream has no end").unwrap() {
                    Told::Event(event) => (event.id, Seen::Event(as_lab(&event))),
                    Told::Reset(reset) => (reset.last, Seen::Reset),
                };
                place = Some(id);
                seen.push((id, told));
            }
        }
    }
    seen
}
