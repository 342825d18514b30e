use proptest::prelude::*;

use super::*;
use crate::schedule::{JobTemplate, ScheduleDefinition, ScheduleSpec};

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

fn at(text: &str) -> Timestamp {
    format!("2026-03-{text}Z").parse().unwrap()
}

fn spec(cron: &str, missed: &str) -> ScheduleSpec {
    ScheduleSpec {
        name: "a".to_owned(),
        cron: cron.to_owned(),
        time_zone: "UTC".to_owned(),
        job: Some(JobTemplate::default()),
        missed: Some(missed.to_owned()),
        ..ScheduleSpec::default()
    }
}

fn schedule(spec: ScheduleSpec, now: Timestamp) -> Schedule {
    Schedule::new(ScheduleDefinition::from_spec(spec).unwrap(), now)
}

/// Does what is to be done until nothing is, and says for which times something was made, and how many
/// were passed over.
fn carry_out(schedule: &mut Schedule, now: Timestamp) -> (Vec<Timestamp>, u32) {
    let (mut made, mut missed) = (Vec::new(), 0);
    loop {
        schedule.next_at = match schedule.step(now) {
            Step::Wait(_) => return (made, missed),
            Step::Fire { at, next } => {
                made.push(at);
                next
            }
            Step::PassOver { run, next } => {
                missed += run.count;
                next
            }
        };
    }
}

/// What a daily one at 09:00, made on the first of the month, does at a later moment.
fn daily(missed: &str, now: &str) -> (Vec<Timestamp>, u32) {
    carry_out(
        &mut schedule(spec("0 9 * * *", missed), at("01T12:00:00")),
        at(now),
    )
}

#[test]
fn before_its_time_it_waits_and_at_its_time_it_fires() {
    let daily = schedule(spec("0 9 * * *", "latest"), at("01T12:00:00"));

    let before = daily.step(at("02T08:59:59.999999"));
    let then = daily.step(at("02T09:00:00"));

    let (nine, next) = (at("02T09:00:00"), Some(at("03T09:00:00")));
    assert_eq!(before, Step::Wait(Some(nine)));
    assert_eq!(then, Step::Fire { at: nine, next });
}

#[test]
fn with_a_lead_it_fires_earlier_for_the_same_time() {
    let lead = ScheduleSpec {
        lead: Some(10 * GRACE),
        ..spec("0 9 * * *", "skip")
    };
    let daily = schedule(lead, at("01T12:00:00"));

    let (before, then) = (daily.step(at("02T08:49:59")), daily.step(at("02T08:50:00")));
    let late = daily.step(at("02T08:59:00"));

    assert_eq!(before, Step::Wait(Some(at("02T08:50:00"))));
    assert!(matches!(then, Step::Fire { at: nine, .. } if nine == at("02T09:00:00")));
    assert_eq!(late, then);
}

#[test]
fn what_is_late_by_less_than_the_grace_is_not_missed() {
    for policy in ["skip", "latest", "all"] {
        assert_eq!(
            daily(policy, "02T09:01:00"),
            (vec![at("02T09:00:00")], 0),
            "{policy}"
        );
    }
    assert_eq!(daily("skip", "02T09:01:00.000001"), (vec![], 1));
}

#[test]
fn a_policy_says_what_becomes_of_missed_days() {
    let days = |days: &[u32]| -> Vec<_> {
        days.iter()
            .map(|d| at(&format!("{d:02}T09:00:00")))
            .collect()
    };

    assert_eq!(daily("skip", "05T12:00:00"), (vec![], 4));
    assert_eq!(daily("latest", "05T12:00:00"), (days(&[5]), 3));
    assert_eq!(daily("all", "05T12:00:00"), (days(&[2, 3, 4, 5]), 0));
}

#[test]
fn the_last_missed_one_gives_way_to_one_whose_time_has_just_come() {
    let today = vec![at("05T09:00:00")];

    assert_eq!(daily("latest", "05T09:00:30"), (today.clone(), 3));
    assert_eq!(daily("skip", "05T09:00:30"), (today, 3));
}

