//! An audience: which recipients a campaign is for.
//!
//! Whether somebody belongs to it is [`Audience::is_member`] and nothing else; where a store looks
//! for members is its own affair. A disabled recipient can be a member: he is skipped with a reason
//! that can be seen, instead of missing without a trace.

mod reading;

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeMap};
use serde_json::Value;

use crate::{globe::Circle, recipient::Profile};

/// How deep conditions can be nested.
pub const DEEPEST: usize = 8;
/// How many conditions an audience can have.
pub const MOST_CONDITIONS: usize = 100;
/// How many ids an audience can name.
pub const MOST_IDS: usize = 10_000;

/// Which recipients are meant.
#[derive(Debug, Clone, PartialEq)]
pub enum Audience {
    /// Everybody.
    All,
    /// Who is on this platform.
    Platform(String),
    /// Who has opted in to this topic.
    Topic(String),
    /// Who is in this circle; whose location is not known is not.
    Within(Circle),
    /// Who has one of these ids.
    Ids(BTreeSet<String>),
    /// Who belongs to each of these.
    AllOf(Vec<Audience>),
    /// Who belongs to at least one of these.
    AnyOf(Vec<Audience>),
    /// Who does not belong to this.
    Not(Box<Audience>),
}

impl Audience {
    /// Whether a recipient belongs to it.
    #[must_use]
    pub fn is_member(&self, profile: &Profile) -> bool {
        match self {
            Self::All => true,
            Self::Platform(platform) => profile.platform == *platform,
            Self::Topic(topic) => profile.topics.contains(topic),
            Self::Within(circle) => profile.location.is_some_and(|point| circle.contains(point)),
            Self::Ids(ids) => ids.contains(&profile.id),
            Self::AllOf(parts) => parts.iter().all(|part| part.is_member(profile)),
            Self::AnyOf(parts) => parts.iter().any(|part| part.is_member(profile)),
            Self::Not(part) => !part.is_member(profile),
        }
    }
}

impl Serialize for Audience {
    /// Writes it as it is read: one condition is an object with one field.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(1))?;
        match self {
            Self::All => object.serialize_entry("all", &true),
            Self::Platform(platform) => object.serialize_entry("platform", platform),
            Self::Topic(topic) => object.serialize_entry("topic", topic),
            Self::Within(circle) => object.serialize_entry("within", circle),
            Self::Ids(ids) => object.serialize_entry("ids", ids),
            Self::AllOf(parts) => object.serialize_entry("all_of", parts),
            Self::AnyOf(parts) => object.serialize_entry("any_of", parts),
            Self::Not(part) => object.serialize_entry("not", part),
        }?;
        object.end()
    }
}

impl<'de> Deserialize<'de> for Audience {
    /// Reads it back, as strictly as from a client.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::read("audience", &value).map_err(|errors| {
            let first = errors.into_iter().next();
            de::Error::custom(first.map_or_else(String::new, |error| {
                format!("{}: {}", error.field, error.message)
            }))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{globe::Point, recipient::RecipientSpec};

    fn somebody() -> Profile {
        Profile {
            location: Some(Point {
                lat: 37.5,
                lon: 127.0,
            }),
            topics: BTreeSet::from(["quiz".to_owned()]),
            enabled: false,
            ..Profile::from_spec("a".to_owned(), RecipientSpec::on("ios")).unwrap()
        }
    }

    fn platform(name: &str) -> Audience {
        Audience::Platform(name.to_owned())
    }

    fn topic(name: &str) -> Audience {
        Audience::Topic(name.to_owned())
    }

    fn within(radius_m: f64) -> Audience {
        let centre = Point {
            lat: 37.51,
            lon: 127.0,
        };
        Audience::Within(Circle { centre, radius_m })
    }

    #[test]
    fn a_member_is_who_fits_the_condition() {
        let ids = |id: &str| Audience::Ids(BTreeSet::from([id.to_owned()]));

        for audience in [
            Audience::All,
            platform("ios"),
            topic("quiz"),
            within(1_200.0),
            ids("a"),
        ] {
            assert!(audience.is_member(&somebody()), "{audience:?}");
        }
        for audience in [platform("web"), topic("news"), within(1_000.0), ids("b")] {
            assert!(!audience.is_member(&somebody()), "{audience:?}");
        }
    }

    #[test]
    fn conditions_are_combined_as_their_names_say() {
        let both = Audience::AllOf(vec![platform("ios"), topic("news")]);
        let either = Audience::AnyOf(vec![platform("ios"), topic("news")]);
        let neither = Audience::Not(Box::new(either.clone()));

        let members = [both, either, neither].map(|audience| audience.is_member(&somebody()));

        assert_eq!(members, [false, true, false]);
    }

    #[test]
    fn who_has_no_location_is_nowhere() {
        let nowhere = Profile {
            location: None,
            ..somebody()
        };
        let farthest = within(crate::globe::FARTHEST);

        assert!(!farthest.is_member(&nowhere));
        assert!(Audience::Not(Box::new(farthest)).is_member(&nowhere));
    }
}
