//! Typed, time-ordered ids, written with a prefix: `job_0199…`.
//!
//! An id is a UUIDv7 made from the [`Clock`](crate::Clock)'s time, so keys stay in order on disk and
//! tests are exact. The prefix keeps a lease from being passed where a job is meant, in logs too.

use std::{fmt, str::FromStr};

use rand::RngExt;
use serde::{Deserialize, Serialize, de};
use uuid::{Builder, Uuid};

use crate::{Timestamp, chance};

/// Why a text is not an id of the kind asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected an id such as {prefix}_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")]
pub struct ParseIdError {
    prefix: &'static str,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// The word in front of the underscore.
            pub const PREFIX: &'static str = $prefix;

            /// Makes a new id that carries `now`, to the millisecond.
            #[must_use]
            pub fn new(now: Timestamp) -> Self {
                Self(uuid_at(now))
            }

            /// Takes a bare UUID, as the stores keep it.
            #[must_use]
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// The bare UUID, as the stores keep it.
            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "_{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;

            fn from_str(text: &str) -> Result<Self, ParseIdError> {
                text.strip_prefix(concat!($prefix, "_"))
                    .and_then(|uuid| Uuid::try_parse(uuid).ok())
                    .map(Self)
                    .ok_or(ParseIdError { prefix: $prefix })
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
            }
        }
    )*};
}

ids! {
    /// A job.
    JobId = "job";
    /// One attempt of a job, as the API names it.
    AttemptId = "atm";
    /// The exclusive, expiring right to a claimed batch: the fence.
    LeaseId = "lse";
    /// One incarnation of a worker process; a restart is another worker.
    WorkerId = "wrk";
    /// A schedule.
    ScheduleId = "sch";
    /// A bulk operation an operator started.
    OperationId = "op";
}

impl LeaseId {
    /// Makes a lease id that nobody can guess and no database crash can rewind.
    ///
    /// A counter handed out by the database could be handed out twice after a lost commit.
    #[must_use]
    pub fn random() -> Self {
        let bytes = chance::draw(|chance| chance.random());
        Self(Builder::from_random_bytes(bytes).into_uuid())
    }
}

/// A UUIDv7 that carries `at`; the rest is chance.
fn uuid_at(at: Timestamp) -> Uuid {
    let millis = at.as_micros().max(0).unsigned_abs() / 1_000;
    let rest = chance::draw(|chance| chance.random());
    Builder::from_unix_timestamp_millis(millis, &rest).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_as_it_was_written() {
        let id = JobId::new(Timestamp::from_micros(1_700_000_000_000_000));

        assert_eq!(id.to_string().parse(), Ok(id));
        assert!(id.to_string().starts_with("job_"));
    }

    #[test]
    fn an_id_of_another_kind_is_refused() {
        let worker = WorkerId::new(Timestamp::from_micros(0)).to_string();

        assert!(worker.parse::<JobId>().is_err());
        assert!("job_".parse::<JobId>().is_err());
    }

    #[test]
    fn later_ids_sort_after_earlier_ones() {
        let earlier = JobId::new(Timestamp::from_micros(1_700_000_000_000_000));
        let later = JobId::new(Timestamp::from_micros(1_700_000_000_001_000));

        assert!(earlier < later);
    }
}
