//! Spans as OTLP writes them.

use baton_ports::spans::{EndedSpan, SpanKind, SpanValue};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{AnyValue, InstrumentationScope, KeyValue, any_value::Value},
    resource::v1::Resource,
    trace::v1::{
        ResourceSpans, ScopeSpans, Span, Status,
        span::{Link, SpanKind as Kind},
        status::StatusCode,
    },
};
use prost::Message;

use super::CollectorConfig;

/// Of a span that is told, as W3C writes it.
const SAMPLED: u32 = 1;

/// Who sends.
pub fn resource(config: &CollectorConfig) -> Resource {
    let text = |name, text: &String| attribute(name, Value::StringValue(text.clone()));
    Resource {
        attributes: vec![
            text("service.name", &config.service_name),
            text("service.version", &config.version),
            text("service.instance.id", &config.instance),
        ],
        ..Resource::default()
    }
}

/// The body of a request.
pub fn request(resource: &Resource, spans: &[EndedSpan]) -> Vec<u8> {
    let scope = InstrumentationScope {
        name: "baton".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..InstrumentationScope::default()
    };
    let all = ScopeSpans {
        scope: Some(scope),
        spans: spans.iter().map(written).collect(),
        ..ScopeSpans::default()
    };
    let all = ResourceSpans {
        resource: Some(resource.clone()),
        scope_spans: vec![all],
        ..ResourceSpans::default()
    };
    let resource_spans = if spans.is_empty() { vec![] } else { vec![all] };
    ExportTraceServiceRequest { resource_spans }.encode_to_vec()
}

fn written(span: &EndedSpan) -> Span {
    let context = &span.context;
    let began = u64::try_from(span.began.as_micros()).unwrap_or(0) * 1_000;
    let parent = span.parent.map(|parent| parent.0.to_be_bytes().to_vec());
    let error = span.error.as_ref();
    let error = error.map(|code| ("error.type", SpanValue::Text(code.clone())));
    let attributes = span.attributes.iter().cloned().chain(error);
    Span {
        trace_id: context.trace.0.to_be_bytes().to_vec(),
        span_id: context.span.0.to_be_bytes().to_vec(),
        trace_state: context.state.clone().unwrap_or_default(),
        parent_span_id: parent.unwrap_or_default(),
        flags: SAMPLED,
        name: span.name.clone(),
        kind: kind(span.kind).into(),
        start_time_unix_nano: began,
        end_time_unix_nano: began + u64::try_from(span.took.as_nanos()).unwrap_or(0),
        attributes: attributes
            .map(|(name, said)| attribute(name, value(said)))
            .collect(),
        links: span.link.iter().map(link).collect(),
        status: span.error.as_ref().map(|code| Status {
            message: code.clone(),
            code: StatusCode::Error.into(),
        }),
        ..Span::default()
    }
}

fn link(to: &baton_ports::spans::SpanContext) -> Link {
    Link {
        trace_id: to.trace.0.to_be_bytes().to_vec(),
        span_id: to.span.0.to_be_bytes().to_vec(),
        trace_state: to.state.clone().unwrap_or_default(),
        flags: SAMPLED,
        ..Link::default()
    }
}

const fn kind(kind: SpanKind) -> Kind {
    match kind {
        SpanKind::Producer => Kind::Producer,
        SpanKind::Consumer => Kind::Consumer,
        SpanKind::Client => Kind::Client,
    }
}

fn value(said: SpanValue) -> Value {
    match said {
        SpanValue::Text(text) => Value::StringValue(text),
        SpanValue::Whole(number) => Value::IntValue(number),
        SpanValue::Is(is) => Value::BoolValue(is),
    }
}

fn attribute(name: &str, value: Value) -> KeyValue {
    KeyValue {
        key: name.to_owned(),
        value: Some(AnyValue { value: Some(value) }),
        ..KeyValue::default()
    }
}
