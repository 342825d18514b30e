//! The stager enqueues what programs beside the server have asked for, in transactions of their own.

use async_trait::async_trait;
use baton_domain::{
    JobId, Timestamp,
    job::{FieldError, JobSpec, NewJob},
};
use baton_ports::{
    Wakeup,
    bisect::bisect,
    store::{self, Enqueued, StagedJob},
};

use super::SAFETY;
use crate::{Engine, Next, Routine, jobs::hint_of, routine::about};

/// How many staged jobs one turn takes: each can be half a MiB.
const BATCH: u32 = 100;

/// Enqueues what was staged.
pub struct Stager {
    pub(super) engine: Engine,
}

#[async_trait]
impl Routine for Stager {
    about!("stager": "enqueues what was asked for in transactions of other programs");

    fn woken_by(&self) -> &'static [Wakeup] {
        &[Wakeup::Staged]
    }

    async fn turn(&mut self) -> store::Result<Next> {
        let now = self.engine.now();
        let staged = self.engine.inner.store.staged(BATCH).await?;
        let (mut jobs, mut refused) = (Vec::new(), Vec::new());
        for one in &staged {
            match self.check(one, now) {
                Ok(job) => jobs.push(job),
                Err(errors) => refused.push((one.id, told(&errors))),
            }
        }
        for (place, error) in self.engine.on_wrong_sides(&jobs).await {
            refused.push((jobs[place].id, told(&[error])));
        }
        jobs.retain(|job| refused.iter().all(|(id, _)| *id != job.id));
        if !jobs.is_empty() {
            self.enqueue(jobs, now, &mut refused).await?;
        }
        for (id, why) in refused {
            self.refuse(id, &why).await?;
        }
        Ok(Next::now_if(staged.len() >= BATCH as usize, SAFETY))
    }
}

impl Stager {
    /// It is checked as of the moment it was asked for: what has expired since is a job that expired.
    fn check(&self, staged: &StagedJob, now: Timestamp) -> Result<NewJob, Vec<FieldError>> {
        let spec: JobSpec = serde_json::from_str(&staged.job)
            .map_err(|error| vec![FieldError::new("job", error.to_string())])?;
        let job = self.engine.inner.rules.check(spec, staged.at.min(now))?;
        Ok(NewJob {
            id: staged.id,
            ..job
        })
    }

    /// Enqueues them together; what cannot be had is added to what is refused.
    async fn enqueue(
        &self,
        jobs: Vec<NewJob>,
        now: Timestamp,
        refused: &mut Vec<(JobId, String)>,
    ) -> store::Result<()> {
        let store = &self.engine.inner.store;
        let ask = async |jobs: Vec<NewJob>| {
            let answers = store.enqueue_staged(jobs.clone(), now).await?;
            Ok(jobs.into_iter().zip(answers).collect::<Vec<_>>())
        };
        let enqueued = bisect(&jobs, false, ask).await?;
        for (job, error) in &enqueued.alone {
            refused.push((job.id, error.to_string()));
        }
        let mut made = Vec::new();
        for (job, answer) in enqueued.taken()?.into_iter().flatten() {
            match answer {
                Enqueued::Created(_) => made.push(job),
                Enqueued::Known(holder) => refused.push((
                    job.id,
                    taken(
                        &job,
                        holder,
                        "was asked for with the same content meanwhile",
                    ),
                )),
                Enqueued::Conflict(holder) => refused.push((
                    job.id,
                    taken(&job, holder, "was asked for with other content"),
                )),
            }
        }
        self.announce(&made, now);
        Ok(())
    }

    fn announce(&self, made: &[NewJob], now: Timestamp) {
        metrics::counter!("baton_staged_jobs_total", "outcome" => "enqueued")
            .increment(made.len() as u64);
        let inner = &self.engine.inner;
        let due = made.iter().filter(|job| job.run_at <= now);
        let lines = due.clone().map(|job| (job.queue.as_str(), job.worked_by));
        inner.batcher.joined(lines);
        inner.offers.claimable(due.map(hint_of));
        self.engine
            .announce(made.iter().any(|job| job.run_at > now));
    }

    /// Whoever asked is not there any more: it is written down for who looks for the job, and told in the log.
    async fn refuse(&self, id: JobId, why: &str) -> store::Result<()> {
        metrics::counter!("baton_staged_jobs_total", "outcome" => "refused").increment(1);
        tracing::warn!(job = %id, why, "a job that was asked for in a transaction of the database is refused: {why}");
        self.engine.inner.store.refuse_staged(id, why).await
    }
}

fn taken(job: &NewJob, holder: JobId, how: &str) -> String {
    let key = job.key.as_deref().unwrap_or_default();
    format!("the key {key:?} belongs to {holder}, which {how}")
}

fn told(errors: &[FieldError]) -> String {
    let each = errors
        .iter()
        .map(|error| format!("{}: {}", error.field, error.message));
    each.collect::<Vec<_>>().join("; ")
}
