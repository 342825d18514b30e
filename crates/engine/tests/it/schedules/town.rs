//! A town: nodes over one store that may fail, and one clock that is set by hand.

use std::{sync::Arc, time::Duration};

use baton_domain::{
    Clock, ManualClock, Timestamp, WorkerId,
    access::Actor,
    job::{Job, Limits},
    page::PageRequest,
    schedule::{JobTemplate, Outcome, Schedule, ScheduleSpec},
};
use baton_engine::{Caller, Engine, Next, Routine, Settings};
use baton_ports::{
    MemoryStore, Store, Wakeups,
    faulty::{Faulty, Odds},
    store::{JobFilter, Jobs, Retention, Schedules},
};

use crate::fixture::Anything;

pub const MINUTE: Duration = Duration::from_mins(1);
pub const HOUR: Duration = Duration::from_hours(1);
pub const DAY: Duration = Duration::from_hours(24);
/// How long a node leads without saying so again.
pub const TERM: Duration = Duration::from_secs(15);
pub const NEVER: Odds = Odds {
    before: 0.0,
    after: 0.0,
};

pub struct Town {
    pub store: Arc<MemoryStore>,
    pub faults: Arc<Faulty>,
    pub clock: ManualClock,
    nodes: Vec<Node>,
}

pub struct Node {
    engine: Caller,
    routines: Vec<Box<dyn Routine>>,
}

pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub fn note() -> JobTemplate {
    JobTemplate {
        kind: "note".to_owned(),
        payload: "{}".to_owned(),
        ..JobTemplate::default()
    }
}

pub fn spec(cron: &str, missed: &str) -> ScheduleSpec {
    ScheduleSpec {
        name: "a".to_owned(),
        cron: cron.to_owned(),
        time_zone: "UTC".to_owned(),
        job: Some(note()),
        missed: Some(missed.to_owned()),
        ..ScheduleSpec::default()
    }
}

pub fn daily() -> ScheduleSpec {
    spec("0 9 * * *", "latest")
}

impl Town {
    /// A town with one node, which leads.
    pub async fn at(now: &str) -> Self {
        Self::over_faults(now, 0).await
    }

    /// The same; when its database fails, it fails as the seed says.
    pub async fn over_faults(now: &str, seed: u64) -> Self {
        let clock = ManualClock::at(at(now));
        let store = Arc::new(MemoryStore::with_clock(Arc::new(clock.clone())));
        let faults = Faulty::new(store.clone(), seed, NEVER);
        let mut town = Self {
            store,
            faults,
            clock,
            nodes: Vec::new(),
        };
        town.found_another_node().await;
        town.node(0).turn("leader").await;
        town
    }

    pub async fn found_another_node(&mut self) {
        self.found(Settings::default());
    }

    /// A node that takes hardly any payload, and leads as soon as it asks to.
    pub async fn found_a_stricter_node(&mut self) {
        let limits = Limits {
            payload: 1,
            ..Limits::default()
        };
        self.found(Settings {
            limits,
            ..Settings::default()
        });
        self.clock.advance(TERM + MINUTE);
    }

    fn found(&mut self, settings: Settings) {
        let engine = Engine::new(
            self.faults.clone() as Arc<dyn Store>,
            Arc::new(Wakeups::default()),
            Arc::new(self.clock.clone()),
            vec![Arc::new(Anything("note"))],
            settings,
        )
        .caller(Actor::anonymous());
        let routines = engine.routines(WorkerId::new(self.clock.now()), Retention::default());
        self.nodes.push(Node { engine, routines });
    }

    pub fn node(&mut self, number: usize) -> &mut Node {
        &mut self.nodes[number]
    }

    pub fn engine(&self) -> &Caller {
        &self.nodes[0].engine
    }

    pub fn clock_now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Turns a routine of the first two nodes at once.
    pub async fn both(&mut self, routine: &str) {
        let [first, second, ..] = self.nodes.as_mut_slice() else {
            panic!("there are not two nodes");
        };
        tokio::join!(first.turn(routine), second.turn(routine));
    }

    /// Lets every node fire until nothing is left to do.
    pub async fn run(&mut self) {
        for node in &mut self.nodes {
            node.run("scheduler").await;
        }
    }

    /// Sets the clock, and lets every node fire.
    pub async fn go_to(&mut self, now: &str) {
        self.clock.set(at(now));
        self.run().await;
    }

    /// Lets time go by in small steps, and every node fire after each.
    pub async fn live_for(&mut self, span: Duration, step: Duration) {
        let end = self.clock.now() + span;
        while self.clock.now() < end {
            self.clock.advance(step.min(end.since(self.clock.now())));
            self.run().await;
        }
    }

    pub async fn create(&self, spec: ScheduleSpec) -> Schedule {
        self.engine().create_schedule(spec).await.unwrap().0
    }

    pub async fn find(&self, schedule: &Schedule) -> Schedule {
        let found = self.store.find_schedule(schedule.id).await;
        found.unwrap().unwrap()
    }

    pub async fn jobs(&self) -> Vec<Job> {
        let page = PageRequest::first(500);
        let jobs = self.store.jobs(&JobFilter::default(), &page).await;
        jobs.unwrap().items
    }

    /// Nominal times with what was made for them, or how many were missed; the latest first.
    pub async fn history(&self, schedule: &Schedule) -> Vec<(Timestamp, Option<String>, u32)> {
        let page = PageRequest::first(500);
        let fires = self.store.fires(schedule.id, &page).await.unwrap().items;
        let lines = fires.into_iter().map(|fire| match fire.outcome {
            Outcome::Made { made, .. } => (fire.at, Some(made), 0),
            Outcome::Missed { run, .. } => (fire.at, None, run.count),
        });
        lines.collect()
    }

    /// Why the latest time was missed.
    pub async fn reason(&self, schedule: &Schedule) -> String {
        let page = PageRequest::default();
        let fires = self.store.fires(schedule.id, &page).await.unwrap().items;
        match &fires[0].outcome {
            Outcome::Missed { reason, .. } => reason.clone(),
            made @ Outcome::Made { .. } => panic!("{made:?}"),
        }
    }
}

impl Node {
    /// Turns one routine once; a turn that fails is tried again.
    pub async fn turn(&mut self, name: &str) -> Next {
        let routine = self.routines.iter_mut().find(|one| one.name() == name);
        routine.unwrap().turn().await.unwrap_or(Next::Now)
    }

    /// Turns one routine for as long as it has something to do.
    pub async fn run(&mut self, name: &str) {
        while self.turn(name).await == Next::Now {}
    }
}
