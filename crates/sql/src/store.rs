//! The traits of the port, each in the file of its word.

mod access;
mod audit_log;
mod blocks;
mod campaigns;
mod checkpoints;
mod damaged;
mod dead_letters;
mod erasures;
mod events;
mod fleet;
mod hinting;
mod inbox;
mod jobs;
mod new_jobs;
mod nodes;
mod notifications;
mod operations;
mod prune;
mod queues;
mod read;
mod recipients;
mod reconcile;
mod record;
mod refused;
mod restored;
mod rollups;
mod schedules;
mod staging;
mod start;
mod unreadable;
mod upkeep;
mod work;

use std::{collections::HashSet, sync::Arc};

use baton_domain::{WorkerId, audit::AuditEntry};
use baton_ports::{
    Wakeups,
    store::{Error, Result, Work},
};
use tokio_util::sync::CancellationToken;

use crate::{
    admission::Admission,
    kernel::{ConnectionPool, Kernel, sqlite::Thread},
    relay,
    row::{Row, Rows},
    statement::Script,
    value::Params,
};

/// The store on SQLite, PostgreSQL or MySQL.
#[derive(Clone)]
pub struct SqlStore {
    kernel: Arc<Kernel>,
    admission: Arc<Admission>,
    /// Workers that held something when the database was opened, and whose process is known to have ended.
    gone: Arc<HashSet<WorkerId>>,
    unreadable: Arc<unreadable::Ledger>,
    refused: Arc<refused::Refused>,
    waits: Arc<rollups::GatheredWaits>,
    blocks: Arc<blocks::BlockLeases>,
    /// What the next call writes down, if it changes anything.
    audit: Option<Arc<AuditEntry>>,
}

impl SqlStore {
    pub(crate) fn new(kernel: Kernel) -> Self {
        Self {
            kernel: Arc::new(kernel),
            admission: Arc::new(Admission::new()),
            gone: Arc::default(),
            unreadable: Arc::default(),
            refused: Arc::default(),
            waits: Arc::default(),
            blocks: Arc::default(),
            audit: None,
        }
    }

    /// Takes over a database that nobody else has open: whoever held something before is gone.
    pub(crate) async fn take_over(mut self) -> Result<Self> {
        let held = self.leases(u32::MAX).await?;
        self.gone = Arc::new(held.iter().map(|lease| lease.worker).collect());
        Ok(self)
    }

    /// Ends the writing in order. On SQLite the single file is the whole truth from then on, and nothing
    /// is read or written any more.
    pub async fn close(&self) {
        self.kernel.close().await;
    }

    /// Waits until nothing can be written any more because the thread that writes to SQLite has ended.
    /// PostgreSQL has no such thread.
    pub async fn writer_ended(&self) {
        self.kernel.writer_ended().await;
    }

    /// Waits until the journal of SQLite is copied no more because the thread that does it has ended by itself.
    pub async fn checkpoints_ended(&self) {
        self.kernel.checkpoints_ended().await;
    }

    /// Has a thread of SQLite's die, for tests of what follows.
    #[doc(hidden)]
    pub async fn kill(&self, thread: Thread) {
        if let Kernel::Sqlite(sqlite) = &*self.kernel {
            sqlite.kill(thread).await;
        }
    }

    /// Has what the metrics are told of transactions begin at zero.
    pub fn begin_to_measure(&self) {
        self.kernel.begin_to_measure();
    }

    /// Tells the metrics how the connections are used at this moment.
    pub fn show_pools(&self) {
        self.kernel.show_pools();
    }

    /// Relays the wake-ups of this process to the others, and theirs here, where the database can: on
    /// PostgreSQL by LISTEN and NOTIFY. Elsewhere there is nobody to relay to.
    pub fn relay(&self, wakeups: Arc<Wakeups>, stop: CancellationToken) {
        if let Kernel::Postgres(postgres) = &*self.kernel {
            relay::start(postgres.address().clone(), wakeups, stop);
        }
    }

    /// Somebody waits for work that is under way until this is dropped, for the tests of who gives way to it.
    #[doc(hidden)]
    #[must_use]
    pub fn prompt_work(&self) -> impl Sized + '_ {
        self.admission.interactive()
    }

    /// The kernel, for the tests of this crate.
    #[doc(hidden)]
    #[must_use]
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    async fn write(&self, script: &'static Script, params: Params) -> Result<Rows> {
        self.kernel
            .write(ConnectionPool::Queue, script, params)
            .await
    }

    async fn operate(&self, script: &'static Script, params: Params) -> Result<Rows> {
        self.kernel
            .write(ConnectionPool::Front, script, params)
            .await
    }

    async fn read(&self, script: &'static Script, params: Params) -> Result<Rows> {
        self.kernel.read(script, params).await
    }
}

/// What to say when something fails after something else was written: "nothing was done" is no longer true.
fn in_doubt(error: Error) -> Error {
    match error {
        Error::Unavailable(why) => Error::Unconfirmed(why),
        error => error,
    }
}

fn first(rows: Rows) -> Option<Row> {
    rows.into_iter().next()
}
