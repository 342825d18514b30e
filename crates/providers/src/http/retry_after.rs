//! Reads Retry-After: seconds, or a date in one of the three forms that HTTP has had.

use std::time::Duration;

use baton_domain::{Timestamp, job::LONGEST_RETRY_AFTER};
use jiff::{
    fmt::{rfc2822, strtime},
    tz::TimeZone,
};

/// How long a target asks to be left alone, a day at most; `None` if what it says makes no sense.
pub fn retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    let wait = seconds(text).or_else(|| Some(date(text)?.since(now)))?;
    Some(wait.min(LONGEST_RETRY_AFTER))
}

fn seconds(text: &str) -> Option<Duration> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Digits that do not fit are more than a day, too.
    Some(
        text.parse()
            .map_or(LONGEST_RETRY_AFTER, Duration::from_secs),
    )
}

fn date(text: &str) -> Option<Timestamp> {
    let at = rfc2822::parse(text)
        .map(|at| at.timestamp())
        .ok()
        .or_else(|| old_date("%A, %d-%b-%y %H:%M:%S GMT", text))
        .or_else(|| old_date("%a %b %e %H:%M:%S %Y", text))?;
    Some(Timestamp::from_micros(at.as_microsecond()))
}

fn old_date(form: &str, text: &str) -> Option<jiff::Timestamp> {
    let local = strtime::parse(form, text).ok()?.to_datetime().ok()?;
    TimeZone::UTC.to_timestamp(local).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_read_and_nonsense_is_not() {
        let now: Timestamp = "1994-11-06T08:49:00Z".parse().unwrap();
        let table = [
            ("0", Some(0)),
            ("120", Some(120)),
            (" 7 ", Some(7)),
            ("86401", Some(86_400)),
            ("99999999999999999999999999", Some(86_400)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(37)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(37)),
            ("Sun Nov  6 08:49:37 1994", Some(37)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            ("Thu, 01 Jan 2099 00:00:00 GMT", Some(86_400)),
            ("-5", None),
            ("1.5", None),
            ("+3", None),
            ("", None),
            ("soon", None),
            ("Sun, 99 Nov 1994 08:49:37 GMT", None),
        ];

        for (text, expected) in table {
            let wait = retry_after(text, now);

            assert_eq!(wait, expected.map(Duration::from_secs), "{text}");
        }
    }
}
