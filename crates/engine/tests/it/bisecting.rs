//! One row that the store refuses holds up nothing else: batches are halved until it stands alone.

use std::{collections::HashSet, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    CampaignId, Clock, JobId, LeaseId, ManualClock, ScheduleId, Timestamp, WorkerId,
    campaign::{CampaignSpec, State as Course},
    job::{JobSpec, State},
    page::PageRequest,
    schedule::PlanSpec,
};
use baton_engine::{
    Engine, Routine, Settings, Wish,
    routines::{Expander, Rescuer},
};
use baton_ports::{
    Layer, MemoryStore, Store, Wakeups,
    layer::Hook,
    store::{
        By, Chunk, Claim, Error, Events, Fired, Firing, JobFilter, Jobs, Recipients, Result,
        Retention, Schedules, Settled, Settlement, Want, Work,
    },
};
use parking_lot::Mutex;

use crate::{
    campaigns::{profiles, quiz},
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
        settlements: &[Settlement],
        now: Timestamp,
    ) -> Result<Vec<Settled>> {
        let bad = *self.job.lock();
        if settlements.iter().any(|one| Some(one.job) == bad) {
            return Err(Error::Refused("a row was disliked".to_owned()));
        }
        below.settle(by, settlements, now).await
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
    engine: Engine,
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
        );
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
        let page = PageRequest {
            limit: 100,
            after: None,
        };
        let all = self.store.jobs(&filter, &page).await.unwrap().items;
        let skipped = all.into_iter().filter(|job| job.state == State::Skipped);
        skipped.map(|job| (job.payload, job.reason)).collect()
    }

    /// Makes schedules that are due in the order of their making.
    async fn schedules(&self, count: usize) -> Vec<ScheduleId> {
        let mut schedules = Vec::new();
        for number in 0..count {
            let plan = PlanSpec {
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
    let want = Want {
        queue: "default".to_owned(),
        lease: LeaseId::random(),
        limit: 9,
        limited: false,
        jobs: None,
    };
    let claim = Claim {
        worker: WorkerId::new(now),
        until: now + LEASE,
        wants: vec![want],
    };
    assert_eq!(shop.store.claim(&claim, now).await.unwrap().len(), 9);
    *shop.store.hook.job.lock() = Some(jobs[4]);
    let mut rescuer = Rescuer::new(shop.engine.tools(), LEASE);

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

#[tokio::test(start_paused = true)]
async fn schedules_that_the_store_refuses_hold_up_none_behind_them() {
    let shop = Shop::with(Picky::default());
    let mut schedules = shop.schedules(100).await;
    let good = schedules.split_off(99)[0];
    shop.store.hook.schedules.lock().extend(&schedules);
    let mut scheduler = shop.routine("scheduler").await;

    for _ in 0..5 {
        drop(scheduler.turn().await);
    }
    let while_refused = [
        shop.has_fired(good).await,
        shop.has_fired(schedules[0]).await,
    ];
    shop.store.hook.schedules.lock().clear();
    tokio::time::advance(Duration::from_secs(90)).await;
    for _ in 0..5 {
        scheduler.turn().await.unwrap();
    }

    assert_eq!(while_refused, [true, false]);
    assert!(shop.has_fired(schedules[0]).await);
}

#[tokio::test(start_paused = true)]
async fn a_schedule_that_is_never_answered_for_holds_up_none_behind_it_for_long() {
    let shop = Shop::with(Picky {
        is_silent: true,
        ..Picky::default()
    });
    let schedules = shop.schedules(3).await;
    shop.store.hook.schedules.lock().insert(schedules[0]);
    let mut scheduler = shop.routine("scheduler").await;

    for _ in 0..10 {
        drop(scheduler.turn().await);
    }

    assert!(!shop.has_fired(schedules[0]).await);
    assert!(shop.has_fired(schedules[1]).await);
    assert!(shop.has_fired(schedules[2]).await);
}

#[tokio::test]
async fn campaigns_that_cannot_end_hold_up_none_that_is_canceled() {
    let shop = Shop::with(Picky {
        ends_no_campaign: true,
        ..Picky::default()
    });
    profiles(&*shop.store, 20, shop.clock.now()).await;
    let id = shop.engine.create_campaign(quiz()).await.unwrap().id();
    shop.walk().await;
    let canceled = shop.engine.command_campaign(id, Wish::Cancel, None).await;
    canceled.unwrap();

    let turn = shop.routine("conductor").await.turn().await;

    let delivery = id.delivery(1);
    assert!(turn.is_err());
    assert_eq!(shop.state(delivery).await, State::Canceled);
}

#[tokio::test]
async fn a_recipient_who_cannot_be_written_down_is_passed_over_and_the_books_say_so() {
    let shop = Shop::with(Picky {
        recipient: Some("\"p7\""),
        ..Picky::default()
    });
    profiles(&*shop.store, 20, shop.clock.now()).await;
    let id = shop.engine.create_campaign(quiz()).await.unwrap().id();

    shop.walk().await;

    let walked = shop.engine.campaign(id).await.unwrap();
    assert_eq!((walked.state, walked.expanded), (Course::Sending, 20));
    let skipped = shop.skipped(id).await;
    let [(whom, why)] = &skipped[..] else {
        panic!("{skipped:?}");
    };
    assert!(whom.contains("\"p7\""), "{whom}");
    assert_eq!(why.as_deref(), Some("unwritable"));
}

#[tokio::test]
async fn a_store_that_refuses_one_after_the_other_stops_the_campaign_before_all_are_passed_over() {
    let shop = Shop::with(Picky {
        recipient: Some("recipient"),
        ..Picky::default()
    });
    profiles(&*shop.store, 40, shop.clock.now()).await;
    let id = shop.engine.create_campaign(quiz()).await.unwrap().id();

    shop.walk().await;

    let stopped = shop.engine.campaign(id).await.unwrap();
    let skipped = shop.skipped(id).await.len();
    assert_eq!((stopped.state, stopped.expanded), (Course::Stopped, 5));
    assert_eq!(skipped, 5);
    let why = stopped.why.unwrap();
    assert!(
        why.contains("number 6") && why.contains("disliked"),
        "{why}"
    );
}

#[tokio::test]
async fn those_who_get_nothing_anyway_do_not_hide_that_the_store_refuses_all_others() {
    let shop = Shop::with(Picky {
        recipient: Some("recipient"),
        ..Picky::default()
    });
    profiles(&*shop.store, 40, shop.clock.now()).await;
    for number in (0..40).step_by(2) {
        let id = format!("p{number}");
        let now = shop.clock.now();
        shop.store
            .switch_topic(&id, "quiz", true, now)
            .await
            .unwrap();
    }
    let spec = CampaignSpec {
        topic: Some("quiz".to_owned()),
        ..quiz()
    };
    let id = shop.engine.create_campaign(spec).await.unwrap().id();

    shop.walk().await;

    let stopped = shop.engine.campaign(id).await.unwrap();
    let skipped = shop.skipped(id).await.into_iter();
    let unwritable = skipped.filter(|(_, why)| why.as_deref() == Some("unwritable"));
    assert_eq!(stopped.state, Course::Stopped);
    assert_eq!(unwritable.count(), 5);
}

#[tokio::test]
async fn nobody_is_passed_over_in_the_place_of_one_who_has_left() {
    let shop = Shop::with(Picky {
        recipient: Some("\"p7\""),
        leaves: true,
        ..Picky::default()
    });
    profiles(&*shop.store, 20, shop.clock.now()).await;
    let id = shop.engine.create_campaign(quiz()).await.unwrap().id();

    shop.walk().await;

    let walked = shop.engine.campaign(id).await.unwrap();
    assert_eq!((walked.state, walked.expanded), (Course::Sending, 19));
    assert_eq!(shop.skipped(id).await, []);
}

#[tokio::test]
async fn a_recipient_of_whom_nothing_can_be_written_stops_his_campaign_alone_and_after_all_before_him()
 {
    let shop = Shop::with(Picky {
        recipient: Some("\"p7\""),
        is_stubborn: true,
        ..Picky::default()
    });
    profiles(&*shop.store, 20, shop.clock.now()).await;
    let to_all = shop.engine.create_campaign(quiz()).await.unwrap().id();
    let others = CampaignSpec {
        audience: serde_json::json!({ "ids": ["p1", "p9"] }),
        lane: Some("other".to_owned()),
        ..quiz()
    };
    shop.clock.advance(Duration::from_millis(1));
    let to_some = shop.engine.create_campaign(others).await.unwrap().id();

    shop.walk().await;

    let stopped = shop.engine.campaign(to_all).await.unwrap();
    let walked = shop.engine.campaign(to_some).await.unwrap();
    let why = stopped.why.unwrap();
    assert_eq!((stopped.state, stopped.expanded), (Course::Stopped, 7));
    assert!(
        why.contains("number 8") && why.contains("disliked"),
        "{why}"
    );
    assert_eq!((walked.state, walked.expanded), (Course::Sending, 2));
}
