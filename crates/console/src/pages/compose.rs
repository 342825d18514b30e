//! Composing a campaign: a form, empty or filled with another campaign's; then what it would do; then the campaign.
//!
//! Nothing is kept of it in between: each step carries what was typed to the next.

mod conditions;
pub mod crowd;
mod draft;
mod group;
mod moment;
mod reading;
mod translations;
mod whom;

use std::{borrow::Cow, collections::BTreeSet};

use askama::Template;
use axum::{
    Form,
    extract::Query,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use baton_domain::{
    CampaignId,
    access::Permission,
    audience::Audience,
    campaign::NewCampaign,
    job::{DeliveryGuarantee, FieldError},
    notification::Action,
};
use baton_engine::{CampaignPreview, Created, Error};
use serde::Deserialize;

use super::campaign_id;
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    receipt::{Receipt, answer},
    shell::Shell,
    view::{Markup, count, map},
};
use draft::Draft;
use moment::Moment;

/// How many samples are shown.
const SAMPLES: usize = 3;

/// Which campaign the form is filled with, if with any.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Like {
    of: String,
}

/// Shows the form.
pub async fn show(console: Console, shell: Shell, Query(like): Query<Like>) -> Response {
    match filled(&console, &like.of).await {
        Ok((draft, copied)) => {
            let form = FormPage::new(&console, &shell, &draft, &[]);
            shell.page(&FormPage { copied, ..form })
        }
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// What the form begins with, and what the campaign is called that it is copied from.
async fn filled(console: &Console, of: &str) -> Result<(Draft, Option<String>), PageError> {
    if of.is_empty() {
        return Ok((Draft::default(), None));
    }
    let engine = &console.engine;
    let sees_all = [Permission::PayloadsRead, Permission::RecipientsRead];
    if !sees_all.into_iter().all(|needed| engine.may(needed)) {
        return Err(PageError::denied(&engine.actor().name));
    }
    let campaign = with_timeout(engine.campaign(campaign_id(of)?)).await?;
    let draft = Draft::of(&campaign, engine.now());
    Ok((draft, Some(campaign.plan.name)))
}

/// An audience in words; as JSON where the form has no words for it.
pub fn audience_in_words(audience: &Audience) -> String {
    Draft::addressed_to(audience).audience_in_words()
}

/// Takes a step on from the form: back to it, on to what the campaign would do, or to the campaign.
pub async fn take(
    console: Console,
    shell: Shell,
    headers: HeaderMap,
    Form(mut draft): Form<Draft>,
) -> Response {
    let step = std::mem::take(&mut draft.step);
    let taken = match &*step {
        "edit" => Ok(shell.page(&FormPage::new(&console, &shell, &draft, &[]))),
        "create" => create(&console, &shell, &headers, &mut draft).await,
        _ => preview(&console, &shell, &mut draft, None).await,
    };
    taken.unwrap_or_else(|wrong| match wrong {
        Wrong::Fields(errors) => {
            let form = FormPage::new(&console, &shell, &draft, &errors);
            shell.page_as(StatusCode::BAD_REQUEST, &form)
        }
        Wrong::Trouble(trouble) => shell.trouble(&trouble),
    })
}

/// Why a step was not taken.
enum Wrong {
    /// What was typed has to be mended.
    Fields(Vec<FieldError>),
    /// Something else.
    Trouble(PageError),
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid(fields) => Self::Fields(fields),
            error => Self::Trouble(error.into()),
        }
    }
}

/// Shows what it would do; `refused` says why nothing was created, if that was asked for.
async fn preview(
    console: &Console,
    shell: &Shell,
    draft: &mut Draft,
    refused: Option<String>,
) -> Result<Response, Wrong> {
    let spec = draft.spec().map_err(Wrong::Fields)?;
    let now = console.engine.now();
    let campaign = NewCampaign::from_spec(spec.clone(), now).map_err(Wrong::Fields)?;
    let when = Moment::of(draft, &campaign.plan.send_at, now);
    let map = map(&campaign.plan.audience);
    let seen = console.engine.preview_campaign(spec).await?;
    if draft.key.is_empty() {
        // Pressed twice, it is created once. The form has no key: what was changed is another campaign.
        draft.key = format!("console:{}", CampaignId::new(now));
    }
    let status = match refused {
        Some(_) => StatusCode::BAD_REQUEST,
        None => StatusCode::OK,
    };
    let page = PreviewPage {
        refused,
        ..PreviewPage::new(shell, draft, &seen, when, map)
    };
    Ok(shell.page_as(status, &page))
}

async fn create(
    console: &Console,
    shell: &Shell,
    headers: &HeaderMap,
    draft: &mut Draft,
) -> Result<Response, Wrong> {
    let spec = draft.spec().map_err(Wrong::Fields)?;
    let members = console.engine.count_campaign(spec.clone()).await?;
    if let Some(why) = crowd::refusal(draft, members) {
        return preview(console, shell, draft, Some(why)).await;
    }
    let created = console.engine.create_campaign(spec).await?;
    console.overviews.spend().await;
    let name = draft.name.trim();
    let receipt = Receipt::new(match created {
        Created::New(_) => tr!("Created {name}.", name = name),
        Created::Known(_) => tr!(
            "Nothing was created: this form has made {name} already.",
            name = name
        ),
    });
    let path = format!("/campaigns/{}", created.id());
    Ok(answer(shell, headers, &path, Ok(receipt)))
}

