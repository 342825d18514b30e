//! A template: what a schedule makes each time.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{
    Json, Timestamp, duration,
    job::{Backoff, DeliveryGuarantee, FieldError, JobSpec, Limits, NewJob, masked},
    json::{nothing, text},
    strict,
};

/// What a schedule makes each time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Template {
    /// A job.
    Job(#[serde(with = "StoredTemplate")] JobTemplate),
    /// A campaign.
    Campaign(Value),
}

/// A job as a schedule makes it each time. It has no time of its own, and no key: each is another job.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ScheduledJob)]
pub struct JobTemplate {
    /// The name that chooses the handler.
    #[schema(example = "http")]
    pub kind: String,
    /// The handler's arguments, kept to the letter.
    #[serde(default = "nothing", with = "text")]
    #[schema(value_type = Json, example = json!({"url": "https://example.com/hook"}))]
    pub payload: String,
    /// The queue it stands in; if none is given `default`, or for a custom kind the queue of its own name.
    pub queue: Option<String>,
    /// Smaller is sooner; 0 if none is given.
    #[schema(minimum = -100, maximum = 100)]
    pub priority: Option<i64>,
    /// How many tries it has; 4 if none is given.
    #[schema(minimum = 1, maximum = 100)]
    pub max_attempts: Option<i64>,
    /// When to try again.
    #[serde(default, deserialize_with = "strict::read")]
    pub backoff: Option<Backoff>,
    /// How long one attempt may take; 30s if none is given.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<duration::Span>)]
    pub timeout: Option<Duration>,
    /// How long after its nominal time it is still of use; what is older is not made, and not run.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<duration::Span>)]
    pub expires_after: Option<Duration>,
    /// What to do when the outcome of a call is in doubt; `at_least_once` if nothing is given.
    pub delivery: Option<DeliveryGuarantee>,
    /// Words to find it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// A job as a store keeps it: its payload is a text, and what a later version adds is passed over.
#[derive(Serialize, Deserialize)]
#[serde(remote = "JobTemplate")]
struct StoredTemplate {
    kind: String,
    payload: String,
    queue: Option<String>,
    priority: Option<i64>,
    max_attempts: Option<i64>,
    backoff: Option<Backoff>,
    #[serde(default, with = "duration::option")]
    timeout: Option<Duration>,
    #[serde(default, with = "duration::option")]
    expires_after: Option<Duration>,
    delivery: Option<DeliveryGuarantee>,
    tags: Vec<String>,
}

impl Template {
    /// How long after its nominal time what it makes is still of use.
    #[must_use]
    pub fn expires_after(&self) -> Option<Duration> {
        match self {
            Self::Job(job) => job.expires_after,
            Self::Campaign(campaign) => {
                let span = campaign.get("expires_after")?.as_str()?;
                duration::parse(span).ok()
            }
        }
    }
}

impl JobTemplate {
    /// The job for a nominal time.
    pub fn job_at(
        &self,
        at: Timestamp,
        limits: &Limits,
        now: Timestamp,
    ) -> Result<NewJob, Vec<FieldError>> {
        NewJob::from_spec(self.spec_at(at), limits, now)
    }

    /// Whether jobs of this kind can be had at all.
    pub fn check(&self, limits: &Limits, now: Timestamp) -> Result<(), Vec<FieldError>> {
        let is_some_time = |span| (Duration::from_secs(1)..=duration::LONGEST).contains(&span);
        let timeless = Self {
            expires_after: None,
            ..self.clone()
        };
        let mut errors = timeless.job_at(now, limits, now).err().unwrap_or_default();
        if !self.expires_after.is_none_or(is_some_time) {
            let message = "must be 1s at least and ten years at most";
            errors.push(FieldError::new("expires_after", message));
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// The same without what only its handler should read.
    #[must_use]
    pub fn masked(self) -> Self {
        Self {
            payload: Json::from_text(&masked(&self.kind, &self.payload)).into_text(),
            ..self
        }
    }

    fn spec_at(&self, at: Timestamp) -> JobSpec {
        let job = self.clone();
        JobSpec {
            kind: job.kind,
            payload: job.payload,
            key: None,
            queue: job.queue,
            priority: job.priority,
            run_at: Some(at),
            delay: None,
            max_attempts: job.max_attempts,
            backoff: job.backoff,
            timeout: job.timeout,
            expires_at: job.expires_after.map(|span| at + span),
            delivery: job.delivery,
            tags: job.tags,
            trace: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NINE: Timestamp = Timestamp::from_micros(1_800_000_000_000_000);
    const MINUTE: Duration = Duration::from_mins(1);

    fn template() -> JobTemplate {
        JobTemplate {
            kind: "quiz".to_owned(),
            payload: "{}".to_owned(),
            expires_after: Some(10 * MINUTE),
            ..JobTemplate::default()
        }
    }

    #[test]
    fn a_job_made_ahead_runs_at_its_nominal_time_and_expires_after_it() {
        let job = template().job_at(NINE, &Limits::default(), NINE - 10 * MINUTE);

        let job = job.unwrap();
        assert_eq!(
            (job.run_at, job.expires_at),
            (NINE, Some(NINE + 10 * MINUTE))
        );
    }

    #[test]
    fn a_campaign_is_of_use_for_as_long_as_its_deliveries_are() {
        let campaign = |json| Template::Campaign(json).expires_after();

        assert_eq!(
            campaign(serde_json::json!({"expires_after": "10m"})),
            Some(10 * MINUTE)
        );
        assert_eq!(campaign(serde_json::json!({"expires_after": null})), None);
        assert_eq!(campaign(serde_json::json!({"name": "quiz"})), None);
    }

    #[test]
    fn what_is_wrong_is_said_as_of_a_job() {
        let wrong = JobTemplate {
            kind: String::new(),
            max_attempts: Some(0),
            expires_after: Some(Duration::ZERO),
            ..template()
        };

        let errors = wrong.check(&Limits::default(), NINE).unwrap_err();

        let fields: Vec<_> = errors.into_iter().map(|error| error.field).collect();
        assert_eq!(fields, ["kind", "max_attempts", "expires_after"]);
    }

    #[test]
    fn a_template_reads_back_as_it_was_written() {
        let job = Template::Job(JobTemplate {
            timeout: Some(MINUTE),
            tags: vec!["daily".to_owned()],
            backoff: Some(Backoff::default()),
            delivery: Some(DeliveryGuarantee::AtMostOnce),
            ..template()
        });
        let campaign = Template::Campaign(serde_json::json!({"name": "quiz"}));

        for template in [job, campaign] {
            let text = serde_json::to_string(&template).unwrap();
            assert_eq!(serde_json::from_str::<Template>(&text).unwrap(), template);
        }
    }
}
