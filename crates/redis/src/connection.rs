//! The connection that all commands share, with a deadline for each.

use std::time::Duration;

use parking_lot::Mutex;
use redis::{
    AsyncConnectionConfig, Cmd, ErrorKind, FromRedisValue, Pipeline, RedisError, RedisResult,
    Script, ServerErrorKind, Value,
    aio::{MultiplexedConnection, PubSub},
};
use tokio::time::timeout;

use crate::{
    endpoint::Endpoint,
    errors::LinkError,
    options::{Options, UrlError},
};

/// The connection that all commands share. It is made when it is needed, and thrown away when it
/// fails.
pub struct Connection {
    endpoint: Endpoint,
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

impl Connection {
    pub fn new(options: &Options) -> Result<Self, UrlError> {
        let (endpoint, address) = Endpoint::of(&options.url)?;
        Ok(Self {
            endpoint,
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
    ) -> Result<T, LinkError> {
        self.answer(Question::Call(script, command)).await
    }

    /// Asks one thing.
    pub async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, LinkError> {
        self.answer(Question::One(command)).await
    }

    /// Asks several things in one go.
    pub async fn ask_all<T: FromRedisValue>(&self, commands: &Pipeline) -> Result<T, LinkError> {
        self.answer(Question::Many(commands)).await
    }

    /// A connection of its own, for somebody who waits.
    pub async fn dedicated(&self) -> Result<MultiplexedConnection, LinkError> {
        // The deadlines are ours, so that all of them are told in the same words.
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(None)
            .set_response_timeout(None);
        let connecting = async {
            let client = self.endpoint.client().await?;
            client
                .get_multiplexed_async_connection_with_config(&config)
                .await
        };
        self.within(self.connect, connecting).await
    }

    /// A connection that listens.
    pub async fn listening(&self) -> Result<PubSub, LinkError> {
        let connecting = async { self.endpoint.client().await?.get_async_pubsub().await };
        self.within(self.connect, connecting).await
    }

    /// What an error of this Redis means.
    pub fn trouble(&self, error: &RedisError) -> LinkError {
        LinkError::of(error, &self.address)
    }

    /// Asks once, and once more if the connection has broken since it was last used: whatever we ask may
    /// be done twice, for hints may be doubled.
    async fn answer<T: FromRedisValue>(&self, question: Question<'_>) -> Result<T, LinkError> {
        let answer = match self.put(question).await? {
            Err(broken) if broken.is_connection_dropped() => self.put(question).await?,
            answer => answer,
        };
        let read = answer.and_then(|value| Ok(T::from_redis_value(value)?));
        read.map_err(|error| self.trouble(&error))
    }

    async fn put(&self, question: Question<'_>) -> Result<RedisResult<Value>, LinkError> {
        let reached = timeout(self.connect, self.reach()).await;
        let reached = reached.unwrap_or_else(|_| Err(LinkError::slow(&self.address, self.connect)));
        let (mut connection, number) = reached?;
        let answer = timeout(self.command, question.put(&mut connection)).await;
        let is_usable = match &answer {
            Ok(Err(error)) => {
                !error.is_unrecoverable_error() && !error.is_io_error() && !is_read_only(error)
            }
            Ok(Ok(_)) => true,
            Err(_) => false,
        };
        if !is_usable {
            self.forget(number);
        }
        answer.map_err(|_| LinkError::slow(&self.address, self.command))
    }

    async fn reach(&self) -> Result<(MultiplexedConnection, u64), LinkError> {
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
    ) -> Result<T, LinkError> {
        match timeout(span, asking).await {
            Ok(answer) => answer.map_err(|error| self.trouble(&error)),
            Err(_) => Err(LinkError::slow(&self.address, span)),
        }
    }
}

/// What is asked.
#[derive(Clone, Copy)]
enum Question<'a> {
    One(&'a Cmd),
    Many(&'a Pipeline),
    Call(&'a Script, &'a Cmd),
}

impl Question<'_> {
    async fn put(self, connection: &mut MultiplexedConnection) -> RedisResult<Value> {
        match self {
            Self::One(command) => command.query_async(connection).await,
            Self::Many(commands) => commands.query_async(connection).await,
            Self::Call(script, command) => match command.query_async(connection).await {
                Err(error) if is_unknown(&error) => {
                    script.load_async(connection).await?;
                    command.query_async(connection).await
                }
                answer => answer,
            },
        }
    }
}

/// Whether it is a replica by now: another one is the primary.
fn is_read_only(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::ReadOnly)
}

fn is_unknown(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::NoScript)
}
