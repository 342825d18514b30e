//! OpenTelemetry: a span for each attempt, and one for each enqueue, however many jobs it is of. Needs the feature `otel`.
//!
//! ```no_run
//! # fn example() -> Result<(), baton_sdk::Error> {
//! use baton_sdk::{App, otel};
//!
//! // Set your provider before: opentelemetry::global::set_tracer_provider(…)
//! let app = App::from_env()?.layer(otel::traced());
//! # Ok(())
//! # }
//! ```
//!
//! With this feature a job belongs to the span in whose [`Context`](opentelemetry::Context) it is asked for: by an enqueue, by a checkpoint
//! of a handler, or in a transaction ([`NewJob::to_json`](crate::NewJob::to_json)). The first attempt is a child of that; a later one, which
//! may be hours after, is a trace of its own with a link to it.

use std::{str::FromStr, thread};

use async_trait::async_trait;
use baton_client::EnqueueJob;
use baton_domain::{Trace, job::Verdict, queue::DEFAULT};
use opentelemetry::{
    Context as Here, KeyValue, SpanId, TraceFlags, TraceId,
    global::{self, BoxedTracer},
    trace::{
        FutureExt, Link, SpanContext, SpanKind, SpanRef, Status, TraceContextExt, TraceState,
        Tracer,
    },
};

use crate::{Context, Enqueued, Enqueuing, Error, Middleware, Next};

/// Kinds that the server runs itself, beside those that begin with `baton.`.
const BUILT_IN: [&str; 3] = ["http", "simulate", "delivery"];

/// Middleware that makes a CONSUMER span of each attempt and a PRODUCER span of each enqueue: `app.layer(otel::traced())`. Its tracer is the
/// one that the global provider has now: set yours before.
#[must_use]
pub fn traced() -> Traced<BoxedTracer> {
    Traced::by(global::tracer("baton"))
}

/// Middleware that makes spans; see [`traced`].
#[derive(Debug, Clone)]
pub struct Traced<T>(T);

impl<T> Traced<T> {
    /// Spans made by this tracer.
    pub const fn by(tracer: T) -> Self {
        Self(tracer)
    }
}

#[async_trait]
impl<T> Middleware for Traced<T>
where
    T: Tracer + Send + Sync + 'static,
    T::Span: Send + Sync + 'static,
{
    async fn around(&self, ctx: &Context, next: Next<'_>) -> Verdict {
        let (parent, links) = origin_of(ctx);
        let mut attributes = attributes("process", Some(ctx.queue()));
        attributes.push(KeyValue::new(
            "messaging.message.id",
            ctx.job_id().to_string(),
        ));
        attributes.push(KeyValue::new("baton.attempt", i64::from(ctx.attempt())));
        let span = self.0.span_builder(format!("process {}", ctx.kind()));
        let span = span.with_kind(SpanKind::Consumer).with_links(links);
        let span = span.with_attributes(attributes);
        let here = parent.with_span(span.start_with_context(&self.0, &parent));
        let ending = Ending(here.clone());
        let verdict = next.run(ctx).with_context(here).await;
        tell(&ending.0.span(), &verdict);
        verdict
    }

    async fn enqueuing(&self, next: Enqueuing<'_>) -> Result<Enqueued, Error> {
        let jobs = next.jobs();
        let kind = the_one(jobs.iter().map(|job| &*job.kind));
        let mut attributes = attributes("send", the_one(jobs.iter().map(queue_of)));
        if next.is_many() {
            let count = i64::try_from(jobs.len()).unwrap_or(i64::MAX);
            attributes.push(KeyValue::new("messaging.batch.message_count", count));
        }
        let span = self
            .0
            .span_builder(format!("send {}", kind.unwrap_or("many")));
        let span = span
            .with_kind(SpanKind::Producer)
            .with_attributes(attributes);
        let here = Here::current_with_span(span.start(&self.0));
        let ending = Ending(here.clone());
        let answer = next.run().with_context(here).await;
        tell_answer(&ending.0.span(), &answer);
        answer
    }
}

/// The job in the trace of here, unless it names its own.
pub(crate) fn of_here(mut job: EnqueueJob) -> EnqueueJob {
    job.trace = job.trace.or_else(|| Here::map_current(trace_of));
    job
}

