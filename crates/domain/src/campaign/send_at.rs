//! When a campaign is sent.

use std::time::Duration;

use jiff::{civil::DateTime, tz::TimeZone};
use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// The first to see a new day, and by how much.
const EARLIEST_ZONE: Duration = Duration::from_hours(14);

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
                Some(moment(*time, zone.unwrap_or(TimeZone::UTC)))
            }
        }
    }

    /// The first moment at which it is due for anybody.
    #[must_use]
    pub fn earliest(&self) -> Option<Timestamp> {
        match self {
            Self::Now => None,
            Self::At(at) => Some(*at),
            Self::Local { time, .. } => Some(moment(*time, TimeZone::UTC) - EARLIEST_ZONE),
        }
    }
}

/// When the clocks of a zone show this time. At the ends of the calendar no moment belongs to it: then the nearest there is.
fn moment(time: DateTime, zone: TimeZone) -> Timestamp {
    let at = time.to_zoned(zone).map(|at| at.timestamp());
    let nearest = if time.year() > 0 {
        jiff::Timestamp::MAX
    } else {
        jiff::Timestamp::MIN
    };
    Timestamp::from_micros(at.unwrap_or(nearest).as_microsecond())
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
    fn the_last_day_of_the_calendar_is_never_now() {
        let last = local("9999-12-31T23:59");

        assert!(last.earliest() > local("9999-12-01T00:00").earliest());
        assert!(last.for_zone(Some("America/New_York")) > local("9999-12-01T00:00").for_zone(None));
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
