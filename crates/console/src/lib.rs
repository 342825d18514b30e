//! The admin pages: what an operator sees and presses.
//!
//! Pages are rendered here, work without a script, and stay current with one: [`live`] sends the
//! same fragments that the page was built from. To add a room: a line in [`ROOMS`], a file under
//! `pages/`, its templates, its routes in [`router`], and what it shows live in [`live`].

#![warn(missing_docs)]

#[macro_use]
mod language;

mod about;
mod actions;
mod assets;
mod browser_security;
mod errors;
mod last_acts;
mod live;
mod names;
mod newest_entry;
mod overview_cache;
mod pages;
mod picture_cache;
mod reason;
mod receipt;
mod requirements;
mod root;
mod shell;
mod view;

pub use about::{About, Examiner, Finding, Mark, Origin, Setting, SettingValue};
pub use pages::sign_in::ask;
pub use requirements::REQUIREMENTS;

use std::{convert::Infallible, sync::Arc};

use axum::{
    Router,
    extract::FromRequestParts,
    http::request::Parts,
    middleware,
    routing::{get, post},
};
use baton_domain::access::{Actor, Permission};
use baton_engine::{Caller, Engine, Streams};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use language::{Language, foreign, quoted, t};
use newest_entry::NewestEntry;
use overview_cache::OverviewCache;
use picture_cache::PictureCache;
use reason::Reason;
use requirements::needed;

/// The language of the page that is being made.
fn language() -> Language {
    Language::current()
}

/// The one that its reader can choose instead.
fn other_language() -> Language {
    language().other()
}

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
    /// What whoever enters needs beside looking at jobs.
    needs: Option<Permission>,
}

const ROOMS: &[NavEntry] = &[
    room("overview", key!("Overview"), "/", 'o'),
    room("jobs", key!("Jobs"), "/jobs", 'j'),
    room("queues", key!("Queues"), "/queues", 'q'),
    room("campaigns", key!("Campaigns"), "/campaigns", 'c'),
    room("schedules", key!("Schedules"), "/schedules", 's'),
    NavEntry {
        needs: Some(Permission::RecipientsRead),
        ..room("recipients", key!("Recipients"), "/recipients", 'r')
    },
    room("dead-letters", key!("Dead letters"), "/dead-letters", 'd'),
    room("operations", key!("Operations"), "/operations", 'p'),
    room("events", key!("Events"), "/events", 'e'),
    room("fleet", key!("Fleet"), "/fleet", 'f'),
    NavEntry {
        needs: Some(Permission::AuditRead),
        ..room("activity", key!("Activity"), "/activity", 'a')
    },
    NavEntry {
        needs: Some(Permission::KeysAdmin),
        ..room("access", key!("Access"), "/access", 'k')
    },
    NavEntry {
        needs: Some(Permission::Operate),
        ..room("settings", key!("Settings"), "/settings", 't')
    },
];

const fn room(name: &'static str, title: &'static str, path: &'static str, key: char) -> NavEntry {
    NavEntry {
        name,
        title,
        path,
        key,
        needs: None,
    }
}

/// How many searches go through the store at once; others wait for their turn.
const SEARCHES: usize = 2;

/// What all pages share.
#[derive(Clone)]
struct ConsoleState {
    engine: Engine,
    overviews: Arc<OverviewCache>,
    pictures: Arc<PictureCache>,
    newest_entry: Arc<NewestEntry>,
    /// The event streams of this process.
    streams: Arc<Streams>,
    /// The permits of all searches of this process.
    searches: Arc<Semaphore>,
    shutdown: CancellationToken,
    about: Arc<About>,
}

impl ConsoleState {
    /// The engine in the name of whoever asks, who the gate has said; without its word in nobody's.
    fn caller(&self, parts: &Parts) -> Caller {
        let actor = parts.extensions.get::<Actor>().cloned();
        let reason = parts.extensions.get::<Reason>().cloned();
        self.engine
            .caller(actor.unwrap_or_else(Actor::nobody))
            .because(reason.map(|Reason(text)| text))
            .for_one_request()
    }

