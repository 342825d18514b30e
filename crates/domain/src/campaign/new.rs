//! What a client asks for, and whether it can be had.

use std::time::Duration;

use jiff::{civil::DateTime, tz::TimeZone};
use ring::digest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{DEFAULT_LANE, Plan, Span, is_zone};
use crate::{
    CampaignId, Timestamp,
    audience::Audience,
    delivery, duration,
    job::{Backoff, Delivery, FieldError, KEY_RULE, is_key},
    message::{Message, MessageSpec},
    notification::Action,
    queue::{NAME_RULE, is_name},
    time::zone,
};

/// The first to see a new day, and by how much.
const EARLIEST_ZONE: Duration = Duration::from_secs(14 * 3_600);
/// How many recipients a chunk can hold.
const LARGEST_CHUNK: i64 = 10_000;

/// When a campaign is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SendAt {
    /// As soon as it is written.
    Now,
    /// At a moment, for all.
    At(Timestamp),
    /// When the clocks of each recipient show this time.
    Local {
        /// The time on the wall.
        time: DateTime,
        /// Whose wall, for those who have no zone of their own.
        zone: String,
    },
}

impl SendAt {
    /// When that is for somebody in a time zone; `None` for now. A time that a clock skips comes when it
    /// has gone on; one that it shows twice comes the first time.
    #[must_use]
    pub fn for_zone(&self, zone: Option<&str>) -> Option<Timestamp> {
        match self {
            Self::Now => None,
            Self::At(at) => Some(*at),
            Self::Local {
                time,
                zone: default,
            } => {
                let zone = zone.and_then(|zone| TimeZone::get(zone).ok());
                let zone = zone.or_else(|| TimeZone::get(default).ok());
                let at = time.to_zoned(zone.unwrap_or(TimeZone::UTC)).ok()?;
                Some(Timestamp::from_micros(at.timestamp().as_microsecond()))
            }
        }
    }

    /// The first moment at which it is due for anybody.
    #[must_use]
    pub fn earliest(&self) -> Option<Timestamp> {
        match self {
            Self::Now => None,
            Self::At(at) => Some(*at),
            Self::Local { time, .. } => {
                let at = time.to_zoned(TimeZone::UTC).ok()?.timestamp();
                Some(Timestamp::from_micros(at.as_microsecond()) - EARLIEST_ZONE)
            }
        }
    }
}

/// A campaign as a client asks for it; what is `None` takes its default.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CampaignSpec {
    /// What people call it.
    pub name: String,
    /// What sort of message it is.
    pub category: String,
    /// `inbox`, `push` or `both`.
    pub action: String,
    /// Whom it is for, as [`Audience::read`] takes it.
    pub audience: Value,
    /// What is said.
    pub message: MessageSpec,
    /// Who delivers.
    pub provider: Option<String>,
    /// By which address.
    pub channel: Option<String>,
    /// The topic that a recipient must still be opted in to when it is sent.
    pub topic: Option<String>,
    /// At which moment.
    pub send_at: Option<Timestamp>,
    /// Or at which time on each recipient's clock: `2026-01-31T09:00`.
    pub send_at_local: Option<String>,
    /// The zone of those who have none.
    pub time_zone: Option<String>,
    /// How long before that its deliveries are written.
    #[serde(with = "duration::option")]
    pub lead: Option<Duration>,
    /// How many deliveries may start each second.
    pub rate: Option<f64>,
    /// Where it waits for others.
    pub lane: Option<String>,
    /// How many recipients a chunk holds at most.
    pub chunk: Option<i64>,
    /// How long after its due moment a delivery still makes sense.
    #[serde(with = "duration::option")]
    pub expires_after: Option<Duration>,
    /// What to do in doubt.
    pub delivery: Option<Delivery>,
    /// How many tries a delivery has.
    pub max_attempts: Option<i64>,
    /// How long one try may take.
    #[serde(with = "duration::option")]
    pub timeout: Option<Duration>,
    /// When to try again.
    pub backoff: Option<Backoff>,
    /// The caller's own key.
    pub key: Option<String>,
}

/// A campaign that can be had: every field checked, every default filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCampaign {
    /// Its id.
    pub id: CampaignId,
    /// The caller's own key.
    pub key: Option<String>,
    /// What was asked, as a digest: the same key with another one is a conflict.
    pub content_hash: String,
    /// What it is to do.
    pub plan: Plan,
    /// Where it waits for others.
    pub lane: String,
    /// How many deliveries may start each second.
    pub rate: Option<f64>,
    /// When its deliveries begin to be written.
    pub start_at: Timestamp,
    /// When it was accepted.
    pub created_at: Timestamp,
}

