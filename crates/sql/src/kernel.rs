//! The kernel: runs scripts as transactions, on whichever database there is.
//!
//! This is the one place that knows the drivers. A unit of work runs to its end, one of several statements
//! in a task of its own: a caller that hangs up never leaves half a transaction behind.

pub mod mysql;
mod pools;
pub mod postgres;
pub mod sqlite;
mod telemetry;

use baton_ports::store::{Error, Result};
use tracing::Instrument;

pub use self::pools::PoolUse;
use crate::{
    migrate::{self, Step},
    row::Rows,
    statement::{Script, Statement},
    value::Params,
};

/// What is said when an answer takes too long, and when no connection is free for too long.
const NO_ANSWER: &str = "no answer for 35 seconds";
const NO_ROOM: &str = "all connections were in use for 5 seconds";

/// A database.
pub enum Kernel {
    /// PostgreSQL.
    Postgres(Box<postgres::Postgres>),
    /// SQLite.
    Sqlite(sqlite::Sqlite),
    /// MySQL or MariaDB.
    Mysql(mysql::Mysql),
}

/// Which connections a script goes by: each pool has settings of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionPool {
    /// Jobs that are added as a worker's own. An idle system waits for nothing else, and a connection
    /// that carries nothing else is found as it was left.
    Start,
    /// Work of the queue that must be durable.
    Queue,
    /// Claims: a lost one only makes the job ready again, so their commits need not wait. Those of jobs to
    /// be called at most once wait all the same; their statements say so.
    Claim,
    /// Clients, operators and pages.
    Front,
}

/// Some scripts with their parameters, run as one transaction.
pub struct Unit {
    /// The scripts, in order.
    pub scripts: Vec<(&'static Script, Params)>,
    /// Whether to keep what was done, on seeing the rows of each script; else all is rolled back. Without it
    /// all is kept, and the commit waits for nothing.
    pub keep: Option<CommitIf>,
}

/// Decides on the rows of each script.
pub type CommitIf = Box<dyn Fn(&[Rows]) -> bool + Send + Sync>;

impl Unit {
    /// One script, kept in any case.
    #[must_use]
    pub fn of(script: &'static Script, params: Params) -> Self {
        Self {
            scripts: vec![(script, params)],
            keep: None,
        }
    }

    /// What it is called in the log: by its first script.
    fn name(&self) -> &'static str {
        self.scripts
            .first()
            .map_or("nothing", |(script, _)| script.name)
    }

    /// Whether what was done stands.
    fn is_kept(&self, rows: &[Rows]) -> bool {
        self.keep.as_ref().is_none_or(|keep| keep(rows))
    }
}

impl Kernel {
    /// Writes: one script, one transaction.
    pub async fn write(
        &self,
        pool: ConnectionPool,
        script: &'static Script,
        params: Params,
    ) -> Result<Rows> {
        let mut rows = self.transact(pool, Unit::of(script, params)).await?;
        Ok(rows.pop().unwrap_or_default())
    }

    /// Writes: some scripts, one transaction.
    pub async fn transact(&self, pool: ConnectionPool, unit: Unit) -> Result<Vec<Rows>> {
        self.check_all(&unit)?;
        let script = unit.name();
        let span = tracing::debug_span!("write", script);
        let written = async {
            match self {
                Self::Postgres(postgres) => postgres.transact(pool, unit).await,
                Self::Sqlite(sqlite) => sqlite.transact(unit).await,
                Self::Mysql(mysql) => mysql.transact(pool, unit).await,
            }
        };
        telemetry::timed(script, written.instrument(span)).await
    }

    /// As [`transact`](Self::transact), for optimistic scripts, which count on nothing being in their way: `None`, and nothing is done, if
    /// something was.
    pub async fn attempt(&self, pool: ConnectionPool, unit: Unit) -> Result<Option<Vec<Rows>>> {
        let Self::Mysql(mysql) = self else {
            return self.transact(pool, unit).await.map(Some);
        };
        self.check_all(&unit)?;
        let script = unit.name();
        let span = tracing::debug_span!("attempt", script);
        telemetry::timed(script, mysql.attempt(pool, unit).instrument(span)).await
    }

    /// Reads: one script that changes nothing.
    pub async fn read(&self, script: &'static Script, params: Params) -> Result<Rows> {
        self.check(script)?;
        let span = tracing::debug_span!("read", script = script.name);
        let found = async {
            match self {
                Self::Postgres(postgres) => postgres.read(script, params).await,
                Self::Sqlite(sqlite) => sqlite.read(script, params).await,
                Self::Mysql(mysql) => mysql.read(script, params).await,
            }
        };
        telemetry::timed(script.name, found.instrument(span)).await
    }

    /// Has what the metrics are told of transactions begin at zero.
    pub fn begin_to_measure(&self) {
        telemetry::begin(self);
    }

    /// Whether this dialect has the script. One that lacks it does without, and never runs it.
    #[must_use]
    pub const fn has(&self, script: &Script) -> bool {
        !self.statements(script).is_empty()
    }

    /// Whether what many jobs of a block have in common may be one row.
    #[must_use]
    pub const fn has_blocks(&self) -> bool {
        match self {
            Self::Mysql(mysql) => mysql.has_blocks(),
            Self::Postgres(_) | Self::Sqlite(_) => false,
        }
    }

    fn check_all(&self, unit: &Unit) -> Result<()> {
        let mut scripts = unit.scripts.iter();
        scripts.try_for_each(|(script, _)| self.check(script))
    }

    fn check(&self, script: &Script) -> Result<()> {
        if self.has(script) {
            return Ok(());
        }
        let (name, dialect) = (script.name, self.dialect());
        Err(Error::Refused(format!("{dialect} has no script {name}")))
    }

    /// Closes what is open, so that nothing of the truth stands beside the database.
    pub async fn close(&self) {
        if let Self::Sqlite(sqlite) = self {
            sqlite.close().await;
        }
    }

    /// Waits until the thread that writes has ended; for ever where there is none.
    pub async fn writer_ended(&self) {
        match self {
            Self::Sqlite(sqlite) => sqlite.ended().await,
            Self::Postgres(_) | Self::Mysql(_) => std::future::pending().await,
        }
    }

    /// Waits until the thread that copies the journal has ended by itself; for ever where there is none.
    pub async fn checkpoints_ended(&self) {
        match self {
            Self::Sqlite(sqlite) => sqlite.checkpoints_ended().await,
            Self::Postgres(_) | Self::Mysql(_) => std::future::pending().await,
        }
    }

    /// The word for the dialect.
    #[must_use]
    pub const fn dialect(&self) -> &'static str {
        match self {
            Self::Postgres(_) => "postgres",
            Self::Sqlite(_) => "sqlite",
            Self::Mysql(_) => "mysql",
        }
    }

    /// The steps that lead to the schema of this program.
    #[must_use]
    pub const fn steps(&self) -> &'static [Step] {
        match self {
            Self::Postgres(_) => migrate::POSTGRES,
            Self::Sqlite(_) => migrate::SQLITE,
            Self::Mysql(_) => migrate::MYSQL,
        }
    }

    /// What a script says to this dialect.
    #[must_use]
    pub const fn statements(&self, script: &Script) -> &'static [Statement] {
        match self {
            Self::Postgres(_) => script.postgres,
            Self::Sqlite(_) => script.sqlite,
            Self::Mysql(_) => script.mysql,
        }
    }
}
