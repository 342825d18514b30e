//! A member of a Galera cluster in place of a server: what it has, and what it says of itself.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::OnceLock,
    time::Duration,
};

use baton_ports::store::{Atomicity, Durability, Jobs, Upkeep};
use baton_testkit::{
    Confirms, Galera, Replicated, eventually,
    proxy::{Options, Protocol, Proxy, Upstream},
};
use mysql_async::{Conn, prelude::Queryable};
use tokio::task::block_in_place;

use crate::{
    databases,
    hands::{DAWN, jobs},
};

/// The cluster that these tests share, where it can be had.
fn galera() -> Option<&'static Galera> {
    static CLUSTER: OnceLock<Galera> = OnceLock::new();
    if !Galera::is_installed() {
        eprintln!("Left out, as Galera is not on this machine (Debian's package `galera-4`).");
        return None;
    }
    Some(block_in_place(|| {
        CLUSTER.get_or_init(|| Galera::start().unwrap())
    }))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_is_asked_for_nothing_before_it_has_what_another_has_confirmed() {
    let Some(cluster) = galera() else { return };
    let (first, second) = (cluster.member(0), cluster.member(1));
    let url = first.database().unwrap();
    let line = line_to(first.port()).await;
    let through = url.replace(&first.port().to_string(), &line.addr().port().to_string());
    baton_sql::migrate(&url).await.unwrap();
    let store = databases::open(&through).await;
    let late_url = url.replace(&first.port().to_string(), &second.port().to_string());
    let mut late = caught_up(&late_url).await;

    late.query_drop("FLUSH TABLES WITH READ LOCK")
        .await
        .unwrap();
    let added = store.enqueue(jobs(1, DAWN), Atomicity::All).await.unwrap();
    let id = added[0].id();
    line.lead_to(upstream(second.port()));
    line.cut_all();
    let mut asked = tokio::spawn({
        let store = store.clone();
        async move { store.job(id).await }
    });
    let waits = "SELECT count(*) FROM information_schema.processlist WHERE db = database() AND id <> connection_id() AND command = 'Query'";
    let is_waiting = async || {
        let mut onlooker = Conn::from_url(&late_url).await.unwrap();
        onlooker.query_first::<u64, _>(waits).await.unwrap() > Some(0)
    };
    let early = tokio::select! {
        found = &mut asked => Some(found),
        () = eventually("it waits", Duration::from_secs(20), is_waiting) => None,
    };
    late.query_drop("UNLOCK TABLES").await.unwrap();

    let found = match early {
        Some(found) => found,
        None => asked.await,
    };
    assert!(found.unwrap().unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_says_that_others_have_what_it_confirms() {
    let Some(cluster) = galera() else { return };
    let url = cluster.member(0).database().unwrap();
    baton_sql::migrate(&url).await.unwrap();
    let store = databases::open(&url).await;

    assert_eq!(store.durability().await.unwrap(), Durability::Quorum);
    assert!(says(
        &store.findings().await.unwrap(),
        "wsrep_on",
        "members: 3"
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_says_whether_its_replica_has_what_it_confirms() {
    let pair = block_in_place(|| Replicated::start(Confirms::WithItsReplica)).unwrap();
    let url = pair.primary.database().unwrap();
    baton_sql::migrate(&url).await.unwrap();
    let store = databases::open(&url).await;
    let followed = (
        store.durability().await.unwrap(),
        store.findings().await.unwrap(),
    );
    let late = "SET GLOBAL rpl_semi_sync_master_wait_point = 'AFTER_COMMIT'";
    pair.primary.execute(late).unwrap();
    let seen_early = (
        store.durability().await.unwrap(),
        store.findings().await.unwrap(),
    );

    let subject = "rpl_semi_sync_master";
    assert_eq!(followed.0, Durability::Quorum);
    assert!(says(
        &followed.1,
        subject,
        "a replica has what is confirmed"
    ));
    assert_eq!(seen_early.0, Durability::Node);
    assert!(says(&seen_early.1, subject, "AFTER_SYNC"));
}

fn says(findings: &[baton_ports::store::Finding], subject: &str, words: &str) -> bool {
    let mut findings = findings.iter().filter(|one| one.subject == subject);
    findings.any(|one| one.message.contains(words))
}

/// A session on a member that has all of this database.
async fn caught_up(url: &str) -> Conn {
    let mut session = Conn::from_url(url).await.unwrap();
    let wait = "SET SESSION wsrep_sync_wait = 1; SELECT 1";
    session.query_drop(wait).await.unwrap();
    session
}

async fn line_to(port: u16) -> Proxy {
    let options = Options {
        upstream: upstream(port),
        protocol: Protocol::Mysql,
        seed: 1,
    };
    Proxy::start(options).await.unwrap()
}

fn upstream(port: u16) -> Upstream {
    Upstream::Tcp(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
}
