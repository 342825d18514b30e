//! Calls to receivers that the configuration names.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use baton_domain::job::{Class, Verdict};
use baton_ports::Handler;
use baton_providers::{DestinationConfig, HttpConfig, HttpHandler, Secret};
use serde_json::json;

use crate::{
    bench::{ENOUGH, NOW, accepted, call, failed, handler, handler_with},
    target::Target,
};

fn secret(part: &str) -> Secret {
    format!("whsec_{}", part.repeat(8)).parse().unwrap()
}

fn with(destination: DestinationConfig) -> HttpHandler {
    handler_with(HttpConfig {
        destinations: BTreeMap::from([("shop".to_owned(), destination)]),
        ..HttpConfig::default()
    })
}

/// A destination on this machine.
fn shop(target: &Target, prefix: &str) -> DestinationConfig {
    DestinationConfig {
        url: format!("http://127.0.0.1:{}{prefix}", target.port()),
        allow_private: true,
        ..DestinationConfig::default()
    }
}

#[tokio::test]
async fn a_job_that_names_a_destination_carries_its_credentials_and_not_its_own() {
    let mut target = Target::that_answers("200 OK", "", "").await;
    let headers = [("Authorization", "Bearer ours"), ("X-Tenant", "seven")];
    let handler = with(DestinationConfig {
        headers: headers.map(|(n, v)| (n.into(), v.into())).into(),
        ..shop(&target, "/v1/")
    });

    let payload = json!({"destination": "shop", "path": "/orders/7?notify=yes", "body": {},
        "headers": {"authorization": "Bearer theirs", "X-Trace": "1"}});
    accepted(&handler.run(call(&payload)).await);

    let request = target.next().await;
    assert!(
        request
            .head
            .starts_with("POST /v1/orders/7?notify=yes HTTP/1.1\r\n"),
        "{}",
        request.head
    );
    assert_eq!(request.header("authorization"), Some("Bearer ours"));
    assert_eq!(request.header("x-tenant"), Some("seven"));
    assert_eq!(request.header("x-trace"), Some("1"));
    assert!(!request.head.contains("theirs"));
}

#[tokio::test]
async fn a_call_is_signed_with_the_secrets_of_its_destination_and_one_to_a_url_is_not() {
    let mut target = Target::that_answers("200 OK", "", "").await;
    let handler = handler_with(HttpConfig {
        allow_private_targets: true,
        destinations: BTreeMap::from([(
            "shop".to_owned(),
            DestinationConfig {
                secrets: vec![secret("AAAA"), secret("BBBB")],
                ..shop(&target, "")
            },
        )]),
        ..HttpConfig::default()
    });
    let signed = call(&json!({"destination": "shop", "path": "/", "body": {}}));
    let id = signed.args.id;

    accepted(&handler.run(signed).await);
    let signed = target.next().await;
    accepted(
        &handler
            .run(call(&json!({"url": target.url(), "body": {}})))
            .await,
    );
    let plain = target.next().await;

    let seconds = (NOW.as_micros() / 1_000_000).to_string();
    let signature = signed.header("webhook-signature").unwrap();
    let of_both = |one: &str| one.starts_with("v1,") && one.len() == 47;
    assert_eq!(signed.header("webhook-id"), Some(&*format!("{id}_1")));
    assert_eq!(signed.header("webhook-timestamp"), Some(&*seconds));
    assert_eq!(signature.split(' ').filter(|one| of_both(one)).count(), 2);
    assert!(!plain.head.contains("webhook-"), "{}", plain.head);
}

