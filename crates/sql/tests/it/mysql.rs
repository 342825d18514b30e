//! MySQL and MariaDB, where they differ from the others by more than their words.

use baton_domain::{
    JobId, WorkerId,
    job::{JobSpec, Limits, NewJob},
};
use baton_ports::store::{Atomicity, Durability, Enqueued, Error, Jobs, Upkeep, Work};
use baton_sql::{OpenError, OpenOptions};
use baton_testkit::{Brand, Mysql};
use mysql_async::{Conn, prelude::Queryable};

use crate::{
    brands::on_each_brand,
    databases,
    hands::{DAWN, LEASE, claim, job, jobs, spec},
};

on_each_brand!(
    a_server_that_was_restarted_while_nobody_spoke_to_it_is_spoken_to_again,
    a_server_that_forbids_the_engine_of_our_tables_of_a_session_serves_all_the_same,
    a_batch_that_is_larger_than_a_packet_is_accepted_whole,
    many_jobs_of_one_request_share_rows_of_the_line,
    a_statement_that_the_server_takes_none_so_large_of_is_refused_and_leaves_nothing,
    a_text_comes_back_as_it_went_whatever_stands_in_it,
    a_server_that_may_lose_what_it_confirmed_is_refused_unless_that_is_accepted,
    what_the_server_sets_sessions_to_changes_nothing_of_what_is_told,
    a_database_with_another_rule_for_texts_is_refused_until_it_is_migrated,
    whoever_made_the_schema_may_be_gone,
    a_right_that_is_lacking_is_named_with_what_to_grant,
    a_server_on_which_nothing_could_be_stored_is_refused_with_what_to_set,
);

async fn a_server_that_was_restarted_while_nobody_spoke_to_it_is_spoken_to_again(brand: Brand) {
    let mut server = Mysql::start_with(brand, &[]);
    let url = server.database();
    baton_sql::migrate(&url).await.unwrap();
    let store = databases::open(&url).await;
    store.enqueue(jobs(1, DAWN), Atomicity::All).await.unwrap();

    server.restart();

    store.enqueue(jobs(1, DAWN), Atomicity::All).await.unwrap();
    store.time().await.unwrap();
}

async fn a_server_that_forbids_the_engine_of_our_tables_of_a_session_serves_all_the_same(
    brand: Brand,
) {
    let forbids = match brand {
        Brand::Mariadb => "enforce-storage-engine=InnoDB",
        Brand::Mysql => "disabled-storage-engines=MyISAM",
    };
    let server = Mysql::start_with(brand, &[forbids]);
    let url = server.database();
    baton_sql::migrate(&url).await.unwrap();
    let store = databases::open(&url).await;
    let (worker, batch) = (WorkerId::new(DAWN), jobs(20, DAWN));

    store.enqueue(batch.clone(), Atomicity::All).await.unwrap();
    let again = store.enqueue(batch, Atomicity::All).await.unwrap();
    let claimed = store.claim(&claim(worker, 50, DAWN + LEASE), DAWN).await;

    assert_eq!((again.len(), claimed.unwrap().len()), (20, 20));
}

