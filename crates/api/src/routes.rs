//! The routes, on one page.

mod access;
mod audiences;
mod audit;
mod campaigns;
mod dead_letters;
pub mod dev;
mod events;
mod health;
mod history;
mod inbox;
mod jobs;
mod metrics;
mod nodes;
mod notifications;
mod operations;
mod placed;
mod queues;
mod recipients;
mod remote;
mod requirements;
mod schedules;
mod workers;

use utoipa::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{ApiState, openapi::Description};

pub use recipients::IMPORT;
pub use requirements::REQUIREMENTS;

/// What a supervisor and a scraper ask of every process, whatever its roles.
pub fn health() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(metrics::show))
}

/// Every call of the API, with its description.
pub fn all() -> OpenApiRouter<ApiState> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(jobs::create, jobs::list))
        .routes(routes!(jobs::create_batch))
        .routes(routes!(jobs::show))
        .routes(routes!(history::attempts))
        .routes(routes!(history::attempts_of))
        .routes(routes!(history::events))
        .routes(routes!(history::explain))
        .routes(routes!(jobs::cancel))
        .routes(routes!(jobs::retry))
        .routes(routes!(jobs::run_now))
        .routes(routes!(jobs::resolve))
        .routes(routes!(operations::cancel_jobs))
        .routes(routes!(operations::retry_jobs))
        .routes(routes!(dead_letters::list))
        .routes(routes!(dead_letters::retry))
        .routes(routes!(dead_letters::discard))
        .routes(routes!(operations::list))
        .routes(routes!(operations::show))
        .routes(routes!(operations::stop))
        .routes(routes!(queues::list))
        .routes(routes!(queues::change))
        .routes(routes!(recipients::list))
        .routes(routes!(recipients::import))
        .routes(routes!(
            recipients::put,
            recipients::show,
            recipients::delete
        ))
        .routes(routes!(inbox::list))
        .routes(routes!(inbox::unread))
        .routes(routes!(inbox::read))
        .routes(routes!(inbox::read_all))
        .routes(routes!(inbox::follow))
        .routes(routes!(inbox::token))
        .routes(routes!(notifications::create))
        .routes(routes!(audiences::preview))
        .routes(routes!(campaigns::create, campaigns::list))
        .routes(routes!(campaigns::preview))
        .routes(routes!(campaigns::show, campaigns::change))
        .routes(routes!(campaigns::progress))
        .routes(routes!(campaigns::deliveries))
        .routes(routes!(campaigns::failures))
        .routes(routes!(campaigns::commands::stop))
        .routes(routes!(campaigns::commands::resume))
        .routes(routes!(campaigns::commands::cancel))
        .routes(routes!(campaigns::commands::approve))
        .routes(routes!(campaigns::retry_failed))
        .routes(routes!(campaigns::unreached::show))
        .routes(routes!(campaigns::unreached::send))
        .routes(routes!(schedules::create, schedules::list))
        .routes(routes!(
            schedules::show,
            schedules::change,
            schedules::delete
        ))
        .routes(routes!(schedules::pause))
        .routes(routes!(schedules::resume))
        .routes(routes!(schedules::fire))
        .routes(routes!(schedules::next))
        .routes(routes!(schedules::fires))
        .routes(routes!(events::list))
        .routes(routes!(events::stream))
        .routes(routes!(nodes::list))
        .routes(routes!(workers::list))
        .routes(routes!(workers::kinds))
        .routes(routes!(remote::register, remote::leave, workers::change))
        .routes(routes!(remote::claim))
        .routes(routes!(remote::beat))
        .routes(routes!(remote::results))
        .routes(routes!(remote::checkpoints))
        .routes(routes!(remote::release))
        .routes(routes!(access::keys, access::create_key))
        .routes(routes!(access::rotate_key))
        .routes(routes!(access::revoke_key))
        .routes(routes!(access::users, access::add_user))
        .routes(routes!(access::change_user))
        .routes(routes!(access::sign_out))
        .routes(routes!(audit::list))
        .routes(routes!(audit::export))
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(metrics::show))
}
