//! One campaign: how far it is, what holds it up, what failed and why, and the buttons that rule it.

use std::collections::BTreeMap;

use askama::Template;
use axum::{extract::Path, response::Response};
use baton_domain::{
    CampaignId, Lifecycle, Timestamp,
    access::Permission,
    campaign::{Campaign, SendAt, State as CampaignState, Trigger},
    job::State as JobState,
    message::Translation,
    operation::DeadLetterGroup,
};

use super::{Panel, campaign_id, campaign_picture, campaigns::Bar, compose};
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    root::Root,
    shell::Shell,
    view::{Markup, ago, campaign_badge, count, limit_words, map, rate, short, span},
};

/// Shows a campaign.
pub async fn show(console: Console, shell: Shell, Path(id): Path<String>) -> Response {
    let seen = match campaign_id(&id) {
        Ok(id) => load(&console, id).await,
        Err(trouble) => Err(trouble),
    };
    match seen {
        Ok(seen) => {
            let picture = campaign_picture::Drawing::now(&console, &seen.campaign).await;
            shell.page(&CampaignPage {
                id: seen.campaign.id.to_string(),
                name: seen.campaign.plan.name.clone(),
                pace: RateForm::of(&console, &seen.campaign, &shell.root),
                // The rest of the page stands without it.
                picture: picture.unwrap_or_default(),
                panels: Panels::new(&seen, &shell.root, shell.now),
                shell: &shell,
            })
        }
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// A campaign, and why deliveries of it failed.
pub struct CampaignDetails {
    /// It.
    pub campaign: Campaign,
    failures: Vec<DeadLetterGroup>,
    /// Whether somebody else than who looks has to approve it.
    is_for_another: bool,
    /// What the campaign is called whose rest this one is for.
    rest_of: Option<String>,
}

/// Looks a campaign up.
pub async fn load(console: &Console, id: CampaignId) -> Result<CampaignDetails, PageError> {
    let both = async {
        let (campaign, failures) = tokio::try_join!(
            console.engine.campaign(id),
            console.engine.campaign_failures(id),
        )?;
        let is_for_another = match &campaign.approval {
            Some(approval) => console.engine.must_leave_to_another(approval).await?,
            None => false,
        };
        let rest_of = campaign.plan.rest.as_ref();
        let rest_of = match rest_of.map(|rest| rest.of.to_string()) {
            Some(of) => Some(console.overviews.names_of([&*of].into_iter()).await.of(&of)),
            None => None,
        };
        Ok(CampaignDetails {
            campaign,
            failures,
            is_for_another,
            rest_of,
        })
    };
    with_timeout(both).await
}

/// The panels, for the live feed.
pub fn panels(seen: &CampaignDetails, root: &Root, now: Timestamp) -> Vec<Panel> {
    Panels::new(seen, root, now).all()
}

#[derive(Template)]
#[template(path = "rooms/campaign.html")]
struct CampaignPage<'a> {
    shell: &'a Shell,
    id: String,
    name: String,
    picture: Markup,
    /// How fast it may go, where that still matters to whoever may change it.
    pace: Option<RateForm>,
    panels: Panels,
}

/// The form that changes how fast a campaign goes.
struct RateForm {
    post: String,
    back: String,
    rate: String,
}

impl RateForm {
    fn of(console: &Console, campaign: &Campaign, root: &Root) -> Option<Self> {
        let may = [Permission::CampaignsSend, Permission::Operate];
        let may = may.into_iter().any(|one| console.engine.may(one));
        let back = format!("/campaigns/{}", campaign.id);
        let goes_on = campaign.state.on(Trigger::Cancel).is_ok();
        (may && goes_on).then(|| Self {
            post: root.href(&format!("{back}/rate")),
            back,
            rate: campaign
                .rate
                .map_or_else(String::new, |rate| rate.to_string()),
        })
    }
}

panels!(head, books, failures, fields);

impl Panels {
    fn new(seen: &CampaignDetails, root: &Root, now: Timestamp) -> Self {
        let failures = seen.failures.iter();
        Self {
            head: Markup::of(&Header::new(seen, root, now)),
            books: Markup::of(&Books::new(&seen.campaign, root)),
            failures: Markup::of(&Failures {
                rows: failures
                    .map(|group| Cause::new(group, seen.campaign.id, root, now))
                    .collect(),
            }),
            fields: Markup::of(&Fields::new(&seen.campaign, now)),
        }
    }
}

#[derive(Template)]
#[template(path = "panels/campaign_head.html")]
struct Header {
    state: &'static str,
    badge: Markup,
    why: Option<String>,
    approval: Vec<String>,
    bar: Bar,
    per_second: String,
    eta: Option<String>,
    limit: String,
    in_flight: String,
    /// Nothing holds it up any more.
    is_over: bool,
    buttons: Vec<(&'static str, &'static str, String)>,
    /// The campaign whose rest it is for.
    rest_of: Option<(String, String)>,
}

impl Header {
    fn new(seen: &CampaignDetails, root: &Root, now: Timestamp) -> Self {
        let campaign = &seen.campaign;
        let allows = |trigger| campaign.state.on(trigger).is_ok();
        let counts = &campaign.counts;
        let unreached = [JobState::Failed, JobState::Canceled, JobState::Skipped];
        let has_rest = match campaign.state {
            CampaignState::Canceled => true,
            CampaignState::Done => unreached.iter().any(|state| counts.of(*state) > 0),
            _ => false,
        };
        let is_held = campaign.is_held();
        let is_stopped = allows(Trigger::Resume) || allows(Trigger::ResumeSending);
        let approves = is_held && !seen.is_for_another;
        let offered = [
            (allows(Trigger::Stop), "stop", tr!("Stop…")),
            (is_stopped && !is_held, "resume", tr!("Resume…")),
            (approves, "approve", tr!("Approve…")),
            (allows(Trigger::Cancel), "cancel", tr!("Cancel…")),
            (has_rest, "send-to-rest", tr!("Send to the rest…")),
        ];
        let href = |action| root.href(&format!("/campaigns/{}/{action}", campaign.id));
        let buttons = offered.into_iter().filter(|(is_shown, ..)| *is_shown);
        Self {
            state: campaign.state.as_str(),
            badge: campaign_badge(campaign.state),
            why: campaign.why.clone(),
            approval: approval_words(seen),
            bar: Bar::of(campaign),
            per_second: rate(campaign.per_second),
            eta: campaign.eta().map(span),
            limit: limit_words(&campaign.limit(now)),
            in_flight: count(campaign.counts.of(JobState::Running)),
            is_over: campaign.finished_at.is_some(),
            buttons: buttons
                .map(|(_, action, label)| (action, label, href(action)))
                .collect(),
            rest_of: campaign.plan.rest.as_ref().map(|rest| {
                let href = root.href(&format!("/campaigns/{}", rest.of));
                let name = seen.rest_of.clone();
                (name.unwrap_or_else(|| short(rest.of)), href)
            }),
        }
    }
}

/// Who asked for it, who has approved it or has to; nothing where one person is enough.
fn approval_words(seen: &CampaignDetails) -> Vec<String> {
    let Some(approval) = &seen.campaign.approval else {
        return Vec::new();
    };
    let asked = tr!(
        "{who} asked for it at {at}, for {n} recipients.",
        who = approval.asked.name,
        at = approval.asked.at,
        n = count(approval.recipients)
    );
    let next = match &approval.approved {
        Some(approved) => tr!(
            "{who} approved it at {at}.",
            who = approved.name,
            at = approved.at
        ),
        None if !seen.campaign.is_held() => tr!("Nobody has approved it.").to_owned(),
        None if seen.is_for_another => {
            tr!("You have asked for it: somebody else has to approve it.").to_owned()
        }
        None => tr!("It waits for somebody to approve it.").to_owned(),
    };
    vec![asked, next]
}

#[derive(Template)]
#[template(path = "panels/campaign_books.html")]
struct Books {
    rows: Vec<BookRow>,
    items: Option<String>,
    total: String,
    expected: Option<String>,
    walked: String,
    cursor: i64,
    until: Option<i64>,
    chunks: String,
}

struct BookRow {
    state: &'static str,
    badge: Markup,
    count: String,
    href: String,
}

impl Books {
    fn new(campaign: &Campaign, root: &Root) -> Self {
        let only_items = !campaign.plan.action.has_push();
        let laid = if only_items { campaign.items } else { 0 };
        let row = |state: JobState| BookRow {
            state: state.as_str(),
            badge: crate::view::badge(state),
            count: count(campaign.counts.of(state)),
            href: root.href(&format!("/jobs?queue={}&state={state}", campaign.id)),
        };
        let states = JobState::ALL.into_iter();
        Self {
            rows: states
                .filter(|state| campaign.counts.of(*state) > 0)
                .map(row)
                .collect(),
            items: (campaign.items > 0).then(|| count(campaign.items)),
            total: count(campaign.counts.total() + laid),
            expected: campaign.expected.map(count),
            walked: format!("{:.0} %", campaign.walked() * 100.0),
            cursor: campaign.cursor,
            until: campaign.until,
            chunks: count(campaign.chunks),
        }
    }
}

#[derive(Template)]
#[template(path = "panels/campaign_failures.html")]
struct Failures {
    rows: Vec<Cause>,
}

struct Cause {
    fingerprint: String,
    reason: String,
    code: String,
    message: String,
    count: String,
    last: Markup,
    sample: String,
    sample_href: String,
    retry: String,
}

impl Cause {
    fn new(group: &DeadLetterGroup, campaign: CampaignId, root: &Root, now: Timestamp) -> Self {
        let retry = format!("/campaigns/{campaign}/retry-failed/{}", group.fingerprint);
        Self {
            fingerprint: group.fingerprint.clone(),
            reason: group.reason.clone(),
            code: group.sample.code.clone(),
            message: group.sample.message.clone(),
            count: count(group.count),
            last: ago(group.last_at, now),
            sample: short(group.sample_job),
            sample_href: root.href(&format!("/jobs/{}", group.sample_job)),
            retry: root.href(&retry),
        }
    }
}

#[derive(Template)]
#[template(path = "panels/campaign_fields.html")]
struct Fields {
    rows: Vec<(&'static str, String)>,
    created: Markup,
    title: String,
    body: String,
    /// The same in other languages, by their locales.
    translations: BTreeMap<String, Translation>,
    /// Where the circles of its audience lie.
    map: Markup,
}

impl Fields {
    fn new(campaign: &Campaign, now: Timestamp) -> Self {
        let plan = &campaign.plan;
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let send_at = match &plan.send_at {
            SendAt::Now => tr!("at once").to_owned(),
            SendAt::At(at) => at.to_string(),
            SendAt::Local { time, zone } => tr!(
                "{time} on each clock, {zone} for the rest",
                time = time,
                zone = zone
            ),
        };
        let rows = vec![
            (key!("category"), plan.category.clone()),
            (key!("action"), plan.action.to_string()),
            (key!("audience"), compose::audience_in_words(&plan.audience)),
            (key!("provider"), or_none(plan.provider.clone())),
            (key!("channel"), plan.channel.clone()),
            (key!("topic"), or_none(plan.topic.clone())),
            (key!("send at"), send_at),
            (
                key!("rate"),
                or_none(campaign.rate.map(|rate| tr!("{n} a second", n = rate))),
            ),
            (key!("lane"), campaign.lane.clone()),
            (key!("key"), or_none(campaign.key.clone())),
        ];
        Self {
            rows,
            created: ago(campaign.created_at, now),
            title: plan.message.title.clone(),
            body: plan.message.body.clone(),
            translations: plan.message.translations.clone(),
            map: map(&plan.audience),
        }
    }
}
