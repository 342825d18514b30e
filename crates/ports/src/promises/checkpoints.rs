//! Checkpoints: a job's own cursor is moved under its lease, and its next attempt begins there.

pub(super) mod again;
pub(super) mod children;
pub(super) mod progress;
pub(super) mod races;

use baton_domain::{JobId, checkpoint::Checkpoint};

use super::{
    bench::{Bench, HOUR, LEASE, SECOND, spec},
    promises,
};
use crate::store::{By, CheckpointOutcome, CheckpointStep, Claimed, Retention};

/// What a step without jobs is answered with when it is taken.
const TAKEN: CheckpointOutcome = CheckpointOutcome::Recorded {
    is_repeated: false,
    jobs: Vec::new(),
};
/// And when it was taken before.
const TAKEN_BEFORE: CheckpointOutcome = CheckpointOutcome::Recorded {
    is_repeated: true,
    jobs: Vec::new(),
};

/// A step of this attempt to a cursor.
fn step(claimed: &Claimed, seq: u64, cursor: &str) -> CheckpointStep {
    CheckpointStep {
        lease: claimed.lease,
        job: claimed.args.id,
        attempt: claimed.counters.attempt,
        seq,
        cursor: cursor.to_owned(),
        progress: None,
        jobs: Vec::new(),
    }
}

impl Bench {
    /// Takes a step as the bench's worker.
    async fn save(&self, step: &CheckpointStep) -> CheckpointOutcome {
        let taken = self.store.checkpoint(self.worker, step, self.now()).await;
        taken.expect("checkpoint")
    }

    /// Moves the cursor of an attempt, which goes well.
    async fn moves(&self, claimed: &Claimed, seq: u64, cursor: &str) {
        assert_eq!(self.save(&step(claimed, seq, cursor)).await, TAKEN);
    }

    async fn checkpoint(&self, job: JobId) -> Option<Checkpoint> {
        let found = self.store.checkpoints(&[job]).await.expect("checkpoints");
        found.into_iter().next()
    }

    async fn cursor(&self, job: JobId) -> Option<String> {
        self.checkpoint(job).await.and_then(|found| found.cursor)
    }

    /// Takes back what is overdue, as the rescuer does.
    async fn rescue_all(&self) {
        for held in self.overdue().await {
            let seen = self
                .lease_view(held.lease)
                .await
                .expect("the lease is there");
            let lost = held.lost(seen.until, self.now()).expect("it is lost");
            self.settle_as(By::Rescuer, lost).await;
        }
        self.release().await;
    }
}

