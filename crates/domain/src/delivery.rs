//! A delivery: the job that brings one message to one recipient.
//!
//! What a single notification says goes with its job. What a campaign says is written once, so its
//! deliveries only name it.

use serde::{Deserialize, Serialize};

use crate::{CampaignId, NotificationId, message::MessageSpec};

/// The kind of the jobs that bring messages.
pub const KIND: &str = "delivery";
/// Where a recipient is reached when nobody says otherwise.
pub const CHANNEL: &str = "push";
/// What sort of thing it is when nobody says otherwise.
pub const CATEGORY: &str = "activity";

/// What the job of a delivery carries as its payload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryPayload {
    /// Whom it is for.
    pub recipient_id: String,
    /// The campaign that says the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign_id: Option<CampaignId>,
    /// What is said, if there is no campaign.
    #[serde(rename = "note", default, skip_serializing_if = "Option::is_none")]
    pub inline: Option<InlineMessage>,
}

/// What is said, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InlineMessage {
    /// The notification it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notification_id: Option<NotificationId>,
    /// Who brings it.
    pub provider: String,
    /// On which channel of the recipient.
    #[serde(default = "push")]
    pub channel: String,
    /// What the recipient has to have opted in to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// What sort of thing it is.
    #[serde(default = "activity")]
    pub category: String,
    /// What is said.
    pub message: MessageSpec,
}

fn push() -> String {
    CHANNEL.to_owned()
}

fn activity() -> String {
    CATEGORY.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    fn delivery_payload() -> DeliveryPayload {
        let now = Timestamp::from_micros(1_700_000_000_000_000);
        DeliveryPayload {
            recipient_id: "user-1".to_owned(),
            campaign_id: None,
            inline: Some(InlineMessage {
                notification_id: Some(NotificationId::new(now)),
                provider: "gateway".to_owned(),
                channel: "email".to_owned(),
                topic: Some("likes".to_owned()),
                category: "activity".to_owned(),
                message: MessageSpec {
                    title: "t".to_owned(),
                    body: "b".to_owned(),
                    data: Some(r#"{"n":1.10}"#.to_owned()),
                    ..MessageSpec::default()
                },
            }),
        }
    }

    #[test]
    fn a_payload_reads_back_as_it_was_written() {
        let delivery_payload = delivery_payload();

        let text = serde_json::to_string(&delivery_payload).unwrap();

        assert_eq!(
            serde_json::from_str::<DeliveryPayload>(&text).unwrap(),
            delivery_payload
        );
        assert!(text.contains(r#""data":{"n":1.10}"#), "{text}");
    }

    #[test]
    fn what_nobody_says_takes_its_default_and_what_a_later_version_says_is_passed_over() {
        let text =
            r#"{"recipient_id":"a","note":{"provider":"p","message":{"title":"t","body":"b"}}}"#;

        let note = serde_json::from_str::<DeliveryPayload>(text)
            .unwrap()
            .inline
            .unwrap();
        let later = serde_json::from_str::<DeliveryPayload>(r#"{"recipient_id":"a","to":"b"}"#);

        assert_eq!(
            (note.channel.as_str(), note.category.as_str()),
            (CHANNEL, CATEGORY)
        );
        assert_eq!(later.unwrap().recipient_id, "a");
    }
}
