//! A campaign: a message to an audience, as one thing that can be watched, stopped and resumed.
//!
//! A campaign has a line of its own, a queue that is called by its id: to stop the campaign is to
//! pause the line, its rate is the line's, and the counters of the line are its books. Each recipient
//! becomes a delivery, a job whose id follows from the campaign's and the recipient's number.

mod approval;
mod new;
mod pace;
mod send_at;
mod spec;
mod state;
mod unreached;

pub use approval::{Approval, Signature};
pub use new::NewCampaign;
pub use pace::Limit;
pub use send_at::SendAt;
pub use spec::CampaignSpec;
pub use state::{Illegal, State, Transition, Trigger};
pub use unreached::{NumberRange, Rest, RestSpec};

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{
    CampaignId, Timestamp, WorkerId,
    audience::Audience,
    content::RequestDigest,
    delivery::{self, DeliveryPayload},
    duration::{self, Span},
    job::{self, Backoff, DeliveryGuarantee, JobOptions, NewJob},
    message::{Filled, Message, MessageSpec},
    notification::Action,
    reach::{self, Skip},
    recipient::Recipient,
    time::zone,
};

/// The lane of a campaign that names none.
pub const DEFAULT_LANE: &str = "default";

/// What a campaign is to do: written once and never changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CampaignDefinition {
    /// What people call it.
    pub name: String,
    /// `popular`, `question`, `notice`, `activity`, or a word of the caller's own.
    pub category: String,
    /// What becomes of each recipient.
    pub action: Action,
    /// Whom it is for.
    pub audience: Audience,
    /// What is said.
    pub message: MessageSpec,
    /// Who delivers; the configured default when it names none.
    pub provider: Option<String>,
    /// By which address.
    pub channel: String,
    /// The topic that a recipient must still be opted in to when it is sent.
    pub topic: Option<String>,
    /// When it is sent.
    pub send_at: SendAt,
    /// How long before that its deliveries are written.
    #[serde(with = "duration")]
    pub lead: Duration,
    /// How long after its due moment a delivery still makes sense.
    pub expires_after: Option<Span>,
    /// What to do in doubt.
    pub delivery: DeliveryGuarantee,
    /// How many tries a delivery has.
    pub max_attempts: u32,
    /// How long one try may take.
    #[serde(with = "duration")]
    pub timeout: Duration,
    /// When to try again.
    pub backoff: Backoff,
    /// How many recipients a chunk holds at most.
    pub chunk: Option<u32>,
    /// Of which campaign it is for the rest; it is for its whole audience if of none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<Rest>,
}

impl CampaignDefinition {
    /// What this member of the audience reads, or why it gets nothing. `message` is what the plan says, read.
    pub fn fill(&self, recipient: &Recipient, message: &Message) -> Result<Filled, Skip> {
        reach::may_be_told(recipient, self.topic.as_deref())?;
        if self.action == Action::Push {
            reach::address(recipient, &self.channel)?;
        }
        Ok(message.fill(&recipient.profile)?)
    }

    /// When it is due for a recipient.
    #[must_use]
    pub fn due(&self, recipient: &Recipient, now: Timestamp) -> Timestamp {
        let zone = recipient.profile.time_zone.as_deref();
        self.send_at.for_zone(zone).map_or(now, |at| at.max(now))
    }

    /// The delivery to a recipient, as the job it is.
    #[must_use]
    pub fn delivery_to(&self, id: CampaignId, recipient: &Recipient, now: Timestamp) -> NewJob {
        let run_at = self.due(recipient, now);
        let delivery_payload = DeliveryPayload {
            recipient_id: recipient.profile.id.clone(),
            campaign_id: Some(id),
            inline: None,
        };
        NewJob {
            worked_by: crate::queue::WorkedBy::Server,
            id: id.delivery(recipient.number),
            key: None,
            content: RequestDigest::default(),
            kind: delivery::KIND.to_owned(),
            queue: id.to_string(),
            priority: 0,
            payload: serde_json::to_string(&delivery_payload).unwrap_or_default(),
            run_at,
            expires_at: self.expires_after.map(|Span(span)| run_at + span),
            options: JobOptions {
                max_attempts: self.max_attempts,
                backoff: self.backoff.clone(),
                timeout: self.timeout,
                delivery: self.delivery,
                ..JobOptions::default()
            },
            created_at: now,
        }
    }
}

