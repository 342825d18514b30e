//! Rollups: how many jobs came and went, span by span.

use baton_domain::{
    Timestamp,
    job::{Class, State},
    rollup::{Resolution, Rollup},
};

use super::{
    bench::{ALL, Bench, HOUR, MINUTE, in_queue, spec},
    promises,
    upkeep::FOR_LONG,
};
use crate::store::RollupRequest;

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
}
