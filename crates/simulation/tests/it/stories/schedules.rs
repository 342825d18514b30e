//! A story of schedules in all weathers: each of their times is fired for once, whatever dies meanwhile.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use baton_domain::{
    Timestamp,
    page::PageRequest,
    schedule::{Fire, JobTemplate, Outcome, Schedule, ScheduleDefinition, ScheduleSpec},
};
use baton_ports::{
    Store,
    store::{Named, ScheduleChange},
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::time::sleep;

use crate::{
    script::{Answer, Script, Word},
    target::KIND,
    world::{Weather, World, flawless, in_virtual_time},
};

/// Until a node leads again, has caught up, and does so on the second.
const CALM: Duration = Duration::from_mins(1);

/// Fires each second second; what was missed is made up for, up to so many, or left out.
fn each_second_second(now: Timestamp, missed: &str, most: Option<i64>) -> Schedule {
    let script = Script::of(1, &[Answer::new(Word::Ok, 10)]);
    let plan = ScheduleDefinition::from_spec(ScheduleSpec {
        name: "tick".to_owned(),
        cron: "*/2 * * * * *".to_owned(),
        time_zone: "UTC".to_owned(),
        job: Some(JobTemplate {
            kind: KIND.to_owned(),
            payload: script.payload(),
            ..JobTemplate::default()
        }),
        missed: Some(missed.to_owned()),
        missed_max: most,
        ..ScheduleSpec::default()
    });
    Schedule::new(plan.unwrap(), now)
}

/// Pauses a schedule that fires meanwhile.
async fn pause(store: &Arc<dyn Store>, schedule: &Schedule, now: Timestamp) {
    let known = store.find_schedule(schedule.id).await.unwrap().unwrap();
    let paused = known.paused(now);
    let change = ScheduleChange::Paused;
    let done = store.change_schedule(&paused, change, now).await;
    assert_eq!(done.unwrap(), Named::Written);
}

async fn history(store: &Arc<dyn Store>, schedule: &Schedule) -> Vec<Fire> {
    let page = PageRequest::first(PageRequest::MAX_LIMIT);
    let page = store.fires(schedule.id, &page).await.unwrap();
    assert_eq!(page.next, None);
    page.items
}

#[test]
fn each_time_is_fired_for_once_in_all_weathers() {
    for seed in 0..20 {
        in_virtual_time(seed, async move {
            let mut dice = StdRng::seed_from_u64(seed);
            let weather = Weather {
                clients: 0,
                campaigns: 0,
                has_wild_clocks: false,
                ..Weather::of(&mut dice)
            };
            let world = World::new(&weather, flawless, dice.random());
            let (store, fleet) = (Arc::clone(&world.store), Arc::clone(&world.fleet));
            let schedule = each_second_second(fleet.now(), "all", Some(1_000));
            store.add_schedule(&schedule, fleet.now()).await.unwrap();

            world.suffer(&weather, &mut dice).await;
            world.heal().await;
            sleep(CALM).await;
            let paused_at = fleet.now();
            pause(&store, &schedule, paused_at).await;

            let fires = history(&store, &schedule).await;
            let fired: Vec<_> = fires.iter().rev().map(|fire| fire.at).collect();
            let times = schedule.plan.calendar.times(schedule.created_at);
            let wanted: Vec<_> = times
                .take_while(|time| *time <= fired[fired.len() - 1])
                .collect();
            assert_eq!(fired, wanted, "seed {seed}");
            let last = fired[fired.len() - 1];
            assert!(
                paused_at.since(last) < Duration::from_secs(4),
                "seed {seed}: {last}"
            );
            let made: BTreeSet<_> = fires
                .iter()
                .map(|fire| match &fire.outcome {
                    Outcome::Made { made, .. } => made.clone(),
                    missed @ Outcome::Missed { .. } => panic!("seed {seed}: {missed:?}"),
                })
                .collect();
            let jobs = world.recover().await.jobs;
            let jobs: BTreeSet<_> = jobs.keys().map(ToString::to_string).collect();
            assert_eq!(made, jobs, "seed {seed}");
        });
    }
}

#[test]
fn nothing_is_fired_for_twice_and_all_is_on_time_once_the_clocks_have_settled() {
    for seed in 0..20 {
        in_virtual_time(seed, async move {
            let mut dice = StdRng::seed_from_u64(seed);
            let weather = Weather {
                clients: 0,
                campaigns: 0,
                has_wild_clocks: true,
                ..Weather::of(&mut dice)
            };
            let world = World::new(&weather, flawless, dice.random());
            let (store, fleet) = (Arc::clone(&world.store), Arc::clone(&world.fleet));
            let schedule = each_second_second(fleet.store_time(), "skip", None);
            store
                .add_schedule(&schedule, fleet.store_time())
                .await
                .unwrap();

            world.suffer(&weather, &mut dice).await;
            world.heal().await;
            // What was fired for by a clock that was ahead is not fired for again.
            while fleet.store_time() < fleet.dial.furthest() {
                sleep(Duration::from_secs(1)).await;
            }
            sleep(CALM).await;
            let paused_at = fleet.store_time();
            pause(&store, &schedule, paused_at).await;

            let fires = history(&store, &schedule).await;
            let fired: BTreeSet<_> = fires.iter().map(|fire| fire.at).collect();
            assert_eq!(fired.len(), fires.len(), "seed {seed}");
            let wanted = schedule.plan.calendar.times(paused_at - CALM / 2);
            let wanted: Vec<_> = wanted
                .take_while(|time| *time + Duration::from_secs(4) < paused_at)
                .collect();
            let missing = wanted.iter().find(|time| !fired.contains(time));
            assert_eq!(missing, None, "seed {seed}");
            let made = fires
                .iter()
                .filter(|fire| matches!(fire.outcome, Outcome::Made { .. }));
            let made = made.count();
            let history = world.recover().await;
            let jobs = history.jobs.len() - history.probes.len();
            assert_eq!(jobs, made, "seed {seed}");
        });
    }
}
