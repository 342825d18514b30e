//! Who is erased: by what they are found, and how what names them is written without them.

use serde_json::Value;

use super::{PAYLOAD, WORD};
use crate::{
    OperationId,
    audience::Audience,
    campaign::CampaignDefinition,
    delivery::{self, DeliveryPayload},
    message::MessageSpec,
    notification::Sent,
    schedule::{JobTemplate, Template},
};

/// A word shorter than this is not looked for in what others wrote: too much else is called so.
const SHORTEST: usize = 4;
/// The fields of an event in which anybody can have written anything.
const FREE: [&str; 5] = ["message", "reason", "why", "name", "error"];

/// Who is erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Their id.
    pub id: String,
    /// Every address they had when the erasure began.
    pub addresses: Vec<String>,
    /// What stands for them where somebody has to be named: nobody else is called so.
    pub instead: String,
}

impl Person {
    /// A person whom this operation erases.
    #[must_use]
    pub fn new(id: String, addresses: Vec<String>, operation: OperationId) -> Self {
        Self {
            id,
            addresses,
            instead: operation.to_string(),
        }
    }

    /// Their id as JSON writes it.
    #[must_use]
    pub fn quoted(&self) -> String {
        written(&self.id)
    }

    /// Pieces of JSON text, one of which stands in every text that [`Self::redact`] would change.
    #[must_use]
    pub fn traces(&self) -> Vec<String> {
        let inner = |word: &str| {
            let text = written(word);
            text[1..text.len() - 1].to_owned()
        };
        let words = self.words().map(inner);
        [self.quoted()].into_iter().chain(words).collect()
    }

    /// Whether a text that anybody can have written quotes them.
    #[must_use]
    pub fn is_quoted_by(&self, text: &str) -> bool {
        self.words().any(|word| holds(text, word))
    }

    /// Whether a job is a delivery to them.
    #[must_use]
    pub fn is_reached_by(&self, kind: &str, payload: &str) -> bool {
        let delivery_payload = || serde_json::from_str::<DeliveryPayload>(payload);
        kind == delivery::KIND
            && delivery_payload()
                .is_ok_and(|delivery_payload| delivery_payload.recipient_id == self.id)
    }

    /// Writes the particulars of an event without them. `false`: they were not in it.
    pub fn redact(&self, particulars: &mut Value) -> bool {
        match particulars {
            Value::Array(items) => {
                let each = items.iter_mut().map(|item| self.redact(item));
                each.fold(false, |any, one| any | one)
            }
            Value::Object(fields) => {
                let each = fields
                    .iter_mut()
                    .map(|(name, value)| self.redact_field(name, value));
                each.fold(false, |any, one| any | one)
            }
            _ => false,
        }
    }

    fn redact_field(&self, name: &str, value: &mut Value) -> bool {
        let text = match value {
            Value::String(text) => text,
            other => return self.redact(other),
        };
        let is_theirs = name == "recipient_id" && *text == self.id;
        let is_quoting = FREE.contains(&name) && self.is_quoted_by(text);
        if is_theirs {
            text.clear();
        } else if is_quoting {
            WORD.clone_into(text);
        }
        is_theirs || is_quoting
    }

    /// Writes what became of a notification without them. `false`: it was not for them.
    pub fn leave_notice(&self, sent: &mut [Sent]) -> bool {
        let mut theirs = sent.iter_mut().filter(|one| one.recipient_id == self.id);
        theirs.next().map(|one| one.recipient_id.clear()).is_some()
    }

    /// Takes them out of the audience of a campaign and out of its name; one that was for them alone says
    /// nothing any more. `false`: they are not named there.
    pub fn leave_plan(&self, plan: &mut CampaignDefinition) -> bool {
        let is_named = self.leave(&mut plan.audience);
        let is_called = self.is_quoted_by(&plan.name);
        if is_called {
            WORD.clone_into(&mut plan.name);
        }
        if is_named && self.was_alone(&plan.audience) {
            plan.message = MessageSpec {
                title: WORD.to_owned(),
                body: WORD.to_owned(),
                ..MessageSpec::default()
            };
        }
        is_named || is_called
    }

    /// Takes them out of what a schedule makes. `false`: they are not named there.
    pub fn leave_template(&self, template: &mut Template) -> bool {
        match template {
            Template::Job(job) => self.leave_job(job),
            Template::Campaign(campaign) => self.leave_campaign(campaign),
        }
    }

    fn leave_job(&self, job: &mut JobTemplate) -> bool {
        let is_theirs = self.is_reached_by(&job.kind, &job.payload);
        if is_theirs {
            PAYLOAD.clone_into(&mut job.payload);
            job.tags.retain(|tag| !self.is_quoted_by(tag));
        }
        is_theirs
    }

    fn leave_campaign(&self, campaign: &mut Value) -> bool {
        let read = |value: &Value| Audience::read("audience", value).ok();
        let Some(mut audience) = campaign.get("audience").and_then(read) else {
            return self.leave_unread(campaign);
        };
        if !self.leave(&mut audience) {
            return false;
        }
        let name = campaign.get_mut("name");
        if let Some(name) =
            name.filter(|name| name.as_str().is_some_and(|it| self.is_quoted_by(it)))
        {
            *name = WORD.into();
        }
        if self.was_alone(&audience) {
            campaign["message"] = serde_json::json!({ "title": WORD, "body": WORD });
        }
        campaign["audience"] = serde_json::to_value(audience).unwrap_or_default();
        true
    }