/// A campaign as a store shows it: what it is to do, and how far it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Campaign {
    /// Its id, and the name of its line.
    pub id: CampaignId,
    /// The caller's own key, if one was given.
    pub key: Option<String>,
    /// What it is to do.
    pub plan: CampaignDefinition,
    /// Where it waits for others: one campaign of a lane expands at a time.
    pub lane: String,
    /// Where it is.
    pub state: State,
    /// Who has to approve it, or has; nothing if one person is enough.
    pub approval: Option<Approval>,
    /// Why it was stopped or canceled, when somebody said so.
    pub why: Option<String>,
    /// One more with each command: what was begun before it is void.
    pub epoch: i64,
    /// How many deliveries may start each second.
    pub rate: Option<f64>,
    /// When its deliveries begin to be written.
    pub start_at: Timestamp,
    /// The number of the last recipient it has come to.
    pub cursor: i64,
    /// The number of the last recipient it is for; known when it begins.
    pub until: Option<i64>,
    /// How many members its audience had when it began, when that was counted.
    pub expected: Option<u64>,
    /// How many recipients it has come to: each a delivery, or an item, or skipped.
    pub expanded: u64,
    /// How many items it has laid into inboxes.
    pub items: u64,
    /// In how many chunks.
    pub chunks: u64,
    /// The node that walks, and until when the others leave it to that one.
    pub holder: Option<(WorkerId, Timestamp)>,
    /// How many nodes were lost in a row while they made or wrote its next chunk.
    pub losses: u32,
    /// How many deliveries are in which state.
    pub counts: Counts,
    /// How many deliveries ended a second, over the last whole minute.
    pub per_second: f64,
    /// Who expands in its lane, while it waits for that.
    pub waits_for: Option<CampaignId>,
    /// When it came.
    pub created_at: Timestamp,
    /// When it last moved.
    pub updated_at: Timestamp,
    /// When it began.
    pub began_at: Option<Timestamp>,
    /// When its last chunk was written.
    pub completed_at: Option<Timestamp>,
    /// When it was done or canceled.
    pub finished_at: Option<Timestamp>,
}

impl Campaign {
    /// How much of the audience was walked, as a share of one.
    #[must_use]
    pub fn walked(&self) -> f64 {
        match (self.completed_at, self.until) {
            (Some(_), _) => 1.0,
            (None, Some(until)) if until > 0 => self.cursor as f64 / until as f64,
            _ => 0.0,
        }
    }

    /// How many recipients have come to their end: their delivery has, or their inbox is all that there is
    /// to it, which has its item from the chunk on.
    #[must_use]
    pub fn ended(&self) -> u64 {
        let laid = match self.plan.action.has_push() {
            true => 0,
            false => self.items,
        };
        self.counts.total() - self.counts.live() + laid
    }

    /// Whether nothing may start it before somebody has approved it.
    #[must_use]
    pub fn awaits_approval(&self) -> bool {
        self.approval.as_ref().is_some_and(Approval::is_awaited)
    }

    /// Whether it is stopped until somebody has approved it.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.state == State::Stopped && self.awaits_approval()
    }

    /// Whether its last chunk is written.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.completed_at.is_some()
    }
}

/// How many deliveries are in which state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts([u64; job::State::ALL.len()]);

impl Counts {
    /// How many are in a state.
    #[must_use]
    pub const fn of(&self, state: job::State) -> u64 {
        self.0[state as usize]
    }

    /// Writes down how many are in a state.
    pub const fn set(&mut self, state: job::State, count: u64) {
        self.0[state as usize] = count;
    }

    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Those that are not terminal.
    #[must_use]
    pub fn live(&self) -> u64 {
        let live = job::State::ALL.into_iter().filter(|s| !s.is_terminal());
        live.map(|state| self.of(state)).sum()
    }
}

/// Whether a text names a zone whose local time a campaign can go by.
fn is_zone(text: &str) -> bool {
    zone::name(text).is_some()
}
