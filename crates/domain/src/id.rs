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

            /// Makes a new id that carries `now`, to the microsecond.
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
    /// A campaign. The low bits are free for its deliveries: see [`CampaignId::delivery`].
    CampaignId = "cmp";
    /// One request to tell somebody something at once.
    NotificationId = "ntf";
    /// One thing in the inbox of a recipient.
    InboxItemId = "inb";
    /// Somebody who signs in.
    UserId = "usr";
    /// An API key.
    KeyId = "key";
    /// One entry of the audit log.
    AuditId = "aud";
}

/// How many of a campaign's bits tell its deliveries apart.
const DELIVERY_BITS: u32 = 40;
/// Those bits.
const DELIVERY: u128 = (1 << DELIVERY_BITS) - 1;

impl CampaignId {
    /// Makes a new id that carries `now`, with room below it for one id for each recipient.
    #[must_use]
    pub fn start(now: Timestamp) -> Self {
        Self(Uuid::from_u128(uuid_at(now).as_u128() & !DELIVERY))
    }

    /// The id of the delivery to the recipient with this number: always the same, so that the primary
    /// key of jobs is what keeps a recipient from being reached twice, and in the order of the
    /// numbers, so that a chunk is written side by side.
    #[must_use]
    pub const fn delivery(self, number: i64) -> JobId {
        JobId(Uuid::from_u128(
            self.0.as_u128() | (number.unsigned_abs() as u128 & DELIVERY),
        ))
    }

    /// The ids that its deliveries can have: the lowest and the highest.
    #[must_use]
    pub const fn deliveries(self) -> (JobId, JobId) {
        (
            JobId(self.0),
            JobId(Uuid::from_u128(self.0.as_u128() | DELIVERY)),
        )
    }
}

impl JobId {
    /// Ids one after the other, for jobs that are made together: nobody else's lies between two of them, so that a store may tell them by the
    /// first and the last.
    pub fn in_a_row(now: Timestamp) -> impl Iterator<Item = Self> {
        // The highest bit of chance is left free, so that nobody counts beyond them.
        let first = uuid_at(now).as_u128() & !(1 << 61);
        (first..).map(|id| Self(Uuid::from_u128(id)))
    }

    /// Whether this is the next id in a row after another.
    #[must_use]
    pub const fn follows(self, other: Self) -> bool {
        self.0.as_u128() == other.0.as_u128().wrapping_add(1)
    }

    /// The number of the recipient, if the job is a delivery of this campaign.
    #[must_use]
    pub fn recipient_of(self, campaign: CampaignId) -> Option<i64> {
        let id = self.0.as_u128();
        let number = i64::try_from(id & DELIVERY).ok()?;
        (id & !DELIVERY == campaign.0.as_u128()).then_some(number)
    }
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
///
/// The twelve bits behind the milliseconds carry their fraction (RFC 9562, 6.2, method 3): jobs that are
/// made one after the other stand in the order of their ids, whatever they are found by.
fn uuid_at(at: Timestamp) -> Uuid {
    let millis = at.as_micros().max(0).unsigned_abs() / 1_000;
    let mut rest: [u8; 10] = chance::draw(|chance| chance.random());
    rest[..2].copy_from_slice(&fraction(at).to_be_bytes());
    Builder::from_unix_timestamp_millis(millis, &rest).into_uuid()
}

/// How much of its millisecond has passed at a moment, in twelve bits.
pub(crate) fn fraction(at: Timestamp) -> u16 {
    let micros = at.as_micros().max(0).unsigned_abs() % 1_000;
    u16::try_from(micros * 4_096 / 1_000).unwrap_or_default()
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
    fn deliveries_have_ids_of_their_own_in_the_order_of_their_recipients() {
        let campaign = CampaignId::start(Timestamp::from_micros(1_700_000_000_000_000));
        let (lowest, highest) = campaign.deliveries();

        let ids = [1, 2, 4_711, 1_000_000_000_000].map(|number| campaign.delivery(number));

        assert!(ids.is_sorted() && ids.iter().all(|id| (lowest..=highest).contains(id)));
        assert_eq!(ids[2].recipient_of(campaign), Some(4_711));
        assert_eq!(ids[2].uuid().get_version_num(), 7);
    }

    #[test]
    fn a_delivery_belongs_to_one_campaign() {
        let now = Timestamp::from_micros(1_700_000_000_000_000);
        let (one, other) = (CampaignId::start(now), CampaignId::start(now));

        assert_ne!(one, other);
        assert_eq!(one.delivery(1).recipient_of(other), None);
    }

    #[test]
    fn later_ids_sort_after_earlier_ones() {
        let earlier = JobId::new(Timestamp::from_micros(1_700_000_000_000_000));
        let later = JobId::new(Timestamp::from_micros(1_700_000_000_000_001));
        let last = JobId::new(Timestamp::from_micros(1_700_000_000_001_000));

        assert!(earlier < later && later < last);
        assert_eq!(last.uuid().get_version_num(), 7);
    }

    #[test]
    fn ids_in_a_row_follow_one_another() {
        let now = Timestamp::from_micros(1_700_000_000_000_000);

        let ids: Vec<_> = JobId::in_a_row(now).take(10_000).collect();

        assert!(ids.array_windows().all(|[one, next]| next.follows(*one)));
        assert!(ids.is_sorted() && ids.iter().all(|id| id.uuid().get_version_num() == 7));
        assert!(!JobId::new(now).follows(ids[0]));
    }
}
