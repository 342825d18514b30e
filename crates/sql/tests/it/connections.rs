//! Connections that no longer suit the database are replaced, and what they were asked is asked again.

use std::time::Duration;

use baton_ports::store::{Error, Result};
use baton_sql::{
    SqlStore,
    inside::{ConnectionPool, Script, Statement, Unit, Value},
};
use baton_testkit::{Postgres, eventually};
use futures::future::{join, join_all};
use tokio::task::block_in_place;

use crate::databases;

const TIMEOUT: Duration = Duration::from_mins(1);
const POOLS: [ConnectionPool; 4] = [
    ConnectionPool::Start,
    ConnectionPool::Queue,
    ConnectionPool::Claim,
    ConnectionPool::Front,
];
const TABLE: &str = "CREATE TABLE numbers (n integer)";

static WRITE: Script = Script {
    name: "test/write",
    postgres: &[Statement {
        sql: "INSERT INTO numbers (n) VALUES ($1) RETURNING n",
        params: &["n"],
    }],
    sqlite: &[],
    mysql: &[],
};
static LOOK: Script = Script {
    name: "test/look",
    postgres: &[Statement {
        sql: "SELECT n FROM numbers ORDER BY n DESC LIMIT 1",
        params: &[],
    }],
    sqlite: &[],
    mysql: &[],
};
static COUNT: Script = Script {
    name: "test/count",
    postgres: &[Statement {
        sql: "SELECT count(*) FROM numbers WHERE n = $1",
        params: &["n"],
    }],
    sqlite: &[],
    mysql: &[],
};

#[tokio::test]
async fn a_step_that_changes_the_type_of_a_column_fails_nothing() {
    let steps = [
        "ALTER TABLE numbers ALTER n TYPE bigint",
        "ALTER TABLE numbers RENAME TO all_numbers; ALTER TABLE all_numbers ALTER n TYPE bigint; \
         CREATE VIEW numbers AS SELECT n FROM all_numbers",
        "ALTER TABLE numbers ALTER n TYPE smallint; ALTER TABLE numbers ADD more text",
    ];

    for step in steps {
        let (store, database) = databases::postgres().await;
        let watcher = databases::connect(&database.url()).await;
        watcher.batch_execute(TABLE).await.unwrap();
        everything(&store, 1).await.unwrap();

        watcher.batch_execute(step).await.unwrap();

        everything(&store, 2).await.unwrap();
        assert_eq!(count(&store, 2).await, 6, "{step}");
    }
}

#[tokio::test]
async fn a_whole_pool_of_stale_plans_fails_nothing() {
    let (store, database) = databases::postgres().await;
    let watcher = databases::connect(&database.url()).await;
    watcher.batch_execute(TABLE).await.unwrap();
    many_at_once(&store, 1).await;

    let step = "ALTER TABLE numbers ALTER n TYPE bigint";
    watcher.batch_execute(step).await.unwrap();
    many_at_once(&store, 2).await;

    assert_eq!(count(&store, 2).await, 40);
}

#[tokio::test]
async fn statements_that_a_session_has_lost_are_prepared_again() {
    for loss in [&DEALLOCATE, &DISCARD] {
        let (store, database) = databases::postgres().await;
        let watcher = databases::connect(&database.url()).await;
        watcher.batch_execute(TABLE).await.unwrap();
        everything(&store, 1).await.unwrap();

        for pool in POOLS {
            store.kernel().write(pool, loss, vec![]).await.unwrap();
        }

        everything(&store, 2).await.unwrap();
        assert_eq!(count(&store, 2).await, 6, "{}", loss.name);
    }
}

static DEALLOCATE: Script = Script {
    name: "test/deallocate",
    postgres: &[Statement {
        sql: "DEALLOCATE ALL",
        params: &[],
    }],
    sqlite: &[],
    mysql: &[],
};
static DISCARD: Script = Script {
    name: "test/discard",
    postgres: &[Statement {
        sql: "DISCARD ALL",
        params: &[],
    }],
    sqlite: &[],
    mysql: &[],
};
static BE_READ_ONLY: Script = Script {
    name: "test/be_read_only",
    postgres: &[Statement {
        sql: "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
        params: &[],
    }],
    sqlite: &[],
    mysql: &[],
};

