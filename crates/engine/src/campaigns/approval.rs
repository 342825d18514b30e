//! A second person for large campaigns: who asks for one does not start it.

use baton_domain::{
    CampaignId, Lifecycle,
    access::{Permission, Principal},
    audit::AuditAction,
    campaign::{Approval, Campaign, NewCampaign, Signature, Trigger},
};
use baton_ports::{
    Store,
    store::{self, Approving, CampaignMove},
};
use serde_json::json;

use super::{RACES, reach};
use crate::{Caller, Error, Result, caller::Particulars};

/// Who asks for a campaign, and whom they count as.
pub(crate) struct Asker {
    pub principal: Principal,
    pub name: String,
    pub person: Principal,
}

impl Asker {
    /// A routine of the server, which is nobody's second person and has none of its own.
    pub fn routine(name: &str) -> Self {
        let principal = Principal::System(name.to_owned());
        Self {
            name: name.to_owned(),
            person: principal.clone(),
            principal,
        }
    }
}

/// Has a new campaign wait for somebody else if it has more recipients than one person may send to.
pub(crate) async fn hold_if_large(
    store: &dyn Store,
    bound: u64,
    campaign: &mut NewCampaign,
    asker: Asker,
) -> store::Result<()> {
    let until = match campaign.until {
        Some(until) => until,
        None => store.joined().await?,
    };
    let recipients = reach::count(store, &campaign.plan, (0, until)).await?;
    let asked = Signature {
        by: asker.principal,
        name: asker.name,
        at: campaign.created_at,
    };
    campaign.approval = (recipients > bound).then_some(Approval {
        recipients,
        asked,
        person: asker.person,
        approved: None,
    });
    Ok(())
}

impl Caller {
    /// Approves a large campaign that somebody else has asked for, which starts it; one that is approved stays as it is.
    pub async fn approve_campaign(&self, id: CampaignId) -> Result<Campaign> {
        self.needs(Permission::CampaignsSend)?;
        for _ in 0..RACES {
            let seen = self.find_campaign(id).await?;
            let Some(approval) = &seen.approval else {
                return Err(Error::NeedsNoApproval(id));
            };
            if !approval.is_awaited() {
                return Ok(self.shown_campaign(seen));
            }
            if self.must_leave_to_another(approval).await? {
                return Err(self.refused(Error::SecondPersonNeeded(id)));
            }
            if self
                .start_approved(&seen, AuditAction::CampaignApprove, None)
                .await?
            {
                return Ok(self.shown_campaign(self.find_campaign(id).await?));
            }
        }
        Err(Error::Busy)
    }

    /// Whether whoever asks has asked for the campaign as well, where that needs two.
    pub async fn must_leave_to_another(&self, approval: &Approval) -> Result<bool> {
        Ok(self.needs_two() && self.person().await? == approval.person)
    }

    /// Whether large campaigns need a second person.
    pub(super) fn needs_two(&self) -> bool {
        self.settings().second_person_over.is_some()
    }

    /// Writes the approval down and starts the campaign; `false` if that was overtaken.
    pub(super) async fn start_approved(
        &self,
        seen: &Campaign,
        action: AuditAction,
        why: Option<&str>,
    ) -> Result<bool> {
        let transition = seen.state.on(Trigger::Resume)?;
        let approval = seen.approval.as_ref();
        let asked_by = approval.map(|approval| approval.asked.by.to_string());
        let particulars = Particulars {
            before: Some(json!({ "state": transition.from(), "asked_by": asked_by })),
            after: Some(json!({ "state": transition.to(), "approved_by": self.actor().principal })),
            reason: why.map(str::to_owned),
            count: approval.map(|approval| approval.recipients),
        };
        let approving = Approving {
            command: CampaignMove {
                campaign: seen.id,
                epoch: seen.epoch,
                transition,
                why: why.map(str::to_owned),
            },
            signature: Signature {
                by: self.actor().principal.clone(),
                name: self.actor().name.clone(),
                at: self.now(),
            },
            other_than: match self.needs_two() {
                true => Some(self.person().await?),
                false => None,
            },
        };
        let store = self.audited(action, seen.id, particulars);
        let is_started = store.approve(&approving).await?;
        if is_started {
            self.rouse();
        }
        Ok(is_started)
    }

    /// Has a new campaign of whoever asks wait for somebody else, if it is that large.
    pub(crate) async fn hold_if_large(&self, campaign: &mut NewCampaign) -> Result<()> {
        let Some(bound) = self.settings().second_person_over else {
            return Ok(());
        };
        let asker = Asker {
            principal: self.actor().principal.clone(),
            name: self.actor().name.clone(),
            person: self.person().await?,
        };
        Ok(hold_if_large(self.store(), bound, campaign, asker).await?)
    }

    /// Whom the actor counts as: the bearer of a key as the user who made it, or who made the key that made it. A key of
    /// which no user is known stands for itself.
    async fn person(&self) -> Result<Principal> {
        let mut person = self.actor().principal.clone();
        while let Principal::Key(id) = person {
            let key = self.store().key(id).await?;
            match key.map(|key| key.created_by) {
                Some(maker @ (Principal::User(_) | Principal::Key(_))) => person = maker,
                _ => return Ok(Principal::Key(id)),
            }
        }
        Ok(person)
    }
}
