//! Spans of time as people write them: `"30s"`, `"5m"`, `"24h"`.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

/// The longest span that is accepted anywhere: ten years.
pub const LONGEST: Duration = Duration::from_hours(87840);

/// A span of time as people write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(#[serde(with = "self")] pub Duration);

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

/// Why a text is not a span of time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseDurationError {
    /// It does not read as numbers with units.
    #[error("expected a duration such as \"250ms\", \"30s\", \"5m\", \"24h\", \"7d\" or \"1h30m\"")]
    Malformed,
    /// It reads, but nobody waits that long.
    #[error("a duration can be ten years at most")]
    TooLong,
}

/// Reads `"1h30m"`: whole numbers, each followed by `us`, `ms`, `s`, `m`, `h` or `d`.
pub fn parse(text: &str) -> Result<Duration, ParseDurationError> {
    let mut total = Duration::ZERO;
    let mut rest = text;
    if rest.is_empty() {
        return Err(ParseDurationError::Malformed);
    }
    while !rest.is_empty() {
        let (part, after) = read_part(rest)?;
        total = total.checked_add(part).ok_or(ParseDurationError::TooLong)?;
        rest = after;
    }
    if total > LONGEST {
        Err(ParseDurationError::TooLong)
    } else {
        Ok(total)
    }
}

fn read_part(text: &str) -> Result<(Duration, &str), ParseDurationError> {
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .ok_or(ParseDurationError::Malformed)?;
    let (number, rest) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| ParseDurationError::Malformed)?;
    let letters = rest
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(rest.len());
    let (unit, rest) = rest.split_at(letters);
    let micros: u64 = match unit {
        "us" => 1,
        "ms" => 1_000,
        "s" => 1_000_000,
        "m" => 60_000_000,
        "h" => 3_600_000_000,
        "d" => 86_400_000_000,
        _ => return Err(ParseDurationError::Malformed),
    };
    let micros = number
        .checked_mul(micros)
        .ok_or(ParseDurationError::TooLong)?;
    Ok((Duration::from_micros(micros), rest))
}

/// Writes a span with the largest units that keep it whole: `"1h30m"`.
#[must_use]
pub fn format(span: Duration) -> String {
    const UNITS: [(u128, &str); 6] = [
        (86_400_000_000, "d"),
        (3_600_000_000, "h"),
        (60_000_000, "m"),
        (1_000_000, "s"),
        (1_000, "ms"),
        (1, "us"),
    ];
    let mut rest = span.as_micros();
    if rest == 0 {
        return "0s".to_owned();
    }
    let mut text = String::new();
    for (size, unit) in UNITS {
        if rest >= size {
            text.push_str(&format!("{}{unit}", rest / size));
            rest %= size;
        }
    }
    text
}

/// Writes a span as its text; for `#[serde(with = "baton_domain::duration")]`.
pub fn serialize<S: Serializer>(span: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format(*span))
}

/// Reads a span from its text; for `#[serde(with = "baton_domain::duration")]`.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
}

/// The same for a span that may be missing.
pub mod option {
    use super::{Deserialize, Deserializer, Duration, Serializer, de};

    /// Writes a span as its text, or null.
    pub fn serialize<S: Serializer>(
        span: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match span {
            Some(span) => super::serialize(span, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a span from its text, or nothing from null.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Option::<String>::deserialize(deserializer)?
            .map(|text| super::parse(&text).map_err(de::Error::custom))
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_read_as_people_write_them() {
        assert_eq!(parse("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(parse("1h30m"), Ok(Duration::from_mins(90)));
        assert_eq!(parse("250ms"), Ok(Duration::from_millis(250)));
    }

    #[test]
    fn spans_are_written_as_they_are_read() {
        for text in ["30s", "5m", "1d", "1h30m", "250ms", "0s"] {
            assert_eq!(format(parse(text).unwrap()), text);
        }
    }

    #[test]
    fn what_is_no_span_is_refused() {
        for text in ["", "30", "s", "-1s", "1.5h", "3 s", "1y"] {
            assert_eq!(parse(text), Err(ParseDurationError::Malformed), "{text}");
        }
        assert_eq!(parse("99999999999d"), Err(ParseDurationError::TooLong));
    }
}
