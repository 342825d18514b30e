//! A layer over a store: what happens around each call, and in some calls instead of it.
//!
//! Every method of the store stands once in the table below; a store that fails, one that tells what it
//! was asked, one that makes a mistake, are each a [`Hook`] that says only what is different.

use std::{ops::RangeInclusive, sync::Arc, time::Duration};

use crate::store::{
    Access, Approving, Atomicity, AttemptResult, AudienceCount, AudienceRange, AuditLog, Backlog,
    By, CampaignMove, Campaigns, CheckpointOutcome, CheckpointStep, Chunk, Claim, Claimable,
    Claimed, Counted, Created, DeadLetters, Dispatch, Drift, DueSchedules, Durability, Enqueued,
    Erasing, Erasures, Error, EventBounds, EventFilter, Events, Finding, Fired, Firing, Fleet,
    Forgotten, Generation, HeldJob, Hinting, Inbox, InlineStart, InlineStarted, JobAct, JobFilter,
    Jobs, JobsStep, LeaseView, Members, Named, NewEvent, NewItems, Nodes, Notifications, Notified,
    Operations, Outstanding, Passing, ProgressReport, Pruned, Queues, Reading, ReadyQueue,
    Recipients, Released, Renewed, Result, Retention, RollupRequest, Rollups, ScheduleChange,
    Schedules, Schema, Sequenced, SettleOutcome, SignInAttempt, StagedJob, Staging, Store, Turn,
    UnclaimedTransition, Unreached, UnreachedCount, Unreadable, Upkeep, UpsertOutcome, Urgency,
    UserChanged, Wish, Work,
};
use async_trait::async_trait;
use baton_domain::{
    CampaignId, InboxItemId, JobId, KeyId, LeaseId, OperationId, ScheduleId, Timestamp, UserId,
    WorkerId,
    access::{ApiKey, Digest, Identity, Role, Session, User, UserChange},
    audience::Audience,
    audit::{AuditEntry, AuditFilter},
    campaign::{Campaign, NewCampaign},
    checkpoint::Checkpoint,
    event::Event,
    fleet::{Heartbeat, Worker},
    inbox::{Item, Unread},
    job::{Attempt, Job, NewJob},
    node::{Node, SeenNode},
    operation::{Action, DeadLetterFilter, DeadLetterGroup, Operation},
    page::{Page, PageRequest},
    queue::{Queue, QueueChange, WorkedBy},
    recipient::{Profile, Recipient},
    rollup::{Marker, Rollup},
    schedule::{Fire, Schedule},
    time::ClockDrift,
    waits::WaitRollup,
};

/// A store with something laid over it.
pub struct Layer<H> {
    /// What every call is passed on to.
    pub below: Arc<dyn Store>,
    /// What happens on the way.
    pub hook: Arc<H>,
}

impl<H: Hook> Layer<H> {
    /// Lays a hook over a store.
    #[must_use]
    pub fn over(below: Arc<dyn Store>, hook: H) -> Arc<Self> {
        let hook = Arc::new(hook);
        Arc::new(Self { below, hook })
    }
}

/// A call on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreCall {
    /// The method's name.
    pub name: &'static str,
    /// Whether it can change anything.
    pub effect: Effect,
}

/// Whether a call can change anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It only reads.
    Reads,
    /// It writes.
    Writes,
}

/// Makes of the table the hook's methods, which pass the call on, and the layer's, which ask the hook.
macro_rules! layers {
    ($($trait:ident $(with $plain:ident)? $(under $audited:ident)? {
        $($effect:ident $name:ident($($arg:ident: $ty:ty),*) -> $answer:ty;)*
    })*) => {
        impl StoreCall {
            /// The names of all there are.
            pub const NAMES: &[&str] = &[$($(stringify!($name),)*)*];
        }

        /// What is laid over a store: everything is passed on unless the hook says otherwise.
        #[async_trait]
        pub trait Hook: Send + Sync + 'static {
            /// Before every call; an error is the call's answer, and it has not happened.
            async fn before(&self, _call: StoreCall) -> Result<()> {
                Ok(())
            }

            /// After every call that went well; an error is the call's answer, and it has happened.
            async fn after(&self, _call: StoreCall) -> Result<()> {
                Ok(())
            }

            /// What is told of a call that failed below.
            fn failed(&self, _call: StoreCall, error: Error) -> Error {
                error
            }

            $($(
                #[doc = concat!("Instead of [`", stringify!($trait), "::", stringify!($name), "`].")]
                async fn $name(&self, below: &dyn Store, $($arg: $ty),*) -> Result<$answer> {
                    below.$name($($arg),*).await
                }
            )*)*
        }

        $(
            #[async_trait]
            impl<H: Hook> $trait for Layer<H> {
                $(fn $plain(&self) -> &'static str {
                    self.below.$plain()
                })?

                $(fn $audited(&self, entry: AuditEntry) -> Arc<dyn Store> {
                    Arc::new(Self {
                        below: self.below.$audited(entry),
                        hook: Arc::clone(&self.hook),
                    })
                })?

                $(async fn $name(&self, $($arg: $ty),*) -> Result<$answer> {
                    let call = StoreCall {
                        name: stringify!($name),
                        effect: Effect::$effect,
                    };
                    self.hook.before(call).await?;
                    match self.hook.$name(&*self.below, $($arg),*).await {
                        Ok(answer) => self.hook.after(call).await.map(|()| answer),
                        Err(error) => Err(self.hook.failed(call, error)),
                    }
                })*
            }
        )*
    };
}

