//! A worker, its store and its handlers, in virtual time: the clock follows the runtime's.

use std::{
    future,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{
    Clock, JobId, Timestamp, WorkerId,
    job::{Class, FieldError, Job, JobSpec, Limits, NewJob, State, Verdict},
};
use baton_ports::{
    Call, Handler, LocalDispatch, MemoryStore, Prepared, Wakeup, Wakeups,
    checkpoints::Saved,
    store::{Atomicity, JobArgs, Jobs, Work},
};
use baton_worker::{Config, Report, SlotsConfig, Status, Stop, Worker};
use parking_lot::Mutex;
use tokio::{
    sync::Semaphore,
    task::JoinHandle,
    time::{Instant, sleep},
};

use crate::{
    listener::Listener,
    spy::{Spy, spy},
};

/// A clock that goes as the runtime's time goes.
pub struct VirtualClock(Instant);

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(1_000_000_000_000_000) + self.0.elapsed()
    }
}

/// What a test has in hand.
pub struct World {
    pub store: Arc<Spy>,
    pub wakeups: Arc<Wakeups>,
    pub clock: Arc<VirtualClock>,
    pub handler: Arc<Scripted>,
    pub hints: Option<Arc<Listener>>,
    pub config: Config,
}

/// A worker at work.
pub struct Running {
    pub stop: Stop,
    pub status: Status,
    pub task: JoinHandle<Report>,
}

impl Running {
    pub async fn stop_softly(self) -> Report {
        self.stop.soft.cancel();
        self.task.await.unwrap()
    }
}

impl World {
    pub fn new() -> Self {
        let clock = Arc::new(VirtualClock(Instant::now()));
        let store = MemoryStore::with_clock(Arc::clone(&clock) as Arc<dyn Clock>);
        let mut config = Config::new(WorkerId::new(clock.now()), "here:1", "0.1.0");
        config.lease = Duration::from_secs(30);
        Self {
            store: spy(store),
            wakeups: Arc::default(),
            clock,
            handler: Arc::default(),
            hints: None,
            config,
        }
    }

    /// With so many slots in each queue.
    pub fn with_slots(slots: u32) -> Self {
        let mut world = Self::new();
        world.config.slots = SlotsConfig {
            default: slots,
            ..SlotsConfig::default()
        };
        world
    }

    /// With so many slots in each queue, and a handler that prepares so many at once.
    pub fn with_company(slots: u32, together: usize, trouble: Option<Trouble>) -> Self {
        let handler = Scripted {
            together,
            trouble,
            ..Scripted::default()
        };
        Self {
            handler: Arc::new(handler),
            ..Self::with_slots(slots)
        }
    }

    pub fn start(&self) -> Running {
        run(self.worker())
    }

    pub fn start_with_dispatch(&self) -> (Running, Arc<dyn LocalDispatch>) {
        let worker = self.worker();
        let dispatch = worker.local_dispatch();
        (run(worker), dispatch)
    }

    pub fn worker(&self) -> Worker {
        let worker = Worker::new(
            Arc::clone(&self.store) as _,
            Arc::clone(&self.wakeups),
            Arc::clone(&self.clock) as _,
            vec![Arc::clone(&self.handler) as _],
            self.config.clone(),
        );
        match &self.hints {
            Some(hints) => worker.with_hints(Arc::clone(hints) as _, Arc::clone(&self.store) as _),
            None => worker,
        }
    }

    /// Adds jobs with these payloads, and sends the wake-up.
    pub async fn enqueue(&self, payloads: &[&str]) -> Vec<JobId> {
        let specs = payloads.iter().map(|payload| spec(payload)).collect();
        self.enqueue_specs(specs).await
    }

    pub async fn enqueue_specs(&self, specs: Vec<JobSpec>) -> Vec<JobId> {
        let ids = self.add(specs).await;
        self.wakeups.send(Wakeup::Ready);
        ids
    }

