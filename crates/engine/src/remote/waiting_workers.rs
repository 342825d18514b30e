//! Waiting workers: a claim that waits says that its worker lives, and nobody has to beat beside it.

use crate::{Engine, Result};

/// How often it is written of those who wait that they live, in a lease: they are then heard of well before they would be
/// taken for silent.
pub const WORD_SHARE: u32 = 3;
/// What part of a lease is too short to write anew: whoever was seen so lately says by itself that it lives.
const LATELY: u32 = 6;

impl Engine {
    /// Writes of all workers whose claims wait here that they live, in one statement, and ends the claims of those that are
    /// to hear something: they are to drain, or to register again.
    pub(super) async fn speak_for_waiting(&self) -> Result<()> {
        // Read before it is written: who waits by then has registered by then.
        let workers = self.remote().waiting.workers();
        if workers.is_empty() {
            return Ok(());
        }
        let (now, lately) = (self.now(), self.inner.settings.lease / LATELY);
        let store = &self.inner.store;
        let wishes = store.note_waiting(&workers, lately, now).await?;
        let known = &self.remote().known;
        known.wait_on(&workers, now);
        let told = known.wanted(&workers, &wishes);
        for (worker, wish) in &wishes {
            if wish.has_left {
                known.forget(*worker);
            }
            if wish.has_left || (wish.drain && !told.contains(worker)) {
                self.remote().waiting.end(*worker);
            }
        }
        Ok(())
    }
}
