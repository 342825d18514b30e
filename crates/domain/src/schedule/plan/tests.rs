use super::*;

fn spec() -> ScheduleSpec {
    ScheduleSpec {
        name: "daily quiz".to_owned(),
        cron: "0 9 * * *".to_owned(),
        time_zone: "Asia/Seoul".to_owned(),
        job: Some(JobTemplate::default()),
        ..ScheduleSpec::default()
    }
}

fn wrong_fields(spec: ScheduleSpec) -> Vec<String> {
    let errors = ScheduleDefinition::from_spec(spec).unwrap_err();
    errors.into_iter().map(|error| error.field).collect()
}

#[test]
fn what_is_not_given_takes_its_default() {
    let plan = ScheduleDefinition::from_spec(spec()).unwrap();

    assert_eq!((plan.lead, plan.missed), (Duration::ZERO, Missed::Latest));
}

#[test]
fn everything_that_is_wrong_is_said_at_once() {
    let fields = wrong_fields(ScheduleSpec {
        name: " ".to_owned(),
        cron: "0 0 30 2 *".to_owned(),
        time_zone: "Mars/Base".to_owned(),
        job: None,
        lead: Some(LONGEST_LEAD + Duration::from_secs(1)),
        missed: Some("sometimes".to_owned()),
        ..spec()
    });

    assert_eq!(
        fields,
        ["name", "cron", "time_zone", "job", "lead", "missed"]
    );
}

#[test]
fn a_job_and_a_campaign_exclude_each_other() {
    let fields = wrong_fields(ScheduleSpec {
        campaign: Some(serde_json::json!({})),
        ..spec()
    });

    assert_eq!(fields, ["campaign"]);
}

#[test]
fn only_a_policy_of_all_has_a_number() {
    let with = |missed: &str, most| ScheduleSpec {
        missed: Some(missed.to_owned()),
        missed_max: Some(most),
        ..spec()
    };

    let plan = ScheduleDefinition::from_spec(with("all", 5)).unwrap();

    assert_eq!(plan.missed, Missed::All { most: 5 });
    for (missed, most) in [
        ("skip", 5),
        ("latest", 5),
        ("all", 0),
        ("all", 1_001),
        ("all", -1),
    ] {
        assert_eq!(
            wrong_fields(with(missed, most)),
            ["missed_max"],
            "{missed} {most}"
        );
    }
}

#[test]
fn a_change_changes_what_it_names() {
    let plan = ScheduleDefinition::from_spec(ScheduleSpec {
        missed: Some("all".to_owned()),
        missed_max: Some(5),
        lead: Some(Duration::from_mins(10)),
        ..spec()
    })
    .unwrap();

    let same = plan.changed(DefinitionChange::default()).unwrap();
    let later = plan.changed(DefinitionChange {
        cron: Some("0 10 * * *".to_owned()),
        ..DefinitionChange::default()
    });
    let skipping = plan.changed(DefinitionChange {
        missed: Some("skip".to_owned()),
        ..DefinitionChange::default()
    });
    let campaign = plan.changed(DefinitionChange {
        campaign: Some(serde_json::json!({})),
        ..DefinitionChange::default()
    });

    assert_eq!(same, plan);
    let later = later.unwrap();
    assert_eq!(later.calendar.cron().as_str(), "0 10 * * *");
    assert_eq!((later.lead, later.missed), (plan.lead, plan.missed));
    assert_eq!(skipping.unwrap().missed, Missed::Skip);
    assert_eq!(
        campaign.unwrap().template,
        Template::Campaign(serde_json::json!({}))
    );
}
