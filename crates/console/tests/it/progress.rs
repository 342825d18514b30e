//! How far a job is, and what a checkpoint changes of its buttons.

use std::time::Duration;

use baton_domain::{Clock, access::Role, checkpoint::Progress, job::State};
use baton_engine::Cancel;
use baton_ports::store::{CheckpointStep, Claimed, Jobs, Work};

use crate::{
    access::seen_by,
    fixture::{Fixture, spec},
};

async fn save(fixture: &Fixture, claimed: &Claimed, cursor: &str, done: u64) {
    let step = CheckpointStep {
        lease: claimed.lease,
        job: claimed.args.id,
        attempt: claimed.counters.attempt,
        seq: 1,
        cursor: cursor.to_owned(),
        progress: Some(Progress {
            done,
            total: Some(200),
            note: Some("page <36>".to_owned()),
        }),
        jobs: Vec::new(),
    };
    let now = fixture.clock.now();
    let worker = fixture.worker;
    fixture.store.checkpoint(worker, &step, now).await.unwrap();
}

#[tokio::test]
async fn a_job_that_has_said_nothing_shows_no_bar() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Running).await;

    let page = fixture.get(&format!("/admin/jobs/{id}")).await;

    page.lacks("data-progress").lacks("Checkpoint");
}

#[tokio::test]
async fn a_job_shows_how_far_it_is_and_where_it_would_go_on() {
    let fixture = Fixture::new();
    let id = fixture.enqueue(spec()).await;
    let claimed = fixture.claim().await;
    fixture.clock.advance(Duration::from_secs(10));
    save(&fixture, &claimed, r#"{"page":36}"#, 124).await;

    let page = fixture.get(&format!("/admin/jobs/{id}")).await;

    page.has("data-progress=\"62\"")
        .has("124 of 200")
        .has("page &#60;36&#62;")
        .has("&#34;page&#34;: 36")
        .lacks("<36>");
    assert_eq!(page.buttons(), ["cancel", "force-stop"]);
    page.has(">Stop<");
}

#[tokio::test]
async fn whoever_may_see_no_payloads_sees_no_cursor() {
    let fixture = Fixture::new();
    let id = fixture.enqueue(spec()).await;
    let claimed = fixture.claim().await;
    save(&fixture, &claimed, r#"{"account":"t42"}"#, 124).await;

    let fixture = seen_by(fixture, Role::Viewer);
    let page = fixture.get(&format!("/admin/jobs/{id}")).await;

    page.has("data-progress=\"62\"")
        .lacks("t42")
        .lacks("page &#60;");
}

#[tokio::test]
async fn a_stopped_job_is_resumed_behind_its_checkpoint_or_started_over() {
    let fixture = Fixture::new();
    let id = fixture.enqueue(spec()).await;
    let claimed = fixture.claim().await;
    save(&fixture, &claimed, r#"{"page":36}"#, 124).await;
    let by_force = Cancel {
        force: true,
        reason: None,
    };
    fixture.engine.cancel(id, by_force).await.unwrap();
    let page = format!("/admin/jobs/{id}");

    let stopped = fixture.get(&page).await;
    fixture.press(&format!("{page}/retry"), "").await;
    let kept = fixture.store.checkpoints(&[id]).await.unwrap();
    let again = Cancel::default();
    fixture.engine.cancel(id, again).await.unwrap();
    fixture.press(&format!("{page}/retry"), "as=afresh").await;
    let anew = fixture.store.checkpoints(&[id]).await.unwrap();

    stopped.has(">Resume<").has("value=\"afresh\"");
    assert_eq!(stopped.buttons(), ["retry", "start-over"]);
    assert_eq!(kept[0].cursor.as_deref(), Some(r#"{"page":36}"#));
    assert_eq!((anew[0].cursor.as_deref(), anew[0].era), (None, 2));
}
