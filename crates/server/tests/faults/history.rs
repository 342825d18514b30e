//! What everybody says at the end, and the verdict.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use baton_client::{Client, EventsQuery, Job, JobsQuery};
use baton_domain::{JobId, job::State};
use baton_lab::checker::{self, Attempt, Event, History, Rules};
use baton_testkit::eventually;
use futures::{StreamExt, TryStreamExt, stream};
use serde::{Serialize, de::DeserializeOwned};

use crate::fixture::{LEASE, SLOTS, now_us};

/// How long after the last fault everything may still be under way: G7's half minute, and what the
/// jobs themselves take with all their tries.
const HEAL: Duration = Duration::from_secs(45);
/// How many attempts are asked for at once.
const AT_ONCE: usize = 16;
/// The longest page.
const PAGE: u32 = 500;
/// How many findings are worth showing.
const MOST: usize = 30;

/// Waits until every job has come to its end.
pub async fn all_jobs_have_ended(client: &Client) {
    eventually("every job has ended", HEAL, async || {
        let jobs = jobs(client).await;
        !jobs.is_empty() && jobs.iter().all(|job| job.state.is_terminal())
    })
    .await;
}

/// Waits until the feed has told the end of every job.
pub async fn the_feed_tells_all_ends(client: &Client) {
    eventually("the feed tells every end", HEAL, async || {
        let mut told = BTreeMap::new();
        for event in events(client).await {
            if let Some(state) = event.moved_to() {
                told.insert(event.subject, state);
            }
        }
        let jobs = jobs(client).await;
        jobs.iter().all(|job| {
            told.get(&job.id.to_string())
                .is_some_and(|state| state.is_terminal())
        })
    })
    .await;
}

/// What the database and the feed say, as the API tells it.
pub async fn of(client: &Client) -> History {
    let jobs = jobs(client).await;
    let ids = jobs.iter().map(|job| job.id).collect();
    History {
        attempts: attempts(client, ids).await,
        jobs: jobs.iter().map(as_lab).collect(),
        events: events(client).await,
        rules: Rules {
            ended_us: now_us(),
            lease_us: i64::try_from(LEASE.as_micros()).unwrap(),
            in_doubt: SLOTS * 3,
            ..Rules::default()
        },
        ..History::default()
    }
}

/// Fails with every broken invariant, and leaves the history behind for a closer look.
pub fn assert_clean(name: &str, seed: u64, history: &History, folder: &Path) {
    let summary = checker::summary(history);
    let acts = history.acts.len();
    let (calls, events) = (history.arrivals.len(), history.events.len());
    eprintln!(
        "{name}: {} accepted, {} succeeded, {} retried, {} rescued, {:?} dead, {:?} other, \
         {acts} acts, {calls} calls, {} made twice, {events} events, {} faults",
        summary.accepted,
        summary.succeeded,
        summary.retried,
        summary.rescued,
        summary.dead,
        summary.other,
        summary.duplicates.len(),
        history.faults.len(),
    );
    let path = folder.join("history.json");
    fs::write(&path, serde_json::to_vec(history).unwrap()).unwrap();
    let violations = checker::check(history);
    if violations.is_empty() {
        return;
    }
    let shown: Vec<_> = violations
        .iter()
        .take(MOST)
        .map(ToString::to_string)
        .collect();
    panic!(
        "{name}: {} invariants are broken (FAULTS_SEED={seed}, history in {}):\n{}",
        violations.len(),
        path.display(),
        shown.join("\n")
    );
}

/// The jobs that run.
pub async fn running(client: &Client) -> Vec<Job> {
    jobs_in(client, Some(State::Running)).await
}

async fn jobs(client: &Client) -> Vec<Job> {
    jobs_in(client, None).await
}

async fn jobs_in(client: &Client, state: Option<State>) -> Vec<Job> {
    let query = JobsQuery {
        limit: Some(PAGE),
        state,
        ..JobsQuery::default()
    };
    client.jobs(query).try_concat().await.unwrap()
}

async fn attempts(client: &Client, ids: Vec<JobId>) -> Vec<Attempt> {
    let asked = stream::iter(ids).map(|id| async move { client.attempts(id).await });
    let attempts: Vec<_> = asked.buffer_unordered(AT_ONCE).try_concat().await.unwrap();
    attempts.iter().map(as_lab).collect()
}

async fn events(client: &Client) -> Vec<Event> {
    let mut query = EventsQuery {
        limit: Some(PAGE),
        ..EventsQuery::default()
    };
    let mut events = Vec::new();
    loop {
        let page = client.events(&query).await.unwrap();
        events.extend(page.items.iter().map(as_lab::<_, Event>));
        if page.next.is_none() {
            return events;
        }
        query.after = page.next;
    }
}

/// The judge has types of its own and reads what the wire says.
pub fn as_lab<T: Serialize, L: DeserializeOwned>(value: &T) -> L {
    serde_json::from_value(serde_json::to_value(value).unwrap()).unwrap()
}
