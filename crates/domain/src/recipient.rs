//! A recipient: who is reached, under the caller's own id.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{
    Timestamp,
    globe::{self, Point},
    job::FieldError,
    locale,
    queue::{NAME_RULE, is_name},
    time::zone,
};

/// How many characters the id of a recipient can have.
pub const LONGEST_ID: usize = 200;
/// How many characters an address can have.
pub const LONGEST_ADDRESS: usize = 4_096;
/// What the id of a recipient may be, as a sentence.
pub const ID_RULE: &str = "must have 1 to 200 characters, none of them a control character, \
no space at either end, and be neither '.' nor '..'";
/// What an address may be, as a sentence.
pub const ADDRESS_RULE: &str = "must have 1 to 4,096 characters, none of them a control character";
/// How many topics a recipient can have.
pub const MOST_TOPICS: usize = 100;
/// How many addresses a recipient can have.
pub const MOST_ADDRESSES: usize = 16;

/// Whether a text can be the id of a recipient.
#[must_use]
pub fn is_id(text: &str) -> bool {
    // A path that holds a dot or two by itself never arrives: clients resolve it away.
    is_text(text, LONGEST_ID) && text.trim() == text && text != "." && text != ".."
}

fn is_text(text: &str, longest: usize) -> bool {
    (1..=longest).contains(&text.chars().count()) && !text.chars().any(char::is_control)
}

/// A recipient as it is described from now on; what is not given is empty from now on.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PutRecipient)]
pub struct RecipientSpec {
    /// What it is reached on; any word of your own.
    #[schema(example = "ios")]
    pub platform: String,
    /// Degrees north of the equator; with `lon`, or not at all.
    #[schema(minimum = -90, maximum = 90)]
    pub lat: Option<f64>,
    /// Degrees east of Greenwich; with `lat`, or not at all.
    #[schema(minimum = -180, maximum = 180)]
    pub lon: Option<f64>,
    /// What it has opted in to.
    #[serde(default)]
    #[schema(max_items = 100)]
    pub topics: Vec<String>,
    /// Whether anything is sent to it at all; true if nothing is given.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub enabled: bool,
    /// Where it is reached, by the name of the channel; 16 at most.
    #[serde(default)]
    #[schema(example = json!({"push": "token-4711"}))]
    pub addresses: BTreeMap<String, String>,
    /// The IANA name of its time zone.
    #[schema(example = "Asia/Seoul")]
    pub time_zone: Option<String>,
    /// The language it reads, by its BCP 47 name: which text of a message it is told.
    #[schema(example = "ko")]
    pub locale: Option<String>,
}

/// Something is sent to whom nobody says otherwise of.
#[must_use]
pub const fn yes() -> bool {
    true
}

impl RecipientSpec {
    /// Somebody on this platform, of whom nothing else is said.
    #[must_use]
    pub fn on(platform: &str) -> Self {
        Self {
            platform: platform.to_owned(),
            lat: None,
            lon: None,
            topics: Vec::new(),
            enabled: true,
            addresses: BTreeMap::new(),
            time_zone: None,
            locale: None,
        }
    }
}

/// A recipient as its owner has described it: every field checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The caller's own id.
    pub id: String,
    /// What it is reached on.
    pub platform: String,
    /// Where it is.
    pub location: Option<Point>,
    /// What it has opted in to.
    pub topics: BTreeSet<String>,
    /// Whether anything is sent to it at all.
    pub enabled: bool,
    /// Where it is reached, by the name of the channel.
    pub addresses: BTreeMap<String, String>,
    /// The IANA name of its time zone.
    pub time_zone: Option<String>,
    /// The BCP 47 name of the language it reads.
    pub locale: Option<String>,
}

