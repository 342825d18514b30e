//! Providers that cannot be used as they are configured, each named with its setting.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use baton_domain::{Clock, ManualClock};
use baton_providers::{
    HttpConfig, ProviderConfig, Providers,
    provider::{Gateway, Kind, Limits},
};
use serde_json::json;

use crate::bench::NOW;

fn refused(name: &str, gateway: Gateway) -> String {
    refused_within(name, gateway, Duration::from_secs(1))
}

fn refused_within(name: &str, gateway: Gateway, timeout: Duration) -> String {
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(NOW));
    let config = ProviderConfig {
        kind: Kind::Http(gateway),
        timeout,
        limits: Limits::default(),
    };
    let providers = Providers::new(
        BTreeMap::from([(name.to_owned(), config)]),
        &HttpConfig::default(),
        &clock,
    );
    providers.err().unwrap().to_string()
}

fn at(url: &str) -> Gateway {
    Gateway {
        url: url.to_owned(),
        ..Gateway::default()
    }
}

#[test]
fn what_is_wrong_with_a_provider_is_named_by_its_setting() {
    let header = |name: &str| Gateway {
        headers: [(name.to_owned(), "x".to_owned())].into(),
        ..at("http://gateway.example/")
    };
    let rule = Gateway {
        verdicts: serde_json::from_value(json!([
            {"status": 404, "verdict": "gone"}, {"verdict": "gone"},
        ]))
        .unwrap(),
        ..at("http://gateway.example/")
    };

    for (gateway, setting) in [
        (at(""), "providers.push.url is missing"),
        (at("gateway"), "providers.push.url is not a whole URL"),
        (
            at("ftp://gateway.example"),
            "providers.push.url must begin with http",
        ),
        (header("Host"), "providers.push.headers.Host"),
        (
            header("Idempotency-Key"),
            "providers.push.headers.Idempotency-Key",
        ),
        (rule, "providers.push.verdicts[1].status is missing"),
    ] {
        let error = refused("push", gateway);

        assert!(error.starts_with(setting), "{error}");
    }
    let impatient = refused_within("push", at("http://a/"), Duration::ZERO);
    assert!(
        impatient.starts_with("providers.push.timeout"),
        "{impatient}"
    );
    assert!(refused("two words", at("http://a/")).contains("\"two words\""));
}
