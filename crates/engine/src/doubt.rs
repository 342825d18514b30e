//! Watches over the calls of a request, so that `unavailable` is told only where nothing was done, and `unconfirmed` elsewhere.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use async_trait::async_trait;
use baton_ports::{
    layer::{Effect, Hook, StoreCall},
    store::{Error, Result},
};

/// Nothing was done.
const NONE: u8 = 0;
/// Something was done.
const DONE: u8 = 1;
/// Something may have been done: no answer came.
const UNANSWERED: u8 = 2;

/// Whether something was done, or may have been, on the way to an answer. It grows and never shrinks.
///
/// Laid over a store, it sees all that one request does: whatever fails after a write is told as in doubt.
#[derive(Debug)]
pub struct Doubt(AtomicU8);

impl Default for Doubt {
    fn default() -> Self {
        Self(AtomicU8::new(NONE))
    }
}

impl Doubt {
    /// Takes note that something was done.
    pub fn done(&self) {
        self.0.fetch_max(DONE, Relaxed);
    }

    /// Takes note of what went wrong.
    pub fn hear(&self, error: &Error) {
        if matches!(error, Error::Unconfirmed(_)) {
            self.0.fetch_max(UNANSWERED, Relaxed);
        }
    }

    /// What to say of an error, knowing what came before it.
    pub fn tell(&self, error: Error) -> Error {
        self.hear(&error);
        match (self.0.load(Relaxed), error) {
            (NONE, error) => error,
            (_, Error::Unavailable(why)) => Error::Unconfirmed(why),
            (UNANSWERED, error @ (Error::Refused(_) | Error::Corrupt { .. })) => {
                tracing::error!(%error, "what was asked again after a lost answer hit a mistake of ours");
                Error::Unconfirmed(error.to_string())
            }
            (_, error) => error,
        }
    }
}

#[async_trait]
impl Hook for Doubt {
    async fn after(&self, call: StoreCall) -> Result<()> {
        if call.effect == Effect::Writes {
            self.done();
        }
        Ok(())
    }

    fn failed(&self, _: StoreCall, error: Error) -> Error {
        self.tell(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn away() -> Error {
        Error::Unavailable("away".to_owned())
    }

    #[test]
    fn what_went_wrong_before_anything_was_done_is_told_as_it_is() {
        let doubt = Doubt::default();

        let (away, refused) = (
            doubt.tell(away()),
            doubt.tell(Error::Refused(String::new())),
        );

        assert!(matches!(away, Error::Unavailable(_)));
        assert!(matches!(refused, Error::Refused(_)));
    }

    #[test]
    fn after_a_lost_answer_nothing_is_certain_any_more() {
        let doubt = Doubt::default();
        doubt.hear(&Error::Unconfirmed(String::new()));

        for error in [away(), Error::Refused(String::new())] {
            assert!(matches!(doubt.tell(error), Error::Unconfirmed(_)));
        }
    }

    #[test]
    fn a_database_that_goes_away_after_a_write_does_not_undo_it() {
        let doubt = Doubt::default();
        doubt.done();

        let told = doubt.tell(away());

        assert!(matches!(told, Error::Unconfirmed(_)));
    }
}
