//! Rollups: how many jobs came and went, how long they waited, and what happened meanwhile, span by span.

use std::{collections::BTreeMap, time::Duration};

use baton_domain::{
    CampaignId, Timestamp,
    fleet::{Heartbeat, RemoteWorker},
    job::{Class, Failure, State, Verdict},
    rollup::{Marker, Resolution, Rollup},
    waits::{WaitRollup, Waits},
};

use super::{
    bench::{ALL, Bench, HOUR, MINUTE, in_queue, paused, spec},
    promises,
    upkeep::FOR_LONG,
};
use crate::store::{Atomicity, RollupRequest};

/// The beginning of time, on the bench.
const EVER: Timestamp = Timestamp::from_micros(0);

async fn told(
    bench: &Bench,
    queue: Option<&str>,
    resolution: Resolution,
    step: u32,
) -> Vec<Rollup> {
    bench.sequence().await;
    let request = RollupRequest {
        queue: queue.map(str::to_owned),
        resolution,
        step,
    };
    bench.store.rollups(&request, EVER).await.expect("rollups")
}

async fn waited(
    bench: &Bench,
    queue: Option<&str>,
    resolution: Resolution,
    step: u32,
) -> Vec<WaitRollup> {
    bench.store.write_waits().await.expect("waits");
    let request = RollupRequest {
        queue: queue.map(str::to_owned),
        resolution,
        step,
    };
    bench.store.waits(&request, EVER).await.expect("waits")
}

/// So many jobs that waited for so long each.
fn waits(all: &[(Duration, u64)]) -> Waits {
    let mut waits = Waits::default();
    all.iter().for_each(|(wait, jobs)| waits.note(*wait, *jobs));
    waits
}

async fn marked(bench: &Bench, minutes: u32) -> Vec<Marker> {
    bench.sequence().await;
    bench.store.markers(minutes, EVER).await.expect("markers")
}

/// How often what happened, in the order in which it is told.
fn told_of(markers: &[Marker]) -> Vec<(&str, u64)> {
    let told = markers.iter();
    told.map(|marker| (marker.kind.as_str(), marker.n))
        .collect()
}

async fn joins(bench: &Bench, version: &str, remote: Option<RemoteWorker>) -> String {
    let worker = bench.another_worker();
    let heartbeat = Heartbeat {
        worker,
        name: "host \"remote\":true".to_owned(),
        version: version.to_owned(),
        lease: Some(MINUTE),
        slots: BTreeMap::new(),
        running: 0,
        draining: false,
        started_at: bench.now(),
        remote,
    };
    let said = bench.store.heartbeat(&heartbeat, bench.now()).await;
    said.expect("heartbeat");
    worker.to_string()
}

/// How many came to a state and went from it, span by span.
fn of(rollups: &[Rollup], state: State) -> Vec<(u64, u64)> {
    let of_state = rollups.iter().filter(|rollup| rollup.state == state);
    of_state.map(|rollup| (rollup.came, rollup.went)).collect()
}

