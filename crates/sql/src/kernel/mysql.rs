//! MySQL and MariaDB: pools of connections, and each transaction as one text, sent in one go.
//!
//! The protocol has no pipelining, but a text may hold several statements: beginning, statements and commit are one round
//! trip, with every value written into the text (`text.rs` says why that is safe). What a statement hands to the next
//! stands in scratch tables and variables of the session.

mod errors;
mod galera;
mod shared;
mod text;
mod values;

use std::time::Duration;

use baton_ports::store::{Error, Result};
use deadpool::{
    Runtime,
    managed::{
        Manager, Metrics, Object, Pool, PoolError, QueueMode, RecycleError, RecycleResult,
        TimeoutType, Timeouts,
    },
};
use mysql_async::{Conn, prelude::Queryable};
use tokio::time::timeout;

pub use self::errors::passing;
use self::{
    errors::{Failed, describe, failed, is_stale},
    text::{Packet, packets},
    values::read_row,
};
use super::{ConnectionPool, NO_ANSWER, NO_ROOM, PoolUse, Unit};
use crate::{address::MysqlAddress, row::Rows, statement::Script, value::Params};

/// What every session of ours is set to, whatever the server sets others to: what a statement means, whether it is a transaction of its
/// own, and whether a change of many rows is taken. Words that only one of the two servers knows stand in comments that the other passes over.
pub const MEANING: &str = "SET NAMES utf8mb4 COLLATE /*M! utf8mb4_nopad_bin */ /*!80000 utf8mb4_0900_bin */;
SET SESSION sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO,ERROR_FOR_DIVISION_BY_ZERO',
 autocommit = 1, completion_type = 0, sql_safe_updates = 0, sql_select_limit = 18446744073709551615, sql_big_selects = 1, sql_auto_is_null = 0,
 default_storage_engine = InnoDB, default_tmp_storage_engine = InnoDB, unique_checks = 1, div_precision_increment = 4, max_sort_length = 4096,
 group_concat_max_len = 1073741824 /*M! , check_constraint_checks = 1, in_predicate_conversion_threshold = 0, max_recursive_iterations = 1000 */ /*!80003 , cte_max_recursion_depth = 1000 */;
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE";
/// How long the sessions that run scripts wait, and are waited for.
const LIMITS: &str = "SET SESSION innodb_lock_wait_timeout = 10, lock_wait_timeout = 10 /*M! , max_statement_time = 30, idle_transaction_timeout = 5 */ /*!80000 , max_execution_time = 30000 */";

/// What scripts hand from statement to statement.
const SCRATCH: &str = concat!(
    include_str!("../../scratch.mysql.sql"),
    include_str!("../../scratch.incoming.sql")
);

/// How long an answer may take: longer than the server's own limit, for a server that is cut off.
const TIMEOUT: Duration = Duration::from_secs(35);
/// How long a connection may be waited for.
const WAIT: Duration = Duration::from_secs(5);
/// After how long a session is asked whether it is still there.
const REST: Duration = Duration::from_millis(100);

/// How often a transaction that lost to another one is tried again.
const RACES: usize = 8;

/// A MySQL or MariaDB database, reached.
pub struct Mysql {
    start: Pool<Sessions>,
    queue: Pool<Sessions>,
    claim: Pool<Sessions>,
    front: Pool<Sessions>,
    address: MysqlAddress,
    is_finalized: bool,
}

impl Mysql {
    /// Prepares the pools; nothing is connected before it is needed. Told whether all steps of the schema were finalized.
    pub fn new(address: &MysqlAddress, connections: usize, is_finalized: bool) -> Result<Self> {
        let few = connections.clamp(2, 4);
        Ok(Self {
            start: pool(address, 2)?,
            queue: pool(address, few)?,
            claim: pool(address, 2)?,
            front: pool(address, connections)?,
            address: address.clone(),
            is_finalized,
        })
    }

    /// Whether jobs may be kept in blocks: no program comes back that does not know them.
    pub const fn has_blocks(&self) -> bool {
        self.is_finalized
    }

    /// A connection beside the pools, with no settings of ours, for tools.
    pub async fn connect(&self) -> Result<Conn> {
        self.address
            .connect()
            .await
            .map_err(|error| passing(&error))
    }

    pub(super) async fn read(&self, script: &'static Script, params: Params) -> Result<Rows> {
        let unit = Unit {
            scripts: vec![(script, params)],
            keep: None,
        };
        let pool = self.front.clone();
        // To the end, whatever becomes of the caller: half an answer would be left in the connection.
        let rows = tokio::spawn(async move { look(&pool, &unit).await }).await;
        let rows = rows.map_err(|error| Error::Unavailable(error.to_string()))?;
        Ok(rows?.pop().unwrap_or_default())
    }

    pub(super) async fn transact(&self, pool: ConnectionPool, unit: Unit) -> Result<Vec<Rows>> {
        let done = self.run(pool, unit, false).await?;
        Ok(done.unwrap_or_default())
    }

