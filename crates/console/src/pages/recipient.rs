//! One recipient: how it is reached, what it has opted in to, and its inbox as the app shows it. Its addresses are masked until
//! somebody asks for them, which stands in the audit log.

use askama::Template;
use axum::{
    extract::{Path, Query},
    response::Response,
};
use baton_domain::{
    Timestamp, access::Permission, inbox::Item, job::Job, page::PageRequest, recipient::Recipient,
};

use serde::Deserialize;

use super::{
    job_row,
    recipients::{masked, page_of},
};
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    root::Root,
    shell::Shell,
    view::{Markup, ago, moment},
};

/// How many items of its inbox are shown.
const ITEMS: u32 = 20;

/// What is to be seen that is masked else.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Unmasked {
    show: String,
}

impl Unmasked {
    /// What is asked for in the address.
    const ADDRESSES: &str = "addresses";

    fn shows_addresses(&self) -> bool {
        self.show == Self::ADDRESSES
    }
}

/// Shows a recipient.
pub async fn show(
    console: Console,
    shell: Shell,
    Path(id): Path<String>,
    Query(unmasked): Query<Unmasked>,
) -> Response {
    match load(&console, &id, unmasked.shows_addresses()).await {
        Ok(seen) => shell.page(&RecipientPage::new(&shell, &seen)),
        Err(trouble) => shell.trouble(&trouble),
    }
}

struct RecipientDetails {
    recipient: Recipient,
    shows_addresses: bool,
    /// What lies in its inbox, and how much of that is unread; nothing for whoever may not look.
    inbox: Option<(Vec<Item>, u64)>,
    /// What the latest campaigns have for it; nothing if that was not found out in time.
    deliveries: Option<Vec<Job>>,
}

async fn load(
    console: &Console,
    id: &str,
    shows_addresses: bool,
) -> Result<RecipientDetails, PageError> {
    let recipient = match shows_addresses {
        true => with_timeout(console.engine.recipient_unmasked(id)).await?,
        false => with_timeout(console.engine.recipient(id)).await?,
    };
    let page = PageRequest::first(ITEMS);
    let inbox = if console.engine.may(Permission::Inbox) || console.engine.sees_inboxes() {
        let both =
            async { tokio::try_join!(console.engine.inbox(id, &page), console.engine.unread(id)) };
        let (items, unread) = with_timeout(both).await?;
        Some((items.items, unread.count))
    } else {
        None
    };
    let deliveries = console.engine.latest_deliveries(recipient.number);
    let deliveries = with_timeout(deliveries).await.ok();
    Ok(RecipientDetails {
        recipient,
        shows_addresses,
        inbox,
        deliveries,
    })
}

#[derive(Template)]
#[template(path = "rooms/recipient.html")]
struct RecipientPage<'a> {
    shell: &'a Shell,
    id: String,
    enabled: bool,
    fields: Vec<(&'static str, String)>,
    created: Markup,
    updated: Markup,
    channels: Vec<Channel>,
    /// Where its addresses are shown in full, or masked again.
    other: String,
    shows_addresses: bool,
    topics: Vec<String>,
    inbox: Option<Inbox>,
    deliveries: Option<Vec<Markup>>,
    /// Where it is erased, for whoever may.
    erase: Option<String>,
}

struct Channel {
    name: String,
    address: String,
    is_dead: bool,
}

struct Inbox {
    unread: u64,
    rows: Vec<InboxRow>,
}

struct InboxRow {
    id: String,
    title: String,
    body: String,
    category: String,
    at: Markup,
    is_read: bool,
    /// The campaign it came from: what that is called, and its page.
    campaign: Option<(String, String)>,
}

impl<'a> RecipientPage<'a> {
    fn new(shell: &'a Shell, seen: &RecipientDetails) -> Self {
        let profile = &seen.recipient.profile;
        let erase = shell.actor.may(Permission::RecipientsErase);
        let erase = erase.then(|| format!("{}/erase", page_of(&profile.id)));
        let inbox = seen.inbox.as_ref().map(|(items, unread)| Inbox {
            unread: *unread,
            rows: items
                .iter()
                .map(|item| InboxRow::new(item, shell, shell.now))
                .collect(),
        });
        let back = page_of(&profile.id);
        let row = |job| job_row::row(job, shell.glance.names(), &shell.root, &back, shell.now);
        let deliveries = seen.deliveries.as_ref();
        let deliveries = deliveries.map(|jobs| jobs.iter().map(row).collect());
        Self {
            deliveries,
            id: profile.id.clone(),
            enabled: profile.enabled,
            fields: fields(&seen.recipient),
            created: moment(seen.recipient.created_at),
            updated: ago(seen.recipient.updated_at, shell.now),
            channels: channels(seen),
            other: shell.root.href(&match seen.shows_addresses {
                true => page_of(&profile.id),
                false => format!("{}?show={}", page_of(&profile.id), Unmasked::ADDRESSES),
            }),
            shows_addresses: seen.shows_addresses,
            topics: profile.topics.iter().cloned().collect(),
            inbox,
            erase: erase.map(|path| shell.root.href(&path)),
            shell,
        }
    }
}

fn fields(recipient: &Recipient) -> Vec<(&'static str, String)> {
    let profile = &recipient.profile;
    let none = || "-".to_owned();
    vec![
        (key!("platform"), profile.platform.clone()),
        (
            key!("time zone"),
            profile.time_zone.clone().unwrap_or_else(none),
        ),
        (
            key!("language"),
            profile.locale.clone().unwrap_or_else(none),
        ),
        (
            key!("place"),
            match profile.location {
                Some(_) => tr!("known").to_owned(),
                None => tr!("not known").to_owned(),
            },
        ),
        (key!("number"), recipient.number.to_string()),
    ]
}

fn channels(seen: &RecipientDetails) -> Vec<Channel> {
    let dead: Vec<_> = seen.recipient.dead_channels().collect();
    let addresses = seen.recipient.profile.addresses.iter();
    addresses
        .map(|(channel, address)| Channel {
            name: channel.clone(),
            address: match seen.shows_addresses {
                true => address.clone(),
                false => masked(address),
            },
            is_dead: dead.contains(&channel.as_str()),
        })
        .collect()
}

impl InboxRow {
    fn new(item: &Item, shell: &Shell, now: Timestamp) -> Self {
        let root: &Root = &shell.root;
        let campaign = item.campaign.map(|id| {
            let id = id.to_string();
            let href = root.href(&format!("/campaigns/{id}"));
            (shell.glance.names().of(&id), href)
        });
        Self {
            id: item.id.to_string(),
            title: item.title.clone(),
            body: item.body.clone(),
            category: item.category.clone(),
            at: ago(item.created_at, now),
            is_read: item.read_at.is_some(),
            campaign,
        }
    }
}
