//! Spans of enqueues and attempts, as OpenTelemetry exports them.

use baton_sdk::{
    App, Context, Enqueued, Enqueuing, Error, JobError, Middleware, Next, Trace, Verdict,
    otel::Traced,
    testing::{self, Run},
};
use opentelemetry::{
    Value,
    trace::{FutureExt, SpanKind, Status, TraceContextExt, Tracer, TracerProvider},
};
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracer, SdkTracerProvider, SpanData};

use crate::ground::server;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN: &str = "00f067aa0ba902b7";

/// A tracer, and the spans that it has made.
struct Recorder {
    exporter: InMemorySpanExporter,
    provider: SdkTracerProvider,
}

impl Recorder {
    fn new() -> Self {
        let exporter = InMemorySpanExporter::default();
        let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone());
        Self {
            exporter,
            provider: provider.build(),
        }
    }

    fn tracer(&self) -> SdkTracer {
        self.provider.tracer("tests")
    }

    fn traced(&self) -> Traced<SdkTracer> {
        Traced::by(self.tracer())
    }

    fn spans<const N: usize>(&self) -> [SpanData; N] {
        let spans = self.exporter.get_finished_spans().unwrap();
        spans.try_into().expect("another number of spans")
    }
}

/// What a span says of a name.
fn said(span: &SpanData, name: &str) -> Option<Value> {
    let found = span.attributes.iter().find(|one| one.key.as_str() == name);
    found.map(|one| one.value.clone())
}

fn text(value: &str) -> Option<Value> {
    Some(Value::from(value.to_owned()))
}

/// The trace of whatever was asked for in a span.
fn trace_of(span: &SpanData) -> Trace {
    let context = &span.span_context;
    Trace {
        traceparent: format!("00-{}-{}-01", context.trace_id(), context.span_id()),
        tracestate: None,
    }
}

fn producer() -> Trace {
    Trace {
        traceparent: format!("00-{TRACE}-{SPAN}-01"),
        tracestate: Some("vendor=1".to_owned()),
    }
}

fn nowhere() -> App {
    App::new("http://127.0.0.1:1").unwrap()
}

/// One attempt of a handler that answers as it is asked to.
fn attempt(of: Result<u64, JobError>, recorder: &Recorder) -> Run {
    let job = nowhere().job::<u64>("resize").returns::<u64>();
    let handler = move |_: u64, _: Context| std::future::ready(of.clone());
    testing::run(&job, handler, &7).layer(recorder.traced())
}

#[tokio::test]
async fn an_enqueue_is_a_producer_span_which_the_job_belongs_to() {
    let (server, recorder) = (server().await, Recorder::new());
    let app = server.app().layer(recorder.traced());
    let job = app.job::<u64>("resize").queue("images");

    let own = job.args(&1).enqueue().await.unwrap();
    let named = job.args(&2).trace(producer()).enqueue().await.unwrap();

    let [span, _] = recorder.spans();
    assert_eq!(
        (&*span.name, span.span_kind.clone()),
        ("send resize", SpanKind::Producer)
    );
    assert_eq!(said(&span, "messaging.system"), text("baton"));
    assert_eq!(said(&span, "messaging.operation.type"), text("send"));
    assert_eq!(said(&span, "messaging.destination.name"), text("images"));
    let id = own.id().to_string();
    assert_eq!(said(&span, "messaging.message.id"), text(&id));
    assert_eq!(said(&span, "messaging.batch.message_count"), None);
    assert_eq!(own.show().await.unwrap().trace, Some(trace_of(&span)));
    assert_eq!(named.show().await.unwrap().trace, Some(producer()));
}

#[tokio::test]
async fn an_enqueue_of_many_is_one_producer_span_which_each_job_belongs_to() {
    let (server, recorder) = (server().await, Recorder::new());
    let app = server.app().layer(recorder.traced());
    let (resize, index) = (app.job::<u64>("resize"), app.job::<u64>("index"));

    let same = [1, 2].map(|n| resize.args(&n));
    let same = app.enqueue_many(same).await.unwrap();
    let mixed = [resize.args(&3), index.args(&4), index.args(&5)];
    app.enqueue_many(mixed).await.unwrap();

    let [span, of_mixed] = recorder.spans();
    assert_eq!(
        (&*span.name, span.span_kind.clone()),
        ("send resize", SpanKind::Producer)
    );
    let count = |span| said(span, "messaging.batch.message_count");
    assert_eq!(
        (count(&span), count(&of_mixed)),
        (Some(Value::I64(2)), Some(Value::I64(3)))
    );
    assert_eq!(said(&span, "messaging.destination.name"), text("resize"));
    assert_eq!(said(&of_mixed, "messaging.destination.name"), None);
    assert_eq!(&*of_mixed.name, "send many");
    for job in same {
        assert_eq!(job.show().await.unwrap().trace, Some(trace_of(&span)));
    }
}

#[tokio::test]
async fn an_enqueue_of_many_of_built_in_kinds_tells_the_queue_that_they_share() {
    let recorder = Recorder::new();
    let app = nowhere().layer(recorder.traced()).layer(Refusing);
    let [http, walk, resize] = ["http", "baton.walk", "resize"].map(|kind| app.job::<u64>(kind));

    let shared = [
        http.args(&1),
        walk.args(&2),
        resize.queue("default").args(&3),
    ];
    app.enqueue_many(shared).await.unwrap_err();
    let mixed = [http.args(&4), http.clone().queue("vendor").args(&5)];
    app.enqueue_many(mixed).await.unwrap_err();

    let [of_shared, of_mixed] = recorder.spans();
    let queue = |span| said(span, "messaging.destination.name");
    assert_eq!(queue(&of_shared), text("default"));
    assert_eq!(queue(&of_mixed), None);
}

