//! Spans: what a collector of traces is told of a job while it is taken in, run and settled.
//!
//! A [`Tracer`] makes them and a [`SpanSink`] takes those that have ended. Whoever begins one passes on its [`Origin`], so that what it
//! leads to is a child of it. A tracer that is off makes nothing: neither a name nor an allocation.

mod context;

use std::{fmt, sync::Arc, time::Duration};

use baton_domain::{Clock, Timestamp, Trace, time::SystemClock};
use tokio::time::Instant;

pub use self::context::{SpanContext, SpanId, TraceId};

/// The longest text that a span tells, in bytes.
const LONGEST: usize = 256;

/// Takes spans that have ended.
pub trait SpanSink: Send + Sync {
    /// Takes one. It never waits: what it cannot take it drops, and counts.
    fn ended(&self, span: EndedSpan);
}

/// A span as it is told.
#[derive(Debug, Clone, PartialEq)]
pub struct EndedSpan {
    /// Which span of which trace it is.
    pub context: SpanContext,
    /// The span that it is a child of.
    pub parent: Option<SpanId>,
    /// The span of another trace that it goes back to.
    pub link: Option<SpanContext>,
    /// What kind it is of.
    pub kind: SpanKind,
    /// What is done, and to what.
    pub name: String,
    /// When it began, by the clock of this machine.
    pub began: Timestamp,
    /// How long it took.
    pub took: Duration,
    /// What else is told of it.
    pub attributes: Vec<(&'static str, SpanValue)>,
    /// The code of what went wrong.
    pub error: Option<String>,
}

/// The kinds of OpenTelemetry that Baton makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanKind {
    /// It asks for a job.
    Producer,
    /// It runs one.
    Consumer,
    /// It asks another service for something.
    Client,
}

/// What an attribute says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpanValue {
    /// A word.
    Text(String),
    /// A number.
    Whole(i64),
    /// Whether it is so.
    Is(bool),
}

impl From<&str> for SpanValue {
    fn from(text: &str) -> Self {
        Self::Text(bounded(text))
    }
}

impl From<String> for SpanValue {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<u32> for SpanValue {
    fn from(number: u32) -> Self {
        Self::Whole(number.into())
    }
}

impl From<bool> for SpanValue {
    fn from(is: bool) -> Self {
        Self::Is(is)
    }
}

/// Makes spans; off by default.
#[derive(Clone, Default)]
pub struct Tracer(Option<Arc<Target>>);

struct Target {
    sink: Arc<dyn SpanSink>,
    ratio: f64,
}

impl Tracer {
    /// Makes spans for this sink: of a trace whose caller wants that, and of such a share of those that begin here.
    #[must_use]
    pub fn to(sink: Arc<dyn SpanSink>, ratio: f64) -> Self {
        Self(Some(Arc::new(Target { sink, ratio })))
    }

    /// Whether it makes any.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Begins a child of `parent`, or a trace of its own where there is none.
    #[must_use]
    pub fn begin(
        &self,
        kind: SpanKind,
        name: impl FnOnce() -> String,
        parent: Option<&Trace>,
    ) -> Span {
        let Some(target) = &self.0 else {
            return Span::default();
        };
        match parent.and_then(SpanContext::of) {
            Some(parent) => Origin::new(target, parent).child(kind, name),
            None => Span::root(target, kind, name, SpanContext::root(target.ratio), None),
        }
    }

    /// Begins a trace of its own that goes back to `link`, and is told if that was.
    #[must_use]
    pub fn begin_linked(
        &self,
        kind: SpanKind,
        name: impl FnOnce() -> String,
        link: Option<&Trace>,
    ) -> Span {
        let Some(target) = &self.0 else {
            return Span::default();
        };
        match link.and_then(SpanContext::of) {
            Some(link) if link.is_sampled => {
                let context = SpanContext::root(1.0);
                Span::root(target, kind, name, context, Some(link))
            }
            Some(link) => Span::untold(target, link),
            None => Span::root(target, kind, name, SpanContext::root(target.ratio), None),
        }
    }
}

impl fmt::Debug for Tracer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.0.is_some() { "on" } else { "off" };
        write!(f, "Tracer({state})")
    }
}

/// What spans are begun below; nothing by default.
#[derive(Clone, Default)]
pub struct Origin(Option<Box<(Arc<Target>, SpanContext)>>);

