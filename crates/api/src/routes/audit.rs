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
use futures::{StreamExt, stream};

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
/// Every entry that matches, the newest first, as one JSON object a line; with a `limit` so many at most. The export stands in the log
/// itself. An answer that breaks off is not whole.
#[utoipa::path(
    get, path = "/v1/audit/export", tag = "audit",
    params(AuditQuery),
    responses((status = 200, description = "Entries, one a line.", body = String, content_type = "application/x-ndjson"))
)]
pub async fn export(api: Api, Query(query): Query<AuditQuery>) -> ApiResult<Response> {
    let wanted = query.limit.unwrap_or(u32::MAX);
    let (filter, page) = query.read()?;
    api.engine.note_audit_export(&filter).await.map_err(told)?;
    let export = Export {
        engine: api.engine,
        filter,
        left: wanted,
        next: page.after,
        is_over: false,
    };
    // Whatever is wrong with the request is told before the answer begins.
    let (first, export) = export.page().await.map_err(told)?;
    let rest = stream::try_unfold(export, |export| async move {
        if export.is_over {
            return Ok::<_, Error>(None);
        }
        export.page().await.map(Some)
    });
    let body = Body::from_stream(stream::once(async { Ok(first) }).chain(rest));
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

/// What is still to be exported.
struct Export {
    engine: Caller,
    filter: AuditFilter,
    left: u32,
    next: Option<String>,
    is_over: bool,
}

impl Export {
    /// The next page as lines.
    async fn page(mut self) -> Result<(Bytes, Self), Error> {
        let page = PageRequest {
            limit: PageRequest::MAX_LIMIT.min(self.left),
            after: self.next,
        };
        let found = self.engine.audit_entries(&self.filter, &page).await?;
        self.left -= u32::try_from(found.items.len()).unwrap_or(self.left);
        self.is_over = found.next.is_none() || self.left == 0;
        self.next = found.next;
        let mut text = Vec::new();
        for entry in found.items {
            // Into memory, of what can be written.
            let _ = serde_json::to_writer(&mut text, &entry);
            text.push(b'\n');
        }
        Ok((Bytes::from(text), self))
    }
}