#[derive(Template)]
#[template(path = "rooms/compose.html")]
struct FormPage<'a> {
    shell: &'a Shell,
    draft: &'a Draft,
    /// The campaign that it is a copy of.
    copied: Option<String>,
    actions: [&'static str; Action::ALL.len()],
    providers: &'a [String],
    /// The one that the form names, if it is none of them.
    unknown: Option<&'a str>,
    errors: &'a [FieldError],
    /// What is done in doubt: its word, and what that means.
    guarantees: [(&'static str, &'static str); DeliveryGuarantee::ALL.len()],
}

impl<'a> FormPage<'a> {
    fn new(
        console: &'a Console,
        shell: &'a Shell,
        draft: &'a Draft,
        errors: &'a [FieldError],
    ) -> Self {
        let providers = &*console.engine.settings().providers;
        let named = Some(&draft.provider).filter(|name| !name.is_empty());
        Self {
            shell,
            draft,
            copied: None,
            actions: Action::ALL.map(Action::as_str),
            providers,
            unknown: named
                .filter(|name| !providers.contains(name))
                .map(|name| &**name),
            errors,
            guarantees: DeliveryGuarantee::ALL.map(|one| (one.as_str(), in_doubt(one))),
        }
    }

    /// Whether it is a copy of what went at a moment that has passed.
    fn lacks_moment(&self) -> bool {
        let draft = self.draft;
        let is_typed = !draft.send_at.is_empty() || !draft.send_at_local.is_empty();
        self.copied.is_some() && draft.when != "now" && !is_typed
    }

    /// Whether the part of the form that is rarely needed is to be seen at once.
    fn has_more(&self) -> bool {
        const MORE: [&str; 8] = [
            "lane",
            "lead",
            "expires_after",
            "delivery",
            "max_attempts",
            "timeout",
            "backoff",
            "chunk",
        ];
        MORE.iter().any(|field| self.wrong(field).is_some())
    }

    fn is_translated(&self) -> bool {
        !self.draft.translations.is_empty() || self.wrong("translations").is_some()
    }

    /// What is wrong with a field of the form.
    fn wrong(&self, field: &str) -> Option<&str> {
        let mut errors = self.errors.iter();
        let error = errors.find(|error| self.draft.field_of(&error.field) == field);
        error.map(|error| &*error.message)
    }

    /// What an error is about, as people read it.
    fn name<'b>(&self, error: &'b FieldError) -> &'b str {
        let field = self.field(error);
        let chosen = field.strip_prefix("whom_");
        chosen
            .or(field.strip_prefix("fits_"))
            .or(field.strip_prefix("also_"))
            .unwrap_or(&error.field)
    }

    /// What the form calls the field that an error is about.
    fn field(&self, error: &FieldError) -> &'static str {
        self.draft.field_of(&error.field)
    }
}

#[derive(Template)]
#[template(path = "rooms/compose_preview.html")]
struct PreviewPage<'a> {
    shell: &'a Shell,
    draft: &'a Draft,
    fields: Vec<(Cow<'static, str>, &'a str)>,
    members: String,
    /// The same, with its word.
    recipients: String,
    /// Whom it is for, in words.
    audience: String,
    /// Where its circles lie.
    map: Markup,
    /// How many were looked at, if those are not all.
    looked_at: Option<String>,
    skipped: Vec<(&'static str, String)>,
    /// How many of those who were looked at read which translation.
    translations: Vec<(String, String)>,
    samples: Vec<Sample>,
    missing: Vec<String>,
    when: Moment,
    /// Why nothing was created.
    refused: Option<String>,
    /// How many there are, as it is carried to the next step.
    shown: u64,
    /// Whether that number is to be typed.
    is_crowd: bool,
}

/// What somebody reads.
struct Sample {
    who: String,
    /// In which language, if not in the message's own.
    translation: Option<String>,
    title: String,
    body: String,
}

impl<'a> PreviewPage<'a> {
    fn new(
        shell: &'a Shell,
        draft: &'a Draft,
        seen: &CampaignPreview,
        when: Moment,
        map: Markup,
    ) -> Self {
        let skipped = seen.skipped.iter();
        Self {
            shell,
            draft,
            fields: draft.fields(),
            members: count(seen.members),
            recipients: recipients(seen.members),
            audience: draft.audience_in_words(),
            map,
            looked_at: (seen.looked_at < seen.members).then(|| count(seen.looked_at)),
            skipped: skipped.map(|(why, many)| (*why, count(*many))).collect(),
            translations: seen
                .translations
                .iter()
                .map(|(locale, many)| (locale.clone(), count(*many)))
                .collect(),
            samples: samples(seen),
            missing: seen.missing.clone(),
            when,
            refused: None,
            shown: seen.members,
            is_crowd: seen.members > crowd::CROWD,
        }
    }
}

/// The first who are reached, and the first of each translation.
fn samples(seen: &CampaignPreview) -> Vec<Sample> {
    let mut told = BTreeSet::new();
    let samples = seen.samples.iter().enumerate();
    let shown = samples.filter(|(nth, one)| told.insert(&one.translation) || *nth < SAMPLES);
    shown
        .map(|(_, one)| Sample {
            who: one.recipient.profile.id.clone(),
            translation: one.translation.clone(),
            title: one.message.title.clone(),
            body: one.message.body.clone(),
        })
        .collect()
}

/// What a guarantee means to whoever is sent to.
fn in_doubt(guarantee: DeliveryGuarantee) -> &'static str {
    match guarantee {
        DeliveryGuarantee::AtLeastOnce => tr!("send it again: it may come twice"),
        DeliveryGuarantee::AtMostOnce => tr!("leave it to a person: it may not come"),
    }
}

fn recipients(many: u64) -> String {
    match many {
        1 => tr!("1 recipient").to_owned(),
        many => tr!("{n} recipients", n = count(many)),
    }
}
