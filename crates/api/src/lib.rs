//! The HTTP API over the engine.
//!
//! [`router`] is all there is. A handler reads a request, calls one use case and writes the answer;
//! whatever goes wrong becomes a problem in [`problem`](mod@problem), in one match. The layers see to
//! the rest: every answer carries a `Request-Id`, no error leaves without being a problem, and pages of
//! other sites are kept out.
//!
//! To add a call: its request and response in the `protocol` crate, its handler in `routes/<word>.rs`,
//! its line in [`routes`](mod@routes); then `UPDATE_OPENAPI=1 cargo test -p baton-api`.
#![warn(missing_docs)]

mod client_address;
mod detached;
mod docs;
mod doors;
mod extract;
mod forwarded;
mod import;
mod layers;
mod openapi;
mod options;
mod pages;
mod problem;
mod routes;
mod stream;

pub use client_address::ClientAddress;
pub use doors::{ConnectionNumber, Doors, OpenConnection, OpenConnections};
pub use forwarded::{OverTls, PeerAddress};
pub use layers::Pages;
pub use options::{Access, Metrics, Options};
pub use routes::{REQUIREMENTS, dev::DOORS};

use std::{sync::Arc, time::Duration};

use axum::{Router, extract::FromRequestParts, http::request::Parts};
use baton_domain::access::Actor;
use baton_engine::{Caller, Engine, share::Share};
use tokio::sync::Semaphore;

use problem::Refusal;

/// What an answer needs of the time that a request may take.
const MARGIN: Duration = Duration::from_secs(3);

/// How many imports can come in for each that can write: most of the time they wait for their sender.
const IMPORTS_A_WRITER: usize = 16;

/// What every handler works with: the engine in the name of whoever asks, who the gate has said.
#[derive(Clone)]
pub(crate) struct Api {
    engine: Caller,
    shared: Arc<Shared>,
}

impl Api {
    /// How long an answer can wait for something to happen.
    fn longest_wait(&self) -> Duration {
        self.shared.options.timeout.saturating_sub(MARGIN)
    }
}

/// What all requests share.
#[derive(Clone)]
pub(crate) struct ApiState {
    engine: Engine,
    shared: Arc<Shared>,
}

impl FromRequestParts<ApiState> for Api {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Refusal> {
        let Some(actor) = parts.extensions.get::<Actor>() else {
            tracing::error!("a request came past the gate: nobody says in whose name it asks");
            return Err(problem::internal().into());
        };
        Ok(Self {
            engine: state.engine.caller(actor.clone()).for_one_request(),
            shared: Arc::clone(&state.shared),
        })
    }
}

pub(crate) struct Shared {
    options: Options,
    /// The right to work at a batch.
    batches: Arc<Semaphore>,
    /// Memory for batches that come in, in pieces.
    coming_in: Arc<Share<ClientAddress>>,
    /// The right of an import to write.
    writers: Arc<Semaphore>,
    /// The right of an import to come in.
    imports: Arc<Share<ClientAddress>>,
}

/// The HTTP API over an engine, and `pages` beside it; the same layers surround both.
///
/// The engine's signal, clock and pulse are the ones the server turns its routines with, so a stream
/// hears of events and a draining server refuses changes.
pub fn router(engine: Engine, options: Options, pages: Pages) -> Router {
    let api = ApiState::new(engine, options);
    let (mut router, description) = routes::all().split_for_parts();
    if api.shared.options.doors.is_some() {
        router = router.merge(routes::dev::routes());
    }
    let router = router
        .merge(docs::routes(|| openapi::complete(description)))
        .fallback(layers::nothing_here)
        .with_state(api.clone());
    layers::around(router, pages, &api)
}

/// What a process without the API answers, for whoever supervises and scrapes it: `/healthz`, `/readyz` and
/// `/metrics`, behind the same layers.
pub fn health_router(engine: Engine, options: Options) -> Router {
    let api = ApiState::new(engine, options);
    let (router, _) = routes::health().split_for_parts();
    let router = router
        .fallback(layers::nothing_but_health)
        .with_state(api.clone());
    layers::around(router, Pages::default(), &api)
}

impl ApiState {
    fn new(engine: Engine, options: Options) -> Self {
        let shared = Shared {
            batches: Arc::new(Semaphore::new(options.batches)),
            coming_in: Share::new(extract::pieces_of(2 * options.batches)),
            writers: Arc::new(Semaphore::new(options.imports)),
            imports: Share::new(IMPORTS_A_WRITER * options.imports),
            options,
        };
        Self {
            engine,
            shared: Arc::new(shared),
        }
    }
}

/// The description of the API, as `/openapi.json` serves it.
#[must_use]
pub fn description() -> utoipa::openapi::OpenApi {
    openapi::complete(routes::all().into_openapi())
}
