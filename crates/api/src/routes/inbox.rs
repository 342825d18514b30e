//! Inboxes: look, read, follow.

use axum::{
    Json as Reply,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use baton_domain::page::PageRequest;
use baton_protocol::{
    List, PageQuery,
    inbox::{InboxItem, InboxToken, MakeInboxToken, Unread},
};

use crate::{
    Api,
    detached::detached,
    extract::{ItemPath, OptionalJson, Query, WordPath},
    pages,
    problem::{ApiResult, told},
    stream,
};

/// List an inbox
///
/// What the recipient was told, the newest first.
#[utoipa::path(
    get, path = "/v1/recipients/{id}/inbox", tag = "inbox",
    params(("id" = String, Path, description = "Your own id of the recipient."), PageQuery),
    responses((status = 200, description = "A page of the inbox.", body = List<InboxItem>))
)]
pub async fn list(
    api: Api,
    WordPath(id): WordPath,
    Query(page): Query<PageQuery>,
) -> ApiResult<Reply<List<InboxItem>>> {
    let page = PageRequest::try_from(page)?;
    let (engine, id) = (&api.engine, &id);
    pages::page(page, |page| async move { engine.inbox(id, &page).await }).await
}

/// Count unread items
///
/// Exact, and as quick for a full inbox as for an empty one.
#[utoipa::path(
    get, path = "/v1/recipients/{id}/inbox/unread", tag = "inbox",
    params(("id" = String, Path, description = "Your own id of the recipient.")),
    responses((status = 200, description = "How many are unread.", body = Unread))
)]
pub async fn unread(api: Api, WordPath(id): WordPath) -> ApiResult<Reply<Unread>> {
    let unread = api.engine.unread(&id).await.map_err(told)?;
    Ok(Reply(unread))
}

/// Read an item
///
/// Takes note that the recipient has read it. What is read already stays as it is.
#[utoipa::path(
    post, path = "/v1/recipients/{id}/inbox/{item}/read", tag = "inbox",
    params(
        ("id" = String, Path, description = "Your own id of the recipient."),
        ("item" = String, Path, description = "The item."),
    ),
    responses(
        (status = 200, description = "How many are unread now.", body = Unread),
        (status = 404, description = "`recipient-not-found` or `inbox-item-not-found`",
            body = baton_protocol::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn read(api: Api, ItemPath(id, item): ItemPath) -> ApiResult<Reply<Unread>> {
    let unread = detached(async move { api.engine.read_item(&id, item).await }).await?;
    Ok(Reply(unread))
}

/// Read everything
///
/// Takes note that the recipient has read everything that lies in its inbox now.
#[utoipa::path(
    post, path = "/v1/recipients/{id}/inbox/read-all", tag = "inbox",
    params(("id" = String, Path, description = "Your own id of the recipient.")),
    responses((status = 200, description = "How many are unread now: none.", body = Unread))
)]
pub async fn read_all(api: Api, WordPath(id): WordPath) -> ApiResult<Reply<Unread>> {
    let unread = detached(async move { api.engine.read_all(&id).await }).await?;
    Ok(Reply(unread))
}

/// Follow an inbox
///
/// A stream of server-sent events for one recipient: `inbox.added` with each item that comes, and
/// `inbox.unread` with the count whenever it has changed, first of all at once. `id` is the epoch of the
/// history, a dash, and the version of the inbox; after a break, `Last-Event-ID` (which browsers send by themselves) goes on without a gap.
/// When that cannot be done, the first thing said is the event `reset`: read the inbox, then follow what
/// comes. A comment every 15 seconds keeps the line open. The stream ends when the recipient is deleted.
#[utoipa::path(
    get, path = "/v1/recipients/{id}/inbox/stream", tag = "inbox",
    params(
        ("id" = String, Path, description = "Your own id of the recipient."),
        ("Last-Event-ID" = Option<String>, Header, description = "The last event that was seen."),
    ),
    responses((status = 200, description = "What comes, as it comes.", body = InboxItem, content_type = "text/event-stream"))
)]
pub async fn follow(api: Api, headers: HeaderMap, WordPath(id): WordPath) -> ApiResult<Response> {
    let permit = stream::permit(&api).await?;
    api.engine.unread_to_follow(&id).await.map_err(told)?;
    // The history before the version: a version of a former one would be taken for one of this.
    let epoch = api.engine.event_bounds().await.map_err(told)?.epoch;
    let unread = api.engine.unread(&id).await.map_err(told)?;
    let last_seen = stream::last_seen(&headers);
    let lines = stream::inbox::open(&api, id, last_seen.as_deref(), unread, epoch, permit);
    Ok(stream::response(lines))
}

/// Make an inbox token
///
/// A token that opens the inbox of this recipient and nothing else, for a while: what a backend hands to the app of its own user, who
/// reads, marks and follows the inbox with it as with a key (`Authorization: Bearer bit_...`). It is worth nothing any more when the key that made it is revoked.
#[utoipa::path(
    post, path = "/v1/recipients/{id}/inbox/token", tag = "inbox",
    params(("id" = String, Path, description = "Your own id of the recipient.")),
    request_body = Option<MakeInboxToken>,
    responses((status = 201, description = "The token.", body = InboxToken))
)]
pub async fn token(
    api: Api,
    WordPath(id): WordPath,
    OptionalJson(asked): OptionalJson<MakeInboxToken>,
) -> ApiResult<Response> {
    let lasts = asked.expires_in.unwrap_or(MakeInboxToken::LASTS);
    let token = api.engine.inbox_token(&id, lasts).await.map_err(told)?;
    let made = InboxToken {
        expires_at: token.expires_at,
        token: token.reveal(),
    };
    Ok((StatusCode::CREATED, Reply(made)).into_response())
}
