//! Waiting for a hint, on a connection that does nothing else.
//!
//! A command that blocks holds up everything behind it on its connection, so each wait has one of its
//! own. A wait that is no longer wanted is ended by closing it: Redis then moves nothing to a worker
//! that does not listen.

use std::time::Duration;

use baton_domain::WorkerId;
use baton_ports::hints::Result;
use parking_lot::Mutex;
use redis::{Cmd, RedisError, aio::MultiplexedConnection, cmd};
use tokio::{
    sync::Semaphore,
    time::{Instant, timeout_at},
};

use crate::{
    errors::{Kind, LinkError},
    hints::Inner,
};

/// Waits at the same time, and so connections; further ones wait for their turn.
const MOST: usize = 64;
/// How much longer than its wait an answer may take.
const GRACE: Duration = Duration::from_secs(1);

/// The connections that nobody waits on now.
pub struct Waiters {
    idle: Mutex<Vec<MultiplexedConnection>>,
    turns: Semaphore,
}

impl Default for Waiters {
    fn default() -> Self {
        Self {
            idle: Mutex::default(),
            turns: Semaphore::new(MOST),
        }
    }
}

impl Inner {
    /// Waits until a queue has a hint, and takes that one. `None`: the time is over, or the generation.
    pub async fn wait(
        &self,
        worker: WorkerId,
        queue: &str,
        most: Duration,
    ) -> Result<Option<Vec<u8>>> {
        let mut present = self.view.watch();
        let generation = self.view.open()?;
        let until = Instant::now() + most;
        let Ok(Ok(_turn)) = timeout_at(until, self.waiters.turns.acquire()).await else {
            return Ok(None);
        };
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        let from = self.keys.ready(generation, queue);
        let to = self.keys.processing(generation, worker);
        let mut command = cmd("BLMOVE");
        // Nought would mean for ever; a millisecond is the least that Redis knows.
        command
            .arg(from)
            .arg(to)
            .arg("LEFT")
            .arg("RIGHT")
            .arg(left.as_secs_f64().max(0.001));
        let over = present.wait_for(|now| now.away.is_some() || now.generation != Some(generation));
        let answer = tokio::select! {
            answer = self.blocked(&command, left) => answer,
            _ = over => Ok(None),
        };
        self.heard(answer, Some(generation)).await
    }

    async fn blocked(
        &self,
        command: &Cmd,
        most: Duration,
    ) -> std::result::Result<Option<Vec<u8>>, LinkError> {
        let idle = self.waiters.idle.lock().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => self.connection.dedicated().await?,
        };
        connection.set_response_timeout(most + GRACE);
        match command.query_async(&mut connection).await {
            Ok(answer) => {
                self.waiters.idle.lock().push(connection);
                Ok(answer)
            }
            Err(error) => self.broken(&error),
        }
    }

    /// A connection that breaks says little: Redis closes those that idle, and all at once when it
    /// restarts. Who waited looks again, on the line that all share, and that one tells.
    fn broken(&self, error: &RedisError) -> std::result::Result<Option<Vec<u8>>, LinkError> {
        self.waiters.idle.lock().clear();
        let trouble = self.connection.trouble(error);
        match trouble.kind {
            Kind::Silent => Ok(None),
            Kind::Refusing | Kind::WrongType => Err(trouble),
        }
    }
}
