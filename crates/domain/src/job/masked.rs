//! Payloads as they are told: what their headers give away is left out.

use std::{borrow::Cow, ops::Range};

use serde_json::value::RawValue;

use crate::entries::Entries;

/// What stands where something is kept back.
pub const HIDDEN: &str = "(hidden)";

/// The kinds whose payload has headers.
const WITH_HEADERS: [&str; 2] = ["http", WALK];

/// The kind that walks, and makes jobs that may have headers as well.
const WALK: &str = "baton.walk";

/// Words in the name of a header that carries a credential. Too many are hidden rather than too few.
const SENSITIVE: [&str; 10] = [
    "auth",
    "cookie",
    "credential",
    "jwt",
    "key",
    "passw",
    "secret",
    "session",
    "signature",
    "token",
];

/// Whether what a header of this name says is for its receiver alone.
#[must_use]
pub fn is_sensitive(header: &str) -> bool {
    let header = header.to_ascii_lowercase();
    SENSITIVE.iter().any(|word| header.contains(word))
}

/// A payload to show: to the letter as it came, but for the values of sensitive headers. What is stored
/// and called is the payload itself.
#[must_use]
pub fn masked<'a>(kind: &str, payload: &'a str) -> Cow<'a, str> {
    // A name can be written with escapes; without any, it has to stand there as it is.
    let may_have_headers = payload.contains("headers") || payload.contains('\\');
    if !WITH_HEADERS.contains(&kind) || !may_have_headers {
        return Cow::Borrowed(payload);
    }
    let mut secrets = secrets(payload);
    if secrets.is_empty() {
        return Cow::Borrowed(payload);
    }
    secrets.sort_by_key(|place| place.start);
    let mut told = String::with_capacity(payload.len());
    let mut from = 0;
    for place in secrets {
        told.push_str(&payload[from..place.start]);
        told.push_str(&format!("\"{HIDDEN}\""));
        from = place.end;
    }
    told.push_str(&payload[from..]);
    Cow::Owned(told)
}

/// Where the values stand that are not to be told: in a payload's own headers, and in those of the job that a
/// walk makes of each row.
fn secrets(payload: &str) -> Vec<Range<usize>> {
    let own = members(payload, "headers");
    let jobs = members(payload, "job").into_iter();
    let payloads = jobs.flat_map(|job| members(job.get(), "payload"));
    let theirs = payloads.flat_map(|payload| members(payload.get(), "headers"));
    let values = own.into_iter().chain(theirs).flat_map(sensitive_values);
    values.map(|value| place(value, payload)).collect()
}

/// The members of an object that are called so; none of what is no object.
fn members<'a>(object: &'a str, name: &str) -> Vec<&'a RawValue> {
    let members = serde_json::from_str::<Entries<'_>>(object).map(|entries| entries.0);
    let members = members.unwrap_or_default().into_iter();
    let named = members.filter(|(member, _)| member == name);
    named.map(|(_, raw)| raw).collect()
}

/// What is no object has no names to judge by, and is sensitive as a whole.
fn sensitive_values(headers: &RawValue) -> Vec<&RawValue> {
    match serde_json::from_str::<Option<Entries<'_>>>(headers.get()) {
        Ok(headers) => headers
            .into_iter()
            .flat_map(|headers| headers.0)
            .filter(|(name, _)| is_sensitive(name))
            .map(|(_, value)| value)
            .collect(),
        Err(_) => vec![headers],
    }
}

/// Where a part of a text stands in it.
fn place(part: &RawValue, whole: &str) -> Range<usize> {
    let part = part.get();
    let start = part.as_ptr().addr() - whole.as_ptr().addr();
    start..start + part.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_in_headers_are_left_out_and_all_else_stays_to_the_letter() {
        let payload = r#"{"url": "https://a.example", "headers" : {"Authorization":"Bearer hush",  "X-Tenant": "seven",
            "x-api-KEY": "hush", "Cookie": 7, "X-Access-Token" : "hush\"", "X-Hub-Signature": ["hush"]}, "body": {"n": 1.10, "token": "mine"}}"#;

        let told = masked("http", payload);

        assert_eq!(
            told,
            r#"{"url": "https://a.example", "headers" : {"Authorization":"(hidden)",  "X-Tenant": "seven",
            "x-api-KEY": "(hidden)", "Cookie": "(hidden)", "X-Access-Token" : "(hidden)", "X-Hub-Signature": "(hidden)"}, "body": {"n": 1.10, "token": "mine"}}"#
        );
    }

    #[test]
    fn no_way_to_write_headers_gets_around_the_mask() {
        for payload in [
            r#"{"headers":"hush"}"#,
            r#"{"headers":["hush"]}"#,
            r#"{"h\u0065aders":{"authorization":"hush"}}"#,
            r#"{"headers":{"\u0061uthorization":"hush"}}"#,
            r#"{"headers":{},"headers":{"Proxy-Authorization":"hush"}}"#,
        ] {
            for kind in WITH_HEADERS {
                assert!(!masked(kind, payload).contains("hush"), "{kind} {payload}");
            }
        }
    }

    #[test]
    fn the_credentials_of_the_job_that_a_walk_makes_are_left_out_too() {
        let payload = r#"{"url":"https://a.example","headers":{"Cookie":"hush"},
            "job":{"kind":"http","payload":{"url":"{{/url}}","headers":{"X-Token":"hush","X-Row":"{{/id}}"}}}}"#;

        let told = masked(WALK, payload);

        assert!(!told.contains("hush"), "{told}");
        assert!(
            told.contains("{{/url}}") && told.contains("{{/id}}"),
            "{told}"
        );
    }

    #[test]
    fn what_has_nothing_to_hide_is_not_copied() {
        let plain = r#"{"url":"https://a.example","headers":{"X-Tenant":"seven"}}"#;

        assert!(matches!(masked("http", plain), Cow::Borrowed(_)));
        assert!(matches!(masked("simulate", plain), Cow::Borrowed(_)));
        assert!(matches!(masked("http", "no json"), Cow::Borrowed(_)));
    }
}
