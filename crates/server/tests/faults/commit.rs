//! The line to PostgreSQL breaks around COMMIT: nobody can tell whether it was done, and all is well.

use std::net::SocketAddr;

use baton_lab::{
    checker::{self, FaultKind},
    proxy::{CutCommits, Moment, Options, Protocol, Proxy, Upstream},
};
use baton_testkit::{Postgres, eventually};

use crate::{
    fixture::{Fixture, PATIENCE},
    load::Load,
    subscriber::Subscriber,
};

const CUTS: u64 = 200;
const ROUNDS: u64 = 5;
const CALLS_BETWEEN: usize = 60;

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_whose_answer_is_lost_is_done_once_and_known_to_be() {
    let database = Postgres::shared().database();
    let (proxy, url) = proxy_before(&database.url()).await;
    let fixture = Fixture::on("commit", url).await;
    let mut process = fixture.start_all().await;
    let subscriber = Subscriber::start(&fixture.client).await;
    let load = Load::start(&fixture);
    fixture.more_calls(CALLS_BETWEEN).await;

    for round in 1..=ROUNDS {
        proxy.cut_commits(CutCommits {
            moment: Moment::Either,
            count: u32::try_from(CUTS / ROUNDS).unwrap(),
            one_in: 5,
        });
        let wanted = CUTS / ROUNDS * round;
        eventually("as many commits were cut", PATIENCE, async || {
            cuts(&proxy) >= wanted
        })
        .await;
        proxy.cut_all();
        fixture.more_calls(CALLS_BETWEEN).await;
    }
    proxy.heal();
    for deed in proxy.deeds() {
        fixture.note_span(FaultKind::Cut, None, deed.at_us, deed.at_us);
    }
    let history = fixture.judge(load, subscriber).await;

    // What was answered is kept until it is recorded: a line that breaks makes no call twice.
    assert_eq!(checker::summary(&history).duplicates, []);

    process.assert_alive();
}

pub fn cuts(proxy: &Proxy) -> u64 {
    let counts = proxy.counts();
    counts.cut_before_commit + counts.cut_after_commit
}

/// A proxy that understands PostgreSQL, and the URL of the same database behind it.
pub async fn proxy_before(url: &str) -> (Proxy, String) {
    let (scheme, rest) = url.split_once('@').unwrap();
    let (address, name) = rest.split_once('/').unwrap();
    let address: SocketAddr = address.parse().unwrap();
    let proxy = Proxy::start(Options {
        upstream: Upstream::Tcp(address),
        protocol: Protocol::Postgres,
        seed: 1,
    })
    .await
    .unwrap();
    let url = format!("{scheme}@{}/{name}?sslmode=disable", proxy.addr());
    (proxy, url)
}