layers! {
    Jobs {
        Writes enqueue(jobs: Vec<NewJob>, atomicity: Atomicity) -> Vec<Enqueued>;
        Writes request_cancel(id: JobId, reason: Option<&str>, now: Timestamp) -> bool;
        Writes force_cancel(id: JobId, reason: Option<&str>, now: Timestamp) -> bool;
        Reads job(id: JobId) -> Option<Job>;
        Reads jobs(filter: &JobFilter, page: &PageRequest) -> Page<Job>;
        Reads count_jobs(filter: &JobFilter) -> Counted;
        Reads longest_running(limit: u32) -> Vec<Job>;
        Reads forgotten(key: &str) -> Option<Forgotten>;
        Reads attempts_of(ids: &[JobId]) -> Vec<Attempt>;
        Writes transition(change: &UnclaimedTransition, now: Timestamp) -> bool;
        Reads checkpoints(ids: &[JobId]) -> Vec<Checkpoint>;
    }

    Work {
        Writes claim(claim: &Claim, now: Timestamp) -> Vec<Claimed>;
        Reads claimed(worker: WorkerId, leases: &[LeaseId], now: Timestamp) -> Vec<Claimed>;
        Writes checkpoint(worker: WorkerId, step: &CheckpointStep, now: Timestamp) -> CheckpointOutcome;
        Writes progress(worker: WorkerId, reports: &[ProgressReport], now: Timestamp) -> ();
        Writes enqueue_and_claim(jobs: Vec<NewJob>, start: &InlineStart) -> InlineStarted;
        Writes renew(worker: WorkerId, leases: &[LeaseId], until: Timestamp) -> Renewed;
        Writes settle(by: By, results: &[AttemptResult], now: Timestamp) -> Vec<SettleOutcome>;
        Reads leases(limit: u32) -> Vec<LeaseView>;
        Reads held(leases: &[LeaseId], limit: u32) -> Vec<HeldJob>;
        Writes release(limit: u32, now: Timestamp) -> Released;
        Writes expire(limit: u32, now: Timestamp) -> u32;
    }

    DeadLetters {
        Writes step(limit: u32, now: Timestamp) -> Option<Operation>;
        Reads dead_letters(page: &PageRequest) -> Page<DeadLetterGroup>;
        Writes begin(id: OperationId, action: Action, filter: &DeadLetterFilter, now: Timestamp) -> Operation;
        Reads operation(id: OperationId) -> Option<Operation>;
        Reads operations(page: &PageRequest) -> Page<Operation>;
    }

    Operations {
        Writes begin_on_jobs(operation: &Operation) -> Operation;
        Reads unfinished_on_jobs() -> Option<(Operation, Option<JobId>)>;
        Writes act_on_job(id: OperationId, act: &JobAct, now: Timestamp) -> bool;
        Writes advance_on_jobs(step: &JobsStep, now: Timestamp) -> bool;
        Writes stop_operation(id: OperationId, now: Timestamp) -> bool;
    }

    Queues {
        Writes change_queue(name: &str, change: &QueueChange, now: Timestamp) -> Queue;
        Reads queues(now: Timestamp) -> Vec<Queue>;
        Reads queue_page(page: &PageRequest, now: Timestamp) -> Page<Queue>;
        Reads ready_queues() -> Vec<ReadyQueue>;
        Reads late_jobs(queue: &str, before: Timestamp, most: u32) -> u64;
        Reads worked_by(names: &[String]) -> Vec<(String, WorkedBy)>;
    }

    Staging {
        Reads staged(limit: u32) -> Vec<StagedJob>;
        Reads staged_job(id: JobId) -> Option<StagedJob>;
        Writes enqueue_staged(jobs: Vec<NewJob>, now: Timestamp) -> Vec<Enqueued>;
        Writes refuse_staged(id: JobId, why: &str) -> ();
    }

    Rollups {
        Reads rollups(request: &RollupRequest, since: Timestamp) -> Vec<Rollup>;
        Reads waits(request: &RollupRequest, since: Timestamp) -> Vec<WaitRollup>;
        Writes write_waits() -> u64;
        Reads markers(minutes: u32, since: Timestamp) -> Vec<Marker>;
    }

    Campaigns {
        Writes create_campaign(campaign: &NewCampaign) -> Created;
        Reads campaign(id: CampaignId, now: Timestamp) -> Option<Campaign>;
        Reads campaigns(page: &PageRequest, now: Timestamp) -> Page<Campaign>;
        Writes command(command: &CampaignMove, now: Timestamp) -> bool;
        Writes approve(approving: &Approving) -> bool;
        Writes take_expansion(node: WorkerId, until: Timestamp, now: Timestamp) -> Option<Campaign>;
        Writes found_again(id: CampaignId, epoch: i64, node: WorkerId) -> ();
        Writes expect_members(id: CampaignId, members: u64) -> ();
        Writes expand(chunk: &Chunk, now: Timestamp) -> bool;
        Writes settle_campaigns(now: Timestamp) -> u32;
        Writes cancel_deliveries(limit: u32, now: Timestamp) -> u32;
        Reads delivery_failures(id: CampaignId) -> Vec<DeadLetterGroup>;
        Reads unreached(walk: &Unreached, limit: u32) -> Members;
        Reads count_unreached(walk: &Unreached) -> UnreachedCount;
    }

    Recipients {
        Writes put_recipients(profiles: &[Profile], now: Timestamp) -> Vec<UpsertOutcome>;
        Reads find_recipients(ids: &[String], urgency: Urgency) -> Vec<Recipient>;
        Reads recipients_between(numbers: RangeInclusive<i64>) -> Vec<Recipient>;
        Reads recipients(page: &PageRequest) -> Page<Recipient>;
        Reads recipient_ids(from: &str, limit: u32) -> Vec<String>;
        Writes delete_recipient(id: &str) -> bool;
        Writes switch_topic(id: &str, topic: &str, on: bool, now: Timestamp) -> bool;
        Writes bury_address(id: &str, channel: &str, address: &str, now: Timestamp) -> bool;
        Reads joined() -> i64;
        Reads members(walk: &AudienceRange<'_>, limit: u32) -> Members;
        Reads count_members(audience: &Audience, until: i64) -> AudienceCount;
    }

    Erasures {
        Writes begin_erasure(id: OperationId, recipient: &str, now: Timestamp) -> Operation;
        Writes step_erasure(limit: u32, now: Timestamp) -> Option<Erasing>;
    }

    Inbox {
        Reads inbox(recipient: &str, page: &PageRequest) -> Option<Page<Item>>;
        Reads news(recipient: &str, after: i64, limit: u32) -> Option<NewItems>;
        Reads unread(recipient: &str) -> Option<Unread>;
        Writes read_item(recipient: &str, item: InboxItemId, now: Timestamp) -> Option<Reading>;
        Writes read_all(recipient: &str, now: Timestamp) -> Option<Unread>;
    }

    Notifications {
        Writes notify(dispatch: &Dispatch, now: Timestamp) -> Notified;
    }

    Schedules {
        Writes add_schedule(schedule: &Schedule, now: Timestamp) -> Named;
        Reads find_schedule(id: ScheduleId) -> Option<Schedule>;
        Reads schedules(page: &PageRequest) -> Page<Schedule>;
        Writes change_schedule(schedule: &Schedule, change: ScheduleChange, now: Timestamp) -> Named;
        Writes delete_schedule(id: ScheduleId, now: Timestamp) -> bool;
        Reads due_schedules(limit: u32, now: Timestamp) -> DueSchedules;
        Writes fire(firing: &Firing, now: Timestamp) -> Fired;
        Writes pass_over(passing: &Passing, now: Timestamp) -> bool;
        Reads fires(id: ScheduleId, page: &PageRequest) -> Page<Fire>;
    }

    Fleet {
        Writes heartbeat(heartbeat: &Heartbeat, now: Timestamp) -> Wish;
        Writes heartbeats(said: &[(Heartbeat, Timestamp)], now: Timestamp) -> ();
        Writes note_waiting(workers: &[WorkerId], lately: Duration, now: Timestamp) -> Vec<(WorkerId, Wish)>;
        Writes drain_worker(worker: WorkerId, drain: bool, now: Timestamp) -> bool;
        Reads wishes(workers: &[WorkerId]) -> Vec<(WorkerId, Wish)>;
        Writes leave(worker: WorkerId, now: Timestamp) -> ();
        Reads workers(since: Timestamp) -> Vec<Worker>;
        Writes lead(node: WorkerId, term: Duration, now: Timestamp) -> bool;
        Writes resign(node: WorkerId) -> ();
        Reads leader(now: Timestamp) -> Option<WorkerId>;
    }

    Nodes {
        Writes beat_node(node: &Node, clock: Option<ClockDrift>, now: Timestamp) -> Timestamp;
        Writes remove_node(node: WorkerId) -> ();
        Reads nodes(since: Timestamp) -> Vec<SeenNode>;
    }

    Events {
        Reads events(after: i64, limit: u32, filter: &EventFilter) -> (Vec<Event>, i64);
        Writes sequence(limit: u32, now: Timestamp) -> Sequenced;
        Reads job_events(job: JobId) -> Vec<Event>;
        Reads recoveries(before: i64, limit: u32) -> (Vec<Event>, Option<i64>);
        Reads bounds() -> EventBounds;
        Writes note(note: &NewEvent, now: Timestamp) -> ();
    }

    Hinting {
        Reads claimable(after: Option<&Turn>, before: Timestamp, limit: u32) -> Claimable;
        Reads generation() -> Generation;
        Writes begin_generation(seen: i64, incarnation: &str, why: &str, now: Timestamp) -> Option<i64>;
    }

    Access {
        Reads has_principals() -> bool;
        Writes add_key(key: &ApiKey) -> ();
        Reads key(id: KeyId) -> Option<ApiKey>;
        Reads keys(page: &PageRequest) -> Page<ApiKey>;
        Writes rotate_key(old: KeyId, ends_at: Timestamp, new: &ApiKey) -> bool;
        Writes revoke_key(id: KeyId, now: Timestamp) -> bool;
        Writes keys_used(used: &[(KeyId, Timestamp)]) -> ();
        Writes add_user(user: &User) -> bool;
        Writes set_up(token: &Digest, user: &User, now: Timestamp) -> bool;
        Writes offer_set_up(token: &Digest, until: Timestamp) -> bool;
        Reads user(id: UserId) -> Option<User>;
        Reads user_named(name: &str) -> Option<User>;
        Reads user_of(identity: &Identity) -> Option<User>;
        Reads users(page: &PageRequest) -> Page<User>;
        Writes change_user(id: UserId, change: &UserChange) -> UserChanged;
        Writes follow_provider(id: UserId, name: &str, role: Role) -> bool;
        Reads is_set_up_offered(token: &Digest, now: Timestamp) -> bool;
        Writes try_sign_in(attempt: &SignInAttempt) -> bool;
        Writes begin_session(session: &Session, known_by: Option<&str>) -> bool;
        Reads session(digest: &Digest, now: Timestamp) -> Option<(Session, User)>;
        Writes session_used(digest: &Digest, idle_until: Timestamp, now: Timestamp) -> ();
        Writes end_session(digest: &Digest) -> bool;
        Writes end_sessions(user: UserId) -> u64;
    }

    AuditLog under audited {
        Writes append_audit(entries: &[AuditEntry]) -> ();
        Reads audit_entries(filter: &AuditFilter, page: &PageRequest) -> Page<AuditEntry>;
    }

    Upkeep with dialect {
        Reads time() -> Timestamp;
        Reads durability() -> Durability;
        Reads secret() -> [u8; 32];
        Reads findings() -> Vec<Finding>;
        Reads schema() -> Option<Schema>;
        Reads unreadable() -> Vec<Unreadable>;
        Reads outstanding(now: Timestamp) -> Outstanding;
        Reads backlog(limit: u32) -> Backlog;
        Writes prune(retention: &Retention, limit: u32, now: Timestamp) -> Pruned;
        Writes reconcile(now: Timestamp) -> Vec<Drift>;
    }
}
