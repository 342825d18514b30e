//! What a payload of kind `http` asks for: `{url, method?, headers?, body?}`.

use baton_domain::job::FieldError;
use bytes::Bytes;
use reqwest::{
    Method,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue},
};
use serde_json::value::RawValue;
use url::Url;

use crate::payload::Fields;

use super::headers;

/// The longest URL that is called, in bytes; common servers refuse longer ones.
const LONGEST_URL: usize = 8_000;

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
pub struct Asked {
    pub url: Url,
    pub method: Method,
    pub headers: HeaderMap,
    pub body: Option<Bytes>,
}

impl Asked {
    /// Reads a payload, or says everything that is wrong with it.
    pub fn read(payload: &str) -> Result<Self, Vec<FieldError>> {
        let mut fields = Fields::read(payload)?;
        let url = read_url(&mut fields);
        let method = read_method(&mut fields);
        let mut headers = headers::read(&mut fields);
        let body = read_body(&mut fields, &mut headers);
        let asked = url.zip(method).map(|(url, method)| Self {
            url,
            method,
            headers,
            body,
        });
        fields.finish("url, method, headers and body", asked)
    }
}

fn read_url(fields: &mut Fields<'_>) -> Option<Url> {
    const RULE: &str = "must be a text such as \"https://example.com/hook\"";
    let Some(raw) = fields.take_raw("url") else {
        fields.refuse("url", "is missing: say which address to call");
        return None;
    };
    let parsed = serde_json::from_str::<String>(raw.get())
        .map_err(|_| RULE.to_owned())
        .and_then(|text| parse_url(&text));
    match parsed {
        Ok(url) => Some(url),
        Err(message) => {
            fields.refuse("url", message);
            None
        }
    }
}

fn parse_url(text: &str) -> Result<Url, String> {
    if text.len() > LONGEST_URL {
        return Err(format!("must be at most {LONGEST_URL} bytes long"));
    }
    let mut url = Url::parse(text)
        .map_err(|error| format!("is not a whole URL such as https://example.com/hook: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("must begin with http:// or https://".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "must not carry a user name or password; put an Authorization header into \
             payload.headers instead"
                .to_owned(),
        );
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err("must name a host".to_owned());
    }
    if url.port() == Some(0) {
        return Err("cannot be called on port 0".to_owned());
    }
    url.set_fragment(None);
    Ok(url)
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

/// Reads the body: a text is sent as it reads, any other JSON as it is written, to the letter.
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
