//! Somebody who has what a checkpoint stands still at, and sees who waits.

use baton_sql::inside::{Script, Statement};
use baton_testkit::{Database, Mysql};
use mysql_async::{Conn, prelude::Queryable};
use tokio::sync::Mutex;
use tokio_postgres::Client;

use crate::databases;

/// What a checkpoint stands still at, once it has moved the cursor and before its commit.
pub static STAND_STILL: Script = Script {
    name: "test/stand_still",
    postgres: &[Statement {
        sql: "SELECT count(*) FROM pg_advisory_xact_lock(4711)",
        params: &[],
    }],
    sqlite: &[],
    mysql: &[
        Statement {
            sql: "SELECT get_lock(concat(database(), ' stands still'), 20) INTO @got",
            params: &[],
        },
        Statement {
            sql: "DO release_lock(concat(database(), ' stands still'))",
            params: &[],
        },
    ],
};

/// Who waits on PostgreSQL: for that, or for a lock of the other.
const WAITING_ON_POSTGRES: &str = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
/// The same on MySQL and MariaDB: the one, and the other as the server counts it at this moment. The table of transactions tells it later, or
/// never to whoever asks often.
const STANDING_ON_MYSQL: &str = "SELECT count(*) FROM information_schema.processlist WHERE db = database() AND state = 'User lock'";
const LOCKED_OUT_ON_MYSQL: &str = "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'";

pub enum Onlooker {
    Postgres {
        holder: Client,
        watcher: Client,
        _database: Database,
    },
    Mysql {
        holder: Conn,
        watcher: Mutex<Conn>,
        _server: Mysql,
    },
}

impl Onlooker {
    pub async fn of_postgres(database: Database) -> Self {
        let holder = databases::connect(&database.url()).await;
        let hold = "SELECT pg_advisory_lock(4711)";
        holder.batch_execute(hold).await.unwrap();
        Self::Postgres {
            holder,
            watcher: databases::connect(&database.url()).await,
            _database: database,
        }
    }

    /// The server is of its own: it counts who waits, and for nobody else.
    pub async fn of_mysql(server: Mysql, url: &str) -> Self {
        let mut holder = Conn::from_url(url).await.unwrap();
        let hold = "DO get_lock(concat(database(), ' stands still'), 0)";
        holder.query_drop(hold).await.unwrap();
        let watcher = Conn::from_url(url).await.unwrap();
        Self::Mysql {
            holder,
            watcher: Mutex::new(watcher),
            _server: server,
        }
    }

    /// How many wait.
    pub async fn waiting(&self) -> i64 {
        match self {
            Self::Postgres { watcher, .. } => databases::number(watcher, WAITING_ON_POSTGRES).await,
            Self::Mysql { watcher, .. } => {
                let mut watcher = watcher.lock().await;
                let standing: Option<i64> = watcher.query_first(STANDING_ON_MYSQL).await.unwrap();
                let locked_out = watcher.query_first(LOCKED_OUT_ON_MYSQL).await.unwrap();
                let (_, locked_out): (String, i64) = locked_out.unwrap();
                standing.unwrap() + locked_out
            }
        }
    }

    /// Lets the checkpoint go on.
    pub async fn let_go(&mut self) {
        match self {
            Self::Postgres { holder, .. } => {
                let let_go = "SELECT pg_advisory_unlock(4711)";
                holder.batch_execute(let_go).await.unwrap();
            }
            Self::Mysql { holder, .. } => {
                let let_go = "DO release_lock(concat(database(), ' stands still'))";
                holder.query_drop(let_go).await.unwrap();
            }
        }
    }
}
