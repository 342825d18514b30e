//! One row that the store refuses holds up nothing else: batches are halved until it stands alone.

mod campaigns;
mod schedules;

use std::{collections::HashSet, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    CampaignId, Clock, JobId, LeaseId, ManualClock, ScheduleId, Timestamp, WorkerId,
    access::Actor,
    job::{JobSpec, State},
    page::PageRequest,
    schedule::ScheduleSpec,
};
use baton_engine::{
    Caller, Engine, Routine, Settings,
    routines::{Expander, Rescuer},
};
use baton_ports::{
    Findings, Layer, MemoryStore, Store, Wakeups,
    layer::Hook,
    store::{
        AttemptResult, By, Chunk, Claim, Error, Events, Fired, Firing, JobFilter, Jobs, QueueClaim,
        Result, Retention, Schedules, SettleOutcome, Work,
    },
};
use parking_lot::Mutex;

use crate::{
    fixture::{Anything, spec},
    schedules::daily,
};

const LEASE: Duration = Duration::from_secs(30);
const DAY: Duration = Duration::from_hours(24);

/// Refuses one job to be taken back, and one recipient to be written down.
#[derive(Default)]
struct Picky {
    job: Mutex<Option<JobId>>,
    recipient: Option<&'static str>,
    /// That recipient cannot be written down as skipped, either.
    is_stubborn: bool,
    /// That recipient is deleted once he stands alone and was refused.
    leaves: bool,
    schedules: Mutex<HashSet<ScheduleId>>,
    /// Of those schedules it says nothing, instead of that it refuses them.
    is_silent: bool,
    /// No campaign can end.
    ends_no_campaign: bool,
}

#[async_trait]
impl Hook for Picky {
    async fn fire(&self, below: &dyn Store, firing: &Firing, now: Timestamp) -> Result<Fired> {
        if !self.schedules.lock().contains(&firing.schedule) {
            return below.fire(firing, now).await;
        }
        let why = "a row was disliked".to_owned();
        Err(if self.is_silent {
            Error::Unconfirmed(why)
        } else {
            Error::Refused(why)
        })
    }

    async fn settle_campaigns(&self, below: &dyn Store, now: Timestamp) -> Result<u32> {
        if self.ends_no_campaign {
            return Err(Error::Refused("a row was disliked".to_owned()));
        }
        below.settle_campaigns(now).await
    }

    async fn settle(
        &self,
        below: &dyn Store,
        by: By,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<Vec<SettleOutcome>> {
        let bad = *self.job.lock();
        if results.iter().any(|one| Some(one.job) == bad) {
            return Err(Error::Refused("a row was disliked".to_owned()));
        }
        below.settle(by, results, now).await
    }

    async fn expand(&self, below: &dyn Store, chunk: &Chunk, now: Timestamp) -> Result<bool> {
        let is_bad = |payload: &str| self.recipient.is_some_and(|bad| payload.contains(bad));
        let skipped = chunk.skipped.iter().map(|(job, _)| job);
        let skipped = skipped.filter(|_| self.is_stubborn);
        let mut rows = chunk.deliveries.iter().chain(skipped);
        if rows.any(|job| is_bad(&job.payload)) {
            if self.leaves && chunk.members == 1 {
                below.delete_recipient("p7").await?;
            }
            return Err(Error::Refused("a row was disliked".to_owned()));
        }
        below.expand(chunk, now).await
    }
}

/// An engine over a store that is picky.
struct Shop {
    store: Arc<Layer<Picky>>,
    engine: Caller,
    clock: ManualClock,
}

impl Shop {
    fn with(hook: Picky) -> Self {
        let clock = ManualClock::at(Timestamp::from_micros(1_800_000_000_000_000));
        let memory = Arc::new(MemoryStore::with_clock(Arc::new(clock.clone())));
        let store = Layer::over(memory, hook);
        let engine = Engine::new(
            store.clone(),
            Arc::new(Wakeups::default()),
            Arc::new(clock.clone()),
            vec![Arc::new(Anything("note"))],
            Settings {
                providers: vec!["gateway".to_owned()],
                ..Settings::default()
            },
        )
        .caller(Actor::anonymous());
        Self {
            store,
            engine,
            clock,
        }
    }

