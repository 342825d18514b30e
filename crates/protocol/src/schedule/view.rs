//! How a schedule is shown, and what it has made.

use std::time::Duration;

use baton_domain::{
    ScheduleId, Timestamp, duration,
    schedule::{self, Missed, Outcome, Template},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::ScheduledJob;

/// A schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Schedule {
    /// Its id.
    #[schema(value_type = String)]
    pub id: ScheduleId,
    /// What it is called.
    pub name: String,
    /// The cron line.
    pub cron: String,
    /// The IANA name of the time zone whose clock it goes by.
    pub time_zone: String,
    /// The job that it makes each time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<ScheduledJob>,
    /// The campaign that it makes each time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub campaign: Option<Value>,
    /// How long before its time it fires.
    #[serde(with = "duration")]
    #[schema(value_type = duration::Span)]
    pub lead: Duration,
    /// What becomes of missed times.
    #[schema(value_type = Missed)]
    pub missed: String,
    /// How many missed times are made up for; null unless `missed` is `all`.
    pub missed_max: Option<u32>,
    /// Whether a person has stopped it.
    pub paused: bool,
    /// The nominal time that it fires for next; null while it is paused.
    pub next_at: Option<Timestamp>,
    /// The nominal time that it has fired for last.
    pub last_at: Option<Timestamp>,
    /// 1, and one more with each change.
    pub revision: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl From<schedule::Schedule> for Schedule {
    fn from(one: schedule::Schedule) -> Self {
        let plan = one.plan;
        let (job, campaign) = match plan.template {
            Template::Job(job) => (Some(job.masked()), None),
            Template::Campaign(campaign) => (None, Some(campaign)),
        };
        let has_most = matches!(plan.missed, Missed::All { .. });
        Self {
            id: one.id,
            name: plan.name,
            cron: plan.calendar.cron().as_str().to_owned(),
            time_zone: plan.calendar.time_zone().to_owned(),
            job,
            campaign,
            lead: plan.lead,
            missed: plan.missed.to_string(),
            missed_max: has_most.then(|| plan.missed.most()),
            paused: one.paused,
            next_at: one.next_at,
            last_at: one.last_at,
            revision: one.revision,
            created_at: one.created_at,
            updated_at: one.updated_at,
        }
    }
}

/// One of the next times of a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NextTime {
    /// The nominal time.
    pub at: Timestamp,
    /// The same on the clock of the schedule's time zone, with its offset.
    #[schema(example = "2026-01-31T09:00:00+09:00")]
    pub local: String,
    /// When it fires for it: the lead before.
    pub fires_at: Timestamp,
}

impl NextTime {
    /// A nominal time of a schedule.
    #[must_use]
    pub fn of(schedule: &schedule::Schedule, at: Timestamp) -> Self {
        Self {
            at,
            local: schedule.plan.calendar.local(at),
            fires_at: at - schedule.plan.lead,
        }
    }
}

/// What became of a nominal time; of several, where they were missed in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Fire {
    /// The nominal time; the first of those that were missed.
    pub at: Timestamp,
    /// When it fired, or was given up.
    pub recorded_at: Timestamp,
    /// The id of what was made; null if the time was missed.
    #[schema(example = "job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")]
    pub made: Option<String>,
    /// Whether a person asked for it, out of turn.
    pub by_hand: bool,
    /// How many times in a row were missed, counted up to 1,000; 0 if something was made.
    pub missed: u32,
    /// The last of those that were missed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_until: Option<Timestamp>,
    /// Why they were missed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl From<schedule::Fire> for Fire {
    fn from(fire: schedule::Fire) -> Self {
        let nothing = Self {
            at: fire.at,
            recorded_at: fire.recorded_at,
            made: None,
            by_hand: false,
            missed: 0,
            missed_until: None,
            reason: None,
        };
        match fire.outcome {
            Outcome::Made { made, by_hand } => Self {
                made: Some(made),
                by_hand,
                ..nothing
            },
            Outcome::Missed { run, reason } => Self {
                missed: run.count,
                missed_until: Some(run.last),
                reason: Some(reason),
                ..nothing
            },
        }
    }
}
