//! The questions about who works, what went by itself, who pressed what, and whether one sees the truth.

use std::time::{Duration, Instant};

use baton_domain::job::State;
use baton_testkit::{Postgres, Redis, eventually};
use serde_json::json;

use super::{SOON, running};
use crate::{
    access::{key, set_up},
    page::Page,
    server::{Server, TIMEOUT},
};

/// How long leases last here.
const LEASE: Duration = Duration::from_secs(2);

#[tokio::test]
async fn is_anything_stuck_or_late() {
    let server = Server::start().await;
    let mut worker = server.start_worker(&["--kind", "import", "--exec", "sleep 60"]);
    let id = server.enqueue("import", json!({}), json!({})).await;
    server.until(id, State::Running).await;
    let page = Page::open(&server, "").await;

    worker.kill();
    let killed = Instant::now();
    page.until_there("[data-worker][data-presence=silent]")
        .await;
    let seen_after = killed.elapsed();
    eventually(
        "its job is seen to wait for a worker",
        TIMEOUT,
        async || {
            let needs = page.texts(".needs").await.concat();
            needs.contains("Silent: ") && needs.contains("No live worker serves import")
        },
    )
    .await;

    assert!(seen_after < LEASE + SOON, "{seen_after:?}");
    assert!(page.is_in_sight(".needs").await);
    assert_ne!(server.job(id).await.state, State::Running);
    assert!(page.is_the_same().await);
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn is_a_worker_redis_or_the_database_down() {
    let (mut postgres, mut redis) = (Postgres::start(), Redis::start());
    let server = Server::start_with_settings(&format!(
        "[database]\nurl = \"{}\"\nmigrate = true\nallow_unsafe = true\n[redis]\nurl = \"{}\"\n",
        postgres.url(),
        redis.url()
    ))
    .await;
    let page = Page::open(&server, "/queues").await;
    page.until_there("[data-panel=health] .calm").await;

    redis.stop();
    let stopped = Instant::now();
    page.until_there("[data-panel=health] .chip.bad").await;
    let seen_after = stopped.elapsed();
    let bad = page.texts("[data-panel=health] .chip.bad").await;
    page.go(&server, "/jobs").await;
    let id = server.enqueue_call("/ok", json!({})).await;
    page.until_row(id, "succeeded").await;
    postgres.stop();
    eventually("both are seen to be down", TIMEOUT, async || {
        let chips = page.texts("[data-panel=health] .chip.bad").await.concat();
        chips.contains("Hints none") && chips.contains(" does not answer")
    })
    .await;
    page.goto(&server.admin("")).await.unwrap();
    let needs = page.texts(".needs").await.concat();

    assert!(seen_after < SOON, "{seen_after:?}");
    assert_eq!(bad.len(), 1, "{bad:?}");
    assert!(
        bad[0].contains("Hints none, jobs are claimed from the database"),
        "{bad:?}"
    );
    assert!(needs.contains("The database does not answer"), "{needs}");
    assert!(page.is_in_sight("[data-panel=health] .chip.bad").await);
}

#[tokio::test]
async fn what_did_the_system_do_by_itself() {
    let mut server = Server::start().await;
    let id = running(&server).await;

    server.kill();
    server.restart();
    eventually("the job runs a second time", TIMEOUT, async || {
        let job = server.api.job(id).await;
        job.is_ok_and(|job| job.attempt == 2)
    })
    .await;
    let page = Page::open(&server, &format!("/jobs/{id}")).await;

    page.until_there(".timeline").await;
    let told = page.texts(".timeline li").await;
    let lost = told.iter().position(|line| line.contains("lost"));
    let again = told.iter().position(|line| line.contains("Attempt 2"));
    page.go(&server, "/activity/recoveries").await;
    let cause = page.texts("[data-recovery] th").await;
    let about = page.texts("[data-recovery] td:nth-child(3) a").await;
    let effect = page.texts("[data-recovery] .why").await;

    assert!(lost.is_some() && lost < again, "{told:?}");
    let id = id.to_string();
    let short = &id[id.len() - 6..];
    let row = cause.iter().zip(&about).zip(&effect);
    let row = row.filter(|((_, about), effect)| about.contains(short) && !effect.is_empty());
    assert!(row.count() > 0, "{cause:?} {about:?} {effect:?}");
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn who_pressed_which_button() {
    let server = Server::start_guarded().await;
    let page = Page::open_outside(&server, "/set-up").await;
    set_up(&server, &page).await;
    let api = server.api.clone().with_key(&key(&server, &page).await);
    let job = json!({"kind": "simulate", "payload": {}});
    let job = serde_json::from_str(&job.to_string()).unwrap();
    api.enqueue(&job).await.unwrap();
    page.go(&server, "/queues").await;

    let row = "[data-queue=default]";
    page.until_there(row).await;
    page.press(
        &format!("{row} [data-action=pause]"),
        &format!("{row}[data-paused=true]"),
    )
    .await;
    page.go(&server, "/activity?action=queue.change").await;
    let who = page.texts("[data-audit] th").await;
    let what = page.texts("[data-audit] td").await.join("; ");

    assert_eq!(who, ["root"]);
    for word in ["queue.change", "default", "paused false → true", "req_"] {
        assert!(what.contains(word), "{word}: {what}");
    }
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn is_this_screen_current() {
    let mut server = Server::start().await;
    let before = running(&server).await;
    let page = Page::open(&server, "/jobs").await;
    page.until_row(before, "running").await;

    server.kill();
    page.until_there("[data-live=reconnecting]").await;
    let badge = page.texts("[data-live-text]").await.concat();
    let is_in_sight = page.is_in_sight("[data-live]").await;
    server.restart();
    let after = server.enqueue_call("/ok", json!({})).await;
    page.until_row(after, "succeeded").await;
    page.until_there("[data-live=live]").await;
    page.until_there(&format!("tr[data-job='{before}'] .why"))
        .await;

    assert!(badge.starts_with("reconnecting, "), "{badge}");
    assert!(badge.ends_with(" old"), "{badge}");
    assert!(is_in_sight);
    assert!(page.is_the_same().await);
}
