//! Recipients: write down, look, forget, take in many.

use std::time::Duration;

use axum::{
    Json as Reply,
    extract::Request,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use baton_domain::{page::PageRequest, recipient::Profile};
use baton_engine::share::Exhausted;
use baton_ports::store::UpsertOutcome;
use baton_protocol::{
    FieldError, List, PageQuery, Problem, ProblemKind,
    operation::Operation,
    recipient::{DeleteRecipient, Import, ImportQuery, PutRecipient, Recipient, RecipientRow},
};

use crate::{
    Api, ClientAddress,
    detached::detached,
    extract::{Json, Query, WordPath, check_encoding, media_type},
    import::{self, Format, Importer, Pieces},
    pages,
    problem::{ApiResult, told},
    routes::placed::{accepted, created},
};

/// Where imports go.
pub const IMPORT: &str = "/v1/recipients/import";

/// Put a recipient
///
/// Writes a recipient down as it is described now, and makes it if there is none. It is described as a
/// whole: what is not given is empty from now on. The same again changes nothing.
#[utoipa::path(
    put, path = "/v1/recipients/{id}", tag = "recipients",
    params(("id" = String, Path, description = "Your own id: 1 to 200 characters.")),
    request_body = PutRecipient,
    responses(
        (status = 201, description = "The recipient is new.", body = Recipient,
            headers(("Location" = String, description = "Where the recipient is."))),
        (status = 200, description = "The recipient was known.", body = Recipient),
    )
)]
pub async fn put(
    api: Api,
    WordPath(id): WordPath,
    Json(put): Json<PutRecipient>,
) -> ApiResult<Response> {
    let profile = Profile::from_spec(id, put).map_err(invalid)?;
    let put = detached(async move { api.engine.put_recipient(profile).await });
    let (recipient, outcome) = put.await?;
    let recipient = Recipient::from(recipient);
    let location = format!("/v1/recipients/{}", escaped(&recipient.id));
    Ok(match outcome {
        UpsertOutcome::Added => created(location, recipient),
        _ => Reply(recipient).into_response(),
    })
}

fn invalid(errors: Vec<baton_domain::job::FieldError>) -> Problem {
    Problem::invalid(errors.into_iter().map(FieldError::from).collect())
}

/// An id is any text, a path is not.
fn escaped(id: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~@".contains(&byte);
    id.bytes()
        .map(|byte| match plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

/// Show a recipient
#[utoipa::path(
    get, path = "/v1/recipients/{id}", tag = "recipients",
    params(("id" = String, Path, description = "Your own id.")),
    responses((status = 200, description = "The recipient.", body = Recipient))
)]
pub async fn show(api: Api, WordPath(id): WordPath) -> ApiResult<Reply<Recipient>> {
    let recipient = api.engine.recipient(&id).await.map_err(told)?;
    Ok(Reply(recipient.into()))
}

/// Delete a recipient
///
/// Forgets the recipient and its inbox. Put again, it is somebody new. With `erase=true` an operation goes through
/// everything else that names or quotes it as well: deliveries and their results, notifications, events,
/// audiences, schedules. Who was deleted before can be erased, too; who is being erased already is shown the
/// operation that does it. Until it has ended, nothing new can be made for the recipient.
#[utoipa::path(
    delete, path = "/v1/recipients/{id}", tag = "recipients",
    params(("id" = String, Path, description = "Your own id."), DeleteRecipient),
    responses(
        (status = 204, description = "The recipient is forgotten."),
        (status = 202, description = "The recipient is forgotten, and the operation has begun.", body = Operation,
            headers(("Location" = String, description = "Where the operation is."))),
    )
)]
pub async fn delete(
    api: Api,
    WordPath(id): WordPath,
    Query(query): Query<DeleteRecipient>,
) -> ApiResult<Response> {
    if query.erase {
        let operation = detached(async move { api.engine.erase_recipient(&id).await }).await?;
        return Ok(accepted(operation));
    }
    detached(async move { api.engine.delete_recipient(&id).await }).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// List recipients
///
/// The newest first.
#[utoipa::path(
    get, path = "/v1/recipients", tag = "recipients",
    params(PageQuery),
    responses((status = 200, description = "A page of recipients.", body = List<Recipient>))
)]
pub async fn list(api: Api, Query(page): Query<PageQuery>) -> ApiResult<Reply<List<Recipient>>> {
    let page = PageRequest::try_from(page)?;
    let engine = &api.engine;
    pages::page(page, |page| async move { engine.recipients(&page).await }).await
}

/// Import recipients
///
/// A stream of rows, as long as you like: NDJSON, each line the body of a PUT with the `id`; or CSV with
/// a header, whose columns are `id`, `platform`, `lat`, `lon`, `topics` (with `|` between them),
/// `enabled`, `time_zone` and `address.<channel>`. Each row is a PUT: it describes a recipient as a
/// whole, and the same file again changes nothing. A row that is not accepted is told with its line, and
/// the others count all the same. What makes the rest unreadable, such as a quote that is not closed,
/// stops the import: `complete` is false, `stopped` says where, and what came before counts.
#[utoipa::path(
    post, path = IMPORT, tag = "recipients",
    params(ImportQuery),
    request_body(content((RecipientRow = "application/x-ndjson"), (String = "text/csv"))),
    responses((status = 200, description = "What became of the rows.", body = Import))
)]
pub async fn import(
    api: Api,
    client: ClientAddress,
    Query(query): Query<ImportQuery>,
    request: Request,
) -> ApiResult<Reply<Import>> {
    let format = Format::of_media(media_type(request.headers())).ok_or_else(not_rows)?;
    check_encoding(request.headers())?;
    let imports = &api.shared.imports;
    let _held = imports
        .take(client, 1, Duration::ZERO)
        .await
        .map_err(too_many_imports)?;
    let pieces = Pieces::of(request.into_body(), api.shared.options.timeout);
    let importer = Importer::new(api.engine, api.shared.writers.clone(), query.dry_run);
    Ok(Reply(import::take_in(importer, pieces, format).await?))
}

fn too_many_imports(exhausted: Exhausted) -> Problem {
    ProblemKind::Overloaded.because(match exhausted {
        Exhausted::Client => {
            "As many imports from this address are under way as it may have; try again when one has ended."
        }
        Exhausted::All => {
            "As many imports are under way as the server bears; try again in a while."
        }
    })
}

fn not_rows() -> Problem {
    ProblemKind::UnsupportedMediaType.because(
        "Send NDJSON or CSV and say so: `Content-Type: application/x-ndjson` or `text/csv`.",
    )
}
