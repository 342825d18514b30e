//! PostgreSQL: pools of connections, all with the planner settings that our statements need.
//!
//! A script of one statement is one round trip and its own transaction; a longer one is sent in one
//! go, with its commit unless what it finds decides whether it stands. The queue's statistics are always wrong (a
//! table looked at while nothing ran says that nothing ever runs), so every pool forbids the plans
//! that believe them: measured, these settings are worth a factor of three to the queue, and of a
//! hundred to whoever looks at one job beside 200,000 others.

mod errors;
mod values;

use std::{pin::Pin, sync::Arc, time::Duration};

use baton_ports::store::{Error, Result};
use deadpool_postgres::{
    Client, ClientWrapper, Hook, HookError, Manager, ManagerConfig, Pool, PoolError, QueueMode,
    RecyclingMethod, Runtime, TimeoutType, Timeouts,
};
use futures::{
    FutureExt,
    future::{self, BoxFuture, MaybeDone},
    poll,
};
use tokio::time::timeout;
use tokio_postgres::{Statement as Prepared, types::ToSql};

pub use self::errors::passing;
use self::{
    errors::{Failed, at_the_end, deepest, failed, in_doubt, is_stale},
    values::{Bound, read_rows},
};
use super::{ConnectionPool, NO_ANSWER, NO_ROOM, PoolUse, Unit};
use crate::{
    address::Address,
    row::Rows,
    statement::{Script, Statement},
    value::{Params, named},
};

/// Indexes are walked in their order, lists are looked up; no plan is made anew for the values of a
/// moment. A bitmap forgets the order: a claim would sort the whole line.
const PLANS: &str = "SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET plan_cache_mode = force_generic_plan;";
/// Before the commit of some transactions lies one round trip. A process that is stopped there keeps
/// its locks, and with them its jobs from being taken back, until the server ends its session.
const TIME_OUTS: &str = "SET statement_timeout = '30s'; SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '5s'; SET jit = off;";

/// How long an answer may take: longer than the server's own limit, for a server that is cut off.
const TIMEOUT: Duration = Duration::from_secs(35);
/// How long a connection may be waited for.
const WAIT: Duration = Duration::from_secs(5);

/// How often a transaction that lost to another one is tried again.
const RACES: usize = 4;

/// A PostgreSQL database, reached.
pub struct Postgres {
    start: Pool,
    queue: Pool,
    claim: Pool,
    front: Pool,
    address: Address,
}

impl Postgres {
    /// Prepares the pools; nothing is connected before it is needed.
    pub fn new(address: Address, connections: usize) -> Result<Self> {
        let few = connections.clamp(2, 4);
        let plain = || format!("{TIME_OUTS} {PLANS}");
        let forgetful = format!("{TIME_OUTS} {PLANS} SET synchronous_commit = off");
        Ok(Self {
            start: pool(&address, plain(), 2)?,
            queue: pool(&address, plain(), few)?,
            claim: pool(&address, forgetful, 2)?,
            front: pool(&address, plain(), connections)?,
            address,
        })
    }

    /// Where it is, for those who need a connection of their own.
    pub const fn address(&self) -> &Address {
        &self.address
    }

    pub(super) async fn read(&self, script: &'static Script, params: Params) -> Result<Rows> {
        let mut again = Again::on(&self.front);
        loop {
            match look_once(&self.front, script, &params).await {
                Err(failed) => again.unless(failed).await?,
                Ok(rows) => return Ok(rows),
            }
        }
    }