#[tokio::test]
async fn receivers_do_not_know_the_secrets_of_one_another() {
    let mut target = Target::that_answers("200 OK", "", "").await;
    let of = |part| DestinationConfig {
        secrets: vec![secret(part)],
        ..shop(&target, "")
    };
    let handler = handler_with(HttpConfig {
        destinations: [("shop", of("AAAA")), ("bank", of("BBBB"))]
            .map(|(name, of)| (name.to_owned(), of))
            .into(),
        ..HttpConfig::default()
    });
    let to_shop = call(&json!({"destination": "shop", "body": {}}));
    let mut to_bank = to_shop.clone();
    Arc::make_mut(&mut to_bank.args).payload =
        json!({"destination": "bank", "body": {}}).to_string();

    accepted(&handler.run(to_shop).await);
    let shops = target.next().await;
    accepted(&handler.run(to_bank).await);
    let banks = target.next().await;

    let signature = "webhook-signature";
    assert_eq!(shops.body, banks.body);
    assert_eq!(shops.header("webhook-id"), banks.header("webhook-id"));
    assert_ne!(shops.header(signature), banks.header(signature));
}

#[tokio::test]
async fn a_path_stays_below_its_destination_in_every_way_to_write_it() {
    let target = Target::that_answers("200 OK", "", "").await;
    let handler = with(shop(&target, "/v1/hooks"));

    for path in [
        "orders",
        "//evil.example/",
        "/\\evil.example",
        "\\\\evil.example",
        "https://evil.example/",
        "@evil.example/",
        ":80@evil.example/",
        ".evil.example/",
        "/..",
        "/../admin",
        "/a/../../admin",
        "/%2e%2e/admin",
        "/.%2E/admin",
        "/%2e%2e%2fadmin",
        "/..%2fadmin",
        "/..%5cadmin",
        "/%252e%252e/admin",
        "/..;/admin",
        "/..;a=b/admin",
        "/./admin",
        "/a b",
        "/a\r\nX-Injected: 1",
        "/a\tb",
        "/größe",
        "/a#b",
        "/{a}",
        "/a\"b",
    ] {
        let payload = json!({"destination": "shop", "path": path});

        let errors = handler.check(&payload.to_string()).expect_err(path);
        let verdict = handler.run(call(&payload)).await;

        assert_eq!(errors[0].field, "payload.path", "{path}: {errors:?}");
        failed(&verdict, Class::Permanent, "bad_payload");
    }
    assert_eq!(target.connects(), 0);
}

#[tokio::test]
async fn paths_that_only_look_odd_are_called_to_the_letter() {
    let mut target = Target::that_answers("200 OK", "", "").await;
    let handler = with(shop(&target, "/v1/hooks/"));

    for (path, called) in [
        ("", "/v1/hooks/"),
        ("/", "/v1/hooks/"),
        ("/a..b/...", "/v1/hooks/a..b/..."),
        ("/a%20b", "/v1/hooks/a%20b"),
        (
            "/a?back=../x&to=https://b.example",
            "/v1/hooks/a?back=../x&to=https://b.example",
        ),
        ("/a//b;c=1", "/v1/hooks/a//b;c=1"),
    ] {
        let payload = json!({"destination": "shop", "path": path});

        handler.check(&payload.to_string()).expect(path);
        accepted(&handler.run(call(&payload)).await);

        let request = target.next().await;
        let line = format!("POST {called} HTTP/1.1\r\n");
        assert!(request.head.starts_with(&line), "{}", request.head);
    }
}

#[tokio::test]
async fn a_payload_names_a_url_or_a_destination_that_there_is() {
    let target = Target::that_answers("200 OK", "", "").await;
    let handler = with(shop(&target, ""));

    for (payload, field, says) in [
        (
            json!({"destination": "shop", "url": "https://a.example"}),
            "url",
            "one or the other",
        ),
        (
            json!({"url": "https://a.example", "path": "/a"}),
            "path",
            "goes with a destination",
        ),
        (
            json!({"destination": "sho"}),
            "destination",
            "there is: shop",
        ),
        (
            json!({"destination": null}),
            "destination",
            "must be the name",
        ),
        (
            json!({"destination": "shop", "path": 7}),
            "path",
            "must be a text",
        ),
        (
            json!({"destination": "shop", "headers": {"Authorization": "(hidden)"}}),
            "headers.Authorization",
            "give the credential itself",
        ),
    ] {
        let errors = handler.check(&payload.to_string()).unwrap_err();

        assert_eq!(errors[0].field, format!("payload.{field}"), "{payload}");
        assert!(errors[0].message.contains(says), "{payload}: {errors:?}");
    }
}

