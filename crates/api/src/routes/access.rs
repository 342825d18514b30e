//! API keys and users: make, look at, change, take back.

use axum::{
    Json as Reply,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use baton_domain::page::PageRequest;
use baton_engine::KeySpec;
use baton_protocol::{
    List, PageQuery, Problem,
    access::{
        AddUser, ApiKey, ChangeUser, CreateKey, CreatedKey, RotateKey, RotatedKey, SignedOut, User,
    },
};

use crate::{
    Api,
    detached::detached,
    extract::{Json, KeyPath, Query, WordPath},
    pages,
    problem::{ApiResult, told},
};

/// List API keys
///
/// The newest first, those that were revoked or have expired among them. None of them tells its secret.
#[utoipa::path(
    get, path = "/v1/keys", tag = "access",
    params(PageQuery),
    responses((status = 200, description = "A page of keys.", body = List<ApiKey>))
)]
pub async fn keys(api: Api, Query(page): Query<PageQuery>) -> ApiResult<Reply<List<ApiKey>>> {
    let page = PageRequest::try_from(page)?;
    let engine = &api.engine;
    pages::page(page, |page| async move { engine.keys(&page).await }).await
}

/// Make an API key
///
/// The answer tells the key itself, this once; nobody can find it out again.
#[utoipa::path(
    post, path = "/v1/keys", tag = "access",
    request_body = CreateKey,
    responses((status = 201, description = "The key was made.", body = CreatedKey))
)]
pub async fn create_key(api: Api, Json(asked): Json<CreateKey>) -> ApiResult<Response> {
    let now = api.engine.now();
    let spec = KeySpec {
        name: asked.name,
        permissions: asked.permissions,
        kinds: asked.kinds,
        queues: asked.queues,
        expires_at: asked.expires_in.map(|span| now + span),
    };
    let (key, token) = detached(async move { api.engine.create_key(spec).await }).await?;
    let made = CreatedKey {
        key: key.into(),
        token: token.reveal(),
    };
    Ok((StatusCode::CREATED, Reply(made)).into_response())
}

/// Rotate an API key
///
/// Makes a key with a new secret and the name, the permissions and the bounds of this one, good for as long as this one was made for. This one ends after
/// the overlap, if it does not end before. The answer tells the new key itself, this once.
#[utoipa::path(
    post, path = "/v1/keys/{id}/rotate", tag = "access",
    params(("id" = String, Path, description = "The key's id.")),
    request_body = RotateKey,
    responses((status = 201, description = "The new key was made.", body = RotatedKey))
)]
pub async fn rotate_key(
    api: Api,
    KeyPath(id): KeyPath,
    Json(asked): Json<RotateKey>,
) -> ApiResult<Response> {
    let rotated = detached(async move { api.engine.rotate_key(id, asked.overlap).await }).await?;
    let created = CreatedKey {
        key: rotated.key.into(),
        token: rotated.token.reveal(),
    };
    let made = RotatedKey {
        created,
        replaces: rotated.old.into(),
    };
    Ok((StatusCode::CREATED, Reply(made)).into_response())
}

/// Revoke an API key
///
/// Within five seconds it is worth nothing on any node, and the streams it has opened end. Revoked before, it stays so.
#[utoipa::path(
    post, path = "/v1/keys/{id}/revoke", tag = "access",
    params(("id" = String, Path, description = "The key's id.")),
    responses((status = 200, description = "The key, revoked.", body = ApiKey))
)]
pub async fn revoke_key(api: Api, KeyPath(id): KeyPath) -> ApiResult<Reply<ApiKey>> {
    let key = detached(async move { api.engine.revoke_key(id).await }).await?;
    Ok(Reply(key.into()))
}

/// List users
///
/// By name.
#[utoipa::path(
    get, path = "/v1/users", tag = "access",
    params(PageQuery),
    responses((status = 200, description = "A page of users.", body = List<User>))
)]
pub async fn users(api: Api, Query(page): Query<PageQuery>) -> ApiResult<Reply<List<User>>> {
    let page = PageRequest::try_from(page)?;
    let engine = &api.engine;
    pages::page(page, |page| async move { engine.users(&page).await }).await
}

/// Add a user
///
/// Somebody who can sign in to the console.
#[utoipa::path(
    post, path = "/v1/users", tag = "access",
    request_body = AddUser,
    responses((status = 201, description = "The user was added.", body = User))
)]
pub async fn add_user(api: Api, Json(new): Json<AddUser>) -> ApiResult<Response> {
    let user = detached(async move { api.engine.add_user(new).await }).await?;
    Ok((StatusCode::CREATED, Reply(User::from(user))).into_response())
}

/// Change a user
///
/// The role, the password, or whether they are kept out; what is not given stays. All their sessions end with it.
#[utoipa::path(
    patch, path = "/v1/users/{name}", tag = "access",
    params(("name" = String, Path, description = "The user's name.")),
    request_body = ChangeUser,
    responses(
        (status = 200, description = "The user, changed.", body = User),
        (status = 409, description = "`last-admin`: nobody would be left who may say who may do what.", body = Problem,
            content_type = "application/problem+json"),
    )
)]
pub async fn change_user(
    api: Api,
    WordPath(name): WordPath,
    Json(patch): Json<ChangeUser>,
) -> ApiResult<Reply<User>> {
    let user = detached(async move {
        let user = api.engine.user_named(&name).await?;
        api.engine.change_user(user.id, patch).await
    });
    Ok(Reply(user.await?.into()))
}

/// Sign a user out
///
/// Ends every session of theirs; they can sign in again.
#[utoipa::path(
    post, path = "/v1/users/{name}/sign-out", tag = "access",
    params(("name" = String, Path, description = "The user's name.")),
    responses((status = 200, description = "How many sessions have ended.", body = SignedOut))
)]
pub async fn sign_out(api: Api, WordPath(name): WordPath) -> ApiResult<Reply<SignedOut>> {
    let user = api.engine.user_named(&name).await.map_err(told)?;
    let sessions = detached(async move { api.engine.sign_out_everywhere(user.id).await }).await?;
    Ok(Reply(SignedOut { sessions }))
}