    pub(super) async fn transact(&self, pool: ConnectionPool, unit: Unit) -> Result<Vec<Rows>> {
        let connections = match pool {
            ConnectionPool::Start => &self.start,
            ConnectionPool::Queue => &self.queue,
            ConnectionPool::Claim => &self.claim,
            ConnectionPool::Front => &self.front,
        };
        if unit.statement().is_some() {
            return transact(connections, &unit).await;
        }
        // To the end, whatever becomes of the caller: a dropped future would leave its transaction open.
        let connections = connections.clone();
        tokio::spawn(async move { transact(&connections, &unit).await })
            .await
            .map_err(|error| Error::Unconfirmed(error.to_string()))?
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

    /// A connection of the front pool, for tools and tests.
    pub async fn client(&self) -> Result<Client> {
        borrow(&self.front).await
    }

    /// A connection of the queue's pool, for the tests that look at its plans.
    pub async fn queue_client(&self) -> Result<Client> {
        borrow(&self.queue).await
    }
}

async fn look_once(pool: &Pool, script: &Script, params: &Params) -> Result<Rows, Failed> {
    let client = borrow(pool).await.map_err(Failed::Said)?;
    let Ok(looked) = timeout(TIMEOUT, look(&client, script, params)).await else {
        drop(Client::take(client));
        return Err(Failed::Said(Error::Unavailable(NO_ANSWER.to_owned())));
    };
    looked.map_err(|error| {
        let why = passing(&error);
        if !is_stale(&error) {
            return Failed::Said(why);
        }
        replace(pool, client);
        Failed::Stale(why)
    })
}

async fn look(
    client: &Client,
    script: &Script,
    params: &Params,
) -> Result<Rows, tokio_postgres::Error> {
    let mut rows = Rows::new();
    for statement in script.postgres {
        let (has_rows, found) = run(client, statement, params).await?;
        if has_rows {
            rows = read_rows(&found)?;
        }
    }
    Ok(rows)
}

/// The settings are made by each new connection itself: a pooler knows nothing of such that come with the greeting.
fn pool(address: &Address, settings: String, size: usize) -> Result<Pool> {
    let settings: Arc<str> = settings.into();
    let set = Hook::async_fn(move |client: &mut ClientWrapper, _| {
        let settings = settings.clone();
        async move {
            let set = client.batch_execute(&settings).await;
            set.map_err(HookError::Backend)
        }
        .boxed()
    });
    let manager_config = ManagerConfig {
        recycling_method: RecyclingMethod::Fast,
    };
    let manager = Manager::from_config(address.config().clone(), address.tls(), manager_config);
    Pool::builder(manager)
        .max_size(size)
        // The one used last: its process still has in the processor's caches what it needs.
        .queue_mode(QueueMode::Lifo)
        .timeouts(Timeouts {
            wait: Some(WAIT),
            create: Some(WAIT.max(address.connect_timeout())),
            // It is only asked whether it is open.
            recycle: None,
        })
        .post_create(set)
        .runtime(Runtime::Tokio1)
        .build()
        .map_err(|error| Error::Refused(error.to_string()))
}

async fn borrow(pool: &Pool) -> Result<Client> {
    pool.get().await.map_err(|error| {
        if let PoolError::Timeout(TimeoutType::Wait) = error {
            return Error::Unavailable(NO_ROOM.to_owned());
        }
        let cause =
            std::error::Error::source(&error).map(|source| format!(": {}", deepest(source)));
        Error::Unavailable(format!("{error}{}", cause.unwrap_or_default()))
    })
}

impl Unit {
    /// The only statement there is, if it is one: a round trip and a transaction of its own, which the
    /// server ends by itself even if nobody waits for the answer any more.
    fn statement(&self) -> Option<(&Statement, &Params)> {
        match &*self.scripts {
            [(script, params)] => match script.postgres {
                [statement] => Some((statement, params)),
                _ => None,
            },
            _ => None,
        }
    }
}

async fn transact(pool: &Pool, unit: &Unit) -> Result<Vec<Rows>> {
    let mut again = Again::on(pool);
    loop {
        match transact_once(pool, unit).await {
            Err(failed) => again.unless(failed).await?,
            Ok(rows) => return Ok(rows),
        }
    }
}

/// How often something may still be tried again.
struct Again {
    races: usize,
    /// All of the pool may have to be replaced, one by one.
    stale: usize,
}

impl Again {
    fn on(pool: &Pool) -> Self {
        Self {
            races: RACES - 1,
            stale: pool.status().max_size,
        }
    }

