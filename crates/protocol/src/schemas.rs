//! The words of the domain as the API description names them.
//!
//! The domain knows nothing of OpenAPI. Each type here only lends a name and a list of words to the
//! description of a field whose Rust type is the domain's own.

use baton_domain::{campaign, erasure, job::State, notification};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

macro_rules! words {
    ($($(#[doc = $doc:literal])* $name:ident = $words:expr;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Debug)]
        pub enum $name {}

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                ObjectBuilder::new()
                    .schema_type(Type::String)
                    .description(Some(concat!($($doc),*).trim()))
                    .enum_values(Some($words))
                    .into()
            }
        }

        impl ToSchema for $name {}
    )*};
}

words! {
    /// Where a job is.
    JobState = State::ALL.map(State::as_str);
    /// How often a call may be made when its outcome is in doubt.
    Delivery = ["at_least_once", "at_most_once"];
    /// What a message does: it lies in the inbox, is brought to the recipient, or both.
    MessageAction = notification::Action::ALL.map(notification::Action::as_str);
    /// How the wait before the next attempt grows.
    Strategy = ["exponential", "linear", "fixed"];
    /// Whether chance shortens the wait.
    Jitter = ["full", "none"];
    /// What sort of failure it was.
    FailureClass = ["retry", "throttled", "gone", "refused", "permanent", "misconfigured", "unknown", "lost"];
    /// How an attempt ended.
    Outcome = ["succeeded", "skipped", "failed", "lost", "given_back", "snoozed", "throttled", "canceled", "uncertain"];
    /// What an operation does: to each dead letter, or to a person.
    Action = ["retry", "discard", "erase"];
    /// What an erasure looks through.
    Stage = erasure::Stage::ALL.map(erasure::Stage::as_str);
    /// Where a campaign is.
    CampaignState = campaign::State::ALL.map(campaign::State::as_str);
    /// What becomes of times at which no server was there to fire.
    Missed = ["skip", "latest", "all"];
    /// How a worker is.
    Presence = ["live", "draining", "silent", "left"];
}

/// A span of time, such as "250ms", "30s", "5m", "24h" or "1h30m".
#[derive(Debug)]
pub enum Span {}

impl PartialSchema for Span {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(
                "A span of time, such as \"250ms\", \"30s\", \"5m\", \"24h\" or \"1h30m\".",
            ))
            .pattern(Some("^([0-9]+(us|ms|s|m|h|d))+$"))
            .examples(["30s"])
            .into()
    }
}

impl ToSchema for Span {}

/// A moment, RFC 3339; in UTC in every response.
#[derive(Debug)]
pub enum Moment {}

impl PartialSchema for Moment {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("A moment, RFC 3339; in UTC in every response."))
            .format(Some(utoipa::openapi::SchemaFormat::KnownFormat(
                utoipa::openapi::KnownFormat::DateTime,
            )))
            .examples(["2026-01-31T09:00:00.000000Z"])
            .into()
    }
}

impl ToSchema for Moment {}

#[cfg(test)]
mod tests {
    use baton_domain::{
        fleet,
        job::{self, Class, Outcome as Ended},
        operation, schedule,
    };
    use serde_json::Value;

    use super::*;

    fn words_of<T: PartialSchema>() -> Vec<String> {
        let schema = serde_json::to_value(T::schema()).unwrap();
        schema["enum"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn the_described_words_are_words_of_the_domain() {
        for word in words_of::<FailureClass>() {
            assert!(word.parse::<Class>().is_ok(), "{word}");
        }
        for word in words_of::<Outcome>() {
            assert!(word.parse::<Ended>().is_ok(), "{word}");
        }
        for word in words_of::<Missed>() {
            assert!(word.parse::<schedule::Missed>().is_ok(), "{word}");
        }
        for word in words_of::<Delivery>() {
            assert!(word.parse::<job::DeliveryGuarantee>().is_ok(), "{word}");
        }
        for word in words_of::<Action>() {
            assert!(word.parse::<operation::Action>().is_ok(), "{word}");
        }
        for word in words_of::<Strategy>() {
            assert!(serde_json::from_value::<job::Strategy>(Value::String(word)).is_ok());
        }
        for word in words_of::<Jitter>() {
            assert!(serde_json::from_value::<job::Jitter>(Value::String(word)).is_ok());
        }
        let presences = [
            fleet::Presence::Live,
            fleet::Presence::Draining,
            fleet::Presence::Silent,
            fleet::Presence::Left,
        ];
        assert_eq!(
            words_of::<Presence>(),
            presences.map(fleet::Presence::as_str)
        );
    }
}