    /// As [`transact`](Self::transact), for optimistic scripts, which count on nothing being in their way: `None`, and nothing is done, if something was.
    pub(super) async fn attempt(
        &self,
        pool: ConnectionPool,
        unit: Unit,
    ) -> Result<Option<Vec<Rows>>> {
        self.run(pool, unit, true).await
    }

    async fn run(
        &self,
        pool: ConnectionPool,
        unit: Unit,
        is_optimistic: bool,
    ) -> Result<Option<Vec<Rows>>> {
        let pool = self.pool(pool);
        tokio::spawn(async move { transact(&pool, &unit, is_optimistic).await })
            .await
            .map_err(|error| Error::Unconfirmed(error.to_string()))?
    }

    fn pool(&self, pool: ConnectionPool) -> Pool<Sessions> {
        match pool {
            ConnectionPool::Start => self.start.clone(),
            ConnectionPool::Queue => self.queue.clone(),
            ConnectionPool::Claim => self.claim.clone(),
            ConnectionPool::Front => self.front.clone(),
        }
    }

    /// How the connections are used.
    pub(super) fn pools(&self) -> [PoolUse; 4] {
        [
            PoolUse::of("start", self.start.status()),
            PoolUse::of("queue", self.queue.status()),
            PoolUse::of("claim", self.claim.status()),
            PoolUse::of("front", self.front.status()),
        ]
    }

    /// A session of the front pool, for tools and tests.
    pub async fn session(&self) -> Result<Object<Sessions>> {
        borrow(&self.front).await
    }
}

/// Makes sessions with the settings that our scripts need.
#[derive(Debug)]
pub struct Sessions {
    address: MysqlAddress,
}

impl Manager for Sessions {
    type Type = Conn;
    type Error = mysql_async::Error;

    async fn create(&self) -> Result<Conn, mysql_async::Error> {
        let mut session = self.address.connect().await?;
        prepare(&mut session).await?;
        Ok(session)
    }

    /// Nobody listens on a session that is not used: whether the server has closed it meanwhile is found by asking.
    async fn recycle(
        &self,
        session: &mut Conn,
        used: &Metrics,
    ) -> RecycleResult<mysql_async::Error> {
        if session.is_disconnected() {
            return Err(RecycleError::message("the connection is closed"));
        }
        if used.last_used() > REST {
            session.ping().await?;
        }
        Ok(())
    }
}

/// Makes a session one that scripts can be run in.
pub async fn prepare(session: &mut Conn) -> Result<(), mysql_async::Error> {
    session.query_drop(MEANING).await?;
    session.query_drop(LIMITS).await?;
    match session.query_drop(SCRATCH).await {
        Err(mysql_async::Error::Server(said)) if NO_SUCH_ENGINE.contains(&said.code) => {
            session.query_drop(without_engines(SCRATCH)).await?;
        }
        made => made?,
    }
    galera::catch_up(session).await
}

/// The server's owner has forbidden an engine, or all but one.
const NO_SUCH_ENGINE: [u16; 2] = [3161, 1290];

/// The tables in the engine of all others: slower, and as good, for each script empties those it uses.
fn without_engines(tables: &str) -> String {
    let engines = [
        " /*M! ENGINE=Aria TRANSACTIONAL=0 */",
        " /*!80000 ENGINE=MyISAM */",
    ];
    engines
        .iter()
        .fold(tables.to_owned(), |text, engine| text.replace(engine, ""))
}

fn pool(address: &MysqlAddress, size: usize) -> Result<Pool<Sessions>> {
    let sessions = Sessions {
        address: address.clone(),
    };
    Pool::builder(sessions)
        .max_size(size)
        // The one used last: its thread still has in the processor's caches what it needs.
        .queue_mode(QueueMode::Lifo)
        .timeouts(Timeouts {
            wait: Some(WAIT),
            create: Some(WAIT),
            recycle: Some(WAIT),
        })
        .runtime(Runtime::Tokio1)
        .build()
        .map_err(|error| Error::Refused(error.to_string()))
}

async fn borrow(pool: &Pool<Sessions>) -> Result<Object<Sessions>> {
    pool.get().await.map_err(|error| match error {
        PoolError::Backend(error) => Error::Unavailable(describe(&error)),
        PoolError::Timeout(TimeoutType::Wait) => Error::Unavailable(NO_ROOM.to_owned()),
        PoolError::Timeout(_) => Error::Unavailable("no answer for 5 seconds".to_owned()),
        other => Error::Unavailable(other.to_string()),
    })
}