    /// Returns when it is to be tried again.
    async fn unless(&mut self, failed: Failed) -> Result<()> {
        let (left, error) = match failed {
            Failed::Race(error) => (&mut self.races, error),
            Failed::Stale(error) => (&mut self.stale, error),
            Failed::Said(error) => return Err(error),
        };
        *left = left.checked_sub(1).ok_or(error)?;
        tokio::task::yield_now().await;
        Ok(())
    }
}

async fn transact_once(pool: &Pool, unit: &Unit) -> Result<Vec<Rows>, Failed> {
    let client = borrow(pool).await.map_err(Failed::Said)?;
    let Ok(done) = timeout(TIMEOUT, run_unit(&client, unit)).await else {
        // Whoever borrowed it next would wait for the same answer.
        drop(Client::take(client));
        return Err(Failed::Said(Error::Unconfirmed(NO_ANSWER.to_owned())));
    };
    if matches!(done, Err(Failed::Stale(_))) {
        replace(pool, client);
    }
    done
}

/// Forgets a connection, and with it those that wait: what made it useless did the same to them.
fn replace(pool: &Pool, client: Client) {
    drop(Client::take(client));
    pool.retain(|_, _| false);
}

async fn run_unit(client: &Client, unit: &Unit) -> Result<Vec<Rows>, Failed> {
    if let Some((statement, params)) = unit.statement() {
        let (_, found) = run(client, statement, params).await.map_err(failed)?;
        return Ok(vec![read_rows(&found).map_err(in_doubt)?]);
    }
    let done = run_together(client, unit).await;
    let Some(keep) = &unit.keep else {
        return done;
    };
    match done {
        Ok(rows) if keep(&rows) => client
            .batch_execute("COMMIT")
            .await
            .map_err(at_the_end)
            .map(|()| rows),
        done => {
            // What cannot be asked for any more the server does by itself: the connection is broken,
            // and the pool will not lend it again.
            let _ = client.batch_execute("ROLLBACK").await;
            done
        }
    }
}

/// Sends the beginning and every statement in one go, as their parameters are all known, and the end with
/// them where nothing has to be seen before.
async fn run_together(client: &Client, unit: &Unit) -> Result<Vec<Rows>, Failed> {
    let mut prepared = Vec::new();
    for (script, params) in &unit.scripts {
        for statement in script.postgres {
            let ready = client.prepare_cached(statement.sql).await.map_err(failed)?;
            prepared.push((ready, statement, params));
        }
    }
    let mut pipeline = Pipeline::default();
    pipeline.send(say(client, "BEGIN")).await;
    for (ready, statement, params) in &prepared {
        pipeline
            .send(execute(client, ready, statement, params))
            .await;
    }
    if unit.keep.is_none() {
        // If one of them fails, the server rolls back at this word as well.
        let end = if pipeline.is_torn {
            "ROLLBACK"
        } else {
            "COMMIT"
        };
        pipeline.send(say(client, end)).await;
    }
    let mut answers = pipeline.answers().await.into_iter();
    // Without a beginning each statement was a transaction of its own.
    answers.next().transpose().map_err(in_doubt)?;
    let answers: Vec<_> = answers.collect::<Result<_, _>>().map_err(failed)?;
    let mut answers = answers.into_iter();
    let rows_of = |(script, _): &(&Script, _)| {
        let answers = answers.by_ref().take(script.postgres.len());
        let found = answers.filter_map(|(has_rows, found)| has_rows.then_some(found));
        read_rows(&found.last().unwrap_or_default()).map_err(in_doubt)
    };
    unit.scripts.iter().map(rows_of).collect()
}

async fn say(client: &Client, word: &str) -> StatementResult {
    client.batch_execute(word).await?;
    Ok((false, Vec::new()))
}

/// What is sent over one connection before the first answer has come.
#[derive(Default)]
struct Pipeline<'a> {
    under_way: Vec<MaybeDone<BoxFuture<'a, StatementResult>>>,
    /// Whether something could not be written down for the server: it never leaves.
    is_torn: bool,
}

impl<'a> Pipeline<'a> {
    /// Asking once sends it.
    async fn send(&mut self, one: impl Future<Output = StatementResult> + Send + 'a) {
        let mut one = future::maybe_done(one.boxed());
        let _ = poll!(&mut one);
        self.is_torn |= matches!(one, MaybeDone::Done(Err(_)));
        self.under_way.push(one);
    }

    /// The answers in their order, once all of them have come.
    async fn answers(self) -> Vec<StatementResult> {
        let mut answers = Vec::with_capacity(self.under_way.len());
        for mut one in self.under_way {
            (&mut one).await;
            answers.extend(Pin::new(&mut one).take_output());
        }
        answers
    }
}

/// Whether a statement gives rows, and those it gave.
type StatementResult = Result<(bool, Vec<tokio_postgres::Row>), tokio_postgres::Error>;

async fn run(client: &Client, statement: &Statement, params: &Params) -> StatementResult {
    let prepared = client.prepare_cached(statement.sql).await?;
    execute(client, &prepared, statement, params).await
}

async fn execute(
    client: &Client,
    prepared: &Prepared,
    statement: &Statement,
    params: &Params,
) -> StatementResult {
    let bound: Vec<_> = statement
        .params
        .iter()
        .map(|name| Bound(named(params, name)))
        .collect();
    let bound: Vec<&(dyn ToSql + Sync)> = bound.iter().map(|value| value as _).collect();
    let found = client.query(prepared, &bound).await?;
    Ok((!prepared.columns().is_empty(), found))
}
