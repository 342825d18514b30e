//! Handlers: what does the work of the built-in kinds of job.
//!
//! [`HttpHandler`] makes one guarded call, [`WalkHandler`] one after the other through the pages of an API, [`SimulateHandler`]
//! pretends to, [`DeliveryHandler`] has a [`provider`] bring a message. [`Oidc`] asks a provider of sign-ins who somebody is,
//! a [`Collector`] is sent spans.
//!
//! A call leaves at most once per attempt (that for a page of a walk once per attempt at the page): nothing below this crate sends it again by itself, follows
//! a redirect or goes through a proxy, and no target that the [`Policy`] refuses is ever connected to.
//!
//! To add a kind: implement [`baton_ports::Handler`] in a module of its own and add it to [`builtin`].
#![warn(missing_docs)]

mod collector;
mod crypto;
mod delivery;
mod http;
mod oidc;
mod payload;
mod policy;
pub mod provider;
mod signature;
mod simulate;
mod walk;

use std::sync::Arc;

use baton_domain::Clock;
use baton_ports::Handler;

pub use collector::{BadCollector, Collector, CollectorConfig, SpanExporter};
pub use crypto::init_crypto;
pub use delivery::DeliveryHandler;
#[doc(hidden)]
pub use http::reading;
pub use http::{
    Authorities, BadAuthorities, BadDestination, CALLS_PER_ORIGIN, DestinationConfig, HttpConfig,
    HttpHandler, OriginLimit, StartError,
};
pub use ipnet::IpNet;
pub use oidc::{BadOidc, Oidc, OidcConfig};
pub use policy::{Policy, Refused};
pub use provider::{BadProvider, ProviderConfig, Providers};
pub use signature::{Secret, SecretError};
pub use simulate::{SimulateConfig, SimulateHandler};
pub use walk::WalkHandler;

/// Every kind that Baton brings along.
pub fn builtin(
    http: HttpConfig,
    simulate: SimulateConfig,
    clock: Arc<dyn Clock>,
) -> Result<Vec<Arc<dyn Handler>>, StartError> {
    let http = Arc::new(HttpHandler::new(http, clock)?);
    Ok(vec![
        http.clone(),
        Arc::new(WalkHandler::new(http)),
        Arc::new(SimulateHandler::new(simulate)),
    ])
}
