//! The line to the database breaks around COMMIT: nobody can tell whether it was done, and all is well.

use baton_faults::run::{Address, Scenario, Whom};
use baton_lab::{
    checker::{self, FaultKind},
    proxy::{CutCommits, Moment, Proxy},
};
use baton_testkit::{Brand, Mysql, Postgres, eventually};

use crate::{
    brands::{name, on_each_brand},
    fixture::{Fixture, TIMEOUT},
};

const CUTS: u64 = 200;
const ROUNDS: u64 = 5;
const CALLS_BETWEEN: usize = 60;

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_whose_answer_is_lost_is_done_once_and_known_to_be() {
    let database = Postgres::shared().database();
    cut_around_commits("commit-postgresql", &database.url()).await;
}

on_each_brand!(a_commit_whose_answer_is_lost_is_done_once);

async fn a_commit_whose_answer_is_lost_is_done_once(brand: Brand) {
    let name = name("commit", brand);
    cut_around_commits(name, &Mysql::shared(brand).database()).await;
}

async fn cut_around_commits(name: impl Into<String>, url: &str) {
    let (proxy, url) = proxy_before(url).await;
    let fixture = Fixture::on(name, url).await;
    let mut process = fixture.start_all().await;
    let subscriber = fixture.subscriber().await;
    let load = fixture.load();
    fixture.more_calls(CALLS_BETWEEN).await;

    for round in 1..=ROUNDS {
        proxy.cut_commits(CutCommits {
            moment: Moment::Either,
            count: u32::try_from(CUTS / ROUNDS).unwrap(),
            one_in: 5,
        });
        let wanted = CUTS / ROUNDS * round;
        eventually("as many commits were cut", TIMEOUT, async || {
            proxy.counts().around_commits() >= wanted
        })
        .await;
        proxy.cut_all();
        fixture.more_calls(CALLS_BETWEEN).await;
    }
    proxy.heal();
    for deed in proxy.deeds() {
        let (journal, span) = (&fixture.journal, (deed.at_us, deed.at_us));
        journal.note_span(FaultKind::Cut, Scenario::CutCommits, Whom::Everybody, span);
    }
    let history = fixture.judge(load, subscriber).await;

    // What was answered is kept until it is recorded: a line that breaks makes no call twice.
    assert_eq!(checker::summary(&history).duplicates, []);

    process.assert_alive().unwrap();
}

/// A proxy that understands the database, and the URL of the same database behind it.
pub async fn proxy_before(url: &str) -> (Proxy, String) {
    let database = Address::of_database(url).await.unwrap();
    let proxy = database.line(1).await.unwrap();
    let url = database.behind(proxy.addr());
    (proxy, url)
}
