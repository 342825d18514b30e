//! Neighbours: jobs beside those that call somebody slow, or everybody at once.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use baton_domain::job::{Class, Verdict};
use baton_ports::Handler;
use baton_providers::{DestinationConfig, HttpConfig, HttpHandler, OriginLimit, provider::Limits};
use serde_json::json;
use tokio::task::JoinSet;

use crate::{
    bench::{accepted, call, failed, handler_with},
    delivery::fixture::{Fixture, gateway, note},
    target::{Connection, Target},
};

/// Calls that are made so often at once, and no oftener.
fn at_most(per_origin: usize) -> HttpConfig {
    HttpConfig {
        allow_private_targets: true,
        origins: Arc::new(OriginLimit::new(per_origin)),
        ..HttpConfig::default()
    }
}

/// A target that takes each request and never answers.
async fn stuck() -> Target {
    Target::that(async |mut connection: Connection| {
        connection.receive().await;
        connection.stall().await;
    })
    .await
}

/// Calls these at once; what comes back while the others hang.
async fn called(
    handler: HttpHandler,
    urls: Vec<String>,
    back: usize,
) -> (Vec<Verdict>, JoinSet<Verdict>) {
    let handler = Arc::new(handler);
    let mut calls = JoinSet::new();
    for url in urls {
        let handler = Arc::clone(&handler);
        calls.spawn(async move { handler.run(call(&json!({"url": url}))).await });
    }
    let mut verdicts = Vec::new();
    while verdicts.len() < back {
        verdicts.push(calls.join_next().await.unwrap().unwrap());
    }
    (verdicts, calls)
}

/// Says that there was no room, and when there may be.
#[track_caller]
fn put_off(verdict: &Verdict) {
    let failure = failed(verdict, Class::Throttled, "origin_busy");
    assert!(failure.message.starts_with("nothing was sent"));
    let Verdict::Failed { retry_after, .. } = verdict else {
        unreachable!()
    };
    let after = retry_after.unwrap();
    assert!(after >= Duration::from_secs(1) && after <= Duration::from_mins(1));
}

#[tokio::test]
async fn a_busy_origin_is_called_so_often_at_once_and_the_others_come_back_without_a_try() {
    let target = stuck().await;
    let urls = (0..7).map(|i| format!("http://127.0.0.1:{}/{i}", target.port()));

    let (back, hanging) = called(handler_with(at_most(3)), urls.collect(), 4).await;

    back.iter().for_each(put_off);
    assert_eq!((hanging.len(), target.connects()), (3, 3));
}

#[tokio::test]
async fn an_origin_that_answers_quickly_is_waited_for() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let target = Target::that({
        let (now, most) = (Arc::clone(&now), Arc::clone(&most));
        move |mut connection| {
            let (now, most) = (Arc::clone(&now), Arc::clone(&most));
            async move {
                while connection.receive().await.is_some() {
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    tokio::task::yield_now().await;
                    now.fetch_sub(1, Ordering::SeqCst);
                    connection.answer("200 OK", "", "").await;
                }
            }
        }
    })
    .await;

    let urls = vec![target.url(); 20];
    let (back, _) = called(handler_with(at_most(2)), urls, 20).await;

    back.iter().for_each(|verdict| drop(accepted(verdict)));
    assert!(most.load(Ordering::SeqCst) <= 2 && target.connects() <= 2);
}

#[tokio::test]
async fn jobs_destinations_and_providers_share_the_room_at_an_origin() {
    let mut target = stuck().await;
    let shop = DestinationConfig {
        url: format!("http://127.0.0.1:{}/", target.port()),
        ..DestinationConfig::default()
    };
    let config = HttpConfig {
        destinations: [("shop".to_owned(), shop)].into(),
        ..at_most(1)
    };
    let kind = gateway(&target.url());
    let fixture = Fixture::calling(&config, kind, Limits::default(), None).await;
    let handler = handler_with(config);
    let url = target.url();
    let first = call(&json!({"destination": "shop", "path": "/"}));
    let handler = Arc::new(handler);
    let hanging = tokio::spawn({
        let handler = Arc::clone(&handler);
        async move { handler.run(first).await }
    });
    target.next().await;

    let by_url = handler.run(call(&json!({"url": url}))).await;
    let delivered = fixture.deliver(&note()).await;

    put_off(&by_url);
    put_off(&delivered);
    hanging.abort();
}

#[tokio::test]
async fn a_receiver_that_hangs_up_in_the_midst_leaves_its_room_to_others() {
    let target = Target::that(async |mut connection: Connection| {
        connection.receive_one_byte().await;
        connection.reset();
    })
    .await;
    let handler = handler_with(at_most(1));

    for _ in 0..5 {
        let verdict = handler.run(call(&json!({"url": target.url()}))).await;

        failed(&verdict, Class::Unknown, "reset");
    }

    assert_eq!(target.connects(), 5);
}
