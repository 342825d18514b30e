//! Jobs from their enqueue to their result.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use baton_sdk::{Context, Error, JobError, Logged, Trace, client::JobsQuery};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::ground::{Beside, SOON, server, server_of, until};

#[derive(Serialize, Deserialize)]
struct Resize {
    image: u64,
    width: u64,
}

async fn resize(args: Resize, _ctx: Context) -> Result<u64, JobError> {
    if args.width == 0 {
        return Err(JobError::permanent("bad_width", "one pixel at least"));
    }
    Ok(args.image * args.width)
}

#[tokio::test]
async fn whoever_enqueues_a_job_reads_what_its_handler_answered() {
    let server = server().await;
    let job = server.app().job::<Resize>("resize").returns::<u64>();
    let worker = Beside::start(server.app().worker().layer(Logged).handle(&job, resize));

    let order = Resize { image: 7, width: 3 };
    let first = job.args(&order).key("order-1").enqueue().await.unwrap();
    let again = job.args(&order).key("order-1").enqueue().await.unwrap();

    assert_eq!(first.result(SOON).await.unwrap(), 21);
    assert_eq!(
        (first.id(), first.created(), again.created()),
        (again.id(), true, false)
    );
    worker.stop().await.unwrap();
}

#[tokio::test]
async fn a_job_that_failed_for_good_says_by_which_code() {
    let server = server().await;
    let job = server.app().job::<Resize>("resize").returns::<u64>();
    let worker = Beside::start(server.app().worker().handle(&job, resize));

    let bad = job.args(&Resize { image: 7, width: 0 });
    let handle = bad.enqueue().await.unwrap();

    let Err(Error::Failed(failed)) = handle.result(SOON).await else {
        panic!("it has not failed");
    };
    assert_eq!(failed.code(), Some("bad_width"));
    worker.stop().await.unwrap();
}

