//! A routine: a repeated duty of the server.

use std::time::Duration;

use async_trait::async_trait;
use baton_ports::{Wakeup, store};

/// A repeated duty of the server, turned by the [`Supervisor`](crate::Supervisor).
///
/// A turn takes no input, so that the path after a crash and the path on a good day are the same
/// path; a wake-up only shortens the wait.
#[async_trait]
pub trait Routine: Send + 'static {
    /// Its name, in health, logs and metrics.
    fn name(&self) -> &'static str;

    /// What it does, in one sentence, for people.
    fn duty(&self) -> &'static str;

    /// The wake-ups that shorten its wait.
    fn woken_by(&self) -> &'static [Wakeup] {
        &[]
    }

    /// How long it rests after its last turn, however many of these wake-ups come: what gathers meanwhile
    /// shares a turn.
    fn rest(&self, _wakeup: Wakeup) -> Duration {
        Duration::ZERO
    }

    /// Does one bounded, repeatable piece of work.
    async fn turn(&mut self) -> store::Result<Next>;

    /// Another node leads by now, and turns it: whatever it told as of this moment is no longer true.
    fn stand_down(&mut self) {}
}

/// What a routine is called and what it does, in one row.
macro_rules! about {
    ($name:literal: $duty:literal) => {
        fn name(&self) -> &'static str {
            $name
        }

        fn duty(&self) -> &'static str {
            $duty
        }
    };
}

pub(crate) use about;

/// When a routine wants to be turned again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// At once: there is more to do.
    Now,
    /// After this long, or when one of its wake-ups comes.
    After(Duration),
}

impl Next {
    /// Now if the last turn was `full`, else after `span`.
    #[must_use]
    pub const fn now_if(full: bool, span: Duration) -> Self {
        if full { Self::Now } else { Self::After(span) }
    }
}
