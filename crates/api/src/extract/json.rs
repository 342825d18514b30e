//! Bodies: JSON of a bounded length and depth.

use std::error::Error;

use axum::{
    body::{Body, Bytes, to_bytes},
    extract::{FromRequest, Request},
    http::{
        HeaderMap, HeaderValue,
        header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE},
    },
};
use baton_domain::strict::Objects;
use baton_protocol::{Problem, ProblemKind};
use http_body_util::LengthLimitError;
use serde::de::DeserializeOwned;

use super::explain::explain_json;
use crate::{ApiState, problem::Refusal};

/// The longest body of an ordinary request.
const ONE: usize = 1024 * 1024;
/// How deep values can be nested.
const DEEPEST: usize = 64;

/// A body that must be there.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<ApiState> for Json<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &ApiState) -> Result<Self, Refusal> {
        let body = read(request, ONE).await?.ok_or_else(not_json)?;
        Ok(Self(parse(&body)?))
    }
}

/// A body that may be missing, announced or not; then it is the default.
pub struct OptionalJson<T>(pub T);

impl<T: DeserializeOwned + Default> FromRequest<ApiState> for OptionalJson<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &ApiState) -> Result<Self, Refusal> {
        match read(request, ONE).await? {
            Some(body) if !body.is_empty() => Ok(Self(parse(&body)?)),
            _ => Ok(Self(T::default())),
        }
    }
}

/// Reads a body; `None` if there is none and it is not announced either.
async fn read(request: Request, limit: usize) -> Result<Option<Bytes>, Refusal> {
    let is_announced = request.headers().contains_key(CONTENT_TYPE);
    let is_json = is_json(&request);
    check_encoding(request.headers())?;
    check_length(&request, limit)?;
    let body = collect(request.into_body(), limit).await?;
    match (body.is_empty(), is_announced, is_json) {
        (true, false, _) => Ok(None),
        (_, _, true) => Ok(Some(body)),
        _ => Err(not_json().into()),
    }
}

/// Refuses what is packed: it would be read as it is.
pub fn check_encoding(headers: &HeaderMap) -> Result<(), Refusal> {
    let encoding = headers.get(CONTENT_ENCODING).map(HeaderValue::as_bytes);
    match encoding {
        Some(encoding) if !encoding.eq_ignore_ascii_case(b"identity") => {
            Err(ProblemKind::UnsupportedMediaType
                .because("Send the body as it is, without `Content-Encoding`.")
                .into())
        }
        _ => Ok(()),
    }
}

pub fn is_json(request: &Request) -> bool {
    media_type(request.headers()).eq_ignore_ascii_case("application/json")
}

/// What a body is announced as, without parameters; nothing if it is not announced.
pub fn media_type(headers: &HeaderMap) -> &str {
    headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.split(';').next())
        .unwrap_or_default()
        .trim()
}

/// Refuses what says itself that it is too long.
pub fn check_length(request: &Request, limit: usize) -> Result<(), Refusal> {
    match announced_length(request) {
        Some(length) if length > limit => Err(too_large(limit).into()),
        _ => Ok(()),
    }
}

fn announced_length(request: &Request) -> Option<usize> {
    let length = request.headers().get(CONTENT_LENGTH)?;
    length.to_str().ok()?.parse().ok()
}

async fn collect(body: Body, limit: usize) -> Result<Bytes, Refusal> {
    to_bytes(body, limit).await.map_err(|error| {
        if error
            .source()
            .is_some_and(<dyn Error>::is::<LengthLimitError>)
        {
            too_large(limit).into()
        } else {
            broken_off().into()
        }
    })
}

pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    if is_too_deep(body) {
        return Err(ProblemKind::Malformed
            .because(format!("The body is nested deeper than {DEEPEST} levels."))
            .into());
    }
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(Objects(&mut deserializer))
        .map_err(|error| explain_json(body, &error))?;
    deserializer.end().map_err(|error| {
        ProblemKind::Malformed.because(format!("Something follows after the JSON value: {error}."))
    })?;
    Ok(value)
}

/// A payload is kept as text and its reading does not recurse, so nothing else bounds its depth.
fn is_too_deep(body: &[u8]) -> bool {
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for byte in body {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return true;
        }
    }
    false
}

pub fn broken_off() -> Problem {
    ProblemKind::Malformed.because("The body broke off before its end.")
}

pub fn not_json() -> Problem {
    ProblemKind::UnsupportedMediaType
        .because("Send a JSON body and say so: `Content-Type: application/json`.")
}

pub fn too_large(limit: usize) -> Problem {
    ProblemKind::TooLarge.because(format!("The body can have {limit} bytes at most."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_strings_do_not_count_as_depth() {
        let text = format!(r#"{{"a": "\"{}"}}"#, "[".repeat(1_000));

        assert!(!is_too_deep(text.as_bytes()));
    }

    #[test]
    fn values_can_be_nested_so_deep_and_no_deeper() {
        let nested = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));

        assert!(!is_too_deep(nested(DEEPEST).as_bytes()));
        assert!(is_too_deep(nested(DEEPEST + 1).as_bytes()));
    }
}
