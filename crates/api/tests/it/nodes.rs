//! Nodes.

use std::time::Duration;

use baton_domain::{
    Timestamp, WorkerId,
    node::{GONE_AFTER, Node},
    time::{ClockDrift, SignedDuration},
};
use baton_ports::store::{Fleet, Nodes};

use crate::fixture::Fixture;

async fn beat(fixture: &Fixture, id: WorkerId, name: &str, address: Option<&str>) -> Timestamp {
    let now = fixture.engine.now();
    let node = Node {
        id,
        name: name.to_owned(),
        address: address.map(str::to_owned),
        version: "0.1.0".to_owned(),
        roles: vec!["api".to_owned()],
        started_at: now,
    };
    let clock = address.map(|_| ClockDrift {
        ahead: SignedDuration::from_millis(-12),
        bound: Duration::from_micros(150),
    });
    fixture.store.beat_node(&node, clock, now).await.unwrap()
}

#[tokio::test]
async fn nodes_are_listed_as_they_are_now_whether_they_have_a_worker_or_not() {
    let fixture = Fixture::new();
    let leads = WorkerId::new(fixture.engine.now());
    let address = "http://10.0.0.7:7700";
    beat(&fixture, leads, "a:1", Some(address)).await;
    let won = fixture
        .store
        .lead(leads, 3 * GONE_AFTER, fixture.engine.now());
    assert!(won.await.unwrap());

    let live = fixture.get("/v1/nodes").await.ok();
    fixture.clock.advance(GONE_AFTER + Duration::from_secs(1));
    beat(&fixture, WorkerId::new(fixture.engine.now()), "b:1", None).await;
    let killed = fixture.get("/v1/nodes").await.ok();

    let node = &live["items"][0];
    assert_eq!(
        (&node["name"], &node["address"]),
        (&"a:1".into(), &address.into())
    );
    assert_eq!(
        (&node["state"], &node["leads"]),
        (&"live".into(), &true.into())
    );
    assert_eq!(
        node["clock"],
        serde_json::json!({"offset_seconds": -0.012, "bound_seconds": 0.000_15})
    );
    let states = killed["items"].as_array().unwrap().iter();
    let states: Vec<_> = states.map(|one| (&one["name"], &one["state"])).collect();
    assert_eq!(
        states,
        [
            (&"a:1".into(), &"gone".into()),
            (&"b:1".into(), &"live".into())
        ]
    );
    assert!(killed["items"][1]["clock"].is_null() && killed["items"][1]["leads"] == false);
}
