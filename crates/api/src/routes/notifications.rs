//! Notifications: tell one or a few recipients something at once.

use axum::{
    Json as Reply,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use baton_protocol::notification::{Notification, Notify};

use crate::{Api, detached::detached, extract::Json, problem::ApiResult};

/// Notify recipients
///
/// Writes what lies in inboxes and the jobs that bring it in one transaction, and sends at once, from a
/// queue of its own (`notifications`) that bulk cannot delay. A recipient that is disabled, or has not
/// opted in to the topic, is skipped; one that there is not is refused. For many recipients there are
/// campaigns.
#[utoipa::path(
    post, path = "/v1/notifications", tag = "notifications",
    request_body = Notify,
    responses(
        (status = 201, description = "It is written.", body = Notification),
        (status = 200, description = "The key was known, with the same content: what became of the first request.", body = Notification),
        (status = 409, description = "`key-conflict`: the key is taken, with other content.",
            body = baton_protocol::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn create(api: Api, Json(notify): Json<Notify>) -> ApiResult<Response> {
    let notice = detached(async move { api.engine.notify(notify).await }).await?;
    let status = if notice.is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    let notification = Notification {
        id: notice.id,
        created: notice.is_new,
        items: notice.sent,
    };
    Ok((status, Reply(notification)).into_response())
}
