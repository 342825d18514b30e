//! Sending to the rest: those of the audience of a campaign that has ended whom it has not reached.

use baton_domain::{
    CampaignId,
    access::Permission,
    campaign::{Campaign, NewCampaign, RestSpec, State},
};
use baton_ports::store::{Unreached, UnreachedCount};

use super::{Created, reach};
use crate::{Caller, Error, Result};

/// How many recipients a campaign has not reached, and why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rest {
    /// They were never written down: it was canceled before it came to them.
    pub never: u64,
    /// What became of the deliveries to the others.
    pub written: UnreachedCount,
}

impl Rest {
    /// All who were not reached.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.never + self.written.total()
    }
}

impl Caller {
    /// How many recipients of its audience a campaign that has ended has not reached.
    pub async fn rest_of_campaign(&self, id: CampaignId) -> Result<Rest> {
        self.needs(Permission::JobsRead)?;
        let campaign = self.find_campaign(id).await?;
        check_has_ended(&campaign)?;
        self.count_rest(&campaign).await
    }

    /// Says the same to those whom a campaign that has ended has not reached, at once. A campaign has one
    /// rest: asked for again, it is the same.
    pub async fn send_to_rest(&self, id: CampaignId, wanted: RestSpec) -> Result<Created> {
        self.needs(Permission::CampaignsSend)?;
        let campaign = self.find_campaign(id).await?;
        let rest = NewCampaign::for_the_rest(&campaign, wanted, self.now());
        let rest = rest.map_err(Error::Invalid)?;
        check_has_ended(&campaign)?;
        self.count_rest(&campaign).await?;
        self.add_campaign(rest).await
    }

    /// What is known of the deliveries must be all that there ever was: of one that was pruned nobody
    /// can say whether it has reached anybody.
    async fn count_rest(&self, campaign: &Campaign) -> Result<Rest> {
        let walk = Unreached {
            campaign: campaign.id,
            after: 0,
            until: campaign.cursor,
        };
        let written = self.store().count_unreached(&walk).await?;
        if written.written < campaign.written() {
            return Err(Error::DeliveriesGone {
                campaign: campaign.id,
                gone: campaign.written() - written.written,
            });
        }
        let until = match campaign.until {
            Some(until) => until,
            None => self.store().joined().await?,
        };
        let beyond = (campaign.cursor, until);
        let never = reach::count(self.store(), &campaign.plan, beyond).await?;
        Ok(Rest { never, written })
    }
}

/// Nobody is in the rest of a campaign while a call may still reach them.
fn check_has_ended(campaign: &Campaign) -> Result<()> {
    let has_ended = matches!(campaign.state, State::Done | State::Canceled);
    if has_ended && campaign.finished_at.is_some() {
        return Ok(());
    }
    Err(Error::NotEnded {
        campaign: campaign.id,
        state: campaign.state,
        live: campaign.counts.live(),
    })
}
