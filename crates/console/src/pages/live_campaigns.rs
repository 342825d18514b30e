//! The campaigns that have not ended: how far each is, and where it is ruled.

use askama::Template;
use baton_domain::{
    campaign::{Campaign, State},
    job,
};

use super::campaigns::Bar;
use crate::{
    overview_cache::OverviewSnapshot,
    root::Root,
    view::{Markup, campaign_badge, count, rate},
};

#[derive(Template)]
#[template(path = "panels/live_campaigns.html")]
struct LiveCampaigns {
    rows: Vec<Row>,
}

struct Row {
    id: String,
    href: String,
    name: String,
    badge: Markup,
    bar: Bar,
    failed: String,
    has_failed: bool,
    per_second: String,
}

/// The panel; nothing where no campaign is under way.
pub fn panel(glance: &OverviewSnapshot, root: &Root) -> Markup {
    let seen = glance.installation.iter();
    let live = seen.flat_map(|installation| &installation.live_campaigns);
    Markup::of(&LiveCampaigns {
        rows: live.map(|campaign| Row::new(campaign, root)).collect(),
    })
}

/// Whether anything can still come of it.
pub const fn is_live(campaign: &Campaign) -> bool {
    !matches!(campaign.state, State::Done | State::Canceled)
}

impl Row {
    fn new(campaign: &Campaign, root: &Root) -> Self {
        let failed = campaign.counts.of(job::State::Failed);
        Self {
            id: campaign.id.to_string(),
            href: root.href(&format!("/campaigns/{}", campaign.id)),
            name: campaign.plan.name.clone(),
            badge: campaign_badge(campaign.state),
            bar: Bar::of(campaign),
            failed: count(failed),
            has_failed: failed > 0,
            per_second: rate(campaign.per_second),
        }
    }
}