/// A recipient as a store keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipient {
    /// Given at the first insert, one higher each time: what an audience is walked by.
    pub number: i64,
    /// As its owner has described it.
    pub profile: Profile,
    /// Addresses that a provider called dead, each for as long as it stays the same.
    pub dead: BTreeMap<String, String>,
    /// When it came.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Recipient {
    /// Where it is reached on a channel, unless that address is dead.
    #[must_use]
    pub fn address(&self, channel: &str) -> Option<&str> {
        let address = self.profile.addresses.get(channel)?;
        (self.dead.get(channel) != Some(address)).then_some(address)
    }

    /// The channels whose address is dead.
    pub fn dead_channels(&self) -> impl Iterator<Item = &str> {
        let channels = self.profile.addresses.keys().map(String::as_str);
        channels.filter(|channel| self.address(channel).is_none())
    }
}

impl Profile {
    /// Checks what a client wrote down.
    pub fn from_spec(id: String, spec: RecipientSpec) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        check_id(&id, &mut errors);
        check_platform(&spec.platform, &mut errors);
        let location = check_location(spec.lat, spec.lon, &mut errors);
        check_topics(&spec.topics, &mut errors);
        check_addresses(&spec.addresses, &mut errors);
        let time_zone = check_time_zone(spec.time_zone.as_deref(), &mut errors);
        let locale = check_locale(spec.locale.as_deref(), &mut errors);
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(Self {
            id,
            platform: spec.platform,
            location,
            topics: spec.topics.into_iter().collect(),
            enabled: spec.enabled,
            addresses: spec.addresses,
            time_zone,
            locale,
        })
    }
}

fn check_id(id: &str, errors: &mut Vec<FieldError>) {
    if !is_id(id) {
        errors.push(FieldError::new("id", ID_RULE));
    }
}

fn check_platform(platform: &str, errors: &mut Vec<FieldError>) {
    if !is_name(platform) {
        errors.push(FieldError::new("platform", NAME_RULE));
    }
}

fn check_location(
    lat: Option<f64>,
    lon: Option<f64>,
    errors: &mut Vec<FieldError>,
) -> Option<Point> {
    if lat.is_some_and(|lat| !globe::is_lat(lat)) {
        errors.push(FieldError::new("lat", globe::LAT_RULE));
    }
    if lon.is_some_and(|lon| !globe::is_lon(lon)) {
        errors.push(FieldError::new("lon", globe::LON_RULE));
    }
    let missing = match (lat, lon) {
        (Some(_), None) => Some("lon"),
        (None, Some(_)) => Some("lat"),
        _ => None,
    };
    if let Some(missing) = missing {
        let message = "is missing; a location has both lat and lon, or neither";
        errors.push(FieldError::new(missing, message));
    }
    lat.zip(lon).map(|(lat, lon)| Point { lat, lon })
}

fn check_topics(topics: &[String], errors: &mut Vec<FieldError>) {
    if topics.len() > MOST_TOPICS {
        let message = format!("can be {MOST_TOPICS} at most and are {}", topics.len());
        errors.push(FieldError::new("topics", message));
        return;
    }
    let wrong = topics
        .iter()
        .enumerate()
        .filter(|(_, topic)| !is_name(topic));
    errors.extend(wrong.map(|(i, _)| FieldError::new(&format!("topics[{i}]"), NAME_RULE)));
}

fn check_addresses(addresses: &BTreeMap<String, String>, errors: &mut Vec<FieldError>) {
    if addresses.len() > MOST_ADDRESSES {
        let message = format!(
            "can be {MOST_ADDRESSES} at most and are {}",
            addresses.len()
        );
        errors.push(FieldError::new("addresses", message));
        return;
    }
    for (channel, address) in addresses {
        if !is_name(channel) {
            let message = format!("the name of an address {NAME_RULE}");
            errors.push(FieldError::new("addresses", message));
        } else if !is_text(address, LONGEST_ADDRESS) {
            errors.push(FieldError::new(
                &format!("addresses.{channel}"),
                ADDRESS_RULE,
            ));
        }
    }
}

