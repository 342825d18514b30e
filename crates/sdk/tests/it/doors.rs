//! What a test can do to a real server: have time pass at once, take leases away, cut connections, wait for quiet.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use baton_sdk::{Context, Error, client::Error as ClientError};
use tokio::sync::Notify;

use crate::ground::{Beside, SOON, server, until};

const DAY: Duration = Duration::from_hours(24);

#[tokio::test]
async fn a_job_of_tomorrow_runs_once_a_day_has_passed() {
    let mut server = server().await;
    let app = server.app();
    let remind = app.job::<String>("remind").returns::<String>();
    let handler = |text: String, _: Context| async move { Ok(text) };
    let worker = Beside::start(app.worker().handle(&remind, handler));

    let job = remind.args(&"tea".to_owned()).delay(DAY);
    let handle = job.enqueue().await.unwrap();
    server.quiet(SOON).await.unwrap();
    let first = server.advance(Duration::ZERO).await.unwrap();
    let shown = server.advance(DAY).await.unwrap();

    assert_eq!(handle.result(SOON).await.unwrap(), "tea");
    assert!(shown.since(first) >= DAY, "{first} {shown}");
    worker.stop().await.unwrap();
}

/// Counts a handler that was stopped before its end.
struct Told(Arc<AtomicU32>);

impl Drop for Told {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn a_handler_that_has_lost_its_lease_is_told_and_its_job_runs_again() {
    let server = server().await;
    let app = server.app();
    let fragile = app.job::<u32>("fragile").returns::<u32>();
    let stopped = Arc::new(AtomicU32::new(0));
    let seen = stopped.clone();
    let handler = move |_: u32, ctx: Context| {
        let first = (ctx.attempt() == 1).then(|| Told(seen.clone()));
        async move {
            if first.is_some() {
                std::future::pending::<()>().await;
            }
            Ok(ctx.attempt())
        }
    };
    let worker = Beside::start(app.worker().slots(2).handle(&fragile, handler));

    let handle = fragile.args(&7).enqueue().await.unwrap();
    until(&app, handle.id(), |job| job.attempt == 1).await;
    let lost = server.lose_leases().await.unwrap();

    assert_eq!(lost, 1);
    assert_eq!(handle.result(SOON).await.unwrap(), 2);
    worker.stop().await.unwrap();
    assert_eq!(stopped.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_worker_whose_connections_are_cut_goes_on_through_days_that_pass() {
    let mut server = server().await;
    let app = server.app();
    let double = app.job::<u32>("double").returns::<(u32, u32)>();
    let may_end = Arc::new(Notify::new());
    let ends = may_end.clone();
    let handler = move |n: u32, ctx: Context| {
        let may_end = ends.clone();
        async move {
            if n == 2 {
                may_end.notified().await;
            }
            Ok((2 * n, ctx.attempt()))
        }
    };
    let worker = Beside::start(app.worker().handle(&double, handler));
    let first = double.args(&1).enqueue().await.unwrap();
    let first = first.result(SOON).await.unwrap();

    let second = double.args(&2).enqueue().await.unwrap();
    until(&app, second.id(), |job| job.attempt == 1).await;
    let cut = server.cut().await.unwrap();
    server.advance(3 * DAY).await.unwrap();
    may_end.notify_one();

    assert!(cut >= 1, "{cut}");
    assert_eq!(
        (first, second.result(SOON).await.unwrap()),
        ((2, 1), (4, 1))
    );
    worker.stop().await.unwrap();
}

#[tokio::test]
async fn a_server_that_is_started_again_keeps_its_time_of_day() {
    let mut server = server().await;
    let before = server.advance(2 * DAY).await.unwrap();

    server.restart().await.unwrap();

    assert!(server.advance(Duration::ZERO).await.unwrap() >= before);
}

#[tokio::test]
async fn what_cannot_be_had_of_a_server_is_told() {
    let mut server = server().await;
    let unserved = server.app().job::<u32>("nobody");
    let handle = unserved.args(&7).enqueue().await.unwrap();

    let not_quiet = server.quiet(Duration::ZERO).await.unwrap_err();
    server.advance(3_660 * DAY).await.unwrap();
    let too_far = server.advance(DAY).await.unwrap_err();

    let left = format!("{} (nobody) is queued", handle.id());
    assert!(not_quiet.to_string().contains(&left), "{not_quiet}");
    assert!(
        matches!(&too_far, Error::Client(ClientError::Problem(problem)) if problem.status == 422),
        "{too_far}"
    );
}
