//! The jobs that a checkpoint makes: they exist once, and exactly when the cursor is there.

use std::collections::BTreeSet;

use baton_domain::{
    JobId,
    job::{JobSpec, NewJob, State},
    queue::WorkedBy,
};

use super::{
    super::{
        bench::{Bench, HOUR, LEASE, SECOND, delayed, ids, in_queue, keyed, spec},
        promises,
    },
    step,
};
use crate::store::{Atomicity, CheckpointOutcome, CheckpointStep, Claimed, Enqueued};

impl Bench {
    /// A step that makes jobs.
    fn step_with(&self, claimed: &Claimed, seq: u64, specs: Vec<JobSpec>) -> CheckpointStep {
        let jobs = specs.into_iter().map(|spec| self.new_job(spec));
        CheckpointStep {
            jobs: jobs.collect(),
            ..step(claimed, seq, &seq.to_string())
        }
    }

    /// What a step has made, which goes well.
    async fn made(&self, step: &CheckpointStep) -> Vec<JobId> {
        match self.save(step).await {
            CheckpointOutcome::Recorded {
                is_repeated: false,
                jobs,
            } => jobs.iter().map(Enqueued::id).collect(),
            other => panic!("it is not taken: {other:?}"),
        }
    }
}

promises! {
    async fn what_a_checkpoint_makes_is_there_with_its_cursor(bench: Bench) {
        let claimed = bench.claimed(in_queue("walks")).await;
        let specs = vec![spec(), delayed(HOUR), keyed("k")];
        let step = bench.step_with(&claimed, 1, specs);

        let made = bench.made(&step).await;

        bench.assert_state(made[0], State::Queued).await;
        bench.assert_state(made[1], State::Pending).await;
        let third = bench.job(made[2]).await;
        assert_eq!((third.key.as_deref(), third.created_at), (Some("k"), bench.now()));
        assert_eq!(bench.cursor(claimed.args.id).await.as_deref(), Some("1"));
        assert_eq!(bench.plot(made[0]).await, ["job.queued"]);
    }

    async fn what_a_checkpoint_makes_runs_in_its_order(bench: Bench) {
        let claimed = bench.claimed(in_queue("walks")).await;
        let step = bench.step_with(&claimed, 1, vec![spec(); 20]);
        let step = CheckpointStep {
            jobs: step.jobs.into_iter().map(|job| NewJob { run_at: bench.now(), ..job }).collect(),
            ..step
        };

        let made = bench.made(&step).await;
        let next = bench.claim(20).await;

        assert_eq!(ids(&next), made);
    }

    async fn a_repeated_checkpoint_names_the_jobs_of_the_first_time(bench: Bench) {
        let known = bench.enqueue(keyed("known")).await;
        let claimed = bench.claimed(in_queue("walks")).await;
        let step = bench.step_with(&claimed, 1, vec![spec(), keyed("mine"), keyed("known")]);
        let first = bench.save(&step).await;
        bench.pass(SECOND);

        let again = bench.save(&step).await;

        let CheckpointOutcome::Recorded { is_repeated: false, jobs } = first else {
            panic!("{first:?}");
        };
        assert_eq!(jobs[2], Enqueued::Known(known));
        assert_eq!(again, CheckpointOutcome::Recorded { is_repeated: true, jobs });
        assert_eq!(bench.queue("default").await.queued, 3);
    }

    async fn jobs_of_one_lease_make_jobs_of_their_own(bench: Bench) {
        bench.enqueue_many(5, in_queue("walks")).await;
        let batch = bench.claim_as(bench.worker, "walks", 5).await;

        let mut made = BTreeSet::new();
        for claimed in &batch {
            let step = bench.step_with(claimed, 1, vec![spec(); 3]);
            let at = baton_domain::Timestamp::from_micros(1_700_000_041_000_000);
            let taken = bench.store.checkpoint(bench.worker, &step, at).await.unwrap();
            let CheckpointOutcome::Recorded { jobs, .. } = taken else { panic!("{taken:?}") };
            made.extend(jobs.iter().map(Enqueued::id));
        }

        assert_eq!(made.len(), 15);
        assert_eq!(bench.queue("default").await.queued, 15);
    }

    async fn a_key_that_is_taken_otherwise_takes_all_of_a_checkpoint_back(bench: Bench) {
        let holder = bench.enqueue(keyed("taken")).await;
        let claimed = bench.claimed(in_queue("walks")).await;
        let other = JobSpec { payload: "7".to_owned(), ..keyed("taken") };
        let step = bench.step_with(&claimed, 1, vec![spec(), keyed("free"), other]);

        let answer = bench.save(&step).await;

        let CheckpointOutcome::Conflict { jobs } = answer else { panic!("{answer:?}") };
        assert_eq!(jobs[2], Enqueued::Conflict(holder));
        assert_eq!(bench.checkpoint(claimed.args.id).await, None);
        assert_eq!(bench.queue("default").await.queued, 1);
        let mended = bench.step_with(&claimed, 1, vec![keyed("free")]);
        bench.made(&mended).await;
    }

    async fn what_is_lost_or_out_of_order_makes_nothing(bench: Bench) {
        let claimed = bench.claimed(in_queue("walks")).await;
        let ahead = bench.step_with(&claimed, 2, vec![spec(), keyed("ahead")]);
        let late = bench.step_with(&claimed, 1, vec![spec(), keyed("late")]);

        let out_of_order = bench.save(&ahead).await;
        bench.succeed(&claimed).await;
        let lost = bench.save(&late).await;

        assert_eq!(out_of_order, CheckpointOutcome::OutOfOrder { seq: 0 });
        assert_eq!(lost, CheckpointOutcome::Lost);
        let again = bench.new_job(JobSpec { payload: "7".to_owned(), ..keyed("ahead") });
        let id = again.id;
        assert_eq!(bench.add(vec![again], Atomicity::All).await, [Enqueued::Created(id)]);
        assert_eq!(bench.queue("default").await.queued, 1);
    }

    async fn a_walk_that_loses_every_worker_makes_each_job_once(bench: Bench) {
        let mut claimed = bench.claimed(in_queue("walks")).await;
        let mut made = Vec::new();
        for seq in 1..=4 {
            let step = bench.step_with(&claimed, seq, vec![spec(), spec()]);
            made.extend(bench.made(&step).await);
            let next = bench.step_with(&claimed, seq + 1, vec![spec()]);
            bench.pass(LEASE + SECOND);
            bench.rescue_all().await;
            assert_eq!(bench.save(&next).await, CheckpointOutcome::Lost);
            claimed = bench.claim_as(bench.worker, "walks", 1).await.remove(0);
        }

        let once: BTreeSet<_> = made.iter().collect();
        assert_eq!(once.len(), 8);
        assert_eq!(bench.queue("default").await.queued, 8);
    }

    async fn a_thousand_jobs_come_with_one_checkpoint(bench: Bench) {
        let claimed = bench.claimed(in_queue("walks")).await;
        let step = bench.step_with(&claimed, 1, vec![spec(); 1_000]);

        let made = bench.made(&step).await;

        assert!(made.is_sorted());
        assert_eq!(bench.queue("default").await.queued, 1_000);
    }

    async fn the_queues_of_what_a_checkpoint_makes_have_the_sides_it_says(bench: Bench) {
        let claimed = bench.claimed(in_queue("walks")).await;
        let step = bench.step_with(&claimed, 1, vec![in_queue("resize"), in_queue("mails")]);
        let mut jobs = step.jobs.clone();
        jobs[0].worked_by = WorkedBy::Remote;

        bench.made(&CheckpointStep { jobs, ..step }).await;

        let names = ["mails".to_owned(), "resize".to_owned()];
        let sides = bench.store.worked_by(&names).await.unwrap();
        let [mails, resize] = names;
        assert_eq!(sides, [(mails, WorkedBy::Server), (resize, WorkedBy::Remote)]);
    }
}
