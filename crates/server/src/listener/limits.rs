//! The limits of connections, in all and for each address.

use std::{collections::HashMap, net::IpAddr, sync::Arc};

use baton_api::ClientAddress;
use parking_lot::Mutex;

/// How many connections can be open at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    pub all: usize,
    pub each_address: usize,
}

/// Which limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    All,
    Address,
}

/// The open connections.
pub struct Connections {
    limits: ConnectionLimits,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    by_address: HashMap<ClientAddress, usize>,
}

impl Connections {
    pub fn new(limits: ConnectionLimits) -> Arc<Self> {
        Arc::new(Self {
            limits,
            open: Mutex::default(),
        })
    }

    /// Admits a connection from there; it counts until the permit is dropped.
    pub fn admit(self: &Arc<Self>, from: IpAddr) -> Result<ConnectionPermit, Limit> {
        let address = ClientAddress::of(from);
        let mut open = self.open.lock();
        if open.all >= self.limits.all {
            return Err(Limit::All);
        }
        let of_address = open.by_address.entry(address).or_default();
        if *of_address >= self.limits.each_address {
            return Err(Limit::Address);
        }
        *of_address += 1;
        open.all += 1;
        metrics::gauge!("baton_connections").set(open.all as f64);
        Ok(ConnectionPermit {
            connections: Arc::clone(self),
            address,
        })
    }

    fn release(&self, address: ClientAddress) {
        let mut open = self.open.lock();
        open.all -= 1;
        metrics::gauge!("baton_connections").set(open.all as f64);
        if let Some(of_address) = open.by_address.get_mut(&address) {
            *of_address -= 1;
            if *of_address == 0 {
                open.by_address.remove(&address);
            }
        }
    }
}

/// Counts one connection until it is dropped.
pub struct ConnectionPermit {
    connections: Arc<Connections>,
    address: ClientAddress,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.connections.release(self.address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections(all: usize, each_address: usize) -> Arc<Connections> {
        Connections::new(ConnectionLimits { all, each_address })
    }

    fn at(address: &str) -> IpAddr {
        address.parse().unwrap()
    }

    #[test]
    fn a_connection_that_has_ended_leaves_nothing_behind() {
        let connections = connections(1, 1);
        drop(connections.admit(at("192.0.2.1")).unwrap());

        let refused = {
            let _held = connections.admit(at("192.0.2.2")).unwrap();
            connections.admit(at("192.0.2.3")).err()
        };

        assert_eq!(refused, Some(Limit::All));
        assert!(connections.open.lock().by_address.is_empty());
    }
}