fn check_time_zone(text: Option<&str>, errors: &mut Vec<FieldError>) -> Option<String> {
    let name = zone::name(text?);
    if name.is_none() {
        errors.push(FieldError::new("time_zone", zone::RULE));
    }
    name
}

fn check_locale(text: Option<&str>, errors: &mut Vec<FieldError>) -> Option<String> {
    let name = locale::name(text?);
    if name.is_none() {
        errors.push(FieldError::new("locale", locale::RULE));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> RecipientSpec {
        RecipientSpec::on("ios")
    }

    fn fields_of(id: &str, spec: RecipientSpec) -> Vec<String> {
        let errors = Profile::from_spec(id.to_owned(), spec).unwrap_err();
        errors.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn an_id_is_whatever_the_caller_calls_somebody() {
        for id in [
            "1",
            "user-4711",
            "김철수",
            "a/b?c#d",
            "x y",
            "…",
            "a@b.example",
        ] {
            assert!(is_id(id), "{id}");
        }
        for id in ["", " a", "a ", ".", "..", "a\nb", "a\0", &"x".repeat(201)] {
            assert!(!is_id(id), "{id:?}");
        }
    }

    #[test]
    fn everything_that_is_wrong_is_named() {
        let wrong = RecipientSpec {
            platform: "i os".to_owned(),
            lat: Some(91.0),
            lon: Some(f64::NAN),
            topics: vec!["fine".to_owned(), String::new()],
            addresses: BTreeMap::from([("push".to_owned(), String::new())]),
            time_zone: Some("Mars/Base".to_owned()),
            locale: Some("the red one".to_owned()),
            ..spec()
        };

        let fields = fields_of("", wrong);

        let wanted = [
            "id",
            "platform",
            "lat",
            "lon",
            "topics[1]",
            "addresses.push",
            "time_zone",
            "locale",
        ];
        assert_eq!(fields, wanted);
    }

    #[test]
    fn a_location_has_both_numbers_or_neither() {
        let half = RecipientSpec {
            lat: Some(1.0),
            ..spec()
        };

        assert_eq!(fields_of("a", half), ["lon"]);
    }

    #[test]
    fn so_many_topics_and_addresses_and_no_more() {
        let many = |count: usize| (0..count).map(|i| format!("t{i}"));
        let topics = |count| RecipientSpec {
            topics: many(count).collect(),
            ..spec()
        };
        let addresses = |count| RecipientSpec {
            addresses: many(count).map(|name| (name, "x".to_owned())).collect(),
            ..spec()
        };

        assert!(Profile::from_spec("a".to_owned(), topics(MOST_TOPICS)).is_ok());
        assert!(Profile::from_spec("a".to_owned(), addresses(MOST_ADDRESSES)).is_ok());
        assert_eq!(fields_of("a", topics(MOST_TOPICS + 1)), ["topics"]);
        assert_eq!(fields_of("a", addresses(MOST_ADDRESSES + 1)), ["addresses"]);
    }

    #[test]
    fn a_dead_address_is_no_address_until_it_is_another_one() {
        let mut profile = Profile::from_spec("a".to_owned(), spec()).unwrap();
        profile.addresses = BTreeMap::from([("push".to_owned(), "old".to_owned())]);
        let mut recipient = Recipient {
            number: 1,
            profile,
            dead: BTreeMap::from([("push".to_owned(), "old".to_owned())]),
            created_at: Timestamp::default(),
            updated_at: Timestamp::default(),
        };

        let (before, dead) = (
            recipient.address("push").map(str::to_owned),
            recipient.dead_channels().count(),
        );
        recipient
            .profile
            .addresses
            .insert("push".to_owned(), "new".to_owned());

        assert_eq!((before, dead), (None, 1));
        assert_eq!(recipient.address("push"), Some("new"));
        assert_eq!(recipient.dead_channels().count(), 0);
    }
}
