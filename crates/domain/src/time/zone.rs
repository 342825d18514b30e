//! Time zones, by the names of the IANA database that is built in.

use jiff::tz::TimeZone;

/// What a time zone may be called, as a sentence.
pub const RULE: &str = "must be the name of an IANA time zone, such as Asia/Seoul or Europe/Berlin";

/// The name of a time zone as the database writes it, whatever its capitals: `asia/seoul` is
/// `Asia/Seoul`. `None`: there is no such zone.
#[must_use]
pub fn name(text: &str) -> Option<String> {
    let zone = TimeZone::get(text).ok()?;
    // A zone that stands for "nobody knows" tells no local time.
    if zone.is_unknown() {
        return None;
    }
    zone.iana_name().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_known_by_its_name_whatever_its_capitals() {
        for text in ["Asia/Seoul", "asia/seoul", "ASIA/SEOUL"] {
            assert_eq!(name(text).as_deref(), Some("Asia/Seoul"), "{text}");
        }
        assert_eq!(name("UTC").as_deref(), Some("UTC"));
    }

    #[test]
    fn what_is_no_zone_has_no_name() {
        for text in ["", "Seoul", "KST-9", "+09:00", "Asia/Seoul ", "Etc/Unknown"] {
            assert_eq!(name(text), None, "{text:?}");
        }
    }
}
