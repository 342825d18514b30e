use std::time::Duration;

use proptest::prelude::*;

use super::*;

fn calendar(cron: &str, zone: &str) -> Calendar {
    Calendar::new(Cron::parse(cron).unwrap(), zone).unwrap()
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// The next times after a moment, on the zone's own wall clock, with its offset.
fn local(cron: &str, zone: &str, after: &str, count: usize) -> Vec<String> {
    let times = calendar(cron, zone);
    let tz = TimeZone::get(zone).unwrap();
    let shown = times.times(at(after)).take(count).map(|time| {
        let time = jiff::Timestamp::from_microsecond(time.as_micros()).unwrap();
        time.to_zoned(tz.clone())
            .strftime("%d %H:%M%:z")
            .to_string()
    });
    shown.collect()
}

#[test]
fn nine_in_seoul_is_midnight_in_utc() {
    let times = calendar("0 9 * * *", "asia/seoul");

    let next = times.after(at("2026-01-31T00:00:00Z"));

    assert_eq!(times.time_zone(), "Asia/Seoul");
    assert_eq!(next, Some(at("2026-02-01T00:00:00Z")));
    assert_eq!(times.local(next.unwrap()), "2026-02-01T09:00:00+09:00");
}

#[test]
fn a_time_is_after_a_moment_and_never_at_it() {
    let times = calendar("0 9 * * *", "UTC");
    let nine = at("2026-01-31T09:00:00Z");

    assert_eq!(
        times.after(Timestamp::from_micros(nine.as_micros() - 1)),
        Some(nine)
    );
    assert_eq!(times.at_or_after(nine), Some(nine));
    assert_eq!(times.after(nine), Some(at("2026-02-01T09:00:00Z")));
}

#[test]
fn a_skipped_time_comes_at_the_first_moment_after_the_gap() {
    let berlin = local("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3);
    let several = local(
        "0,30 2,14 * * *",
        "Europe/Berlin",
        "2026-03-28T23:00:00Z",
        3,
    );
    let at_its_start = local("0 2 * * *", "Europe/Berlin", "2026-03-28T23:00:00Z", 1);

    assert_eq!(
        berlin,
        ["28 02:30+01:00", "29 03:00+02:00", "30 02:30+02:00"]
    );
    assert_eq!(
        several,
        ["29 03:00+02:00", "29 14:00+02:00", "29 14:30+02:00"]
    );
    assert_eq!(at_its_start, ["29 03:00+02:00"]);
}

#[test]
fn a_skipped_time_and_the_one_it_falls_on_are_one() {
    let times = local("0 2,3 * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", 2);

    assert_eq!(times, ["29 03:00+02:00", "30 02:00+02:00"]);
}

#[test]
fn a_day_that_a_zone_skips_comes_as_the_next_one_begins() {
    // Samoa had no 30 December 2011.
    let times = local("0 9 30 12 *", "Pacific/Apia", "2011-12-01T00:00:00Z", 2);

    assert_eq!(times, ["31 00:00+14:00", "30 09:00+14:00"]);
}

#[test]
fn a_doubled_time_comes_the_first_time_only() {
    let berlin = local("30 2 * * *", "Europe/Berlin", "2026-10-24T00:00:00Z", 3);
    let between = local("30 2 * * *", "Europe/Berlin", "2026-10-25T01:10:00Z", 1);
    let several = local(
        "0,30 1-3 * * *",
        "America/New_York",
        "2026-11-01T04:00:00Z",
        5,
    );

    assert_eq!(
        berlin,
        ["24 02:30+02:00", "25 02:30+02:00", "26 02:30+01:00"]
    );
    assert_eq!(between, ["26 02:30+01:00"]);
    assert_eq!(
        several,
        [
            "01 01:00-04:00",
            "01 01:30-04:00",
            "01 02:00-05:00",
            "01 02:30-05:00",
            "01 03:00-05:00",
        ]
    );
}

#[test]
fn every_hour_counts_hours_as_they_pass() {
    let doubled = local("30 * * * *", "Europe/Berlin", "2026-10-24T23:45:00Z", 3);
    let skipped = local("15 * * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", 3);
    let on_the_change = local("*/30 * * * *", "Europe/Berlin", "2026-03-29T00:15:00Z", 3);

    assert_eq!(
        doubled,
        ["25 02:30+02:00", "25 02:30+01:00", "25 03:30+01:00"]
    );
    assert_eq!(
        skipped,
        ["29 01:15+01:00", "29 03:15+02:00", "29 04:15+02:00"]
    );
    assert_eq!(
        on_the_change,
        ["29 01:30+01:00", "29 03:00+02:00", "29 03:30+02:00"]
    );
}

#[test]
fn half_an_hour_can_be_skipped_and_doubled_as_well() {
    let skipped = local(
        "15 2 * * *",
        "Australia/Lord_Howe",
        "2026-10-03T14:00:00Z",
        1,
    );
    let doubled = local(
        "45 1 * * *",
        "Australia/Lord_Howe",
        "2026-04-04T13:00:00Z",
        2,
    );

    assert_eq!(skipped, ["04 02:30+11:00"]);
    assert_eq!(doubled, ["05 01:45+11:00", "06 01:45+10:30"]);
}

#[test]
fn a_leap_day_comes_in_leap_years() {
    let times = calendar("0 0 29 2 *", "UTC");

    let next: Vec<_> = times.times(at("2096-01-01T00:00:00Z")).take(3).collect();

    let wanted = [
        "2096-02-29T00:00:00Z",
        "2104-02-29T00:00:00Z",
        "2108-02-29T00:00:00Z",
    ];
    assert_eq!(next, wanted.map(at));
}

#[test]
fn the_last_day_of_a_month_is_whichever_it_is() {
    let times = calendar("0 0 L 2 *", "UTC");

    let next: Vec<_> = times.times(at("2027-01-01T00:00:00Z")).take(2).collect();

    assert_eq!(
        next,
        ["2027-02-28T00:00:00Z", "2028-02-29T00:00:00Z"].map(at)
    );
}

#[test]
fn the_far_future_has_its_times_and_the_end_of_time_has_none() {
    let times = calendar("0 9 * * *", "Europe/Berlin");

    assert_eq!(
        times.after(at("2999-07-01T12:00:00Z")),
        Some(at("2999-07-02T07:00:00Z"))
    );
    assert_eq!(times.after(at("9999-12-30T00:00:00Z")), None);
    assert_eq!(times.after(Timestamp::from_micros(i64::MAX)), None);
}

#[test]
fn an_unknown_zone_makes_no_calendar() {
    let cron = Cron::parse("0 9 * * *").unwrap();

    for zone in ["", "Mars/Base", "KST", "+09:00"] {
        assert_eq!(Calendar::new(cron.clone(), zone), None, "{zone}");
    }
}

const ZONES: [&str; 6] = [
    "UTC",
    "Asia/Seoul",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "America/Santiago",
];

fn any_calendar() -> impl Strategy<Value = Calendar> {
    let minute = prop_oneof![
        (0_u8..60).prop_map(|m: u8| m.to_string()),
        Just("*/20".to_owned())
    ];
    let hour = prop_oneof![
        (0_u8..24).prop_map(|h: u8| h.to_string()),
        Just("*".to_owned()),
        Just("1-3".to_owned())
    ];
    let day = prop_oneof![
        Just("* * *"),
        Just("* * SUN"),
        Just("29 2 *"),
        Just("L * *"),
        Just("1,31 * *")
    ];
    (minute, hour, day, 0..ZONES.len()).prop_map(|(minute, hour, day, zone)| {
        calendar(&format!("{minute} {hour} {day}"), ZONES[zone])
    })
}

/// A moment between 1990 and 2060.
fn any_moment() -> impl Strategy<Value = Timestamp> {
    (631_152_000_000_000_i64..2_840_140_800_000_000).prop_map(Timestamp::from_micros)
}

/// Every minute of some days, each asked by itself whether it is meant.
fn by_hand(times: &Calendar, from: Timestamp, days: u64) -> Vec<Timestamp> {
    let start = from.as_micros().div_euclid(60_000_000) + 1;
    let minutes =
        (0..days * 24 * 60).map(|i| Timestamp::from_micros((start + i.cast_signed()) * 60_000_000));
    minutes.filter(|minute| is_meant(times, *minute)).collect()
}

/// Whether a minute is meant: the line matches what the wall shows now, and the wall has not shown it
/// before, or the line is hourly; or the wall has just jumped over a time that matches.
fn is_meant(times: &Calendar, minute: Timestamp) -> bool {
    let now = jiff::Timestamp::from_microsecond(minute.as_micros()).unwrap();
    let before = now - jiff::SignedDuration::from_mins(1);
    let (shown, last) = (times.zone.to_datetime(now), times.zone.to_datetime(before));
    let matches = |civil: DateTime| times.cron.pattern_matches(civil);
    if times.cron.is_hourly() {
        return matches(shown);
    }
    let is_first = times.zone.to_ambiguous_timestamp(shown).earlier().unwrap() == now;
    let mut skipped = last + jiff::SignedDuration::from_mins(1);
    let mut has_skipped = false;
    while skipped < shown {
        has_skipped |= matches(skipped);
        skipped += jiff::SignedDuration::from_mins(1);
    }
    has_skipped || (is_first && matches(shown))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn times_are_those_that_a_patient_clock_watcher_finds(times in any_calendar(), from in any_moment()) {
        let until = from + Duration::from_hours(48);

        let found: Vec<_> = times.times(from).take_while(|time| *time <= until).collect();

        let mut wanted = by_hand(&times, from, 2);
        wanted.retain(|time| *time <= until);
        prop_assert_eq!(found, wanted);
    }

    #[test]
    fn times_around_a_change_of_the_clock_are_found_as_well(times in any_calendar(), year in 2000_i16..2050, month in 3_i8..12) {
        let month = DateTime::new(year, month, 1, 0, 0, 0, 0).unwrap();
        let start = times.zone.to_timestamp(month).unwrap();
        let change = times.zone.following(start).next().map_or(start, |change| change.timestamp());
        let from = Timestamp::from_micros(change.as_microsecond()) - Duration::from_hours(12);
        let until = from + Duration::from_hours(24);

        let found: Vec<_> = times.times(from).take_while(|time| *time <= until).collect();

        let mut wanted = by_hand(&times, from, 1);
        wanted.retain(|time| *time <= until);
        prop_assert_eq!(found, wanted);
    }
}
