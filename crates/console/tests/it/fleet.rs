//! The fleet: who works and who leads, what holds, and the button that drains.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use baton_domain::{
    Clock, WorkerId,
    fleet::{Heartbeat, RemoteWorker},
    node::{GONE_AFTER, Node},
    time::{ClockDrift, SignedDuration, StoreClock},
};
use baton_ports::store::{Fleet, Nodes};

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

async fn node(fixture: &Fixture, name: &str, version: &str, roles: &[&str]) -> WorkerId {
    let node = Node {
        id: WorkerId::new(NOW),
        name: name.to_owned(),
        address: Some("http://10.0.0.7:7700".to_owned()),
        version: version.to_owned(),
        roles: roles.iter().map(ToString::to_string).collect(),
        started_at: NOW,
    };
    let clock = Some(ClockDrift {
        ahead: SignedDuration::from_millis(-250),
        bound: Duration::from_millis(2),
    });
    let beat = fixture.store.beat_node(&node, clock, fixture.clock.now());
    beat.await.unwrap();
    node.id
}

#[tokio::test]
async fn the_room_tells_of_nodes_without_a_worker_who_leads_and_how_far_their_clocks_are() {
    let fixture = Fixture::new();
    let leads = node(&fixture, "engine-1:7", "0.1.0", &["engine"]).await;
    node(&fixture, "web-<1>:8", "0.1.0", &["api", "worker"]).await;
    let won = fixture.store.lead(leads, Duration::from_secs(15), NOW);
    assert!(won.await.unwrap());

    let page = fixture.get("/admin/fleet").await;

    page.has(&format!(
        "data-node=\"{leads}\" data-presence=\"live\" data-leads=\"true\""
    ))
    .has("data-footing=\"leader\">engine-1:7<")
    .has("data-footing=\"nodes\">2 of 2 live<")
    .has("web-&#60;1&#62;:8")
    .has("http://10.0.0.7:7700")
    .has("api, worker")
    .has("title=\"give or take 2 ms\">250 ms ahead<");
}

#[tokio::test]
async fn a_node_that_was_killed_is_called_out_and_its_version_counts_no_more() {
    let fixture = Fixture::new();
    let killed = node(&fixture, "web-1:7", "0.0.9", &["api"]).await;
    fixture.clock.advance(GONE_AFTER + Duration::from_secs(1));
    node(&fixture, "web-1:8", "0.1.0", &["api"]).await;

    let page = fixture.get("/admin/fleet").await;

    page.has(&format!("data-node=\"{killed}\" data-presence=\"gone\""))
        .has("data-footing=\"nodes\" class=\"blocker\">▲ 1 of 2 live<")
        .lacks("side by side");
}

#[tokio::test]
async fn nodes_of_different_versions_are_called_out_without_any_worker() {
    let fixture = Fixture::new();
    node(&fixture, "web-1:7", "0.1.0", &["api"]).await;
    node(&fixture, "web-2:7", "0.2.0", &["api"]).await;

    let page = fixture.get("/admin/fleet").await;

    page.has("versions run side by side: 0.1.0, 0.2.0");
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
