//! A reader of the event feed that stays from the first event to the last, across every fault.

use baton_client::{Client, EventsQuery, Result, StreamQuery, Told};
use baton_domain::event::EventId;
use baton_lab::checker::{Seen, Subscriber as Log};
use futures::{StreamExt, stream::BoxStream};
use tokio::{sync::watch, task::JoinHandle, time::timeout};

use crate::{history::as_lab, house::PATIENCE};

/// A reader of the feed.
pub struct Subscriber {
    last: watch::Sender<i64>,
    task: JoinHandle<Vec<Seen>>,
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
        let (last, end) = watch::channel(i64::MAX);
        let task = tokio::spawn(read(feed, end));
        Self { last, task }
    }

    /// Lets it read up to this event; what came later is left out.
    pub async fn end(self, last: i64) -> Log {
        self.last.send_replace(last);
        let seen = timeout(PATIENCE, self.task).await;
        let mut seen = seen
            .expect("the stream reaches the end of the feed")
            .unwrap();
        seen.retain(|seen| !matches!(seen, Seen::Event(event) if event.seq > last));
        Log {
            name: "the event stream".to_owned(),
            seen,
            stayed: true,
        }
    }
}

async fn read(
    mut feed: BoxStream<'static, Result<Told>>,
    mut end: watch::Receiver<i64>,
) -> Vec<Seen> {
    let mut seen = Vec::new();
    let mut place = 0;
    while place < *end.borrow() {
        tokio::select! {
            _ = end.changed() => {}
            told = feed.next() => match told.expect("the stream has no end").unwrap() {
                Told::Event(event) => {
                    place = event.seq;
                    seen.push(Seen::Event(as_lab(&event)));
                }
                Told::Reset(_) => seen.push(Seen::Reset),
            },
        }
    }
    seen
}
