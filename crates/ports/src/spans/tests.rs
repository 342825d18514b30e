use std::sync::Arc;

use parking_lot::Mutex;

use super::*;

const TOLD: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const UNTOLD: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

#[derive(Default)]
struct Recorder(Mutex<Vec<EndedSpan>>);

impl SpanSink for Recorder {
    fn ended(&self, span: EndedSpan) {
        self.0.lock().push(span);
    }
}

fn tracer(ratio: f64) -> (Tracer, Arc<Recorder>) {
    let kept = Arc::<Recorder>::default();
    (Tracer::to(Arc::clone(&kept) as _, ratio), kept)
}

fn caller(traceparent: &str) -> Option<Trace> {
    Some(Trace {
        traceparent: traceparent.to_owned(),
        tracestate: Some("vendor=1".to_owned()),
    })
}

fn name() -> String {
    "process resize".to_owned()
}

#[test]
fn a_tracer_that_is_off_asks_for_nothing_and_is_no_larger_than_a_pointer() {
    let tracer = Tracer::default();

    let mut span = tracer.begin(
        SpanKind::Consumer,
        || unreachable!("nobody wants a name"),
        caller(TOLD).as_ref(),
    );
    span.tell("baton.kind", || -> &str { unreachable!("nor a word") });
    let child = span.origin().child(SpanKind::Client, || unreachable!());

    assert_eq!((span.trace(), child.trace()), (None, None));
    assert_eq!(size_of::<Span>(), size_of::<usize>());
    assert_eq!(size_of::<Origin>(), size_of::<usize>());
}

#[test]
fn a_span_is_a_child_of_its_caller_and_what_it_leads_to_is_a_child_of_it() {
    let (tracer, kept) = tracer(0.0);

    let span = tracer.begin(SpanKind::Producer, name, caller(TOLD).as_ref());
    let passed_on = span.trace().unwrap();
    drop(span.origin().child(SpanKind::Client, name));
    drop(span);

    let spans = kept.0.lock();
    let [child, parent] = &spans[..] else {
        panic!("{spans:?}")
    };
    assert_eq!(parent.parent, Some(SpanId(0x00f0_67aa_0ba9_02b7)));
    assert_eq!(child.parent, Some(parent.context.span));
    assert_eq!(child.context.trace, parent.context.trace);
    assert_eq!(
        SpanContext::of(&passed_on),
        Some(parent.context.clone()),
        "{passed_on:?}"
    );
    assert_eq!(passed_on.tracestate.as_deref(), Some("vendor=1"));
}

#[test]
fn a_caller_who_is_not_told_is_passed_on_as_it_came() {
    let (tracer, kept) = tracer(1.0);

    let span = tracer.begin(SpanKind::Producer, name, caller(UNTOLD).as_ref());
    let child = span.origin().child(SpanKind::Client, name);
    let later = tracer.begin_linked(SpanKind::Consumer, name, caller(UNTOLD).as_ref());

    for span in [span, child, later] {
        assert_eq!(span.trace(), caller(UNTOLD));
    }
    assert_eq!(kept.0.lock().len(), 0);
}

#[test]
fn a_linked_span_begins_a_trace_of_its_own() {
    let (tracer, kept) = tracer(0.0);

    drop(tracer.begin_linked(SpanKind::Consumer, name, caller(TOLD).as_ref()));

    let spans = kept.0.lock();
    let origin = caller(TOLD).as_ref().and_then(SpanContext::of);
    assert_ne!(
        Some(spans[0].context.trace),
        origin.as_ref().map(|o| o.trace)
    );
    assert_eq!((spans[0].parent, &spans[0].link), (None, &origin));
}

#[test]
fn traces_that_begin_here_are_told_in_their_share_and_the_others_say_so() {
    const ALL: usize = 4_000;
    let (tracer, kept) = tracer(0.25);

    let roots = (0..ALL).map(|_| tracer.begin(SpanKind::Consumer, name, None));
    let traces: Vec<_> = roots.filter_map(|span| span.trace()).collect();

    let told = traces.iter().filter(|t| t.traceparent.ends_with("-01"));
    let told = told.count();
    assert_eq!((traces.len(), told), (ALL, kept.0.lock().len()));
    assert!((ALL / 5..ALL * 3 / 10).contains(&told), "{told}");
}

#[test]
fn what_a_span_tells_is_bounded() {
    let (tracer, kept) = tracer(1.0);
    let long = "ü".repeat(LONGEST);

    let mut span = tracer.begin(SpanKind::Client, || long.clone(), None);
    span.tell("baton.kind", || &*long);
    span.fail(&long);
    drop(span);

    let spans = kept.0.lock();
    let lengths = (spans[0].name.len(), spans[0].error.as_ref().unwrap().len());
    assert_eq!(lengths, (LONGEST, LONGEST));
    assert_eq!(
        spans[0].attributes,
        [("baton.kind", SpanValue::Text("ü".repeat(LONGEST / 2)))]
    );
}
