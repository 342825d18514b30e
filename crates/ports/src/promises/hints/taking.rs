//! Taking: who gets what, and how long one waits for it.

use std::{collections::BTreeSet, time::Duration};

use tokio::{task::JoinSet, time::Instant};

use super::bench::{ALL, HintsBench, LONG, NONE, NOW, QUEUE, another_worker, jobs, some};
use crate::{hints::HintError, promises::promises};

const SHORT: Duration = Duration::from_millis(100);

promises! {
    async fn no_more_are_taken_than_were_asked_for(bench: HintsBench) {
        bench.open(1).await;
        let offered = bench.offer(QUEUE, 5).await;

        let taken = bench.take(2).await;

        assert_eq!(taken, offered[..2]);
        assert_eq!(bench.lengths(&[QUEUE]).await, [3]);
    }

    async fn trimmed_hints_are_gone_and_those_behind_them_are_taken(bench: HintsBench) {
        bench.open(1).await;
        let offered = bench.offer(QUEUE, 5).await;

        bench.hints.trim(QUEUE, 3).await.unwrap();

        assert_eq!(bench.take(ALL).await, offered[3..]);
    }

    async fn trimming_more_than_there_is_leaves_an_empty_queue_that_can_be_offered_to(bench: HintsBench) {
        bench.open(1).await;
        bench.offer(QUEUE, 5).await;

        bench.hints.trim(QUEUE, 100).await.unwrap();
        bench.hints.trim(QUEUE, 100).await.unwrap();
        let offered = bench.offer(QUEUE, 1).await;

        assert_eq!(bench.take(ALL).await, offered);
    }

    async fn asking_for_none_takes_none(bench: HintsBench) {
        bench.open(1).await;
        bench.offer(QUEUE, 1).await;

        assert_eq!(bench.take(0).await, NONE);
        assert_eq!(bench.lengths(&[QUEUE]).await, [1]);
    }

    async fn each_hint_has_one_consumer(bench: HintsBench) {
        bench.open(1).await;
        let offered = bench.offer(QUEUE, 1_000).await;
        let mut consumers = JoinSet::new();
        for _ in 0..8 {
            let bench = HintsBench { worker: another_worker(), ..bench.clone() };
            consumers.spawn(async move {
                let mut mine = Vec::new();
                loop {
                    let taken = bench.take(7).await;
                    if taken.is_empty() {
                        return mine;
                    }
                    mine.extend(taken);
                }
            });
        }

        let taken = consumers.join_all().await.concat();

        assert_eq!(taken.len(), offered.len());
        assert_eq!(BTreeSet::from_iter(taken), BTreeSet::from_iter(offered));
    }

    async fn without_a_hint_one_waits_as_long_as_one_is_patient(bench: HintsBench) {
        bench.open(1).await;
        let start = Instant::now();

        let taken = bench.hints.take(bench.worker, QUEUE, ALL, SHORT).await.unwrap();

        assert_eq!(taken, NONE);
        assert!((SHORT..LONG).contains(&start.elapsed()));
    }

    async fn who_waits_is_woken_by_an_offer(bench: HintsBench) {
        bench.open(1).await;
        let waiting = spawn_take(&bench, QUEUE);

        let offered = some(QUEUE, 1);
        bench.hints.offer(&offered).await.unwrap();

        assert_eq!(waiting.await.unwrap().unwrap(), jobs(&offered));
    }

    async fn who_waits_is_not_woken_by_an_offer_to_another_queue(bench: HintsBench) {
        bench.open(1).await;
        let waiting = spawn_take(&bench, "a");

        bench.offer("b", 1).await;
        let offered = bench.offer("a", 1).await;

        assert_eq!(waiting.await.unwrap().unwrap(), offered);
    }

    async fn many_wait_on_many_queues_at_once(bench: HintsBench) {
        bench.open(1).await;
        let queues: Vec<_> = (0..20).map(|number| format!("queue-{number}")).collect();
        let waiting: Vec<_> = queues.iter().map(|queue| spawn_take(&bench, queue)).collect();

        let offered: Vec<_> = queues.iter().flat_map(|queue| some(queue, 1)).collect();
        bench.hints.offer(&offered).await.unwrap();

        for (waiting, hint) in waiting.into_iter().zip(&offered) {
            assert_eq!(waiting.await.unwrap().unwrap(), [hint.job]);
        }
    }

    async fn an_entry_that_nobody_offered_leads_to_no_error_and_is_gone_after(bench: HintsBench) {
        bench.open(1).await;
        for _ in 0..5 {
            (bench.poison)(QUEUE);
        }
        let offered = bench.offer(QUEUE, 1).await;

        let mut taken = Vec::new();
        while !taken.contains(&offered[0]) {
            taken.extend(bench.hints.take(bench.worker, QUEUE, 1, NOW).await.unwrap());
        }

        bench.drop_taken(QUEUE, &taken).await;
        assert_eq!(bench.give_back().await, 0);
        assert_eq!(bench.lengths(&[QUEUE]).await, [0]);
    }

    async fn who_waits_hears_at_once_that_everything_is_lost(bench: HintsBench) {
        bench.open(1).await;
        let waiting = spawn_take(&bench, QUEUE);

        (bench.forget)();

        assert_eq!(waiting.await.unwrap(), Err(HintError::Building));
    }
}

fn spawn_take(
    bench: &HintsBench,
    queue: &str,
) -> tokio::task::JoinHandle<crate::hints::Result<Vec<baton_domain::JobId>>> {
    let (bench, queue) = (bench.clone(), queue.to_owned());
    tokio::spawn(async move { bench.hints.take(bench.worker, &queue, ALL, LONG).await })
}
