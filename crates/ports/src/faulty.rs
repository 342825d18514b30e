//! A store whose connection fails: on a seeded schedule, before a call or after its commit.
//!
//! Whoever uses a store must live with both: what fails before has not happened, what fails after has
//! happened and nobody said so.

mod schedules;

use std::{future::Future, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    CampaignId, InboxItemId, JobId, OperationId, Timestamp, WorkerId,
    audience::Audience,
    campaign::{Campaign, NewCampaign},
    event::Event,
    fleet::{Beat, Worker},
    inbox::{Item, Unread},
    job::{Attempt, Job, NewJob},
    operation::{Action, DeadLetterFilter, DeadLetterGroup, Operation},
    page::{Page, PageRequest},
    queue::{Queue, QueueChange},
    recipient::{Profile, Recipient},
};
use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng};

use crate::store::{
    Atomicity, By, Campaigns, Chunk, Claim, Claimable, Claimed, Command, Created, DeadLetters,
    Dispatch, Drift, Durability, Enqueued, Error, EventBounds, EventFilter, Events, Finding, Fleet,
    Generation, Headcount, Held, Hinting, Inbox, JobFilter, Jobs, Line, Members, News, Note,
    Notified, Pruned, Put, Queues, Reading, Recipients, Released, Renewed, Result, Retention,
    Sequenced, Settled, Settlement, Shift, Start, Started, Store, Turn, Upkeep, Walk, Work,
};

/// How often a call fails, each as a share of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Odds {
    /// Before anything was done.
    pub before: f64,
    /// After the commit, which nobody hears of; a call that only reads is not done instead.
    pub after: f64,
}

/// A store whose connection fails. The same seed and the same calls make the same faults.
#[derive(Debug)]
pub struct Faulty<S: ?Sized> {
    schedule: Mutex<Schedule>,
    store: Arc<S>,
}

#[derive(Debug)]
struct Schedule {
    chance: StdRng,
    odds: Odds,
    injected: u64,
}

enum Fault {
    Before,
    After,
}

impl<S: Store + ?Sized> Faulty<S> {
    /// Wraps a store.
    #[must_use]
    pub fn new(store: Arc<S>, seed: u64, odds: Odds) -> Self {
        let schedule = Schedule {
            chance: StdRng::seed_from_u64(seed),
            odds,
            injected: 0,
        };
        Self {
            schedule: Mutex::new(schedule),
            store,
        }
    }

    /// Changes how often calls fail from now on; at no odds, none does.
    pub fn set(&self, odds: Odds) {
        self.schedule.lock().odds = odds;
    }

    /// How many calls have failed so far.
    #[must_use]
    pub fn injected(&self) -> u64 {
        self.schedule.lock().injected
    }

    /// The store behind.
    #[must_use]
    pub fn inner(&self) -> &Arc<S> {
        &self.store
    }

    /// A future does nothing until it is awaited, so a call dropped here has not happened.
    async fn write<T>(&self, call: impl Future<Output = Result<T>> + Send) -> Result<T> {
        match self.next_fault() {
            Some(Fault::Before) => Err(cut_before()),
            Some(Fault::After) => {
                call.await?;
                Err(Error::Unconfirmed("a fault was injected".to_owned()))
            }
            None => call.await,
        }
    }

    async fn read<T>(&self, call: impl Future<Output = Result<T>> + Send) -> Result<T> {
        match self.next_fault() {
            Some(_) => Err(cut_before()),
            None => call.await,
        }
    }

    fn next_fault(&self) -> Option<Fault> {
        let mut schedule = self.schedule.lock();
        let (odds, dice) = (schedule.odds, schedule.chance.random::<f64>());
        let fault = match dice {
            dice if dice < odds.before => Fault::Before,
            dice if dice < odds.before + odds.after => Fault::After,
            _ => return None,
        };
        schedule.injected += 1;
        Some(fault)
    }
}

fn cut_before() -> Error {
    Error::Unavailable("a fault was injected".to_owned())
}

#[async_trait]
impl<S: Store + ?Sized> Jobs for Faulty<S> {
    async fn enqueue(&self, jobs: Vec<NewJob>, atomicity: Atomicity) -> Result<Vec<Enqueued>> {
        self.write(self.store.enqueue(jobs, atomicity)).await
    }