#[tokio::test]
async fn an_error_of_any_sort_is_tried_again_and_a_payload_that_does_not_fit_is_not() {
    let server = server().await;
    let job = server.app().job::<Resize>("resize").returns::<u32>();
    let loose = server.app().job::<serde_json::Value>("resize");
    let tries = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&tries);
    let handler = move |_: Resize, ctx: Context| {
        let tries = Arc::clone(&counted);
        async move {
            if tries.fetch_add(1, Ordering::Relaxed) == 0 {
                Err(io::Error::other("not yet"))?;
            }
            Ok(ctx.tries())
        }
    };
    let worker = Beside::start(server.app().worker().handle(&job, handler));

    let order = job.args(&Resize { image: 1, width: 1 });
    let order = order.backoff(serde_json::from_str(r#"{"base": "10ms", "cap": "10ms"}"#).unwrap());
    let order = order.enqueue().await.unwrap();
    let wrong = loose.args(&serde_json::json!({"image": "seven"}));
    let wrong = wrong.enqueue().await.unwrap();

    assert_eq!(order.result(SOON).await.unwrap(), 2);
    let ended = until(&server.app(), wrong.id(), |job| job.state.is_terminal()).await;
    assert_eq!(ended.last_error.unwrap().code, "bad_payload");
    worker.stop().await.unwrap();
}

#[tokio::test]
async fn a_canceled_job_has_its_handler_dropped_where_it_waits() {
    struct Told(Option<tokio::sync::oneshot::Sender<()>>);
    impl Drop for Told {
        fn drop(&mut self) {
            let _ = self.0.take().map(|told| told.send(()));
        }
    }
    let server = server().await;
    let job = server.app().job::<u64>("sleep");
    let (dropped, was_dropped) = tokio::sync::oneshot::channel();
    let dropped = Arc::new(std::sync::Mutex::new(Some(dropped)));
    let handler = move |_: u64, _: Context| {
        let told = Told(dropped.lock().unwrap().take());
        async move {
            let _told = told;
            std::future::pending::<()>().await;
            Ok(())
        }
    };
    let worker = Beside::start(server.app().worker().handle(&job, handler));

    let handle = job.args(&1).enqueue().await.unwrap();
    until(&server.app(), handle.id(), |job| {
        job.state.to_string() == "running"
    })
    .await;
    handle.cancel().await.unwrap();

    was_dropped.await.unwrap();
    let ended = until(&server.app(), handle.id(), |job| job.state.is_terminal()).await;
    assert_eq!(ended.state.to_string(), "canceled");
    worker.stop().await.unwrap();
}

#[tokio::test]
async fn cancels_one_after_another_are_each_heard_at_once() {
    let server = server_of(Duration::from_secs(15)).await;
    let job = server.app().job::<u64>("sleep");
    let (began, mut begun) = mpsc::unbounded_channel();
    let handler = move |_: u64, _: Context| {
        began.send(()).unwrap();
        std::future::pending::<Result<(), JobError>>()
    };
    let worker = Beside::start(server.app().worker().slots(1).handle(&job, handler));
    let mut slowest = Duration::ZERO;

    for number in 0..4 {
        let handle = job.args(&number).enqueue().await.unwrap();
        begun.recv().await.unwrap();
        let asked = Instant::now();
        handle.cancel().await.unwrap();
        until(&server.app(), handle.id(), |job| job.state.is_terminal()).await;
        slowest = slowest.max(asked.elapsed());
    }

    assert!(slowest < Duration::from_millis(500), "{slowest:?}");
    worker.stop().await.unwrap();
}

#[tokio::test]
async fn a_walk_goes_on_behind_its_cursor_and_adds_each_child_once() {
    let server = server().await;
    let app = server.app();
    let child = app.job::<u64>("child");
    let walk = app.job::<u64>("walk").returns::<(u64, u32)>();
    let of_walk = child.clone();
    let handler = move |items: u64, ctx: Context| {
        let child = of_walk.clone();
        async move {
            let mut at = ctx.cursor::<u64>()?.unwrap_or(0);
            while at < items {
                let children = (at..at + 10).map(|item| child.args(&item).key(format!("c-{item}")));
                let children: Vec<_> = children.collect();
                at += 10;
                ctx.checkpoint(&at)
                    .done(at)
                    .total(items)
                    .jobs(children)
                    .await?;
                if at == 50 && ctx.attempt() == 1 {
                    return Err(JobError::retry("halfway", "").after(Duration::from_millis(10)));
                }
            }
            Ok((at, ctx.attempt()))
        }
    };
    let done = |_: u64, _: Context| async { Ok(()) };
    let worker = app.worker().handle(&walk, handler).handle(&child, done);
    let worker = Beside::start(worker);

    let handle = walk.args(&100).enqueue().await.unwrap();

    assert_eq!(handle.result(SOON).await.unwrap(), (100, 2));
    server.quiet(SOON).await.unwrap();
    let shown = handle.show().await.unwrap();
    assert_eq!(shown.progress.unwrap().done, 100);
    let children = app.client().jobs_page(&children_query()).await.unwrap();
    assert_eq!(children.items.len(), 100);
    worker.stop().await.unwrap();
}

fn children_query() -> baton_sdk::client::JobsQuery {
    baton_sdk::client::JobsQuery {
        kind: Some("child".to_owned()),
        limit: Some(200),
        ..baton_sdk::client::JobsQuery::default()
    }
}

#[tokio::test]
async fn an_attempt_is_told_the_trace_of_its_job_and_its_children_have_it() {
    let server = server().await;
    let app = server.app();
    let row = app.job::<u64>("row");
    let walk = app.job::<u64>("walk").returns::<Option<Trace>>();
    let own = row.clone();
    let handler = move |_: u64, ctx: Context| {
        let own = own.clone();
        async move {
            ctx.checkpoint(&1).jobs([own.args(&7)]).await?;
            Ok(ctx.trace().cloned())
        }
    };
    let tell = async |_: u64, ctx: Context| Ok(ctx.trace().cloned());
    let told = row.clone().returns::<Option<Trace>>();
    let worker = app.worker().handle(&walk, handler).handle(&told, tell);
    let worker = Beside::start(worker);
    let trace = Trace {
        traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".to_owned(),
        tracestate: Some("vendor=1".to_owned()),
    };

    let parent = walk.args(&1).trace(trace.clone()).enqueue().await.unwrap();
    let known = parent.result(SOON).await.unwrap();
    let bare = told.args(&1).enqueue().await.unwrap();

    assert_eq!(known, Some(trace.clone()));
    assert_eq!(bare.result(SOON).await.unwrap(), None);
    let query = JobsQuery {
        kind: Some("row".to_owned()),
        ..JobsQuery::default()
    };
    let rows = app.client().jobs_page(&query).await.unwrap().items;
    let traced: Vec<_> = rows.iter().filter(|row| row.trace.is_some()).collect();
    assert_eq!((rows.len(), traced.len()), (2, 1));
    assert_eq!(traced[0].trace, Some(trace));
    worker.stop().await.unwrap();
}
