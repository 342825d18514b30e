//! A campaign as a form has it: texts as they were typed, until they are read.

use std::{borrow::Cow, time::Duration};

use baton_domain::{
    Timestamp,
    audience::Audience,
    campaign::{Campaign, SendAt},
    duration::{self, Span},
};
use serde::Deserialize;

use super::translations::TranslationsForm;

/// A campaign as it was typed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Draft {
    /// What people call it.
    pub name: String,
    /// What sort of message it is.
    pub category: String,
    /// `inbox`, `push` or `both`.
    pub action: String,
    /// `all`, `topic`, `platform`, `ids` or `fits`; any other word means the JSON below.
    #[serde(default = "String::new")]
    pub whom: String,
    /// Who is opted in to this.
    pub whom_topic: String,
    /// Or who is on this.
    pub whom_platform: String,
    /// Or who has one of these ids, one a line.
    pub whom_ids: String,
    /// Or who fits `all` or `any` of the conditions that follow.
    pub fits: String,
    /// Is opted in to this.
    pub fits_topic: String,
    /// Is on this.
    pub fits_platform: String,
    /// Is near this latitude,
    pub fits_lat: String,
    /// this longitude,
    pub fits_lon: String,
    /// within so many kilometres.
    pub fits_radius: String,
    /// Is not opted in to this.
    pub fits_not: String,
    /// And `any`, `all` or `none` of those that follow, in a group of its own.
    pub also: String,
    /// Who is opted in to one of these, with spaces between,
    pub also_topics: String,
    /// is on one of these.
    pub also_platforms: String,
    /// Or whoever this says, as JSON. A form that says nothing of all this is for nobody.
    pub audience: String,
    /// The first line.
    pub title: String,
    /// The rest.
    pub body: String,
    /// What goes along for the app, as JSON.
    pub data: String,
    /// The same in other languages.
    #[serde(flatten)]
    pub translations: TranslationsForm,
    /// Who delivers; the only one there is if nobody is named.
    pub provider: String,
    /// By which address.
    pub channel: String,
    /// The topic that a recipient must still be opted in to.
    pub topic: String,
    /// `now`, `at` or `local`.
    pub when: String,
    /// The time on a clock.
    pub send_at: String,
    /// Whose clock that is.
    pub send_at_zone: String,
    /// Or the time on each clock.
    pub send_at_local: String,
    /// The zone of those who have none.
    pub time_zone: String,
    /// How many a second.
    pub rate: String,
    /// Where it waits for others.
    pub lane: String,
    /// How long after its moment a delivery still makes sense.
    pub expires_after: String,
    /// How long before its moment its deliveries are written.
    pub lead: String,
    /// What to do in doubt.
    pub delivery: String,
    /// How many tries a delivery has.
    pub max_attempts: String,
    /// How long one try may take.
    pub timeout: String,
    /// When to try again, as JSON.
    pub backoff: String,
    /// How many recipients a chunk holds at most.
    pub chunk: String,
    /// Under which it is created once.
    pub key: String,
    /// How many recipients whoever creates it was shown.
    pub shown: String,
    /// How many they have typed that they mean.
    pub confirm: String,
    /// Why it is created, for the audit log.
    pub reason: String,
    /// What is to be done with it.
    pub step: String,
}

impl Default for Draft {
    fn default() -> Self {
        let empty = String::new;
        Self {
            name: empty(),
            category: "notice".to_owned(),
            action: "both".to_owned(),
            whom: "all".to_owned(),
            whom_topic: empty(),
            whom_platform: empty(),
            whom_ids: empty(),
            fits: "all".to_owned(),
            fits_topic: empty(),
            fits_platform: empty(),
            fits_lat: empty(),
            fits_lon: empty(),
            fits_radius: empty(),
            fits_not: empty(),
            also: "any".to_owned(),
            also_topics: empty(),
            also_platforms: empty(),
            audience: empty(),
            title: empty(),
            body: empty(),
            data: empty(),
            translations: TranslationsForm::default(),
            provider: empty(),
            channel: empty(),
            topic: empty(),
            when: "now".to_owned(),
            send_at: empty(),
            send_at_zone: empty(),
            send_at_local: empty(),
            time_zone: empty(),
            rate: empty(),
            lane: empty(),
            expires_after: empty(),
            lead: empty(),
            delivery: empty(),
            max_attempts: empty(),
            timeout: empty(),
            backoff: empty(),
            chunk: empty(),
            key: empty(),
            shown: empty(),
            confirm: empty(),
            reason: empty(),
            step: empty(),
        }
    }
}

