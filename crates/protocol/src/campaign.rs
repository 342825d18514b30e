//! Campaigns: a message to an audience, as one thing that can be watched, stopped and resumed.

mod approval;
mod control;
mod create;
mod preview;
mod unreached;

pub use approval::CampaignApproval;
pub use control::{ChangeCampaign, CommandCampaign, RetryFailed};
pub use create::CreateCampaign;
pub use preview::{CampaignPreview, CampaignSample};
pub use unreached::{CampaignRest, SendToRest};

use std::{collections::BTreeMap, time::Duration};

use baton_domain::{
    CampaignId, Timestamp, campaign,
    campaign::{SendAt, State},
    duration::{self, Span},
    job,
    job::DeliveryGuarantee,
    message::MessageSpec,
    notification::Action,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::audience::AudienceSchema;

/// A campaign: what it is to do, and how far it has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Campaign {
    /// Its id.
    #[schema(value_type = String, example = "cmp_0199a1b2-c3d4-7e5f-8a9b-0c0000000000")]
    pub id: CampaignId,
    /// Your own key.
    pub key: Option<String>,
    /// What people call it.
    pub name: String,
    /// `popular`, `question`, `notice`, `activity`, or a word of your own.
    pub category: String,
    /// What becomes of each recipient.
    pub action: Action,
    /// Whom it is for.
    #[schema(value_type = AudienceSchema)]
    pub audience: Value,
    /// Of which campaign it is for the rest only; null if it is for its whole audience.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub rest_of: Option<CampaignId>,
    /// What is said.
    pub message: MessageSpec,
    /// Who delivers.
    pub provider: Option<String>,
    /// By which address.
    pub channel: String,
    /// The topic that a recipient must still be opted in to when it is sent.
    pub topic: Option<String>,
    /// At which moment it is sent.
    pub send_at: Option<Timestamp>,
    /// At which time on each recipient's clock it is sent.
    pub send_at_local: Option<String>,
    /// The zone of those who have none.
    pub time_zone: Option<String>,
    /// How long before that its deliveries are written.
    #[serde(with = "duration")]
    #[schema(value_type = Span)]
    pub lead: Duration,
    /// How many deliveries may start each second.
    pub rate: Option<f64>,
    /// Where it waits for others.
    pub lane: String,
    /// How many recipients a chunk holds at most.
    pub chunk: Option<u32>,
    /// How long after its due moment a delivery still makes sense.
    #[serde(with = "duration::option")]
    #[schema(value_type = Option<Span>)]
    pub expires_after: Option<Duration>,
    /// What to do in doubt.
    pub delivery: DeliveryGuarantee,
    /// Where it is.
    pub state: State,
    /// Who asked for it and who has approved it, where it has more recipients than one person may send to.
    #[serde(default)]
    pub approval: Option<CampaignApproval>,
    /// Why it was stopped or canceled, when somebody said so.
    pub why: Option<String>,
    /// Who is ahead of it in its lane, while it waits for that.
    #[schema(value_type = Option<String>)]
    pub waits_for: Option<CampaignId>,
    /// How far it has come.
    pub progress: CampaignProgress,
    /// When it came.
    pub created_at: Timestamp,
    /// When its deliveries begin to be written.
    pub start_at: Timestamp,
    /// When it began.
    pub began_at: Option<Timestamp>,
    /// When its last chunk was written.
    pub completed_at: Option<Timestamp>,
    /// When it was done or canceled.
    pub finished_at: Option<Timestamp>,
    /// When it last moved.
    pub updated_at: Timestamp,
}

