//! Resolves the name of a target, and lets the connection have only what the policy allows.

use std::{io, net::SocketAddr, sync::Arc};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::policy::Policy;

/// A resolver whose answers were all checked; the connection goes to exactly these addresses, so a
/// name that changes its mind between check and connect gains nothing.
pub struct GuardedResolver(pub Arc<Policy>);

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let policy = Arc::clone(&self.0);
        Box::pin(async move {
            let addresses = look_up(name.as_str()).await?;
            policy.check_all(addresses.iter().map(SocketAddr::ip))?;
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

async fn look_up(name: &str) -> io::Result<Vec<SocketAddr>> {
    // The port is a placeholder: the connection puts in the URL's.
    let addresses: Vec<SocketAddr> = tokio::net::lookup_host((name, 0)).await?.collect();
    if addresses.is_empty() {
        return Err(io::Error::other("the name has no address"));
    }
    Ok(addresses)
}
