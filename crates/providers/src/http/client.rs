//! The one client of all calls: it does what it is told, once, and nothing by itself. It follows no
//! redirect, knows no proxy, and sends nothing again.

use std::{sync::Arc, time::Duration};

use crate::policy::Policy;

use super::{
    HttpConfig, StartError,
    address::Address,
    connection::Connection,
    connector::{Connector, NoConnection},
    origins::{OriginLimit, OriginPermit},
    pool::Pool,
    resolver::Resolver,
    trust::tls,
};

/// Where connections come from, and where they go when they are at rest.
pub struct Client {
    connector: Connector,
    pool: Arc<Pool>,
    origins: Arc<OriginLimit>,
}

impl Client {
    pub fn new(config: HttpConfig) -> Result<Self, StartError> {
        let policy = Policy {
            allow_private_targets: config.allow_private_targets,
            allowed_networks: config.allowed_networks,
        };
        Ok(Self {
            connector: Connector::new(
                policy,
                Resolver::new(config.nameservers.clone()),
                tls(config.ca.as_ref())?,
                config.connect_timeout,
            ),
            pool: Arc::new(Pool::new(config.max_idle_per_host, config.idle_timeout)),
            origins: config.origins,
        })
    }

    /// Leave to call where this address is, perhaps after a short wait; else after how long to come back.
    pub async fn enter(&self, address: &Address) -> Result<OriginPermit, Duration> {
        self.origins.enter(address.origin()).await
    }

    /// A connection to where this address is that was kept.
    pub fn kept(&self, address: &Address) -> Option<Connection> {
        self.pool.take(address.origin())
    }

    /// A new connection to where this address is.
    pub async fn connect(&self, address: &Address) -> Result<Connection, NoConnection> {
        self.connector.connect(&address.url).await
    }

    /// Keeps a connection for the next call.
    pub fn keep(&self, address: &Address, connection: Connection) {
        self.pool.put(address.origin(), connection);
    }
}
