//! Runners: each has one slot and makes attempts while there are jobs.

mod together;

use std::{future::poll_fn, panic::AssertUnwindSafe, pin::pin, sync::Arc, time::Duration};

use baton_domain::{
    JobId,
    job::{Class, Verdict},
};
use baton_ports::{Call, Checkpoints, Handler, Prepared, watchdog};
use futures::{FutureExt, future::BoxFuture};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::{
    core::Core,
    cursor::JobCursor,
    finished_attempt::{AttemptStart, FinishedAttempt},
    job::Job,
    lease::Fate,
    queue_slots::QueueSlots,
    spans,
};

/// How long a job of a kind without a handler stays away: another worker may have one.
const UNKNOWN_KIND: Duration = Duration::from_secs(10);
/// How long a job stays away that has expired while it was claimed: until the store fails it.
const EXPIRED: Duration = Duration::from_secs(1);

/// Starts runners for a queue.
pub fn start(core: &Arc<Core>, slots: &Arc<QueueSlots>, runners: u32) {
    for _ in 0..runners {
        core.runners.spawn(run(Arc::clone(core), Slot::of(slots)));
    }
}

/// Makes attempts in one slot until the queue has no job for it.
///
/// A task per slot, not per job: for jobs that take microseconds the spawning was a third of the cost.
fn run(core: Arc<Core>, mut slot: Slot) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        while let Some((slots, job)) = slot.next() {
            let prepared = together::begin(&core, &slots, &job).await;
            make(&core, &slots, job, prepared).await;
            // A handler that never waits must not keep the others from running.
            tokio::task::coop::consume_budget().await;
        }
    })
}

async fn make(core: &Arc<Core>, slots: &QueueSlots, job: Job, prepared: Option<Prepared>) {
    let ran = attempt(core, slots, job, prepared).await;
    core.slots.done(slots, ran);
}

/// A slot in use; it is given up even if its runner dies.
struct Slot(Option<Arc<QueueSlots>>);

impl Slot {
    /// A slot that is counted.
    fn of(slots: &Arc<QueueSlots>) -> Self {
        Self(Some(Arc::clone(slots)))
    }

    fn next(&mut self) -> Option<(Arc<QueueSlots>, Job)> {
        let slots = self.0.clone()?;
        if let Some(job) = slots.next() {
            Some((slots, job))
        } else {
            self.0 = None;
            None
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(slots) = &self.0 {
            slots.abandon();
        }
    }
}

/// Makes one attempt, if it may start; says how long the handler ran.
async fn attempt(
    core: &Arc<Core>,
    slots: &QueueSlots,
    job: Job,
    prepared: Option<Prepared>,
) -> Option<Duration> {
    let Some(handler) = &job.handler else {
        put_off_unknown_kind(core, slots, &job);
        return None;
    };
    if job.args.expires_at.is_some_and(|at| at <= core.clock.now()) {
        put_off(core, slots, &job, EXPIRED);
        None
    } else if may_start(core, &job).await {
        call(core, slots, &job, &**handler, prepared).await
    } else {
        not_started(core, slots, &job);
        None
    }
}

fn put_off_unknown_kind(core: &Core, slots: &QueueSlots, job: &Job) {
    let kind = &job.args.kind;
    if core.is_news(kind) {
        tracing::warn!(
            kind,
            "no handler for jobs of kind {kind} here: they are put off for 10 s at a time, for a worker that has one"
        );
    }
    put_off(core, slots, job, UNKNOWN_KIND);
}

fn put_off(core: &Core, slots: &QueueSlots, job: &Job, after: Duration) {
    let verdict = Verdict::Snoozed { after };
    let ended = FinishedAttempt::by_verdict(
        job,
        job.counters,
        &slots.queue,
        verdict,
        None,
        core.clock.now(),
    );
    core.conclude(&job.lease, ended);
}

/// Whether the store keeps up with what has ended, and enough of the lease is left, if need be after a
/// renewal.
async fn may_start(core: &Core, job: &Job) -> bool {
    if core.draining.is_cancelled() {
        return false;
    }
    if core.results.are_too_many() {
        tokio::select! {
            biased;
            () = core.draining.cancelled() => return false,
            () = core.results.keep_up() => {}
        }
    }
    let need = core.need(job.args.options.timeout);
    job.lease.suffices(need)
        || tokio::select! {
            biased;
            suffices = job.lease.made_to_suffice(need, &core.renew) => suffices,
            () = core.draining.cancelled() => false,
        }
}

fn not_started(core: &Core, slots: &QueueSlots, job: &Job) {
    if job.lease.fate() == Fate::Lost {
        core.lose(slots, &job.lease, job.args.id, job.is_named);
    } else {
        core.give_back(slots, job);
    }
}

/// How long after a job's time-out its handler may still say what it knows: a handler that ended its
/// own call at the time-out can tell whether anything was sent, the worker cannot.
const LAST_WORD: Duration = Duration::from_secs(1);

async fn call(
    core: &Arc<Core>,
    slots: &QueueSlots,
    job: &Job,
    handler: &dyn Handler,
    prepared: Option<Prepared>,
) -> Option<Duration> {
    let (id, timeout) = (job.args.id, job.args.options.timeout);
    let cancel = CancellationToken::new();
    let cursor = Arc::new(JobCursor::of(core, job, cancel.clone()));
    let span = spans::begin(&core.config.tracer, job, &slots.queue);
    let origin = span.origin();
    let call = Call {
        args: Arc::clone(&job.args),
        counters: job.counters,
        timeout,
        cancel: cancel.clone(),
        prepared,
        checkpoints: Checkpoints::of(Arc::clone(&cursor) as _),
        span: origin.clone(),
    };
    let started = AttemptStart {
        at: core.clock.now(),
        since: Instant::now(),
    };

    let (trace_id, span_id) = spans::ids(&origin);
    let attempt = tracing::debug_span!("attempt", job = %id, attempt = job.counters.attempt, kind = handler.kind(), queue = %slots.queue, trace_id, span_id);
    let run = stoppable(core, id, cancel.clone(), handler.run(call)).instrument(attempt);
    let ending = contained(
        run,
        || cursor.began() + timeout + LAST_WORD,
        &job.lease.over,
    )
    .await;

    let ran = started.since.elapsed();
    let is_late = cursor.began() + timeout <= Instant::now();
    let is_cut_off = matches!(ending, Ending::Over) || is_late || cancel.is_cancelled();

    let verdict = match ending {
        Ending::Said(verdict) => Some(verdict),
        Ending::Panicked(message) => {
            tracing::error!(job = %id, kind = handler.kind(), trace_id, span_id, "the handler of {id} panicked: {message}");
            Some(panicked())
        }
        Ending::TimedOut => Some(timed_out(timeout)),
        Ending::Over => stopped(core, job.lease.fate()),
    };
    if let Some(verdict) = verdict {
        let (counters, queue) = (cursor.counters(), &slots.queue);
        let now = core.clock.now();
        let ended = FinishedAttempt::by_verdict(job, counters, queue, verdict, Some(started), now);
        core.conclude(&job.lease, spans::end(span, ended));
    } else {
        spans::lose(span);
        core.lose(slots, &job.lease, id, job.is_named);
    }
    if is_cut_off {
        gone(core, handler, job).await;
    }
    Some(ran)
}

/// Waits until a handler that was cut off has ended, as it should at once; a worker that stops waits for none.
async fn gone(core: &Core, handler: &dyn Handler, job: &Job) {
    tokio::select! {
        biased;
        () = handler.gone(job.args.id, job.counters.attempt) => {}
        () = core.draining.cancelled() => {}
    }
}

/// Has a call hear of wishes to stop it for as long as it lasts. One that never waits hears nothing, and nobody has to know of it.
async fn stoppable<T>(
    core: &Core,
    job: JobId,
    cancel: CancellationToken,
    call: impl Future<Output = T>,
) -> T {
    let mut call = pin!(call);
    let mut listed = None;
    poll_fn(|context| {
        let polled = call.as_mut().poll(context);
        if polled.is_pending() && listed.is_none() {
            listed = Some(Listed::new(core, job, cancel.clone()));
        }
        polled
    })
    .await
}

/// A call that can be asked to stop, until this is dropped.
struct Listed<'a>(&'a Core, JobId);

