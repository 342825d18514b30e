//! Workers.

use std::{collections::BTreeMap, time::Duration};

use baton_domain::fleet::Beat;
use baton_ports::store::Fleet;

use crate::house::House;

async fn beat(house: &House) {
    let beat = Beat {
        worker: house.worker,
        name: "host:4711".to_owned(),
        version: "0.1.0".to_owned(),
        lease: None,
        slots: BTreeMap::from([("default".to_owned(), 50)]),
        running: 3,
        draining: false,
        started_at: house.engine.now(),
    };
    house.store.beat(&beat, house.engine.now()).await.unwrap();
}

#[tokio::test]
async fn a_queue_has_the_slots_of_the_workers_that_are_live() {
    let house = House::new();
    house.job(serde_json::json!({})).await;
    beat(&house).await;

    let live = house.get("/v1/queues").await.ok();
    house.clock.advance(Duration::from_secs(60));
    let silent = house.get("/v1/queues").await.ok();

    assert_eq!(live["items"][0]["slots"], 50);
    assert_eq!(silent["items"][0]["slots"], 0);
}

#[tokio::test]
async fn workers_are_listed_as_they_are_now() {
    let house = House::new();
    beat(&house).await;

    let live = house.get("/v1/workers").await.ok();
    house.clock.advance(Duration::from_secs(60));
    let silent = house.get("/v1/workers").await.ok();

    assert_eq!(live["items"][0]["id"], house.worker.to_string());
    assert_eq!(live["items"][0]["state"], "live");
    assert_eq!(live["items"][0]["slots"]["default"], 50);
    assert_eq!(silent["items"][0]["state"], "silent");
}
