//! A routine: a repeated duty of the server.

use std::time::Duration;

use async_trait::async_trait;
use baton_ports::{Wake, store};

/// A repeated duty of the server, turned by the [`Supervisor`](crate::Supervisor).
///
/// A turn takes no input, so that the path after a crash and the path on a good day are the same
/// path; a bell only shortens the wait.
#[async_trait]
pub trait Routine: Send + 'static {
    /// Its name, in health, logs and metrics.
    fn name(&self) -> &'static str;

    /// What it does, in one sentence, for people.
    fn duty(&self) -> &'static str;

    /// The bells that shorten its wait.
    fn bells(&self) -> &'static [Wake] {
        &[]
    }

    /// How long it rests after its last turn, however often this bell rings: what gathers meanwhile
    /// shares a turn.
    fn rest(&self, _bell: Wake) -> Duration {
        Duration::ZERO
    }

    /// Does one bounded, repeatable piece of work.
    async fn turn(&mut self) -> store::Result<Next>;
}

/// When a routine wants to be turned again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// At once: there is more to do.
    Now,
    /// After this long, or when one of its bells rings.
    After(Duration),
}

impl Next {
    /// Now if the last turn was `full`, else after `span`.
    #[must_use]
    pub const fn now_if(full: bool, span: Duration) -> Self {
        if full { Self::Now } else { Self::After(span) }
    }
}
