//! How a job is shown, and how lists of jobs are asked for.

use std::time::Duration;

use baton_domain::{
    CampaignId, JobId, Timestamp, Trace, WorkerId,
    checkpoint::{Checkpoint, Progress},
    delivery, duration,
    job::{self, Backoff, DeliveryGuarantee, Failure, NewJob, State},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Json;

/// A job: what was asked, and where it is now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Job {
    /// Its id.
    #[schema(value_type = String, example = "job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")]
    pub id: JobId,
    /// The caller's own key, if one was given.
    pub key: Option<String>,
    /// The name that chooses the handler.
    pub kind: String,
    /// The queue it stands in.
    pub queue: String,
    /// Where it is.
    pub state: State,
    /// Why it is there, for `failed`, `canceled` and `skipped`.
    pub reason: Option<String>,
    /// Smaller is sooner.
    pub priority: i16,
    /// The handler's arguments, to the letter as they came, but for headers that carry credentials: those say `(hidden)`.
    pub payload: Json,
    /// Not before this moment.
    pub run_at: Timestamp,
    /// Numbers the claims; 0 before the first.
    pub attempt: u32,
    /// Attempts that count against `max_attempts`, the present or last one included.
    pub tries: u32,
    /// How many tries it has.
    pub max_attempts: u32,
    /// Attempts that ended without a word, in this run.
    pub losses: u32,
    /// The campaign it belongs to.
    #[schema(value_type = Option<String>)]
    pub campaign_id: Option<CampaignId>,
    /// The recipient it is for.
    pub recipient_id: Option<String>,
    /// How far it is, as its worker has told; told of one job alone, and null in lists.
    #[serde(default)]
    pub progress: Option<Progress>,
    /// Its own word for where it is, behind which its next attempt begins; told of one job alone, and null in lists.
    #[serde(default)]
    #[schema(value_type = Json, required = false)]
    pub cursor: Option<Json>,
    /// When it moved its cursor last; told of one job alone, and null in lists.
    #[serde(default)]
    pub checkpointed_at: Option<Timestamp>,
    /// Why the last attempt failed, if it did.
    pub last_error: Option<Failure>,
    /// What the handler answered.
    #[schema(value_type = Json, required = false)]
    pub result: Option<Json>,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it last moved.
    pub updated_at: Timestamp,
    /// When it reached a terminal state.
    pub finished_at: Option<Timestamp>,
    /// The worker that has it, while it runs.
    #[schema(value_type = Option<String>)]
    pub worker: Option<WorkerId>,
    /// 1, and one more each time a person runs it again.
    pub run: u32,
    /// When to try again.
    pub backoff: Backoff,
    /// How long one attempt may take.
    #[serde(with = "duration")]
    #[schema(value_type = duration::Span)]
    pub timeout: Duration,
    /// Not after this moment.
    pub expires_at: Option<Timestamp>,
    /// What to do when the outcome of a call is in doubt.
    pub delivery: DeliveryGuarantee,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// The trace of whoever asked for it.
    #[serde(default)]
    pub trace: Option<Trace>,
    /// Until when its worker has it.
    pub leased_until: Option<Timestamp>,
    /// When somebody asked it to stop, while it runs.
    pub cancel_asked_at: Option<Timestamp>,
}

impl Job {
    /// The same with how far it is.
    #[must_use]
    pub fn with_checkpoint(self, checkpoint: Option<Checkpoint>) -> Self {
        let Some(checkpoint) = checkpoint else {
            return self;
        };
        Self {
            checkpointed_at: (checkpoint.seq > 0).then_some(checkpoint.at),
            cursor: checkpoint.cursor.as_deref().map(Json::from_text),
            progress: checkpoint.progress,
            ..self
        }
    }
}

impl From<job::Job> for Job {
    fn from(job: job::Job) -> Self {
        let carried = DeliveryRefs::by(&job.kind, &job.payload);
        let payload = Json::from_text(&job::masked(&job.kind, &job.payload));
        let options = job.options;
        Self {
            id: job.id,
            key: job.key,
            kind: job.kind,
            queue: job.queue,
            state: job.state,
            reason: job.reason,
            priority: job.priority,
            payload,
            run_at: job.run_at,
            attempt: job.attempt,
            tries: job.tries,
            max_attempts: options.max_attempts,
            losses: job.losses,
            campaign_id: carried.campaign_id,
            recipient_id: carried.recipient_id,
            progress: None,
            cursor: None,
            checkpointed_at: None,
            last_error: job.last_error,
            result: job.result.as_deref().map(Json::from_text),
            created_at: job.created_at,
            updated_at: job.updated_at,
            finished_at: job.finished_at,
            worker: job.worker,
            run: job.run,
            backoff: options.backoff,
            timeout: options.timeout,
            expires_at: job.expires_at,
            delivery: options.delivery,
            tags: options.tags,
            trace: options.trace,
            leased_until: job.leased_until,
            cancel_asked_at: job.cancel_asked_at,
        }
    }
}

impl From<NewJob> for Job {
    fn from(job: NewJob) -> Self {
        Self::from(job::Job::from(job))
    }
}

/// Whom a delivery is for, and which campaign it belongs to.
#[derive(Default, Deserialize)]
struct DeliveryRefs {
    campaign_id: Option<CampaignId>,
    recipient_id: Option<String>,
}

impl DeliveryRefs {
    /// What the payload of a job says; nothing of one that is no delivery.
    fn by(kind: &str, payload: &str) -> Self {
        if kind != delivery::KIND {
            return Self::default();
        }
        serde_json::from_str(payload).unwrap_or_default()
    }
}

/// Which jobs a list shows; what is not given does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct JobsQuery {
    /// In this state.
    pub state: Option<State>,
    /// Of this kind.
    pub kind: Option<String>,
    /// In this queue.
    pub queue: Option<String>,
    /// With this tag.
    pub tag: Option<String>,
    /// Of this campaign.
    #[param(value_type = Option<String>)]
    pub campaign: Option<CampaignId>,
    /// With this key.
    pub key: Option<String>,
    /// How many jobs at most.
    #[param(minimum = 1, maximum = 500, default = 50)]
    pub limit: Option<u32>,
    /// Where the last page ended, as its `next` said.
    pub after: Option<String>,
}
