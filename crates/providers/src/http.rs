//! The kind `http`: one guarded call per attempt, and a verdict from whatever comes of it.

mod address;
mod answer;
mod body;
mod caller;
mod client;
mod connection;
mod connector;
mod exchange;
mod failure;
mod head;
pub(crate) mod headers;
mod outgoing;
mod pool;
mod request;
mod retry_after;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    Clock,
    job::{FieldError, Verdict},
};
use baton_ports::{Call, Handler};
use ipnet::IpNet;

use crate::signature::Secret;

use self::address::Addresses;
pub(crate) use self::{
    address::Address, answer::Answer, caller::Caller, exchange::MOST_READ, request::Asked,
};

/// How calls are made.
#[derive(Debug, Clone)]
pub struct HttpConfig {
    /// Whether private, loopback, link-local and metadata addresses may be called.
    pub allow_private_targets: bool,
    /// Networks that may be called, private or not.
    pub allowed_networks: Vec<IpNet>,
    /// What calls are signed with, the newest first; several while they are rotated, none for no
    /// signature.
    pub secrets: Vec<Secret>,
    /// How long a connection may take, from resolving the name to the end of the TLS handshake.
    pub connect_timeout: Duration,
    /// How long an idle connection is kept.
    pub idle_timeout: Duration,
    /// How many idle connections are kept for each host.
    pub max_idle_per_host: usize,
}

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            allow_private_targets: false,
            allowed_networks: Vec::new(),
            secrets: Vec::new(),
            connect_timeout: Duration::from_secs(10),
            // Common servers close after five idle seconds. Leaving earlier than they do keeps a
            // request from meeting a closing connection, which would leave its outcome unknown.
            idle_timeout: Duration::from_secs(4),
            // Fewer than there are slots would close connections for others to open them again.
            max_idle_per_host: 1_024,
        }
    }
}

/// Why the outgoing client cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The TLS settings contradict each other.
    #[error("the TLS settings of outgoing calls do not work: {0}")]
    Tls(#[from] rustls::Error),
}

/// Does the work of kind `http`: calls the payload's URL once per attempt.
pub struct HttpHandler {
    caller: Caller,
    addresses: Addresses,
}

impl HttpHandler {
    /// A handler with a client, and so a pool of connections, of its own.
    ///
    /// # Errors
    /// When the client cannot be built.
    pub fn new(config: HttpConfig, clock: Arc<dyn Clock>) -> Result<Self, StartError> {
        Ok(Self {
            caller: Caller::new(config, clock)?,
            addresses: Addresses::default(),
        })
    }

    async fn call(&self, call: &Call, asked: &Asked) -> Verdict {
        match self.caller.call(call, asked).await {
            Ok(answer) => answer.verdict(&asked.address.url, self.caller.now()),
            Err(verdict) => verdict,
        }
    }
}

#[async_trait]
impl Handler for HttpHandler {
    fn kind(&self) -> &'static str {
        "http"
    }

    fn check(&self, payload: &str) -> Result<(), Vec<FieldError>> {
        Asked::read(payload, &self.addresses).map(drop)
    }

    async fn run(&self, call: Call) -> Verdict {
        match Asked::read(&call.order.payload, &self.addresses) {
            Ok(asked) => self.call(&call, &asked).await,
            Err(errors) => crate::payload::refusal(&errors),
        }
    }
}
