//! The fleet: who works and who leads, what holds, and the button that drains.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use baton_domain::{
    WorkerId,
    fleet::{Heartbeat, RemoteWorker},
    time::StoreClock,
};
use baton_ports::store::Fleet;

use crate::fixture::{Fixture, NOW};

async fn remote(fixture: &Fixture, name: &str, kind: &str) {
    let heartbeat = Heartbeat {
        worker: WorkerId::new(NOW),
        name: name.to_owned(),
        version: "0.1.0".to_owned(),
        lease: None,
        slots: BTreeMap::new(),
        running: 1,
        draining: false,
        started_at: NOW,
        remote: Some(RemoteWorker {
            kinds: vec![kind.to_owned()],
            queues: vec![kind.to_owned()],
            slots: 4,
            sdk: "python/0.1.0".to_owned(),
            app_version: Some("2026.11<b>".to_owned()),
            free: 3,
            asked_at: Some(NOW),
            ..RemoteWorker::default()
        }),
    };
    fixture.store.heartbeat(&heartbeat, NOW).await.unwrap();
}

#[tokio::test]
async fn the_room_tells_who_works_and_what_the_fleet_rests_on() {
    let fixture = Fixture::new();
    fixture.heartbeat("web-1:4711", "0.1.0").await;
    remote(&fixture, "pictures-1:1", "resize").await;

    let page = fixture.get("/admin/fleet").await;

    page.has("web-1:4711")
        .has("data-footing=\"database\"")
        .has("data-kind=\"resize\" data-served=\"true\"")
        .has("python/0.1.0 · resize")
        .has("1 / 4")
        .has("2026.11&#60;b&#62;")
        .lacks("side by side");
}

#[tokio::test(start_paused = true)]
async fn the_room_tells_how_far_the_clock_of_this_server_is_from_the_database_s() {
    let fixture = Fixture::new();
    let early = fixture.get("/admin/fleet").await;

    let clock = Arc::new(StoreClock::starting_at(NOW));
    fixture.engine.timekeeper(clock).turn().await.unwrap();
    tokio::time::advance(Duration::from_secs(1)).await;
    let page = fixture.get("/admin/fleet").await;

    early.has("goes with the database&#39;s<");
    page.has("data-footing=\"clock\"")
        .has("goes with the database&#39;s; this machine&#39;s is")
        .has("ahead of it, give or take");
}

#[tokio::test]
async fn servers_of_different_versions_are_called_out() {
    let mut fixture = Fixture::new();
    fixture.heartbeat("web-1:4711", "0.1.0").await;
    fixture.worker = WorkerId::new(NOW);
    fixture.heartbeat("web-2:812", "0.2.0").await;

    let page = fixture.get("/admin/fleet").await;

    page.has("versions run side by side: 0.1.0, 0.2.0");
}

#[tokio::test]
async fn a_worker_is_drained_and_let_on_again_by_its_button() {
    let fixture = Fixture::new();
    fixture.heartbeat("web-1:4711", "0.1.0").await;
    let worker = fixture.worker;

    let drained = fixture
        .press_by_script(&format!("/admin/fleet/{worker}/drain"), "")
        .await;
    let while_draining = fixture.get("/admin/fleet").await;
    let again = fixture
        .press_by_script(&format!("/admin/fleet/{worker}/undrain"), "")
        .await;

    drained.has("Asked web-1:4711 to drain");
    assert_eq!(while_draining.buttons(), ["undrain"]);
    again.has("takes new jobs again");
    assert_eq!(fixture.get("/admin/fleet").await.buttons(), ["drain"]);
}
