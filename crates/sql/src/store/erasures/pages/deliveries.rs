//! A page of jobs: which are deliveries to the person.

use baton_domain::{
    JobId,
    delivery::DeliveryPayload,
    erasure::{PAYLOAD, Person, WORD},
};
use baton_ports::store::Error;
use uuid::Uuid;

use super::{Page, json, keeps};
use crate::{
    row::Rows,
    statement as sql,
    value::{column, params},
};

pub fn page(rows: Rows, person: &Person) -> Page {
    let (mut page, mut theirs) = (Page::default(), Vec::new());
    for row in rows {
        let mut cells = row.cells("jobs");
        let Some(id) = page.next(&mut cells) else {
            continue;
        };
        let payload = page.text(id, cells.maybe_text("payload"));
        let key = page.text(id, cells.maybe_text("key"));
        let tags = cells.json_or_default("tags");
        if !payload.is_some_and(|payload| is_theirs(&mut page, id, &payload, person)) {
            continue;
        }
        let mut tags: Vec<String> = page.readable(id, tags).unwrap_or_default();
        tags.retain(|tag| !person.is_quoted_by(tag));
        theirs.push((id, keeps(key.as_deref(), person), json(&tags)));
    }
    page.deliveries = theirs.iter().map(|row| JobId::from_uuid(row.0)).collect();
    page.write(&theirs, &sql::erasures::BLANK, || {
        params! {
            ids: column(&theirs, |row| row.0),
            keeps_keys: column(&theirs, |row| row.1),
            tags: column(&theirs, |row| row.2.clone()),
            erased: PAYLOAD, word: WORD,
        }
    });
    page
}

/// Whether what a delivery carries is for the person; of what cannot be read, whether it names them at all.
fn is_theirs(page: &mut Page, id: Uuid, payload: &str, person: &Person) -> bool {
    match serde_json::from_str::<DeliveryPayload>(payload) {
        Ok(delivery_payload) => delivery_payload.recipient_id == person.id,
        Err(error) => {
            let error = Error::Corrupt {
                table: "jobs",
                column: "payload",
                message: error.to_string(),
            };
            page.unreadable.push((id.to_string(), error));
            person.is_in_broken(payload)
        }
    }
}
