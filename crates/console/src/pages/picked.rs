//! A moment that was picked on a form: the time on a clock, and whose clock that is.

use baton_domain::{Timestamp, campaign::SendAt, time::zone};

/// What is wrong with what was picked.
#[derive(Debug, PartialEq, Eq)]
pub enum Wrong {
    /// With the time.
    Time(&'static str),
    /// With the zone.
    Zone(&'static str),
}

/// When the clocks of a zone show this time; those of UTC if no zone is named. A moment that says its zone itself stands.
pub fn moment(time: &str, zone: &str) -> Result<Timestamp, Wrong> {
    let time = time.trim();
    if let Ok(moment) = time.parse() {
        return Ok(moment);
    }
    let zone = match zone.trim() {
        "" => "UTC".to_owned(),
        zone => zone::name(zone).ok_or(Wrong::Zone(tr!(
            "must be the name of a time zone, such as Asia/Seoul or UTC"
        )))?,
    };
    let wrong = Wrong::Time(tr!("must be a day and a time, such as 2026-01-31T09:00"));
    let Ok(time) = time.parse() else {
        return Err(wrong);
    };
    let picked = SendAt::Local { time, zone };
    picked.for_zone(None).ok_or(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_that_of_the_clocks_in_its_zone() {
        let seoul = moment("2026-01-31T09:00", "asia/seoul").unwrap();
        let utc = moment(" 2026-01-31T00:00:00 ", "").unwrap();
        let written = moment("2026-01-31T09:00:00+09:00", "UTC").unwrap();

        assert_eq!(seoul.to_string(), "2026-01-31T00:00:00.000000Z");
        assert_eq!(utc, seoul);
        assert_eq!(written, seoul);
    }

    #[test]
    fn what_is_no_time_or_no_zone_is_told_apart() {
        assert!(matches!(moment("tomorrow", "UTC"), Err(Wrong::Time(_))));
        assert!(matches!(moment("", "UTC"), Err(Wrong::Time(_))));
        assert!(matches!(
            moment("2026-01-31T09:00", "Seoul"),
            Err(Wrong::Zone(_))
        ));
    }
}
