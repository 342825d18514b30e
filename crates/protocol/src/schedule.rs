//! Schedules: what is made again and again.

mod view;

pub use view::{Fire, NextTime, Schedule};

pub use baton_domain::schedule::{
    DefinitionChange as ChangeSchedule, JobTemplate as ScheduledJob, ScheduleSpec as CreateSchedule,
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use crate::FieldError;

/// How many of the next times to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct NextQuery {
    /// How many.
    #[param(minimum = 1, maximum = 100, default = 5)]
    pub count: Option<u32>,
}

impl NextQuery {
    /// Checks the count and fills in the default.
    pub fn count(&self) -> Result<usize, FieldError> {
        let count = self.count.unwrap_or(5);
        if (1..=100).contains(&count) {
            Ok(count as usize)
        } else {
            Err(FieldError::new("count", "must lie between 1 and 100"))
        }
    }
}
