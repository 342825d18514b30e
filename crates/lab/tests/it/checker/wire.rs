//! The public JSON reads as documented.

use baton_lab::checker::{At, Attempt, Event, Job, Outcome, State};

#[test]
fn a_job_reads_from_the_public_json() {
    let text = r#"{"id":"job_1","key":null,"kind":"http","queue":"default","state":"retry_wait",
        "reason":null,"priority":0,"payload":{"url":"http://t/ok"},"run_at":"2026-01-31T09:00:00.5Z",
        "attempt":2,"tries":1,"max_attempts":4,"losses":1,"campaign_id":null,"last_error":null,
        "created_at":"2026-01-31T08:59:59Z","updated_at":"2026-01-31T09:00:00Z","finished_at":null,
        "worker":null}"#;

    let job: Job = serde_json::from_str(text).unwrap();

    assert_eq!((job.state, job.attempt), (State::RetryWait, 2));
    assert_eq!(job.run_at, At(1_769_850_000_500_000));
    assert_eq!(job.run_at.to_string(), "2026-01-31T09:00:00.500000Z");
}

#[test]
fn an_attempt_reads_from_the_public_json() {
    let text = r#"{"id":"atm_1","job_id":"job_1","attempt":1,"run":1,"outcome":"lost",
        "state":"retry_wait","worker":"wrk_1","started_at":null,"ended_at":"2026-01-31T09:00:00Z",
        "next_run_at":null,"error":{"class":"lost","code":"lease_expired","message":"gone"},
        "late":{"outcome":"succeeded","at":"2026-01-31T09:00:01Z","adopted":true}}"#;

    let attempt: Attempt = serde_json::from_str(text).unwrap();

    assert_eq!(attempt.outcome, Some(Outcome::Lost));
    assert!(attempt.late.unwrap().adopted);
}

#[test]
fn an_event_tells_where_its_job_moved() {
    let text = r#"{"id":"1-7","seq":7,"type":"job.retry_wait","subject":"job_1",
        "at":"2026-01-31T09:00:00Z","data":{"queue":"default","from":"running","to":"retry_wait"}}"#;

    let event: Event = serde_json::from_str(text).unwrap();

    assert_eq!(event.moved_to(), Some(State::RetryWait));
    assert_eq!(event.data.from.as_deref(), Some("running"));
}

#[test]
fn an_event_of_something_else_moves_no_job() {
    let text = r#"{"id":"1-8","seq":8,"type":"queue.paused","subject":"default",
        "at":"2026-01-31T09:00:00Z","data":{"by":"ops"}}"#;

    let event: Event = serde_json::from_str(text).unwrap();

    assert_eq!(event.moved_to(), None);
}
