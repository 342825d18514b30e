//! Schedules: what is made again and again.

mod template;
mod view;

pub use template::ScheduledJob;
pub use view::{Fire, NextTime, Schedule};

use std::time::Duration;

use baton_domain::{duration, schedule};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::{FieldError, schemas};

/// A cron line in a time zone, and what it makes each time: a job or a campaign.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateSchedule {
    /// What it is called; no two schedules have the same name.
    #[schema(example = "daily quiz")]
    pub name: String,
    /// 5 fields (minute, hour, day of month, month, day of week), or 6 with seconds in front.
    #[schema(example = "0 9 * * *")]
    pub cron: String,
    /// The IANA name of the time zone whose clock it goes by.
    #[schema(example = "Asia/Seoul")]
    pub time_zone: String,
    /// The job that it makes each time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<ScheduledJob>,
    /// The campaign that it makes each time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub campaign: Option<Value>,
    /// How long before its time it fires; what it makes still runs at the time. 7d at most.
    #[serde(
        default,
        with = "duration::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<schemas::Span>, example = "10m")]
    pub lead: Option<Duration>,
    /// What becomes of times at which no server was there to fire; `latest` if nothing is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schemas::Missed>)]
    pub missed: Option<String>,
    /// How many missed times are made up for where `missed` is `all`; 100 if nothing is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 1000)]
    pub missed_max: Option<i64>,
}

impl From<CreateSchedule> for schedule::ScheduleSpec {
    fn from(create: CreateSchedule) -> Self {
        Self {
            name: create.name,
            cron: create.cron,
            time_zone: create.time_zone,
            job: create.job.map(Into::into),
            campaign: create.campaign,
            lead: create.lead,
            missed: create.missed,
            missed_max: create.missed_max,
        }
    }
}

/// A change to a schedule; what is not given stays. It holds at once.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeSchedule {
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// 5 fields, or 6 with seconds in front.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "0 10 * * *")]
    pub cron: Option<String>,
    /// The IANA name of the time zone whose clock it goes by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// The job that it makes from now on, as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<ScheduledJob>,
    /// The campaign that it makes from now on, as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub campaign: Option<Value>,
    /// How long before its time it fires.
    #[serde(
        default,
        with = "duration::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<schemas::Span>)]
    pub lead: Option<Duration>,
    /// What becomes of missed times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schemas::Missed>)]
    pub missed: Option<String>,
    /// How many missed times are made up for where `missed` is `all`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 1000)]
    pub missed_max: Option<i64>,
}

impl From<ChangeSchedule> for schedule::DefinitionChange {
    fn from(change: ChangeSchedule) -> Self {
        Self {
            name: change.name,
            cron: change.cron,
            time_zone: change.time_zone,
            job: change.job.map(Into::into),
            campaign: change.campaign,
            lead: change.lead,
            missed: change.missed,
            missed_max: change.missed_max,
        }
    }
}

/// How many of the next times to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct NextQuery {
    /// How many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 100, default = 5)]
    pub count: Option<u32>,
}

impl NextQuery {
    /// Checks the count and fills in the default.
    ///
    /// # Errors
    /// When it is nought or too much.
    pub fn count(&self) -> Result<usize, FieldError> {
        let count = self.count.unwrap_or(5);
        if (1..=100).contains(&count) {
            Ok(count as usize)
        } else {
            Err(FieldError::new("count", "must lie between 1 and 100"))
        }
    }
}
