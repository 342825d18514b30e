//! A notification: something one or a few recipients are told at once.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{
    InboxItemId, JobId,
    content::RequestDigest,
    delivery, duration,
    job::{DeliveryGuarantee, FieldError, is_key},
    message::{Message, MessageSpec},
    queue::{NAME_RULE, is_name},
    recipient::{ID_RULE, is_id},
    strict,
    words::words,
};

/// The queue of its own that single notifications are sent from, so that bulk cannot delay them.
pub const QUEUE: &str = "notifications";
/// How many recipients one notification can have.
pub const MOST_RECIPIENTS: usize = 100;

words! {
    /// What a message does: it lies in the inbox, is brought to the recipient, or both.
    #[derive(Default)]
    pub enum Action as "MessageAction", or "expected {words}" {
        /// It lies in the inbox.
        Inbox = "inbox",
        /// It is brought to the recipient.
        Push = "push",
        /// Both.
        #[default]
        Both = "both",
    }
}

impl Action {
    /// Whether something lies in the inbox.
    #[must_use]
    pub const fn has_inbox(self) -> bool {
        matches!(self, Self::Inbox | Self::Both)
    }

    /// Whether something is brought to the recipient.
    #[must_use]
    pub const fn has_push(self) -> bool {
        matches!(self, Self::Push | Self::Both)
    }
}

/// Something that one or a few recipients are to be told at once.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Notify)]
pub struct NotificationSpec {
    /// Who is told, by your own ids.
    #[schema(min_items = 1, max_items = 100)]
    pub recipients: Vec<String>,
    /// What they are told.
    #[serde(deserialize_with = "strict::read")]
    pub message: MessageSpec,
    /// Whether it lies in the inbox, is brought to the recipient, or both; both if nothing is given.
    pub action: Option<Action>,
    /// What sort of thing it is: any word of your own; `activity` if none is given.
    #[schema(example = "activity")]
    pub category: Option<String>,
    /// What a recipient has to have opted in to; who has not is skipped.
    pub topic: Option<String>,
    /// Who brings it, as the configuration names it; the only one there is if none is given.
    pub provider: Option<String>,
    /// Which address of the recipient is used; `push` if none is given.
    pub channel: Option<String>,
    /// Your own key. The same key with the same content is the same notification, with other content a
    /// conflict.
    #[schema(example = "like-4711")]
    pub key: Option<String>,
    /// How long it is of use: a delivery that has not been made by then fails with the reason `expired`.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<duration::Span>)]
    pub expires_after: Option<Duration>,
    /// What to do when the outcome of a call is in doubt; `at_least_once` if nothing is given.
    pub delivery: Option<DeliveryGuarantee>,
}

/// A notification that can be had: every field checked, every default filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct Notification {
    /// Who is told; no two are the same.
    pub recipients: Vec<String>,
    /// What they are told.
    pub message: Message,
    /// What it does.
    pub action: Action,
    /// What sort of thing it is.
    pub category: String,
    /// What a recipient has to have opted in to.
    pub topic: Option<String>,
    /// Who brings it, if the caller has said so.
    pub provider: Option<String>,
    /// On which channel of the recipient.
    pub channel: String,
    /// The caller's own key.
    pub key: Option<String>,
    /// What was asked: the same key with other content is a conflict. Nothing without a key.
    pub content: RequestDigest,
    /// How long after now it is of no use any more.
    pub expires_after: Option<Duration>,
    /// What to do in doubt.
    pub delivery: DeliveryGuarantee,
}

/// What became of a notification for one recipient.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Sent {
    /// Who.
    pub recipient_id: String,
    /// What lies in the inbox.
    #[schema(value_type = Option<String>)]
    pub item_id: Option<InboxItemId>,
    /// The job that brings it.
    #[schema(value_type = Option<String>)]
    pub job_id: Option<JobId>,
    /// Why there is neither: `disabled` or `opted_out`.
    pub skipped: Option<String>,
}

impl Notification {
    /// Checks what was asked and fills in what was not.
    pub fn from_spec(spec: NotificationSpec) -> Result<Self, Vec<FieldError>> {
        let mut errors = spec.errors();
        let key = spec.key.as_ref();
        let content = key.map_or_else(RequestDigest::default, |_| spec.content());
        match Message::from_spec(spec.message) {
            Ok(message) if errors.is_empty() => Ok(Self {
                recipients: spec.recipients,
                message,
                action: spec.action.unwrap_or_default(),
                category: spec
                    .category
                    .unwrap_or_else(|| delivery::CATEGORY.to_owned()),
                topic: spec.topic,
                provider: spec.provider,
                channel: spec.channel.unwrap_or_else(|| delivery::CHANNEL.to_owned()),
                key: spec.key,
                content,
                expires_after: spec.expires_after,
                delivery: spec.delivery.unwrap_or_default(),
            }),
            Ok(_) => Err(errors),
            Err(wrong) => {
                errors.extend(wrong.into_iter().map(|error| error.within("message")));
                Err(errors)
            }
        }
    }
}

