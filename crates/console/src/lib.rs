//! The admin pages: what an operator sees and presses.
//!
//! Pages are rendered here, work without a script, and stay current with one: [`live`] sends the
//! same fragments that the page was built from. To add a room: a line in [`ROOMS`], a file under
//! `pages/`, its templates, its routes in [`router`], and what it shows live in [`live`].

#![warn(missing_docs)]

mod actions;
mod assets;
mod browser_security;
mod errors;
mod live;
mod overview_cache;
mod pages;
mod receipt;
mod root;
mod shell;
mod view;

use std::sync::Arc;

use axum::{
    Router, middleware,
    routing::{get, post},
};
use baton_engine::Engine;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use overview_cache::OverviewCache;

/// One entry of the navigation.
#[derive(Debug)]
struct NavEntry {
    /// Its word, in addresses of the live feed.
    name: &'static str,
    /// What the navigation calls it.
    title: &'static str,
    /// Its address below the mount.
    path: &'static str,
    /// The key that goes there, after `g`.
    key: char,
}

const ROOMS: &[NavEntry] = &[
    room("overview", "Overview", "/", 'o'),
    room("jobs", "Jobs", "/jobs", 'j'),
    room("campaigns", "Campaigns", "/campaigns", 'c'),
    room("schedules", "Schedules", "/schedules", 's'),
    room("dead-letters", "Dead letters", "/dead-letters", 'd'),
];

const fn room(name: &'static str, title: &'static str, path: &'static str, key: char) -> NavEntry {
    NavEntry {
        name,
        title,
        path,
        key,
    }
}

/// What every page works with.
#[derive(Clone)]
struct Console {
    engine: Engine,
    overviews: Arc<OverviewCache>,
    /// The permits of all event streams of this process.
    streams: Arc<Semaphore>,
    shutdown: CancellationToken,
}

/// The admin pages, to be nested at `/admin`. Each live feed takes a permit of `streams`, and ends when
/// `shutdown` fires.
pub fn router(engine: Engine, streams: Arc<Semaphore>, shutdown: CancellationToken) -> Router {
    let console = Console {
        overviews: Arc::new(OverviewCache::new(engine.clone())),
        engine,
        streams,
        shutdown,
    };
    Router::new()
        .route("/", get(pages::overview::show))
        .route("/jobs", get(pages::jobs::show))
        .route("/jobs/{id}", get(pages::job::show))
        .route("/jobs/{id}/cancel", post(actions::cancel))
        .route(
            "/jobs/{id}/force-stop",
            get(pages::confirm::force_stop).post(actions::force_stop),
        )
        .route("/jobs/{id}/run-now", post(actions::run_now))
        .route("/jobs/{id}/retry", post(actions::retry))
        .route("/jobs/{id}/resolve", post(actions::resolve))
        .route("/queues/{name}/pause", post(actions::pause_queue))
        .route("/queues/{name}/resume", post(actions::resume_queue))
        .route("/campaigns", get(pages::campaigns::show))
        .route("/campaigns/{id}", get(pages::campaign::show))
        .route(
            "/campaigns/{id}/send-to-rest",
            get(pages::confirm::campaign::send_to_rest).post(actions::campaigns::send_to_rest),
        )
        .route(
            "/campaigns/{id}/{wish}",
            get(pages::confirm::campaign::command).post(actions::campaigns::command),
        )
        .route(
            "/campaigns/{id}/retry-failed/{fingerprint}",
            get(pages::confirm::campaign::retry_failed).post(actions::campaigns::retry_failed),
        )
        .route("/schedules", get(pages::schedules::show))
        .route("/schedules/{id}", get(pages::schedule::show))
        .route(
            "/schedules/{id}/{press}",
            get(pages::confirm::schedule::command).post(actions::schedules::command),
        )
        .route("/dead-letters", get(pages::dead_letters::show))
        .route(
            "/dead-letters/{fingerprint}/{action}",
            get(pages::confirm::operation).post(actions::start_operation),
        )
        .route("/live", get(live::stream))
        .route("/assets/{name}", get(assets::serve))
        .fallback(pages::lost)
        .layer(middleware::from_fn_with_state(
            console.clone(),
            browser_security::refuse_foreign_writes,
        ))
        .layer(middleware::map_response(browser_security::seal))
        .with_state(console)
}
