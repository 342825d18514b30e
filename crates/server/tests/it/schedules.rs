//! `baton schedules`: create, look, stop, fire, forget.

use std::time::Duration;

use baton_testkit::eventually;

use crate::support::Served;

#[tokio::test]
async fn a_schedule_of_every_second_makes_jobs_that_run() {
    let served = Served::start(&[]);
    let create = [
        "schedules",
        "create",
        "tick",
        "--cron",
        "* * * * * *",
        "--kind",
        "simulate",
        "--json",
    ];

    let created = served.run(&create).json();
    let again = served.run(&create).json();
    let id = created["id"].as_str().unwrap();
    let history = || served.run(&["schedules", "fires", id, "--json"]).out();
    let timeout = Duration::from_secs(30);
    eventually("two jobs were made", timeout, async || {
        history().lines().count() >= 2
    })
    .await;

    assert_eq!(created["id"], again["id"]);
    let first: serde_json::Value = serde_json::from_str(history().lines().last().unwrap()).unwrap();
    let job = first["made"].as_str().unwrap();
    let waited = served.run(&["jobs", "watch", job, "--timeout", "20s"]);
    assert_eq!(waited.code(), 0, "{}", waited.err());
}

#[test]
fn a_schedule_is_shown_stopped_fired_and_forgotten() {
    let served = Served::start(&[]);
    let create = [
        "schedules",
        "create",
        "daily quiz",
        "--cron",
        "0 9 * * *",
        "--time-zone",
        "Asia/Seoul",
    ];
    let job = [
        "--kind",
        "simulate",
        "--lead",
        "10m",
        "--missed",
        "all",
        "--missed-max",
        "3",
        "--json",
    ];
    let id = served.run(&[&create[..], &job[..]].concat()).json()["id"]
        .as_str()
        .unwrap()
        .to_owned();

    let shown = served.run(&["schedules", "show", &id]).out();
    let paused = served.run(&["schedules", "pause", &id, "--json"]).json();
    let made = served.run(&["schedules", "fire", &id]);
    let next = served
        .run(&["schedules", "next", &id, "--count", "3"])
        .out();
    let resumed = served.run(&["schedules", "resume", &id, "--json"]).json();
    let listed = served.run(&["schedules", "list"]).out();
    let forgotten = served.run(&["schedules", "delete", &id]);
    let gone = served.run(&["schedules", "show", &id]);

    for part in [
        "0 9 * * * in Asia/Seoul",
        "a job of kind simulate",
        "10m",
        "all, the last 3 at most",
    ] {
        assert!(shown.contains(part), "{shown}");
    }
    assert_eq!(
        (&paused["paused"], &paused["next_at"]),
        (&true.into(), &serde_json::Value::Null)
    );
    assert!(made.out().starts_with("job_"), "{}", made.err());
    assert_eq!(next.lines().count(), 3, "{next}");
    assert!(
        next.lines().all(|line| line.contains("T09:00:00+09:00")),
        "{next}"
    );
    assert_eq!(resumed["paused"], false);
    assert!(listed.contains("daily quiz"), "{listed}");
    assert_eq!((forgotten.code(), gone.code()), (0, 3));
}

#[test]
fn what_cannot_be_had_is_refused_in_words() {
    let served = Served::start(&[]);
    let create = |cron: &str, zone: &str| {
        served.run(&[
            "schedules",
            "create",
            "a",
            "--cron",
            cron,
            "--time-zone",
            zone,
            "--kind",
            "simulate",
        ])
    };

    let never = create("0 0 30 2 *", "UTC");
    let nowhere = create("0 9 * * *", "Mars/Base");

    assert_eq!((never.code(), nowhere.code()), (6, 6));
    assert!(never.err().contains("never fires"), "{}", never.err());
    assert!(
        nowhere.err().contains("IANA time zone"),
        "{}",
        nowhere.err()
    );
}