    /// Adds jobs, and tells nobody.
    pub async fn add(&self, specs: Vec<JobSpec>) -> Vec<JobId> {
        let new = |spec| NewJob::from_spec(spec, &Limits::default(), self.clock.now()).unwrap();
        let mut jobs: Vec<_> = specs.into_iter().map(new).collect();
        let mut ids: Vec<_> = jobs.iter().map(|job| job.id).collect();
        // Those of one microsecond stand in the order of their ids, which is chance.
        ids.sort_unstable();
        for (job, id) in jobs.iter_mut().zip(&ids) {
            job.id = *id;
        }
        self.store.enqueue(jobs, Atomicity::All).await.unwrap();
        ids
    }

    /// Has what is due released, as an engine does.
    pub fn release(&self) {
        let (store, wakeups) = (Arc::clone(&self.store), Arc::clone(&self.wakeups));
        let clock = Arc::clone(&self.clock);
        tokio::spawn(async move {
            loop {
                sleep(Duration::from_secs(1)).await;
                store.release(100, clock.now()).await.unwrap();
                wakeups.send(Wakeup::Ready);
            }
        });
    }

    pub async fn job(&self, id: JobId) -> Job {
        self.store.job(id).await.unwrap().unwrap()
    }

    pub async fn count(&self, ids: &[JobId], state: State) -> usize {
        let mut count = 0;
        for id in ids {
            count += usize::from(self.job(*id).await.state == state);
        }
        count
    }

    pub async fn until_all_are(&self, ids: &[JobId], state: State) {
        for id in ids {
            within_reason(async || self.job(*id).await.state == state).await;
        }
    }
}

fn run(worker: Worker) -> Running {
    let (stop, status) = (Stop::default(), worker.status());
    let task = tokio::spawn(worker.run(stop.clone()));
    Running { stop, status, task }
}

/// A job of the scripted kind.
pub fn spec(payload: &str) -> JobSpec {
    JobSpec {
        kind: "scripted".to_owned(),
        payload: payload.to_owned(),
        ..JobSpec::default()
    }
}

/// Waits for a condition, ten virtual minutes at most.
pub async fn within_reason(condition: impl AsyncFn() -> bool) {
    let end = Instant::now() + Duration::from_mins(10);
    while !condition().await {
        assert!(Instant::now() < end, "it did not happen in ten minutes");
        sleep(Duration::from_millis(1)).await;
    }
}

/// A handler whose payload says what it does.
pub struct Scripted {
    /// The payloads of the calls that were made, in order.
    pub calls: Mutex<Vec<String>>,
    pub running: AtomicU32,
    pub most_running: AtomicU32,
    /// Lets calls with the payload `"gate"` go on.
    pub gate: Semaphore,
    /// How many it prepares at once.
    pub together: usize,
    /// How many it has prepared, each time.
    pub prepared: Mutex<Vec<usize>>,
    /// How many calls had what was prepared for them.
    pub in_company: AtomicU32,
    /// What is wrong with its preparations.
    pub trouble: Option<Trouble>,
}

/// What is wrong with the preparations of a handler.
#[derive(Clone, Copy)]
pub enum Trouble {
    Panics,
    NeverEnds,
}

impl Default for Scripted {
    fn default() -> Self {
        Self {
            calls: Mutex::default(),
            running: AtomicU32::new(0),
            most_running: AtomicU32::new(0),
            gate: Semaphore::new(0),
            together: 1,
            prepared: Mutex::default(),
            in_company: AtomicU32::new(0),
            trouble: None,
        }
    }
}

/// A call under way; it ends when the handler's future does, or is dropped.
struct Underway<'a>(&'a AtomicU32);

