//! A layer over a store: what happens around each call, and in some calls instead of it.

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
    Store,
    store::{
        Atomicity, By, Campaigns, Chunk, Claim, Claimable, Claimed, Command, Created, DeadLetters,
        Dispatch, Drift, DueSchedules, Durability, Enqueued, EventBounds, EventFilter, Events,
        Finding, Fired, Firing, Fleet, Generation, Headcount, Held, Hinting, Inbox, JobFilter,
        Jobs, Line, Members, Named, News, Note, Notified, Passing, Pruned, Put, Queues, Reading,
        Recipients, Released, Renewed, Result, Retention, ScheduleChange, Schedules, Sequenced,
        Settled, Settlement, Shift, Start, Started, Turn, Upkeep, Walk, Work,
    },
};

/// A store with something laid over it.
pub struct Layer<H> {
    pub below: Arc<dyn Store>,
    pub hook: H,
}

impl<H: Hook> Layer<H> {
    /// Lays a hook over a store.
    pub fn over(below: Arc<dyn Store>, hook: H) -> Arc<dyn Store> {
        Arc::new(Self { below, hook })
    }
}

/// Methods that only pass the call on, for a hook to replace.
macro_rules! hook {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $answer:ty;)*) => {
        /// What is laid over a store: everything is passed on unless the hook says otherwise.
        #[async_trait]
        pub trait Hook: Send + Sync + 'static {
            /// Before every call; an error is the call's answer, and it has not happened.
            async fn before(&self) -> Result<()> {
                Ok(())
            }

            /// After every call; an error is the call's answer, and it has happened.
            async fn after(&self) -> Result<()> {
                Ok(())
            }

            $(async fn $name(&self, below: &dyn Store, $($arg: $ty),*) -> Result<$answer> {
                below.$name($($arg),*).await
            })*
        }
    };
}

hook! {
    enqueue(jobs: Vec<NewJob>, atomicity: Atomicity) -> Vec<Enqueued>;
    ask_cancel(id: JobId, reason: Option<&str>, now: Timestamp) -> bool;
    revoke(id: JobId, reason: Option<&str>, now: Timestamp) -> bool;
    claim(claim: &Claim, now: Timestamp) -> Vec<Claimed>;
    start(jobs: Vec<NewJob>, start: &Start) -> Started;
    renew(worker: WorkerId, until: Timestamp) -> Renewed;
    settle(by: By, settlements: &[Settlement], now: Timestamp) -> Vec<Settled>;
    overdue(before: Timestamp, limit: u32) -> Vec<Held>;
    release(limit: u32, now: Timestamp) -> Released;
    change_queue(name: &str, change: &QueueChange, now: Timestamp) -> Queue;
    step(limit: u32, now: Timestamp) -> Option<Operation>;
    events(after: i64, limit: u32, filter: &EventFilter) -> (Vec<Event>, i64);
    claimable(after: Option<&Turn>, before: Timestamp, limit: u32) -> Claimable;
}

macro_rules! layered {
    ($trait:ident {
        $(hooked $hooked:ident($($harg:ident: $hty:ty),*) -> $hanswer:ty;)*
        $(passed $name:ident($($arg:ident: $ty:ty),*) -> $answer:ty;)*
    }) => {
        #[async_trait]
        impl<H: Hook> $trait for Layer<H> {
            $(async fn $hooked(&self, $($harg: $hty),*) -> Result<$hanswer> {
                self.hook.before().await?;
                let answer = self.hook.$hooked(&*self.below, $($harg),*).await?;
                self.hook.after().await.map(|()| answer)
            })*
            $(async fn $name(&self, $($arg: $ty),*) -> Result<$answer> {
                self.hook.before().await?;
                let answer = self.below.$name($($arg),*).await?;
                self.hook.after().await.map(|()| answer)
            })*
        }
    };
}

layered! { Jobs {
    hooked enqueue(jobs: Vec<NewJob>, atomicity: Atomicity) -> Vec<Enqueued>;
    hooked ask_cancel(id: JobId, reason: Option<&str>, now: Timestamp) -> bool;
    hooked revoke(id: JobId, reason: Option<&str>, now: Timestamp) -> bool;
    passed job(id: JobId) -> Option<Job>;
    passed jobs(filter: &JobFilter, page: &PageRequest) -> Page<Job>;
    passed attempts(id: JobId) -> Vec<Attempt>;
    passed shift(shift: &Shift, now: Timestamp) -> bool;
} }

layered! { Work {
    hooked claim(claim: &Claim, now: Timestamp) -> Vec<Claimed>;
    hooked start(jobs: Vec<NewJob>, start: &Start) -> Started;
    hooked renew(worker: WorkerId, until: Timestamp) -> Renewed;
    hooked settle(by: By, settlements: &[Settlement], now: Timestamp) -> Vec<Settled>;
    hooked overdue(before: Timestamp, limit: u32) -> Vec<Held>;
    hooked release(limit: u32, now: Timestamp) -> Released;
    passed expire(limit: u32, now: Timestamp) -> u32;
} }