impl Origin {
    fn new(target: &Arc<Target>, context: SpanContext) -> Self {
        Self(Some(Box::new((Arc::clone(target), context))))
    }

    /// Begins a child.
    #[must_use]
    pub fn child(&self, kind: SpanKind, name: impl FnOnce() -> String) -> Span {
        self.child_since(kind, name, Duration::ZERO)
    }

    /// Begins a child that began so long ago.
    #[must_use]
    pub fn child_since(
        &self,
        kind: SpanKind,
        name: impl FnOnce() -> String,
        ago: Duration,
    ) -> Span {
        let Some((target, parent)) = self.0.as_deref() else {
            return Span::default();
        };
        if !parent.is_sampled {
            return Span::untold(target, parent.clone());
        }
        let mut span = Span::root(target, kind, name, parent.child(), None);
        if let Some(told) = span.told() {
            told.parent = Some(parent.span);
        }
        span.begun(ago)
    }

    /// The trace that it belongs to.
    #[must_use]
    pub fn trace_id(&self) -> Option<TraceId> {
        self.0.as_deref().map(|(_, context)| context.trace)
    }

    /// The span, if it is told.
    #[must_use]
    pub fn span_id(&self) -> Option<SpanId> {
        let (_, context) = self.0.as_deref()?;
        context.is_sampled.then_some(context.span)
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Origin").field(&self.trace_id()).finish()
    }
}

/// A span that goes on; it ends as it is dropped.
#[derive(Default)]
pub struct Span(Option<Box<Open>>);

struct Open {
    origin: Origin,
    since: Instant,
    /// Nothing where nobody wants to be told.
    told: Option<(Arc<Target>, EndedSpan)>,
}

impl Span {
    fn root(
        target: &Arc<Target>,
        kind: SpanKind,
        name: impl FnOnce() -> String,
        context: SpanContext,
        link: Option<SpanContext>,
    ) -> Self {
        if !context.is_sampled {
            return Self::untold(target, context);
        }
        let span = EndedSpan {
            context: context.clone(),
            parent: None,
            link,
            kind,
            name: bounded(&name()),
            began: SystemClock.now(),
            took: Duration::ZERO,
            attributes: Vec::new(),
            error: None,
        };
        Self(Some(Box::new(Open {
            origin: Origin::new(target, context),
            since: Instant::now(),
            told: Some((Arc::clone(target), span)),
        })))
    }

    fn untold(target: &Arc<Target>, context: SpanContext) -> Self {
        Self(Some(Box::new(Open {
            origin: Origin::new(target, context),
            since: Instant::now(),
            told: None,
        })))
    }

    /// What is begun below it.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.0
            .as_ref()
            .map_or_else(Origin::default, |open| open.origin.clone())
    }

    /// What is passed on in its name; nothing where no spans are made.
    #[must_use]
    pub fn trace(&self) -> Option<Trace> {
        let (_, context) = self.0.as_ref()?.origin.0.as_deref()?;
        Some(context.to_trace())
    }

    /// Says that it began so long before it was made.
    #[must_use]
    pub fn begun(mut self, ago: Duration) -> Self {
        if let Some(told) = self.told() {
            told.began = told.began - ago;
            told.took = ago;
        }
        self
    }

    /// Tells something more of it, if it is told.
    pub fn tell<V: Into<SpanValue>>(&mut self, name: &'static str, value: impl FnOnce() -> V) {
        if let Some(told) = self.told() {
            told.attributes.push((name, value().into()));
        }
    }

    /// Says that it failed, by a code.
    pub fn fail(&mut self, code: &str) {
        if let Some(told) = self.told() {
            told.error = Some(bounded(code));
        }
    }

    fn told(&mut self) -> Option<&mut EndedSpan> {
        let (_, told) = self.0.as_mut()?.told.as_mut()?;
        Some(told)
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        let Some(open) = &mut self.0 else { return };
        if let Some((target, mut span)) = open.told.take() {
            span.took += open.since.elapsed();
            target.sink.ended(span);
        }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Span").field(&self.origin()).finish()
    }
}

fn bounded(text: &str) -> String {
    let end = text.floor_char_boundary(LONGEST);
    text[..end].to_owned()
}

#[cfg(test)]
mod tests;
