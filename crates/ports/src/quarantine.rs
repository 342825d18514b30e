//! A quarantine: what a store does not take is left alone for a while, so that it holds up none behind it.

use std::{collections::HashMap, hash::Hash, time::Duration};

use tokio::time::Instant;

use crate::{bisect::SUSPICIOUS, store::Error};

/// How long what a store does not take is left alone.
pub const REST: Duration = Duration::from_mins(1);

/// What a store does not take, and until when each is left alone.
#[derive(Debug)]
pub struct Quarantine<T> {
    rest: Duration,
    until: HashMap<T, Instant>,
    /// How often in a row the store has left a batch without an answer.
    unanswered: u32,
}

impl<T: Copy + Eq + Hash> Default for Quarantine<T> {
    fn default() -> Self {
        Self::resting(REST)
    }
}

impl<T: Copy + Eq + Hash> Quarantine<T> {
    /// Nothing yet; what comes is left alone for so long.
    #[must_use]
    pub fn resting(rest: Duration) -> Self {
        Self {
            rest,
            until: HashMap::new(),
            unanswered: 0,
        }
    }

    /// Leaves something alone from now on.
    pub fn leave(&mut self, one: T) {
        self.until.insert(one, Instant::now() + self.rest);
    }

    /// What is left alone at this moment.
    pub fn all(&mut self) -> Vec<T> {
        let now = Instant::now();
        self.until.retain(|_, until| *until > now);
        self.until.keys().copied().collect()
    }

    /// Whether something is left alone at this moment.
    #[must_use]
    pub fn has(&self, one: T) -> bool {
        let until = self.until.get(&one);
        until.is_some_and(|until| *until > Instant::now())
    }

    /// Takes note of why the store has not answered for all of a batch, if it has not.
    pub const fn hear(&mut self, error: Option<&Error>) {
        self.unanswered = match error {
            Some(error) if error.is_passing() => self.unanswered.saturating_add(1),
            _ => 0,
        };
    }

    /// Whether something in the next batch may be why the store does not answer.
    #[must_use]
    pub const fn is_suspect(&self) -> bool {
        self.unanswered >= SUSPICIOUS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_is_left_alone_has_its_turn_again_after_its_rest() {
        let mut quarantine = Quarantine::default();
        quarantine.leave(7);

        let (before, has_seven, has_eight) =
            (quarantine.all(), quarantine.has(7), quarantine.has(8));
        tokio::time::advance(REST).await;

        assert_eq!((before, has_seven, has_eight), (vec![7], true, false));
        assert!(!quarantine.has(7));
        assert!(quarantine.all().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn batches_are_suspect_once_some_in_a_row_have_had_no_answer() {
        let mut quarantine = Quarantine::<u32>::default();
        let silent = Error::Unconfirmed("no answer".to_owned());

        let heard = |_| {
            quarantine.hear(Some(&silent));
            quarantine.is_suspect()
        };
        let suspect: Vec<_> = (0..SUSPICIOUS).map(heard).collect();
        quarantine.hear(None);

        assert_eq!(suspect, [false, false, false, false, true]);
        assert!(!quarantine.is_suspect());
    }
}
