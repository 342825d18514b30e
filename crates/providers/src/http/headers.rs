//! The headers that a payload asks for.

use std::collections::BTreeMap;

use baton_domain::{
    entries::Entries,
    job::{HIDDEN, is_sensitive},
};
use http::header::{HeaderMap, HeaderName, HeaderValue};

use crate::payload::Fields;

/// Names that a payload cannot set, and why.
const RESERVED: [(&str, &str); 13] = [
    ("host", "is taken from the url"),
    ("content-length", FRAMING),
    ("transfer-encoding", FRAMING),
    ("trailer", FRAMING),
    ("te", FRAMING),
    ("expect", FRAMING),
    ("connection", CONNECTION),
    ("keep-alive", CONNECTION),
    ("upgrade", CONNECTION),
    ("proxy-connection", CONNECTION),
    ("proxy-authorization", CONNECTION),
    (
        "idempotency-key",
        "is set by Baton, the same for every attempt of a run",
    ),
    (
        "baton-",
        "cannot begin with Baton-: these headers are set by Baton",
    ),
];

const FRAMING: &str = "is set by Baton from what it sends";
const CONNECTION: &str = "belongs to the connection, which Baton manages";
const SIGNATURE: &str = "cannot begin with webhook-: these headers carry Baton's signature, so nobody else may set them";

/// Reads the headers a payload asks for.
pub fn read(fields: &mut Fields<'_>) -> HeaderMap {
    let entries: Option<Entries<'_>> = fields.take(
        "headers",
        "must be an object of texts, such as {\"Authorization\": \"Bearer ...\"}",
    );
    let entries = entries.map(|entries| entries.0).unwrap_or_default();
    let mut headers = HeaderMap::with_capacity(entries.len());
    for (name, value) in entries {
        let value = serde_json::from_str::<String>(value.get());
        let read = value.map_err(|_| "must be a text, in quotes");
        match read.and_then(|value| read_one(&name, &value, &headers)) {
            Ok((name, value)) => {
                headers.insert(name, value);
            }
            Err(message) => fields.refuse(&format!("headers.{}", name.escape_default()), message),
        }
    }
    headers
}

/// Reads the headers of a setting, or says which of them is wrong, and how.
pub fn read_all(wanted: &BTreeMap<String, String>) -> Result<HeaderMap, (String, &'static str)> {
    let mut read = HeaderMap::with_capacity(wanted.len() + 1);
    for (name, value) in wanted {
        let header = read_one(name, value, &read);
        let (header, value) = header.map_err(|message| (name.clone(), message))?;
        read.insert(header, value);
    }
    Ok(read)
}

/// Reads one header, or says what is wrong with it.
pub fn read_one(
    name: &str,
    value: &str,
    earlier: &HeaderMap,
) -> Result<(HeaderName, HeaderValue), &'static str> {
    let name = HeaderName::from_bytes(name.as_bytes())
        .map_err(|_| "is not a header's name; use letters, digits and hyphens")?;
    if let Some(why) = reserved(name.as_str()) {
        return Err(why);
    }
    if earlier.contains_key(&name) {
        return Err("is given twice; case does not matter in a header's name");
    }
    if value == HIDDEN && is_sensitive(name.as_str()) {
        return Err("is what Baton shows in the place of a credential; give the credential itself");
    }
    let mut value = HeaderValue::from_str(value)
        .ok()
        .filter(|_| value.is_ascii())
        .ok_or("must be one line of ASCII: no line breaks and no control characters")?;
    // Often a credential; the mark keeps it out of debug output.
    value.set_sensitive(true);
    Ok((name, value))
}

fn reserved(name: &str) -> Option<&'static str> {
    if name.starts_with("webhook-") {
        return Some(SIGNATURE);
    }
    RESERVED
        .iter()
        .find(|(reserved, _)| {
            name == *reserved || (reserved.ends_with('-') && name.starts_with(reserved))
        })
        .map(|(_, why)| *why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_a_header_is_not_told() {
        let wanted = [("Authorization", "Bearer canary"), ("X-Key", "canary")];
        let wanted = wanted.map(|(name, value)| (name.to_owned(), value.to_owned()));

        let headers = read_all(&BTreeMap::from(wanted)).unwrap();

        let told = format!("{headers:?} {headers:#?}");
        assert!(told.contains("authorization"), "{told}");
        assert!(!told.contains("canary"), "{told}");
    }
}
