//! The connection that all commands share, with a deadline for each.

use std::time::Duration;

use parking_lot::Mutex;
use redis::{
    AsyncConnectionConfig, Client, Cmd, ErrorKind, FromRedisValue, Pipeline, RedisError,
    RedisResult, Script, ServerErrorKind,
    aio::{MultiplexedConnection, PubSub},
};
use tokio::time::timeout;

use crate::{
    options::{self, Options, UrlError},
    trouble::Trouble,
};

/// The connection that all commands share. It is made when it is needed, and thrown away when it
/// fails.
pub struct Line {
    client: Client,
    address: String,
    connect: Duration,
    command: Duration,
    present: Mutex<Present>,
    /// Whoever holds it connects; the others wait for what comes of it.
    connecting: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Present {
    connection: Option<MultiplexedConnection>,
    /// Numbers the connections, so that nobody throws away the one after his.
    number: u64,
}

impl Line {
    pub fn new(options: &Options) -> Result<Self, UrlError> {
        let (client, address) = options::client(&options.url)?;
        Ok(Self {
            client,
            address,
            connect: options.connect,
            command: options.command,
            present: Mutex::default(),
            connecting: tokio::sync::Mutex::default(),
        })
    }

    /// Calls a script, which Redis may not know (yet, or any more).
    pub async fn call<T: FromRedisValue>(
        &self,
        script: &Script,
        command: &Cmd,
    ) -> Result<T, Trouble> {
        let result = self.timed(
            async |connection| match command.query_async(connection).await {
                Err(error) if is_unknown(&error) => {
                    script.load_async(connection).await?;
                    command.query_async(connection).await
                }
                answer => answer,
            },
        );
        result.await
    }

    /// Asks one thing.
    pub async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, Trouble> {
        let result = self.timed(async |connection| command.query_async(connection).await);
        result.await
    }

    /// Asks several things in one go.
    pub async fn ask_all<T: FromRedisValue>(&self, commands: &Pipeline) -> Result<T, Trouble> {
        let result = self.timed(async |connection| commands.query_async(connection).await);
        result.await
    }

    /// A connection of its own, for somebody who waits.
    pub async fn dedicated(&self) -> Result<MultiplexedConnection, Trouble> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.connect))
            .set_response_timeout(Some(self.command));
        let connecting = self
            .client
            .get_multiplexed_async_connection_with_config(&config);
        self.within(self.connect, connecting).await
    }

    /// A connection that listens.
    pub async fn listening(&self) -> Result<PubSub, Trouble> {
        self.within(self.connect, self.client.get_async_pubsub())
            .await
    }

    /// What an error of this Redis means.
    pub fn trouble(&self, error: &RedisError) -> Trouble {
        Trouble::of(error, &self.address)
    }

    async fn timed<T>(
        &self,
        ask: impl AsyncFnOnce(&mut MultiplexedConnection) -> RedisResult<T>,
    ) -> Result<T, Trouble> {
        let reaching = timeout(self.connect, self.reach());
        let reached = reaching
            .await
            .unwrap_or_else(|_| Err(Trouble::slow(&self.address, self.connect)));
        let (mut connection, number) = reached?;
        // The deadline is ours alone: the connection's own would have to be set on each clone.
        match timeout(self.command, ask(&mut connection)).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => {
                if error.is_unrecoverable_error() || error.is_io_error() {
                    self.forget(number);
                }
                Err(self.trouble(&error))
            }
            Err(_) => {
                self.forget(number);
                Err(Trouble::slow(&self.address, self.command))
            }
        }
    }

    async fn reach(&self) -> Result<(MultiplexedConnection, u64), Trouble> {
        if let Some(present) = self.present() {
            return Ok(present);
        }
        let _connecting = self.connecting.lock().await;
        if let Some(present) = self.present() {
            return Ok(present);
        }
        let connection = self.dedicated().await?;
        let mut present = self.present.lock();
        present.number += 1;
        present.connection = Some(connection.clone());
        Ok((connection, present.number))
    }

    fn present(&self) -> Option<(MultiplexedConnection, u64)> {
        let present = self.present.lock();
        let connection = present.connection.clone()?;
        Some((connection, present.number))
    }

    fn forget(&self, number: u64) {
        let mut present = self.present.lock();
        if present.number == number {
            present.connection = None;
        }
    }

    async fn within<T>(
        &self,
        span: Duration,
        asking: impl Future<Output = RedisResult<T>>,
    ) -> Result<T, Trouble> {
        match timeout(span, asking).await {
            Ok(answer) => answer.map_err(|error| self.trouble(&error)),
            Err(_) => Err(Trouble::slow(&self.address, span)),
        }
    }
}

fn is_unknown(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::NoScript)
}
