//! Rows that the database refuses to move. Each is found by halving, told, and left alone for a while, so that it never stops
//! those behind it.

use std::{fmt::Display, future::Future, hash::Hash, time::Duration};

use baton_domain::{CampaignId, JobId, OperationId};
use baton_ports::{
    bisect::{Bisected, bisect},
    quarantine::{Quarantine, REST},
    store::{Error, Result},
};
use parking_lot::Mutex;
use uuid::Uuid;

use super::SqlStore;
use crate::{
    row::Row,
    statement::Script,
    value::{Params, params},
};

/// How long what is in the way as a whole is left alone: shorter than its rows are, which it would meet again otherwise.
const PAUSE: Duration = Duration::from_secs(30);

/// What is left alone, of each thing that is done to rows.
pub(super) struct Refused {
    pub release: Refusals<JobId>,
    pub expire: Refusals<JobId>,
    pub retry: Refusals<JobId>,
    pub discard: Refusals<JobId>,
    pub operations: Refusals<OperationId>,
    pub sweep: Refusals<JobId>,
    pub sweeps: Refusals<CampaignId>,
    pub settle: Refusals<CampaignId>,
}

impl Default for Refused {
    fn default() -> Self {
        Self {
            release: Refusals::new("release", REST),
            expire: Refusals::new("expire", REST),
            retry: Refusals::new("retry", REST),
            discard: Refusals::new("discard", REST),
            operations: Refusals::new("operation", PAUSE),
            sweep: Refusals::new("cancel", REST),
            sweeps: Refusals::new("canceled_campaign", PAUSE),
            settle: Refusals::new("campaign", REST),
        }
    }
}

/// What is left alone by who does one thing.
pub(super) struct Refusals<T> {
    what: &'static str,
    quarantine: Mutex<Quarantine<T>>,
    /// The operation it is for, where it is for one.
    operation: Mutex<Option<OperationId>>,
}

impl<T: Copy + Eq + Hash + Display> Refusals<T> {
    fn new(what: &'static str, rest: Duration) -> Self {
        let quarantine = Mutex::new(Quarantine::resting(rest));
        Self {
            what,
            quarantine,
            operation: Mutex::default(),
        }
    }

    /// What was left alone by another operation is none of this one's business: its rows may have been mended since.
    pub(super) fn belong_to(&self, operation: OperationId) {
        if self.operation.lock().replace(operation) != Some(operation) {
            *self.quarantine.lock() = Quarantine::resting(REST);
        }
    }

    /// What is left alone at this moment.
    pub(super) fn all(&self) -> Vec<T> {
        self.quarantine.lock().all()
    }

    /// Takes note of why the database has not answered, if it has not; says whether what it was asked for is suspect.
    pub(super) fn hear(&self, error: Option<&Error>) -> bool {
        let mut quarantine = self.quarantine.lock();
        quarantine.hear(error);
        quarantine.is_suspect()
    }

    pub(super) fn is_suspect(&self) -> bool {
        self.quarantine.lock().is_suspect()
    }

    /// Tells of one that stands alone, and leaves it alone.
    pub(super) fn leave(&self, one: T, error: &Error) {
        let what = self.what;
        let then = if self.is_for_operation() {
            "the operation skips it"
        } else {
            "it is tried again later"
        };
        tracing::error!(what, row = %one, %error, "the database does not take {one} ({what}): {error}; the others go on, and {then}");
        metrics::counter!("baton_rows_refused_total", "what" => what).increment(1);
        self.pass_by(one);
    }

    /// Leaves one alone of which enough was told.
    pub(super) fn pass_by(&self, one: T) {
        self.quarantine.lock().leave(one);
    }

    fn is_for_operation(&self) -> bool {
        self.operation.lock().is_some()
    }

    /// What the database has answered, after each that stands alone was told and left alone. An operation skips what it leaves
    /// alone, so it leaves none where all of many are refused.
    pub(super) fn taken<B, A>(
        &self,
        bisected: Bisected<B, A>,
        name: impl Fn(&B) -> T,
    ) -> Result<Vec<A>> {
        let is_none = bisected.answers.is_empty() && bisected.alone.len() > 1;
        if !(is_none && self.is_for_operation()) {
            for (one, error) in &bisected.alone {
                self.leave(name(one), error);
            }
        }
        bisected.taken()
    }
}

impl SqlStore {
    /// Has a script take the next rows, `limit` at most. Where the database refuses that, another script tells which they are,
    /// and they are taken in halves until what is in the way stands alone.
    pub(super) async fn take<A, F: Future<Output = Result<A>>>(
        &self,
        refusals: &Refusals<JobId>,
        limit: u32,
        (next, mut which): (&'static Script, Params),
        take: impl Fn(Params) -> F,
    ) -> Result<Vec<A>> {
        let others = self.others(refusals.all().into_iter().map(JobId::uuid), limit);
        let whole = take(others.clone()).await;
        let is_suspect = refusals.hear(whole.as_ref().err());
        let error = match whole {
            Ok(answer) => return Ok(vec![answer]),
            Err(error) if error.is_passing() && !is_suspect => return Err(error),
            Err(error) => error,
        };
        which.extend(others);
        let rows = self.read(next, which).await?.into_iter();
        let id = |row: Row| Ok(JobId::from_uuid(row.cells("jobs").uuid("id")?));
        let rows = rows.map(id).collect::<Result<Vec<_>>>()?;
        if rows.is_empty() {
            return Err(error);
        }
        let bisected = bisect(&rows, is_suspect, |piece| take(self.these(&piece))).await?;
        refusals.taken(bisected, |job| *job)
    }

    /// All rows but these, as scripts pick them.
    pub(super) fn others(&self, rows: impl Iterator<Item = Uuid>, limit: u32) -> Params {
        let rows: Vec<_> = rows.collect();
        params! { rows: self.list(&rows), only: false, limit: limit }
    }

    fn these(&self, rows: &[JobId]) -> Params {
        let limit = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let rows: Vec<_> = rows.iter().map(|job| job.uuid()).collect();
        params! { rows: self.list(&rows), only: true, limit: limit }
    }
}