    /// Takes them out of what does not say whom it is for.
    fn leave_unread(&self, campaign: &mut Value) -> bool {
        let Some(struck) = self.struck_from(&campaign.to_string()) else {
            return false;
        };
        *campaign = serde_json::from_str(&struck).unwrap_or(Value::String(struck));
        true
    }

    fn leave(&self, audience: &mut Audience) -> bool {
        match audience {
            Audience::Ids(ids) => ids.remove(&self.id) && ids.insert(self.instead.clone()),
            Audience::AllOf(parts) | Audience::AnyOf(parts) => {
                let each = parts.iter_mut().map(|part| self.leave(part));
                each.fold(false, |any, one| any | one)
            }
            Audience::Not(part) => self.leave(part),
            _ => false,
        }
    }

    fn was_alone(&self, audience: &Audience) -> bool {
        matches!(audience, Audience::Ids(ids) if ids.len() == 1 && ids.contains(&self.instead))
    }

    /// What they are looked for by in what others wrote.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let words = [&self.id].into_iter().chain(&self.addresses);
        words
            .map(String::as_str)
            .filter(|word| word.chars().count() >= SHORTEST)
    }
}

fn written(text: &str) -> String {
    Value::from(text).to_string()
}

/// Whether a text holds a word, not as a part of another one.
fn holds(text: &str, word: &str) -> bool {
    text.match_indices(word)
        .any(|(at, _)| is_apart(text, at, word))
}

/// Whether a word that stands in a text is no part of another one.
pub(super) fn is_apart(text: &str, at: usize, word: &str) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + word.len()..].chars().next();
    let is_end = |neighbour: Option<char>| !neighbour.is_some_and(char::is_alphanumeric);
    is_end(before) && is_end(after)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Timestamp;

    fn person(id: &str) -> Person {
        let operation = OperationId::new(Timestamp::from_micros(1_700_000_000_000_000));
        Person::new(id.to_owned(), vec!["token-4711".to_owned()], operation)
    }

    #[test]
    fn an_event_says_the_same_of_everybody_else() {
        let mut data = json!([
            { "recipient_id": "user-1" },
            { "recipient_id": "user-12", "code": "user-1" },
            { "message": "no such token: token-4711!", "code": "token-4711" },
            { "message": "no such token: token-47110" },
        ]);

        let is_changed = person("user-1").redact(&mut data);

        let rest = json!([
            { "recipient_id": "" },
            { "recipient_id": "user-12", "code": "user-1" },
            { "message": "erased", "code": "token-4711" },
            { "message": "no such token: token-47110" },
        ]);
        assert!(is_changed);
        assert_eq!(data, rest);
        assert!(!person("user-1").redact(&mut data));
    }

    #[test]
    fn a_short_id_is_found_where_it_names_somebody_and_nowhere_else() {
        let mut data = json!({ "recipient_id": "a", "message": "a call failed" });

        person("a").redact(&mut data);

        assert_eq!(
            data,
            json!({ "recipient_id": "", "message": "a call failed" })
        );
    }

    #[test]
    fn what_is_changed_holds_a_trace() {
        let person = person("o\"brien\\1");
        let texts = [
            json!({ "recipient_id": person.id }).to_string(),
            json!({ "message": format!("to {}: no", person.id) }).to_string(),
            json!({ "message": "token-4711" }).to_string(),
        ];

        for text in texts {
            let mut data = serde_json::from_str(&text).unwrap();
            assert!(
                person.traces().iter().any(|trace| text.contains(trace)),
                "{text}"
            );
            assert!(person.redact(&mut data), "{text}");
        }
    }

    #[test]
    fn an_audience_names_nobody_in_their_place_and_can_be_read() {
        let person = person("user-1");
        let mut audience = Audience::read(
            "audience",
            &json!({ "any_of": [{ "topic": "a" }, { "not": { "ids": ["user-1"] } }] }),
        )
        .unwrap();

        let is_named = person.leave(&mut audience);

        let text = serde_json::to_string(&audience).unwrap();
        assert!(is_named && !text.contains("user-1"), "{text}");
        assert_eq!(serde_json::from_str::<Audience>(&text).unwrap(), audience);
    }

    #[test]
    fn a_schedule_that_reached_them_alone_says_nothing_any_more() {
        let person = person("user-1");
        let mut template = Template::Campaign(json!({
            "name": "For user-1", "audience": { "ids": ["user-1"] },
            "message": { "title": "Dear user-1", "body": "b" },
        }));

        let is_named = person.leave_template(&mut template);

        let text = serde_json::to_string(&template).unwrap();
        assert!(is_named && !text.contains("user-1"), "{text}");
        assert!(!person.leave_template(&mut template));
    }

    #[test]
    fn the_payload_that_is_left_is_a_delivery_to_nobody() {
        let delivery_payload: DeliveryPayload = serde_json::from_str(PAYLOAD).unwrap();

        assert!(!crate::recipient::is_id(&delivery_payload.recipient_id));
        assert!(!person("user-1").is_reached_by(delivery::KIND, PAYLOAD));
    }
}