impl<'a> Listed<'a> {
    fn new(core: &'a Core, job: JobId, cancel: CancellationToken) -> Self {
        core.calls.lock().insert(job, cancel);
        Self(core, job)
    }
}

impl Drop for Listed<'_> {
    fn drop(&mut self) {
        self.0.calls.lock().remove(&self.1);
    }
}

/// How a call ended.
enum Ending<T> {
    Said(T),
    Panicked(String),
    TimedOut,
    Over,
}

/// How long a handler whose lease has ended is still heard: a process that slept past its lease wakes
/// with answers that wait to be read, and a success that came in time may yet be adopted.
const LAST_LOOK: Duration = Duration::from_millis(20);

/// Waits until a moment has passed that may be put off meanwhile.
async fn passed(deadline: impl Fn() -> Instant) {
    loop {
        let at = deadline();
        if at <= Instant::now() {
            return;
        }
        tokio::time::sleep_until(at).await;
    }
}

/// Runs a handler; whatever it does, this returns, unless it blocks its thread.
async fn contained<T>(
    handler: impl Future<Output = T>,
    deadline: impl Fn() -> Instant,
    over: &CancellationToken,
) -> Ending<T> {
    // The handler is dropped inside, so that a panic while it is dropped is caught as well.
    let bounded = async {
        let mut handler = pin!(handler);
        tokio::select! {
            biased;
            said = &mut handler => Ending::Said(said),
            () = passed(&deadline) => Ending::TimedOut,
            () = over.cancelled() => match tokio::time::timeout(LAST_LOOK, handler).await {
                Ok(said) => Ending::Said(said),
                Err(_) => Ending::Over,
            },
        }
    };
    match AssertUnwindSafe(bounded).catch_unwind().await {
        Ok(ending) => ending,
        Err(panic) => Ending::Panicked(watchdog::message(&*panic).into_owned()),
    }
}

/// A handler may panic over the answer to a request as well as before it: the worker cannot tell. What a panic says may quote
/// anything, so it is for the log.
fn panicked() -> Verdict {
    Verdict::failed(
        Class::Unknown,
        "panic",
        "the handler panicked, as the log tells; its call may have been made",
    )
}

fn timed_out(timeout: Duration) -> Verdict {
    let timeout = baton_domain::duration::format(timeout);
    Verdict::failed(
        Class::Unknown,
        "timeout",
        format!("the handler did not end within {timeout}; its call may have been made"),
    )
}

/// What is said of a call that was stopped from outside; nothing when another worker may have it.
///
/// A call stopped by a shutdown is settled as unknown rather than left to its lease: at-least-once
/// work runs again after its back-off, not after the rescuer has noticed.
fn stopped(core: &Core, fate: Fate) -> Option<Verdict> {
    match fate {
        Fate::Lost => None,
        Fate::Expired => Some(Verdict::failed(
            Class::Unknown,
            "lease_deadline",
            "the lease could not be renewed in time; the call may have been made",
        )),
        Fate::Held if core.hard.is_cancelled() => None,
        Fate::Held => Some(Verdict::failed(
            Class::Unknown,
            "shutdown",
            "the worker stopped before the handler ended; the call may have been made",
        )),
    }
}
