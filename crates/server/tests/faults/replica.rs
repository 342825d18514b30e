//! A MariaDB is killed for good, and another one that has the same takes its place behind the same address.

use std::net::{Ipv4Addr, SocketAddr};

use baton_client::Client;
use baton_faults::{
    now_us,
    run::{Scenario, Whom},
};
use baton_lab::{
    checker::FaultKind,
    proxy::{Proxy, Upstream},
    servers::{Confirms, Galera, Mysql, Replicated},
};
use baton_testkit::eventually;
use tokio::task::block_in_place;

use crate::{
    commit::proxy_before,
    fixture::{Fixture, TIMEOUT},
};

const CALLS: usize = 90;
const UNDER_WAY: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_that_is_killed_is_followed_by_its_replica_and_nothing_that_was_confirmed_is_lost()
 {
    let mut pair = Replicated::start(Confirms::WithItsReplica).unwrap();
    let (proxy, url) = proxy_before(&pair.primary.database().unwrap()).await;
    let fixture = Fixture::on("replica", url).await;

    move_under_load(&fixture, async || {
        block_in_place(|| pair.fail_over()).unwrap();
        lead(&proxy, &pair.replica);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_of_galera_that_is_killed_is_followed_by_another_and_nothing_is_lost() {
    let Some(mut cluster) = galera() else { return };
    let (proxy, url) = proxy_before(&cluster.member(0).database().unwrap()).await;
    let fixture = Fixture::on("galera-killed", url).await;

    move_under_load(&fixture, async || {
        block_in_place(|| cluster.kill(0)).unwrap();
        lead(&proxy, cluster.member(1));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_of_galera_that_is_alone_is_left_by_those_who_have_lines_to_it() {
    let Some(cluster) = galera() else { return };
    let (proxy, url) = proxy_before(&cluster.member(0).database().unwrap()).await;
    let fixture = Fixture::on("galera-alone", url).await;

    move_under_load(&fixture, async || {
        block_in_place(|| cluster.isolate(0)).unwrap();
        lead(&proxy, cluster.member(1));
    })
    .await;
}

/// The cluster, where it can be had.
fn galera() -> Option<Galera> {
    if !Galera::is_installed() {
        eprintln!("Left out, as Galera is not on this machine (Debian's package `galera-4`).");
        return None;
    }
    Some(block_in_place(Galera::start).unwrap())
}

/// Whoever comes from now on comes to this server.
fn lead(proxy: &Proxy, server: &Mysql) {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, server.port()));
    proxy.lead_to(Upstream::Tcp(address));
}

/// A process goes on by itself when all moves to another server.
async fn move_under_load(fixture: &Fixture, moves: impl AsyncFnOnce()) {
    let mut process = fixture.start_all().await;
    let subscriber = fixture.subscriber().await;
    let load = fixture.load();
    fixture.more_calls(CALLS).await;
    fixture.calls_under_way(UNDER_WAY).await;

    let from_us = now_us();
    moves().await;
    is_ready(&fixture.client).await;
    let whom = Whom::Everybody;
    fixture.note(FaultKind::Database, Scenario::FailOver, whom, from_us);
    fixture.more_calls(CALLS).await;

    fixture.judge(load, subscriber).await;
    process.assert_alive().unwrap();
}

async fn is_ready(client: &Client) {
    eventually("the server is ready", TIMEOUT, async || {
        client.ready().await.is_ok_and(|ready| ready.is_yes())
    })
    .await;
}
