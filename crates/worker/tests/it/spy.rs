//! A store that tells what it was asked, and misbehaves where a test wants it to.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    CampaignId, InboxItemId, JobId, OperationId, ScheduleId, Timestamp, WorkerId,
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
    schedule::{Fire, Schedule},
};
use baton_ports::{
    MemoryStore,
    store::{
        Atomicity, By, Campaigns, Chunk, Claim, Claimable, Claimed, Command, Created, DeadLetters,
        Dispatch, Drift, DueSchedules, Durability, Enqueued, Error, EventBounds, EventFilter,
        Events, Finding, Fired, Firing, Fleet, Generation, Headcount, Held, Hinting, Inbox,
        JobFilter, Jobs, Line, Members, Named, News, Note, Notified, Passing, Pruned, Put, Queues,
        Reading, Recipients, Released, Renewed, Result, Retention, ScheduleChange, Schedules,
        Sequenced, Settled, Settlement, Shift, Start, Started, Turn, Upkeep, Walk, Work,
    },
};
use parking_lot::Mutex;
use tokio::time::Instant;

/// A store that tells what it was asked.
pub struct Spy {
    store: MemoryStore,
    pub seen: Mutex<Seen>,
    pub mood: Mutex<Mood>,
}

/// What it was asked.
#[derive(Debug, Default)]
pub struct Seen {
    /// How many jobs each claim wanted, queue by queue.
    pub claims: Vec<Vec<(String, u32)>>,
    /// Which jobs were claimed because of a hint, claim by claim.
    pub hinted: Vec<Vec<JobId>>,
    /// How many jobs were searched for, and when.
    pub searches: Vec<(Instant, u32)>,
    /// What else it was asked, in order.
    pub asked: Vec<&'static str>,
    /// How many results each call brought.
    pub settles: Vec<usize>,
    pub renewals: usize,
}

/// How it misbehaves.
#[derive(Debug, Default)]
pub struct Mood {
    /// Nothing can be claimed.
    pub gives_nothing: bool,
    /// Nothing can be recorded.
    pub takes_no_results: bool,
    /// Results are taken in but not answered for.
    pub keeps_results_waiting: bool,
    /// Leases cannot be renewed.
    pub renews_nothing: bool,
    /// The next claim is made and its answer lost.
    pub loses_an_answer: bool,
    /// Results that hold this text are refused, and what comes with them.
    pub refuses: Option<&'static str>,
}

impl Spy {
    pub fn new(store: MemoryStore) -> Arc<Self> {
        Arc::new(Self {
            store,
            seen: Mutex::default(),
            mood: Mutex::default(),
        })
    }

    fn see_wants(&self, claim: &Claim) {
        let mut seen = self.seen.lock();
        for want in &claim.wants {
            match &want.hinted {
                Some(jobs) => seen.hinted.push(jobs.clone()),
                None => seen.searches.push((Instant::now(), want.limit)),
            }
        }
    }
}

fn down<T>() -> Result<T> {
    Err(Error::Unavailable("the test says so".to_owned()))
}

#[async_trait]
impl Work for Spy {
    async fn claim(&self, claim: &Claim, now: Timestamp) -> Result<Vec<Claimed>> {
        let wants = claim.wants.iter();
        let wants = wants.map(|want| (want.queue.clone(), want.limit)).collect();
        self.see_wants(claim);
        self.seen.lock().claims.push(wants);
        if self.mood.lock().gives_nothing {
            return down();
        }
        let claimed = self.store.claim(claim, now).await;
        if std::mem::take(&mut self.mood.lock().loses_an_answer) {
            return Err(Error::Unconfirmed("the test says so".to_owned()));
        }
        claimed
    }

    async fn start(&self, jobs: Vec<NewJob>, start: &Start) -> Result<Started> {
        self.store.start(jobs, start).await
    }

    async fn renew(&self, worker: WorkerId, until: Timestamp) -> Result<Renewed> {
        self.seen.lock().renewals += 1;
        if self.mood.lock().renews_nothing {
            return down();
        }
        self.store.renew(worker, until).await
    }