async fn a_batch_that_is_larger_than_a_packet_is_accepted_whole(brand: Brand) {
    let (store, _url) = databases::mysql(brand).await;
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

async fn many_jobs_of_one_request_share_rows_of_the_line(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let of_one_request = |spec: JobSpec| {
        let one = job(spec, DAWN);
        let ids = JobId::in_a_row(DAWN).take(1_000);
        ids.map(|id| NewJob { id, ..one.clone() }).collect()
    };
    let urgent = JobSpec {
        priority: Some(-1),
        ..spec()
    };

    for jobs in [of_one_request(spec()), of_one_request(urgent)] {
        store.enqueue(jobs, Atomicity::All).await.unwrap();
    }

    let in_rows_of_their_own = count(&url, "ready").await;
    let rows_of_many = count(&url, "ready_batches").await;
    assert_eq!((in_rows_of_their_own, rows_of_many), (1_000, 2));
}

async fn count(url: &str, table: &str) -> u64 {
    let mut session = Conn::from_url(url).await.unwrap();
    let rows = session.query_first(format!("SELECT count(*) FROM {table}"));
    rows.await.unwrap().unwrap()
}

async fn a_statement_that_the_server_takes_none_so_large_of_is_refused_and_leaves_nothing(
    brand: Brand,
) {
    let (store, _url) = databases::mysql(brand).await;
    let limits = Limits {
        payload: 64 << 20,
        ..Limits::default()
    };
    let payload = format!("\"{}\"", "x".repeat(17 << 20));
    let large = JobSpec { payload, ..spec() };
    let large = NewJob::from_spec(large, &limits, DAWN).unwrap();
    let small = job(spec(), DAWN);
    let ids = [small.id, large.id];

    let refused = store.enqueue(vec![small, large], Atomicity::All).await;

    assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
    for id in ids {
        assert!(store.job(id).await.unwrap().is_none());
    }
}

async fn a_text_comes_back_as_it_went_whatever_stands_in_it(brand: Brand) {
    let (store, _url) = databases::mysql(brand).await;
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

async fn a_server_that_may_lose_what_it_confirmed_is_refused_unless_that_is_accepted(brand: Brand) {
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
            &["innodb-flush-log-at-trx-commit=1", "innodb-doublewrite=OFF"],
            false,
        ),
    ] {
        let server = Mysql::start_with(brand, settings);
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

async fn what_the_server_sets_sessions_to_changes_nothing_of_what_is_told(brand: Brand) {
    let (read_only, isolation, needs_a_key) = match brand {
        Brand::Mariadb => ("tx_read_only", "tx_isolation", "innodb_force_primary_key"),
        Brand::Mysql => (
            "transaction_read_only",
            "transaction_isolation",
            "sql_require_primary_key",
        ),
    };
    let server = Mysql::start_with(brand, &[]);
    for setting in [
        "autocommit = 0",
        "completion_type = 2",
        "completion_type = 1",
        "sql_safe_updates = 1",
        "sql_select_limit = 1",
        "default_storage_engine = MyISAM",
        &format!("{read_only} = 1"),
        &format!("{isolation} = 'SERIALIZABLE'"),
        &format!("{needs_a_key} = 1"),
        "sql_mode = 'ANSI'",
    ] {
        let url = server.database();
        server.execute(&format!("SET GLOBAL {setting}"));
        baton_sql::migrate(&url).await.expect(setting);
        let store = databases::open(&url).await;

        let added = store.enqueue(jobs(3, DAWN), Atomicity::All).await;

        assert_eq!(added.expect(setting).len(), 3, "{setting}");
        store.time().await.unwrap();
        let open = format!(
            "SET SESSION {read_only} = 0; SELECT count(*) FROM information_schema.innodb_trx"
        );
        assert_eq!(server.execute(&open).trim(), "0", "{setting}");
        drop(store);
        let again = databases::open(&url).await;
        let events = again.outstanding(DAWN).await.expect(setting);
        assert!(events.facts, "{setting}");
        let (variable, _) = setting.split_once(' ').unwrap();
        server.execute(&format!("SET GLOBAL {variable} = DEFAULT"));
    }
}

async fn a_database_with_another_rule_for_texts_is_refused_until_it_is_migrated(brand: Brand) {
    let server = Mysql::start_with(brand, &[]);
    let url = server.database();
    baton_sql::migrate(&url).await.unwrap();
    let name = url.rsplit('/').next().unwrap();
    server.execute(&format!("ALTER DATABASE {name} CHARACTER SET latin1"));

    let refused = baton_sql::open(&url, &databases::tolerant()).await.err();
    let applied = baton_sql::migrate(&url).await.unwrap();

    assert!(matches!(
        refused,
        Some(OpenError::Unsuited {
            setting: "collation_database",
            ..
        })
    ));
    assert_eq!(applied, [""; 0]);
    let store = databases::open(&url).await;
    let keyed = |key: &str| {
        let key = Some(key.to_owned());
        job(JobSpec { key, ..spec() }, DAWN)
    };
    let batch = ["Straße", "straße", "STRASSE", "漢", "漢字", "é", "e"].map(keyed);

    let accepted = store.enqueue(batch.to_vec(), Atomicity::All).await.unwrap();

    assert!(
        accepted
            .iter()
            .all(|one| matches!(one, Enqueued::Created(_)))
    );
}

/// Other servers of the tests let everybody do everything.
const WITH_RIGHTS: &str = "skip-grant-tables=0";

async fn whoever_made_the_schema_may_be_gone(brand: Brand) {
    let server = Mysql::start_with(brand, &[WITH_RIGHTS]);
    let url = server.database();
    let name = url.rsplit('/').next().unwrap();
    server.execute(&format!(
        "CREATE USER maker IDENTIFIED BY 'x'; GRANT ALL ON {name}.* TO maker"
    ));
    let by_maker = format!("mysql://maker:x@127.0.0.1:{}/{name}", server.port());
    baton_sql::migrate(&by_maker).await.unwrap();
    server.execute("DROP USER maker");
    let store = databases::open(&url).await;

    let accepted = jobs(1, DAWN);
    let id = accepted[0].id;
    store.enqueue(accepted, Atomicity::All).await.unwrap();

    assert!(store.job(id).await.unwrap().is_some());
}

async fn a_right_that_is_lacking_is_named_with_what_to_grant(brand: Brand) {
    let server = Mysql::start_with(brand, &[WITH_RIGHTS]);
    let url = server.database();
    let name = url.rsplit('/').next().unwrap();
    baton_sql::migrate(&url).await.unwrap();
    let rights = format!(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON {name}.* TO few; GRANT SELECT, CREATE ON other.* TO few"
    );
    server.execute(&format!(
        "CREATE DATABASE other; CREATE USER few IDENTIFIED BY 'x'; {rights}"
    ));
    let by_few = |name: &str| format!("mysql://few:x@127.0.0.1:{}/{name}", server.port());

    let opened = baton_sql::open(&by_few(name), &databases::tolerant()).await;
    let migrated = baton_sql::migrate(&by_few("other")).await;

    for refused in [opened.err(), migrated.err()] {
        let why = refused.unwrap();
        assert!(matches!(why, OpenError::MayNot { .. }), "{why}");
        assert!(why.to_string().contains("GRANT ALL"), "{why}");
    }
}

async fn a_server_on_which_nothing_could_be_stored_is_refused_with_what_to_set(brand: Brand) {
    for (settings, named) in [
        (
            &["log-bin=log", "binlog-format=STATEMENT"][..],
            "binlog_format",
        ),
        (&["max-allowed-packet=4M"], "max_allowed_packet"),
    ] {
        let server = Mysql::start_with(brand, settings);
        let url = server.database();

        let migrated = baton_sql::migrate(&url).await;
        let opened = baton_sql::open(&url, &databases::tolerant()).await;

        for refused in [migrated.err(), opened.err()] {
            let why = refused.expect(named);
            assert!(
                matches!(why, OpenError::Unsuited { setting, .. } if setting == named),
                "{why}"
            );
        }
    }
}
