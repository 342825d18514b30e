//! What a server says of all its jobs, through its public API, in the words of the judge.

use std::time::Duration;

use baton_client::{AttemptsQuery, Client, EventsQuery, JobsQuery};
use baton_domain::{Clock, JobId, time::SystemClock};
use baton_lab::checker::{Attempt, Event, History, Rules};
use futures::{StreamExt, TryStreamExt, stream};
use serde::{Serialize, de::DeserializeOwned};

use crate::Failure;

/// How many lists of attempts are asked for at once.
const AT_ONCE: usize = 8;
/// The longest page.
const PAGE: u32 = 500;

/// A history of what the server knows: every job, every attempt, the whole feed.
pub async fn of(client: &Client) -> Result<History, Failure> {
    let jobs = jobs(client).await?;
    let ids: Vec<JobId> = jobs.iter().map(|job| job.id).collect();
    Ok(History {
        jobs: jobs.iter().map(as_lab).collect::<Result<_, _>>()?,
        attempts: attempts(client, &ids).await?,
        events: events(client).await?,
        ..History::default()
    })
}

/// Every job.
pub async fn jobs(client: &Client) -> Result<Vec<baton_client::Job>, Failure> {
    let query = JobsQuery {
        limit: Some(PAGE),
        ..JobsQuery::default()
    };
    Ok(client.jobs(query).try_concat().await?)
}

async fn attempts(client: &Client, ids: &[JobId]) -> Result<Vec<Attempt>, Failure> {
    let asked = stream::iter(ids.chunks(AttemptsQuery::MAX))
        .map(|ids| async move { client.attempts_of(ids).await });
    let attempts: Vec<_> = asked.buffer_unordered(AT_ONCE).try_concat().await?;
    attempts.iter().map(as_lab).collect()
}

/// The whole feed.
pub async fn events(client: &Client) -> Result<Vec<Event>, Failure> {
    let mut query = EventsQuery {
        limit: Some(PAGE),
        ..EventsQuery::default()
    };
    let mut events = Vec::new();
    loop {
        let page = client.events(&query).await?;
        for event in &page.items {
            events.push(as_lab(event)?);
        }
        if page.next.is_none() {
            return Ok(events);
        }
        query.after = page.next;
    }
}

/// What holds for servers with these leases, each of which may have so many results in doubt.
#[must_use]
pub fn rules(lease: Duration, in_doubt: usize) -> Rules {
    Rules {
        ended_us: now_us(),
        lease_us: i64::try_from(lease.as_micros()).unwrap_or(i64::MAX),
        in_doubt,
        ..Rules::default()
    }
}

/// The judge has types of its own and reads what the wire says.
pub fn as_lab<T: Serialize, L: DeserializeOwned>(value: &T) -> Result<L, Failure> {
    serde_json::to_value(value)
        .and_then(serde_json::from_value)
        .map_err(|error| Failure::new(format!("the judge cannot read an answer: {error}")))
}

/// The present moment, in microseconds since 1970.
#[must_use]
pub fn now_us() -> i64 {
    SystemClock.now().as_micros()
}
