//! What `baton doctor` says of a Redis.

use std::time::Duration;

use baton_domain::{Clock, Timestamp, time::SystemClock};
use baton_ports::store::Finding;
use baton_testkit::{Redis, Stopwatch};
use uuid::Uuid;

use crate::fixture::{Fixture, quick};

async fn findings(fixture: &Fixture) -> Vec<Finding> {
    fixture.hints.findings(SystemClock.now()).await
}

fn of<'a>(findings: &'a [Finding], subject: &str) -> &'a Finding {
    let found = findings.iter().find(|finding| finding.subject == subject);
    found.unwrap_or_else(|| panic!("nothing is said of {subject}: {findings:?}"))
}

#[tokio::test]
async fn a_redis_as_it_is_installed_is_good_in_all_respects() {
    let fixture = Fixture::over(Redis::start()).await;

    let findings = findings(&fixture).await;

    assert!(
        findings.iter().all(|finding| finding.is_good),
        "{findings:?}"
    );
    assert!(
        of(&findings, "redis persistence")
            .message
            .contains("not needed")
    );
    assert!(of(&findings, "redis version").message.starts_with("is "));
}

#[tokio::test]
async fn a_redis_that_evicts_is_told_what_that_does_to_hints() {
    let settings = ["maxmemory=100mb", "maxmemory-policy=allkeys-lru"];
    let fixture = Fixture::over(Redis::start_with(&settings)).await;

    let findings = findings(&fixture).await;

    let finding = of(&findings, "redis maxmemory-policy");
    assert!(!finding.is_good);
    assert!(finding.message.contains("set noeviction"), "{finding:?}");
}

#[tokio::test]
async fn a_redis_without_room_is_told_to_have_more() {
    let fixture = Fixture::over(Redis::start_with(&["maxmemory=1mb"])).await;

    let findings = findings(&fixture).await;

    assert!(!of(&findings, "redis maxmemory").is_good);
}

#[tokio::test]
async fn a_replica_is_told_to_be_the_wrong_one() {
    let fixture = Fixture::over(Redis::start()).await;
    fixture.redis.command(&["REPLICAOF", "127.0.0.1", "1"]);

    let findings = findings(&fixture).await;

    assert!(!of(&findings, "redis role").is_good);
}

#[tokio::test]
async fn clocks_that_differ_are_named_with_their_difference() {
    let fixture = Fixture::over(Redis::start()).await;
    let past = Timestamp::from_micros(SystemClock.now().as_micros() - 65_000_000);

    let findings = fixture.hints.findings(past).await;

    let finding = of(&findings, "redis clock");
    assert!(!finding.is_good);
    assert!(finding.message.starts_with("is 6"), "{finding:?}");
}

#[tokio::test]
async fn connections_that_nobody_asks_after_are_named() {
    let fixture = Fixture::over(Redis::start_with(&["tcp-keepalive=0"])).await;

    let findings = findings(&fixture).await;

    assert!(!of(&findings, "redis tcp-keepalive").is_good);
}

#[tokio::test]
async fn a_limit_that_cuts_answers_off_is_named() {
    let settings = ["client-output-buffer-limit=normal 100kb 0 0"];
    let fixture = Fixture::over(Redis::start_with(&settings)).await;

    let findings = findings(&fixture).await;

    let finding = of(&findings, "redis client-output-buffer-limit");
    assert!(!finding.is_good);
    assert!(
        finding.message.starts_with("is 102400 bytes"),
        "{finding:?}"
    );
}

#[tokio::test]
async fn a_redis_that_does_not_tell_its_settings_is_no_worse_for_it() {
    let redis = Redis::start();
    redis.command(&[
        "ACL", "SETUSER", "baton", "on", ">pass", "~*", "&*", "+@all", "-config",
    ]);
    let url = redis.url().replace("redis://", "redis://baton:pass@");
    let fixture = Fixture::with(redis, quick(url, Uuid::new_v4())).await;

    let findings = findings(&fixture).await;

    assert!(of(&findings, "redis settings").is_good);
    assert!(
        findings.iter().all(|finding| finding.is_good),
        "{findings:?}"
    );
}

#[tokio::test]
async fn a_redis_that_is_not_there_is_one_finding_and_takes_no_time() {
    let mut fixture = Fixture::over(Redis::start()).await;
    fixture.redis.kill();

    let start = Stopwatch::start();
    let findings = findings(&fixture).await;

    assert_eq!(findings.len(), 1);
    assert!(findings[0].message.contains("cannot be reached"));
    assert!(start.elapsed() < Duration::from_secs(2));
}