    async fn settle(
        &self,
        by: By,
        settlements: &[Settlement],
        now: Timestamp,
    ) -> Result<Vec<Settled>> {
        if self.mood.lock().takes_no_results {
            return down();
        }
        while self.mood.lock().keeps_results_waiting {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        if let Some(words) = self.mood.lock().refuses {
            let holds_them = |s: &Settlement| s.decision.result.as_deref() == Some(words);
            if settlements.iter().any(holds_them) {
                return Err(Error::Refused("the test says so".to_owned()));
            }
        }
        self.seen.lock().settles.push(settlements.len());
        self.store.settle(by, settlements, now).await
    }

    async fn overdue(&self, before: Timestamp, limit: u32) -> Result<Vec<Held>> {
        self.store.overdue(before, limit).await
    }

    async fn release(&self, limit: u32, now: Timestamp) -> Result<Released> {
        self.store.release(limit, now).await
    }

    async fn expire(&self, limit: u32, now: Timestamp) -> Result<u32> {
        self.store.expire(limit, now).await
    }
}

macro_rules! passed_on {
    ($trait:ident { $(fn $name:ident($($arg:ident: $ty:ty),*) -> $answer:ty;)* }) => {
        #[async_trait]
        impl $trait for Spy {
            $(async fn $name(&self, $($arg: $ty),*) -> Result<$answer> {
                self.seen.lock().asked.push(stringify!($name));
                self.store.$name($($arg),*).await
            })*
        }
    };
}

passed_on! { Jobs {
    fn enqueue(jobs: Vec<NewJob>, atomicity: Atomicity) -> Vec<Enqueued>;
    fn job(id: JobId) -> Option<Job>;
    fn jobs(filter: &JobFilter, page: &PageRequest) -> Page<Job>;
    fn attempts(id: JobId) -> Vec<Attempt>;
    fn shift(shift: &Shift, now: Timestamp) -> bool;
    fn ask_cancel(id: JobId, reason: Option<&str>, now: Timestamp) -> bool;
    fn revoke(id: JobId, reason: Option<&str>, now: Timestamp) -> bool;
} }

passed_on! { DeadLetters {
    fn dead_letters(page: &PageRequest) -> Page<DeadLetterGroup>;
    fn begin(id: OperationId, action: Action, filter: &DeadLetterFilter, now: Timestamp) -> Operation;
    fn step(limit: u32, now: Timestamp) -> Option<Operation>;
    fn operation(id: OperationId) -> Option<Operation>;
    fn operations(page: &PageRequest) -> Page<Operation>;
} }

passed_on! { Queues {
    fn queues(now: Timestamp) -> Vec<Queue>;
    fn change_queue(name: &str, change: &QueueChange, now: Timestamp) -> Queue;
    fn lines() -> Vec<Line>;
} }

passed_on! { Fleet {
    fn beat(beat: &Beat, now: Timestamp) -> ();
    fn leave(worker: WorkerId, now: Timestamp) -> ();
    fn workers(since: Timestamp) -> Vec<Worker>;
    fn lead(node: WorkerId, term: Duration, now: Timestamp) -> bool;
    fn resign(node: WorkerId, now: Timestamp) -> ();
    fn leader(now: Timestamp) -> Option<WorkerId>;
} }

passed_on! { Events {
    fn sequence(limit: u32, now: Timestamp) -> Sequenced;
    fn events(after: i64, limit: u32, filter: &EventFilter) -> (Vec<Event>, i64);
    fn job_events(job: JobId) -> Vec<Event>;
    fn bounds() -> EventBounds;
    fn note(note: &Note, now: Timestamp) -> ();
} }

passed_on! { Inbox {
    fn notify(dispatch: &Dispatch, now: Timestamp) -> Notified;
    fn inbox(recipient: &str, page: &PageRequest) -> Option<Page<Item>>;
    fn news(recipient: &str, after: i64, limit: u32) -> Option<News>;
    fn unread(recipient: &str) -> Option<Unread>;
    fn read_item(recipient: &str, item: InboxItemId, now: Timestamp) -> Option<Reading>;
    fn read_all(recipient: &str, now: Timestamp) -> Option<Unread>;
} }

passed_on! { Recipients {
    fn put_recipients(profiles: &[Profile], now: Timestamp) -> Vec<Put>;
    fn find_recipients(ids: &[String]) -> Vec<Recipient>;
    fn recipients(page: &PageRequest) -> Page<Recipient>;
    fn delete_recipient(id: &str) -> bool;
    fn switch_topic(id: &str, topic: &str, on: bool, now: Timestamp) -> bool;
    fn bury_address(id: &str, channel: &str, address: &str, now: Timestamp) -> bool;
    fn joined() -> i64;
    fn members(walk: &Walk<'_>, limit: u32) -> Members;
    fn count_members(audience: &Audience, until: i64) -> Headcount;
} }

passed_on! { Campaigns {
    fn create_campaign(campaign: &NewCampaign) -> Created;
    fn campaign(id: CampaignId, now: Timestamp) -> Option<Campaign>;
    fn campaigns(page: &PageRequest, now: Timestamp) -> Page<Campaign>;
    fn command(command: &Command, now: Timestamp) -> bool;
    fn take_expansion(node: WorkerId, until: Timestamp, now: Timestamp) -> Option<Campaign>;
    fn expect_members(id: CampaignId, members: u64) -> ();
    fn expand(chunk: &Chunk, now: Timestamp) -> bool;
    fn settle_campaigns(now: Timestamp) -> u32;
    fn cancel_deliveries(limit: u32, now: Timestamp) -> u32;
    fn delivery_failures(id: CampaignId) -> Vec<DeadLetterGroup>;
} }

passed_on! { Schedules {
    fn add_schedule(schedule: &Schedule, now: Timestamp) -> Named;
    fn find_schedule(id: ScheduleId) -> Option<Schedule>;
    fn schedules(page: &PageRequest) -> Page<Schedule>;
    fn change_schedule(schedule: &Schedule, change: ScheduleChange, now: Timestamp) -> Named;
    fn delete_schedule(id: ScheduleId, now: Timestamp) -> bool;
    fn due_schedules(limit: u32, now: Timestamp) -> DueSchedules;
    fn fire(firing: &Firing, now: Timestamp) -> Fired;
    fn pass_over(passing: &Passing, now: Timestamp) -> bool;
    fn fires(id: ScheduleId, page: &PageRequest) -> Page<Fire>;
} }
passed_on! { Hinting {
    fn generation() -> Generation;
    fn begin_generation(seen: i64, incarnation: &str, why: &str, now: Timestamp) -> Option<i64>;
    fn claimable(after: Option<&Turn>, before: Timestamp, limit: u32) -> Claimable;
} }

#[async_trait]
impl Upkeep for Spy {
    fn dialect(&self) -> &'static str {
        self.store.dialect()
    }

    async fn time(&self) -> Result<Timestamp> {
        self.store.time().await
    }

    async fn durability(&self) -> Result<Durability> {
        self.store.durability().await
    }

    async fn findings(&self) -> Result<Vec<Finding>> {
        self.store.findings().await
    }

    async fn prune(&self, retention: &Retention, limit: u32, now: Timestamp) -> Result<Pruned> {
        self.store.prune(retention, limit, now).await
    }

    async fn audit(&self, now: Timestamp) -> Result<Vec<Drift>> {
        self.store.audit(now).await
    }
}
