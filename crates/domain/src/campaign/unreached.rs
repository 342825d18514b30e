//! The rest of a campaign: those of its audience whom it has not reached.
//!
//! Up to its cursor that is told by what became of its deliveries; beyond it nobody was written down, and
//! the audience itself says who is meant. The rest of a rest is told in the same way, stretch by stretch.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Campaign, CampaignSpec, NewCampaign, SendAt};
use crate::{CampaignId, Timestamp, duration::Span, job::FieldError};

/// How many characters a name has at most.
const LONGEST_NAME: usize = 200;

/// Of which campaign somebody is the rest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rest {
    /// The campaign.
    pub of: CampaignId,
    /// Where the deliveries of which campaign tell who is meant, the lowest numbers first. After the
    /// last one the audience does.
    pub stretches: Vec<NumberRange>,
}

/// Numbers among which those are meant whom a campaign has written down and not reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberRange {
    /// The campaign.
    pub campaign: CampaignId,
    /// The last of the numbers; the first one follows the stretch before it.
    pub until: i64,
}

/// What may be different about the campaign for the rest of another one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SendToRest)]
pub struct RestSpec {
    /// What people call it; the name of the other one with `, the rest` if nothing is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub name: Option<String>,
    /// How many deliveries may start each second; as with the other one if nothing is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
}

impl Campaign {
    /// Whom it has not reached, as a campaign of their own would be told.
    #[must_use]
    pub fn rest(&self) -> Rest {
        let own = NumberRange {
            campaign: self.id,
            until: self.cursor,
        };
        let inherited = self.plan.rest.iter().flat_map(|rest| &rest.stretches);
        let ahead = inherited.filter(|stretch| stretch.until > self.cursor);
        let own = Some(own).filter(|own| own.until > 0);
        Rest {
            of: self.id,
            stretches: own.into_iter().chain(ahead.copied()).collect(),
        }
    }

    /// How many deliveries it has written down, those it skipped included.
    #[must_use]
    pub const fn written(&self) -> u64 {
        match self.plan.action.has_push() {
            true => self.expanded,
            // Who has an item has no delivery.
            false => self.expanded.saturating_sub(self.items),
        }
    }
}

impl NewCampaign {
    /// The campaign that says the same, at once, to the rest of another one. A campaign has one rest: its
    /// key follows from the campaign.
    pub fn for_the_rest(
        campaign: &Campaign,
        wanted: RestSpec,
        now: Timestamp,
    ) -> Result<Self, Vec<FieldError>> {
        let plan = &campaign.plan;
        let name = wanted.name.unwrap_or_else(|| name_of_the_rest(&plan.name));
        let spec = CampaignSpec {
            name,
            category: plan.category.clone(),
            action: plan.action.to_string(),
            audience: serde_json::to_value(&plan.audience).unwrap_or_default(),
            message: plan.message.clone(),
            provider: plan.provider.clone(),
            channel: Some(plan.channel.clone()),
            topic: plan.topic.clone(),
            rate: wanted.rate,
            lane: Some(campaign.lane.clone()),
            chunk: plan.chunk.map(i64::from),
            expires_after: plan.expires_after.map(|Span(span)| span),
            delivery: Some(plan.delivery),
            max_attempts: Some(i64::from(plan.max_attempts)),
            timeout: Some(plan.timeout),
            backoff: Some(plan.backoff.clone()),
            key: Some(format!("rest-of-{}", campaign.id)),
            ..CampaignSpec::default()
        };
        let mut rest = Self::from_spec(spec, now)?;
        rest.rate = wanted.rate.or(campaign.rate);
        rest.until = campaign.until;
        rest.plan.rest = Some(campaign.rest());
        debug_assert_eq!(rest.plan.send_at, SendAt::Now);
        Ok(rest)
    }
}

fn name_of_the_rest(name: &str) -> String {
    const TAIL: &str = ", the rest";
    let kept = LONGEST_NAME - TAIL.len();
    let kept: String = name.trim_end_matches(TAIL).chars().take(kept).collect();
    kept + TAIL
}

#[cfg(test)]
mod tests;
