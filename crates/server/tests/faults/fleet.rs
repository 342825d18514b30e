//! Eight processes over one PostgreSQL and one Redis behave as one.
//!
//! Two accept, two keep the fixture, four run jobs.

use baton_client::Client;
use baton_faults::Server;
use baton_lab::checker::{self, Posted};
use baton_testkit::{Postgres, Redis, free_port};

use crate::fixture::{Fixture, TIMEOUT};

const CALLS_BETWEEN: usize = 60;
const UNDER_WAY: usize = 4;
const KILLS: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn a_fleet_is_restarted_one_process_after_the_other_and_nobody_notices() {
    let (redis, database) = (Redis::start(), Postgres::shared().database());
    let fixture = Fixture::on("fleet-rolling", database.url()).await;
    let fixture = fixture.told_of(&redis.url());
    let mut fleet = Fleet::start(&fixture).await;
    let subscriber = fixture.subscriber().await;
    let load = fixture.load_through(fleet.patient_clients());

    for place in 0..fleet.members.len() {
        fixture.more_calls(CALLS_BETWEEN).await;
        fleet.restart(&fixture, place).await;
    }
    fixture.more_calls(CALLS_BETWEEN).await;
    let history = fixture.judge(load, subscriber).await;

    // A stop is no fault: without one, the judge holds every call to the letter of its script.
    assert!(history.faults.is_empty());
    assert_eq!(checker::summary(&history).rescued, 0);
    let keyed = history.requests.iter().filter(|one| one.key.is_some());
    let unanswered = keyed.filter(|one| !matches!(one.answer, Posted::Ok { .. }));
    assert_eq!(
        unanswered.count(),
        0,
        "a client that asks again is answered"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_keep_the_fixture_are_killed_in_turn_and_another_one_leads() {
    let (redis, database) = (Redis::start(), Postgres::shared().database());
    let fixture = Fixture::on("fleet-leader", database.url()).await;
    let fixture = fixture.told_of(&redis.url());
    let mut fleet = Fleet::start(&fixture).await;
    let subscriber = fixture.subscriber().await;
    let load = fixture.load_through(fleet.patient_clients());

    for number in 0..KILLS {
        fixture.more_calls(CALLS_BETWEEN).await;
        fixture.calls_under_way(UNDER_WAY).await;
        fleet.kill_keeper(&fixture, number % 2).await;
    }
    fixture.more_calls(CALLS_BETWEEN).await;
    fixture.judge(load, subscriber).await;

    fleet.assert_alive();
}

/// Every process, each with the roles it plays.
struct Fleet {
    members: Vec<Member>,
    ports: [u16; 2],
}

struct Member {
    name: &'static str,
    roles: &'static str,
    port: u16,
    process: Option<Server>,
}

impl Fleet {
    async fn start(fixture: &Fixture) -> Self {
        let ports = [fixture.port(), free_port()];
        let cast = [
            ("api-1", "api"),
            ("api-2", "api"),
            ("engine-1", "engine"),
            ("engine-2", "engine"),
            ("worker-1", "worker"),
            ("worker-2", "worker"),
            ("worker-3", "worker"),
            ("worker-4", "worker"),
        ];
        let mut members = Vec::new();
        for (place, (name, roles)) in cast.into_iter().enumerate() {
            let port = *ports.get(place).unwrap_or(&0);
            members.push(Member {
                name,
                roles,
                port,
                process: Some(fixture.start_at(port, name, roles).await),
            });
        }
        Self { members, ports }
    }

    /// Clients of both endpoints, who bear with one that is away.
    fn patient_clients(&self) -> Vec<Client> {
        let client = |port| Client::new(&format!("http://127.0.0.1:{port}")).unwrap();
        let clients = self.ports.map(client).into_iter();
        clients.map(|client| client.retrying_for(TIMEOUT)).collect()
    }

    /// Stops one in order, and starts it again.
    async fn restart(&mut self, fixture: &Fixture, place: usize) {
        let member = &mut self.members[place];
        let process = member.process.take().unwrap();
        process.stop().await.unwrap();
        member.begin(fixture).await;
    }

    /// Kills one of those that keep the fixture, and starts it again.
    async fn kill_keeper(&mut self, fixture: &Fixture, number: usize) {
        let member = &mut self.members[2 + number];
        let process = member.process.take().unwrap();
        fixture.kill(process).await;
        member.begin(fixture).await;
    }

    fn assert_alive(&mut self) {
        let processes = self.members.iter_mut();
        for process in processes.filter_map(|member| member.process.as_mut()) {
            process.assert_alive().unwrap();
        }
    }
}

impl Member {
    async fn begin(&mut self, fixture: &Fixture) {
        let started = fixture.start_at(self.port, self.name, self.roles).await;
        self.process = Some(started);
    }
}
