//! Audiences: whom they mean.

use axum::Json as Reply;
use baton_protocol::{
    Problem,
    audience::{AudiencePreview, PreviewAudience},
};

use crate::{
    Api,
    extract::Json,
    problem::{ApiResult, told},
};

/// Preview an audience
///
/// How many recipients it means at this moment, exactly, and some of them. Nothing is sent.
#[utoipa::path(
    post, path = "/v1/audiences/preview", tag = "recipients",
    request_body = PreviewAudience,
    responses((status = 200, description = "Whom it means.", body = AudiencePreview))
)]
pub async fn preview(
    api: Api,
    Json(preview): Json<PreviewAudience>,
) -> ApiResult<Reply<AudiencePreview>> {
    let (audience, samples) = preview.read().map_err(Problem::invalid)?;
    let preview = api.engine.preview_audience(&audience, samples).await;
    let preview = preview.map_err(told)?;
    Ok(Reply(AudiencePreview {
        count: preview.count.members,
        disabled: preview.count.disabled,
        samples: preview.samples.into_iter().map(Into::into).collect(),
    }))
}