/// How far a campaign has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CampaignProgress {
    /// Where it is.
    pub state: State,
    /// How many members its audience had when it began, when that was counted.
    pub expected: Option<u64>,
    /// How many recipients were written down so far: the sum of the counts, as soon as the last facts
    /// are numbered.
    pub audience: u64,
    /// How much of the audience was walked, as a share of one.
    pub walked: f64,
    /// The number of the last recipient it has come to.
    pub cursor: i64,
    /// The number of the last recipient it is for.
    pub until: Option<i64>,
    /// In how many chunks.
    pub chunks: u64,
    /// How many recipients have come to their end: their delivery has, or there is none and the item lies in
    /// their inbox.
    pub ended: u64,
    /// How many items were laid into inboxes.
    pub items: u64,
    /// How many deliveries are in which state.
    pub counts: BTreeMap<String, u64>,
    /// How many are being called: after a stop, these still come to their end.
    pub in_flight: u64,
    /// How many ended a second, over the last 60 seconds, or since it began.
    pub per_second: f64,
    /// How many seconds it takes to its end at this speed, if that can be said.
    pub eta_seconds: Option<u64>,
    /// What keeps it from going faster.
    pub limited_by: String,
}

impl CampaignProgress {
    /// How far a campaign has come at this moment.
    #[must_use]
    pub fn of(campaign: &campaign::Campaign, now: Timestamp) -> Self {
        let counts = &campaign.counts;
        let states = job::State::ALL.into_iter();
        Self {
            state: campaign.state,
            expected: campaign.expected,
            audience: campaign.expanded,
            walked: campaign.walked(),
            cursor: campaign.cursor,
            until: campaign.until,
            chunks: campaign.chunks,
            ended: campaign.ended(),
            items: campaign.items,
            counts: states
                .map(|state| (state.as_str().to_owned(), counts.of(state)))
                .collect(),
            in_flight: counts.of(job::State::Running),
            per_second: campaign.per_second,
            eta_seconds: campaign.eta().map(|eta| eta.as_secs()),
            limited_by: campaign.limit(now).to_string(),
        }
    }

    /// How many are in a state.
    #[must_use]
    pub fn count(&self, state: job::State) -> u64 {
        self.counts.get(state.as_str()).copied().unwrap_or(0)
    }
}

impl Campaign {
    /// A campaign as it is at this moment.
    #[must_use]
    pub fn of(campaign: campaign::Campaign, now: Timestamp) -> Self {
        let progress = CampaignProgress::of(&campaign, now);
        let plan = campaign.plan;
        let (send_at, send_at_local, time_zone) = match plan.send_at {
            SendAt::Now => (None, None, None),
            SendAt::At(at) => (Some(at), None, None),
            SendAt::Local { time, zone } => (None, Some(time.to_string()), Some(zone)),
        };
        Self {
            id: campaign.id,
            key: campaign.key,
            name: plan.name,
            category: plan.category,
            action: plan.action,
            audience: serde_json::to_value(&plan.audience).unwrap_or_default(),
            rest_of: plan.rest.map(|rest| rest.of),
            message: plan.message,
            provider: plan.provider,
            channel: plan.channel,
            topic: plan.topic,
            send_at,
            send_at_local,
            time_zone,
            lead: plan.lead,
            rate: campaign.rate,
            lane: campaign.lane,
            chunk: plan.chunk,
            expires_after: plan.expires_after.map(|Span(span)| span),
            delivery: plan.delivery,
            state: campaign.state,
            approval: campaign.approval.map(CampaignApproval::from),
            why: campaign.why,
            waits_for: campaign.waits_for,
            progress,
            created_at: campaign.created_at,
            start_at: campaign.start_at,
            began_at: campaign.began_at,
            completed_at: campaign.completed_at,
            finished_at: campaign.finished_at,
            updated_at: campaign.updated_at,
        }
    }
}

/// Which deliveries of a campaign; what is not given does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeliveriesQuery {
    /// In this state.
    pub state: Option<job::State>,
    /// How many deliveries at most.
    #[param(minimum = 1, maximum = 500, default = 50)]
    pub limit: Option<u32>,
    /// Where the last page ended, as its `next` said.
    pub after: Option<String>,
}
