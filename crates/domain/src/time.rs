//! Time, to the microsecond, and where it comes from.
//!
//! No statement and no decision reads a clock by itself: `now` is an argument, and it comes from a
//! [`Clock`]. In production that clock follows the database's ([`StoreClock`]), so that all nodes
//! share one time; in tests it is turned by hand.

mod clock_drift;
#[cfg(feature = "stand-ins")]
mod manual_clock;
mod store_clock;
pub mod zone;

use std::{
    borrow::Cow,
    fmt,
    ops::{Add, Sub},
    str::FromStr,
    time::Duration,
};

pub use clock_drift::ClockDrift;
pub use jiff::SignedDuration;
#[cfg(feature = "stand-ins")]
pub use manual_clock::ManualClock;
use serde::{Deserialize, Serialize, de};
pub use store_clock::{Machine, StoreClock, ThisMachine};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type},
};

/// A moment in UTC, to the microsecond: what all three databases keep exactly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment `micros` microseconds after 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// How long ago `earlier` was; nothing if it lies ahead.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0).max(0).unsigned_abs())
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, span: Duration) -> Self {
        Self(
            self.0
                .saturating_add(i64::try_from(span.as_micros()).unwrap_or(i64::MAX)),
        )
    }
}

impl Sub<Duration> for Timestamp {
    type Output = Self;

    fn sub(self, span: Duration) -> Self {
        Self(
            self.0
                .saturating_sub(i64::try_from(span.as_micros()).unwrap_or(i64::MAX)),
        )
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(at) => write!(f, "{at:.6}"),
            Err(_) => write!(f, "{}us", self.0),
        }
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Timestamp {
    type Err = jiff::Error;

    fn from_str(text: &str) -> Result<Self, jiff::Error> {
        text.parse::<jiff::Timestamp>()
            .map(|at| Self(at.as_microsecond()))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map_err(|_| de::Error::custom(why_no_time(&text)))
    }
}

impl PartialSchema for Timestamp {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("A moment, RFC 3339; in UTC in every response."))
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .examples(["2026-01-31T09:00:00.000000Z"])
            .into()
    }
}

impl ToSchema for Timestamp {
    fn name() -> Cow<'static, str> {
        "Moment".into()
    }
}

/// What is wrong with a text that is no time, or one that lies beyond the calendar.
fn why_no_time(text: &str) -> &'static str {
    let day = text.get(..19).map(str::parse::<jiff::civil::DateTime>);
    match day {
        Some(Ok(day)) if day.year() == 9999 && text.len() > 19 => "lies too far ahead",
        _ => "expected a time such as 2026-01-31T09:00:00Z (RFC 3339, with Z or an offset)",
    }
}

/// Where the present moment comes from.
pub trait Clock: Send + Sync + 'static {
    /// The present moment.
    fn now(&self) -> Timestamp;
}

/// The machine's own wall clock; the start of a [`StoreClock`], and for tools without a store.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the one place where time enters"
        )]
        let at = jiff::Timestamp::now();
        Timestamp(at.as_microsecond())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_in_utc_to_the_microsecond() {
        let at: Timestamp = "2026-01-31T18:00:00.5+09:00".parse().unwrap();

        assert_eq!(at.to_string(), "2026-01-31T09:00:00.500000Z");
        assert_eq!(at.to_string().parse::<Timestamp>().unwrap(), at);
    }
}
