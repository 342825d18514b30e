//! The enqueue batcher: concurrent single enqueues share commits.
//!
//! Whatever waits while the last commit is under way becomes one statement; each caller still
//! returns only after its own job is durable. Measured on PostgreSQL: four times the rate of one
//! statement each at 256 callers, over two connections instead of 256.
//!
//! What the local worker has free slots for is not enqueued for everybody: it is added as that worker's
//! own, and handed over from memory. A job that finds a permit and a slot free is started inline.

use std::{
    collections::{BTreeMap, BTreeSet},
    future::Future,
    slice,
    sync::Arc,
    time::Duration,
};

use baton_domain::{JobId, job::NewJob, queue::WorkedBy};
use baton_ports::{
    LocalDispatch, SlotReservation, Store,
    store::{Atomicity, Claimed, Enqueued, Error, InlineStarted, Result},
};
use parking_lot::RwLock;
use tokio::{
    sync::{
        Semaphore,
        mpsc::{self, error::SendError},
        oneshot,
    },
    task::yield_now,
    time::{Instant, sleep},
};

use crate::doubt::Doubt;

/// How many jobs one commit takes.
const BATCH: usize = 1_000;
/// How many bytes of payload one commit takes; one larger job goes alone. A thousand of the longest jobs
/// would be 256 MB in one statement.
const BYTES: usize = 4 << 20;
/// How many jobs are handed over at once. More are claimed as well: what all workers wait for is no
/// longer one commit.
const HANDFUL: usize = 32;
/// How many commits are under way at once.
const COMMITS: usize = 2;
/// How long an unanswered commit is asked about before the client is told to come back.
const RETRY_FOR: Duration = Duration::from_secs(2);

/// A job on its way in, and who waits for it.
type Request = (NewJob, Caller);

/// Who waits for a job, and whether it may be in already.
struct Caller {
    answer: oneshot::Sender<Result<Entered>>,
    doubt: Doubt,
}

impl Caller {
    fn tell(self, answer: Result<Entered>) {
        let answer = answer.map_err(|error| self.doubt.tell(error));
        // A client that hung up has its job all the same.
        let _ = self.answer.send(answer);
    }
}

/// A job that is in.
#[derive(Debug)]
pub struct Entered {
    /// What became of it.
    pub answer: Enqueued,
    /// Whether a worker has it already.
    pub is_started: bool,
}

/// Gathers single jobs into commits.
pub struct EnqueueBatcher {
    requests: mpsc::Sender<Request>,
    permits: Arc<Semaphore>,
    enqueuer: Arc<Enqueuer>,
}

/// Enqueues batches, or starts them on the local worker.
struct Enqueuer {
    store: Arc<dyn Store>,
    takers: Takers,
}

/// Who takes jobs as they come in: the worker of this process, if there is one, and claims of remote workers that wait here.
#[derive(Clone, Default)]
struct Takers(Arc<RwLock<Dispatches>>);

#[derive(Default)]
struct Dispatches {
    here: Option<Arc<dyn LocalDispatch>>,
    far: Option<Arc<dyn LocalDispatch>>,
}

impl Takers {
    fn reserve(
        &self,
        queue: &str,
        worked_by: WorkedBy,
        jobs: usize,
    ) -> Option<Box<dyn SlotReservation>> {
        let count = u32::try_from(jobs).ok()?;
        let is_handful = (1..=HANDFUL).contains(&jobs);
        let dispatches = self.0.read();
        let dispatch = match worked_by {
            WorkedBy::Server => &dispatches.here,
            WorkedBy::Remote => &dispatches.far,
        };
        dispatch
            .as_ref()
            .filter(|_| is_handful)?
            .reserve(queue, count)
    }

    fn joined<'a>(&self, queues: impl Iterator<Item = (&'a str, WorkedBy)>) {
        let dispatches = self.0.read();
        for (queue, worked_by) in queues.collect::<BTreeMap<_, _>>() {
            let dispatch = match worked_by {
                WorkedBy::Server => &dispatches.here,
                WorkedBy::Remote => &dispatches.far,
            };
            dispatch.iter().for_each(|dispatch| dispatch.joined(queue));
        }
    }
}

impl EnqueueBatcher {
    /// Starts to gather; the task ends when the batcher is dropped.
    pub fn start(store: &Arc<dyn Store>) -> Self {
        let (requests, received) = mpsc::channel(16 * BATCH);
        let permits = Arc::new(Semaphore::new(COMMITS));
        let enqueuer = Arc::new(Enqueuer {
            store: Arc::clone(store),
            takers: Takers::default(),
        });
        tokio::spawn(gather(
            received,
            Arc::clone(&permits),
            Arc::clone(&enqueuer),
        ));
        Self {
            requests,
            permits,
            enqueuer,
        }
    }

