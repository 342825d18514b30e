//! What an actor without the right to it is shown instead of payloads and people.

use std::collections::BTreeSet;

use baton_domain::{
    access::Permission,
    audience::Audience,
    campaign::Campaign,
    checkpoint::Checkpoint,
    event::Event,
    job::{Attempt, Failure, HIDDEN, Job},
    message::MessageSpec,
    operation::DeadLetterGroup,
    schedule::{Schedule, Template},
};
use serde_json::{Value, json};

use crate::Caller;

/// The payload of a job whose payload is not shown: JSON text.
const HIDDEN_JSON: &str = "\"(hidden)\"";

impl Caller {
    pub(crate) fn shown_job(&self, mut job: Job) -> Job {
        if self.may(Permission::PayloadsRead) {
            return job;
        }
        job.payload = HIDDEN_JSON.to_owned();
        job.key = job.key.map(|_| HIDDEN.to_owned());
        job.result = job.result.map(|_| HIDDEN_JSON.to_owned());
        job.last_error = job.last_error.map(without_message);
        job
    }

    pub(crate) fn shown_checkpoint(&self, mut checkpoint: Checkpoint) -> Checkpoint {
        if self.may(Permission::PayloadsRead) {
            return checkpoint;
        }
        checkpoint.cursor = checkpoint.cursor.map(|_| HIDDEN_JSON.to_owned());
        if let Some(progress) = &mut checkpoint.progress {
            progress.note = progress.note.take().map(|_| HIDDEN.to_owned());
        }
        checkpoint
    }

    pub(crate) fn shown_attempt(&self, mut attempt: Attempt) -> Attempt {
        if !self.may(Permission::PayloadsRead) {
            attempt.error = attempt.error.map(without_message);
        }
        attempt
    }

    /// Dead letters as the actor may see them.
    #[must_use]
    pub fn shown_group(&self, mut group: DeadLetterGroup) -> DeadLetterGroup {
        if !self.may(Permission::PayloadsRead) {
            group.sample = without_message(group.sample);
        }
        group
    }

    pub(crate) fn shown_campaign(&self, mut campaign: Campaign) -> Campaign {
        if !self.may(Permission::RecipientsRead) {
            hide_ids(&mut campaign.plan.audience);
        }
        if let Some(approval) = &mut campaign.approval
            && !self.may(Permission::AuditRead)
            && !self.may(Permission::CampaignsSend)
        {
            let approved = approval.approved.iter_mut();
            for signature in approved.chain([&mut approval.asked]) {
                signature.name = HIDDEN.to_owned();
            }
        }
        if !self.may(Permission::PayloadsRead) {
            campaign.key = campaign.key.map(|_| HIDDEN.to_owned());
            campaign.plan.message = MessageSpec {
                title: HIDDEN.to_owned(),
                body: HIDDEN.to_owned(),
                ..MessageSpec::default()
            };
        }
        campaign
    }

    pub(crate) fn shown_schedule(&self, mut schedule: Schedule) -> Schedule {
        match &mut schedule.plan.template {
            Template::Job(job) if !self.may(Permission::PayloadsRead) => {
                job.payload = HIDDEN_JSON.to_owned();
            }
            Template::Campaign(campaign) => {
                if !self.may(Permission::RecipientsRead) {
                    hide_listed_ids(campaign);
                }
                if !self.may(Permission::PayloadsRead) {
                    campaign["message"] = json!({ "title": HIDDEN, "body": HIDDEN });
                }
            }
            Template::Job(_) => {}
        }
        schedule
    }

    /// A fact as the actor may see it. Those about inboxes name their owner, and what failed is told in words that may quote
    /// anything.
    #[must_use]
    pub fn shown_event(&self, mut event: Event) -> Event {
        let names_a_person =
            event.kind.starts_with("inbox.") || event.kind.starts_with("notification.");
        if names_a_person && !self.may(Permission::RecipientsRead) {
            if event.kind.starts_with("inbox.") {
                event.subject = HIDDEN.to_owned();
            }
            event.data = Value::Object(serde_json::Map::new());
        }
        if !self.may(Permission::PayloadsRead) {
            hide_messages(&mut event.data);
        }
        event
    }
}

/// A job without what it carries and was answered, whoever looks.
pub(crate) fn listed(job: Job) -> Job {
    Job {
        payload: HIDDEN_JSON.to_owned(),
        result: job.result.map(|_| HIDDEN_JSON.to_owned()),
        ..job
    }
}

fn without_message(failure: Failure) -> Failure {
    Failure {
        message: HIDDEN.to_owned(),
        ..failure
    }
}

fn hide_ids(audience: &mut Audience) {
    match audience {
        Audience::Ids(ids) => *ids = BTreeSet::from([HIDDEN.to_owned()]),
        Audience::AllOf(parts) | Audience::AnyOf(parts) => parts.iter_mut().for_each(hide_ids),
        Audience::Not(part) => hide_ids(part),
        Audience::All | Audience::Platform(_) | Audience::Topic(_) | Audience::Within(_) => {}
    }
}

/// The same in an audience as it was written, which nobody has read yet.
fn hide_listed_ids(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                match name.as_str() {
                    "ids" => *field = Value::from(vec![HIDDEN]),
                    _ => hide_listed_ids(field),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(hide_listed_ids),
        _ => {}
    }
}

fn hide_messages(data: &mut Value) {
    let Value::Object(fields) = data else { return };
    for (name, field) in fields.iter_mut() {
        if ["message", "result", "key"].contains(&name.as_str()) {
            *field = Value::from(HIDDEN);
        } else {
            hide_messages(field);
        }
    }
}