async fn look(pool: &Pool<Sessions>, unit: &Unit) -> Result<Vec<Rows>> {
    let packets = packets(&unit.scripts)?;
    let mut stale = pool.status().max_size;
    loop {
        let mut session = borrow(pool).await?;
        let looked = timeout(TIMEOUT, run(&mut session, &packets)).await;
        let Ok(looked) = looked else {
            drop(Object::take(session));
            return Err(Error::Unavailable(NO_ANSWER.to_owned()));
        };
        match looked {
            Ok(answers) => return Ok(by_script(answers, unit.scripts.len())),
            // It was closed while nobody used it, or leads to a server that was left alone; another one may be open.
            Err(error) if is_stale(&error) && stale > 0 => {
                replace(pool, session);
                stale -= 1;
            }
            Err(error) => return Err(passing(&error)),
        }
    }
}

async fn transact(
    pool: &Pool<Sessions>,
    unit: &Unit,
    is_optimistic: bool,
) -> Result<Option<Vec<Rows>>> {
    let (mut races, mut stale) = (RACES - 1, pool.status().max_size);
    loop {
        let (left, error) = match transact_once(pool, unit).await {
            Ok(rows) => return Ok(Some(rows)),
            Err(Failed::Conflict(_)) if is_optimistic => return Ok(None),
            Err(Failed::Race(error) | Failed::Conflict(error)) => (&mut races, error),
            Err(Failed::Stale(error)) => (&mut stale, error),
            Err(Failed::Said(error)) => return Err(error),
        };
        *left = left.checked_sub(1).ok_or(error)?;
        tokio::task::yield_now().await;
    }
}

async fn transact_once(pool: &Pool<Sessions>, unit: &Unit) -> Result<Vec<Rows>, Failed> {
    let mut session = borrow(pool).await.map_err(Failed::Said)?;
    let Ok(done) = timeout(TIMEOUT, run_unit(&mut session, unit)).await else {
        // Whoever borrowed it next would wait for the same answer.
        drop(Object::take(session));
        return Err(Failed::Said(Error::Unconfirmed(NO_ANSWER.to_owned())));
    };
    if done.is_err() {
        give_back_or_replace(pool, session, &done).await;
    }
    done
}

/// Leaves no transaction open in a session that others will have; one that cannot be asked for that any more is closed, and its server
/// rolls back by itself. So is one that failed by more than a race: its scratch tables may be what is broken.
async fn give_back_or_replace(
    pool: &Pool<Sessions>,
    mut session: Object<Sessions>,
    done: &Result<Vec<Rows>, Failed>,
) {
    if matches!(done, Err(Failed::Stale(_))) {
        return replace(pool, session);
    }
    let rolled_back = timeout(WAIT, session.query_drop("ROLLBACK")).await;
    let is_sound = matches!(done, Err(Failed::Race(_) | Failed::Conflict(_)));
    if !is_sound || !matches!(rolled_back, Ok(Ok(()))) {
        drop(Object::take(session));
    }
}

/// Forgets a connection, and with it those that wait: what made it useless did the same to them.
fn replace(pool: &Pool<Sessions>, session: Object<Sessions>) {
    drop(Object::take(session));
    pool.retain(|_, _| false);
}

async fn run_unit(session: &mut Conn, unit: &Unit) -> Result<Vec<Rows>, Failed> {
    let mut packets = packets(&unit.scripts).map_err(Failed::Said)?;
    let count: usize = packets.iter().map(|packet| packet.scripts.len()).sum();
    let is_transaction = count > 1 || unit.keep.is_some();
    if let (true, Some(first)) = (is_transaction, packets.first_mut()) {
        first.begin();
    }
    if let (true, None, Some(last)) = (is_transaction, &unit.keep, packets.last_mut()) {
        last.commit();
    }
    let answers = run(session, &packets).await.map_err(failed)?;
    let rows = by_script(answers, unit.scripts.len());
    let Some(keep) = &unit.keep else {
        return Ok(rows);
    };
    let end = if keep(&rows) { "COMMIT" } else { "ROLLBACK" };
    session.query_drop(end).await.map_err(failed)?;
    Ok(rows)
}

/// The rows of a statement, if it gives any, with the place of the script it belongs to.
type StatementRows = (Option<usize>, Option<Rows>);

async fn run(
    session: &mut Conn,
    packets: &[Packet],
) -> Result<Vec<StatementRows>, mysql_async::Error> {
    let mut answers = Vec::new();
    for packet in packets {
        let mut said = session.query_iter(&packet.text).await?;
        let mut scripts = packet.scripts.iter();
        while let Some(columns) = said.columns() {
            let rows: Vec<mysql_async::Row> = said.collect().await?;
            let rows = (!columns.is_empty()).then(|| rows.into_iter().map(read_row).collect());
            answers.push((scripts.next().copied().flatten(), rows));
        }
        // What a later statement was refused for is an answer without columns until it is asked for.
        said.drop_result().await?;
    }
    Ok(answers)
}

/// The rows of each script: those of its last statement that gives any.
fn by_script(answers: Vec<StatementRows>, count: usize) -> Vec<Rows> {
    let mut all = vec![Rows::new(); count];
    for (script, rows) in answers {
        if let (Some(script), Some(rows)) = (script, rows) {
            all[script] = rows;
        }
    }
    all
}
