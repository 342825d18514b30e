//! Local dispatch: the worker of the same process takes jobs the moment they come in.
//!
//! A job on its way through the store's lines takes several round trips until it runs: it is
//! committed, a wake-up is sent, somebody looks, somebody claims. Where the local worker has a free
//! slot and nothing stands in front of the job, it is added as this worker's own instead
//! ([`Work::enqueue_and_claim`](crate::store::Work::enqueue_and_claim)) and handed over from memory.

use crate::store::{Claimed, InlineStart};

/// How a worker takes jobs from the engine of its process.
pub trait LocalDispatch: Send + Sync + 'static {
    /// Sets slots aside for so many jobs of a queue, if the worker would run them at once and is not
    /// aware of any that should come before them.
    fn reserve(&self, queue: &str, jobs: u32) -> Option<Box<dyn SlotReservation>>;

    /// Takes note that jobs have joined a queue's line.
    fn joined(&self, queue: &str);
}

/// Slots set aside. Dropped, they are free again, and jobs that may have been started under its lease
/// unheard are looked for: whoever waited for the answer may have hung up.
pub trait SlotReservation: Send {
    /// Under what the jobs are to be started; it counts from the moment of the reservation.
    fn inline_start(&self) -> &InlineStart;

    /// Runs what was started, which may be nothing; slots that are left are free again.
    fn accept(self: Box<Self>, claimed: Vec<Claimed>);
}
