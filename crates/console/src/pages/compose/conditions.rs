//! Conditions that are joined: a topic, a platform, a circle, a topic that must not be; all of them, or any, and a group beside them.

use baton_domain::{
    audience::Audience,
    globe::{Circle, LAT_RULE, LON_RULE, Point, is_lat, is_lon, is_radius},
};
use serde_json::{Value, json};

use super::{
    draft::{Draft, given},
    reading::Errors,
};

const METRES: f64 = 1_000.0;

impl Draft {
    /// A form that is empty but for joined conditions; nothing if it cannot say these.
    pub fn with_conditions(audience: &Audience) -> Option<Self> {
        let empty = || Self {
            whom: "fits".to_owned(),
            ..Self::default()
        };
        let (fits, parts) = match audience {
            Audience::AllOf(parts) => ("all", &parts[..]),
            Audience::AnyOf(parts) => ("any", &parts[..]),
            alone => ("all", std::slice::from_ref(alone)),
        };
        let mut draft = empty();
        if draft.take_conditions(fits, parts) {
            return Some(draft);
        }
        let mut draft = empty();
        if draft.take_group(audience) {
            return Some(draft);
        }
        let (group, others) = match audience {
            Audience::AllOf(parts) => parts.split_last()?,
            _ => return None,
        };
        let (fits, others) = match others {
            [Audience::AnyOf(any)] if any.len() > 1 => ("any", &any[..]),
            others => ("all", others),
        };
        let mut draft = empty();
        (draft.take_conditions(fits, others) && draft.take_group(group)).then_some(draft)
    }

    fn take_conditions(&mut self, fits: &str, parts: &[Audience]) -> bool {
        fits.clone_into(&mut self.fits);
        !parts.is_empty() && parts.iter().all(|part| self.take_condition(part))
    }

    /// Writes a condition into its field, if that is free.
    fn take_condition(&mut self, part: &Audience) -> bool {
        let fill = |field: &mut String, text: String| {
            let is_free = field.is_empty();
            *field = text;
            is_free
        };
        match part {
            Audience::Topic(topic) => fill(&mut self.fits_topic, topic.clone()),
            Audience::Platform(platform) => fill(&mut self.fits_platform, platform.clone()),
            Audience::Within(Circle { centre, radius_m }) => {
                let km = radius_m / METRES;
                self.fits_lat = centre.lat.to_string();
                self.fits_lon = centre.lon.to_string();
                // Read back from kilometres it has to be the same.
                fill(&mut self.fits_radius, km.to_string()) && km * METRES == *radius_m
            }
            Audience::Not(part) => match &**part {
                Audience::Topic(topic) => fill(&mut self.fits_not, topic.clone()),
                _ => false,
            },
            _ => false,
        }
    }

    /// The conditions that were typed, as a campaign has them.
    pub fn conditions(&self, errors: &mut Errors) -> Value {
        let mut parts = Vec::new();
        parts.extend(given(&self.fits_topic).map(|topic| json!({ "topic": topic })));
        parts.extend(given(&self.fits_platform).map(|platform| json!({ "platform": platform })));
        parts.extend(
            self.circle(errors)
                .map(|circle| json!({ "within": circle })),
        );
        parts.extend(given(&self.fits_not).map(|topic| json!({ "not": { "topic": topic } })));
        if parts.len() > 1 && self.fits == "any" {
            parts = vec![json!({ "any_of": parts })];
        }
        parts.extend(self.group());
        match parts.len() {
            0 => {
                let message = tr!("must be filled, or another condition: one at the least");
                errors.add("fits_topic", message);
                json!({ "all": true })
            }
            1 => parts.remove(0),
            _ => json!({ "all_of": parts }),
        }
    }

    /// The conditions in words.
    pub fn conditions_in_words(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(
            given(&self.fits_topic).map(|topic| tr!("who is opted in to {topic}", topic = topic)),
        );
        parts.extend(
            given(&self.fits_platform)
                .map(|platform| tr!("who is on {platform}", platform = platform)),
        );
        parts.extend(given(&self.fits_radius).map(|km| {
            tr!(
                "who is within {km} km of {lat}, {lon}",
                km = km,
                lat = self.fits_lat.trim(),
                lon = self.fits_lon.trim()
            )
        }));
        parts.extend(
            given(&self.fits_not).map(|topic| tr!("who is not opted in to {topic}", topic = topic)),
        );
        let Some(group) = self.group_in_words() else {
            return parts.join(match &*self.fits {
                "any" => tr!("; or "),
                _ => tr!("; and "),
            });
        };
        if parts.len() > 1 && self.fits == "any" {
            parts = vec![tr!("any of these: {parts}", parts = parts.join(", "))];
        }
        parts.push(group);
        parts.join(tr!("; and "))
    }

    /// The field that an error of the audience is about.
    pub fn field_of_condition(&self, path: &str) -> &'static str {
        let about = |word: &str| path.contains(word);
        match self.field_of_group(path, self.conditions_given()) {
            Some(field) => field,
            None if about(".within") => "fits_lat",
            None if about(".platform") => "fits_platform",
            None if about(".not") => "fits_not",
            None => "fits_topic",
        }
    }

    /// How many conditions were typed beside the group.
    fn conditions_given(&self) -> usize {
        let typed = [
            &self.fits_topic,
            &self.fits_platform,
            &self.fits_radius,
            &self.fits_not,
        ];
        typed.iter().filter(|text| given(text).is_some()).count()
    }

    fn circle(&self, errors: &mut Errors) -> Option<Circle> {
        let typed = [&self.fits_lat, &self.fits_lon, &self.fits_radius];
        if typed.iter().all(|text| given(text).is_none()) {
            return None;
        }
        let is_length = |km: f64| is_radius(km * METRES);
        let radius_rule = tr!("must be kilometres, above 0 and 20,000 at most");
        let [lat, lon, km] = [
            (
                "fits_lat",
                &self.fits_lat,
                is_lat as fn(f64) -> bool,
                LAT_RULE,
            ),
            ("fits_lon", &self.fits_lon, is_lon, LON_RULE),
            ("fits_radius", &self.fits_radius, is_length, radius_rule),
        ]
        .map(|(field, text, is_right, rule)| {
            let number = text.trim().parse().ok().filter(|number| is_right(*number));
            if number.is_none() {
                errors.add(field, rule);
            }
            number
        });
        Some(Circle {
            centre: Point {
                lat: lat?,
                lon: lon?,
            },
            radius_m: km? * METRES,
        })
    }
}