impl Drop for Underway<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl Handler for Scripted {
    fn kind(&self) -> &'static str {
        "scripted"
    }

    fn check(&self, _payload: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    fn most_together(&self) -> usize {
        self.together
    }

    async fn prepare(&self, jobs: &[&JobArgs]) -> Option<Prepared> {
        match self.trouble {
            Some(Trouble::Panics) => panic!("the script says so"),
            Some(Trouble::NeverEnds) => future::pending().await,
            None => sleep(Duration::from_millis(1)).await,
        }
        self.prepared.lock().push(jobs.len());
        Some(Prepared::new(
            jobs.iter().map(|args| args.id).collect::<Vec<_>>(),
        ))
    }

    async fn run(&self, call: Call) -> Verdict {
        let prepared = call
            .prepared
            .as_ref()
            .and_then(Prepared::read::<Vec<JobId>>);
        if prepared.is_some_and(|prepared| prepared.contains(&call.args.id)) {
            self.in_company.fetch_add(1, Ordering::SeqCst);
        }
        let payload = call.args.payload.clone();
        self.calls.lock().push(payload.clone());
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_running.fetch_max(running, Ordering::SeqCst);
        let _underway = Underway(&self.running);
        match payload.trim_matches('"') {
            "gate" => match self.gate.acquire().await {
                Ok(permit) => permit.forget(),
                Err(_) => return Verdict::Canceled,
            },
            "cancelable" => {
                call.cancel.cancelled().await;
                return Verdict::Canceled;
            }
            "panic" => panic!("the script says so"),
            "fail" => {
                let class = Class::Permanent;
                return Verdict::failed(class, "scripted", "no such box: 17");
            }
            word => {
                if let Some(steps) = word.strip_prefix("walk ") {
                    return walk(&call, steps.parse().unwrap(), false).await;
                }
                if let Some(steps) = word.strip_prefix("stumble ") {
                    return walk(&call, steps.parse().unwrap(), true).await;
                }
                if let Some(kind) = word.strip_prefix("make ") {
                    return make(&call, kind).await;
                }
                if let Some(seconds) = word.strip_prefix("sleep ") {
                    sleep(Duration::from_secs(seconds.parse().unwrap())).await;
                }
            }
        }
        Verdict::Accepted {
            result: Some(payload),
        }
    }
}

/// Takes a step each two seconds and makes a job with each; the first attempt fails half-way, or each after a step.
async fn walk(call: &Call, steps: u64, stumbles: bool) -> Verdict {
    let stood = call.checkpoints.stands().await.unwrap();
    let begin = stood.map_or(0, |stood| stood.cursor.unwrap().parse().unwrap());
    for step in begin + 1..=steps {
        sleep(Duration::from_secs(2)).await;
        let child = spec(&format!("\"child {step}\""));
        let saved = call.checkpoints.save(step.to_string(), None, vec![child]);
        assert!(matches!(saved.await, Saved::Recorded { .. }));
        let is_half_way = call.counters.attempt == 1 && step == steps / 2;
        if is_half_way || (stumbles && step < steps) {
            return Verdict::failed(Class::Retry, "half-way", "it stumbled");
        }
    }
    Verdict::Accepted {
        result: Some(begin.to_string()),
    }
}

/// Makes a job of a kind; the result is its id.
async fn make(call: &Call, kind: &str) -> Verdict {
    let child = JobSpec::new(kind, "null");
    match call
        .checkpoints
        .save("1".to_owned(), None, vec![child])
        .await
    {
        Saved::Recorded { jobs, .. } => Verdict::Accepted {
            result: Some(format!("{}", jobs[0].0)),
        },
        Saved::Lost => Verdict::failed(Class::Retry, "lost", "it was lost"),
        Saved::Refused(errors) => {
            let why = format!("{} {}", errors[0].field, errors[0].message);
            Verdict::failed(Class::Permanent, "refused", why)
        }
    }
}

impl Scripted {
    pub fn calls(&self) -> usize {
        self.calls.lock().len()
    }

    pub fn running(&self) -> u32 {
        self.running.load(Ordering::SeqCst)
    }
}
