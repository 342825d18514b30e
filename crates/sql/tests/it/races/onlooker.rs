//! Somebody beside the store, who holds what others wait for, sees who waits, and counts rows.

use std::time::Duration;

use baton_sql::SqlStore;
use baton_testkit::{Brand, Database, Mysql, eventually};
use mysql_async::{Conn, prelude::Queryable};
use tokio::sync::Mutex;
use tokio_postgres::Client;

use crate::databases;

const TIMEOUT: Duration = Duration::from_secs(10);

/// Who waits on PostgreSQL: for that, or for a lock of the other.
const WAITING_ON_POSTGRES: &str = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
/// The same on MySQL and MariaDB: the one, and the other as the server counts it at this moment. The table of transactions tells it later, or
/// never to whoever asks often.
const STANDING_ON_MYSQL: &str = "SELECT count(*) FROM information_schema.processlist WHERE db = database() AND state = 'User lock'";
const LOCKED_OUT_ON_MYSQL: &str = "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'";

const DEADLOCKS_ON_POSTGRES: &str =
    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
const DEADLOCKS_ON_MYSQL: &str =
    "SELECT count FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks'";

pub enum Onlooker {
    Postgres {
        holder: Client,
        watcher: Client,
        _database: Database,
    },
    Mysql {
        holder: Mutex<Conn>,
        watcher: Mutex<Conn>,
        _server: Mysql,
    },
}

/// A store on PostgreSQL, and somebody beside it.
pub async fn on_postgres() -> (SqlStore, Onlooker) {
    let (store, database) = databases::postgres().await;
    let onlooker = Onlooker::Postgres {
        holder: databases::connect(&database.url()).await,
        watcher: databases::connect(&database.url()).await,
        _database: database,
    };
    (store, onlooker)
}

/// The same on a server of its own: it counts who waits, and for nobody else.
pub async fn on_mysql(brand: Brand) -> (SqlStore, Onlooker) {
    let server = Mysql::start_with(brand, &[]);
    let url = server.database();
    baton_sql::migrate(&url).await.unwrap();
    let store = databases::open(&url).await;
    let onlooker = Onlooker::Mysql {
        holder: Mutex::new(Conn::from_url(&url).await.unwrap()),
        watcher: Mutex::new(Conn::from_url(&url).await.unwrap()),
        _server: server,
    };
    (store, onlooker)
}

impl Onlooker {
    /// Does this in a session that keeps what it holds from one call to the next.
    pub async fn say(&self, sql: &str) {
        match self {
            Self::Postgres { holder, .. } => holder.batch_execute(sql).await.unwrap(),
            Self::Mysql { holder, .. } => holder.lock().await.query_drop(sql).await.unwrap(),
        }
    }

    pub async fn number(&self, sql: &str) -> i64 {
        match self {
            Self::Postgres { watcher, .. } => databases::number(watcher, sql).await,
            Self::Mysql { watcher, .. } => {
                let number: Option<i64> = watcher.lock().await.query_first(sql).await.unwrap();
                number.unwrap()
            }
        }
    }

    pub async fn count(&self, table: &str) -> i64 {
        self.number(&format!("SELECT count(*) FROM {table}")).await
    }

    pub async fn wait_for(&self, count: i64) {
        let all_wait = async || self.waiting().await == count;
        eventually("so many wait", TIMEOUT, all_wait).await;
    }

    /// How many wait.
    pub async fn waiting(&self) -> i64 {
        match self {
            Self::Postgres { .. } => self.number(WAITING_ON_POSTGRES).await,
            Self::Mysql { watcher, .. } => {
                let standing = self.number(STANDING_ON_MYSQL).await;
                let locked_out = watcher.lock().await.query_first(LOCKED_OUT_ON_MYSQL).await;
                let (_, locked_out): (String, i64) = locked_out.unwrap().unwrap();
                standing + locked_out
            }
        }
    }

    /// The table of transactions of MySQL tells what it told before to whoever asks again within a tenth of a second.
    pub async fn let_it_look_anew(&self) {
        if let Self::Mysql { .. } = self {
            self.number("SELECT sleep(0.15)").await;
        }
    }

    /// How many were given up because they waited for each other.
    pub async fn deadlocks(&self) -> i64 {
        self.number(match self {
            Self::Postgres { .. } => DEADLOCKS_ON_POSTGRES,
            Self::Mysql { .. } => DEADLOCKS_ON_MYSQL,
        })
        .await
    }
}
