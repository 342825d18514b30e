//! The nodes: who is there, with a worker or without.

use std::time::Duration;

use baton_domain::{
    WorkerId,
    node::{self, Node, SeenNode},
    time::{ClockDrift, SignedDuration},
};

use super::{
    bench::{Bench, HOUR, MINUTE, SECOND},
    promises,
};
use crate::store::Retention;

fn node(bench: &Bench, name: &str) -> Node {
    Node {
        id: bench.another_worker(),
        name: name.to_owned(),
        address: Some("http://10.0.0.7:7700".to_owned()),
        version: "0.1.0".to_owned(),
        roles: vec!["api".to_owned(), "engine \"1\"".to_owned()],
        started_at: bench.now(),
    }
}

async fn beats(bench: &Bench, name: &str) -> WorkerId {
    let node = node(bench, name);
    let beat = bench.store.beat_node(&node, None, bench.now());
    beat.await.expect("a beat");
    node.id
}

async fn listed(bench: &Bench) -> Vec<SeenNode> {
    let since = bench.now() - 24 * HOUR;
    bench.store.nodes(since).await.expect("nodes")
}

async fn names(bench: &Bench) -> Vec<String> {
    let nodes = listed(bench).await.into_iter();
    nodes.map(|seen| seen.node.name).collect()
}

promises! {
    async fn a_node_shows_what_it_is_and_what_it_last_said_of_its_clock(bench: Bench) {
        let shows = node(&bench, "größe:1");
        let drift = |micros| Some(ClockDrift { ahead: SignedDuration::from_micros(micros), bound: Duration::from_micros(7) });
        bench.store.beat_node(&shows, drift(90_000_001), bench.now()).await.unwrap();
        let first = listed(&bench).await;
        bench.pass(MINUTE);

        bench.store.beat_node(&shows, drift(-3), bench.now()).await.unwrap();

        let seen = |micros, seen_at| [SeenNode { node: shows.clone(), clock: drift(micros), seen_at }];
        assert_eq!(first, seen(90_000_001, bench.now() - MINUTE));
        assert_eq!(listed(&bench).await, seen(-3, bench.now()));
    }

    async fn a_node_whose_address_and_clock_are_not_known_is_listed_without(bench: Bench) {
        let shows = Node { address: None, roles: Vec::new(), ..node(&bench, "host:1") };

        bench.store.beat_node(&shows, None, bench.now()).await.unwrap();

        let seen = SeenNode { node: shows, clock: None, seen_at: bench.now() };
        assert_eq!(listed(&bench).await, [seen]);
    }

    async fn a_node_that_beats_is_told_the_time_of_the_store(bench: Bench) {
        let asks = node(&bench, "host:1");

        let before = bench.store.time().await.unwrap();
        let told = bench.store.beat_node(&asks, None, bench.now()).await.unwrap();
        let after = bench.store.time().await.unwrap();

        // SQLite tells it to the millisecond.
        assert!(before - SECOND / 100 <= told && told <= after + SECOND / 100, "{before} {told} {after}");
    }

    async fn nodes_are_listed_by_name_and_those_not_seen_for_long_are_not(bench: Bench) {
        beats(&bench, "old:1").await;
        bench.pass(HOUR);
        for name in ["b:1", "a:2", "a:1"] {
            beats(&bench, name).await;
        }

        let all = names(&bench).await;
        let lately = bench.store.nodes(bench.now() - MINUTE).await.unwrap();

        assert_eq!(all, ["a:1", "a:2", "b:1", "old:1"]);
        assert_eq!(lately.len(), 3);
    }

    async fn a_node_that_is_removed_is_listed_no_more_and_nobody_else_is(bench: Bench) {
        let stops = beats(&bench, "host:1").await;
        beats(&bench, "host:2").await;

        bench.store.remove_node(stops).await.unwrap();
        bench.store.remove_node(stops).await.unwrap();

        assert_eq!(names(&bench).await, ["host:2"]);
    }

    async fn a_node_that_was_not_seen_for_as_long_as_nodes_are_remembered_is_forgotten(bench: Bench) {
        beats(&bench, "old:1").await;
        bench.pass(SECOND);
        beats(&bench, "late:1").await;
        bench.pass(node::REMEMBERED);

        bench.store.prune(&Retention::default(), 100, bench.now()).await.unwrap();

        assert_eq!(names(&bench).await, ["late:1"]);
    }

    async fn no_node_makes_a_fact(bench: Bench) {
        let stops = beats(&bench, "host:1").await;

        bench.store.remove_node(stops).await.unwrap();

        assert_eq!(bench.facts().await, []);
    }
}
