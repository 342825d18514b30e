//! MySQL and MariaDB, where they differ from the others by more than their words.

use baton_domain::job::JobSpec;
use baton_ports::store::{Atomicity, Durability, Jobs, Upkeep};
use baton_sql::{OpenError, OpenOptions};
use baton_testkit::Mariadb;

use crate::{
    databases,
    hands::{DAWN, job, jobs, spec},
};

#[tokio::test]
async fn a_server_that_was_restarted_while_nobody_spoke_to_it_is_spoken_to_again() {
    let mut server = Mariadb::start_with(&[]);
    let url = server.database();
    baton_sql::migrate(&url).await.unwrap();
    let store = databases::open(&url).await;
    store.enqueue(jobs(1, DAWN), Atomicity::All).await.unwrap();

    server.restart();

    store.enqueue(jobs(1, DAWN), Atomicity::All).await.unwrap();
    store.time().await.unwrap();
}

#[tokio::test]
async fn a_batch_that_is_larger_than_a_packet_is_accepted_whole() {
    let (store, _url) = databases::mysql().await;
    let payload = format!("\"{}\"", "x".repeat(200_000));
    let large = || {
        let payload = payload.clone();
        job(JobSpec { payload, ..spec() }, DAWN)
    };
    let batch: Vec<_> = (0..120).map(|_| large()).collect();
    let last = batch[119].id;

    let accepted = store.enqueue(batch, Atomicity::All).await.unwrap();

    assert_eq!(accepted.len(), 120);
    let read = store.job(last).await.unwrap().unwrap();
    assert_eq!(read.payload.len(), payload.len());
}

#[tokio::test]
async fn a_text_comes_back_as_it_went_whatever_stands_in_it() {
    let (store, _url) = databases::mysql().await;
    let odd = [
        "'; DROP TABLE jobs; --",
        "\\' OR 1=1",
        "\u{1F984} 漢字 \u{301}",
        "a\\\\\\\"b",
        "trailing  ",
        "?1 :now {{in}}",
    ];

    for text in odd {
        let payload = serde_json::to_string(text).unwrap();
        let odd = job(
            JobSpec {
                payload: payload.clone(),
                ..spec()
            },
            DAWN,
        );
        let id = odd.id;
        store.enqueue(vec![odd], Atomicity::All).await.unwrap();

        let read = store.job(id).await.unwrap().unwrap();
        assert_eq!(read.payload, payload);
    }
}

#[tokio::test]
async fn a_server_that_may_lose_what_it_confirmed_is_refused_unless_that_is_accepted() {
    for (settings, is_safe) in [
        (&["innodb-flush-log-at-trx-commit=1"][..], true),
        (&["innodb-flush-log-at-trx-commit=2"], false),
        (
            &[
                "innodb-flush-log-at-trx-commit=1",
                "log-bin=log",
                "sync-binlog=0",
            ],
            false,
        ),
        (
            &[
                "innodb-flush-log-at-trx-commit=1",
                "log-bin=log",
                "sync-binlog=1",
            ],
            true,
        ),
        (
            &[
                "innodb-flush-log-at-trx-commit=1",
                "skip-innodb-doublewrite",
            ],
            false,
        ),
    ] {
        let server = Mariadb::start_with(settings);
        let url = server.database();
        baton_sql::migrate(&url).await.unwrap();

        let opened = baton_sql::open(&url, &OpenOptions::default()).await;

        match opened {
            Ok(store) => {
                assert!(is_safe, "{settings:?}");
                assert_eq!(store.durability().await.unwrap(), Durability::Node);
            }
            Err(OpenError::Unsafe(why)) => assert!(!is_safe, "{settings:?}: {why:?}"),
            Err(other) => panic!("{settings:?}: {other}"),
        }
    }
}
