//! Schedules fire once for each of their times, whatever clocks, leaders and databases do.

mod town;

use std::time::Duration;

use baton_domain::{
    campaign::SendAt,
    job::State,
    page::PageRequest,
    schedule::{DefinitionChange, JobTemplate, ScheduleSpec},
};
use baton_engine::{Error, Next};
use baton_ports::{Wakeup, faulty::Odds};

pub use self::town::daily;
use self::town::{DAY, HOUR, MINUTE, TERM, Town, at, spec};

#[tokio::test]
async fn at_its_time_a_schedule_makes_a_job_that_can_be_claimed() {
    let mut town = Town::at("2026-03-01T08:00:00Z").await;
    let schedule = town.create(daily()).await;
    let mut wakeups = town.engine().wakeups().subscribe(Wakeup::Ready);

    town.run().await;
    let before = town.jobs().await;
    town.go_to("2026-03-01T09:00:00Z").await;

    let jobs = town.jobs().await;
    assert_eq!((before.len(), jobs.len()), (0, 1));
    assert_eq!(
        (jobs[0].state, jobs[0].run_at),
        (State::Queued, at("2026-03-01T09:00:00Z"))
    );
    wakeups.recv().await;
    let made = town.history(&schedule).await;
    assert_eq!(
        made,
        [(at("2026-03-01T09:00:00Z"), Some(jobs[0].id.to_string()), 0)]
    );
}

#[tokio::test]
async fn with_a_lead_the_job_is_there_ahead_and_waits_for_its_time() {
    let mut town = Town::at("2026-03-01T08:00:00Z").await;
    let lead = Some(10 * MINUTE);
    town.create(ScheduleSpec { lead, ..daily() }).await;

    town.go_to("2026-03-01T08:49:59Z").await;
    let before = town.jobs().await.len();
    town.go_to("2026-03-01T08:50:00Z").await;
    let ahead = town.jobs().await;
    town.go_to("2026-03-01T09:00:00Z").await;

    assert_eq!((before, ahead.len()), (0, 1));
    assert_eq!(
        (ahead[0].state, ahead[0].run_at),
        (State::Pending, at("2026-03-01T09:00:00Z"))
    );
    assert_eq!(town.jobs().await.len(), 1);
}

#[tokio::test]
async fn it_sleeps_until_the_next_schedule_is_due_and_a_new_one_wakes_it() {
    let mut town = Town::at("2026-03-01T08:59:58Z").await;
    let idle = town.node(0).turn("scheduler").await;
    let mut wakeups = town.engine().wakeups().subscribe(Wakeup::Schedules);

    town.create(daily()).await;
    wakeups.recv().await;
    let next = town.node(0).turn("scheduler").await;

    assert_eq!(idle, Next::After(Duration::from_mins(1)));
    assert_eq!(next, Next::After(Duration::from_secs(2)));
}

#[tokio::test]
async fn two_leaders_fire_once() {
    let mut town = Town::at("2026-03-01T08:00:00Z").await;
    let schedule = town.create(daily()).await;
    town.found_another_node().await;
    // The first one sleeps through the end of its term, and still believes that it leads.
    town.clock.advance(TERM + MINUTE);
    town.node(1).turn("leader").await;

    for day in 0..5 {
        town.clock.set(at("2026-03-01T09:00:00Z") + day * DAY);
        town.both("scheduler").await;
        town.run().await;
    }

    assert_eq!(town.jobs().await.len(), 5);
    assert_eq!(town.history(&schedule).await.len(), 5);
}

#[tokio::test]
async fn only_the_leader_fires_and_the_next_one_misses_nothing() {
    let mut town = Town::at("2026-03-01T08:00:00Z").await;
    let each_second = town.create(spec("* * * * * *", "skip")).await;
    town.found_another_node().await;
    town.node(1).turn("leader").await;
    town.clock.advance(10 * Duration::from_secs(1));

    let next = town.node(1).turn("scheduler").await;
    let by_the_second = town.jobs().await.len();
    town.clock.advance(TERM);
    town.node(1).turn("leader").await;
    town.node(1).run("scheduler").await;

    assert_eq!(
        (next, by_the_second),
        (Next::After(Duration::from_secs(1)), 0)
    );
    let wanted: Vec<_> = (1..=25)
        .map(|second| at("2026-03-01T08:00:00Z") + second * Duration::from_secs(1))
        .collect();
    let mut fired: Vec<_> = town
        .history(&each_second)
        .await
        .iter()
        .map(|fire| fire.0)
        .collect();
    fired.reverse();
    assert_eq!(fired, wanted);
}