#[test]
fn so_many_are_made_up_for_and_no_more() {
    let two = ScheduleSpec {
        missed_max: Some(2),
        ..spec("0 9 * * *", "all")
    };

    let done = carry_out(&mut schedule(two, at("01T12:00:00")), at("05T12:00:00"));

    assert_eq!(done, (vec![at("04T09:00:00"), at("05T09:00:00")], 2));
}

#[test]
fn what_would_have_expired_is_not_made_up_for() {
    let quiz = |missed: &str| ScheduleSpec {
        job: Some(JobTemplate {
            expires_after: Some(4 * HOUR),
            ..JobTemplate::default()
        }),
        ..spec("0 9 * * *", missed)
    };
    let at_noon = |missed| {
        carry_out(
            &mut schedule(quiz(missed), at("01T12:00:00")),
            at("03T12:00:00"),
        )
    };
    let at_one = |missed| {
        carry_out(
            &mut schedule(quiz(missed), at("01T12:00:00")),
            at("03T13:00:00"),
        )
    };

    assert_eq!(at_noon("latest"), (vec![at("03T09:00:00")], 1));
    assert_eq!(at_noon("all"), (vec![at("03T09:00:00")], 1));
    assert_eq!(at_one("latest"), (vec![], 2));
    assert_eq!(at_one("all"), (vec![], 2));
}

#[test]
fn a_clock_that_steps_back_fires_nothing_and_one_that_steps_forward_makes_up() {
    let mut daily = schedule(spec("0 9 * * *", "latest"), at("01T12:00:00"));
    let fired = carry_out(&mut daily, at("02T09:00:00")).0;

    let back = carry_out(&mut daily, at("02T08:00:00"));
    let again = carry_out(&mut daily, at("02T09:00:00"));
    let forward = carry_out(&mut daily, at("20T12:00:00"));

    assert_eq!(fired, [at("02T09:00:00")]);
    assert_eq!((back, again), ((vec![], 0), (vec![], 0)));
    assert_eq!(forward, (vec![at("20T09:00:00")], 17));
}

#[test]
fn a_year_of_missed_seconds_takes_no_time() {
    let mut each_second = schedule(spec("* * * * * *", "all"), at("01T00:00:00"));
    let now = at("01T00:00:00") + 365 * DAY;

    let (made, missed) = carry_out(&mut each_second, now);

    // The grace has sixty, and the moment itself is one more.
    assert_eq!((made.len(), missed), (100 + 61, MissedRun::MOST));
    assert_eq!(made.last(), Some(&now));
}

#[test]
fn a_paused_one_waits_for_a_person_and_goes_on_from_then() {
    let paused = schedule(spec("0 9 * * *", "all"), at("01T12:00:00")).paused(at("01T13:00:00"));
    let resumed = paused.clone().resumed(at("05T12:00:00"));

    assert_eq!(
        (paused.step(at("09T00:00:00")), paused.revision),
        (Step::Wait(None), 2)
    );
    assert_eq!(
        resumed.step(at("05T12:00:00")),
        Step::Wait(Some(at("06T09:00:00")))
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_time_is_made_or_passed_over_exactly_once(
        every in prop_oneof![Just("*/10 * * * *"), Just("0 */3 * * *"), Just("7 3 * * *")],
        policy in prop_oneof![Just("skip"), Just("latest"), Just("all")],
        lead in 0_u32..20,
        jumps in prop::collection::vec(0_u32..30_000, 1..12),
    ) {
        let spec = ScheduleSpec { lead: Some(lead * GRACE), ..spec(every, policy) };
        let start = at("01T00:00:00");
        let mut schedule = schedule(spec, start);
        let (mut made, mut missed, mut now) = (Vec::new(), 0, start);

        for seconds in jumps {
            now = now + Duration::from_secs(seconds.into());
            let done = carry_out(&mut schedule, now);
            made.extend(done.0);
            missed += done.1;
        }

        let due = schedule.plan.calendar.times(start).take_while(|time| *time - lead * GRACE <= now);
        prop_assert_eq!(due.count(), made.len() + missed as usize);
        prop_assert!(made.is_sorted_by(|one, other| one < other), "{:?}", made);
    }
}
