//! Reading what somebody asks for now: every field must be known.
//!
//! What comes back from a store is read without this. It may have been written by a later version, and what that
//! one added must not keep this one from what it knows.

mod objects;

use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;

pub use objects::Objects;

/// Reads a value that may hold no field that nobody knows and no list where an object belongs, however deep.
pub fn read<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let mut unknown = None;
    let value = serde_ignored::deserialize(Objects(deserializer), |path| {
        unknown.get_or_insert_with(|| without_options(&path.to_string()));
    })?;
    match unknown {
        None => Ok(value),
        Some(field) => Err(D::Error::custom(format_args!("unknown field `{field}`"))),
    }
}

/// Reads a text of JSON in this way.
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> serde_json::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = read(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Reads JSON that is parsed already in this way.
pub fn from_value<'de, T: Deserialize<'de>>(value: &'de Value) -> serde_json::Result<T> {
    read(value)
}

/// The path of a field, without the marks for values that may be missing.
fn without_options(path: &str) -> String {
    let names = path.split('.').filter(|name| *name != "?");
    names.collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        campaign::CampaignSpec, delivery::DeliveryPayload, job::Backoff,
        operation::DeadLetterFilter,
    };

    #[test]
    fn a_field_that_nobody_knows_is_named_however_deep_it_lies() {
        let note = r#"{"recipient_id":"a","note":{"provider":"p","message":{"title":"t","body":"b","tone":1}}}"#;
        let spec = json!({"name": "quiz", "backoff": {"base": "1s", "tone": 1}});

        let payload = from_str::<DeliveryPayload>(note).unwrap_err();
        let spec = from_value::<CampaignSpec>(&spec).unwrap_err();

        let begin = "unknown field `note.message.tone`";
        assert!(payload.to_string().starts_with(begin), "{payload}");
        assert_eq!(spec.to_string(), "unknown field `backoff.tone`");
    }

    #[test]
    fn a_list_in_the_order_of_the_fields_is_no_object_however_deep_it_lies() {
        let whole = r#"["a",null,{"provider":"p","message":{"title":"t","body":"b"}}]"#;
        let within = r#"{"recipient_id":"a","note":{"provider":"p","message":["t","b"]}}"#;
        let backoff = json!({"name": "quiz", "backoff": ["fixed", "1s"]});

        let whole = from_str::<DeliveryPayload>(whole).unwrap_err().to_string();
        let within = from_str::<DeliveryPayload>(within).unwrap_err().to_string();
        let backoff = from_value::<CampaignSpec>(&backoff)
            .unwrap_err()
            .to_string();

        for said in [whole, within, backoff] {
            assert!(
                said.starts_with("invalid type: sequence, expected an object"),
                "{said}"
            );
        }
    }

    #[test]
    fn a_name_that_stands_twice_is_told_in_maps_as_well() {
        let whole = from_str::<Value>(r#"{"topic":"a","topic":"b"}"#).unwrap_err();
        let within = from_str::<Value>(r#"{"within":[{"lat":1,"lat":2}]}"#).unwrap_err();

        assert!(
            whole.to_string().starts_with("duplicate field `topic`"),
            "{whole}"
        );
        assert!(
            within.to_string().starts_with("duplicate field `lat`"),
            "{within}"
        );
    }

    #[test]
    fn what_is_known_reads_as_it_does_without() {
        let note = r#"{"recipient_id":"a","note":{"provider":"p","message":{"title":"t","body":"b","data":{"n":1.10}}}}"#;

        let strict = from_str::<DeliveryPayload>(note).unwrap();

        assert_eq!(strict, serde_json::from_str(note).unwrap());
    }

    #[test]
    fn what_a_later_version_added_is_passed_over_when_it_comes_from_a_store() {
        let backoff = serde_json::from_str::<Backoff>(r#"{"base": "1s", "tone": 1}"#);
        let filter = serde_json::from_str::<DeadLetterFilter>(r#"{"kind": "a", "tone": 1}"#);
        let spec = serde_json::from_str::<CampaignSpec>(r#"{"name": "a", "tone": 1}"#);

        assert_eq!(backoff.unwrap().base.as_secs(), 1);
        assert_eq!(filter.unwrap().kind.as_deref(), Some("a"));
        assert_eq!(spec.unwrap().name, "a");
    }
}
