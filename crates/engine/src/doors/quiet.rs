//! The moment when nothing is due and nothing runs.

use std::time::Duration;

use baton_domain::{access::Permission, job::State, page::PageRequest};
use baton_ports::{
    Wakeup,
    store::{JobFilter, Outstanding},
};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::{Caller, Result};

/// How often it is looked without a wake-up.
const LOOK: Duration = Duration::from_millis(250);
/// Among how many leases the first that still holds a job is looked for.
const LEASES: u32 = 1_000;

impl Caller {
    /// Waits until nothing is due and nothing runs, and all facts have their numbers; what waits for its time may wait.
    /// Says what keeps it from being so, when the wait is over: nothing, if nothing does.
    pub async fn quiet(&self, wait: Duration, stop: &CancellationToken) -> Result<Vec<String>> {
        self.needs(Permission::JobsRead)?;
        let deadline = Instant::now() + wait;
        // Each move is a fact, and the last one is numbered before it is quiet.
        let mut events = self.inner.wakeups.subscribe(Wakeup::Events);
        loop {
            let busy = self.busy().await?;
            if busy.is_empty() || Instant::now() >= deadline {
                return Ok(busy);
            }
            let next = deadline.min(Instant::now() + LOOK);
            tokio::select! {
                () = stop.cancelled() => return Ok(busy),
                // Whether it was woken or has waited: it looks.
                _ = timeout_at(next, events.recv()) => {}
            }
        }
    }

    /// What is due or runs. Nothing moved from one of its looks to the next: then a fact would have come.
    async fn busy(&self) -> Result<Vec<String>> {
        let before = self.store().bounds().await?.last;
        let found = self.store().outstanding(self.now()).await?;
        let mut busy: Vec<_> = words(&found).map(str::to_owned).collect();
        if found.in_line {
            busy.push(self.in_line().await?);
        }
        busy.extend(self.running().await?);
        if busy.is_empty() {
            let again = self.store().outstanding(self.now()).await?;
            let after = self.store().bounds().await?.last;
            if again.facts || after != before {
                busy.push("something has just moved".to_owned());
            }
        }
        Ok(busy)
    }

    /// A job that stands in line.
    async fn in_line(&self) -> Result<String> {
        let filter = JobFilter {
            state: Some(State::Queued),
            ..JobFilter::default()
        };
        let page = PageRequest {
            limit: 1,
            ..PageRequest::default()
        };
        let found = self.store().jobs(&filter, &page).await?;
        let named = found.items.first();
        Ok(named.map_or_else(
            || "a job is queued".to_owned(),
            |job| format!("{} ({}) is queued", job.id, job.kind),
        ))
    }

    /// A job that runs, if any does.
    async fn running(&self) -> Result<Option<String>> {
        let views = self.store().leases(LEASES).await?;
        let leases: Vec<_> = views.iter().map(|view| view.lease).collect();
        let held = self.store().held(&leases, 1).await?;
        let named = held.first();
        Ok(named.map(|held| format!("{} ({}) is running", held.job, held.kind)))
    }
}

fn words(found: &Outstanding) -> impl Iterator<Item = &'static str> {
    [
        (found.jobs, "a job is due"),
        (found.expired, "a job has expired"),
        (found.operations, "an operation is under way"),
        (found.campaigns, "a campaign is due or under way"),
        (found.schedules, "a schedule is due"),
        (found.staged, "a job is staged"),
        (found.facts, "facts wait for their numbers"),
    ]
    .into_iter()
    .filter_map(|(is_so, word)| is_so.then_some(word))
}
