//! The doors of `serve --dev`, for tests of users: no part of the API, and nowhere else to be had
//! (docs/decisions/doors-for-tests.md).

use axum::{
    Extension, Json as Reply, Router,
    extract::FromRequestParts,
    http::request::Parts,
    routing::{get, post},
};
use baton_domain::access::{
    Permission as P,
    Requirement::{self, OneOf},
    Requirements,
};
use baton_protocol::dev::{
    AdvanceClock, ClockShows, ConnectionsCut, LeasesLost, Quiet, QuietQuery,
};

use crate::{
    Api, ApiState, ConnectionNumber, Doors,
    extract::{Json as Body, Query},
    layers::nothing_here,
    problem::{ApiResult, Refusal, told},
};

const READ: Requirement = OneOf(&[P::JobsRead]);
const OPERATE: Requirement = OneOf(&[P::Operate]);

/// What each door requires, where there are doors.
pub const DOORS: Requirements = &[
    ("POST", "/v1/dev/clock", OPERATE),
    ("POST", "/v1/dev/leases/lose", OPERATE),
    ("POST", "/v1/dev/cut", OPERATE),
    ("GET", "/v1/dev/quiet", READ),
];

/// The doors, without a description.
pub fn routes() -> Router<ApiState> {
    Router::new()
        .route("/v1/dev/clock", post(clock))
        .route("/v1/dev/leases/lose", post(lose_leases))
        .route("/v1/dev/cut", post(cut))
        .route("/v1/dev/quiet", get(quiet))
}

impl FromRequestParts<ApiState> for Doors {
    type Rejection = Refusal;

    async fn from_request_parts(_: &mut Parts, state: &ApiState) -> Result<Self, Refusal> {
        match &state.shared.options.doors {
            Some(doors) => Ok(doors.clone()),
            None => Err(nothing_here().await),
        }
    }
}

/// Puts the clock of this server ahead.
async fn clock(
    api: Api,
    doors: Doors,
    Body(asked): Body<AdvanceClock>,
) -> ApiResult<Reply<ClockShows>> {
    let advanced = api.engine.advance(&doors.clock, asked.advance).await;
    let now = advanced.map_err(told)?;
    Ok(Reply(ClockShows { now }))
}

/// Takes away every lease there is.
async fn lose_leases(api: Api) -> ApiResult<Reply<LeasesLost>> {
    let lost = api.engine.lose_leases().await.map_err(told)?;
    Ok(Reply(LeasesLost { lost }))
}

/// Closes every connection but the one that this came over.
async fn cut(doors: Doors, number: Option<Extension<ConnectionNumber>>) -> Reply<ConnectionsCut> {
    let own = number.map(|Extension(number)| number);
    let cut = doors.connections.cut_all_but(own);
    tracing::warn!("{cut} connections were cut, as a test has asked");
    Reply(ConnectionsCut { cut })
}

/// Waits until nothing is due and nothing runs.
async fn quiet(api: Api, Query(asked): Query<QuietQuery>) -> ApiResult<Reply<Quiet>> {
    let wait = asked.wait.unwrap_or_default().min(api.longest_wait());
    let stop = &api.shared.options.stop;
    let busy = api.engine.quiet(wait, stop).await.map_err(told)?;
    Ok(Reply(Quiet {
        quiet: busy.is_empty(),
        busy,
    }))
}
