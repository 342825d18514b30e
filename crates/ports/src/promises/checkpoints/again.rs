//! Running again: after the cursor with fresh tries, or afresh.

use baton_domain::{
    JobId, Lifecycle,
    job::{Class, State, Trigger},
    operation::{Action, DeadLetterFilter},
};

use super::{
    super::{
        bench::{Bench, LEASE, SECOND, attempt_counters, counters, spec},
        promises,
    },
    step,
};
use crate::store::{CheckpointOutcome, UnclaimedTransition};

impl Bench {
    async fn run_anew(&self, job: JobId, afresh: bool) {
        let change = UnclaimedTransition {
            afresh,
            job,
            transition: State::Failed.on(Trigger::Redrive).expect("a move"),
            reason: None,
        };
        let is_moved = self.store.transition(&change, self.now()).await;
        assert!(is_moved.expect("transition"));
    }
}

promises! {
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

    async fn dead_letters_that_are_run_again_go_on_after_their_cursors(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.moves(&claimed, 1, "1").await;
        bench.fail(&claimed, Class::Permanent).await;
        let before = bench.checkpoint(claimed.args.id).await;

        bench.begin(Action::Retry, DeadLetterFilter::default()).await;
        bench.finish_operations().await;

        bench.assert_state(claimed.args.id, State::Queued).await;
        assert_eq!(bench.checkpoint(claimed.args.id).await, before);
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
            transition: State::Failed.on(Trigger::Redrive).unwrap(),
            reason: None,
        };

        let is_moved = bench.store.transition(&change, bench.now()).await.unwrap();

        assert!(!is_moved);
        assert_eq!(bench.cursor(claimed.args.id).await.as_deref(), Some("1"));
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
}
