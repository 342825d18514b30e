//! A template: what a schedule makes each time.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Timestamp, duration,
    job::{Backoff, DeliveryGuarantee, FieldError, JobSpec, Limits, NewJob},
};

/// What a schedule makes each time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Template {
    /// A job.
    Job(JobTemplate),
    /// A campaign.
    Campaign(Value),
}

/// A job as a schedule asks for it each time; what is `None` takes its default. It has no time of its
/// own, the schedule gives it one; and no key, for each time is another job.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct JobTemplate {
    /// The name that chooses the handler.
    pub kind: String,
    /// JSON text.
    pub payload: String,
    /// The line it stands in.
    pub queue: Option<String>,
    /// Smaller is sooner.
    pub priority: Option<i64>,
    /// How many tries it has.
    pub max_attempts: Option<i64>,
    /// When to try again.
    pub backoff: Option<Backoff>,
    /// How long one attempt may take.
    #[serde(default, with = "duration::option")]
    pub timeout: Option<Duration>,
    /// How long after its nominal time it is still of use.
    #[serde(default, with = "duration::option")]
    pub expires_after: Option<Duration>,
    /// What to do in doubt.
    pub delivery: Option<DeliveryGuarantee>,
    /// Words to find it by.
    pub tags: Vec<String>,
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
    ///
    /// # Errors
    /// Everything that is wrong with it, field by field.
    pub fn job_at(
        &self,
        at: Timestamp,
        limits: &Limits,
        now: Timestamp,
    ) -> Result<NewJob, Vec<FieldError>> {
        NewJob::from_spec(self.spec_at(at), limits, now)
    }

    /// Whether jobs of this kind can be had at all.
    ///
    /// # Errors
    /// Everything that is wrong, field by field.
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
