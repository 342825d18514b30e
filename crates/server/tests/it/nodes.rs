//! Every process of an installation is listed, with a worker or without.

use std::time::Duration;

use baton_client::{Client, Node};
use baton_testkit::{Database, Postgres, eventually};

use crate::support::Served;

const TIMEOUT: Duration = Duration::from_mins(1);

/// Two servers over one database, the second of which has no worker and answers no requests.
struct Fleet {
    database: Database,
    first: Served,
    second: Served,
}

impl Fleet {
    fn start() -> Self {
        let database = Postgres::shared().database();
        let url = database.url();
        let served = |flags: &[&str]| {
            let common = ["--database", &url, "--allow-unsafe-durability"];
            Served::start(&[&common, flags].concat())
        };
        let (first, second) = (served(&["--migrate"]), served(&["--roles", "engine"]));
        Self {
            database,
            first,
            second,
        }
    }

    fn client(&self) -> Client {
        Client::new(&self.first.url).unwrap()
    }

    /// The nodes, once there are such.
    async fn nodes(&self, what: &str, are_such: impl Fn(&[Node]) -> bool) -> Vec<Node> {
        let mut nodes = Vec::new();
        eventually(what, TIMEOUT, async || {
            nodes = self.client().nodes().await.unwrap();
            are_such(&nodes)
        })
        .await;
        nodes
    }
}

fn at<'a>(nodes: &'a [Node], url: &str) -> Option<&'a Node> {
    nodes
        .iter()
        .find(|node| node.address.as_deref() == Some(url))
}

#[tokio::test]
async fn every_process_is_listed_and_one_that_stops_in_order_is_no_more() {
    let fleet = Fleet::start();
    let both = fleet.nodes("both are there", |nodes| nodes.len() == 2);
    let both = both.await;

    let second = at(&both, &fleet.second.url).unwrap().clone();
    let first = at(&both, &fleet.first.url).unwrap().clone();
    let printed = fleet.first.run(&["nodes"]);
    let client = fleet.client();
    fleet.second.signal("TERM");
    let (status, words) = fleet.second.last_words();
    let left = client.nodes().await.unwrap();

    assert_eq!(
        (second.roles, second.state),
        (vec!["engine".to_owned()], "live".to_owned())
    );
    assert_eq!(first.roles, ["api", "engine", "worker"]);
    let clock = first.clock.unwrap();
    assert!(
        clock.offset_seconds.abs() < 1.0,
        "one machine has one clock: {clock:?}"
    );
    assert!(
        printed.out().contains(&second.id.to_string()),
        "{}",
        printed.out()
    );
    assert!(status.success(), "{words}");
    let left: Vec<_> = left.into_iter().map(|node| node.id).collect();
    assert_eq!(left, [first.id]);
}

#[tokio::test]
async fn a_leader_that_stops_in_order_leaves_the_lead_to_others_at_once() {
    let fleet = Fleet::start();
    let leads = |node: &Node| node.leads;
    let one_leads = |nodes: &[Node]| nodes.len() == 2 && nodes.iter().any(leads);
    let both = fleet.nodes("one leads", one_leads).await;

    let leader = both.iter().find(|node| node.leads).unwrap();
    let mut servers = [fleet.first, fleet.second].into_iter();
    let server = servers.find(|server| Some(&*server.url) == leader.address.as_deref());
    let server = server.unwrap();
    server.signal("TERM");
    let (status, words) = server.last_words();
    let told = Postgres::shared().psql(
        &fleet.database.url(),
        &format!(
            "SELECT node IS DISTINCT FROM '{}' FROM leadership",
            leader.id.uuid()
        ),
    );

    assert!(status.success(), "{words}");
    assert_eq!(told, "t");
}

#[tokio::test]
async fn a_process_that_was_killed_is_listed_as_gone_and_the_others_as_live() {
    let fleet = Fleet::start();
    fleet
        .nodes("both are there", |nodes| nodes.len() == 2)
        .await;

    fleet.second.signal("KILL");
    fleet
        .client()
        .advance_clock(Duration::from_mins(1))
        .await
        .unwrap();

    let state = |nodes: &[Node], url| at(nodes, url).map(|node| node.state.clone());
    let is_told = |nodes: &[Node]| {
        state(nodes, &fleet.first.url).as_deref() == Some("live")
            && state(nodes, &fleet.second.url).as_deref() == Some("gone")
    };
    fleet.nodes("one is live and one has gone", is_told).await;
}
