//! Fixtures: the words in which schedules are written down.

use baton_domain::schedule::{JobTemplate, Plan, PlanSpec};

pub fn mail() -> JobTemplate {
    JobTemplate {
        kind: "mail".to_owned(),
        payload: r#"{"to":"ann"}"#.to_owned(),
        ..JobTemplate::default()
    }
}

pub fn spec(name: &str) -> PlanSpec {
    PlanSpec {
        name: name.to_owned(),
        cron: "0 * * * *".to_owned(),
        time_zone: "Asia/Seoul".to_owned(),
        job: Some(mail()),
        ..PlanSpec::default()
    }
}

/// Mail at every full hour.
pub fn plan(name: &str) -> Plan {
    Plan::from_spec(spec(name)).expect("the plan can be had")
}
