//! Which span of which trace something is, and how that is passed on.

use std::fmt;

use baton_domain::Trace;

/// Set in the flags of a trace whose spans are told.
const SAMPLED: u8 = 1;

/// A trace, as it is written in logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TraceId(pub u128);

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A span, as it is written in logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpanId(pub u64);

impl fmt::Display for SpanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A span among all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpanContext {
    /// The trace that it belongs to.
    pub trace: TraceId,
    /// The span itself.
    pub span: SpanId,
    /// Whether the spans of this trace are told.
    pub is_sampled: bool,
    /// What vendors of tracing add to it.
    pub state: Option<String>,
}

impl SpanContext {
    /// What a trace names; nothing if it cannot be read.
    #[must_use]
    pub fn of(trace: &Trace) -> Option<Self> {
        if !trace.errors().is_empty() {
            return None;
        }
        let mut parts = trace.traceparent.split('-').skip(1);
        let id = u128::from_str_radix(parts.next()?, 16).ok()?;
        let span = u64::from_str_radix(parts.next()?, 16).ok()?;
        let flags = u8::from_str_radix(parts.next()?, 16).ok()?;
        Some(Self {
            trace: TraceId(id),
            span: SpanId(span),
            is_sampled: flags & SAMPLED != 0,
            state: trace.tracestate.clone(),
        })
    }

    /// The first span of a trace, told with this chance.
    pub(super) fn root(ratio: f64) -> Self {
        let trace = drawn(rand::random::<u128>);
        Self {
            trace: TraceId(trace),
            span: drawn_span(),
            is_sampled: is_sampled(trace, ratio),
            state: None,
        }
    }

    /// Another span of the same trace.
    pub(super) fn child(&self) -> Self {
        Self {
            span: drawn_span(),
            ..self.clone()
        }
    }

    pub(super) fn to_trace(&self) -> Trace {
        let flags = if self.is_sampled { SAMPLED } else { 0 };
        Trace {
            traceparent: format!("00-{}-{}-{flags:02x}", self.trace, self.span),
            tracestate: self.state.clone(),
        }
    }
}

/// The same for all who see the trace, as the samplers of OpenTelemetry do it: by the lower half of its id.
fn is_sampled(trace: u128, ratio: f64) -> bool {
    let place = (trace as u64 >> 1) as f64;
    ratio >= 1.0 || place < ratio * (1_u64 << 63) as f64
}

fn drawn_span() -> SpanId {
    SpanId(drawn(rand::random::<u64>))
}

/// Zero names nothing.
fn drawn<T: Default + PartialEq>(draw: impl Fn() -> T) -> T {
    loop {
        let id = draw();
        if id != T::default() {
            return id;
        }
    }
}