promises! {
    async fn each_move_of_a_job_is_told_in_its_minute(bench: Bench) {
        bench.enqueue_many(3, spec()).await;
        bench.pass(MINUTE);
        let claimed = bench.claim(2).await;
        bench.succeed(&claimed[0]).await;
        bench.fail(&claimed[1], Class::Permanent).await;

        let rollups = told(&bench, Some("default"), Resolution::Minute, 1).await;

        assert_eq!(of(&rollups, State::Queued), [(3, 0), (0, 2)]);
        assert_eq!(of(&rollups, State::Running), [(2, 2)]);
        assert_eq!(of(&rollups, State::Succeeded), [(1, 0)]);
        assert_eq!(of(&rollups, State::Failed), [(1, 0)]);
        assert!(rollups.is_sorted_by_key(|rollup| rollup.start));
    }

    async fn a_job_that_starts_as_it_comes_in_is_told_as_running(bench: Bench) {
        bench.claimed(spec()).await;

        let rollups = told(&bench, None, Resolution::Minute, 1).await;

        let running: u64 = of(&rollups, State::Running).iter().map(|(came, _)| came).sum();
        assert_eq!(running, 1);
    }

    async fn all_queues_together_are_told_by_the_minute_and_by_the_hour(bench: Bench) {
        bench.enqueue(in_queue("a")).await;
        bench.pass(HOUR);
        bench.enqueue(in_queue("b")).await;

        let minutes = told(&bench, None, Resolution::Minute, 1).await;
        let hours = told(&bench, None, Resolution::Hour, 1).await;
        let of_one = told(&bench, Some("b"), Resolution::Minute, 1).await;

        assert_eq!(of(&minutes, State::Queued), [(1, 0), (1, 0)]);
        assert_eq!(of(&hours, State::Queued), [(1, 0), (1, 0)]);
        assert_eq!(of(&of_one, State::Queued), [(1, 0)]);
        assert_eq!(hours[1].start.since(hours[0].start), HOUR);
    }

    async fn spans_side_by_side_are_told_as_one(bench: Bench) {
        for _ in 0..10 {
            bench.enqueue(spec()).await;
            bench.pass(MINUTE);
        }

        let rollups = told(&bench, None, Resolution::Minute, 5).await;

        let queued = of(&rollups, State::Queued);
        assert!((2..=3).contains(&queued.len()), "{queued:?}");
        assert_eq!(queued.iter().map(|(came, _)| came).sum::<u64>(), 10);
        let starts = rollups.iter().map(|rollup| Resolution::Minute.number(rollup.start));
        assert!(starts.into_iter().all(|minute| minute % 5 == 0));
    }

    async fn what_came_before_is_not_told(bench: Bench) {
        bench.enqueue(spec()).await;
        bench.pass(2 * MINUTE);
        bench.enqueue(spec()).await;
        bench.sequence().await;
        let request = RollupRequest { queue: None, resolution: Resolution::Minute, step: 1 };

        let rollups = bench.store.rollups(&request, bench.now()).await.unwrap();

        assert_eq!(of(&rollups, State::Queued), [(1, 0)]);
    }

    async fn minutes_are_kept_for_a_day_and_hours_for_a_week(bench: Bench) {
        bench.enqueue(spec()).await;
        bench.sequence().await;
        bench.pass(Resolution::Minute.kept() + 2 * HOUR);
        let gone = bench.store.prune(&FOR_LONG, ALL, bench.now()).await.unwrap().rollups;
        let minutes = told(&bench, None, Resolution::Minute, 1).await;
        let hours = told(&bench, None, Resolution::Hour, 1).await;
        bench.pass(Resolution::Hour.kept());
        bench.store.prune(&FOR_LONG, ALL, bench.now()).await.unwrap();
        let later = told(&bench, None, Resolution::Hour, 1).await;

        assert!(gone > 0);
        assert_eq!((minutes, later), (vec![], vec![]));
        assert_eq!(of(&hours, State::Queued), [(1, 0)]);
    }

    async fn how_long_jobs_waited_is_told_with_the_minute_in_which_they_were_claimed(bench: Bench) {
        bench.enqueue_many(3, in_queue("a")).await;
        bench.enqueue(in_queue("b")).await;
        bench.pass(MINUTE);
        let claimed_at = bench.now();
        bench.claim_as(bench.worker, "a", 2).await;
        bench.claim_as(bench.worker, "b", 2).await;
        bench.pass(HOUR);
        bench.claim_as(bench.worker, "a", 2).await;

        let of_a = waited(&bench, Some("a"), Resolution::Minute, 1).await;
        let minutes = waited(&bench, None, Resolution::Minute, 1).await;
        let hours = waited(&bench, None, Resolution::Hour, 1).await;

        let later = (HOUR + MINUTE, 1);
        let told = |rollups: &[WaitRollup]| rollups.iter().map(|rollup| rollup.waits).collect::<Vec<_>>();
        assert_eq!(of_a[0].start, Resolution::Minute.start(Resolution::Minute.number(claimed_at)));
        assert_eq!(told(&of_a), [waits(&[(MINUTE, 2)]), waits(&[later])]);
        assert_eq!(told(&minutes), [waits(&[(MINUTE, 3)]), waits(&[later])]);
        assert_eq!(told(&hours), [waits(&[(MINUTE, 3)]), waits(&[later])]);
    }

    async fn a_job_that_is_tried_again_has_waited_since_it_could_be_claimed_again(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.fail(&claimed, Class::Retry).await;
        bench.pass(HOUR);
        bench.release().await;
        bench.pass(MINUTE);
        bench.claim(1).await;

        let told = waited(&bench, None, Resolution::Hour, 24).await;

        let sum = |told: &[WaitRollup]| told.iter().flat_map(|one| one.waits.buckets().collect::<Vec<_>>()).collect::<Vec<_>>();
        let longest = sum(&told).last().copied();
        assert_eq!(told.iter().map(|one| one.waits.jobs()).sum::<u64>(), 2);
        assert_eq!(longest, waits(&[(MINUTE, 1)]).buckets().next());
    }

    async fn waits_that_were_written_down_are_added_to_those_of_before(bench: Bench) {
        for _ in 0..2 {
            bench.claimed(spec()).await;
            waited(&bench, None, Resolution::Minute, 1).await;
        }

        let told = waited(&bench, None, Resolution::Hour, 24).await;

        assert_eq!(told.iter().map(|one| one.waits.jobs()).sum::<u64>(), 2);
    }

    async fn waits_are_kept_as_long_as_what_came_and_went(bench: Bench) {
        bench.claimed(spec()).await;
        bench.sequence().await;
        waited(&bench, None, Resolution::Minute, 1).await;
        bench.pass(Resolution::Minute.kept() + 2 * HOUR);
        bench.store.prune(&FOR_LONG, ALL, bench.now()).await.unwrap();
        let minutes = waited(&bench, None, Resolution::Minute, 1).await;
        let hours = waited(&bench, None, Resolution::Hour, 1).await;
        bench.pass(Resolution::Hour.kept());
        bench.store.prune(&FOR_LONG, ALL, bench.now()).await.unwrap();
        let later = waited(&bench, None, Resolution::Hour, 1).await;

        assert_eq!((minutes, later), (vec![], vec![]));
        assert_eq!(hours.len(), 1);
    }

    async fn stops_and_nodes_that_join_are_marked(bench: Bench) {
        bench.change_queue("a", paused(true)).await;
        bench.change_queue("b", paused(true)).await;
        bench.change_queue("b", paused(false)).await;
        let node = joins(&bench, "1.2.3", None).await;
        joins(&bench, "1.2.3", Some(RemoteWorker::default())).await;

        let markers = marked(&bench, 60 * 24).await;

        assert_eq!(told_of(&markers), [("queue.paused", 2), ("queue.resumed", 1), ("worker.joined", 1)]);
        assert_eq!(markers[1].subject.as_deref(), Some("b"));
        assert_eq!((markers[2].subject.as_ref(), markers[2].version.as_deref()), (Some(&node), Some("1.2.3")));
    }

    async fn of_several_nodes_that_join_the_greatest_version_is_told(bench: Bench) {
        joins(&bench, "1.2.4", None).await;
        joins(&bench, "1.2.3", None).await;
        let at_once = marked(&bench, 1).await;
        joins(&bench, "1.2.2", None).await;

        let later = marked(&bench, 1).await;

        let versions = |markers: &[Marker]| markers.iter().map(|one| (one.n, one.version.clone())).collect::<Vec<_>>();
        assert_eq!(versions(&at_once), [(2, Some("1.2.4".to_owned()))]);
        assert_eq!(versions(&later), [(3, Some("1.2.4".to_owned()))]);
    }

    async fn jobs_of_a_campaign_have_waited_among_all_and_not_by_themselves(bench: Bench) {
        let line = CampaignId::new(bench.now()).to_string();
        let mut delivery = bench.new_job(spec());
        delivery.queue.clone_from(&line);
        bench.add(vec![delivery], Atomicity::Each).await;
        bench.claim_as(bench.worker, &line, 1).await;

        let of_all = waited(&bench, None, Resolution::Minute, 1).await;
        let of_line = waited(&bench, Some(&line), Resolution::Minute, 1).await;

        assert_eq!(of_all.len(), 1);
        assert_eq!(of_line, []);
    }

    async fn attempts_that_were_lost_are_marked_and_those_that_failed_are_not(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.fail(&claimed, Class::Retry).await;
        let claimed = bench.claimed(spec()).await;
        bench.lose(&claimed).await;

        let markers = marked(&bench, 1).await;

        assert_eq!(told_of(&markers), [(Marker::LOST, 1)]);
        assert_eq!(markers[0].subject, None);
    }

    async fn what_a_worker_calls_lost_is_no_lost_attempt(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let failure = Failure { class: Class::Retry, code: "lost".to_owned(), message: "lost".to_owned() };
        bench.settle(&claimed, Verdict::Failed { failure, retry_after: None }).await;

        let markers = marked(&bench, 1).await;

        assert_eq!(told_of(&markers), []);
    }

    async fn a_lost_attempt_of_a_job_that_was_to_be_canceled_is_marked(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let job = claimed.args.id;
        bench.store.request_cancel(job, None, bench.now()).await.unwrap();
        bench.lose(&claimed).await;

        let markers = marked(&bench, 1).await;

        assert_eq!(told_of(&markers), [(Marker::LOST, 1)]);
    }

    async fn markers_are_told_by_the_minute_or_some_of_them_as_one_and_kept_for_a_week(bench: Bench) {
        for is_paused in [true, false, true, false] {
            bench.change_queue("a", paused(is_paused)).await;
            bench.pass(MINUTE);
        }
        let single = marked(&bench, 1).await;
        let together = marked(&bench, 60 * 24 * 365).await;
        let recent = bench.store.markers(1, bench.now() - MINUTE).await.unwrap();
        bench.pass(Marker::KEPT + 2 * HOUR);
        bench.store.prune(&FOR_LONG, ALL, bench.now()).await.unwrap();

        assert_eq!(told_of(&single), [("queue.paused", 1), ("queue.resumed", 1), ("queue.paused", 1), ("queue.resumed", 1)]);
        assert!(single.is_sorted_by_key(|marker| marker.start));
        assert_eq!(told_of(&together), [("queue.paused", 2), ("queue.resumed", 2)]);
        assert_eq!(told_of(&recent), [("queue.resumed", 1)]);
        assert_eq!(marked(&bench, 1).await, []);
    }
}
