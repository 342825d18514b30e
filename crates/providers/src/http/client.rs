//! The one client of all calls: it does what it is told, once, and nothing by itself.

use std::sync::Arc;

use reqwest::{Client, redirect, retry};
use rustls::{ClientConfig, RootCertStore, crypto::ring};

use crate::{policy::Policy, resolver::GuardedResolver};

use super::{HttpConfig, StartError};

const USER_AGENT: &str = concat!("baton/", env!("CARGO_PKG_VERSION"));

pub fn build(config: &HttpConfig, policy: Arc<Policy>) -> Result<Client, StartError> {
    crate::init_crypto();
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the guarded client that the lint points to"
    )]
    let builder = Client::builder();
    Ok(builder
        .tls_backend_preconfigured(tls()?)
        .dns_resolver(GuardedResolver(policy))
        // A proxy from the environment would connect where the policy cannot look.
        .no_proxy()
        .redirect(redirect::Policy::none())
        .referer(false)
        .retry(retry::never())
        .http1_only()
        .user_agent(USER_AGENT)
        .connect_timeout(config.connect_timeout)
        .pool_idle_timeout(config.idle_timeout)
        .pool_max_idle_per_host(config.max_idle_per_host)
        .build()?)
}

fn tls() -> Result<ClientConfig, rustls::Error> {
    let roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    Ok(
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth(),
    )
}
