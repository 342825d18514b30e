//! A reader of the event feed that stays from the first event to the last, across every fault.

use std::time::Duration;

use baton_client::{Client, EventsQuery, FeedMessage, StreamQuery};
use baton_domain::event::EventId;
use baton_lab::checker::{FeedItem, History, Subscriber as Log};
use futures::StreamExt;
use tokio::{sync::watch, task::JoinHandle, time::timeout};

use crate::{Failure, evidence::as_lab};

/// How long the reader may be behind at the end.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Before every event.
const NOTHING: EventId = EventId { epoch: 0, seq: 0 };

/// A reader of the feed.
pub struct Subscriber {
    name: String,
    last: watch::Sender<Option<EventId>>,
    task: JoinHandle<Result<Vec<(EventId, FeedItem)>, Failure>>,
}

impl Subscriber {
    /// Follows the feed from its first event on.
    pub async fn start(name: &str, client: &Client) -> Result<Self, Failure> {
        let page = client.events(&EventsQuery::default()).await?;
        let first = EventId {
            seq: 0,
            ..page.position
        };
        let query = StreamQuery {
            after: Some(first.to_string()),
            ..StreamQuery::default()
        };
        let feed = client.follow(query).await?.boxed();
        let (last, end) = watch::channel(None);
        let task = tokio::spawn(read(feed, end));
        Ok(Self {
            name: name.to_owned(),
            last,
            task,
        })
    }

    /// Lets it read up to the last event that a history has, and no further: of what came later only the stream has told.
    pub async fn end_with(self, history: &History) -> Result<Log, Failure> {
        let last = history.events.last();
        let last = last.map_or(Ok(NOTHING), |event| event.id.parse());
        let last = last.map_err(|_| Failure::new("the feed has an event whose id is none"))?;
        self.last.send_replace(Some(last));
        let seen = timeout(TIMEOUT, self.task)
            .await
            .map_err(|_| Failure::new("the event stream did not reach the end of the feed"))?
            .map_err(|error| Failure::new(format!("the subscriber has ended: {error}")))??;
        let up_to_last = seen.into_iter().filter(|(id, _)| !id.is_after(last));
        Ok(Log {
            name: self.name,
            seen: up_to_last.map(|(_, seen)| seen).collect(),
            stayed: true,
        })
    }
}

/// What is told up to the end, each with the place after it. The numbers of another history say nothing of this one's.
async fn read(
    mut feed: futures::stream::BoxStream<'static, baton_client::Result<FeedMessage>>,
    mut end: watch::Receiver<Option<EventId>>,
) -> Result<Vec<(EventId, FeedItem)>, Failure> {
    let mut seen = Vec::new();
    let mut place = None;
    while !has_reached(place, *end.borrow()) {
        tokio::select! {
            _ = end.changed() => {}
            told = feed.next() => {
                let (id, told) = match told {
                    Some(Ok(FeedMessage::Event(event))) => (event.id, FeedItem::Event(as_lab(&event)?)),
                    Some(Ok(FeedMessage::Reset(reset))) => (reset.last, FeedItem::Reset),
                    Some(Err(error)) => return Err(error.into()),
                    None => break,
                };
                place = Some(id);
                seen.push((id, told));
            }
        }
    }
    Ok(seen)
}

/// Whether who stands there has read up to the end. An end before every event is reached by whoever began.
fn has_reached(place: Option<EventId>, end: Option<EventId>) -> bool {
    end.is_some_and(|end| end.seq == 0 || place.is_some_and(|place| place.has_reached(end)))
}

#[cfg(test)]
mod tests {
    use baton_protocol::event::{Event, Reset};
    use futures::stream;

    use super::*;

    fn event(epoch: i64, seq: i64) -> FeedMessage {
        let id = EventId { epoch, seq };
        let event = serde_json::json!({
            "id": id, "seq": seq, "type": "queue.paused", "subject": "default", "at": "2026-01-31T09:00:00Z", "data": {},
        });
        FeedMessage::Event(serde_json::from_value::<Event>(event).unwrap())
    }

    fn reset(epoch: i64, last: i64) -> FeedMessage {
        FeedMessage::Reset(Reset {
            reason: "the database was put back".to_owned(),
            first: EventId { epoch, seq: 1 },
            last: EventId { epoch, seq: last },
        })
    }

    #[tokio::test]
    async fn an_event_that_came_after_the_history_was_asked_for_is_left_out() {
        let told = [event(1, 8), event(1, 9)];
        let events = told[..1].iter().filter_map(|told| match told {
            FeedMessage::Event(event) => as_lab(event).ok(),
            FeedMessage::Reset(_) => None,
        });
        let history = History {
            events: events.collect(),
            ..History::default()
        };
        let (last, end) = watch::channel(None);
        let feed = stream::iter(told.map(Ok)).boxed();
        let subscriber = Subscriber {
            name: "the stream".to_owned(),
            last,
            task: tokio::spawn(read(feed, end)),
        };

        let log = subscriber.end_with(&history).await.unwrap();

        assert_eq!(log.seen.len(), 1);
    }

    #[tokio::test]
    async fn after_a_reset_it_reads_on_from_where_the_other_history_stands() {
        let told = [event(1, 8), reset(2, 3), event(2, 4), event(2, 9)];
        let feed = stream::iter(told.map(Ok)).boxed();
        let (last, end) = watch::channel(Some(EventId { epoch: 2, seq: 9 }));

        let seen = read(feed, end).await.unwrap();

        drop(last);
        let numbers = seen.iter().filter_map(|(id, seen)| match seen {
            FeedItem::Event(_) => Some(id.seq),
            FeedItem::Reset => None,
        });
        assert_eq!(numbers.collect::<Vec<_>>(), [8, 4, 9]);
    }

    #[tokio::test]
    async fn a_reset_to_the_end_of_the_other_history_is_its_end() {
        let feed = stream::iter([event(1, 8), reset(2, 9)].map(Ok));
        let feed = feed.chain(stream::pending()).boxed();
        let (last, end) = watch::channel(Some(EventId { epoch: 2, seq: 9 }));

        let seen = timeout(TIMEOUT, read(feed, end)).await;

        drop(last);
        assert_eq!(seen.expect("it has ended").unwrap().len(), 2);
    }

    #[tokio::test]
    async fn a_greater_number_of_a_former_history_is_not_the_end() {
        let seen = seen_of_two_histories(1, 2).await;

        assert_eq!(seen, 3);
    }

    #[tokio::test]
    async fn nor_is_one_of_a_former_history_that_began_by_a_clock_which_was_ahead() {
        let seen = seen_of_two_histories(9, 2).await;

        assert_eq!(seen, 3);
    }

    /// How much a reader sees who has come far in one history, and ends soon after another has begun.
    async fn seen_of_two_histories(former: i64, present: i64) -> usize {
        let told = [event(former, 99), reset(present, 3), event(present, 4)];
        let feed = stream::iter(told.map(Ok));
        let feed = feed.chain(stream::pending()).boxed();
        let (last, end) = watch::channel(Some(EventId {
            epoch: present,
            seq: 4,
        }));

        let seen = timeout(TIMEOUT, read(feed, end)).await;

        drop(last);
        seen.expect("it has ended").unwrap().len()
    }
}