#[tokio::test]
async fn a_session_that_takes_no_writes_is_replaced_by_one_that_does() {
    let (store, database) = databases::postgres().await;
    let watcher = databases::connect(&database.url()).await;
    watcher.batch_execute(TABLE).await.unwrap();
    everything(&store, 1).await.unwrap();

    for pool in POOLS {
        let kernel = store.kernel();
        kernel.write(pool, &BE_READ_ONLY, vec![]).await.unwrap();
    }

    everything(&store, 2).await.unwrap();
    assert_eq!(count(&store, 2).await, 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_takes_no_writes_is_told_as_absent_and_found_again_when_it_does() {
    let server = Postgres::start();
    baton_sql::migrate(&server.url()).await.unwrap();
    let store = databases::open(&server.url()).await;
    let watcher = databases::connect(&server.url()).await;
    watcher.batch_execute(TABLE).await.unwrap();
    everything(&store, 1).await.unwrap();

    block_in_place(|| {
        server.execute("ALTER SYSTEM SET default_transaction_read_only = on");
        server.execute("SELECT pg_reload_conf()");
    });
    let mut refused = None;
    eventually("writes are refused", TIMEOUT, async || {
        refused = write(&store, ConnectionPool::Queue, 9).await.err();
        refused.is_some()
    })
    .await;
    block_in_place(|| {
        server.execute("ALTER SYSTEM RESET default_transaction_read_only");
        server.execute("SELECT pg_reload_conf()");
    });

    assert!(
        matches!(refused, Some(Error::Unavailable(_))),
        "{refused:?}"
    );
    eventually("everything is done again", TIMEOUT, async || {
        everything(&store, 2).await.is_ok()
    })
    .await;
}

static BE_A_MONITOR: Script = Script {
    name: "test/be_a_monitor",
    postgres: &[Statement {
        sql: "SET ROLE pg_monitor",
        params: &[],
    }],
    sqlite: &[],
    mysql: &[],
};

#[tokio::test]
async fn a_database_that_lacks_a_table_or_a_column_is_told_as_absent_until_it_has_them() {
    let losses = [
        (
            "ALTER TABLE numbers RENAME TO gone",
            "ALTER TABLE gone RENAME TO numbers",
        ),
        (
            "ALTER TABLE numbers RENAME n TO gone",
            "ALTER TABLE numbers RENAME gone TO n",
        ),
    ];

    for (loss, return_of_it) in losses {
        let (store, database) = databases::postgres().await;
        let watcher = databases::connect(&database.url()).await;
        watcher.batch_execute(TABLE).await.unwrap();
        everything(&store, 1).await.unwrap();

        watcher.batch_execute(loss).await.unwrap();
        let refused = write(&store, ConnectionPool::Queue, 9).await;
        watcher.batch_execute(return_of_it).await.unwrap();

        assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
        everything(&store, 2).await.unwrap();
    }
}

#[tokio::test]
async fn a_database_that_denies_the_server_its_rights_is_told_as_absent_until_it_grants_them() {
    let (store, database) = databases::postgres().await;
    let watcher = databases::connect(&database.url()).await;
    watcher.batch_execute(TABLE).await.unwrap();
    everything(&store, 1).await.unwrap();

    for pool in POOLS {
        let kernel = store.kernel();
        kernel.write(pool, &BE_A_MONITOR, vec![]).await.unwrap();
    }
    let refused = write(&store, ConnectionPool::Queue, 9).await;
    let grant = "GRANT ALL ON numbers TO pg_monitor";
    watcher.batch_execute(grant).await.unwrap();

    assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
    everything(&store, 2).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_several_hosts_the_one_that_takes_writes_is_found_before_and_after_a_promotion() {
    let mut primary = Postgres::start();
    baton_sql::migrate(&primary.url()).await.unwrap();
    let watcher = databases::connect(&primary.url()).await;
    watcher.batch_execute(TABLE).await.unwrap();
    let standby = block_in_place(|| primary.standby(&[]));
    let hosts = format!("127.0.0.1:{},127.0.0.1:{}", standby.port(), primary.port());
    let store = databases::open(&format!("postgres://postgres@{hosts}/postgres")).await;

    everything(&store, 1).await.unwrap();
    block_in_place(|| {
        primary.kill();
        standby.promote();
    });

    eventually("everything is done on the other", TIMEOUT, async || {
        everything(&store, 2).await.is_ok()
    })
    .await;
    assert!(count(&store, 2).await >= 6);
}

/// Writes by each pool, alone and with another, with and without a condition, and reads.
async fn everything(store: &SqlStore, n: i64) -> Result<()> {
    for pool in POOLS {
        write(store, pool, n).await?;
    }
    let unit = Unit {
        scripts: vec![(&WRITE, vec![("n", Value::Int(n))]), (&LOOK, vec![])],
        keep: None,
    };
    store.kernel().transact(ConnectionPool::Queue, unit).await?;
    let unit = Unit {
        scripts: vec![(&WRITE, vec![("n", Value::Int(n))]), (&LOOK, vec![])],
        keep: Some(Box::new(|rows| rows.len() == 2)),
    };
    store.kernel().transact(ConnectionPool::Front, unit).await?;
    store.kernel().read(&LOOK, vec![]).await.map(drop)
}

async fn many_at_once(store: &SqlStore, n: i64) {
    let writes = (0..40).map(|i| write(store, POOLS[i % POOLS.len()], n));
    let looks = (0..20).map(|_| store.kernel().read(&LOOK, vec![]));
    let (written, looked) = join(join_all(writes), join_all(looks)).await;
    for done in written
        .into_iter()
        .chain(looked.into_iter().map(|one| one.map(drop)))
    {
        done.unwrap();
    }
}

async fn write(store: &SqlStore, pool: ConnectionPool, n: i64) -> Result<()> {
    let params = vec![("n", Value::Int(n))];
    store.kernel().write(pool, &WRITE, params).await.map(drop)
}

async fn count(store: &SqlStore, n: i64) -> i64 {
    let params = vec![("n", Value::Int(n))];
    let rows = store.kernel().read(&COUNT, params).await.unwrap();
    match rows[0].0[0] {
        Value::Int(count) => count,
        ref other => panic!("{other:?}"),
    }
}