    fn for_one(&self, parts: &Parts) -> Console {
        Console {
            engine: self.caller(parts),
            overviews: Arc::clone(&self.overviews),
            pictures: Arc::clone(&self.pictures),
            newest_entry: Arc::clone(&self.newest_entry),
            streams: Arc::clone(&self.streams),
            searches: Arc::clone(&self.searches),
            shutdown: self.shutdown.clone(),
            about: Arc::clone(&self.about),
        }
    }
}

impl FromRequestParts<ConsoleState> for Console {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &ConsoleState,
    ) -> Result<Self, Infallible> {
        Ok(state.for_one(parts))
    }
}

/// What every page works with, in the name of whoever asks for it.
#[derive(Clone)]
struct Console {
    engine: Caller,
    overviews: Arc<OverviewCache>,
    pictures: Arc<PictureCache>,
    newest_entry: Arc<NewestEntry>,
    /// The event streams of this process.
    streams: Arc<Streams>,
    /// The permits of all searches of this process.
    searches: Arc<Semaphore>,
    shutdown: CancellationToken,
    about: Arc<About>,
}

/// What answers whoever may not see what they have asked for; with the addresses as the pages have them, unmounted.
pub fn denied(engine: Engine, streams: Arc<Streams>, shutdown: CancellationToken) -> Router {
    let console = ConsoleState {
        overviews: Arc::new(OverviewCache::new(&engine)),
        pictures: Arc::new(PictureCache::new(&engine)),
        newest_entry: Arc::new(NewestEntry::new(&engine)),
        engine,
        streams,
        searches: Arc::new(Semaphore::new(SEARCHES)),
        shutdown,
        about: Arc::default(),
    };
    Router::new()
        .fallback(pages::denied)
        .layer(middleware::from_fn(language::answer_in))
        .layer(middleware::map_response(browser_security::seal))
        .with_state(console)
}

/// The admin pages, to be nested at `/admin`. Each live feed takes a permit of `streams`, and ends when
/// `shutdown` fires. What the process says `about` itself stands in the room of settings.
pub fn router(
    engine: Engine,
    streams: Arc<Streams>,
    shutdown: CancellationToken,
    about: About,
) -> Router {
    let console = ConsoleState {
        overviews: Arc::new(OverviewCache::new(&engine)),
        pictures: Arc::new(PictureCache::new(&engine)),
        newest_entry: Arc::new(NewestEntry::new(&engine)),
        engine,
        streams,
        searches: Arc::new(Semaphore::new(SEARCHES)),
        shutdown,
        about: Arc::new(about),
    };
    Router::new()
        .route("/", get(pages::overview::show))
        .route("/search", get(pages::palette::show))
        .route("/jobs", get(pages::jobs::show))
        .route("/events", get(pages::events::show))
        .route("/fleet", get(pages::fleet::show))
        .route("/fleet/{worker}/drain", post(actions::fleet::drain))
        .route("/fleet/{worker}/undrain", post(actions::fleet::undrain))
        .route("/queues", get(pages::queues::show))
        .route("/queues/{name}", get(pages::queue::show))
        .route("/queues/{name}/limits", post(actions::queues::limits))
        .route("/queues/{name}/pause", post(actions::queues::pause))
        .route("/queues/{name}/resume", post(actions::queues::resume))
        .route("/campaigns", get(pages::campaigns::show))
        .route(
            "/campaigns/new",
            get(pages::compose::show).post(pages::compose::take),
        )
        .route("/campaigns/{id}", get(pages::campaign::show))
        .route(
            "/campaigns/{id}/send-to-rest",
            get(pages::confirm::campaign::send_to_rest).post(actions::campaigns::send_to_rest),
        )
        .route(
            "/campaigns/{id}/approve",
            get(pages::confirm::approval::ask).post(actions::campaigns::approve),
        )
        .route("/campaigns/{id}/rate", post(actions::campaigns::set_rate))
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
        .route("/dead-letters/{fingerprint}/probe", post(actions::probe))
        .route(
            "/dead-letters/{fingerprint}/probe/{job}",
            get(pages::probe::show),
        )
        .route(
            "/dead-letters/{fingerprint}/{action}",
            get(pages::confirm::operation).post(actions::start_operation),
        )
        .route("/recipients", get(pages::recipients::show))
        .route("/recipients/{id}", get(pages::recipient::show))
        .route(
            "/recipients/{id}/erase",
            get(pages::confirm::recipient::erase).post(actions::recipients::erase),
        )
        .route("/operations", get(pages::operations::show))
        .route("/operations/{id}", get(pages::operation::show))
        .route("/operations/{id}/stop", post(actions::operations::stop))
        .route("/activity", get(pages::activity::show))
        .route("/activity/recoveries", get(pages::recoveries::show))
        .route("/settings", get(pages::settings::show))
        .merge(access_routes())
        .merge(job_routes())
        .merge(sign_in_routes())
        .route("/live", get(live::stream))
        .route("/assets/{name}", get(assets::serve))
        .fallback(pages::lost)
        .layer(middleware::from_fn(reason::hear))
        .layer(middleware::from_fn_with_state(
            console.clone(),
            browser_security::refuse_foreign_writes,
        ))
        .layer(middleware::from_fn(language::answer_in))
        .layer(middleware::map_response(browser_security::seal))
        .with_state(console)
}

