//! Which store a URL names, opened; and what to say when it cannot be.

use std::sync::Arc;

use baton_ports::{
    Hints, Store, Wakeups,
    store::{self, Schema},
};
use baton_redis::RedisHints;
use baton_sql::{OpenError, OpenOptions, SqlStore};
use tokio_util::sync::CancellationToken;

use crate::{
    config::{Config, Database},
    exit::{Exit, Failure},
    redis,
};

/// A store, the wake-ups that other processes send too where somebody relays them, and hints where there
/// is a Redis.
pub struct Opened {
    pub store: Arc<dyn Store>,
    pub wakeups: Arc<Wakeups>,
    pub hints: Option<Arc<dyn Hints>>,
    /// The Redis that they come from.
    pub redis: Option<Arc<RedisHints>>,
    /// To be closed last.
    pub database: SqlStore,
}

/// Opens the database of the settings. Hints from other processes end when `stop` fires.
pub async fn open(config: &Config, stop: CancellationToken) -> Result<Opened, Failure> {
    let options = OpenOptions {
        connections: config.database.connections,
        allow_unsafe: config.database.allow_unsafe,
    };
    if config.database.migrate {
        migrate(&config.database).await?;
    }
    let url = guarded(&config.database)?;
    let store = baton_sql::open(url, &options)
        .await
        .map_err(|error| refused(&error))?;
    let wakeups = Arc::new(Wakeups::default());
    store.relay(wakeups.clone(), stop.clone());
    let redis = redis::open(config, &store, &wakeups, stop).await?;
    Ok(Opened {
        store: Arc::new(store.clone()),
        wakeups,
        hints: redis.clone().map(|redis| redis as Arc<dyn Hints>),
        redis,
        database: store,
    })
}

/// Applies the steps that the schema lacks, and names them.
pub async fn migrate(database: &Database) -> Result<Vec<String>, Failure> {
    let applied = baton_sql::migrate(guarded(database)?).await;
    applied.map_err(|error| refused(&error))
}

/// Gives up older programs for what only newer ones understand, and names the steps.
pub async fn finalize(database: &Database) -> Result<Vec<String>, Failure> {
    let finalized = baton_sql::finalize(guarded(database)?).await;
    finalized.map_err(|error| refused(&error))
}

/// Takes note that a database was put back from a copy, and says the epoch of its new history.
pub async fn begin_anew_after_restore(database: &Database) -> Result<i64, Failure> {
    let options = OpenOptions {
        // Nothing is promised here.
        allow_unsafe: true,
        ..OpenOptions::default()
    };
    let opened = baton_sql::open(guarded(database)?, &options).await;
    let store = opened.map_err(|error| refused(&error))?;
    let epoch = store.begin_anew_after_restore().await;
    store.close().await;
    epoch.map_err(|error| lost(&error))
}

/// How the schema stands to this program.
pub async fn schema(database: &Database) -> Result<Schema, Failure> {
    let schema = baton_sql::schema(guarded(database)?).await;
    schema.map_err(|error| refused(&error))
}

/// The URL of a database that is connected to only if nobody on the way can listen, or if that is accepted.
pub fn guarded(database: &Database) -> Result<&str, Failure> {
    let url = database.url.reveal();
    guard(url, database.allow_unverified)?;
    Ok(url)
}

/// Refuses a connection that others could read or answer, unless that is accepted.
pub fn guard(url: &str, allow_unverified: bool) -> Result<(), Failure> {
    let exposed = baton_sql::exposure(url).map_err(|error| refused(&error))?;
    match exposed.filter(|_| !allow_unverified) {
        Some(why) => Err(Failure::new(format!(
            "the connection to the database is open to whoever is on the way: {why}. Write sslmode=verify-full into its URL, \
             with sslrootcert=FILE for an authority of your own, or accept the risk with --allow-unverified-database"
        ))),
        None => Ok(()),
    }
}

/// A database that answered a moment ago and does not now.
pub fn lost(error: &store::Error) -> Failure {
    Failure::new(format!("the database does not answer: {error}"))
        .exit(Exit::Unreachable)
        .then("Check that it runs; `baton doctor` says more.")
}

/// The error's own sentence says what it means and what to do.
pub fn refused(error: &OpenError) -> Failure {
    let exit = match error {
        OpenError::BadUrl { .. }
        | OpenError::Exists { .. }
        | OpenError::NotOurs { .. }
        | OpenError::Taken { .. }
        | OpenError::NoBackup { .. } => Exit::Usage,
        OpenError::Unreachable { .. } => Exit::Unreachable,
        OpenError::OldSchema { .. }
        | OpenError::NewerSchema { .. }
        | OpenError::OlderPrograms { .. }
        | OpenError::UnreleasedSchema
        | OpenError::ChangedSchema { .. }
        | OpenError::NotEmpty { .. }
        | OpenError::Occupied { .. }
        | OpenError::Connected { .. }
        | OpenError::Sealed(_)
        | OpenError::NotCopied(_)
        | OpenError::InUse { .. } => Exit::Conflict,
        OpenError::Unwritable { .. }
        | OpenError::Pooler { .. }
        | OpenError::MayNotCreate { .. }
        | OpenError::MayNot { .. }
        | OpenError::Unsuited { .. }
        | OpenError::NoProgram { .. }
        | OpenError::Unsafe(_)
        | OpenError::Differs { .. }
        | OpenError::Refused(_) => Exit::Failure,
    };
    Failure::new(error.to_string()).exit(exit)
}
