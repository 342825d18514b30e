//! Deliveries: who is reached, what the gateway gets, and what is made of its answer.

pub mod fixture;

use std::time::Duration;

use baton_domain::job::{Class, Verdict};
use baton_ports::{Call, Handler, campaign_snapshots::CampaignStatus, store::Recipients};
use baton_providers::provider::{Gateway, Kind, Limits, Rule};
use serde_json::{Value, json};

use self::fixture::{Fixture, gateway, note, of_campaign};
use crate::{
    bench::{NOW, accepted, call, failed},
    target::Target,
};

fn rules(json: Value) -> Vec<Rule> {
    serde_json::from_value(json).unwrap()
}

async fn ruled(target: &Target, verdicts: Value) -> Fixture {
    let kind = Kind::Http(Gateway {
        url: target.url(),
        verdicts: rules(verdicts),
        ..Gateway::default()
    });
    Fixture::with(kind, Limits::default(), Some(CampaignStatus::Active)).await
}

#[tokio::test]
async fn a_gateway_gets_the_message_as_its_recipient_reads_it() {
    let mut target = Target::that_answers("200 OK", "", "{\"taken\":1}").await;
    let kind = Kind::Http(Gateway {
        url: target.url(),
        headers: [("Authorization".to_owned(), "Bearer x".to_owned())].into(),
        secrets: vec!["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse().unwrap()],
        ..Gateway::default()
    });
    let fixture = Fixture::with(kind, Limits::default(), None).await;

    let verdict = fixture.deliver(&note()).await;

    assert_eq!(accepted(&verdict)["body"], "{\"taken\":1}");
    let request = target.next().await;
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    let wanted = json!({
        "to": "token-1", "channel": "push", "platform": "ios", "title": "Hi user-1", "body": "on ios",
        "data": {"n": 1.10}, "recipient_id": "user-1", "category": "activity", "topic": "likes",
        "notification_id": "ntf_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
    });
    assert_eq!(body, wanted);
    assert!(request.head.starts_with("POST /hook "));
    assert_eq!(request.header("authorization"), Some("Bearer x"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("baton-attempt"), Some("1"));
    for header in ["idempotency-key", "baton-job-id", "webhook-signature"] {
        assert!(request.header(header).is_some(), "{header}");
    }
}

#[tokio::test]
async fn who_is_not_to_be_reached_any_more_is_skipped_with_the_reason() {
    let mut target = Target::that_answers("200 OK", "", "").await;
    let fixture = Fixture::at(&target.url()).await;
    let mut reasons = Vec::new();
    let mut deliver = async |fixture: &Fixture| match fixture.deliver(&note()).await {
        Verdict::Skipped { why } => reasons.push(why),
        other => panic!("{other:?}"),
    };

    fixture.put(|profile| profile.enabled = false).await;
    deliver(&fixture).await;
    fixture.put(|profile| profile.topics.clear()).await;
    deliver(&fixture).await;
    fixture.put(|profile| profile.addresses.clear()).await;
    deliver(&fixture).await;
    fixture.put(|_| {}).await;
    fixture
        .store
        .bury_address("user-1", "push", "token-1", NOW)
        .await
        .unwrap();
    deliver(&fixture).await;
    fixture.store.delete_recipient("user-1").await.unwrap();
    deliver(&fixture).await;

    let wanted = [
        "disabled",
        "opted_out",
        "no_address",
        "address_dead",
        "recipient_gone",
    ];
    assert_eq!(reasons, wanted);
    assert_eq!(target.arrived(), 0);
}

#[tokio::test]
async fn a_gone_address_is_not_used_again() {
    let target = Target::that_answers("410 Gone", "", "").await;
    let fixture = Fixture::at(&target.url()).await;

    let verdict = fixture.deliver(&note()).await;

    failed(&verdict, Class::Gone, "http_410");
    assert_eq!(fixture.recipient().await.address("push"), None);
}

#[tokio::test]
async fn a_refusal_opts_the_recipient_out_of_the_topic() {
    let target = Target::that_answers("200 OK", "", r#"{"ok":false,"error":{"code":3018}}"#).await;
    let verdicts = json!([{"field": "error.code", "equals": 3018, "verdict": "refused"}]);
    let fixture = ruled(&target, verdicts).await;

    let verdict = fixture.deliver(&note()).await;

    failed(&verdict, Class::Refused, "http_200");
    assert!(fixture.recipient().await.profile.topics.is_empty());
}

#[tokio::test]
async fn the_first_rule_that_fits_decides_and_then_the_table() {
    let verdicts = json!([
        {"status": 404, "field": "code", "equals": "UNREGISTERED", "verdict": "gone"},
        {"status": "4xx", "field": "code", "equals": "QUOTA", "verdict": "throttled", "after": "1m"},
        {"status": 404, "verdict": "accepted"},
    ]);
    for (status, body, class, code) in [
        (
            "404 Not Found",
            r#"{"code":"UNREGISTERED"}"#,
            Some(Class::Gone),
            "http_404",
        ),
        ("404 Not Found", r#"{"code":"OTHER"}"#, None, ""),
        ("404 Not Found", "no JSON", None, ""),
        (
            "400 Bad Request",
            r#"{"code":"QUOTA"}"#,
            Some(Class::Throttled),
            "http_400",
        ),
        ("400 Bad Request", "{}", Some(Class::Permanent), "http_400"),
        (
            "401 Unauthorized",
            "",
            Some(Class::Misconfigured),
            "http_401",
        ),
        ("403 Forbidden", "", Some(Class::Misconfigured), "http_403"),
        ("302 Found", "", Some(Class::Permanent), "http_302"),
        ("503 Busy", "", Some(Class::Retry), "http_503"),
    ] {
        let target = Target::that_answers(status, "", body).await;
        let fixture = ruled(&target, verdicts.clone()).await;

        let verdict = fixture.deliver(&note()).await;

        let Some(class) = class else {
            accepted(&verdict);
            continue;
        };
        let failure = failed(&verdict, class, code);
        let is_ours = ["http_401", "http_302"].contains(&code);
        assert!(
            !is_ours || failure.message.contains("providers.gateway"),
            "{failure:?}"
        );
        if class == Class::Throttled {
            let minute = Some(Duration::from_mins(1));
            assert!(
                matches!(verdict, Verdict::Failed { retry_after, .. } if retry_after == minute)
            );
        }
    }
}

#[tokio::test]
async fn a_long_answer_is_looked_at_further_than_it_is_kept() {
    let body = format!("{{\"noise\":\"{}\",\"code\":\"GONE\"}}", "x".repeat(20_000));
    let target = Target::that_answers("200 OK", "", body.leak()).await;
    let fixture = ruled(
        &target,
        json!([{"field": "code", "equals": "GONE", "verdict": "gone"}]),
    )
    .await;

    let verdict = fixture.deliver(&note()).await;

    failed(&verdict, Class::Gone, "http_200");
}

#[tokio::test]
async fn a_campaign_says_what_its_deliveries_bring_and_hears_of_our_faults() {
    let mut target = Target::that_answers("401 Unauthorized", "", "").await;
    let fixture = Fixture::at(&target.url()).await;

    let verdict = fixture.deliver(&of_campaign()).await;

    failed(&verdict, Class::Misconfigured, "http_401");
    let body: Value = serde_json::from_slice(&target.next().await.body).unwrap();
    assert_eq!(
        (&body["title"], &body["body"]),
        (&json!("News"), &json!("for user-1"))
    );
    assert_eq!(body["campaign_id"], of_campaign()["campaign_id"]);
    assert_eq!(*fixture.snapshots.misconfigured.lock(), ["http_401"]);
}

#[tokio::test]
async fn a_campaign_that_is_stopped_canceled_or_gone_sends_nothing() {
    let mut target = Target::that_answers("200 OK", "", "").await;
    let deliver = async |standing| {
        let fixture = Fixture::with(gateway(&target.url()), Limits::default(), standing).await;
        fixture.deliver(&of_campaign()).await
    };

    let stopped = deliver(Some(CampaignStatus::Stopped)).await;
    let canceled = deliver(Some(CampaignStatus::Canceled)).await;
    let gone = deliver(None).await;

    assert!(matches!(stopped, Verdict::Snoozed { .. }), "{stopped:?}");
    assert_eq!(canceled, Verdict::Canceled);
    failed(&gone, Class::Permanent, "no_campaign");
    assert_eq!(target.arrived(), 0);
}

#[tokio::test]
async fn what_cannot_be_sent_is_skipped_or_fails_before_anything_leaves() {
    let mut target = Target::that_answers("200 OK", "", "").await;
    let fixture = Fixture::at(&target.url()).await;
    let mut no_value = note();
    no_value["note"]["message"]["body"] = json!("in {{time_zone}}");

    let missing = fixture.deliver(&no_value).await;
    let odd = fixture.deliver(&json!({"recipient_id": "user-1"})).await;

    let skipped = Verdict::Skipped {
        why: "missing_value".to_owned(),
    };
    assert_eq!(missing, skipped);
    failed(&odd, Class::Permanent, "bad_payload");
    assert_eq!(target.arrived(), 0);
}

#[tokio::test]
async fn a_delivery_whose_provider_this_node_has_not_is_put_off_for_a_node_that_has_it() {
    let mut target = Target::that_answers("200 OK", "", "").await;
    let fixture = Fixture::at(&target.url()).await;
    let mut elsewhere = note();
    elsewhere["note"]["provider"] = json!("other");

    let verdict = fixture.deliver(&elsewhere).await;

    let failure = failed(&verdict, Class::Throttled, "no_provider");
    assert!(failure.message.contains("there is: gateway"), "{failure:?}");
    let is_later =
        |after: &Option<Duration>| after.is_some_and(|after| after >= Duration::from_secs(1));
    assert!(
        matches!(&verdict, Verdict::Failed { retry_after, .. } if is_later(retry_after)),
        "{verdict:?}"
    );
    assert_eq!(target.arrived(), 0);
}

#[tokio::test]
async fn a_call_that_finds_no_permit_for_long_is_put_off_without_a_call() {
    let mut target = Target::that(|mut connection| async move {
        connection.receive().await;
        connection.stall().await;
    })
    .await;
    let limits = Limits {
        concurrency: Some(1),
        rate: None,
    };
    let fixture = Fixture::with(gateway(&target.url()), limits, None).await;
    let handler = fixture.handler.clone();
    let first = tokio::spawn(async move { handler.run(call(&note())).await });
    target.next().await;

    let second = fixture.deliver(&note()).await;

    let failure = failed(&second, Class::Throttled, "provider_limit");
    assert!(
        failure.message.starts_with("nothing was sent"),
        "{failure:?}"
    );
    assert_eq!(target.arrived(), 0);
    first.abort();
}

#[tokio::test]
async fn the_log_takes_everything() {
    let fixture = Fixture::with(Kind::Log, Limits::default(), None).await;

    let verdict = fixture.deliver(&note()).await;

    assert_eq!(verdict, Verdict::Accepted { result: None });
}

#[tokio::test]
async fn a_payload_is_checked_before_it_is_accepted() {
    let fixture = Fixture::with(Kind::Log, Limits::default(), None).await;
    let field_of = |change: fn(&mut Value)| {
        let mut payload = note();
        change(&mut payload);
        let errors = fixture.handler.check(&payload.to_string()).unwrap_err();
        errors[0].field.clone()
    };

    let fields = [
        field_of(|payload| payload["recipient_id"] = json!("")),
        field_of(|payload| payload["campaign_id"] = of_campaign()["campaign_id"].clone()),
        field_of(|payload| payload["note"] = json!(null)),
        field_of(|payload| payload["note"]["provider"] = json!("other")),
        field_of(|payload| payload["note"]["message"]["title"] = json!("{{nobody}}")),
        field_of(|payload| *payload = json!([])),
    ];

    let wanted = [
        "payload.recipient_id",
        "payload.campaign_id",
        "payload.note",
        "payload.note.provider",
        "payload.note.message.title",
        "payload",
    ];
    assert_eq!(fields, wanted);
    assert!(fixture.handler.check(&note().to_string()).is_ok());
}

#[tokio::test]
async fn deliveries_at_the_same_time_find_each_its_own_recipient() {
    let fixture = Fixture::with(Kind::Log, Limits::default(), None).await;
    let mut to_nobody = note();
    to_nobody["recipient_id"] = json!("nobody");

    let note = note();
    let deliveries = (0..600).map(|i| fixture.deliver(if i % 3 == 0 { &to_nobody } else { &note }));
    let verdicts = futures::future::join_all(deliveries).await;

    for (i, verdict) in verdicts.into_iter().enumerate() {
        let is_skipped = matches!(verdict, Verdict::Skipped { .. });
        assert_eq!(is_skipped, i % 3 == 0, "{i}: {verdict:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_deliveries_that_start_together_have_learned_holds_for_a_moment() {
    let fixture = Fixture::with(Kind::Log, Limits::default(), Some(CampaignStatus::Active)).await;
    let (known, unknown) = (call(&of_campaign()), call(&of_campaign()));
    let unreadable = call(&json!("?"));

    let jobs = [&*unreadable.args, &*known.args];
    let prepared = fixture.handler.prepare(&jobs).await;
    fixture.store.delete_recipient("user-1").await.unwrap();
    let in_company = |call: &Call| Call {
        prepared: prepared.clone(),
        ..call.clone()
    };
    let at_once = fixture.handler.run(in_company(&known)).await;
    let others = (
        fixture.handler.run(in_company(&unreadable)).await,
        fixture.handler.run(in_company(&unknown)).await,
    );
    tokio::time::advance(Duration::from_millis(50)).await;
    let later = fixture.handler.run(in_company(&known)).await;

    assert!(matches!(at_once, Verdict::Accepted { .. }), "{at_once:?}");
    failed(&others.0, Class::Permanent, "bad_payload");
    for verdict in [others.1, later] {
        assert!(
            matches!(&verdict, Verdict::Skipped { why } if why == "recipient_gone"),
            "{verdict:?}"
        );
    }
}

#[tokio::test]
async fn deliveries_that_start_together_find_their_recipients_whatever_became_of_them() {
    let fixture = Fixture::with(Kind::Log, Limits::default(), Some(CampaignStatus::Active)).await;
    let ids: Vec<_> = (0..10).map(|i| format!("member-{i}")).collect();
    let deliveries = fixture.deliveries(&ids).await;
    fixture.store.delete_recipient("member-3").await.unwrap();
    for again in ["member-5", "member-7"] {
        fixture.store.delete_recipient(again).await.unwrap();
        fixture.put(|profile| profile.id = again.to_owned()).await;
    }

    let jobs: Vec<_> = deliveries.iter().map(|call| &*call.args).collect();
    let prepared = fixture.handler.prepare(&jobs).await;
    let verdicts = deliveries.iter().map(|call| {
        fixture.handler.run(Call {
            prepared: prepared.clone(),
            ..call.clone()
        })
    });
    let verdicts = futures::future::join_all(verdicts).await;

    for (id, verdict) in ids.iter().zip(verdicts) {
        let is_gone = matches!(&verdict, Verdict::Skipped { why } if why == "recipient_gone");
        assert_eq!(is_gone, id == "member-3", "{id}: {verdict:?}");
    }
}
