//! A cron line: which wall-clock times it means, whatever the time zone makes of them.

use std::fmt;

use croner::parser::{CronParser, Seconds, Year};
use jiff::civil::DateTime;

/// What a cron line may be, as a sentence.
pub const RULE: &str = "must be 5 fields (minute, hour, day of month, month, day of week) \
or 6 with seconds in front, such as '0 9 * * MON-FRI'";

/// The longest line that is read.
const LONGEST: usize = 200;
/// Forty years before the end of croner's time. Whatever day there is, 29 February on each weekday included,
/// comes in any 28 of them; so a line that never fires is found out without a walk through three millennia.
const LAST_YEARS: DateTime = DateTime::constant(4960, 1, 1, 0, 0, 0, 0);

/// A cron line that was read, and that means at least one time.
#[derive(Clone, PartialEq, Eq)]
pub struct Cron {
    text: String,
    pattern: croner::Cron,
}

impl Cron {
    /// Reads a line: 5 fields, or 6 with seconds in front, or a nickname such as `@daily`.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence without its subject.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!("can have {LONGEST} bytes at most"));
        }
        let parser = CronParser::builder()
            .seconds(Seconds::Optional)
            .year(Year::Disallowed)
            .build();
        let pattern = parser
            .parse(text)
            .map_err(|error| format!("{RULE}; this cannot be read: {error}"))?;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let cron = Self { text, pattern };
        if cron.after(LAST_YEARS).is_none() {
            return Err(format!(
                "never fires: no day is like that, as with 30 February; {RULE}"
            ));
        }
        Ok(cron)
    }

    /// The line as it was written, with single spaces.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What it means, for people: `At 09:00`.
    #[must_use]
    pub fn in_words(&self) -> String {
        self.pattern.describe().trim_end_matches('.').to_owned()
    }

    /// The first time it means after this one, on the wall clock.
    pub(super) fn after(&self, civil: DateTime) -> Option<DateTime> {
        self.pattern.find_next_occurrence(&civil, false).ok()
    }

    /// Whether it means this very time.
    #[cfg(test)]
    pub(super) fn pattern_matches(&self, civil: DateTime) -> bool {
        self.pattern.is_time_matching(&civil).unwrap()
    }

    /// Whether it means every hour rather than certain ones: then it counts hours as they pass.
    pub(super) fn is_hourly(&self) -> bool {
        // Nicknames are written out by now.
        let fields: Vec<_> = self.pattern.pattern.as_str().split_whitespace().collect();
        let hour = if fields.len() == 5 { 1 } else { 2 };
        fields
            .get(hour)
            .is_some_and(|field| ["*", "*/1"].contains(field))
    }
}

impl fmt::Debug for Cron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cron({:?})", self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        Cron::parse(text).unwrap_err()
    }

    #[test]
    fn five_fields_six_and_nicknames_are_read() {
        for text in [
            "0 9 * * *",
            "30 0 9 * * *",
            "*/15 8-18 * * MON-FRI",
            "0 0 L * *",
            "0 0 * * MON#2",
            "@daily",
            "  0   9 * * *  ",
        ] {
            assert!(Cron::parse(text).is_ok(), "{text}");
        }
        assert_eq!(Cron::parse(" 0  9 * * * ").unwrap().as_str(), "0 9 * * *");
    }

    #[test]
    fn a_line_is_told_in_words() {
        let in_words = |text| Cron::parse(text).unwrap().in_words();

        assert_eq!(in_words("0 9 * * *"), "At 09:00");
        assert_eq!(
            in_words("30 18 * * MON-FRI"),
            "At 18:30, on Monday, Tuesday, Wednesday, Thursday, and Friday"
        );
    }

    #[test]
    fn what_is_no_cron_line_is_refused_with_the_rule() {
        for text in [
            "",
            "* * * *",
            "* * * * * * *",
            "60 * * * *",
            "0 24 * * *",
            "0 9 32 * *",
            "0 9 * 13 *",
            "a b c d e",
            "0 9 * * MON-",
            "*/0 * * * *",
            "@sometimes",
            "0 9 * * *; DROP TABLE jobs",
        ] {
            assert!(refused(text).starts_with(RULE), "{text}: {}", refused(text));
        }
        assert!(refused(&"*".repeat(201)).contains("200"));
    }

    #[test]
    fn a_day_that_never_comes_is_refused_at_once() {
        for text in ["0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 0 31 2 *"] {
            assert!(refused(text).starts_with("never fires"), "{text}");
        }
    }

    #[test]
    fn the_rarest_days_are_days() {
        let weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];
        let on = |day: &str| format!("0 0 29 2 +{day}");

        assert!(Cron::parse("0 0 29 2 *").is_ok());
        for rare in weekdays.map(on) {
            let cron = Cron::parse(&rare).unwrap();
            let first = cron.after(DateTime::constant(2001, 1, 1, 0, 0, 0, 0));
            let date = first.unwrap().date();
            assert_eq!((date.month(), date.day()), (2, 29), "{rare}");
        }
    }

    #[test]
    fn only_a_star_means_every_hour() {
        let is_hourly = |text| Cron::parse(text).unwrap().is_hourly();

        assert!(
            is_hourly("30 * * * *")
                && is_hourly("30 */1 * * *")
                && is_hourly("0 */5 * * * *")
                && is_hourly("@hourly")
        );
        assert!(!is_hourly("30 2 * * *") && !is_hourly("0 0 1,2 * * *") && !is_hourly("@daily"));
    }
}
