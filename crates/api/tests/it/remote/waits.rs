//! Claims that wait: what they say of their wait, and that their worker lives.

use std::time::Duration;

use axum::http::Method;
use baton_domain::{Clock, LeaseId, duration};
use baton_ports::store::Fleet;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};

use super::{Far, claim, jobs_of, resize};
use crate::fixture::Fixture;

#[tokio::test(start_paused = true)]
async fn a_claim_that_brings_a_job_says_how_long_it_had_waited_for_it() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let begun = Instant::now();

    let (claimed, _) = tokio::join!(far.say("claim", claim(LeaseId::random(), "50s")), async {
        sleep(Duration::from_secs(40)).await;
        resize(&fixture).await
    });

    let (waited, all) = (waited(&claimed), begun.elapsed());
    assert_eq!(jobs_of(&claimed).len(), 1);
    assert!(
        Duration::from_secs(39) < waited && waited <= all,
        "{waited:?} of {all:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_job_that_was_there_had_nobody_wait_for_it() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    resize(&fixture).await;

    let claimed = far.say("claim", claim(LeaseId::random(), "50s")).await;

    assert_eq!(jobs_of(&claimed).len(), 1);
    assert!(waited(&claimed) < Duration::from_millis(100));
}

#[tokio::test(start_paused = true)]
async fn a_claim_waits_for_fifty_seconds_at_the_most() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let begun = Instant::now();

    let claimed = far.say("claim", claim(LeaseId::random(), "5m")).await;

    assert_eq!(begun.elapsed().as_secs(), 50);
    assert_eq!(
        (jobs_of(&claimed).len(), waited(&claimed).as_secs()),
        (0, 50)
    );
}

#[tokio::test(start_paused = true)]
async fn a_worker_whose_claim_waits_is_live_and_one_whose_connection_has_gone_is_silent_a_lease_later()
 {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let mut states = Vec::new();
    let waits = far.say("claim", claim(LeaseId::random(), "50s"));
    let watch = async {
        for _ in 0..8 {
            states.push(pass(&fixture, Duration::from_secs(5)).await);
        }
    };

    let cut = timeout(Duration::from_secs(41), async {
        tokio::join!(waits, watch)
    })
    .await;
    let gone = pass(&fixture, Duration::from_secs(31)).await;

    assert!(
        cut.is_err(),
        "the claim waits still as its connection is cut"
    );
    assert_eq!(states, ["live"; 8]);
    assert_eq!(gone, "silent");
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_ten_minutes_is_written_of_no_more_often_than_the_fleet_needs() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let mut seen = std::collections::BTreeSet::new();
    let waits = async {
        for _ in 0..12 {
            far.claim(LeaseId::random(), "50s").await;
        }
    };
    let watch = async {
        loop {
            pass(&fixture, Duration::from_secs(1)).await;
            let workers = fixture.get("/v1/workers").await.ok();
            seen.insert(workers["items"][0]["seen_at"].to_string());
        }
    };

    tokio::select! {
        () = waits => {}
        () = watch => {}
    }

    assert!((45..=65).contains(&seen.len()), "{}", seen.len());
}

#[tokio::test(start_paused = true)]
async fn a_drain_ends_a_claim_that_waits_and_its_answer_says_so_once() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let drain = |drain: bool| {
        let path = format!("/v1/workers/{}", far.id);
        let body = json!({"drain": drain});
        let fixture = &fixture;
        async move { fixture.call(Method::PATCH, &path, Some(body)).await.ok() }
    };
    let ask = |wait: &'static str| far.say("claim", claim(LeaseId::random(), wait));
    let begun = Instant::now();

    let (told, _) = tokio::join!(ask("50s"), async {
        sleep(Duration::from_secs(1)).await;
        drain(true).await
    });
    let heard = begun.elapsed();
    let again = ask("5s").await;
    let waited = begun.elapsed() - heard;
    drain(false).await;
    let after = ask("0s").await;

    assert_eq!(
        (&told["drain"], &again["drain"], &after["drain"]),
        (&json!(true), &json!(true), &json!(false))
    );
    assert!(heard < Duration::from_millis(1_200), "{heard:?}");
    assert_eq!(waited.as_secs(), 5, "it was told before");
}

#[tokio::test(start_paused = true)]
async fn a_drain_that_nobody_was_woken_for_ends_a_claim_within_half_a_lease() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let begun = Instant::now();

    let (told, drained) = tokio::join!(far.say("claim", claim(LeaseId::random(), "50s")), async {
        sleep(Duration::from_secs(1)).await;
        fixture
            .store
            .drain_worker(far.id, true, fixture.clock.now())
            .await
    });

    assert!(drained.unwrap());
    assert_eq!(told["drain"], true);
    assert!(
        begun.elapsed() < Duration::from_secs(18),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn a_claim_that_waits_while_its_worker_drains_has_a_job_soon_after_the_drain_is_lifted() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let drain = async |drain: bool| {
        let now = fixture.clock.now();
        fixture
            .store
            .drain_worker(far.id, drain, now)
            .await
            .unwrap()
    };
    drain(true).await;
    far.say("claim", claim(LeaseId::random(), "0s")).await;
    resize(&fixture).await;
    let begun = Instant::now();

    let (claimed, _) = tokio::join!(far.say("claim", claim(LeaseId::random(), "50s")), async {
        sleep(Duration::from_secs(10)).await;
        drain(false).await
    });

    assert_eq!(jobs_of(&claimed).len(), 1);
    assert!(
        (10..15).contains(&begun.elapsed().as_secs()),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_has_left_elsewhere_hears_so_from_a_claim_that_waits() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let path = format!("/v1/workers/{}/claim", far.id);

    let (ended, left) = tokio::join!(far.claim(LeaseId::random(), "50s"), async {
        sleep(Duration::from_secs(1)).await;
        fixture.store.leave(far.id, fixture.clock.now()).await
    });
    let refused = fixture.post(&path, claim(LeaseId::random(), "0s")).await;

    left.unwrap();
    assert!(ended.is_empty());
    assert_eq!(refused.status, 409);
}

/// Lets time pass, on both clocks; says how the worker is after it.
async fn pass(fixture: &Fixture, span: Duration) -> String {
    sleep(span).await;
    fixture.clock.advance(span);
    let workers = fixture.get("/v1/workers").await.ok();
    workers["items"][0]["state"].as_str().unwrap().to_owned()
}

fn waited(claimed: &Value) -> Duration {
    duration::parse(claimed["waited"].as_str().unwrap()).unwrap()
}
