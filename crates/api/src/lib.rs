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
mod extract;
mod import;
mod layers;
mod openapi;
mod options;
mod pages;
mod problem;
mod routes;
mod share;
mod stream;

pub use client_address::ClientAddress;
pub use options::{Metrics, Options};

use std::sync::Arc;

use axum::{Router, extract::FromRef};
use baton_engine::Engine;
use tokio::sync::Semaphore;

use share::Share;

/// How many imports can come in for each that can write: most of the time they wait for their sender.
const IMPORTS_A_WRITER: usize = 16;

/// What every handler works with.
#[derive(Clone)]
pub(crate) struct Api {
    engine: Engine,
    shared: Arc<Shared>,
}

/// What each request has its own [`Api`] of, which remembers whether the request has done anything.
#[derive(Clone)]
pub(crate) struct ApiState(Api);

impl FromRef<ApiState> for Api {
    fn from_ref(ApiState(api): &ApiState) -> Self {
        Self {
            engine: api.engine.for_one_request(),
            shared: Arc::clone(&api.shared),
        }
    }
}

pub(crate) struct Shared {
    options: Options,
    /// The right to work at a batch.
    batches: Arc<Semaphore>,
    /// Memory for batches that come in, in pieces.
    coming_in: Arc<Share>,
    /// The right of an import to write.
    writers: Arc<Semaphore>,
    /// The right of an import to come in.
    imports: Arc<Share>,
}

/// The HTTP API over an engine, and `pages` beside it; the same layers surround both.
///
/// The engine's signal, clock and pulse are the ones the server turns its routines with, so a stream
/// hears of events and a draining server refuses changes.
pub fn router(engine: Engine, options: Options, pages: Router) -> Router {
    let api = Api::new(engine, options);
    let (router, description) = routes::all().split_for_parts();
    let router = router
        .merge(docs::routes(&openapi::complete(description)))
        .fallback(layers::nothing_here)
        .with_state(ApiState(api.clone()));
    layers::around(router, pages, &api)
}

/// What a process without the API answers, for whoever supervises and scrapes it: `/healthz`, `/readyz` and
/// `/metrics`, behind the same layers.
pub fn health_router(engine: Engine, options: Options) -> Router {
    let api = Api::new(engine, options);
    let (router, _) = routes::health().split_for_parts();
    let router = router
        .fallback(layers::nothing_but_health)
        .with_state(ApiState(api.clone()));
    layers::around(router, Router::new(), &api)
}

impl Api {
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
