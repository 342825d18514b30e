use std::time::Duration;

use serde_json::json;

use super::*;
use crate::{
    Timestamp,
    campaign::CampaignSpec,
    job::{Backoff, DeliveryGuarantee, Jitter, JobSpec, Strategy},
    message::MessageSpec,
    notification::{Action, NotificationSpec},
};

const AT: Timestamp = Timestamp::from_micros(1_800_000_000_123_456);

fn short_job() -> JobSpec {
    JobSpec {
        kind: "http".to_owned(),
        payload: r#"{"url":"https://example.com"}"#.to_owned(),
        key: Some("k".to_owned()),
        ..JobSpec::default()
    }
}

fn whole_job() -> JobSpec {
    JobSpec {
        payload: "{\"text\":\"a \\\"word\\\"\\n\\u00fc ü\", \"n\": 1.10}".to_owned(),
        queue: Some("mail".to_owned()),
        priority: Some(-5),
        delay: Some(Duration::from_millis(90_250)),
        max_attempts: Some(7),
        backoff: Some(Backoff {
            strategy: Strategy::Linear,
            base: Duration::from_millis(1_500),
            cap: Duration::from_hours(1),
            jitter: Jitter::None,
        }),
        timeout: Some(Duration::from_secs(90)),
        expires_at: Some(AT),
        delivery: Some(DeliveryGuarantee::AtMostOnce),
        tags: vec!["a".to_owned(), "b".to_owned()],
        ..short_job()
    }
}

fn later_job() -> JobSpec {
    JobSpec {
        run_at: Some(AT),
        delay: None,
        ..whole_job()
    }
}

fn short_message() -> MessageSpec {
    MessageSpec {
        title: "t".to_owned(),
        body: "b".to_owned(),
        ..MessageSpec::default()
    }
}

fn whole_message() -> MessageSpec {
    MessageSpec {
        title: "Hi \"you\"".to_owned(),
        body: "Line\n{{data.n}}".to_owned(),
        data: Some(r#"{"n":1.10}"#.to_owned()),
        ..MessageSpec::default()
    }
}

fn short_notification() -> NotificationSpec {
    NotificationSpec {
        recipients: vec!["a".to_owned()],
        message: short_message(),
        ..NotificationSpec::default()
    }
}

fn whole_notification() -> NotificationSpec {
    NotificationSpec {
        recipients: vec!["a".to_owned(), "b".to_owned()],
        message: whole_message(),
        action: Some(Action::Push),
        category: Some("news".to_owned()),
        topic: Some("likes".to_owned()),
        provider: Some("gateway".to_owned()),
        channel: Some("email".to_owned()),
        key: Some("k".to_owned()),
        expires_after: Some(Duration::from_mins(10)),
        delivery: Some(DeliveryGuarantee::AtMostOnce),
    }
}

fn short_campaign() -> CampaignSpec {
    CampaignSpec {
        name: "Spring".to_owned(),
        category: "news".to_owned(),
        action: "both".to_owned(),
        audience: json!({"any_of": [{"topic": "b"}, {"platform": "ios"}]}),
        message: short_message(),
        send_at_local: Some("2027-01-31T09:00".to_owned()),
        ..CampaignSpec::default()
    }
}

fn whole_campaign() -> CampaignSpec {
    CampaignSpec {
        audience: json!({"topic": "news"}),
        message: whole_message(),
        provider: Some("gateway".to_owned()),
        channel: Some("email".to_owned()),
        topic: Some("news".to_owned()),
        send_at: Some(AT),
        send_at_local: None,
        time_zone: Some("Europe/Berlin".to_owned()),
        lead: Some(Duration::from_mins(10)),
        rate: Some(12.5),
        lane: Some("slow".to_owned()),
        chunk: Some(500),
        expires_after: Some(Duration::from_hours(2)),
        delivery: Some(DeliveryGuarantee::AtLeastOnce),
        max_attempts: Some(3),
        timeout: Some(Duration::from_secs(10)),
        backoff: Some(Backoff::default()),
        key: Some("k".to_owned()),
        ..short_campaign()
    }
}

/// Each content with its digest.
fn golden() -> Vec<(RequestDigest, &'static str)> {
    vec![
        (short_job().content(), "2:aec9ff12490844c4dc0ee109a31bb98e"),
        (whole_job().content(), "2:65396243b9d93402c436374823e2a200"),
        (later_job().content(), "2:5dc7594b5d3c216e60ad314a4741d9ad"),
        (
            short_notification().content(),
            "2:574059586f8c094808d762699d7fc556",
        ),
        (
            whole_notification().content(),
            "2:a29dcc2b535565b9aee847fc44913314",
        ),
        (
            short_campaign().content(),
            "2:a5278651d3fe46d54aa46bf033cdc1d8",
        ),
        (
            whole_campaign().content(),
            "2:8abe3369b95cf2d6080d08e2210bf522",
        ),
    ]
}

#[test]
fn the_digest_of_a_request_is_the_same_in_every_release() {
    for (content, digest) in golden() {
        assert_eq!(content.digest(), digest);
    }
}

#[test]
fn members_stand_in_the_order_of_the_alphabet_and_only_those_that_were_given() {
    let asked = json!({ "queue": "mail", "kind": "http", "tags": null });

    assert_eq!(text(asked), r#"{"kind":"http","queue":"mail"}"#);
}

#[test]
fn a_payload_counts_to_the_letter() {
    let other = JobSpec {
        payload: r#"{"url": "https://example.com"}"#.to_owned(),
        ..short_job()
    };

    assert_ne!(other.content(), short_job().content());
}

#[test]
fn without_a_key_there_is_nothing() {
    assert_eq!(RequestDigest::default().digest(), "");
}