/// Ends a span: of what has panicked, too, and of what was dropped where it waited.
struct Ending(Here);

impl Drop for Ending {
    fn drop(&mut self) {
        let span = self.0.span();
        if thread::panicking() {
            span.set_status(Status::error("panic"));
        }
        span.end();
    }
}

/// What the span of an attempt belongs to, and what it is linked with.
fn origin_of(ctx: &Context) -> (Here, Vec<Link>) {
    let Some(origin) = ctx.trace().and_then(span_context_of) else {
        return (Here::current(), Vec::new());
    };
    match ctx.attempt() {
        1 => (Here::new().with_remote_span_context(origin), Vec::new()),
        _ => (Here::new(), vec![Link::with_context(origin)]),
    }
}

/// How an attempt has ended.
fn tell(span: &SpanRef<'_>, verdict: &Verdict) {
    span.set_attribute(KeyValue::new("baton.verdict", word_of(verdict)));
    if let Verdict::Failed { failure, .. } = verdict {
        span.set_status(Status::error(failure.code.clone()));
        let what = KeyValue::new("exception.type", failure.code.clone());
        let why = KeyValue::new("exception.message", failure.message.clone());
        span.add_event("exception", vec![what, why]);
    }
}

/// What has become of an enqueue: of one job, its id and its queue.
fn tell_answer(span: &SpanRef<'_>, answer: &Result<Enqueued, Error>) {
    match answer {
        Ok(enqueued) => {
            if let (Some(queue), [made]) = (enqueued.queue(), enqueued.jobs()) {
                span.set_attribute(KeyValue::new("messaging.message.id", made.id.to_string()));
                let queue = queue.to_owned();
                span.set_attribute(KeyValue::new("messaging.destination.name", queue));
            }
        }
        Err(error) => {
            span.record_error(error);
            span.set_status(Status::error(error.to_string()));
        }
    }
}

const fn word_of(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted { .. } => "accepted",
        Verdict::Skipped { .. } => "skipped",
        Verdict::Snoozed { .. } => "snoozed",
        Verdict::Canceled => "canceled",
        Verdict::Failed { .. } => "failed",
    }
}

/// Without a queue where there is more than one.
fn attributes(operation: &'static str, queue: Option<&str>) -> Vec<KeyValue> {
    let queue = queue.map(|queue| KeyValue::new("messaging.destination.name", queue.to_owned()));
    let always = [
        KeyValue::new("messaging.system", "baton"),
        KeyValue::new("messaging.operation.type", operation),
    ];
    always.into_iter().chain(queue).collect()
}

/// The queue of a job: a kind that names none has one of its own, unless the server runs it itself.
fn queue_of(job: &EnqueueJob) -> &str {
    let kind = &*job.kind;
    let is_built_in = BUILT_IN.contains(&kind) || kind.starts_with("baton.");
    let own = if is_built_in { DEFAULT } else { kind };
    job.queue.as_deref().unwrap_or(own)
}

/// What all of them are; nothing where they differ.
fn the_one<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let first = words.next()?;
    words.all(|word| word == first).then_some(first)
}

/// As W3C writes it.
fn trace_of(here: &Here) -> Option<Trace> {
    let span = here.span();
    let context = span.span_context();
    let flags = context.trace_flags().to_u8();
    let parent = format!(
        "00-{}-{}-{flags:02x}",
        context.trace_id(),
        context.span_id()
    );
    let state = context.trace_state().header();
    let state = Some(&*state).filter(|state| !state.is_empty());
    Trace::from_headers([&*parent], state).filter(|_| context.is_valid())
}

fn span_context_of(trace: &Trace) -> Option<SpanContext> {
    let mut parts = trace.traceparent.split('-').skip(1);
    let id = TraceId::from_hex(parts.next()?).ok()?;
    let span = SpanId::from_hex(parts.next()?).ok()?;
    let flags = u8::from_str_radix(parts.next()?, 16).ok()?;
    let state = trace.tracestate.as_deref().map(TraceState::from_str);
    let state = state.and_then(Result::ok).unwrap_or_default();
    let context = SpanContext::new(id, span, TraceFlags::new(flags), true, state);
    context.is_valid().then_some(context)
}
