//! The rest of a campaign: how many it has not reached, and saying the same to them.

use axum::{Json as Reply, response::Response};
use baton_engine as engine;
use baton_protocol::{
    Problem,
    campaign::{Campaign, CampaignRest, SendToRest},
};

use super::shown;
use crate::{
    Api,
    detached::detached,
    extract::{CampaignPath, OptionalJson},
    problem::{ApiResult, told},
};

/// Show whom a campaign has not reached
///
/// How many recipients of its frozen audience have not got it, exactly, and why: they were never written
/// down, or their deliveries were canceled, have failed or were skipped. The campaign must be done or canceled.
#[utoipa::path(
    get, path = "/v1/campaigns/{id}/rest", tag = "campaigns",
    params(("id" = String, Path, description = "The campaign's id.")),
    responses(
        (status = 200, description = "How many there are.", body = CampaignRest),
        (status = 409, description = "`campaign-not-ended`: it can still reach everybody itself.", body = Problem,
            content_type = "application/problem+json"),
        (status = 410, description = "`deliveries-gone`: whom it has reached is not known any more.", body = Problem,
            content_type = "application/problem+json"),
    )
)]
pub async fn show(api: Api, CampaignPath(id): CampaignPath) -> ApiResult<Reply<CampaignRest>> {
    let rest = api.engine.rest_of_campaign(id).await.map_err(told)?;
    Ok(Reply(drawn(rest)))
}

const fn drawn(rest: engine::Rest) -> CampaignRest {
    CampaignRest {
        recipients: rest.total(),
        never_written: rest.never,
        canceled: rest.written.canceled,
        failed: rest.written.failed,
        skipped: rest.written.skipped,
        uncertain: rest.written.uncertain,
    }
}

/// Send a campaign to the rest
///
/// Creates a campaign that says the same, at once, to those recipients of the frozen audience who have not
/// got it. A campaign has one rest: asked for again, the answer is the campaign that is there. If that one
/// is canceled, too, it has a rest of its own.
#[utoipa::path(
    post, path = "/v1/campaigns/{id}/send-to-rest", tag = "campaigns",
    params(("id" = String, Path, description = "The campaign's id.")),
    request_body = Option<SendToRest>,
    responses(
        (status = 201, description = "The campaign for the rest is new.", body = Campaign,
            headers(("Location" = String, description = "Where the campaign is."))),
        (status = 200, description = "The same was asked for before.", body = Campaign),
        (status = 409, description = "`campaign-not-ended`, or `key-conflict` with a rest that was asked for otherwise.",
            body = Problem, content_type = "application/problem+json"),
        (status = 410, description = "`deliveries-gone`: whom it has reached is not known any more.", body = Problem,
            content_type = "application/problem+json"),
    )
)]
pub async fn send(
    api: Api,
    CampaignPath(id): CampaignPath,
    OptionalJson(wanted): OptionalJson<SendToRest>,
) -> ApiResult<Response> {
    let engine = api.engine.clone();
    let asked = detached(async move { engine.send_to_rest(id, wanted).await });
    shown(&api, asked.await?).await
}