#[tokio::test]
async fn missed_days_are_made_up_for_as_the_policy_says() {
    for (missed, made, given_up) in [("skip", 0, 4), ("latest", 1, 3), ("all", 4, 0)] {
        let mut town = Town::at("2026-03-01T12:00:00Z").await;
        let schedule = town.create(spec("0 9 * * *", missed)).await;

        town.go_to("2026-03-05T12:00:00Z").await;

        assert_eq!(town.jobs().await.len(), made, "{missed}");
        let history = town.history(&schedule).await;
        assert_eq!(
            history.iter().map(|fire| fire.2).sum::<u32>(),
            given_up,
            "{missed}"
        );
        let next = town.find(&schedule).await.next_at;
        assert_eq!(next, Some(at("2026-03-06T09:00:00Z")), "{missed}");
    }
}

#[tokio::test]
async fn a_skipped_hour_and_a_doubled_one_fire_once() {
    let in_berlin = |cron: &str| ScheduleSpec {
        time_zone: "Europe/Berlin".to_owned(),
        ..spec(cron, "skip")
    };
    for (from, fires) in [
        (
            "2026-03-28T12:00:00Z",
            ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"],
        ),
        (
            "2026-10-24T12:00:00Z",
            ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"],
        ),
    ] {
        let mut town = Town::at(from).await;
        let schedule = town.create(in_berlin("30 2 * * *")).await;

        town.live_for(2 * DAY, 10 * MINUTE).await;

        let history = town.history(&schedule).await;
        let fired: Vec<_> = history.iter().rev().map(|fire| fire.0).collect();
        assert_eq!(fired, fires.map(at));
        assert_eq!(town.jobs().await.len(), 2);
    }
}

#[tokio::test]
async fn a_leap_day_is_waited_for() {
    let mut town = Town::at("2027-02-27T00:00:00Z").await;
    let schedule = town.create(spec("0 0 29 2 *", "latest")).await;

    town.live_for(3 * DAY, HOUR).await;
    let in_2027 = town.jobs().await.len();
    town.go_to("2028-02-29T00:00:00Z").await;

    assert_eq!((in_2027, town.jobs().await.len()), (0, 1));
    assert_eq!(
        town.find(&schedule).await.next_at,
        Some(at("2032-02-29T00:00:00Z"))
    );
}

#[tokio::test]
async fn a_clock_that_steps_back_fires_nothing_twice() {
    let mut town = Town::at("2026-03-01T08:00:00Z").await;
    let schedule = town.create(daily()).await;
    town.go_to("2026-03-01T09:00:00Z").await;

    town.go_to("2026-03-01T07:00:00Z").await;
    town.live_for(3 * HOUR, MINUTE).await;
    // Even a person who has it aim at the same time again.
    town.clock.set(at("2026-03-01T07:00:00Z"));
    town.engine().pause_schedule(schedule.id).await.unwrap();
    let again = town.engine().resume_schedule(schedule.id).await.unwrap();
    town.live_for(3 * HOUR, MINUTE).await;

    assert_eq!(again.next_at, Some(at("2026-03-01T09:00:00Z")));
    assert_eq!(town.jobs().await.len(), 1);
    assert_eq!(
        town.find(&schedule).await.next_at,
        Some(at("2026-03-02T09:00:00Z"))
    );
}

#[tokio::test]
async fn a_clock_that_steps_forward_makes_up_for_what_it_jumped_over() {
    let mut town = Town::at("2026-03-01T08:00:00Z").await;
    town.create(spec("0 * * * *", "latest")).await;

    town.go_to("2026-03-02T08:30:00Z").await;

    let jobs = town.jobs().await;
    assert_eq!(jobs.len(), 1);
    assert_eq!(jobs[0].run_at, town.clock_now());
}

