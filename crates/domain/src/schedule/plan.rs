//! A plan: what the owner of a schedule wants, written down and checked.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::{Calendar, Cron, JobTemplate, Template};
use crate::{duration, job::FieldError, time::zone, words};

/// How far ahead of its time a fire can be.
pub const LONGEST_LEAD: Duration = Duration::from_hours(168);
/// How many missed fires can be made up for, and how many are if nothing else is said.
pub const MOST_MADE_UP: u32 = 1_000;
const MADE_UP: u32 = 100;

/// What becomes of times at which no server was there to fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missed {
    /// They are gone.
    Skip,
    /// The last of them is made up for, unless the next one has come by then.
    Latest,
    /// The last so many of them are made up for.
    All {
        /// How many at most.
        most: u32,
    },
}

impl Missed {
    /// Each of them, with what is made up for if nothing else is said.
    const EACH: [Self; 3] = [Self::Skip, Self::Latest, Self::All { most: MADE_UP }];

    /// The word for it, everywhere.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::Latest => "latest",
            Self::All { .. } => "all",
        }
    }

    /// How many missed fires are made up for at most.
    #[must_use]
    pub const fn most(self) -> u32 {
        match self {
            Self::Skip => 0,
            Self::Latest => 1,
            Self::All { most } => most,
        }
    }
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Missed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::EACH.into_iter().find(|one| one.as_str() == text);
        known.ok_or_else(|| "must be skip, latest or all".to_owned())
    }
}

impl PartialSchema for Missed {
    fn schema() -> RefOr<Schema> {
        let about = "What becomes of times at which no server was there to fire.";
        words::schema(about, Self::EACH.map(Self::as_str))
    }
}

impl ToSchema for Missed {}

/// What the owner of a schedule wants: every field checked.
#[derive(Debug, Clone, PartialEq)]
pub struct ScheduleDefinition {
    /// What it is called; no two schedules have the same name.
    pub name: String,
    /// When it fires.
    pub calendar: Calendar,
    /// What it makes.
    pub template: Template,
    /// How long before its nominal time it fires.
    pub lead: Duration,
    /// What becomes of missed fires.
    pub missed: Missed,
}

/// A cron line in a time zone, and what it makes each time: a job or a campaign.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CreateSchedule)]
pub struct ScheduleSpec {
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
    pub job: Option<JobTemplate>,
    /// The campaign that it makes each time.
    #[schema(value_type = Option<Object>)]
    pub campaign: Option<Value>,
    /// How long before its time it fires; what it makes still runs at the time. 7d at most.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<duration::Span>, example = "10m")]
    pub lead: Option<Duration>,
    /// What becomes of times at which no server was there to fire; `latest` if nothing is given.
    #[schema(value_type = Option<Missed>)]
    pub missed: Option<String>,
    /// How many missed times are made up for where `missed` is `all`; 100 if nothing is given.
    #[schema(minimum = 1, maximum = 1000)]
    pub missed_max: Option<i64>,
}

/// A change to a schedule; what is not given stays. It holds at once.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ChangeSchedule)]
pub struct DefinitionChange {
    /// What it is called.
    pub name: Option<String>,
    /// 5 fields, or 6 with seconds in front.
    #[schema(example = "0 10 * * *")]
    pub cron: Option<String>,
    /// The IANA name of the time zone whose clock it goes by.
    pub time_zone: Option<String>,
    /// The job that it makes from now on, as a whole.
    pub job: Option<JobTemplate>,
    /// The campaign that it makes from now on, as a whole.
    #[schema(value_type = Option<Object>)]
    pub campaign: Option<Value>,
    /// How long before its time it fires.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<duration::Span>)]
    pub lead: Option<Duration>,
    /// What becomes of missed times.
    #[schema(value_type = Option<Missed>)]
    pub missed: Option<String>,
    /// How many missed times are made up for where `missed` is `all`.
    #[schema(minimum = 1, maximum = 1000)]
    pub missed_max: Option<i64>,
}