layered! { DeadLetters {
    hooked step(limit: u32, now: Timestamp) -> Option<Operation>;
    passed dead_letters(page: &PageRequest) -> Page<DeadLetterGroup>;
    passed begin(id: OperationId, action: Action, filter: &DeadLetterFilter, now: Timestamp) -> Operation;
    passed operation(id: OperationId) -> Option<Operation>;
    passed operations(page: &PageRequest) -> Page<Operation>;
} }

layered! { Queues {
    hooked change_queue(name: &str, change: &QueueChange, now: Timestamp) -> Queue;
    passed queues(now: Timestamp) -> Vec<Queue>;
    passed lines() -> Vec<Line>;
} }

layered! { Inbox {
    passed notify(dispatch: &Dispatch, now: Timestamp) -> Notified;
    passed inbox(recipient: &str, page: &PageRequest) -> Option<Page<Item>>;
    passed news(recipient: &str, after: i64, limit: u32) -> Option<News>;
    passed unread(recipient: &str) -> Option<Unread>;
    passed read_item(recipient: &str, item: InboxItemId, now: Timestamp) -> Option<Reading>;
    passed read_all(recipient: &str, now: Timestamp) -> Option<Unread>;
} }

layered! { Recipients {
    passed put_recipients(profiles: &[Profile], now: Timestamp) -> Vec<Put>;
    passed find_recipients(ids: &[String]) -> Vec<Recipient>;
    passed recipients(page: &PageRequest) -> Page<Recipient>;
    passed delete_recipient(id: &str) -> bool;
    passed switch_topic(id: &str, topic: &str, on: bool, now: Timestamp) -> bool;
    passed bury_address(id: &str, channel: &str, address: &str, now: Timestamp) -> bool;
    passed joined() -> i64;
    passed members(walk: &Walk<'_>, limit: u32) -> Members;
    passed count_members(audience: &Audience, until: i64) -> Headcount;
} }

layered! { Campaigns {
    passed create_campaign(campaign: &NewCampaign) -> Created;
    passed campaign(id: CampaignId, now: Timestamp) -> Option<Campaign>;
    passed campaigns(page: &PageRequest, now: Timestamp) -> Page<Campaign>;
    passed command(command: &Command, now: Timestamp) -> bool;
    passed take_expansion(node: WorkerId, until: Timestamp, now: Timestamp) -> Option<Campaign>;
    passed expect_members(id: CampaignId, members: u64) -> ();
    passed expand(chunk: &Chunk, now: Timestamp) -> bool;
    passed settle_campaigns(now: Timestamp) -> u32;
    passed cancel_deliveries(limit: u32, now: Timestamp) -> u32;
    passed delivery_failures(id: CampaignId) -> Vec<DeadLetterGroup>;
} }

layered! { Schedules {
    passed add_schedule(schedule: &Schedule, now: Timestamp) -> Named;
    passed find_schedule(id: ScheduleId) -> Option<Schedule>;
    passed schedules(page: &PageRequest) -> Page<Schedule>;
    passed change_schedule(schedule: &Schedule, change: ScheduleChange, now: Timestamp) -> Named;
    passed delete_schedule(id: ScheduleId, now: Timestamp) -> bool;
    passed due_schedules(limit: u32, now: Timestamp) -> DueSchedules;
    passed fire(firing: &Firing, now: Timestamp) -> Fired;
    passed pass_over(passing: &Passing, now: Timestamp) -> bool;
    passed fires(id: ScheduleId, page: &PageRequest) -> Page<Fire>;
} }
layered! { Fleet {
    passed beat(beat: &Beat, now: Timestamp) -> ();
    passed leave(worker: WorkerId, now: Timestamp) -> ();
    passed workers(since: Timestamp) -> Vec<Worker>;
    passed lead(node: WorkerId, term: Duration, now: Timestamp) -> bool;
    passed resign(node: WorkerId, now: Timestamp) -> ();
    passed leader(now: Timestamp) -> Option<WorkerId>;
} }

layered! { Events {
    hooked events(after: i64, limit: u32, filter: &EventFilter) -> (Vec<Event>, i64);
    passed sequence(limit: u32, now: Timestamp) -> Sequenced;
    passed job_events(job: JobId) -> Vec<Event>;
    passed bounds() -> EventBounds;
    passed note(note: &Note, now: Timestamp) -> ();
} }

layered! { Hinting {
    hooked claimable(after: Option<&Turn>, before: Timestamp, limit: u32) -> Claimable;
    passed generation() -> Generation;
    passed begin_generation(seen: i64, incarnation: &str, why: &str, now: Timestamp) -> Option<i64>;
} }

#[async_trait]
impl<H: Hook> Upkeep for Layer<H> {
    fn dialect(&self) -> &'static str {
        self.below.dialect()
    }

    async fn time(&self) -> Result<Timestamp> {
        self.hook.before().await?;
        self.below.time().await
    }

    async fn durability(&self) -> Result<Durability> {
        self.below.durability().await
    }

    async fn findings(&self) -> Result<Vec<Finding>> {
        self.below.findings().await
    }

    async fn prune(&self, retention: &Retention, limit: u32, now: Timestamp) -> Result<Pruned> {
        self.hook.before().await?;
        self.below.prune(retention, limit, now).await
    }

    async fn audit(&self, now: Timestamp) -> Result<Vec<Drift>> {
        self.hook.before().await?;
        self.below.audit(now).await
    }
}