impl Draft {
    /// The same message to the same audience, to be sent once more. A moment that has passed, for some at
    /// least, is to be chosen anew: it would be at once.
    pub fn of(campaign: &Campaign, now: Timestamp) -> Self {
        let plan = campaign.plan.clone();
        let own_topic = match &plan.audience {
            Audience::Topic(topic) => Some(topic.clone()),
            _ => None,
        };
        let copy = Self {
            name: plan.name,
            category: plan.category,
            action: plan.action.to_string(),
            translations: TranslationsForm::of(&plan.message),
            title: plan.message.title,
            body: plan.message.body,
            data: plan.message.data.unwrap_or_default(),
            provider: plan.provider.unwrap_or_default(),
            channel: plan.channel,
            topic: plan
                .topic
                .filter(|topic| Some(topic) != own_topic.as_ref())
                .unwrap_or_default(),
            rate: campaign
                .rate
                .map_or_else(String::new, |rate| rate.to_string()),
            lane: campaign.lane.clone(),
            expires_after: plan
                .expires_after
                .map_or_else(String::new, |Span(span)| duration::format(span)),
            lead: match plan.lead {
                Duration::ZERO => String::new(),
                lead => duration::format(lead),
            },
            delivery: plan.delivery.as_str().to_owned(),
            max_attempts: plan.max_attempts.to_string(),
            timeout: duration::format(plan.timeout),
            backoff: serde_json::to_string(&plan.backoff).unwrap_or_default(),
            chunk: plan
                .chunk
                .map_or_else(String::new, |chunk| chunk.to_string()),
            ..Self::addressed_to(&plan.audience)
        };
        let has_passed = plan.send_at.earliest().is_some_and(|at| at <= now);
        let unless_passed = |moment: String| if has_passed { String::new() } else { moment };
        match plan.send_at {
            SendAt::Now => copy,
            SendAt::At(at) => Self {
                when: "at".to_owned(),
                send_at: unless_passed(on_the_clock_of_utc(at)),
                send_at_zone: unless_passed("UTC".to_owned()),
                ..copy
            },
            SendAt::Local { time, zone } => Self {
                when: "local".to_owned(),
                send_at_local: unless_passed(time_on_a_clock(&time.to_string())),
                time_zone: zone,
                ..copy
            },
        }
    }

    /// The fields that the next step needs, by their names.
    pub fn fields(&self) -> Vec<(Cow<'static, str>, &str)> {
        let fields: [(_, &str); 39] = [
            ("name", &self.name),
            ("category", &self.category),
            ("action", &self.action),
            ("whom", &self.whom),
            ("whom_topic", &self.whom_topic),
            ("whom_platform", &self.whom_platform),
            ("whom_ids", &self.whom_ids),
            ("fits", &self.fits),
            ("fits_topic", &self.fits_topic),
            ("fits_platform", &self.fits_platform),
            ("fits_lat", &self.fits_lat),
            ("fits_lon", &self.fits_lon),
            ("fits_radius", &self.fits_radius),
            ("fits_not", &self.fits_not),
            ("also", &self.also),
            ("also_topics", &self.also_topics),
            ("also_platforms", &self.also_platforms),
            ("audience", &self.audience),
            ("title", &self.title),
            ("body", &self.body),
            ("data", &self.data),
            ("provider", &self.provider),
            ("channel", &self.channel),
            ("topic", &self.topic),
            ("when", &self.when),
            ("send_at", &self.send_at),
            ("send_at_zone", &self.send_at_zone),
            ("send_at_local", &self.send_at_local),
            ("time_zone", &self.time_zone),
            ("rate", &self.rate),
            ("lane", &self.lane),
            ("expires_after", &self.expires_after),
            ("lead", &self.lead),
            ("delivery", &self.delivery),
            ("max_attempts", &self.max_attempts),
            ("timeout", &self.timeout),
            ("backoff", &self.backoff),
            ("chunk", &self.chunk),
            ("key", &self.key),
        ];
        let fields = fields.into_iter().map(|(name, text)| (name.into(), text));
        fields.chain(self.translations.fields()).collect()
    }

    /// What the form calls the field that an error of a campaign is about.
    pub fn field_of(&self, path: &str) -> &'static str {
        match field_of(path) {
            "audience" => self.field_of_audience(path),
            field => field,
        }
    }
}

/// A moment as a form has it, which knows nothing shorter than a thousandth of a second.
fn on_the_clock_of_utc(at: Timestamp) -> String {
    let text = at.to_string();
    let whole = text.get(..19).unwrap_or(&text);
    match text.get(19..23) {
        Some(".000") | None => time_on_a_clock(whole),
        Some(thousandths) => format!("{whole}{thousandths}"),
    }
}

/// A local time as a form has it: its seconds only if there are any.
fn time_on_a_clock(time: &str) -> String {
    let has_seconds = time.matches(':').count() == 2;
    let minute = time.strip_suffix(":00").filter(|_| has_seconds);
    minute.unwrap_or(time).to_owned()
}

/// What the form calls the field that an error of a campaign is about; all that are about its audience are one.
fn field_of(path: &str) -> &'static str {
    const FIELDS: [&str; 35] = [
        "name",
        "category",
        "action",
        "whom_topic",
        "whom_platform",
        "whom_ids",
        "fits_topic",
        "fits_platform",
        "fits_lat",
        "fits_lon",
        "fits_radius",
        "fits_not",
        "also_topics",
        "also_platforms",
        "audience",
        "title",
        "body",
        "data",
        "translations",
        "provider",
        "channel",
        "topic",
        "send_at_local",
        "send_at_zone",
        "send_at",
        "time_zone",
        "rate",
        "lane",
        "expires_after",
        "lead",
        "delivery",
        "max_attempts",
        "timeout",
        "backoff",
        "chunk",
    ];
    let inner = path.strip_prefix("message.").unwrap_or(path);
    let field = FIELDS.into_iter().find(|field| inner.starts_with(field));
    field.unwrap_or("name")
}

/// What stands in a field, if anything does.
pub fn given(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
