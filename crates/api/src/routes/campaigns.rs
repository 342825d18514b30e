//! Campaigns: create, look, change. What a hand asks of one is in [`commands`].

pub mod commands;
pub mod unreached;

use axum::{
    Json as Reply,
    response::{IntoResponse, Response},
};
use baton_domain::{CampaignId, page::PageRequest};
use baton_engine::{self as engine, Created};
use baton_ports::store::JobFilter;
use baton_protocol::{
    CursorQuery, List, PageQuery,
    campaign::{
        Campaign, CampaignPreview, CampaignProgress, CampaignSample, ChangeCampaign,
        CreateCampaign, DeliveriesQuery, RetryFailed,
    },
    dead_letter::DeadLetters,
    job::Job,
    operation::Operation,
};

use super::placed::{accepted, created};
use crate::{
    Api,
    detached::detached,
    extract::{CampaignPath, Json, OptionalJson, Query, check_texts},
    pages,
    problem::{ApiResult, told},
};

/// Create a campaign
///
/// A message to an audience. Its deliveries are written chunk by chunk, each exactly once, and sent from
/// a line of its own. Who joins while it runs waits for the next one.
#[utoipa::path(
    post, path = "/v1/campaigns", tag = "campaigns",
    request_body = CreateCampaign,
    responses(
        (status = 201, description = "The campaign is new.", body = Campaign,
            headers(("Location" = String, description = "Where the campaign is."))),
        (status = 200, description = "The key was known, with the same content.", body = Campaign),
        (status = 409, description = "`key-conflict`", body = baton_protocol::Problem,
            content_type = "application/problem+json"),
    )
)]
pub async fn create(api: Api, Json(create): Json<CreateCampaign>) -> ApiResult<Response> {
    check_texts(&[("key", &create.key), ("lane", &create.lane)])?;
    let engine = api.engine.clone();
    let asked = detached(async move { engine.create_campaign(create.into()).await });
    shown(&api, asked.await?).await
}

/// Shows a campaign that was asked for.
async fn shown(api: &Api, asked: Created) -> ApiResult<Response> {
    let campaign = found(api, asked.id()).await?;
    Ok(match asked {
        Created::New(id) => created(format!("/v1/campaigns/{id}"), campaign),
        Created::Known(_) => Reply(campaign).into_response(),
    })
}

async fn found(api: &Api, id: CampaignId) -> ApiResult<Campaign> {
    let campaign = api.engine.campaign(id).await.map_err(told)?;
    Ok(Campaign::of(campaign, api.engine.now()))
}

/// Preview a campaign
///
/// What it would do if it were created now: how many it would reach, what some of them would read, and
/// what is missing. Nothing is written.
#[utoipa::path(
    post, path = "/v1/campaigns/preview", tag = "campaigns",
    request_body = CreateCampaign,
    responses((status = 200, description = "What it would do.", body = CampaignPreview))
)]
pub async fn preview(
    api: Api,
    Json(create): Json<CreateCampaign>,
) -> ApiResult<Reply<CampaignPreview>> {
    let preview = api.engine.preview_campaign(create.into()).await;
    Ok(Reply(drawn(preview.map_err(told)?)))
}

fn drawn(preview: engine::CampaignPreview) -> CampaignPreview {
    let sample = |sample: engine::Sample| CampaignSample {
        recipient: sample.recipient.into(),
        translation: sample.translation,
        title: sample.message.title,
        body: sample.message.body,
    };
    let skipped = preview.skipped.into_iter();
    CampaignPreview {
        members: preview.members,
        looked_at: preview.looked_at,
        translations: preview.translations,
        skipped: skipped
            .map(|(why, count)| (why.to_owned(), count))
            .collect(),
        samples: preview.samples.into_iter().map(sample).collect(),
        missing: preview.missing,
    }
}

/// List campaigns
///
/// The newest first.
#[utoipa::path(
    get, path = "/v1/campaigns", tag = "campaigns",
    params(PageQuery),
    responses((status = 200, description = "A page of campaigns.", body = List<Campaign>))
)]
pub async fn list(api: Api, Query(page): Query<PageQuery>) -> ApiResult<Reply<List<Campaign>>> {
    let page = PageRequest::try_from(page)?;
    let now = api.engine.now();
    let engine = &api.engine;
    pages::page(page, |page| async move {
        let campaigns = engine.campaigns(&page).await?;
        Ok(campaigns.map(|campaign| Campaign::of(campaign, now)))
    })
    .await
}

