//! Secrets in every setting that can hold one, by every way to give it.

use std::fs;

use baton_testkit::{Postgres, Redis};
use tempfile::TempDir;

use super::{
    CANARIES, canary, enqueue, path_of_the_build,
    told::{everything, stock},
};
use crate::support::{Served, run};

const FLAGS: [&str; 4] = ["--migrate", "--allow-unsafe-durability", "--log", "trace"];

#[test]
fn no_secret_of_the_settings_is_told_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let database = Postgres::shared().database();
    let redis = Redis::start_with(&["requirepass=canary"]);
    write(&folder, "url", &with_password(&database.url()));
    write(&folder, "redis", &redis.url());
    let stores = "[database]\nurl = { file = \"url\" }\n[redis]\nurl = { file = \"redis\" }\n";

    keeps_quiet(folder, stores, &[]);
}

#[test]
fn passwords_that_stand_apart_from_their_urls_are_told_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let database = Postgres::shared().database();
    let redis = Redis::start_with(&["requirepass=canary"]);
    write(&folder, "password", "canary");
    let stores = format!(
        "[database]\nurl = \"{}\"\npassword = \"canary\"\n[redis]\nurl = \"redis://127.0.0.1:{}\"\npassword = {{ file = \"password\" }}\n",
        database.url(),
        redis.port()
    );

    keeps_quiet(folder, &stores, &[]);
}

#[test]
fn a_password_behind_sentinels_that_are_away_and_urls_from_files_of_flags_are_told_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let database = Postgres::shared().database();
    write(&folder, "url", &with_password(&database.url()));
    let sentinels = "redis+sentinel://user:canary@127.0.0.1:1,127.0.0.1:2/jobs/1";
    write(&folder, "redis", sentinels);

    let flags = ["--database-file", "url", "--redis-file", "redis"];
    keeps_quiet(folder, "", &flags);
}

fn write(folder: &TempDir, name: &str, text: &str) {
    fs::write(folder.path().join(name), text).unwrap();
}

/// The URL of a database that lets everybody in, with a password.
fn with_password(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap();
    let (user, place) = rest.split_once('@').unwrap_or(("postgres", rest));
    let user = user.split(':').next().unwrap();
    format!("{scheme}://{user}:canary@{place}")
}

/// Serves under these settings, and such as have secrets of receivers, and reads everything that is told.
fn keeps_quiet(folder: TempDir, stores: &str, flags: &[&str]) {
    write(&folder, "token", "canary-in-a-file");
    let [_, signing] = CANARIES;
    let receiver = format!(
        "url = \"http://127.0.0.1:9/canary\"\nheaders = {{ A = \"canary-header\", B = {{ file = \"token\" }} }}\nsecret = \"whsec_{signing}\"\n"
    );
    let file = format!(
        "{stores}[providers.push]\nkind = \"http\"\n{receiver}[destinations.shop]\nallow_private = true\n{receiver}"
    );
    write(&folder, "baton.toml", &file);
    let served = Served::start_in(folder, &[&FLAGS[..], flags].concat());
    let here = served.folder.path();

    let mut told = stock(&served);
    let payload = r#"{"destination": "shop", "path": "/orders/7"}"#;
    let (job, words) = enqueue(&served, "http", payload);
    told += &(words + &everything(&served, &job));
    let broken = r#"{"destination": "shop", "path": "/../orders"}"#;
    let broken = ["jobs", "enqueue", "http", "--payload", broken];
    told += &served.run(&broken).err();
    for words in [&["doctor"][..], &["doctor", "--json"]] {
        let ran = run(here, &[words, flags].concat());
        told += &(ran.out() + &ran.err());
    }

    assert!(told.contains("(hidden)"), "{told}");
    assert_eq!(canary(&told), None);
    assert_eq!(path_of_the_build(&told), None);
}