#[tokio::test]
async fn a_change_takes_effect_at_once() {
    let mut town = Town::at("2026-03-01T08:00:00Z").await;
    let schedule = town.create(daily()).await;
    let change = DefinitionChange {
        cron: Some("30 8 * * *".to_owned()),
        job: Some(JobTemplate {
            payload: r#"{"new":true}"#.to_owned(),
            ..town::note()
        }),
        ..DefinitionChange::default()
    };

    town.engine()
        .change_schedule(schedule.id, change)
        .await
        .unwrap();
    town.go_to("2026-03-01T08:30:00Z").await;
    let at_the_new_time = town.jobs().await;
    town.go_to("2026-03-01T09:00:00Z").await;

    assert_eq!(at_the_new_time.len(), 1);
    assert_eq!(at_the_new_time[0].payload, r#"{"new":true}"#);
    assert_eq!(town.jobs().await.len(), 1);
}

#[tokio::test]
async fn what_was_due_in_a_pause_is_not_made_up_for() {
    let mut town = Town::at("2026-03-01T08:00:00Z").await;
    let schedule = town.create(spec("0 9 * * *", "all")).await;
    town.engine().pause_schedule(schedule.id).await.unwrap();

    town.go_to("2026-03-04T12:00:00Z").await;
    let by_hand = town.engine().fire_schedule(schedule.id).await.unwrap();
    town.engine().resume_schedule(schedule.id).await.unwrap();
    town.run().await;

    assert_eq!(by_hand.at, at("2026-03-04T12:00:00Z"));
    assert_eq!(town.jobs().await.len(), 1);
    assert_eq!(town.history(&schedule).await.len(), 1);
}

#[tokio::test]
async fn what_can_no_longer_be_made_is_missed_and_says_why() {
    let mut town = Town::at("2026-03-01T08:00:00Z").await;
    let schedule = town.create(daily()).await;
    town.found_a_stricter_node().await;

    town.clock.set(at("2026-03-01T09:00:00Z"));
    town.node(1).turn("leader").await;
    town.node(1).run("scheduler").await;

    let reason = town.reason(&schedule).await;
    assert!(
        reason.starts_with("it cannot be made: job.payload can be 1 bytes at most"),
        "{reason}"
    );
    assert_eq!(town.jobs().await.len(), 0);
    assert_eq!(
        town.find(&schedule).await.next_at,
        Some(at("2026-03-02T09:00:00Z"))
    );
}

#[tokio::test]
async fn a_campaign_that_cannot_be_had_is_refused_where_it_is_asked_for() {
    let town = Town::at("2026-03-01T08:00:00Z").await;
    let campaign = ScheduleSpec {
        job: None,
        campaign: Some(serde_json::json!({"name": "quiz"})),
        ..daily()
    };

    let refused = town.engine().create_schedule(campaign).await;

    let Err(Error::Invalid(errors)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(errors[0].field, "campaign.category");
}

#[tokio::test]
async fn a_campaign_is_made_ahead_of_its_time_and_sent_at_its_time() {
    let mut town = Town::at("2026-03-01T08:00:00Z").await;
    let campaign = ScheduleSpec {
        job: None,
        campaign: Some(serde_json::json!({
            "name": "Daily quiz", "category": "question", "action": "inbox", "audience": {"topic": "daily-quiz"},
            "message": {"title": "Quiz", "body": "Good morning, {{id}}!"},
        })),
        lead: Some(10 * MINUTE),
        ..daily()
    };
    let schedule = town.create(campaign).await;

    town.go_to("2026-03-01T08:50:00Z").await;

    let campaigns = town.engine().campaigns(&PageRequest::default()).await;
    let campaigns = campaigns.unwrap().items;
    let nine = at("2026-03-01T09:00:00Z");
    assert_eq!(campaigns.len(), 1);
    assert_eq!(campaigns[0].plan.send_at, SendAt::At(nine));
    assert_eq!(campaigns[0].start_at, at("2026-03-01T08:50:00Z"));
    let made = town.history(&schedule).await;
    assert_eq!(made, [(nine, Some(campaigns[0].id.to_string()), 0)]);
}

#[tokio::test]
async fn over_a_database_that_fails_each_time_is_fired_once() {
    for seed in 0..20 {
        let odds = Odds {
            before: 0.2,
            after: 0.2,
        };
        let mut town = Town::over_faults("2026-03-01T08:00:00Z", seed).await;
        let schedule = town.create(spec("*/10 * * * *", "all")).await;
        town.faults.set(odds);

        town.live_for(6 * HOUR, 7 * MINUTE).await;
        town.faults.set(town::NEVER);
        town.live_for(HOUR, 7 * MINUTE).await;

        let fired = town.history(&schedule).await.len();
        let jobs = town.jobs().await.len();
        assert_eq!((fired, jobs), (42, 42), "seed {seed}");
        assert!(town.faults.injected() > 0, "seed {seed}");
    }
}
