//! The list of recipients: who is reached, and on which channels. Addresses are masked here.

use askama::Template;
use axum::{
    extract::Query,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use baton_domain::{Timestamp, page::PageRequest, recipient::Recipient};
use serde::Deserialize;

use super::search::encode;
use crate::{
    Console,
    overview_cache::with_timeout,
    root::Root,
    shell::Shell,
    view::{Markup, ago},
};

/// How many recipients a page shows.
const ROWS: u32 = 50;

/// Who is looked for: all from where the last page ended, or one by id.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RecipientsQuery {
    id: String,
    after: String,
}

/// Shows the list, or leads to the one whose id was asked for.
pub async fn show(
    console: Console,
    shell: Shell,
    Query(wanted): Query<RecipientsQuery>,
) -> Response {
    let id = wanted.id.trim();
    if !id.is_empty() {
        let there = shell.root.href(&page_of(id));
        return (StatusCode::SEE_OTHER, [(header::LOCATION, there)]).into_response();
    }
    let page = PageRequest {
        limit: ROWS,
        after: Some(wanted.after).filter(|after| !after.is_empty()),
    };
    match with_timeout(console.engine.recipients(&page)).await {
        Ok(found) => {
            let rows = found.items.iter();
            shell.page(&RecipientsPage {
                rows: rows
                    .map(|one| Row::new(one, &shell.root, shell.now))
                    .collect(),
                next: found.next.map(|next| {
                    let next = format!("/recipients?after={}", encode(&next));
                    shell.root.href(&next)
                }),
                shell: &shell,
            })
        }
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// The page of a recipient, below the mount.
pub fn page_of(id: &str) -> String {
    format!("/recipients/{}", encode(id))
}

/// An address of which no more is left than tells two apart: its first two characters and its length.
pub fn masked(address: &str) -> String {
    let length = address.chars().count();
    let kept: String = address
        .chars()
        .take(if length > 6 { 2 } else { 0 })
        .collect();
    format!("{kept}… ({length})")
}

#[derive(Template)]
#[template(path = "rooms/recipients.html")]
struct RecipientsPage<'a> {
    shell: &'a Shell,
    rows: Vec<Row>,
    next: Option<String>,
}

struct Row {
    id: String,
    href: String,
    platform: String,
    enabled: bool,
    channels: String,
    topics: String,
    zone: Option<String>,
    updated: Markup,
}

impl Row {
    fn new(recipient: &Recipient, root: &Root, now: Timestamp) -> Self {
        let profile = &recipient.profile;
        let channels = profile.addresses.iter();
        let channels = channels.map(|(channel, address)| format!("{channel} {}", masked(address)));
        let topics: Vec<_> = profile.topics.iter().cloned().collect();
        Self {
            id: profile.id.clone(),
            href: root.href(&page_of(&profile.id)),
            platform: profile.platform.clone(),
            enabled: profile.enabled,
            channels: channels.collect::<Vec<_>>().join(", "),
            topics: topics.join(", "),
            zone: profile.time_zone.clone(),
            updated: ago(recipient.updated_at, now),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_masked_address_says_too_little_to_be_used() {
        assert_eq!(masked("ann@example.org"), "an… (15)");
        assert_eq!(masked("short"), "… (5)");
    }
}
