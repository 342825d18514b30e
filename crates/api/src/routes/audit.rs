//! The audit log: search it, and take it away.

use axum::{
    Json as Reply,
    body::{Body, Bytes},
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use baton_domain::{audit::AuditFilter, page::PageRequest};
use baton_engine::{Caller, Error};
use baton_protocol::{
    List,
    audit::{AuditEntry, AuditQuery},
};
use futures::{Stream, stream};

use crate::{
    Api,
    extract::Query,
    pages,
    problem::{ApiResult, told},
};

/// Search the audit log
///
/// Who did what to what, the newest first: changes by people and programs, sign-ins, refusals, and people looking at people.
#[utoipa::path(
    get, path = "/v1/audit", tag = "audit",
    params(AuditQuery),
    responses((status = 200, description = "A page of entries.", body = List<AuditEntry>))
)]
pub async fn list(api: Api, Query(query): Query<AuditQuery>) -> ApiResult<Reply<List<AuditEntry>>> {
    let (filter, page) = query.read()?;
    let (engine, filter) = (&api.engine, &filter);
    pages::page(page, |page| async move {
        engine.audit_entries(filter, &page).await
    })
    .await
}

/// Export the audit log
///
/// Every entry that matches, the newest first, as one JSON object a line. The export stands in the log itself. A line that is cut off
/// says that the export was.
#[utoipa::path(
    get, path = "/v1/audit/export", tag = "audit",
    params(AuditQuery),
    responses((status = 200, description = "Entries, one a line.", body = String, content_type = "application/x-ndjson"))
)]
pub async fn export(api: Api, Query(query): Query<AuditQuery>) -> ApiResult<Response> {
    let (filter, page) = query.read()?;
    api.engine.note_audit_export(&filter).await.map_err(told)?;
    let first = PageRequest {
        limit: PageRequest::MAX_LIMIT,
        after: page.after,
    };
    let body = Body::from_stream(lines(api.engine, filter, first));
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

/// The pages of a search, each as lines. An error breaks the answer off, which whoever reads it sees.
fn lines(
    engine: Caller,
    filter: AuditFilter,
    first: PageRequest,
) -> impl Stream<Item = Result<Bytes, Error>> {
    stream::try_unfold(Some(first), move |page| {
        let (engine, filter) = (engine.clone(), filter.clone());
        async move {
            let Some(page) = page else { return Ok(None) };
            let found = engine.audit_entries(&filter, &page).await?;
            let mut text = Vec::new();
            for entry in found.items {
                // Into memory, of what can be written.
                let _ = serde_json::to_writer(&mut text, &AuditEntry::from(entry));
                text.push(b'\n');
            }
            let next = found.next.map(|after| PageRequest {
                limit: PageRequest::MAX_LIMIT,
                after: Some(after),
            });
            Ok(Some((Bytes::from(text), next)))
        }
    })
}