impl ScheduleDefinition {
    /// Checks what a client wrote down, all but what only the handler of a job can judge.
    pub fn from_spec(spec: ScheduleSpec) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        check_name(&spec.name, &mut errors);
        let calendar = read_calendar(&spec.cron, &spec.time_zone, &mut errors);
        let template = read_template(spec.job, spec.campaign, &mut errors);
        let lead = spec.lead.unwrap_or_default();
        if lead > LONGEST_LEAD {
            errors.push(FieldError::new("lead", "can be 7 days at most"));
        }
        let missed = read_missed(spec.missed.as_deref(), spec.missed_max, &mut errors);
        match (calendar, template, missed) {
            (Some(calendar), Some(template), Some(missed)) if errors.is_empty() => Ok(Self {
                name: spec.name,
                calendar,
                template,
                lead,
                missed,
            }),
            _ => Err(errors),
        }
    }

    /// The same with some changes.
    pub fn changed(&self, change: DefinitionChange) -> Result<Self, Vec<FieldError>> {
        let has_template = change.job.is_some() || change.campaign.is_some();
        let (job, campaign) = match &self.template {
            _ if has_template => (change.job, change.campaign),
            Template::Job(job) => (Some(job.clone()), None),
            Template::Campaign(campaign) => (None, Some(campaign.clone())),
        };
        let has_policy = change.missed.is_some();
        let missed = change.missed.unwrap_or_else(|| self.missed.to_string());
        let most = matches!(self.missed, Missed::All { .. }).then(|| self.missed.most().into());
        Self::from_spec(ScheduleSpec {
            name: change.name.unwrap_or_else(|| self.name.clone()),
            cron: change
                .cron
                .unwrap_or_else(|| self.calendar.cron().as_str().to_owned()),
            time_zone: change
                .time_zone
                .unwrap_or_else(|| self.calendar.time_zone().to_owned()),
            job,
            campaign,
            lead: Some(change.lead.unwrap_or(self.lead)),
            missed: Some(missed),
            missed_max: change.missed_max.or(most.filter(|_| !has_policy)),
        })
    }
}

fn check_name(name: &str, errors: &mut Vec<FieldError>) {
    let is_long_enough = (1..=200).contains(&name.chars().count());
    if !is_long_enough || name.trim() != name || name.chars().any(char::is_control) {
        let message = "must have 1 to 200 characters, none of them a control character, and no space at either end";
        errors.push(FieldError::new("name", message));
    }
}

fn read_calendar(cron: &str, time_zone: &str, errors: &mut Vec<FieldError>) -> Option<Calendar> {
    let read = Cron::parse(cron);
    if let Err(message) = &read {
        errors.push(FieldError::new("cron", message.as_str()));
    }
    if zone::name(time_zone).is_none() {
        errors.push(FieldError::new("time_zone", zone::RULE));
    }
    Calendar::new(read.ok()?, time_zone)
}

fn read_template(
    job: Option<JobTemplate>,
    campaign: Option<Value>,
    errors: &mut Vec<FieldError>,
) -> Option<Template> {
    match (job, campaign) {
        (Some(job), None) => Some(Template::Job(job)),
        (None, Some(campaign)) => Some(Template::Campaign(campaign)),
        (Some(_), Some(_)) => {
            let message = "give either job or campaign, not both";
            errors.push(FieldError::new("campaign", message));
            None
        }
        (None, None) => {
            let message = "is missing: a schedule needs a job or a campaign to make";
            errors.push(FieldError::new("job", message));
            None
        }
    }
}

fn read_missed(
    word: Option<&str>,
    most: Option<i64>,
    errors: &mut Vec<FieldError>,
) -> Option<Missed> {
    let policy = word.map_or(Ok(Missed::Latest), str::parse);
    let wrong = match (&policy, most) {
        (Err(message), _) => ("missed", message.clone()),
        (Ok(_), None) => return policy.ok(),
        (Ok(Missed::All { .. }), Some(most)) => {
            let most = u32::try_from(most).ok();
            if let Some(most) = most.filter(|most| (1..=MOST_MADE_UP).contains(most)) {
                return Some(Missed::All { most });
            }
            let message = format!("must lie between 1 and {MOST_MADE_UP}");
            ("missed_max", message)
        }
        (Ok(_), Some(_)) => ("missed_max", "goes with missed = all only".to_owned()),
    };
    errors.push(FieldError::new(wrong.0, wrong.1));
    None
}

#[cfg(test)]
mod tests;
