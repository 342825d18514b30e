//! What everybody says of the run: the clients, the server, its feed, the target.

use baton_client::{Client, DeadLetters, EventsQuery, JobsQuery};
use baton_domain::{Clock, JobId, time::SystemClock};
use baton_lab::{
    checker::{self, Attempt, Event, Fault, History, Request, Rules, Subscriber},
    target::Target,
};
use baton_protocol::PageQuery;
use futures::{StreamExt, TryStreamExt, stream};
use serde::{Serialize, de::DeserializeOwned};

use crate::exit::Failure;

use super::{LEASE, SLOTS};

/// How many attempts are asked for at once.
const AT_ONCE: usize = 32;
/// The longest page.
const PAGE: u32 = 500;

/// What everybody says, and the groups of dead letters as an operator would see them.
pub struct Evidence {
    pub history: History,
    pub groups: Vec<DeadLetters>,
}

impl Evidence {
    /// The same with what a subscriber saw.
    pub fn with(mut self, subscriber: Subscriber) -> Self {
        self.history.subscribers.push(subscriber);
        self
    }
}

/// Asks everybody.
pub async fn gather(
    client: &Client,
    target: &Target,
    requests: Vec<Request>,
    faults: Vec<Fault>,
) -> Result<Evidence, Failure> {
    let jobs = jobs(client).await?;
    let ids: Vec<JobId> = jobs.iter().map(|job| job.id).collect();
    let history = History {
        requests,
        arrivals: target.arrivals(),
        jobs: jobs.iter().map(as_lab).collect::<Result<_, _>>()?,
        attempts: attempts(client, ids).await?,
        events: events(client).await?,
        faults,
        rules: rules(),
        ..History::default()
    };
    let page = PageQuery {
        limit: Some(PAGE),
        after: None,
    };
    let groups = client.dead_letters(&page).await?.items;
    Ok(Evidence { history, groups })
}

fn rules() -> Rules {
    Rules {
        ended_us: now_us(),
        lease_us: i64::try_from(LEASE.as_micros()).unwrap_or(i64::MAX),
        in_doubt: SLOTS as usize * 3,
        ..Rules::default()
    }
}

async fn jobs(client: &Client) -> Result<Vec<baton_client::Job>, Failure> {
    let query = JobsQuery {
        limit: Some(PAGE),
        ..JobsQuery::default()
    };
    Ok(client.jobs(query).try_concat().await?)
}

async fn attempts(client: &Client, ids: Vec<JobId>) -> Result<Vec<Attempt>, Failure> {
    let asked = stream::iter(ids).map(|id| async move { client.attempts(id).await });
    let attempts: Vec<_> = asked.buffer_unordered(AT_ONCE).try_concat().await?;
    attempts.iter().map(as_lab).collect()
}

async fn events(client: &Client) -> Result<Vec<Event>, Failure> {
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

/// The judge has types of its own and reads what the wire says.
pub fn as_lab<T: Serialize, L: DeserializeOwned>(value: &T) -> Result<L, Failure> {
    serde_json::to_value(value)
        .and_then(serde_json::from_value)
        .map_err(|error| Failure::new(format!("the judge cannot read an answer: {error}")))
}

/// The present moment, in microseconds since 1970.
pub fn now_us() -> i64 {
    SystemClock.now().as_micros()
}

/// Everything that does not agree.
pub fn violations(evidence: &Evidence) -> Vec<String> {
    let violations = checker::check(&evidence.history);
    violations.iter().map(ToString::to_string).collect()
}