impl NotificationSpec {
    fn errors(&self) -> Vec<FieldError> {
        let mut errors = check_recipients(&self.recipients);
        for (field, word) in [
            ("category", &self.category),
            ("topic", &self.topic),
            ("provider", &self.provider),
            ("channel", &self.channel),
        ] {
            if word.as_deref().is_some_and(|word| !is_name(word)) {
                errors.push(FieldError::new(field, NAME_RULE));
            }
        }
        if self.key.as_deref().is_some_and(|key| !is_key(key)) {
            errors.push(FieldError::new("key", crate::job::KEY_RULE));
        }
        let spans = Duration::from_secs(1)..=duration::LONGEST;
        if self
            .expires_after
            .is_some_and(|span| !spans.contains(&span))
        {
            let message = "must be 1s at least and ten years at most";
            errors.push(FieldError::new("expires_after", message));
        }
        errors
    }
}

fn check_recipients(ids: &[String]) -> Vec<FieldError> {
    if !(1..=MOST_RECIPIENTS).contains(&ids.len()) {
        let message = format!(
            "must name 1 to {MOST_RECIPIENTS} recipients and names {}; a campaign reaches more",
            ids.len()
        );
        return vec![FieldError::new("recipients", message)];
    }
    let mut errors = Vec::new();
    let mut first = BTreeMap::new();
    for (i, id) in ids.iter().enumerate() {
        let field = format!("recipients[{i}]");
        if !is_id(id) {
            errors.push(FieldError::new(&field, ID_RULE));
        } else if let Some(earlier) = first.insert(id, i) {
            let message = format!("names whom recipients[{earlier}] names already");
            errors.push(FieldError::new(&field, message));
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(recipients: &[&str]) -> NotificationSpec {
        NotificationSpec {
            recipients: recipients.iter().map(|id| (*id).to_owned()).collect(),
            message: MessageSpec {
                title: "t".to_owned(),
                body: "b".to_owned(),
                ..MessageSpec::default()
            },
            ..NotificationSpec::default()
        }
    }

    fn fields_of(spec: NotificationSpec) -> Vec<String> {
        let errors = Notification::from_spec(spec).unwrap_err();
        errors.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn what_is_not_given_takes_its_default() {
        let notification = Notification::from_spec(spec(&["a", "b"])).unwrap();

        assert_eq!(notification.action, Action::Both);
        assert_eq!(notification.category, "activity");
        assert_eq!(notification.channel, "push");
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        let fields = fields_of(NotificationSpec {
            message: MessageSpec::default(),
            category: Some("no spaces".to_owned()),
            topic: Some(String::new()),
            channel: Some("ü".to_owned()),
            key: Some("a\nb".to_owned()),
            expires_after: Some(Duration::ZERO),
            ..spec(&["a", "", "a"])
        });

        let wanted = [
            "recipients[1]",
            "recipients[2]",
            "category",
            "topic",
            "channel",
            "key",
            "expires_after",
            "message.title",
            "message.body",
        ];
        assert_eq!(fields, wanted);
    }

    #[test]
    fn it_is_for_one_or_a_few() {
        let many: Vec<_> = (0..=MOST_RECIPIENTS).map(|i| i.to_string()).collect();
        let many: Vec<_> = many.iter().map(String::as_str).collect();

        assert_eq!(fields_of(spec(&[])), ["recipients"]);
        assert_eq!(fields_of(spec(&many)), ["recipients"]);
        assert!(Notification::from_spec(spec(&many[1..])).is_ok());
    }

    #[test]
    fn the_content_is_what_was_asked_but_not_the_key() {
        let keyed = |key: &str, recipient: &str| {
            let key = Some(key.to_owned());
            let spec = NotificationSpec {
                key,
                ..spec(&[recipient])
            };
            Notification::from_spec(spec).unwrap().content
        };

        assert_eq!(keyed("1", "a"), keyed("2", "a"));
        assert_ne!(keyed("1", "a"), keyed("1", "b"));
    }
}
