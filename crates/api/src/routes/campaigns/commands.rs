//! What a hand asks of a campaign: stop, resume, cancel, approve.

use axum::Json as Reply;
use baton_domain::CampaignId;
use baton_engine::CampaignCommand;
use baton_protocol::{
    Problem,
    campaign::{Campaign, CommandCampaign},
    job::Nothing,
};
use utoipa::IntoResponses;

use crate::{
    Api,
    detached::detached,
    extract::{CampaignPath, OptionalJson, check_text},
    problem::ApiResult,
};

/// What a campaign answers to a wish.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only its shape is read, for the contract")]
enum Obeyed {
    /// The campaign, as it is now.
    #[response(status = 200)]
    Now(Box<Campaign>),
    /// `illegal-transition`: it is done or canceled. `awaits-approval`: somebody else has to approve it before it can
    /// be resumed.
    #[response(status = 409, content_type = "application/problem+json")]
    Illegal(Problem),
}

/// Stop a campaign
///
/// From the answer on no chunk is written, and no call starts later than two seconds after it; the calls
/// under way (`in_flight`) come to their end. Nothing else is touched.
#[utoipa::path(
    post, path = "/v1/campaigns/{id}/stop", tag = "campaigns",
    params(("id" = String, Path, description = "The campaign's id.")),
    request_body = Option<CommandCampaign>,
    responses(Obeyed)
)]
pub async fn stop(
    api: Api,
    CampaignPath(id): CampaignPath,
    OptionalJson(command): OptionalJson<CommandCampaign>,
) -> ApiResult<Reply<Campaign>> {
    obey(api, id, CampaignCommand::Stop, command).await
}

/// Resume a campaign
///
/// Exactly where it was stopped: the walk goes on after its cursor, and what was not sent is sent.
#[utoipa::path(
    post, path = "/v1/campaigns/{id}/resume", tag = "campaigns",
    params(("id" = String, Path, description = "The campaign's id.")),
    request_body = Option<CommandCampaign>,
    responses(Obeyed)
)]
pub async fn resume(
    api: Api,
    CampaignPath(id): CampaignPath,
    OptionalJson(command): OptionalJson<CommandCampaign>,
) -> ApiResult<Reply<Campaign>> {
    obey(api, id, CampaignCommand::Resume, command).await
}

/// Cancel a campaign
///
/// For good: what was not sent is canceled.
#[utoipa::path(
    post, path = "/v1/campaigns/{id}/cancel", tag = "campaigns",
    params(("id" = String, Path, description = "The campaign's id.")),
    request_body = Option<CommandCampaign>,
    responses(Obeyed)
)]
pub async fn cancel(
    api: Api,
    CampaignPath(id): CampaignPath,
    OptionalJson(command): OptionalJson<CommandCampaign>,
) -> ApiResult<Reply<Campaign>> {
    obey(api, id, CampaignCommand::Cancel, command).await
}

/// Approve a campaign
///
/// For one that has more recipients than one person may send to: its `approval` says who asked for it, and somebody else
/// who may send campaigns approves it. That starts it. One that is approved stays as it is.
#[utoipa::path(
    post, path = "/v1/campaigns/{id}/approve", tag = "campaigns",
    params(("id" = String, Path, description = "The campaign's id.")),
    request_body = Option<Nothing>,
    responses(
        (status = 200, description = "The campaign, approved.", body = Campaign),
        (status = 403, description = "`second-person-needed`: whoever approves has asked for it.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "`illegal-transition`: nobody has to approve it, or it is canceled.", body = Problem,
            content_type = "application/problem+json"),
    )
)]
pub async fn approve(
    api: Api,
    CampaignPath(id): CampaignPath,
    OptionalJson(Nothing {}): OptionalJson<Nothing>,
) -> ApiResult<Reply<Campaign>> {
    let engine = api.engine.clone();
    let approved = detached(async move { engine.approve_campaign(id).await });
    Ok(Reply(Campaign::of(approved.await?, api.engine.now())))
}

async fn obey(
    api: Api,
    id: CampaignId,
    asked: CampaignCommand,
    command: CommandCampaign,
) -> ApiResult<Reply<Campaign>> {
    if let Some(reason) = &command.reason {
        check_text("reason", reason, 500)?;
    }
    let engine = api.engine.clone();
    let commanded = detached(async move {
        engine
            .command_campaign(id, asked, command.reason.as_deref())
            .await
    });
    Ok(Reply(Campaign::of(commanded.await?, api.engine.now())))
}
