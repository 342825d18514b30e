//! A campaign that can be had, out of what a client asks for.

use std::time::Duration;

use super::{Approval, CampaignDefinition, CampaignSpec, DEFAULT_LANE, State};
use crate::{
    CampaignId, Timestamp,
    audience::Audience,
    content::RequestDigest,
    delivery,
    duration::{LONGEST, Span},
    job::FieldError,
    message::Message,
    notification::Action,
};

/// A campaign that can be had: every field checked, every default filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCampaign {
    /// Its id.
    pub id: CampaignId,
    /// The caller's own key.
    pub key: Option<String>,
    /// What was asked: the same key with other content is a conflict. Nothing without a key.
    pub content: RequestDigest,
    /// What it is to do.
    pub plan: CampaignDefinition,
    /// Where it waits for others.
    pub lane: String,
    /// How many deliveries may start each second.
    pub rate: Option<f64>,
    /// The number of the last recipient it is for; known when it begins, if not before.
    pub until: Option<i64>,
    /// When its deliveries begin to be written.
    pub start_at: Timestamp,
    /// Who has to approve it before it may start; nothing if one person is enough.
    pub approval: Option<Approval>,
    /// When it was accepted.
    pub created_at: Timestamp,
}

impl NewCampaign {
    /// Where it begins.
    #[must_use]
    pub const fn state(&self) -> State {
        match self.approval {
            Some(_) => State::Stopped,
            None => State::Scheduled,
        }
    }

    /// Checks what was asked and fills in what was not.
    pub fn from_spec(spec: CampaignSpec, now: Timestamp) -> Result<Self, Vec<FieldError>> {
        let mut errors = spec.errors();
        let audience = Audience::read("audience", &spec.audience);
        let audience = audience.map_err(|wrong| errors.extend(wrong));
        let message = Message::from_spec(spec.message.clone());
        let within = |wrong: Vec<FieldError>| wrong.into_iter().map(|e| e.within("message"));
        let message = message.map_err(|wrong| errors.extend(within(wrong)));
        let send_at = spec.send_at(&mut errors);
        if send_at.earliest().is_some_and(|at| at > now + LONGEST) {
            let field = match spec.send_at {
                Some(_) => "send_at",
                None => "send_at_local",
            };
            errors.push(FieldError::new(field, "can lie ten years ahead at most"));
        }
        let action = spec.action.parse::<Action>();
        let action = action.map_err(|rule| errors.push(FieldError::new("action", rule)));
        let checked = (audience, message, action, errors.is_empty());
        let (Ok(audience), Ok(message), Ok(action), true) = checked else {
            return Err(errors);
        };
        let key = spec.key.as_ref();
        let content = key.map_or_else(RequestDigest::default, |_| spec.content());
        let lead = spec.lead.unwrap_or_default();
        let start_at = send_at.earliest().map_or(now, |at| (at - lead).max(now));
        let own_topic = match &audience {
            Audience::Topic(topic) => Some(topic.clone()),
            _ => None,
        };
        Ok(Self {
            id: CampaignId::start(now),
            key: spec.key,
            content,
            lane: spec.lane.unwrap_or_else(|| DEFAULT_LANE.to_owned()),
            rate: spec.rate,
            until: None,
            start_at,
            approval: None,
            created_at: now,
            plan: CampaignDefinition {
                name: spec.name,
                category: spec.category,
                action,
                audience,
                message: message.spec().clone(),
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
                rest: None,
            },
        })
    }
}

fn whole(number: Option<i64>) -> Option<u32> {
    number.and_then(|number| u32::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::message::MessageSpec;

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
                ..MessageSpec::default()
            },
            ..CampaignSpec::default()
        }
    }

    fn wrong_fields(spec: CampaignSpec) -> Vec<String> {
        let errors = NewCampaign::from_spec(spec, NOW).unwrap_err();
        errors.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn a_time_beyond_ten_years_is_refused() {
        let far = |send_at: Option<Timestamp>, local: Option<&str>| CampaignSpec {
            send_at,
            send_at_local: local.map(str::to_owned),
            ..spec()
        };

        let at = far(Some(NOW + LONGEST + Duration::from_secs(1)), None);
        let last_day = far(None, Some("9999-12-31T23:59"));

        assert_eq!(wrong_fields(at), ["send_at"]);
        assert_eq!(wrong_fields(last_day), ["send_at_local"]);
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
        let at = NOW + Duration::from_hours(1);
        let start = |lead| {
            let spec = CampaignSpec {
                send_at: Some(at),
                lead: Some(Duration::from_secs(lead)),
                ..spec()
            };
            NewCampaign::from_spec(spec, NOW).unwrap().start_at
        };

        assert_eq!(start(600), at - Duration::from_mins(10));
        assert_eq!(start(7_200), NOW);
    }

    #[test]
    fn the_same_request_has_the_same_content_whatever_its_key() {
        let hash = |key: &str| {
            let spec = CampaignSpec {
                key: Some(key.to_owned()),
                ..spec()
            };
            NewCampaign::from_spec(spec, NOW).unwrap().content
        };

        assert_eq!(hash("a"), hash("b"));
    }
}
