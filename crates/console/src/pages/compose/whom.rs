//! Whom a campaign is for, as the form asks for it: a choice and the fields that belong to it.
//!
//! Only what no choice can say is written as JSON.

use baton_domain::audience::Audience;
use serde_json::{Value, json};

use super::{
    draft::{Draft, given},
    reading::Errors,
};
use crate::view::count;

/// How many ids are named when an audience is told.
const NAMED: usize = 5;

impl Draft {
    /// A form that is empty but for its audience.
    pub fn addressed_to(audience: &Audience) -> Self {
        let empty = Self::default();
        match audience {
            Audience::All => empty,
            Audience::Topic(topic) => Self {
                whom: "topic".to_owned(),
                whom_topic: topic.clone(),
                ..empty
            },
            Audience::Platform(platform) => Self {
                whom: "platform".to_owned(),
                whom_platform: platform.clone(),
                ..empty
            },
            Audience::Ids(ids) => Self {
                whom: "ids".to_owned(),
                whom_ids: ids.iter().cloned().collect::<Vec<_>>().join("\n"),
                ..empty
            },
            others => Self::with_conditions(others).unwrap_or_else(|| Self {
                whom: "json".to_owned(),
                audience: serde_json::to_string(others).unwrap_or_default(),
                ..empty
            }),
        }
    }

    /// What was chosen, as a campaign has it.
    pub fn audience(&self, errors: &mut Errors) -> Value {
        self.check_unchosen_audience(errors);
        match &*self.whom {
            "all" => json!({ "all": true }),
            "topic" => json!({ "topic": needed(errors, "whom_topic", &self.whom_topic) }),
            "platform" => {
                json!({ "platform": needed(errors, "whom_platform", &self.whom_platform) })
            }
            "ids" => {
                needed(errors, "whom_ids", &self.whom_ids);
                json!({ "ids": self.ids() })
            }
            "fits" => self.conditions(errors),
            _ => self.audience_of_json(errors),
        }
    }

    /// Whether it is typed as JSON.
    pub fn is_json(&self) -> bool {
        !["all", "topic", "platform", "ids", "fits"].contains(&&*self.whom)
    }

    /// The field in which the part of the chosen audience is typed that an error is about.
    pub fn field_of_audience(&self, path: &str) -> &'static str {
        match &*self.whom {
            "topic" => "whom_topic",
            "platform" => "whom_platform",
            "ids" => "whom_ids",
            "fits" => self.field_of_condition(path),
            _ => "audience",
        }
    }

    /// Whom it is for, in words; what was typed as JSON stays that.
    pub fn audience_in_words(&self) -> String {
        match &*self.whom {
            "all" => tr!("everybody").to_owned(),
            "topic" => tr!("who is opted in to {topic}", topic = self.whom_topic.trim()),
            "platform" => tr!("who is on {platform}", platform = self.whom_platform.trim()),
            "ids" => ids_in_words(&self.ids()),
            "fits" => self.conditions_in_words(),
            _ => self.audience.clone(),
        }
    }

    /// An audience that was typed and not chosen would be lost, and the campaign go to others.
    fn check_unchosen_audience(&self, errors: &mut Errors) {
        let (fits, json) = (tr!("Who fits these conditions"), tr!("Others, as JSON"));
        for (whom, field, text, label) in [
            (
                "topic",
                "whom_topic",
                &self.whom_topic,
                tr!("Who is opted in to a topic"),
            ),
            (
                "platform",
                "whom_platform",
                &self.whom_platform,
                tr!("Who is on a platform"),
            ),
            ("ids", "whom_ids", &self.whom_ids, tr!("These recipients")),
            ("fits", "fits_topic", &self.fits_topic, fits),
            ("fits", "fits_platform", &self.fits_platform, fits),
            ("fits", "fits_lat", &self.fits_lat, fits),
            ("fits", "fits_lon", &self.fits_lon, fits),
            ("fits", "fits_radius", &self.fits_radius, fits),
            ("fits", "fits_not", &self.fits_not, fits),
            ("fits", "also_topics", &self.also_topics, fits),
            ("fits", "also_platforms", &self.also_platforms, fits),
            ("json", "audience", &self.audience, json),
        ] {
            let is_chosen = self.whom == whom || whom == "json" && self.is_json();
            if !is_chosen {
                errors.refuse_unchosen(field, text, label);
            }
        }
    }

    fn ids(&self) -> Vec<&str> {
        let lines = self.whom_ids.lines().map(str::trim);
        lines.filter(|line| !line.is_empty()).collect()
    }

    fn audience_of_json(&self, errors: &mut Errors) -> Value {
        if given(&self.audience).is_none() {
            let message = tr!(
                "must say whom it is for, such as {\"topic\": \"daily-quiz\"}, or {\"all\": true} for everybody"
            );
            errors.add("audience", message);
            return json!({ "all": true });
        }
        serde_json::from_str(&self.audience).unwrap_or_else(|error| {
            let message = tr!(
                "is no JSON ({error}); write it as {\"all\": true} or {\"topic\": \"daily-quiz\"}",
                error = error
            );
            errors.add("audience", message);
            json!({ "all": true })
        })
    }
}

/// What stands in a field that belongs to what was chosen.
fn needed(errors: &mut Errors, field: &str, text: &str) -> String {
    given(text).unwrap_or_else(|| {
        errors.add(field, tr!("must be filled, since this was chosen"));
        String::new()
    })
}

fn ids_in_words(ids: &[&str]) -> String {
    let named = ids
        .iter()
        .take(NAMED)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    match ids.len() {
        1 => tr!("one id: {ids}", ids = named),
        many if many <= NAMED => tr!("{n} ids: {ids}", n = many, ids = named),
        many => tr!(
            "{n} ids: {ids} and {more} more",
            n = count(many as u64),
            ids = named,
            more = count((many - NAMED) as u64)
        ),
    }
}
