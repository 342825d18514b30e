//! What surrounds every call, from the outside in.

mod bound;
mod origin_check;
mod tell;

pub use tell::{RequestId, nothing_but_health, nothing_here};

use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;

use crate::Api;

/// Puts the layers around the API's routes, and around pages that write their own errors. The order matters: what an inner layer answers, and even a
/// panic, still passes the outermost, which writes problems and the request's id.
pub fn around(router: Router, pages: Router, api: &Api) -> Router {
    router
        .layer(middleware::map_response(tell::mark_bare_errors))
        .merge(pages)
        .layer(middleware::from_fn_with_state(api.clone(), bound::in_time))
        .layer(middleware::from_fn_with_state(
            api.clone(),
            bound::unless_draining,
        ))
        .layer(middleware::from_fn_with_state(
            api.clone(),
            origin_check::own_pages_only,
        ))
        .layer(CatchPanicLayer::custom(tell::panicked))
        .layer(middleware::from_fn(tell::tell))
}
