//! The list of campaigns: what is sent to many, and how far each is.

use askama::Template;
use axum::{extract::Query, response::Response};
use baton_domain::{Timestamp, campaign::Campaign, job, page::Page};

use super::{
    Panel,
    after::{After, next_page},
};
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    root::Root,
    shell::Shell,
    view::{Markup, ago, campaign_badge, count, limit_words, rate, span},
};

/// How many campaigns a page shows.
const ROWS: u32 = 50;

/// Shows the list.
pub async fn show(console: Console, shell: Shell, Query(after): Query<After>) -> Response {
    match load(&console, &after).await {
        Ok(seen) => shell.page(&Campaigns {
            live: after.query(),
            list: list(&seen, &shell.root, shell.now),
            shell: &shell,
        }),
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// Looks the campaigns up.
pub async fn load(console: &Console, after: &After) -> Result<Page<Campaign>, PageError> {
    with_timeout(console.engine.campaigns(&after.page(ROWS))).await
}

/// The panels, for the live feed.
pub fn panels(seen: &Page<Campaign>, root: &Root, now: Timestamp) -> Vec<Panel> {
    vec![("campaigns", list(seen, root, now))]
}

fn list(seen: &Page<Campaign>, root: &Root, now: Timestamp) -> Markup {
    let rows = seen.items.iter();
    Markup::of(&List {
        rows: rows.map(|one| Row::new(one, root, now)).collect(),
        next: next_page(root, "/campaigns", seen.next.as_ref()),
    })
}

#[derive(Template)]
#[template(path = "rooms/campaigns.html")]
struct Campaigns<'a> {
    shell: &'a Shell,
    live: String,
    list: Markup,
}

#[derive(Template)]
#[template(path = "panels/campaigns.html")]
struct List {
    rows: Vec<Row>,
    next: Option<String>,
}

struct Row {
    id: String,
    href: String,
    name: String,
    category: String,
    badge: Markup,
    bar: Bar,
    failed: String,
    has_failed: bool,
    per_second: String,
    eta: Option<String>,
    limit: String,
    updated: Markup,
}

impl Row {
    fn new(campaign: &Campaign, root: &Root, now: Timestamp) -> Self {
        let failed = campaign.counts.of(job::State::Failed);
        Self {
            id: campaign.id.to_string(),
            href: root.href(&format!("/campaigns/{}", campaign.id)),
            name: campaign.plan.name.clone(),
            category: campaign.plan.category.clone(),
            badge: campaign_badge(campaign.state),
            bar: Bar::of(campaign),
            failed: count(failed),
            has_failed: failed > 0,
            per_second: rate(campaign.per_second),
            eta: campaign.eta().map(span),
            limit: limit_words(&campaign.limit(now)),
            updated: ago(campaign.updated_at, now),
        }
    }
}

/// How much of a campaign has come to its end.
pub struct Bar {
    /// How many.
    pub ended: u64,
    /// Of how many, as far as is known; one at least.
    pub whole: u64,
    /// The same, for people.
    pub text: String,
    /// In hundredths.
    pub percent: u64,
}

impl Bar {
    /// How much of a campaign has come to its end.
    pub fn of(campaign: &Campaign) -> Self {
        let ended = campaign.ended();
        let known = campaign.expanded.max(ended);
        let whole = match campaign.is_complete() {
            true => known,
            false => campaign.expected.unwrap_or(0).max(known),
        };
        Self {
            ended,
            whole: whole.max(1),
            text: tr!("{n} of {all}", n = count(ended), all = count(whole)),
            percent: ended * 100 / whole.max(1),
        }
    }
}