#[tokio::test]
async fn an_enqueue_that_nobody_answers_is_a_span_with_an_error() {
    let recorder = Recorder::new();
    let refusing = nowhere().layer(recorder.traced()).layer(Refusing);

    let asked = refusing.job::<u64>("resize").args(&7).enqueue().await;

    let [span] = recorder.spans();
    assert!(asked.is_err());
    assert_eq!(span.status, Status::error("not today"));
}

struct Refusing;

#[async_trait::async_trait]
impl Middleware for Refusing {
    async fn around(&self, ctx: &Context, next: Next<'_>) -> Verdict {
        next.run(ctx).await
    }

    async fn enqueuing(&self, _: Enqueuing<'_>) -> Result<Enqueued, Error> {
        Err(Error::Worker("not today".to_owned()))
    }
}

#[tokio::test]
async fn the_first_attempt_is_a_child_of_its_enqueue() {
    let recorder = Recorder::new();

    attempt(Ok(7), &recorder).trace(producer()).await;

    let [span] = recorder.spans();
    assert_eq!(
        (&*span.name, span.span_kind.clone()),
        ("process resize", SpanKind::Consumer)
    );
    assert_eq!(span.span_context.trace_id().to_string(), TRACE);
    assert_eq!(span.parent_span_id.to_string(), SPAN);
    assert_eq!(span.span_context.trace_state().get("vendor"), Some("1"));
    assert_eq!(said(&span, "messaging.operation.type"), text("process"));
    assert_eq!(said(&span, "messaging.destination.name"), text("resize"));
    assert_eq!(said(&span, "baton.attempt"), Some(Value::I64(1)));
    assert_eq!(said(&span, "baton.verdict"), text("accepted"));
    assert!(said(&span, "messaging.message.id").is_some());
}

#[tokio::test]
async fn a_later_attempt_is_a_trace_of_its_own_with_a_link() {
    let recorder = Recorder::new();

    attempt(Ok(7), &recorder).trace(producer()).attempt(2).await;

    let [span] = recorder.spans();
    assert_ne!(span.span_context.trace_id().to_string(), TRACE);
    assert_eq!(span.parent_span_id, opentelemetry::SpanId::INVALID);
    let links = span.links.iter().map(|link| &link.span_context);
    let links: Vec<_> = links
        .map(|to| format!("{}-{}", to.trace_id(), to.span_id()))
        .collect();
    assert_eq!(links, [format!("{TRACE}-{SPAN}")]);
    assert_eq!(said(&span, "baton.attempt"), Some(Value::I64(2)));
}

#[tokio::test]
async fn a_job_without_a_trace_begins_one() {
    let recorder = Recorder::new();

    attempt(Ok(7), &recorder).await;

    let [span] = recorder.spans();
    assert_eq!(span.parent_span_id, opentelemetry::SpanId::INVALID);
    assert_eq!(span.links.len(), 0);
}

#[tokio::test]
async fn an_attempt_says_how_it_ended() {
    let recorder = Recorder::new();
    let bad = JobError::permanent("bad_image", "not an image");

    attempt(Err(bad), &recorder).await;
    attempt(Err(JobError::skip("gone")), &recorder).await;

    let [failed, skipped] = recorder.spans();
    assert_eq!(failed.status, Status::error("bad_image"));
    assert_eq!(said(&failed, "baton.verdict"), text("failed"));
    assert_eq!(failed.events[0].name, "exception");
    assert_eq!(skipped.status, Status::Unset);
    assert_eq!(said(&skipped, "baton.verdict"), text("skipped"));
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_is_dropped_where_it_waits_ends_its_span() {
    let recorder = Recorder::new();
    let job = nowhere().job::<u64>("sleep");
    let sleep = |_: u64, _: Context| std::future::pending::<Result<(), JobError>>();

    testing::run(&job, sleep, &1).layer(recorder.traced()).await;

    let [span] = recorder.spans();
    assert_eq!(
        (&*span.name, said(&span, "baton.verdict")),
        ("process sleep", None)
    );
}

#[tokio::test]
async fn the_jobs_of_a_checkpoint_belong_to_the_span_of_the_attempt_unless_they_name_another() {
    let recorder = Recorder::new();
    let walk = nowhere().job::<u64>("walk");
    let handler = |_: u64, ctx: Context| async move {
        let row = nowhere().job::<u64>("row");
        let rows = [row.args(&1), row.args(&2).trace(producer())];
        ctx.checkpoint(&1).jobs(rows).await?;
        Ok(())
    };

    let tried = testing::run(&walk, handler, &1)
        .layer(recorder.traced())
        .await;

    let [span] = recorder.spans();
    let traces: Vec<_> = tried.jobs().iter().map(|job| job.trace.clone()).collect();
    assert_eq!(traces, [Some(trace_of(&span)), Some(producer())]);
}

#[tokio::test]
async fn a_job_that_is_asked_for_in_a_transaction_belongs_to_the_span_of_there() {
    let recorder = Recorder::new();
    let asked = || nowhere().job::<u64>("resize").args(&7).to_json().unwrap();

    let outside = asked();
    let order = opentelemetry::Context::current_with_span(recorder.tracer().start("order"));
    let inside = async { asked() }.with_context(order.clone()).await;
    drop(order);

    let [span] = recorder.spans();
    assert!(!outside.contains("traceparent"), "{outside}");
    assert!(inside.contains(&trace_of(&span).traceparent), "{inside}");
}
