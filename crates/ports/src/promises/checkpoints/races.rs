//! Races of a checkpoint: against itself, a result, the rescuer and whoever takes the job away.

use baton_domain::job::State;
use tokio::task::JoinSet;

use super::{
    super::{
        bench::{Bench, LEASE, SECOND, in_queue, spec},
        promises,
    },
    step,
};
use crate::store::{By, CheckpointOutcome, CheckpointStep, Claimed, SettleOutcome};

/// How often each race is run.
const ROUNDS: usize = 10;

/// A step that makes two jobs, while something else happens to its job.
async fn beside<T: Send + 'static>(
    bench: &Bench,
    claimed: &Claimed,
    other: impl Future<Output = T> + Send + 'static,
) -> (CheckpointOutcome, T) {
    let taken = CheckpointStep {
        jobs: vec![bench.new_job(spec()), bench.new_job(spec())],
        ..step(claimed, 1, "1")
    };
    let taking = bench.clone();
    let taking = tokio::spawn(async move { taking.save(&taken).await });
    let other = tokio::spawn(other);
    (
        taking.await.expect("it is taken"),
        other.await.expect("it happens"),
    )
}

/// Sees that a step is either taken whole, or lost with all that came with it.
async fn is_whole(bench: &Bench, claimed: &Claimed, taken: CheckpointOutcome, made: &mut u64) {
    let cursor = bench.cursor(claimed.args.id).await;
    match taken {
        CheckpointOutcome::Recorded {
            is_repeated: false,
            jobs,
        } => {
            *made += jobs.len() as u64;
            assert_eq!(cursor.as_deref(), Some("1"));
        }
        CheckpointOutcome::Lost => assert_eq!(cursor, None),
        other => panic!("{other:?}"),
    }
    bench.sequence().await;
    let queues = bench.store.queues(bench.now()).await.expect("queues");
    let line = queues.iter().find(|queue| queue.name == "default");
    assert_eq!(line.map_or(0, |queue| queue.queued), *made);
}

promises! {
    async fn a_checkpoint_beside_the_result_of_its_attempt_is_whole_or_lost(bench: Bench) {
        let mut made = 0;
        for _ in 0..ROUNDS {
            let claimed = bench.claimed(in_queue("walks")).await;
            let (own, ended) = (bench.clone(), claimed.clone());

            let (taken, settled) = beside(&bench, &claimed, async move { own.succeed(&ended).await }).await;

            assert_eq!(settled, SettleOutcome::Recorded);
            bench.assert_state(claimed.args.id, State::Succeeded).await;
            is_whole(&bench, &claimed, taken, &mut made).await;
        }
    }

    async fn a_checkpoint_beside_the_rescuer_is_whole_or_lost(bench: Bench) {
        let mut made = 0;
        for _ in 0..ROUNDS {
            let claimed = bench.claimed(in_queue("walks")).await;
            bench.pass(LEASE + SECOND);
            let loss = bench.loss(&claimed).await;
            let own = bench.clone();

            let (taken, settled) = beside(&bench, &claimed, async move { own.settle_as(By::Rescuer, loss).await }).await;

            assert_eq!(settled, SettleOutcome::Recorded);
            is_whole(&bench, &claimed, taken, &mut made).await;
        }
    }

    async fn a_checkpoint_beside_whoever_takes_the_job_away_is_whole_or_lost(bench: Bench) {
        let mut made = 0;
        for _ in 0..ROUNDS {
            let claimed = bench.claimed(in_queue("walks")).await;
            let (own, id) = (bench.clone(), claimed.args.id);

            let (taken, is_taken_away) = beside(&bench, &claimed, async move {
                own.store.force_cancel(id, None, own.now()).await.unwrap()
            }).await;

            assert!(is_taken_away);
            bench.assert_state(id, State::Canceled).await;
            is_whole(&bench, &claimed, taken, &mut made).await;
        }
    }

    async fn of_a_checkpoint_that_is_said_many_times_at_once_one_is_taken(bench: Bench) {
        for seq in 1..=3 {
            let claimed = bench.claimed(in_queue("walks")).await;
            let said = CheckpointStep {
                jobs: vec![bench.new_job(spec())],
                ..step(&claimed, 1, "1")
            };
            let mut callers = JoinSet::new();
            for _ in 0..8 {
                let (bench, said) = (bench.clone(), said.clone());
                callers.spawn(async move { bench.save(&said).await });
            }

            let answers = callers.join_all().await;

            let made = |answer: &CheckpointOutcome| match answer {
                CheckpointOutcome::Recorded { jobs, .. } => jobs.clone(),
                other => panic!("{other:?}"),
            };
            let is_first = |answer: &&CheckpointOutcome| matches!(answer, CheckpointOutcome::Recorded { is_repeated: false, .. });
            assert_eq!(answers.iter().filter(is_first).count(), 1);
            assert!(answers.iter().all(|answer| made(answer) == made(&answers[0])));
            assert_eq!(bench.queue("default").await.queued, seq);
        }
    }

    async fn renewals_and_checkpoints_under_one_lease_get_past_each_other(bench: Bench) {
        bench.enqueue_many(8, in_queue("walks")).await;
        let batch = bench.claim_as(bench.worker, "walks", 8).await;
        let lease = batch[0].lease;

        let mut callers = JoinSet::new();
        for claimed in batch {
            let bench = bench.clone();
            callers.spawn(async move {
                for seq in 1..=10 {
                    bench.moves(&claimed, seq, &seq.to_string()).await;
                }
            });
        }
        let renewing = bench.clone();
        callers.spawn(async move {
            for _ in 0..20 {
                assert_eq!(renewing.renew(&[lease]).await.leases, [lease]);
            }
        });
        callers.join_all().await;

        let story = bench.store.leases(10).await.unwrap();
        assert_eq!(story.len(), 1);
    }
}
