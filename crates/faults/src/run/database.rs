//! The private database server of a run, which may be killed, stopped and put to another time.

use baton_lab::servers::{Brand, Mysql, Postgres};
use tokio::task::block_in_place;

use crate::Failure;

use super::{options::DatabaseKind, stage::cannot};

/// What MariaDB has confirmed survives its process. The machine is not killed here, and need not be waited for.
const OUTLIVES_IT: &str = "innodb-flush-log-at-trx-commit=2";

/// The private database server of a run.
pub enum Database {
    Postgres(Postgres),
    Mysql(Mysql),
}

impl Database {
    /// Starts the one that is asked for, with a wall clock of its own if that is to be stepped; none, where all is kept elsewhere.
    pub fn start(kept: DatabaseKind, has_clock: bool) -> Result<Option<Self>, Failure> {
        let started = block_in_place(|| match (kept, has_clock) {
            (DatabaseKind::Postgres, false) => Postgres::start(&[]).map(Self::Postgres).map(Some),
            (DatabaseKind::Postgres, true) => Postgres::start_with_a_clock(&[])
                .map(Self::Postgres)
                .map(Some),
            (DatabaseKind::Mysql, false) => Mysql::start(Brand::Mariadb, &[OUTLIVES_IT])
                .map(Self::Mysql)
                .map(Some),
            (DatabaseKind::Mysql, true) => {
                Mysql::start_with_a_clock(Brand::Mariadb, &[OUTLIVES_IT])
                    .map(Self::Mysql)
                    .map(Some)
            }
            (DatabaseKind::Patroni | DatabaseKind::Sqlite, _) => Ok(None),
        });
        started.map_err(cannot)
    }

    /// The URL of a database that is empty.
    pub fn url(&self) -> Result<String, Failure> {
        match self {
            Self::Postgres(server) => Ok(server.url()),
            Self::Mysql(server) => block_in_place(|| server.database()).map_err(cannot),
        }
    }

    /// Kills it with all its children at once.
    pub fn kill(&mut self) -> Result<(), Failure> {
        let killed = block_in_place(|| match self {
            Self::Postgres(server) => server.kill(),
            Self::Mysql(server) => server.kill(),
        });
        killed.map_err(cannot)
    }

    /// Stops it as fast as it can be told to: PostgreSQL without a farewell, MariaDB in order.
    pub fn stop_at_once(&mut self) -> Result<(), Failure> {
        let stopped = block_in_place(|| match self {
            Self::Postgres(server) => server.stop_immediately(),
            Self::Mysql(server) => server.stop(),
        });
        stopped.map_err(cannot)
    }

    /// Stops it in order.
    pub fn stop(&mut self) -> Result<(), Failure> {
        let stopped = block_in_place(|| match self {
            Self::Postgres(server) => server.stop(),
            Self::Mysql(server) => server.stop(),
        });
        stopped.map_err(cannot)
    }

    /// Starts it again with the same data.
    pub fn restart(&mut self) -> Result<(), Failure> {
        let started = block_in_place(|| match self {
            Self::Postgres(server) => server.restart(),
            Self::Mysql(server) => server.restart(),
        });
        started.map_err(cannot)
    }

    /// Puts its clock so many seconds ahead of the machine's, or behind it.
    pub fn set_clock(&self, ahead_s: i64) -> Result<(), Failure> {
        let set = match self {
            Self::Postgres(server) => server.set_clock(ahead_s),
            Self::Mysql(server) => server.set_clock(ahead_s),
        };
        set.map_err(cannot)
    }
}
