//! Fixtures: the words in which schedules are written down.

use baton_domain::schedule::{JobTemplate, ScheduleDefinition, ScheduleSpec};

pub fn mail() -> JobTemplate {
    JobTemplate {
        kind: "mail".to_owned(),
        payload: r#"{"to":"ann"}"#.to_owned(),
        ..JobTemplate::default()
    }
}

pub fn spec(name: &str) -> ScheduleSpec {
    ScheduleSpec {
        name: name.to_owned(),
        cron: "0 * * * *".to_owned(),
        time_zone: "Asia/Seoul".to_owned(),
        job: Some(mail()),
        ..ScheduleSpec::default()
    }
}

/// Mail at every full hour.
pub fn plan(name: &str) -> ScheduleDefinition {
    ScheduleDefinition::from_spec(spec(name)).expect("the plan can be had")
}
