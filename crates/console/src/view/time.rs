//! Times and spans: short on the page, exact in the title. The script keeps ages current and turns
//! moments into the reader's zone; it finds them by `data-ago` and `data-moment`.

use std::time::Duration;

use baton_domain::Timestamp;

use super::Markup;

const SECOND: u128 = 1_000_000;
const MINUTE: u128 = 60 * SECOND;
const HOUR: u128 = 60 * MINUTE;
const DAY: u128 = 24 * HOUR;

/// A span in its two largest units: `0.8 ms`, `41 s`, `4 m 12 s`, `3 d 4 h`.
pub fn span(span: Duration) -> String {
    let micros = span.as_micros();
    match micros {
        0..1_000 => tr!("{n} ms", n = format!("0.{}", micros / 100)),
        1_000..SECOND => tr!("{n} ms", n = micros / 1_000),
        SECOND..10_000_000 => {
            let tenths = format!("{}.{}", micros / SECOND, micros % SECOND / 100_000);
            tr!("{n} s", n = tenths)
        }
        10_000_000..MINUTE => whole(micros, SECOND),
        MINUTE..HOUR => pair(micros, MINUTE, SECOND),
        HOUR..DAY => pair(micros, HOUR, MINUTE),
        _ => pair(micros, DAY, HOUR),
    }
}

fn pair(micros: u128, large: u128, small: u128) -> String {
    match micros % large {
        rest if rest < small => whole(micros, large),
        rest => format!("{} {}", whole(micros, large), whole(rest, small)),
    }
}

/// So many whole units.
fn whole(micros: u128, unit: u128) -> String {
    let n = micros / unit;
    match unit {
        SECOND => tr!("{n} s", n = n),
        MINUTE => tr!("{n} m", n = n),
        HOUR => tr!("{n} h", n = n),
        _ => tr!("{n} d", n = n),
    }
}

/// How long ago, or how far ahead: `3 s ago`, `in 5 m`.
pub fn ago(at: Timestamp, now: Timestamp) -> Markup {
    element("data-ago", at, &relative(at, now))
}

/// The moment itself, in UTC until the script knows better: `2026-01-31 09:00:00`.
pub fn moment(at: Timestamp) -> Markup {
    element("data-moment", at, &civil(at))
}

fn element(mark: &str, at: Timestamp, text: &str) -> Markup {
    let title = civil(at);
    Markup(format!(
        "<time {mark} datetime=\"{at}\" title=\"{title} UTC\">{text}</time>"
    ))
}

/// Whole seconds, as the script writes it too: a second of disagreement would flicker.
fn relative(at: Timestamp, now: Timestamp) -> String {
    let (past, ahead) = (now.since(at), at.since(now));
    match (whole_seconds(past), whole_seconds(ahead)) {
        (0, 0) => tr!("now").to_owned(),
        (_, 0) => tr!("{span} ago", span = span_of_seconds(past)),
        _ => tr!("in {span}", span = span_of_seconds(ahead)),
    }
}

fn span_of_seconds(long: Duration) -> String {
    match whole_seconds(long) {
        seconds @ 0..60 => tr!("{n} s", n = seconds),
        seconds @ 60..600 => span(Duration::from_secs(seconds)),
        seconds @ 600..3_600 => tr!("{n} m", n = seconds / 60),
        seconds => span(Duration::from_secs(seconds)),
    }
}

const fn whole_seconds(span: Duration) -> u64 {
    span.as_secs()
}

fn civil(at: Timestamp) -> String {
    let text = at.to_string();
    match (text.get(..10), text.get(11..19)) {
        (Some(day), Some(time)) if text.ends_with('Z') => format!("{day} {time}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_769_850_000_000_000);

    #[test]
    fn a_span_is_told_in_its_two_largest_units() {
        let cases = [
            (800, "0.8 ms"),
            (12_000, "12 ms"),
            (3_250_000, "3.2 s"),
            (41_000_000, "41 s"),
            (252_000_000, "4 m 12 s"),
            (7_200_000_000, "2 h"),
            (273_600_000_000, "3 d 4 h"),
        ];

        for (micros, text) in cases {
            assert_eq!(span(Duration::from_micros(micros)), text);
        }
    }

    #[test]
    fn an_age_says_the_exact_moment_too() {
        let past = ago(NOW - Duration::from_secs(3), NOW).to_string();
        let ahead = ago(NOW + Duration::from_mins(12), NOW).to_string();

        assert!(past.contains(">3 s ago<"), "{past}");
        assert!(past.contains("title=\"2026-01-31 08:59:57 UTC\""), "{past}");
        assert!(ahead.contains(">in 12 m<"), "{ahead}");
    }
}