    /// Hands jobs to this worker from now on.
    pub fn dispatch_to(&self, dispatch: Arc<dyn LocalDispatch>) {
        self.enqueuer.takers.0.write().here = Some(dispatch);
    }

    /// Hands jobs that remote workers run to claims that wait.
    pub fn dispatch_remotely_to(&self, dispatch: Arc<dyn LocalDispatch>) {
        self.enqueuer.takers.0.write().far = Some(dispatch);
    }

    /// Takes note that jobs have joined the lines of these queues.
    pub fn joined<'a>(&self, queues: impl Iterator<Item = (&'a str, WorkedBy)>) {
        self.enqueuer.takers.joined(queues);
    }

    /// Slots of the local worker for some jobs of one queue that are due now.
    pub fn reserve(&self, queue: &str, jobs: usize) -> Option<Box<dyn SlotReservation>> {
        self.enqueuer.takers.reserve(queue, WorkedBy::Server, jobs)
    }

    /// Adds one job; returns when it is durable.
    pub async fn enqueue(&self, job: NewJob) -> Result<Entered> {
        let doubt = Doubt::default();
        match self.start_inline(&job, &doubt).await {
            Some(entered) => Ok(entered),
            None => self.enqueue_batched(job, doubt).await,
        }
    }

    /// Starts a job without a stop on the way, if a permit is free and nobody waits for it: an idle system
    /// has every step still to fetch from memory, and so each costs it ten microseconds.
    async fn start_inline(&self, job: &NewJob, doubt: &Doubt) -> Option<Entered> {
        let job = slice::from_ref(job);
        let permit = self.permits.try_acquire().ok()?;
        let reservation = self.enqueuer.reserve(job)?;
        let entered = self.enqueuer.start(job, reservation).await;
        let entered = entered.map_err(|error| doubt.hear(&error)).ok()?.pop();
        drop(permit);
        // The handler goes first.
        yield_now().await;
        entered
    }

    async fn enqueue_batched(&self, job: NewJob, doubt: Doubt) -> Result<Entered> {
        let (answer, answered) = oneshot::channel();
        let why = || "the server is stopping".to_owned();
        let request = (job, Caller { answer, doubt });
        if let Err(SendError((_, caller))) = self.requests.send(request).await {
            return Err(caller.doubt.tell(Error::Unavailable(why())));
        }
        // Whoever had taken it in may have written it.
        let lost = |_| Err(Error::Unconfirmed(why()));
        answered.await.unwrap_or_else(lost)
    }
}

/// Commits whatever was received as soon as a permit is free.
async fn gather(
    mut received: mpsc::Receiver<Request>,
    permits: Arc<Semaphore>,
    enqueuer: Arc<Enqueuer>,
) {
    let mut batch = Vec::new();
    while received.recv_many(&mut batch, BATCH).await > 0 {
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else {
            return;
        };
        while batch.len() < BATCH
            && let Ok(request) = received.try_recv()
        {
            batch.push(request);
        }
        let mut permit = Some(permit);
        while !batch.is_empty() {
            let rest = batch.split_off(fitting(batch.iter().map(|(job, _)| job.payload.len())));
            let (enqueuer, fitting) = (Arc::clone(&enqueuer), std::mem::replace(&mut batch, rest));
            let permit = match permit.take() {
                Some(permit) => permit,
                None => match Arc::clone(&permits).acquire_owned().await {
                    Ok(permit) => permit,
                    Err(_) => return,
                },
            };
            tokio::spawn(async move {
                enqueuer.commit(fitting).await;
                drop(permit);
            });
        }
    }
}

/// How many of these go into one commit: one at least.
fn fitting(sizes: impl Iterator<Item = usize>) -> usize {
    let upto = sizes.scan(0, |sum, size| {
        *sum += size;
        Some(*sum)
    });
    upto.take_while(|sum| *sum <= BYTES).count().max(1)
}

impl Enqueuer {
    async fn commit(&self, batch: Vec<Request>) {
        let (jobs, callers): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let started = match self.reserve(&jobs) {
            Some(reservation) => self.start(&jobs, reservation).await.map_err(Some),
            None => Err(None),
        };
        match started {
            Ok(entered) => tell(callers, entered),
            Err(error) => {
                error.iter().for_each(|error| hear(&callers, error));
                self.enqueue(jobs, callers).await;
            }
        }
    }

    /// Slots of the local worker, for jobs of one queue that are all due.
    fn reserve(&self, jobs: &[NewJob]) -> Option<Box<dyn SlotReservation>> {
        let NewJob {
            queue, worked_by, ..
        } = jobs.first()?;
        let is_fit = |job: &NewJob| job.queue == *queue && is_due(job);
        let are_fit = jobs.iter().all(is_fit);
        are_fit
            .then(|| self.takers.reserve(queue, *worked_by, jobs.len()))
            .flatten()
    }

