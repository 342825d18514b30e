//! What people see of a job that goes on: its progress, and events now and then.

use std::time::Duration;

use baton_domain::checkpoint::Progress;

use super::{
    super::{
        bench::{Bench, SECOND, spec},
        promises,
    },
    step,
};
use crate::store::{CheckpointStep, Claimed, ProgressReport};

fn progress(done: u64) -> Progress {
    Progress {
        done,
        total: Some(10),
        note: Some("on its way".to_owned()),
    }
}

impl Bench {
    pub(super) async fn reports(&self, claimed: &Claimed, done: u64) {
        let reports = [ProgressReport {
            lease: claimed.lease,
            job: claimed.args.id,
            attempt: claimed.counters.attempt,
            progress: progress(done),
        }];
        let said = self.store.progress(self.worker, &reports, self.now());
        said.await.expect("progress");
    }
}

promises! {
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
}