/// Who may do what.
fn access_routes() -> Router<ConsoleState> {
    Router::new()
        .route("/access", get(pages::access::show))
        .route("/access/keys", post(actions::access::create_key))
        .route(
            "/access/keys/{id}/revoke",
            post(actions::access::revoke_key),
        )
        .route(
            "/access/keys/{id}/rotate",
            post(actions::access::rotate_key),
        )
        .route("/access/users", post(actions::access::add_user))
        .route(
            "/access/users/{name}/role",
            post(actions::access::change_role),
        )
        .route(
            "/access/users/{name}/password",
            post(actions::access::reset_password),
        )
        .route(
            "/access/users/{name}/sign-out",
            post(actions::access::sign_out),
        )
        .route(
            "/access/users/{name}/{admission}",
            post(actions::access::change_admission),
        )
}

/// A job, and all jobs of a search.
fn job_routes() -> Router<ConsoleState> {
    Router::new()
        .route(
            "/jobs/matching/{action}",
            get(pages::confirm::matching::show).post(actions::operations::start_on_jobs),
        )
        .route(
            "/jobs/new",
            get(pages::enqueue::show).post(pages::enqueue::take),
        )
        .route("/jobs/{id}", get(pages::job::show))
        .route("/jobs/{id}/cancel", post(actions::cancel))
        .route(
            "/jobs/{id}/force-stop",
            get(pages::confirm::force_stop).post(actions::force_stop),
        )
        .route("/jobs/{id}/run-now", post(actions::run_now))
        .route("/jobs/{id}/retry", post(actions::retry))
        .route("/jobs/{id}/resolve", post(actions::resolve))
}

/// Where people sign in and out.
fn sign_in_routes() -> Router<ConsoleState> {
    Router::new()
        .route(
            "/sign-in",
            get(pages::sign_in::show).post(pages::sign_in::sign_in),
        )
        .route("/sign-in/provider", get(pages::sign_in::provider::leave))
        .route(
            "/sign-in/callback",
            get(pages::sign_in::provider::come_back),
        )
        .route("/sign-out", post(pages::sign_in::sign_out))
        .route("/account", get(pages::account::show))
        .route("/account/password", post(pages::account::change_password))
        .route(
            "/account/sign-out",
            post(pages::account::sign_out_everywhere),
        )
        .route("/language", post(language::choose))
        .route(
            "/set-up",
            get(pages::sign_in::show_set_up).post(pages::sign_in::set_up),
        )
}
