use std::time::Duration;

use baton_domain::{
    Trace,
    job::{JobSpec, State},
    page::PageRequest,
};
use baton_ports::store::{JobFilter, Jobs};

use crate::world::{World, spec, within_reason};

#[tokio::test(start_paused = true)]
async fn an_attempt_begins_where_the_last_one_left_off_and_makes_each_job_once() {
    let world = World::with_slots(4);
    let walk = JobSpec {
        max_attempts: Some(2),
        ..spec("\"walk 6\"")
    };
    let ids = world.enqueue_specs(vec![walk]).await;

    world.release();
    let _running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;

    assert_eq!(world.job(ids[0]).await.result.as_deref(), Some("3"));
    within_reason(async || world.handler.calls() == 2 + 6).await;
    let mut children = world.handler.calls.lock().clone();
    children.retain(|payload| payload.contains("child"));
    children.sort();
    let wanted: Vec<_> = (1..=6).map(|step| format!("\"child {step}\"")).collect();
    assert_eq!(children, wanted);
}

#[tokio::test(start_paused = true)]
async fn the_jobs_that_an_attempt_makes_belong_to_its_trace() {
    let world = World::with_slots(4);
    let trace = Some(Trace {
        traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".to_owned(),
        tracestate: Some("vendor=1".to_owned()),
    });
    let walk = JobSpec {
        trace: trace.clone(),
        ..spec("\"walk 3\"")
    };
    let ids = world.enqueue_specs(vec![walk]).await;

    world.release();
    let _running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;

    let (all, page) = (JobFilter::default(), PageRequest::first(100));
    let jobs = world.store.jobs(&all, &page).await.unwrap().items;
    let children: Vec<_> = jobs
        .iter()
        .filter(|job| job.payload.contains("child"))
        .collect();
    assert_eq!(children.len(), 3);
    assert!(
        children.iter().all(|child| child.options.trace == trace),
        "{children:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_call_counts_from_its_last_checkpoint() {
    let world = World::with_slots(4);
    let walk = JobSpec {
        timeout: Some(Duration::from_secs(5)),
        max_attempts: Some(2),
        ..spec("\"walk 9\"")
    };
    let ids = world.enqueue_specs(vec![walk]).await;

    world.release();
    let _running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;

    let attempts = world.store.attempts(ids[0]).await.unwrap();
    assert_eq!(
        attempts.len(),
        2,
        "none of them took too long: {attempts:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_got_on_has_its_tries_back() {
    let world = World::with_slots(4);
    let stumble = JobSpec {
        max_attempts: Some(2),
        ..spec("\"stumble 6\"")
    };
    let ids = world.enqueue_specs(vec![stumble]).await;

    world.release();
    let _running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;

    assert_eq!(world.store.attempts(ids[0]).await.unwrap().len(), 6);
}

#[tokio::test(start_paused = true)]
async fn a_job_of_a_kind_that_no_server_runs_stands_in_the_queue_of_its_kind() {
    let world = World::with_slots(1);
    let ids = world.enqueue(&["\"make resize\""]).await;

    let _running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;

    let made = world.job(ids[0]).await.result.unwrap();
    let made = world.job(made.parse().unwrap()).await;
    assert_eq!(
        (made.kind.as_str(), made.queue.as_str()),
        ("resize", "resize")
    );
}

#[tokio::test(start_paused = true)]
async fn a_job_is_held_to_the_rules_of_enqueued_ones_where_another_one_makes_it() {
    let world = World::with_slots(1);
    let ids = world.enqueue(&["\"make baton.other\""]).await;

    let _running = world.start();
    world.until_all_are(&ids, State::Failed).await;

    let attempts = world.store.attempts(ids[0]).await.unwrap();
    let ended = format!("{attempts:?}");
    assert!(ended.contains("\"jobs[0].kind names"), "{ended}");
}
