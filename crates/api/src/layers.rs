//! What surrounds every call, from the outside in.

mod bound;
pub mod gate;
mod measure;
mod origin_check;
mod revoked;
mod tell;

pub use tell::{RequestId, nothing_but_health, nothing_here};

use std::{fmt, sync::Arc};

use axum::{
    Router,
    http::StatusCode,
    middleware,
    response::{IntoResponse, Response},
};
use baton_domain::access::Requirements;
use tower_http::catch_panic::CatchPanicLayer;

use crate::{ApiState, forwarded};

use gate::Gate;

/// Pages beside the API: they write their own errors, and lie behind the same gate.
#[derive(Clone)]
pub struct Pages {
    /// What serves them.
    pub router: Router,
    /// What each of them requires, by its path in `router`.
    pub requirements: Requirements,
    /// Leads somebody who has not signed in to where they can, and from there back to this path.
    pub ask: fn(&str) -> Response,
    /// Answers whoever may not see what they have asked for.
    pub denied: Router,
}

impl Default for Pages {
    /// No pages.
    fn default() -> Self {
        Self {
            router: Router::new(),
            requirements: &[],
            ask: |_| StatusCode::UNAUTHORIZED.into_response(),
            denied: Router::new().fallback(|| async { StatusCode::FORBIDDEN }),
        }
    }
}

impl fmt::Debug for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pages")
    }
}

/// Puts the layers around the API's routes, and around pages that write their own errors. The order matters: what an inner layer answers, and even a
/// panic, still passes the outermost, which writes problems and the request's id.
pub fn around(router: Router, pages: Pages, api: &ApiState) -> Router {
    let gate = Gate {
        api: api.clone(),
        pages: Arc::new(pages.clone()),
    };
    router
        .layer(middleware::map_response(tell::mark_bare_errors))
        .merge(pages.router)
        .layer(middleware::from_fn_with_state(gate, gate::gate))
        .layer(middleware::from_fn_with_state(api.clone(), bound::in_time))
        .layer(middleware::from_fn_with_state(
            api.clone(),
            bound::unless_draining,
        ))
        .layer(middleware::from_fn_with_state(
            api.clone(),
            origin_check::own_pages_only,
        ))
        .layer(middleware::from_fn_with_state(
            api.clone(),
            forwarded::trust_proxies,
        ))
        .layer(CatchPanicLayer::custom(tell::panicked))
        .layer(middleware::map_response(gate::say_how))
        .layer(middleware::from_fn(tell::tell))
        .layer(middleware::from_fn(measure::measure))
}