/// Show a campaign
#[utoipa::path(
    get, path = "/v1/campaigns/{id}", tag = "campaigns",
    params(("id" = String, Path, description = "The campaign's id.")),
    responses((status = 200, description = "The campaign.", body = Campaign))
)]
pub async fn show(api: Api, CampaignPath(id): CampaignPath) -> ApiResult<Reply<Campaign>> {
    Ok(Reply(found(&api, id).await?))
}

/// Show how far a campaign is
#[utoipa::path(
    get, path = "/v1/campaigns/{id}/progress", tag = "campaigns",
    params(("id" = String, Path, description = "The campaign's id.")),
    responses((status = 200, description = "How far it has come.", body = CampaignProgress))
)]
pub async fn progress(
    api: Api,
    CampaignPath(id): CampaignPath,
) -> ApiResult<Reply<CampaignProgress>> {
    let campaign = api.engine.campaign(id).await.map_err(told)?;
    Ok(Reply(CampaignProgress::of(&campaign, api.engine.now())))
}

/// List the deliveries of a campaign
///
/// The last recipient first.
#[utoipa::path(
    get, path = "/v1/campaigns/{id}/deliveries", tag = "campaigns",
    params(("id" = String, Path, description = "The campaign's id."), DeliveriesQuery),
    responses((status = 200, description = "A page of deliveries: jobs.", body = List<Job>))
)]
pub async fn deliveries(
    api: Api,
    CampaignPath(id): CampaignPath,
    Query(query): Query<DeliveriesQuery>,
) -> ApiResult<Reply<List<Job>>> {
    api.engine.campaign(id).await.map_err(told)?;
    let page = PageRequest::try_from(PageQuery {
        limit: query.limit,
        after: query.after,
    })?;
    let filter = JobFilter {
        campaign: Some(id),
        state: query.state,
        ..JobFilter::default()
    };
    let (engine, filter) = (&api.engine, &filter);
    pages::page(page, |page| async move { engine.jobs(filter, &page).await }).await
}

/// List why deliveries of a campaign failed
///
/// Its dead letters in groups of one cause, the largest first.
#[utoipa::path(
    get, path = "/v1/campaigns/{id}/failures", tag = "campaigns",
    params(("id" = String, Path, description = "The campaign's id."), CursorQuery),
    responses((status = 200, description = "Every cause.", body = List<DeadLetters>))
)]
pub async fn failures(
    api: Api,
    CampaignPath(id): CampaignPath,
    Query(cursor): Query<CursorQuery>,
) -> ApiResult<Reply<List<DeadLetters>>> {
    let groups = api.engine.campaign_failures(id).await.map_err(told)?;
    let groups = groups.into_iter().map(DeadLetters::from);
    pages::slice(groups, cursor.after.as_deref(), |group| {
        group.fingerprint.clone()
    })
}

/// Change a campaign while it runs
///
/// The new rate acts on the next call.
#[utoipa::path(
    patch, path = "/v1/campaigns/{id}", tag = "campaigns",
    params(("id" = String, Path, description = "The campaign's id.")),
    request_body = ChangeCampaign,
    responses((status = 200, description = "The campaign, changed.", body = Campaign))
)]
pub async fn change(
    api: Api,
    CampaignPath(id): CampaignPath,
    Json(change): Json<ChangeCampaign>,
) -> ApiResult<Reply<Campaign>> {
    let engine = api.engine.clone();
    let changed =
        detached(async move { engine.change_campaign_rate(id, change.rate).await }).await?;
    Ok(Reply(Campaign::of(changed, api.engine.now())))
}

/// Run failed deliveries again
///
/// Begins an operation on those that failed until now, all or those of one cause. Its progress is at the
/// address in `Location`.
#[utoipa::path(
    post, path = "/v1/campaigns/{id}/retry-failed", tag = "campaigns",
    params(("id" = String, Path, description = "The campaign's id.")),
    request_body = Option<RetryFailed>,
    responses((status = 202, description = "The operation has begun.", body = Operation,
        headers(("Location" = String, description = "Where the operation is."))))
)]
pub async fn retry_failed(
    api: Api,
    CampaignPath(id): CampaignPath,
    OptionalJson(retry): OptionalJson<RetryFailed>,
) -> ApiResult<Response> {
    check_texts(&[("fingerprint", &retry.fingerprint)])?;
    let begun = async move { api.engine.retry_failed(id, retry.fingerprint).await };
    Ok(accepted(detached(begun).await?))
}
