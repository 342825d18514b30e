//! What a payload of kind `http` asks for: `{url, method?, headers?, body?}`, or `{destination, path?, ...}`.

use std::sync::Arc;

use baton_domain::job::FieldError;
use baton_ports::Call;
use bytes::Bytes;
use http::{
    Method,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue},
};
use serde_json::value::RawValue;

use crate::payload::Fields;

use super::{
    address::{Address, Addresses},
    answer::{BodyLimit, EXCERPT},
    destination::Destinations,
    headers, path,
};

const METHODS: [Method; 7] = [
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::OPTIONS,
];

/// A call that was asked for and can be made.
#[derive(Debug)]
pub struct HttpRequest {
    pub address: Arc<Address>,
    pub method: Method,
    pub headers: HeaderMap,
    pub body: Option<Bytes>,
    /// How much of the body of an answer is kept.
    pub wanted: BodyLimit,
    /// Which part of its job's work this call is, where a job makes several: each has a key of its own.
    pub part: Option<u64>,
}

impl HttpRequest {
    /// Reads a payload, or says everything that is wrong with it.
    pub fn read(
        payload: &str,
        addresses: &Addresses,
        destinations: &Destinations,
    ) -> Result<Read, Vec<FieldError>> {
        let mut fields = Fields::read(payload)?;
        let place = read_place(&mut fields, addresses, destinations);
        let method = read_method(&mut fields);
        let mut headers = headers::read(&mut fields);
        let body = read_body(&mut fields, &mut headers);
        let read = place.zip(method).map(|(place, method)| {
            let asked = |address| Self {
                address,
                method,
                headers,
                body,
                wanted: BodyLimit::Excerpt(EXCERPT),
                part: None,
            };
            match place {
                Target::Url(address) => Read::Anywhere(asked(address)),
                Target::Below(name, address) => Read::Destination(name, asked(address)),
                Target::Missing(name) => Read::Missing(name),
            }
        });
        fields.finish(
            "url or destination and path, method, headers and body",
            read,
        )
    }
}

impl HttpRequest {
    /// The key under which this is asked for by an attempt, and by each that repeats it.
    pub fn key(&self, call: &Call) -> String {
        let key = call.idempotency_key();
        match self.part {
            Some(part) => format!("{key}.{part}"),
            None => key,
        }
    }
}

/// A payload that is in order.
#[derive(Debug)]
pub enum Read {
    /// It calls an address of its own.
    Anywhere(HttpRequest),
    /// It calls one below a destination of this name.
    Destination(String, HttpRequest),
    /// It calls one below a destination of this name, which is not configured here.
    Missing(String),
}

/// Where a payload wants to be called.
#[derive(Debug)]
pub enum Target {
    /// An address of its own.
    Url(Arc<Address>),
    /// One below a destination of this name.
    Below(String, Arc<Address>),
    /// One below a destination of this name, which is not configured here.
    Missing(String),
}

/// Takes the address that a payload wants to be called, or its destination and path.
pub fn read_place(
    fields: &mut Fields<'_>,
    addresses: &Addresses,
    destinations: &Destinations,
) -> Option<Target> {
    const RULE: &str = "must be the name of a destination that the configuration has, as a text";
    const PATH: &str = "must be a text such as \"/orders/7\"";
    let Some(raw) = fields.take_raw("destination") else {
        if fields.take_raw("path").is_some() {
            fields.refuse(
                "path",
                "goes with a destination; without one, the url has it all",
            );
        }
        return read_address(fields, addresses).map(Target::Url);
    };
    if fields.take_raw("url").is_some() {
        fields.refuse(
            "url",
            "cannot stand beside a destination: give one or the other",
        );
    }
    let Ok(name) = serde_json::from_str::<String>(raw.get()) else {
        fields.refuse("destination", RULE);
        return None;
    };
    let path = fields
        .take_raw("path")
        .map(|raw| serde_json::from_str(raw.get()));
    let Ok(path) = path.unwrap_or_else(|| Ok(String::new())) else {
        fields.refuse("path", PATH);
        return None;
    };
    let address = match destinations.get(&name) {
        Some(destination) => destination.address(&path).map(Some),
        None => path::check(&path).map(|()| None),
    };
    match address {
        Ok(Some(address)) => Some(Target::Below(name, Arc::new(address))),
        Ok(None) => Some(Target::Missing(name)),
        Err(message) => {
            fields.refuse("path", message);
            None
        }
    }
}

fn read_address(fields: &mut Fields<'_>, addresses: &Addresses) -> Option<Arc<Address>> {
    const RULE: &str = "must be a text such as \"https://example.com/hook\"";
    let Some(raw) = fields.take_raw("url") else {
        fields.refuse(
            "url",
            "is missing: say which address to call, or name a destination",
        );
        return None;
    };
    let read = serde_json::from_str::<String>(raw.get())
        .map_err(|_| RULE.to_owned())
        .and_then(|text| addresses.read(&text));
    match read {
        Ok(address) => Some(address),
        Err(message) => {
            fields.refuse("url", message);
            None
        }
    }
}

fn read_method(fields: &mut Fields<'_>) -> Option<Method> {
    const RULE: &str = "must be GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS, in capitals";
    let Some(raw) = fields.take_raw("method") else {
        return Some(Method::POST);
    };
    let text: Option<Option<String>> = serde_json::from_str(raw.get()).ok();
    let method = match text {
        Some(None) => Some(Method::POST),
        Some(Some(text)) => METHODS.into_iter().find(|method| method == text.as_str()),
        None => None,
    };
    if method.is_none() {
        fields.refuse("method", RULE);
    }
    method
}

/// Reads the body: a text is sent as it reads, any other JSON as it is written, to the outbound.
fn read_body(fields: &mut Fields<'_>, headers: &mut HeaderMap) -> Option<Bytes> {
    let raw = fields.take_raw("body")?;
    let (body, content_type) = if is_text(raw) {
        let Ok(text) = serde_json::from_str::<String>(raw.get()) else {
            fields.refuse(
                "body",
                "is a text with an escape that stands for no character",
            );
            return None;
        };
        (Bytes::from(text), "text/plain; charset=utf-8")
    } else {
        (
            Bytes::copy_from_slice(raw.get().as_bytes()),
            "application/json",
        )
    };
    headers
        .entry(CONTENT_TYPE)
        .or_insert(HeaderValue::from_static(content_type));
    Some(body)
}

fn is_text(raw: &RawValue) -> bool {
    raw.get().starts_with('"')
}
