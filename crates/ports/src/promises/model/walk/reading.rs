//! Everything that can be read, read from both.

use baton_domain::{
    JobId,
    event::Event,
    job::{Attempt, Job, State},
    operation::DeadLetterGroup,
};
use serde_json::Value;

use super::{super::super::bench::Bench, ModelWalk};
use crate::store::Result;

impl ModelWalk {
    /// Everything that can be read is read from both.
    pub(in crate::promises::model) async fn compare_everything(&mut self) {
        let now = self.store.now();
        let drifts = self.store.store.reconcile(now).await.expect("reconcile");
        self.compare("reconcile", &drifts, &vec![]);
        self.model.sequence().await;
        self.store.sequence().await;
        for id in &self.jobs {
            let model = self
                .model
                .store
                .job(*id)
                .await
                .expect("job")
                .map(comparable);
            let store = self
                .store
                .store
                .job(*id)
                .await
                .expect("job")
                .map(comparable);
            self.compare("job", &store, &model);
            if model.is_none() {
                // With a job goes what is needed to find its facts.
                continue;
            }
            both!(self, "attempts", |bench| attempts(bench, *id));
            both!(self, "checkpoints", |bench| bench.store.checkpoints(&[*id]));
            let model = story(&self.model, *id).await.expect("the model answers");
            let store = story(&self.store, *id).await.expect("the store answers");
            self.compare("story", &told_alike(store, &model), &model);
        }
        both!(self, "queues", |bench| bench.store.queues(now));
        both!(self, "groups", |bench| groups(bench));
        let drifts = self.store.store.reconcile(now).await.expect("reconcile");
        self.compare("reconcile", &drifts, &vec![]);
    }
}

/// A story without the particulars that the other one leaves out: a store may tell more.
fn told_alike(mut story: Story, other: &Story) -> Story {
    for ((_, data), (_, known)) in story.iter_mut().zip(other) {
        data.as_object_mut()
            .expect("facts hold objects")
            .retain(|name, _| known.get(name).is_some());
    }
    story
}

/// A job that runs or has ended is not due any more, so it does not matter what is shown for it.
fn comparable(job: Job) -> Job {
    let run_at = match job.state.is_terminal() || job.state == State::Running {
        true => job.created_at,
        false => job.run_at,
    };
    Job { run_at, ..job }
}

async fn attempts(bench: &Bench, id: JobId) -> Result<Vec<Attempt>> {
    bench.store.attempts(id).await
}

/// What was told of a job: kinds and particulars.
type Story = Vec<(String, Value)>;

/// The facts of a job without their numbers: those of one call have no order among jobs.
async fn story(bench: &Bench, id: JobId) -> Result<Story> {
    let facts = bench.store.job_events(id).await?;
    // Of its checkpoints a story tells the last at least.
    let moves = facts
        .into_iter()
        .filter(|fact| fact.kind != "job.checkpointed");
    let told = |fact: Event| (fact.kind, fact.data);
    Ok(moves.map(told).collect())
}

/// The groups of dead letters without their samples: any of a group may speak for it.
async fn groups(bench: &Bench) -> Result<Vec<(String, String, u64)>> {
    let page = bench.store.dead_letters(&Default::default()).await?;
    let told = |group: DeadLetterGroup| (group.fingerprint, group.kind, group.count);
    let mut groups: Vec<_> = page.items.into_iter().map(told).collect();
    groups.sort();
    Ok(groups)
}