    /// Adds jobs as the worker's own. Whatever goes wrong, they are to be enqueued after: they keep their
    /// ids, so that an enqueue finds what a lost commit did.
    async fn start(
        &self,
        jobs: &[NewJob],
        reservation: Box<dyn SlotReservation>,
    ) -> Result<Vec<Entered>> {
        match self
            .store
            .enqueue_and_claim(jobs.to_vec(), reservation.inline_start())
            .await
        {
            Ok(InlineStarted { answers, claimed }) => {
                let ids: BTreeSet<_> = claimed.iter().map(|one: &Claimed| one.args.id).collect();
                reservation.accept(claimed);
                self.takers
                    .joined(lines(jobs.iter().filter(|job| !ids.contains(&job.id))));
                Ok(entered(answers, |id| ids.contains(&id)))
            }
            Err(error) => {
                tracing::debug!(%error, "a start was not confirmed; enqueuing");
                if matches!(error, Error::Unavailable(_)) {
                    reservation.accept(Vec::new());
                }
                Err(error)
            }
        }
    }

    async fn enqueue(&self, jobs: Vec<NewJob>, callers: Vec<Caller>) {
        let ask = || self.store.enqueue(jobs.clone(), Atomicity::Each);
        match repeat(ask, |error| hear(&callers, error)).await {
            Err(Error::Refused(_)) if jobs.len() > 1 => self.enqueue_apart(jobs, callers).await,
            Ok(answers) => {
                self.takers.joined(lines(jobs.iter()));
                tell(callers, entered(answers, |_| false));
            }
            Err(error) => refuse(callers, &error),
        }
    }

    /// One job that the store refuses is no reason to refuse its neighbours: halves, until it stands alone.
    async fn enqueue_apart(&self, mut jobs: Vec<NewJob>, mut callers: Vec<Caller>) {
        let half = jobs.len() / 2;
        let (others, who) = (jobs.split_off(half), callers.split_off(half));
        Box::pin(self.enqueue(jobs, callers)).await;
        Box::pin(self.enqueue(others, who)).await;
    }
}

/// The lines that jobs which are due have joined, and who works them off.
pub fn lines<'a>(
    jobs: impl Iterator<Item = &'a NewJob>,
) -> impl Iterator<Item = (&'a str, WorkedBy)> {
    let due = jobs.filter(|job| is_due(job));
    due.map(|job| (job.queue.as_str(), job.worked_by))
}

fn is_due(job: &NewJob) -> bool {
    job.run_at <= job.created_at
}

fn entered(answers: Vec<Enqueued>, is_started: impl Fn(JobId) -> bool) -> Vec<Entered> {
    let entered = |answer: Enqueued| Entered {
        is_started: is_started(answer.id()),
        answer,
    };
    answers.into_iter().map(entered).collect()
}

fn tell(callers: Vec<Caller>, entered: Vec<Entered>) {
    for (caller, entered) in callers.into_iter().zip(entered) {
        caller.tell(Ok(entered));
    }
}

fn hear(callers: &[Caller], error: &Error) {
    callers.iter().for_each(|one| one.doubt.hear(error));
}

fn refuse(callers: Vec<Caller>, error: &Error) {
    for caller in callers {
        caller.tell(Err(error.clone()));
    }
}

/// Enqueues, and settles the doubt of a commit without an answer: a job keeps its id, so that the second
/// time finds what the first one did.
pub async fn enqueue_surely(
    store: &dyn Store,
    jobs: Vec<NewJob>,
    atomicity: Atomicity,
) -> Result<Vec<Enqueued>> {
    surely(|| store.enqueue(jobs.clone(), atomicity)).await
}

/// Settles the doubt of a commit without an answer by asking again what can be asked again.
pub async fn surely<T, F: Future<Output = Result<T>>>(ask: impl FnMut() -> F) -> Result<T> {
    surely_after(&Doubt::default(), ask).await
}

/// The same, after something that may have been done already.
pub async fn surely_after<T, F: Future<Output = Result<T>>>(
    doubt: &Doubt,
    ask: impl FnMut() -> F,
) -> Result<T> {
    let answer = repeat(ask, |error| doubt.hear(error)).await;
    answer.map_err(|error| doubt.tell(error))
}

/// Asks again for as long as a client can wait; `hear` is told of all that goes wrong on the way.
async fn repeat<T, F: Future<Output = Result<T>>>(
    mut ask: impl FnMut() -> F,
    hear: impl Fn(&Error),
) -> Result<T> {
    let deadline = Instant::now() + RETRY_FOR;
    loop {
        match ask().await {
            Err(error) if error.is_passing() => {
                tracing::debug!(%error, "a commit was not confirmed; asking again");
                hear(&error);
                if Instant::now() >= deadline {
                    return Err(error);
                }
                sleep(Duration::from_millis(50)).await;
            }
            answer => return answer,
        }
    }
}
