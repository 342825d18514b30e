//! The span of an enqueue, which its jobs belong to from then on.

use baton_domain::job::NewJob;
use baton_ports::{Span, SpanKind, Tracer, store::Enqueued};

use crate::{Accepted, Caller, Error, Result};

impl Caller {
    pub(super) fn tracer(&self) -> &Tracer {
        &self.inner.settings.tracer
    }
}

/// Begins the span of an enqueue as a child of the trace that its jobs have, and puts them under it. Jobs that name several traces
/// keep those: the spans that asked for them are the callers' own.
pub fn begin(tracer: &Tracer, jobs: &mut [NewJob]) -> Span {
    let Some(first) = jobs.first().filter(|_| tracer.is_on()) else {
        return Span::default();
    };
    if jobs
        .iter()
        .any(|job| job.options.trace != first.options.trace)
    {
        return Span::default();
    }
    let kind = the_one(jobs, |job| &job.kind);
    let name = || format!("send {}", kind.unwrap_or("many"));
    let mut span = tracer.begin(SpanKind::Producer, name, first.options.trace.as_ref());
    span.tell("messaging.system", || "baton");
    span.tell("messaging.operation.type", || "send");
    if let Some(queue) = the_one(jobs, |job| &job.queue) {
        span.tell("messaging.destination.name", || queue);
    }
    if let Some(kind) = kind {
        span.tell("baton.kind", || kind);
    }
    match &*jobs {
        [job] => span.tell("messaging.message.id", || job.id.to_string()),
        jobs => span.tell("messaging.batch.message_count", || jobs.len() as u32),
    }
    let trace = span.trace();
    jobs.iter_mut()
        .for_each(|job| job.options.trace.clone_from(&trace));
    span
}

/// Ends it with what has become of the enqueue.
pub fn end<T>(mut span: Span, answer: &Result<T>, outcome: impl FnOnce(&T) -> &'static str) {
    match answer {
        Ok(answer) => span.tell("baton.outcome", || outcome(answer)),
        Err(error) => span.fail(code(error)),
    }
}

const fn code(error: &Error) -> &'static str {
    match error {
        Error::KeyConflict { .. } => "key_conflict",
        Error::Store(_) => "store",
        _ => "refused",
    }
}

/// What has become of one job.
pub const fn accepted(answer: &Accepted) -> &'static str {
    match answer {
        Accepted::New(_) => "created",
        Accepted::Known(_) | Accepted::Forgotten(..) => "known",
    }
}

/// What has become of many: whether any was added.
pub fn enqueued(answers: &[Enqueued]) -> &'static str {
    let is_new = |answer: &Enqueued| matches!(answer, Enqueued::Created(_));
    match answers.iter().any(is_new) {
        true => "created",
        false => "known",
    }
}

/// What all of them are; nothing where they differ.
fn the_one(jobs: &[NewJob], word: impl Fn(&NewJob) -> &String) -> Option<&str> {
    let first = word(jobs.first()?);
    jobs.iter()
        .all(|job| word(job) == first)
        .then_some(first.as_str())
}
