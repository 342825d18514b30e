//! What `baton keys` and `baton users` share: the database, opened by whoever has it.

use std::sync::Arc;

use baton_domain::{
    access::Actor,
    page::{Page, PageRequest},
};
use baton_engine::{Caller, Engine, Error, Settings};
use baton_ports::{Store, Wakeups};
use baton_sql::{OpenError, OpenOptions, SqlStore};
use clap::ArgMatches;

use crate::{
    config::Loaded,
    exit::{Exit, Failure},
    store, wiring,
};

/// A database that is open to this command alone, as its owner.
pub struct Owned {
    pub caller: Caller,
    database: SqlStore,
}

impl Owned {
    /// Opens the database of the settings, for whoever says why if they do.
    pub async fn open(loaded: &Loaded, matches: &ArgMatches) -> Result<Self, Failure> {
        let database = &loaded.config.database;
        let options = OpenOptions {
            // What a crash takes back is made again; the server beside it says how safe the database is.
            allow_unsafe: true,
            ..OpenOptions::default()
        };
        let opened = baton_sql::open(store::guarded(database)?, &options).await;
        let database = opened.map_err(|error| refused(&error))?;
        let port: Arc<dyn Store> = Arc::new(database.clone());
        let clock = wiring::follow(&*port).await?;
        let wakeups = Arc::new(Wakeups::default());
        let engine = Engine::new(port, wakeups, clock, Vec::new(), Settings::default());
        let reason = matches.get_one::<String>("because").cloned();
        Ok(Self {
            caller: engine.caller(Actor::command_line()).because(reason),
            database,
        })
    }

    /// Does one thing, and leaves the database in order.
    pub async fn close<T>(self, done: Result<T, Error>) -> Result<T, Failure> {
        self.database.close().await;
        done.map_err(told)
    }
}

/// All of a list, page by page.
pub async fn all<T>(
    mut page: impl AsyncFnMut(PageRequest) -> Result<Page<T>, Error>,
) -> Result<Vec<T>, Error> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let limit = PageRequest::MAX_LIMIT;
        let Page { items, next } = page(PageRequest { limit, after }).await?;
        all.extend(items);
        after = next;
        if after.is_none() {
            return Ok(all);
        }
    }
}

fn refused(error: &OpenError) -> Failure {
    let failure = store::refused(error);
    match error {
        OpenError::InUse { .. } => failure
            .then("A SQLite file has one process. Stop the server, run this again, and start it; or have the server itself do it, \
                   at /admin or over HTTP, with a key that may keys:admin.")
            .then("On PostgreSQL, MariaDB and MySQL this works beside a server."),
        _ => failure,
    }
}

/// What a use case has refused, as a command says it.
pub fn told(error: Error) -> Failure {
    let (exit, what) = match error {
        Error::Store(error) => return store::lost(&error),
        Error::Invalid(errors) => {
            let sentences = errors
                .iter()
                .map(|error| format!("the {} {}", error.field, error.message));
            let failure = Failure::new("this cannot be accepted").exit(Exit::Invalid);
            return sentences.fold(failure, Failure::then);
        }
        Error::NotFound { .. } => (Exit::NotFound, error.to_string()),
        Error::LastAdmin(_) => (Exit::Conflict, error.to_string()),
        error => (Exit::Failure, error.to_string()),
    };
    Failure::new(what).exit(exit)
}
