//! The spans of an attempt: that of its run, and that of its way into the store; and of the claim that brought it.

use std::time::Duration;

use baton_domain::job::Illegal;
use baton_ports::{
    Origin, Span, SpanKind, Tracer,
    spans::{SpanId, TraceId},
    store::{AttemptResult, Claimed, SettleOutcome},
};
use tracing::field::{DisplayValue, display};

use crate::{
    finished_attempt::{AttemptContext, FinishedAttempt},
    job::Job,
};

type Shown<T> = Option<DisplayValue<T>>;

/// Tells of a claim that brought jobs: a trace of its own, as they belong to others, that goes back to the first of them.
pub fn received(tracer: &Tracer, queue: &str, jobs: &[Claimed], took: Duration) {
    let Some(first) = jobs.first() else { return };
    let name = || format!("receive {queue}");
    let span = tracer.begin_linked(SpanKind::Client, name, first.args.options.trace.as_ref());
    let mut span = span.begun(took);
    span.tell("messaging.system", || "baton");
    span.tell("messaging.operation.type", || "receive");
    span.tell("messaging.destination.name", || queue);
    span.tell("messaging.batch.message_count", || jobs.len() as u32);
}

/// Begins the span of an attempt: a child of the enqueue, or of a later attempt a trace of its own that goes back to it.
pub fn begin(tracer: &Tracer, job: &Job, queue: &str) -> Span {
    let args = &job.args;
    let (kind, trace) = (SpanKind::Consumer, args.options.trace.as_ref());
    let name = || format!("process {}", args.kind);
    let mut span = match job.counters.attempt {
        1 => tracer.begin(kind, name, trace),
        _ => tracer.begin_linked(kind, name, trace),
    };
    tell_of(&mut span, "process", queue, &args.kind);
    span.tell("messaging.message.id", || args.id.to_string());
    span.tell("baton.attempt", || job.counters.attempt);
    span
}

/// Ends it with what becomes of the job, whose way into the store is told below it.
pub fn end(
    mut span: Span,
    ended: Result<FinishedAttempt, Illegal>,
) -> Result<FinishedAttempt, Illegal> {
    let mut ended = ended?;
    let decision = &ended.result.decision;
    span.tell("baton.outcome", || decision.outcome.as_str());
    span.tell("baton.state", || decision.transition.to().as_str());
    if let Some(failure) = &decision.failure {
        span.fail(&failure.code);
    }
    ended.context.span = span.origin();
    Ok(ended)
}

/// Ends it without a result: another worker may have the job.
pub fn lose(mut span: Span) {
    span.tell("baton.outcome", || "lost");
    span.fail("lease_lost");
}

/// Tells of the way into the store: from the end of the run to the answer.
pub fn settled(result: &AttemptResult, context: &AttemptContext, outcome: SettleOutcome) {
    let name = || format!("settle {}", context.kind);
    let mut span = context
        .span
        .child_since(SpanKind::Client, name, context.since.elapsed());
    tell_of(&mut span, "settle", &context.queue, &context.kind);
    span.tell("messaging.message.id", || result.job.to_string());
    span.tell("baton.attempt", || result.counters.attempt);
    span.tell("baton.settled", || settled_as(outcome));
}

/// What a log line says of a span, if there is one.
pub fn ids(span: &Origin) -> (Shown<TraceId>, Shown<SpanId>) {
    (span.trace_id().map(display), span.span_id().map(display))
}

fn tell_of(span: &mut Span, operation: &'static str, queue: &str, kind: &str) {
    span.tell("messaging.system", || "baton");
    span.tell("messaging.operation.type", || operation);
    span.tell("messaging.destination.name", || queue);
    span.tell("baton.kind", || kind);
}

const fn settled_as(outcome: SettleOutcome) -> &'static str {
    match outcome {
        SettleOutcome::Recorded => "recorded",
        SettleOutcome::Adopted => "adopted",
        SettleOutcome::Stale => "stale",
    }
}
