//! The export of the audit log, entry by entry.

use baton_client::{AuditQuery, Error};
use futures::StreamExt;

use crate::server::{Server, answer};

fn entry(number: u32) -> String {
    format!(
        r#"{{"id": "aud_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5{number}", "at": "2026-01-31T09:00:00Z", "principal": "anonymous",
        "name": "kim", "action": "job.cancel", "object": "job_1", "before": null, "after": null, "reason": null, "count": null, "request_id": null,
        "outcome": "done"}}"#
    )
    .replace('\n', " ")
        + "\n"
}

async fn exported(lines: &str) -> Vec<Result<String, Error>> {
    let exported = answer("200 OK", "application/x-ndjson", "", lines);
    let server = Server::answering([exported]).await;
    let entries = server.client.export_audit(&AuditQuery::default()).await;
    let entries = entries.unwrap().map(|entry| Ok(entry?.id.to_string()));
    entries.collect().await
}

#[tokio::test]
async fn every_entry_is_told_as_it_comes() {
    let lines = entry(1) + &entry(2);

    let told = exported(&lines).await;

    let ids: Vec<_> = told.into_iter().map(Result::unwrap).collect();
    assert!(
        ids.len() == 2 && ids[0].ends_with('1') && ids[1].ends_with('2'),
        "{ids:?}"
    );
}

#[tokio::test]
async fn an_export_that_breaks_off_is_not_taken_for_whole() {
    let whole = entry(1);
    let lines = format!("{whole}{}", &whole[..40]);

    let told = exported(&lines).await;

    assert!(
        matches!(&told[..], [Ok(_), Err(Error::Unexpected { .. })]),
        "{told:?}"
    );
}
