//! The address a request comes from, as limits count it.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use axum::{extract::FromRequestParts, http::request::Parts};
use baton_engine::share::Client;

/// An address that limits count as one client: of IPv6 the network of 64 bits, as whoever has one address
/// of it has all of them. The listener puts it into the extensions of each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientAddress(IpAddr);

impl ClientAddress {
    /// What this address counts as.
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => {
                let network = address.to_bits() & !u128::from(u64::MAX);
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
        })
    }

    /// The address, or the first one of its network.
    #[must_use]
    pub const fn address(&self) -> IpAddr {
        self.0
    }
}

impl Client for ClientAddress {}

impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    /// Requests that came over no socket count as one client.
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let address = parts.extensions.get().copied();
        Ok(address.unwrap_or(Self(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> ClientAddress {
        ClientAddress::of(address.parse().unwrap())
    }

    #[test]
    fn addresses_of_one_ipv6_network_are_one_client() {
        let first = client("2001:db8::1");

        let neighbour = client("2001:db8::ffff");
        let other = client("2001:db8:0:1::1");

        assert_eq!(first, neighbour);
        assert_ne!(first, other);
    }

    #[test]
    fn an_ipv4_address_is_the_same_client_when_it_is_mapped_to_ipv6() {
        let plain = client("192.0.2.1");

        let mapped = client("::ffff:192.0.2.1");

        assert_eq!(plain, mapped);
    }
}
