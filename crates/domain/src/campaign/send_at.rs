//! When a campaign is sent.

use std::time::Duration;

use jiff::{civil::DateTime, tz::TimeZone};
use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// The first to see a new day, and by how much.
const EARLIEST_ZONE: Duration = Duration::from_secs(14 * 3_600);

/// When a campaign is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SendAt {
    /// As soon as it is written.
    Now,
    /// At a moment, for all.
    At(Timestamp),
    /// When the clocks of each recipient show this time.
    Local {
        /// The time on the wall.
        time: DateTime,
        /// Whose wall, for those who have no zone of their own.
        zone: String,
    },
}

impl SendAt {
    /// When that is for somebody in a time zone; `None` for now. A time that a clock skips comes when it
    /// has gone on; one that it shows twice comes the first time.
    #[must_use]
    pub fn for_zone(&self, zone: Option<&str>) -> Option<Timestamp> {
        match self {
            Self::Now => None,
            Self::At(at) => Some(*at),
            Self::Local {
                time,
                zone: default,
            } => {
                let zone = zone.and_then(|zone| TimeZone::get(zone).ok());
                let zone = zone.or_else(|| TimeZone::get(default).ok());
                let at = time.to_zoned(zone.unwrap_or(TimeZone::UTC)).ok()?;
                Some(Timestamp::from_micros(at.timestamp().as_microsecond()))
            }
        }
    }

    /// The first moment at which it is due for anybody.
    #[must_use]
    pub fn earliest(&self) -> Option<Timestamp> {
        match self {
            Self::Now => None,
            Self::At(at) => Some(*at),
            Self::Local { time, .. } => {
                let at = time.to_zoned(TimeZone::UTC).ok()?.timestamp();
                Some(Timestamp::from_micros(at.as_microsecond()) - EARLIEST_ZONE)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(time: &str) -> SendAt {
        SendAt::Local {
            time: time.parse().unwrap(),
            zone: "UTC".to_owned(),
        }
    }

    #[test]
    fn a_local_time_is_another_moment_in_each_zone() {
        let nine = local("2026-01-31T09:00");
        let at = |zone| nine.for_zone(Some(zone)).unwrap().to_string();

        assert_eq!(at("Asia/Seoul"), "2026-01-31T00:00:00.000000Z");
        assert_eq!(at("America/New_York"), "2026-01-31T14:00:00.000000Z");
        assert!(nine.earliest() <= nine.for_zone(Some("Pacific/Kiritimati")));
    }

    #[test]
    fn a_skipped_local_time_comes_after_the_gap_and_a_doubled_one_the_first_time() {
        let at = |time| {
            local(time)
                .for_zone(Some("Europe/Berlin"))
                .unwrap()
                .to_string()
        };

        assert_eq!(at("2026-03-29T02:30"), "2026-03-29T01:30:00.000000Z");
        assert_eq!(at("2026-10-25T02:30"), "2026-10-25T00:30:00.000000Z");
    }
}