promises! {
    async fn an_attempt_begins_at_the_last_checkpoint(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.moves(&claimed, 1, "{\"after\":7}").await;
        bench.pass(SECOND);
        bench.moves(&claimed, 2, "{\"after\":9}").await;

        bench.pass(LEASE + SECOND);
        bench.rescue_all().await;
        let again = bench.claim(1).await;

        let found = bench.checkpoint(claimed.args.id).await.unwrap();
        assert_eq!((found.seq, found.era, found.cursor.as_deref()), (2, 1, Some("{\"after\":9}")));
        assert!(!found.has_moved_in(again[0].counters.attempt));
        assert_eq!(found.at, bench.now() - LEASE - SECOND);
    }

    async fn a_job_that_says_nothing_has_no_checkpoint(bench: Bench) {
        let claimed = bench.claimed(spec()).await;

        assert_eq!(bench.store.checkpoints(&[claimed.args.id]).await.unwrap(), []);
    }

    async fn nobody_without_the_lease_moves_the_cursor(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let other = bench.claimed(spec()).await;
        let (own, stranger) = (step(&claimed, 1, "1"), bench.another_worker());

        let by_stranger = bench.store.checkpoint(stranger, &own, bench.now()).await.unwrap();
        let under_other = CheckpointStep { lease: other.lease, ..own.clone() };
        let of_another_attempt = CheckpointStep { attempt: 2, ..own.clone() };

        assert_eq!(by_stranger, CheckpointOutcome::Lost);
        assert_eq!(bench.save(&under_other).await, CheckpointOutcome::Lost);
        assert_eq!(bench.save(&of_another_attempt).await, CheckpointOutcome::Lost);
        assert_eq!(bench.checkpoint(claimed.args.id).await, None);
    }

    async fn a_checkpoint_after_its_attempt_has_ended_is_lost(bench: Bench) {
        let settled = bench.claimed(spec()).await;
        bench.succeed(&settled).await;
        let rescued = bench.claimed(spec()).await;
        bench.lose(&rescued).await;
        let taken_away = bench.claimed(spec()).await;
        let id = taken_away.args.id;
        assert!(bench.store.force_cancel(id, None, bench.now()).await.unwrap());

        for ended in [settled, rescued, taken_away] {
            assert_eq!(bench.save(&step(&ended, 1, "1")).await, CheckpointOutcome::Lost);
            assert_eq!(bench.checkpoint(ended.args.id).await, None);
        }
    }

    async fn one_of_a_batch_that_has_ended_is_lost_and_the_others_go_on(bench: Bench) {
        bench.enqueue_many(3, spec()).await;
        let batch = bench.claim(3).await;
        bench.succeed(&batch[1]).await;

        let mut answers = Vec::new();
        for claimed in &batch {
            answers.push(bench.save(&step(claimed, 1, "1")).await);
        }

        assert_eq!(answers, [TAKEN, CheckpointOutcome::Lost, TAKEN]);
    }

    async fn a_repeated_checkpoint_is_answered_as_before_and_moves_nothing(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.moves(&claimed, 1, "1").await;
        let before = bench.checkpoint(claimed.args.id).await;
        bench.pass(SECOND);

        let again = bench.save(&step(&claimed, 1, "1")).await;

        assert_eq!(again, TAKEN_BEFORE);
        assert_eq!(bench.checkpoint(claimed.args.id).await, before);
    }

    async fn another_place_under_a_number_that_was_taken_is_no_repeat(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.moves(&claimed, 1, "1").await;

        let other = bench.save(&step(&claimed, 1, "2")).await;

        assert_eq!(other, CheckpointOutcome::OutOfOrder { seq: 1 });
        assert_eq!(bench.cursor(claimed.args.id).await.as_deref(), Some("1"));
    }

    async fn an_answer_that_was_lost_is_heard_even_after_the_attempt_has_ended(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.moves(&claimed, 1, "1").await;
        bench.succeed(&claimed).await;

        assert_eq!(bench.save(&step(&claimed, 1, "1")).await, TAKEN_BEFORE);
    }

    async fn a_checkpoint_out_of_order_is_told_where_the_cursor_stands(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let early = bench.save(&step(&claimed, 2, "2")).await;
        bench.moves(&claimed, 1, "1").await;
        bench.moves(&claimed, 2, "2").await;

        let late = bench.save(&step(&claimed, 1, "0")).await;
        let ahead = bench.save(&step(&claimed, 4, "4")).await;

        assert_eq!(early, CheckpointOutcome::OutOfOrder { seq: 0 });
        assert_eq!(late, CheckpointOutcome::OutOfOrder { seq: 2 });
        assert_eq!(ahead, CheckpointOutcome::OutOfOrder { seq: 2 });
        assert_eq!(bench.cursor(claimed.args.id).await.as_deref(), Some("2"));
    }

    async fn a_checkpoint_goes_with_its_job(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.moves(&claimed, 1, "1").await;
        bench.succeed(&claimed).await;
        let kept = bench.checkpoint(claimed.args.id).await;
        bench.sequence().await;
        bench.pass(10_000 * HOUR);

        let pruned = bench.store.prune(&Retention::default(), 100, bench.now()).await.unwrap();

        assert_eq!((kept.is_some(), pruned.jobs), (true, 1));
        assert_eq!(bench.checkpoint(claimed.args.id).await, None);
    }

    async fn a_cursor_of_any_length_that_fits_is_kept_to_the_letter(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let most = baton_domain::checkpoint::LONGEST_CURSOR;
        let cursor = format!("\"{}é\\u0000'\"", "x".repeat(most - 11));
        assert_eq!(cursor.len(), most);

        bench.moves(&claimed, 1, &cursor).await;

        assert_eq!(bench.cursor(claimed.args.id).await, Some(cursor));
    }
}