impl NewCampaign {
    /// Checks what was asked and fills in what was not.
    ///
    /// # Errors
    /// Everything that is wrong, field by field.
    pub fn from_spec(spec: CampaignSpec, now: Timestamp) -> Result<Self, Vec<FieldError>> {
        let mut errors = spec.errors();
        let audience = Audience::read("audience", &spec.audience);
        let audience = audience.map_err(|wrong| errors.extend(wrong));
        let message = Message::from_spec(spec.message.clone());
        let within = |wrong: Vec<FieldError>| wrong.into_iter().map(|e| e.within("message"));
        let _checked = message.map_err(|wrong| errors.extend(within(wrong)));
        let send_at = spec.send_at(&mut errors);
        let action = spec.action.parse::<Action>();
        let action = action.map_err(|rule| errors.push(FieldError::new("action", rule)));
        let (Ok(audience), Ok(action), true) = (audience, action, errors.is_empty()) else {
            return Err(errors);
        };
        let content_hash = spec.content_hash();
        let lead = spec.lead.unwrap_or_default();
        let start_at = send_at.earliest().map_or(now, |at| (at - lead).max(now));
        let own_topic = match &audience {
            Audience::Topic(topic) => Some(topic.clone()),
            _ => None,
        };
        Ok(Self {
            id: CampaignId::start(now),
            key: spec.key,
            content_hash,
            lane: spec.lane.unwrap_or_else(|| DEFAULT_LANE.to_owned()),
            rate: spec.rate,
            start_at,
            created_at: now,
            plan: Plan {
                name: spec.name,
                category: spec.category,
                action,
                audience,
                message: spec.message,
                provider: spec.provider,
                channel: spec.channel.unwrap_or_else(|| delivery::CHANNEL.to_owned()),
                topic: spec.topic.or(own_topic),
                send_at,
                lead,
                expires_after: spec.expires_after.map(Span),
                delivery: spec.delivery.unwrap_or_default(),
                max_attempts: whole(spec.max_attempts).unwrap_or(4),
                timeout: spec.timeout.unwrap_or(Duration::from_secs(30)),
                backoff: spec.backoff.unwrap_or_default(),
                chunk: whole(spec.chunk),
            },
        })
    }
}

fn whole(number: Option<i64>) -> Option<u32> {
    number.and_then(|number| u32::try_from(number).ok())
}

impl CampaignSpec {
    fn errors(&self) -> Vec<FieldError> {
        let mut errors = Vec::new();
        let mut check = |ok: bool, field: &str, message: &str| {
            if !ok {
                errors.push(FieldError::new(field, message));
            }
        };
        let is_some_name = |name: &Option<String>| name.as_deref().is_none_or(is_name);
        let is_title = |text: &str| {
            (1..=200).contains(&text.chars().count()) && !text.chars().any(char::is_control)
        };
        let is_span =
            |span: Duration| (Duration::from_millis(1)..=duration::LONGEST).contains(&span);
        check(
            is_title(&self.name),
            "name",
            "must have 1 to 200 characters, none of them a control character",
        );
        check(is_name(&self.category), "category", NAME_RULE);
        check(is_some_name(&self.provider), "provider", NAME_RULE);
        check(is_some_name(&self.channel), "channel", NAME_RULE);
        check(is_some_name(&self.topic), "topic", NAME_RULE);
        check(is_some_name(&self.lane), "lane", NAME_RULE);
        check(
            self.lead
                .is_none_or(|lead| lead <= Duration::from_secs(7 * 86_400)),
            "lead",
            "can be 7d at most",
        );
        check(
            self.lead.is_none() || self.send_at.is_some() || self.send_at_local.is_some(),
            "lead",
            "says how long before send_at deliveries are written; give send_at or send_at_local as well",
        );
        check(
            self.rate
                .is_none_or(|rate| rate.is_finite() && (0.001..=1_000_000.0).contains(&rate)),
            "rate",
            "must lie between 0.001 and 1000000 deliveries a second",
        );
        check(
            self.chunk
                .is_none_or(|chunk| (1..=LARGEST_CHUNK).contains(&chunk)),
            "chunk",
            "must lie between 1 and 10000 recipients",
        );
        check(
            self.expires_after.is_none_or(is_span),
            "expires_after",
            "must be 1ms at least and ten years at most",
        );
        check(
            self.max_attempts.is_none_or(|n| (1..=100).contains(&n)),
            "max_attempts",
            "must lie between 1 and 100",
        );
        check(
            self.timeout
                .is_none_or(|t| is_span(t) && t <= Duration::from_secs(86_400)),
            "timeout",
            "must lie between 1ms and 24h",
        );
        check(
            self.backoff
                .as_ref()
                .is_none_or(|b| is_span(b.base) && b.cap >= b.base),
            "backoff",
            "base must be 1ms at least, and cap not smaller than base",
        );
        check(self.key.as_deref().is_none_or(is_key), "key", KEY_RULE);
        errors
    }

