//! Where a request really comes from, when a proxy that is trusted has passed it on.

use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use ipnet::IpNet;

use crate::{ApiState, ClientAddress};

/// The address at the other end of the connection. The listener puts it into the extensions of each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeerAddress(pub IpAddr);

/// The mark of a request that came over TLS: put by the listener, or here on the word of a trusted proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverTls;

/// Takes a trusted proxy at its word; what anybody else says of where they come from counts for nothing.
pub async fn trust_proxies(
    State(api): State<ApiState>,
    mut request: Request,
    next: Next,
) -> Response {
    let proxies = &api.shared.options.trusted_proxies;
    let peer = request.extensions().get::<PeerAddress>().copied();
    if let Some(PeerAddress(peer)) = peer.filter(|peer| is_among(proxies, peer.0)) {
        let headers = request.headers();
        let says = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let is_over_tls = says("x-forwarded-proto").is_some_and(|proto| proto.trim() == "https");
        let hops = headers.get_all("x-forwarded-for").iter();
        let hops: Vec<_> = hops.filter_map(|value| value.to_str().ok()).collect();
        let from = origin_of(&hops.join(","), peer, proxies);
        request.extensions_mut().insert(ClientAddress::of(from));
        if is_over_tls {
            request.extensions_mut().insert(OverTls);
        }
    }
    next.run(request).await
}

/// The last hop that is no proxy of ours: whatever stands before it was written by whoever sent it.
fn origin_of(hops: &str, peer: IpAddr, proxies: &[IpNet]) -> IpAddr {
    let mut from = peer;
    for hop in hops.rsplit(',').map(str::trim) {
        // Some write the port as well.
        let address = hop.parse::<IpAddr>().ok();
        let with_port = || hop.parse::<SocketAddr>().ok().map(|hop| hop.ip());
        let Some(hop) = address.or_else(with_port) else {
            break;
        };
        from = hop;
        if !is_among(proxies, hop) {
            break;
        }
    }
    from
}

fn is_among(networks: &[IpNet], address: IpAddr) -> bool {
    let address = address.to_canonical();
    networks.iter().any(|network| network.contains(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn the_last_hop_that_is_no_proxy_of_ours_is_where_it_comes_from() {
        let proxies = ["10.0.0.0/8".parse().unwrap()];
        let peer = ip("10.0.0.1");

        for (hops, from) in [
            ("198.51.100.7", "198.51.100.7"),
            ("198.51.100.7:4711", "198.51.100.7"),
            ("203.0.113.9, 198.51.100.7", "198.51.100.7"),
            ("203.0.113.9, 198.51.100.7, 10.1.1.1", "198.51.100.7"),
            ("", "10.0.0.1"),
            ("lies, 10.2.2.2", "10.2.2.2"),
        ] {
            assert_eq!(origin_of(hops, peer, &proxies), ip(from), "{hops}");
        }
    }
}
