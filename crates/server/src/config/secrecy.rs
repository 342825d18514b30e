//! What holds a secret is written nowhere with it, whatever way it is written.

use std::fmt::Debug;

use baton_providers::{DestinationConfig, OidcConfig, ProviderConfig};
use serde::Serialize;

use super::{
    Config, DatabaseUrl, GatewayUrl, RedisUrl,
    values::{Hidden, SigningSecret, SigningSecrets},
};

/// A secret in every setting that can hold one.
const FILE: &str = r#"
[database]
url = "postgres://baton:canary@db,db2/jobs?sslmode=verify-full"
password = "canary"
[redis]
url = "redis+sentinel://me:canary@one,two/jobs"
password = "canary"
[destinations.shop]
url = "https://me:canary@shop.example/canary?t=canary"
headers = { Authorization = "Bearer canary" }
secret = ["whsec_Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5", "whsec_Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5"]
[providers.push]
kind = "http"
url = "https://me:canary@push.example/canary?t=canary"
headers = { Authorization = "Bearer canary" }
secret = "whsec_Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5"
[access.oidc]
issuer = "https://sso.example"
client_id = "baton"
client_secret = "canary"
roles = { admins = "admin" }
[traces]
endpoint = "https://tempo.example"
headers = { Authorization = "Bearer canary" }
"#;
/// A canary as it is, in base64, and as the bytes that a derived `Debug` would show.
const CANARIES: [&str; 3] = ["canary", "Y2FuYXJ5", "99, 97, 110, 97, 114, 121"];

#[track_caller]
fn keeps_quiet(told: &str) {
    let is_told = CANARIES.iter().any(|canary| told.contains(canary));
    assert!(!told.is_empty() && !is_told, "{told}");
}

/// By `Debug`, in both ways.
#[track_caller]
fn is_hidden(value: &impl Debug) {
    keeps_quiet(&format!("{value:?}"));
    keeps_quiet(&format!("{value:#?}"));
}

/// By `Debug`, and in settings that are shown.
#[track_caller]
fn is_hidden_and_shown_without(value: &(impl Debug + Serialize)) {
    is_hidden(value);
    keeps_quiet(&serde_json::to_string(value).unwrap());
}

#[test]
fn a_value_that_holds_a_secret_is_written_without_it() {
    let config: Config = FILE.parse().unwrap();
    let shop = &config.destinations["shop"];
    let push = &config.providers["push"];

    let (database, redis): (&DatabaseUrl, &RedisUrl) = (&config.database.url, &config.redis.url);
    is_hidden_and_shown_without(database);
    is_hidden_and_shown_without(redis);
    keeps_quiet(&format!("{database} {redis}"));
    let gateways: [&GatewayUrl; 2] = [&shop.url, &push.url];
    for gateway in gateways {
        is_hidden_and_shown_without(gateway);
        keeps_quiet(&gateway.to_string());
    }
    let password = config.database.password.as_ref().unwrap();
    let hidden: [&Hidden; 2] = [password, &shop.headers["Authorization"]];
    hidden.into_iter().for_each(is_hidden_and_shown_without);
    let signing: &SigningSecret = push.secret.as_ref().unwrap();
    is_hidden_and_shown_without(signing);
    is_hidden(&signing.secret);
    let secrets: &SigningSecrets = &shop.secret;
    is_hidden_and_shown_without(secrets);
}

#[test]
fn what_the_settings_are_made_of_and_what_is_made_of_them_is_written_without_secrets() {
    let config: Config = FILE.parse().unwrap();
    let shop = &config.destinations["shop"];
    let push = &config.providers["push"];

    is_hidden_and_shown_without(&config);
    is_hidden_and_shown_without(shop);
    is_hidden_and_shown_without(push);
    is_hidden(&DestinationConfig::from(shop));
    is_hidden(&ProviderConfig::from(push));
    let oidc = config.access.oidc.as_ref().unwrap();
    is_hidden_and_shown_without(oidc);
    is_hidden(&OidcConfig::from(oidc));
    is_hidden_and_shown_without(&config.traces);
    is_hidden(&config.traces.collector("one".to_owned()));
    assert!(config.has_secrets());
}
