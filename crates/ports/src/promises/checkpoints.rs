//! Checkpoints: a job's own cursor is moved under its lease, and its next attempt begins there.

pub(super) mod children;
pub(super) mod races;

use std::time::Duration;

use baton_domain::{
    JobId,
    checkpoint::{Checkpoint, Progress},
    job::{Class, State, Trigger},
};

use super::{
    bench::{Bench, HOUR, LEASE, SECOND, attempt_counters, counters, spec},
    promises,
};
use crate::store::{
    By, CheckpointOutcome, CheckpointStep, Claimed, ProgressReport, Retention, UnclaimedTransition,
};

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

fn progress(done: u64) -> Progress {
    Progress {
        done,
        total: Some(10),
        note: Some("on its way".to_owned()),
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

    async fn reports(&self, claimed: &Claimed, done: u64) {
        let reports = [ProgressReport {
            lease: claimed.lease,
            job: claimed.args.id,
            attempt: claimed.counters.attempt,
            progress: progress(done),
        }];
        let said = self.store.progress(self.worker, &reports, self.now());
        said.await.expect("progress");
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

    async fn run_anew(&self, job: JobId, afresh: bool) {
        let change = UnclaimedTransition {
            afresh,
            job,
            transition: baton_domain::Lifecycle::on(State::Failed, Trigger::Redrive)
                .expect("a move"),
            reason: None,
        };
        let is_moved = self.store.transition(&change, self.now()).await;
        assert!(is_moved.expect("transition"));
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

    async fn an_attempt_that_moved_the_cursor_has_fresh_tries_and_losses(bench: Bench) {
        let mut claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        for round in 1..=5 {
            bench.moves(&claimed, round, &round.to_string()).await;
            bench.pass(LEASE + SECOND);
            bench.rescue_all().await;
            claimed = bench.claim(1).await.remove(0);
            assert_eq!(claimed.counters, attempt_counters(round as u32 + 1, 1, 1, 1));
        }
        for _ in 0..2 {
            bench.assert_state(id, State::Running).await;
            bench.pass(LEASE + SECOND);
            bench.rescue_all().await;
            bench.claim(1).await;
        }

        let job = bench.job(id).await;
        assert_eq!((job.state, job.reason.as_deref()), (State::Failed, Some("lost")));
    }

    async fn who_only_says_again_where_the_job_is_has_not_moved_it(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.moves(&claimed, 1, "null").await;
        let at_the_start = bench.checkpoint(claimed.args.id).await.unwrap().moved;
        bench.moves(&claimed, 2, "1").await;
        bench.pass(LEASE + SECOND);
        bench.rescue_all().await;
        let again = bench.claim(1).await.remove(0);

        bench.moves(&again, 3, "1").await;
        let said_again = bench.checkpoint(claimed.args.id).await.unwrap().moved;
        bench.moves(&again, 4, "2").await;
        bench.moves(&again, 5, "2").await;
        let moved = bench.checkpoint(claimed.args.id).await.unwrap().moved;

        assert_eq!((at_the_start, said_again, moved), (false, false, true));
    }

    async fn a_retry_goes_on_after_the_cursor(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        bench.moves(&claimed, 1, "1").await;
        bench.fail(&claimed, Class::Permanent).await;
        let before = bench.checkpoint(id).await;

        bench.run_anew(id, false).await;
        let again = bench.claim(1).await.remove(0);

        assert_eq!(bench.checkpoint(id).await, before);
        assert_eq!(counters(&bench.job(id).await), attempt_counters(2, 1, 0, 2));
        bench.moves(&again, 2, "2").await;
    }

    async fn a_retry_afresh_begins_an_era_without_a_cursor(bench: Bench) {
        let moved = bench.claimed(spec()).await;
        bench.moves(&moved, 1, "1").await;
        bench.reports(&moved, 3).await;
        let unmoved = bench.claimed(spec()).await;

        for claimed in [&moved, &unmoved] {
            bench.fail(claimed, Class::Permanent).await;
            bench.run_anew(claimed.args.id, true).await;
        }

        for (claimed, seq) in [(moved, 1), (unmoved, 0)] {
            let found = bench.checkpoint(claimed.args.id).await.unwrap();
            assert_eq!((found.seq, found.era), (seq, 2));
            assert_eq!((found.cursor, found.progress, found.moved), (None, None, false));
            assert_eq!(bench.save(&step(&claimed, 1, "1")).await, CheckpointOutcome::Lost);
        }
    }

    async fn a_retry_that_comes_too_late_empties_nothing(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.moves(&claimed, 1, "1").await;
        bench.succeed(&claimed).await;
        let change = UnclaimedTransition {
            afresh: true,
            job: claimed.args.id,
            transition: baton_domain::Lifecycle::on(State::Failed, Trigger::Redrive).unwrap(),
            reason: None,
        };

        let is_moved = bench.store.transition(&change, bench.now()).await.unwrap();

        assert!(!is_moved);
        assert_eq!(bench.cursor(claimed.args.id).await.as_deref(), Some("1"));
    }

    async fn progress_is_seen_and_moves_no_cursor(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        bench.reports(&claimed, 1).await;
        let first = bench.checkpoint(id).await.unwrap();
        bench.moves(&claimed, 1, "1").await;
        bench.reports(&claimed, 2).await;

        let then = bench.checkpoint(id).await.unwrap();

        assert_eq!((first.seq, first.cursor, first.progress), (0, None, Some(progress(1))));
        assert_eq!((then.seq, then.cursor.as_deref(), then.progress), (1, Some("1"), Some(progress(2))));
    }

    async fn progress_is_heard_of_the_holder_alone(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.reports(&claimed, 1).await;
        bench.lose(&claimed).await;

        bench.reports(&claimed, 2).await;

        let found = bench.checkpoint(claimed.args.id).await.unwrap();
        assert_eq!(found.progress, Some(progress(1)));
    }

    async fn a_checkpoint_without_progress_leaves_what_people_see(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let first = CheckpointStep { progress: Some(progress(1)), ..step(&claimed, 1, "1") };
        bench.save(&first).await;

        bench.moves(&claimed, 2, "2").await;

        let found = bench.checkpoint(claimed.args.id).await.unwrap();
        assert_eq!(found.progress, Some(progress(1)));
    }

    async fn an_event_tells_of_checkpoints_once_a_second_and_never_the_cursor(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        for seq in 1..=6 {
            let one = CheckpointStep { progress: Some(progress(seq)), ..step(&claimed, seq, "\"secret\"") };
            bench.save(&one).await;
            bench.pass(Duration::from_millis(400));
        }

        let facts = bench.facts().await;

        let told: Vec<_> = facts.iter().filter(|fact| fact.kind == "job.checkpointed").collect();
        let numbers: Vec<_> = told.iter().map(|fact| fact.data["seq"].as_u64()).collect();
        assert_eq!(numbers, [Some(1), Some(4)]);
        assert_eq!((&told[1].data["done"], &told[1].data["total"]), (&4.into(), &10.into()));
        assert_eq!((&told[1].data["attempt"], &told[1].data["queue"]), (&1.into(), &"default".into()));
        assert_eq!((told[1].data.get("from"), told[1].data.get("to")), (None, None));
        assert!(facts.iter().all(|fact| !fact.data.to_string().contains("secret")));
    }

    async fn the_story_of_a_job_tells_of_its_last_checkpoint(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        for seq in 1..=3 {
            bench.pass(SECOND);
            bench.moves(&claimed, seq, "1").await;
        }
        bench.pass(SECOND);
        bench.succeed(&claimed).await;

        let story = bench.story(claimed.args.id).await;

        let last: Vec<_> = story.iter().rev().take(2).collect();
        assert_eq!((last[0].kind.as_str(), last[1].kind.as_str()), ("job.succeeded", "job.checkpointed"));
        assert_eq!(last[1].data["seq"], 3);
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