    async fn enqueue(&self, spec: JobSpec) -> JobId {
        self.clock.advance(Duration::from_millis(1));
        self.engine.enqueue(spec).await.unwrap().id()
    }

    /// Has the expander walk whatever there is.
    async fn walk(&self) {
        let node = WorkerId::new(self.clock.now());
        let mut expander = Expander::new(self.engine.tools(), node);
        for _ in 0..60 {
            expander.turn().await.unwrap();
            self.clock.advance(Duration::from_secs(1));
        }
        self.store.sequence(1_000, self.clock.now()).await.unwrap();
    }

    /// What tells whom a campaign has skipped, and why.
    async fn skipped(&self, campaign: CampaignId) -> Vec<(String, Option<String>)> {
        let filter = JobFilter {
            campaign: Some(campaign),
            ..JobFilter::default()
        };
        let page = PageRequest::first(100);
        let all = self.store.jobs(&filter, &page).await.unwrap().items;
        let skipped = all.into_iter().filter(|job| job.state == State::Skipped);
        skipped.map(|job| (job.payload, job.reason)).collect()
    }

    /// Makes schedules that are due in the order of their making.
    async fn schedules(&self, count: usize) -> Vec<ScheduleId> {
        let mut schedules = Vec::new();
        for number in 0..count {
            let plan = ScheduleSpec {
                name: format!("s{number}"),
                ..daily()
            };
            self.clock.advance(Duration::from_millis(1));
            schedules.push(self.engine.create_schedule(plan).await.unwrap().0.id);
        }
        self.clock.advance(DAY);
        schedules
    }

    /// A routine of a node that leads.
    async fn routine(&self, name: &str) -> Box<dyn Routine> {
        let node = WorkerId::new(self.clock.now());
        let mut routines = self.engine.routines(node, Retention::default());
        let mut named = |name| {
            routines
                .extract_if(.., |one| one.name() == name)
                .next()
                .unwrap()
        };
        named("leader").turn().await.unwrap();
        named(name)
    }

    async fn has_fired(&self, schedule: ScheduleId) -> bool {
        let fires = self.store.fires(schedule, &PageRequest::default()).await;
        !fires.unwrap().items.is_empty()
    }

    async fn state(&self, job: JobId) -> State {
        self.store.job(job).await.unwrap().unwrap().state
    }
}

#[tokio::test(start_paused = true)]
async fn a_job_that_cannot_be_taken_back_holds_up_no_other() {
    let shop = Shop::with(Picky::default());
    let mut jobs = Vec::new();
    for _ in 0..9 {
        jobs.push(shop.enqueue(spec()).await);
    }
    let now = shop.clock.now();
    let want = QueueClaim {
        queue: "default".to_owned(),
        lease: LeaseId::random(),
        limit: 9,
        limited: false,
        jobs: None,
    };
    let claim = Claim {
        worker: WorkerId::new(now),
        until: now + LEASE,
        queues: vec![want],
    };
    assert_eq!(shop.store.claim(&claim, now).await.unwrap().len(), 9);
    *shop.store.hook.job.lock() = Some(jobs[4]);
    let mut rescuer = Rescuer::new(shop.engine.tools(), Findings::default(), LEASE);

    for _ in 0..20 {
        rescuer.turn().await.unwrap();
        tokio::time::advance(Duration::from_secs(3)).await;
    }
    let bad = jobs.remove(4);
    let while_refused = shop.state(bad).await;
    *shop.store.hook.job.lock() = None;
    for _ in 0..40 {
        rescuer.turn().await.unwrap();
        tokio::time::advance(Duration::from_secs(3)).await;
    }

    assert_eq!(while_refused, State::Running);
    for job in jobs {
        assert_eq!(shop.state(job).await, State::RetryWait);
    }
    assert_eq!(shop.state(bad).await, State::RetryWait);
}