    async fn job(&self, id: JobId) -> Result<Option<Job>> {
        self.read(self.store.job(id)).await
    }

    async fn jobs(&self, filter: &JobFilter, page: &PageRequest) -> Result<Page<Job>> {
        self.read(self.store.jobs(filter, page)).await
    }

    async fn attempts(&self, id: JobId) -> Result<Vec<Attempt>> {
        self.read(self.store.attempts(id)).await
    }

    async fn shift(&self, shift: &Shift, now: Timestamp) -> Result<bool> {
        self.write(self.store.shift(shift, now)).await
    }

    async fn ask_cancel(&self, id: JobId, reason: Option<&str>, now: Timestamp) -> Result<bool> {
        self.write(self.store.ask_cancel(id, reason, now)).await
    }

    async fn revoke(&self, id: JobId, reason: Option<&str>, now: Timestamp) -> Result<bool> {
        self.write(self.store.revoke(id, reason, now)).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> Work for Faulty<S> {
    async fn claim(&self, claim: &Claim, now: Timestamp) -> Result<Vec<Claimed>> {
        self.write(self.store.claim(claim, now)).await
    }

    async fn start(&self, jobs: Vec<NewJob>, start: &Start) -> Result<Started> {
        self.write(self.store.start(jobs, start)).await
    }

    async fn renew(&self, worker: WorkerId, until: Timestamp) -> Result<Renewed> {
        self.write(self.store.renew(worker, until)).await
    }

    async fn settle(
        &self,
        by: By,
        settlements: &[Settlement],
        now: Timestamp,
    ) -> Result<Vec<Settled>> {
        self.write(self.store.settle(by, settlements, now)).await
    }

    async fn overdue(&self, before: Timestamp, limit: u32) -> Result<Vec<Held>> {
        self.read(self.store.overdue(before, limit)).await
    }

    async fn release(&self, limit: u32, now: Timestamp) -> Result<Released> {
        self.write(self.store.release(limit, now)).await
    }

    async fn expire(&self, limit: u32, now: Timestamp) -> Result<u32> {
        self.write(self.store.expire(limit, now)).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> DeadLetters for Faulty<S> {
    async fn dead_letters(&self, page: &PageRequest) -> Result<Page<DeadLetterGroup>> {
        self.read(self.store.dead_letters(page)).await
    }

    async fn begin(
        &self,
        id: OperationId,
        action: Action,
        filter: &DeadLetterFilter,
        now: Timestamp,
    ) -> Result<Operation> {
        self.write(self.store.begin(id, action, filter, now)).await
    }

    async fn step(&self, limit: u32, now: Timestamp) -> Result<Option<Operation>> {
        self.write(self.store.step(limit, now)).await
    }

    async fn operation(&self, id: OperationId) -> Result<Option<Operation>> {
        self.read(self.store.operation(id)).await
    }

    async fn operations(&self, page: &PageRequest) -> Result<Page<Operation>> {
        self.read(self.store.operations(page)).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> Queues for Faulty<S> {
    async fn queues(&self, now: Timestamp) -> Result<Vec<Queue>> {
        self.read(self.store.queues(now)).await
    }

    async fn change_queue(
        &self,
        name: &str,
        change: &QueueChange,
        now: Timestamp,
    ) -> Result<Queue> {
        self.write(self.store.change_queue(name, change, now)).await
    }

    async fn lines(&self) -> Result<Vec<Line>> {
        self.read(self.store.lines()).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> Campaigns for Faulty<S> {
    async fn create_campaign(&self, campaign: &NewCampaign) -> Result<Created> {
        self.write(self.store.create_campaign(campaign)).await
    }

    async fn campaign(&self, id: CampaignId, now: Timestamp) -> Result<Option<Campaign>> {
        self.read(self.store.campaign(id, now)).await
    }

    async fn campaigns(&self, page: &PageRequest, now: Timestamp) -> Result<Page<Campaign>> {
        self.read(self.store.campaigns(page, now)).await
    }

    async fn command(&self, command: &Command, now: Timestamp) -> Result<bool> {
        self.write(self.store.command(command, now)).await
    }

    async fn take_expansion(
        &self,
        node: WorkerId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Campaign>> {
        self.write(self.store.take_expansion(node, until, now))
            .await
    }

    async fn expect_members(&self, id: CampaignId, members: u64) -> Result<()> {
        self.write(self.store.expect_members(id, members)).await
    }

    async fn expand(&self, chunk: &Chunk, now: Timestamp) -> Result<bool> {
        self.write(self.store.expand(chunk, now)).await
    }

    async fn settle_campaigns(&self, now: Timestamp) -> Result<u32> {
        self.write(self.store.settle_campaigns(now)).await
    }

    async fn cancel_deliveries(&self, limit: u32, now: Timestamp) -> Result<u32> {
        self.write(self.store.cancel_deliveries(limit, now)).await
    }

    async fn delivery_failures(&self, id: CampaignId) -> Result<Vec<DeadLetterGroup>> {
        self.read(self.store.delivery_failures(id)).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> Recipients for Faulty<S> {
    async fn put_recipients(&self, profiles: &[Profile], now: Timestamp) -> Result<Vec<Put>> {
        self.write(self.store.put_recipients(profiles, now)).await
    }

    async fn find_recipients(&self, ids: &[String]) -> Result<Vec<Recipient>> {
        self.read(self.store.find_recipients(ids)).await
    }

    async fn recipients(&self, page: &PageRequest) -> Result<Page<Recipient>> {
        self.read(self.store.recipients(page)).await
    }

    async fn delete_recipient(&self, id: &str) -> Result<bool> {
        self.write(self.store.delete_recipient(id)).await
    }

    async fn switch_topic(&self, id: &str, topic: &str, on: bool, now: Timestamp) -> Result<bool> {
        self.write(self.store.switch_topic(id, topic, on, now))
            .await
    }

    async fn bury_address(
        &self,
        id: &str,
        channel: &str,
        address: &str,
        now: Timestamp,
    ) -> Result<bool> {
        self.write(self.store.bury_address(id, channel, address, now))
            .await
    }

    async fn joined(&self) -> Result<i64> {
        self.read(self.store.joined()).await
    }

    async fn members(&self, walk: &Walk<'_>, limit: u32) -> Result<Members> {
        self.read(self.store.members(walk, limit)).await
    }

    async fn count_members(&self, audience: &Audience, until: i64) -> Result<Headcount> {
        self.read(self.store.count_members(audience, until)).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> Inbox for Faulty<S> {
    async fn notify(&self, dispatch: &Dispatch, now: Timestamp) -> Result<Notified> {
        self.write(self.store.notify(dispatch, now)).await
    }

    async fn inbox(&self, recipient: &str, page: &PageRequest) -> Result<Option<Page<Item>>> {
        self.read(self.store.inbox(recipient, page)).await
    }

    async fn news(&self, recipient: &str, after: i64, limit: u32) -> Result<Option<News>> {
        self.read(self.store.news(recipient, after, limit)).await
    }

    async fn unread(&self, recipient: &str) -> Result<Option<Unread>> {
        self.read(self.store.unread(recipient)).await
    }

    async fn read_item(
        &self,
        recipient: &str,
        item: InboxItemId,
        now: Timestamp,
    ) -> Result<Option<Reading>> {
        self.write(self.store.read_item(recipient, item, now)).await
    }

    async fn read_all(&self, recipient: &str, now: Timestamp) -> Result<Option<Unread>> {
        self.write(self.store.read_all(recipient, now)).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> Fleet for Faulty<S> {
    async fn beat(&self, beat: &Beat, now: Timestamp) -> Result<()> {
        self.write(self.store.beat(beat, now)).await
    }

    async fn leave(&self, worker: WorkerId, now: Timestamp) -> Result<()> {
        self.write(self.store.leave(worker, now)).await
    }

    async fn workers(&self, since: Timestamp) -> Result<Vec<Worker>> {
        self.read(self.store.workers(since)).await
    }

    async fn lead(&self, node: WorkerId, term: Duration, now: Timestamp) -> Result<bool> {
        self.write(self.store.lead(node, term, now)).await
    }

    async fn resign(&self, node: WorkerId, now: Timestamp) -> Result<()> {
        self.write(self.store.resign(node, now)).await
    }

    async fn leader(&self, now: Timestamp) -> Result<Option<WorkerId>> {
        self.read(self.store.leader(now)).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> Events for Faulty<S> {
    async fn sequence(&self, limit: u32, now: Timestamp) -> Result<Sequenced> {
        self.write(self.store.sequence(limit, now)).await
    }

    async fn events(
        &self,
        after: i64,
        limit: u32,
        filter: &EventFilter,
    ) -> Result<(Vec<Event>, i64)> {
        self.read(self.store.events(after, limit, filter)).await
    }

    async fn job_events(&self, job: JobId) -> Result<Vec<Event>> {
        self.read(self.store.job_events(job)).await
    }

    async fn bounds(&self) -> Result<EventBounds> {
        self.read(self.store.bounds()).await
    }

    async fn note(&self, note: &Note, now: Timestamp) -> Result<()> {
        self.write(self.store.note(note, now)).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> Hinting for Faulty<S> {
    async fn generation(&self) -> Result<Generation> {
        self.read(self.store.generation()).await
    }

    async fn begin_generation(
        &self,
        seen: i64,
        incarnation: &str,
        why: &str,
        now: Timestamp,
    ) -> Result<Option<i64>> {
        self.write(self.store.begin_generation(seen, incarnation, why, now))
            .await
    }

    async fn claimable(
        &self,
        after: Option<&Turn>,
        before: Timestamp,
        limit: u32,
    ) -> Result<Claimable> {
        self.read(self.store.claimable(after, before, limit)).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> Upkeep for Faulty<S> {
    fn dialect(&self) -> &'static str {
        self.store.dialect()
    }

    async fn time(&self) -> Result<Timestamp> {
        self.read(self.store.time()).await
    }

    async fn durability(&self) -> Result<Durability> {
        self.read(self.store.durability()).await
    }

    async fn findings(&self) -> Result<Vec<Finding>> {
        self.read(self.store.findings()).await
    }

    async fn prune(&self, retention: &Retention, limit: u32, now: Timestamp) -> Result<Pruned> {
        self.write(self.store.prune(retention, limit, now)).await
    }

    async fn audit(&self, now: Timestamp) -> Result<Vec<Drift>> {
        self.write(self.store.audit(now)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryStore;

    const NOW: Timestamp = Timestamp::from_micros(0);
    const NEVER: Odds = Odds {
        before: 0.0,
        after: 0.0,
    };

    fn faulty(seed: u64, odds: Odds) -> Faulty<dyn Store> {
        Faulty::new(Arc::new(MemoryStore::new()), seed, odds)
    }

    async fn pauses(store: &Faulty<dyn Store>) -> Vec<bool> {
        let change = QueueChange {
            paused: Some(true),
            ..QueueChange::default()
        };
        let mut answers = Vec::new();
        for queue in 0..50 {
            let name = format!("q{queue}");
            answers.push(store.change_queue(&name, &change, NOW).await.is_ok());
        }
        answers
    }

    #[tokio::test]
    async fn a_call_that_fails_before_has_not_happened() {
        let before = Odds {
            before: 1.0,
            after: 0.0,
        };
        let store = faulty(1, before);

        let answers = pauses(&store).await;
        store.set(NEVER);

        assert!(answers.iter().all(|is_ok| !is_ok));
        assert!(store.queues(NOW).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_call_that_fails_after_has_happened() {
        let after = Odds {
            before: 0.0,
            after: 1.0,
        };
        let store = faulty(1, after);

        let answers = pauses(&store).await;
        store.set(NEVER);

        assert!(answers.iter().all(|is_ok| !is_ok));
        assert_eq!(store.queues(NOW).await.unwrap().len(), 50);
        assert_eq!(store.injected(), 50);
    }

    #[tokio::test]
    async fn the_same_seed_makes_the_same_faults() {
        let odds = Odds {
            before: 0.2,
            after: 0.2,
        };

        let first = pauses(&faulty(7, odds)).await;
        let again = pauses(&faulty(7, odds)).await;
        let other = pauses(&faulty(8, odds)).await;

        assert_eq!(first, again);
        assert_ne!(first, other);
    }
}