    fn send_at(&self, errors: &mut Vec<FieldError>) -> SendAt {
        let mut refuse = |field: &str, message: &str| errors.push(FieldError::new(field, message));
        if self.time_zone.as_deref().is_some_and(|text| !is_zone(text)) {
            refuse("time_zone", zone::RULE);
        }
        match (self.send_at, &self.send_at_local) {
            (Some(_), Some(_)) => {
                refuse(
                    "send_at_local",
                    "give either send_at or send_at_local, not both",
                );
                SendAt::Now
            }
            (None, None) => SendAt::Now,
            (Some(at), None) => SendAt::At(at),
            (None, Some(text)) => match text.parse::<DateTime>() {
                Ok(time) => SendAt::Local {
                    time,
                    zone: self.time_zone.clone().unwrap_or_else(|| "UTC".to_owned()),
                },
                Err(_) => {
                    refuse(
                        "send_at_local",
                        "must be a time on the wall, without a zone, such as 2026-01-31T09:00",
                    );
                    SendAt::Now
                }
            },
        }
    }

    /// A digest of what was asked, the moment of asking left out.
    fn content_hash(&self) -> String {
        let text = format!(
            "{:?}",
            Self {
                key: None,
                ..self.clone()
            }
        );
        let digest = digest::digest(&digest::SHA256, text.as_bytes());
        let bytes = digest.as_ref()[..16].iter();
        bytes.map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn spec() -> CampaignSpec {
        CampaignSpec {
            name: "Daily quiz".to_owned(),
            category: "question".to_owned(),
            action: "push".to_owned(),
            audience: json!({ "topic": "daily-quiz" }),
            message: MessageSpec {
                title: "Today".to_owned(),
                body: "Hello {{id}}".to_owned(),
                data: None,
            },
            ..CampaignSpec::default()
        }
    }

    fn wrong_fields(spec: CampaignSpec) -> Vec<String> {
        let errors = NewCampaign::from_spec(spec, NOW).unwrap_err();
        errors.into_iter().map(|error| error.field).collect()
    }

    fn local(time: &str) -> SendAt {
        SendAt::Local {
            time: time.parse().unwrap(),
            zone: "UTC".to_owned(),
        }
    }

    #[test]
    fn what_is_not_given_takes_its_default() {
        let campaign = NewCampaign::from_spec(spec(), NOW).unwrap();

        assert_eq!(
            (campaign.lane.as_str(), campaign.start_at),
            ("default", NOW)
        );
        assert_eq!(campaign.plan.channel, "push");
        assert_eq!(campaign.plan.topic.as_deref(), Some("daily-quiz"));
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        let fields = wrong_fields(CampaignSpec {
            name: String::new(),
            action: "fax".to_owned(),
            audience: json!({ "within": { "lat": 0, "lon": 0, "radius_m": 0 } }),
            rate: Some(0.0),
            chunk: Some(0),
            time_zone: Some("Mars/Olympus".to_owned()),
            ..spec()
        });

        let expected = [
            "name",
            "rate",
            "chunk",
            "audience.within.radius_m",
            "time_zone",
            "action",
        ];
        assert_eq!(fields, expected);
    }

    #[test]
    fn a_lead_moves_the_start_ahead_of_the_time_and_never_into_the_past() {
        let at = NOW + Duration::from_secs(3_600);
        let start = |lead| {
            let spec = CampaignSpec {
                send_at: Some(at),
                lead: Some(Duration::from_secs(lead)),
                ..spec()
            };
            NewCampaign::from_spec(spec, NOW).unwrap().start_at
        };

        assert_eq!(start(600), at - Duration::from_secs(600));
        assert_eq!(start(7_200), NOW);
    }

    #[test]
    fn a_local_time_is_another_moment_in_each_zone() {
        let nine = local("2026-01-31T09:00");
        let at = |zone| nine.for_zone(Some(zone)).unwrap().to_string();

        assert_eq!(at("Asia/Seoul"), "2026-01-31T00:00:00.000000Z");
        assert_eq!(at("America/New_York"), "2026-01-31T14:00:00.000000Z");
        assert!(nine.earliest() <= nine.for_zone(Some("Pacific/Kiritimati")));
    }

    #[test]
    fn a_skipped_local_time_comes_after_the_gap_and_a_doubled_one_the_first_time() {
        let at = |time| {
            local(time)
                .for_zone(Some("Europe/Berlin"))
                .unwrap()
                .to_string()
        };

        assert_eq!(at("2026-03-29T02:30"), "2026-03-29T01:30:00.000000Z");
        assert_eq!(at("2026-10-25T02:30"), "2026-10-25T00:30:00.000000Z");
    }

    #[test]
    fn the_same_request_has_the_same_content_whatever_its_key() {
        let hash = |key: &str| {
            let spec = CampaignSpec {
                key: Some(key.to_owned()),
                ..spec()
            };
            NewCampaign::from_spec(spec, NOW).unwrap().content_hash
        };

        assert_eq!(hash("a"), hash("b"));
    }
}