#[tokio::test]
async fn a_node_without_the_destination_puts_the_job_off_without_using_a_try() {
    let verdict = handler()
        .run(call(&json!({"destination": "shop", "path": "/orders/7"})))
        .await;

    failed(&verdict, Class::Throttled, "no_destination");
    let Verdict::Failed { retry_after, .. } = verdict else {
        unreachable!("it failed");
    };
    assert_eq!(retry_after, Some(Duration::from_secs(10)));
}

#[tokio::test]
async fn a_private_destination_is_called_only_where_it_may_be() {
    let target = Target::that_answers("200 OK", "", "").await;
    let handler = with(DestinationConfig {
        allow_private: false,
        ..shop(&target, "")
    });

    let verdict = handler.run(call(&json!({"destination": "shop"}))).await;

    failed(&verdict, Class::Permanent, "address_not_allowed");
}

#[tokio::test]
async fn credentials_that_a_receiver_repeats_are_not_kept() {
    for (status, answer) in [
        (
            "200 OK",
            "you said Bearer hush-hush-hush and hush-hush-hush",
        ),
        ("401 Unauthorized", "hush-hush-hush is not known"),
        ("307 Temporary Redirect", "go to hush-hush-hush"),
        ("200 OK", "cut: hush-hush"),
    ] {
        let to = "Location: /token-hush-hush-hush/elsewhere\r\n";
        let target = Target::that_answers(status, to, answer).await;
        let headers = [("Authorization", "Bearer hush-hush-hush")];
        let handler = with(DestinationConfig {
            headers: headers.map(|(n, v)| (n.into(), v.into())).into(),
            ..shop(&target, "/token-hush-hush-hush")
        });

        let verdict = handler.run(call(&json!({"destination": "shop"}))).await;

        let told = format!("{verdict:?}");
        assert!(!told.contains("hush-hush"), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_credential_that_looks_like_the_mask_is_left_out_and_that_comes_to_an_end() {
    let target = Target::that_answers("200 OK", "", "you said (hidden)hidden)aa").await;
    let url = target.url();

    for credential in ["Bearer (hidden)", "hidden)a", "((hidden)"] {
        let payload = json!({"url": url, "headers": {"Authorization": credential}});
        let handled = tokio::spawn(async move { handler().run(call(&payload)).await });
        let verdict = tokio::time::timeout(ENOUGH, handled)
            .await
            .expect(credential);

        accepted(&verdict.unwrap());
    }
}

#[tokio::test]
async fn a_destination_that_cannot_be_used_is_named_with_its_setting_at_start() {
    for (url, header, says) in [
        ("", "X-A", "destinations.shop.url is missing"),
        (
            "ftp://a.example",
            "X-A",
            "destinations.shop.url must begin with http",
        ),
        ("https://u:p@a.example", "X-A", "must not carry a user name"),
        ("https://a.example/?q=1", "X-A", "without ? and #"),
        (
            "https://a.example",
            "Host",
            "destinations.shop.headers.Host",
        ),
    ] {
        let config = HttpConfig {
            destinations: BTreeMap::from([(
                "shop".to_owned(),
                DestinationConfig {
                    url: url.to_owned(),
                    headers: [(header.to_owned(), "1".to_owned())].into(),
                    ..DestinationConfig::default()
                },
            )]),
            ..HttpConfig::default()
        };
        let clock = std::sync::Arc::new(baton_domain::ManualClock::at(NOW));

        let error = HttpHandler::new(config, clock).err().unwrap().to_string();

        assert!(error.contains(says), "{error}");
        assert!(!error.contains("u:p"), "{error}");
    }
}
