//! Campaigns: create, look, stop, resume, and send again what failed.

pub(crate) mod approval;
mod preview;
pub(crate) mod reach;
mod unreached;

pub use preview::{CampaignPreview, Sample};
pub use unreached::Rest;

use baton_domain::{
    CampaignId, Lifecycle,
    access::Permission,
    audit::AuditAction,
    campaign::{Campaign, CampaignSpec, NewCampaign, State, Trigger},
    job::FieldError,
    operation::{Action, DeadLetterFilter, DeadLetterGroup, Operation},
    page::{Page, PageRequest},
    queue::QueueChange,
};
use baton_ports::{
    Wakeup,
    store::{self, CampaignMove},
};

use serde_json::json;

use crate::{Caller, Error, Result, caller::Particulars, queues};

/// Whoever may send campaigns may stop them, and so may whoever operates the server.
const COMMAND: &[Permission] = &[Permission::Operate, Permission::CampaignsSend];
/// How often a command that lost its race is given again.
const RACES: usize = 8;

/// What became of a campaign that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
    /// It was added.
    New(CampaignId),
    /// Its key was known, with the same content: this is the campaign.
    Known(CampaignId),
}

impl Created {
    /// The campaign.
    #[must_use]
    pub const fn id(self) -> CampaignId {
        match self {
            Self::New(id) | Self::Known(id) => id,
        }
    }
}

/// What a person wants of a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CampaignCommand {
    /// No new chunk and no new call, until it is resumed.
    Stop,
    /// On from where it was stopped.
    Resume,
    /// Never again.
    Cancel,
}

impl CampaignCommand {
    /// What the audit log calls it.
    const fn action(self) -> AuditAction {
        match self {
            Self::Stop => AuditAction::CampaignStop,
            Self::Resume => AuditAction::CampaignResume,
            Self::Cancel => AuditAction::CampaignCancel,
        }
    }

    /// The move that grants it to a campaign; `None` if it is granted already.
    fn trigger(self, campaign: &Campaign) -> Option<Trigger> {
        match (self, campaign.state) {
            (Self::Stop, State::Stopped) | (Self::Cancel, State::Canceled) => None,
            (Self::Resume, State::Scheduled | State::Expanding | State::Sending) => None,
            (Self::Stop, _) => Some(Trigger::Stop),
            (Self::Cancel, _) => Some(Trigger::Cancel),
            (Self::Resume, _) if campaign.is_complete() => Some(Trigger::ResumeSending),
            (Self::Resume, _) => Some(Trigger::Resume),
        }
    }
}

impl Caller {
    /// Accepts a campaign; returns when it is durable.
    pub async fn create_campaign(&self, spec: CampaignSpec) -> Result<Created> {
        self.needs(Permission::CampaignsSend)?;
        let mut campaign = NewCampaign::from_spec(spec, self.now()).map_err(Error::Invalid)?;
        let plan = &mut campaign.plan;
        let provider = self
            .settings()
            .provider_of(plan.action, plan.provider.as_deref());
        plan.provider = provider.map_err(|wrong| Error::Invalid(vec![wrong]))?;
        self.add_campaign(campaign).await
    }

    async fn add_campaign(&self, mut campaign: NewCampaign) -> Result<Created> {
        self.hold_if_large(&mut campaign).await?;
        let mut after = json!({ "name": campaign.plan.name });
        let recipients = campaign.approval.as_ref().map(|held| held.recipients);
        if recipients.is_some() {
            after["state"] = json!(campaign.state());
        }
        let particulars = Particulars {
            after: Some(after),
            count: recipients,
            ..Particulars::default()
        };
        let created = match self
            .audited(AuditAction::CampaignCreate, campaign.id, particulars)
            .create_campaign(&campaign)
            .await?
        {
            store::Created::Added => Created::New(campaign.id),
            store::Created::Known(id) => Created::Known(id),
            store::Created::Conflict(holder) => {
                return Err(Error::KeyConflict {
                    key: campaign.key.unwrap_or_default(),
                    holder: holder.to_string(),
                });
            }
        };
        self.rouse();
        Ok(created)
    }

    /// One campaign, with its books.
    pub async fn campaign(&self, id: CampaignId) -> Result<Campaign> {
        self.needs_one_of(&[Permission::JobsRead, Permission::CampaignsSend])?;
        Ok(self.shown_campaign(self.find_campaign(id).await?))
    }

    pub(crate) async fn find_campaign(&self, id: CampaignId) -> Result<Campaign> {
        let campaign = self.store().campaign(id, self.now()).await?;
        campaign.ok_or_else(|| Error::NotFound {
            what: "campaign",
            id: id.to_string(),
        })
    }

    /// Campaigns, the newest first.
    pub async fn campaigns(&self, page: &PageRequest) -> Result<Page<Campaign>> {
        self.needs(Permission::JobsRead)?;
        let campaigns = self.store().campaigns(page, self.now()).await?;
        Ok(campaigns.map(|campaign| self.shown_campaign(campaign)))
    }

    /// Stops, resumes or cancels a campaign; the last command that was answered counts.
    pub async fn command_campaign(
        &self,
        id: CampaignId,
        asked: CampaignCommand,
        why: Option<&str>,
    ) -> Result<Campaign> {
        self.needs_one_of(COMMAND)?;
        for _ in 0..RACES {
            let seen = self.find_campaign(id).await?;
            // Whoever stops it wants it not to start; a stop would not outlast the approval.
            if asked == CampaignCommand::Stop && seen.is_held() {
                return Err(Error::AwaitsApproval(id));
            }
            let Some(trigger) = asked.trigger(&seen) else {
                return Ok(self.shown_campaign(seen));
            };
            if asked == CampaignCommand::Resume && seen.is_held() {
                self.resume_held(&seen, why).await?;
                continue;
            }
            let command = CampaignMove {
                campaign: id,
                epoch: seen.epoch,
                transition: seen.state.on(trigger)?,
                why: why.map(str::to_owned),
            };
            let particulars = Particulars {
                before: Some(json!({ "state": seen.state })),
                after: Some(json!({ "state": command.transition.to() })),
                reason: command.why.clone(),
                count: None,
            };
            let store = self.audited(asked.action(), id, particulars);
            if store.command(&command, self.now()).await? {
                self.rouse();
                return Ok(self.shown_campaign(self.find_campaign(id).await?));
            }
        }
        Err(Error::Busy)
    }

    /// One that nobody has approved is resumed only where nobody has to any more: that approves it.
    async fn resume_held(&self, seen: &Campaign, why: Option<&str>) -> Result<()> {
        if self.needs_two() {
            return Err(Error::AwaitsApproval(seen.id));
        }
        let action = AuditAction::CampaignResume;
        self.start_approved(seen, action, why).await.map(drop)
    }

    /// Changes how many deliveries of a campaign may start each second; it acts on the next claim.
    pub async fn change_campaign_rate(
        &self,
        id: CampaignId,
        rate: Option<f64>,
    ) -> Result<Campaign> {
        self.needs_one_of(COMMAND)?;
        if rate.is_some_and(|rate| !(rate.is_finite() && (0.001..=1_000_000.0).contains(&rate))) {
            let rule = "must lie between 0.001 and 1000000 deliveries a second";
            return Err(Error::Invalid(vec![FieldError::new("rate", rule)]));
        }
        let known = self.find_campaign(id).await?;
        let of = |rate| QueueChange {
            rate: Some(rate),
            ..QueueChange::default()
        };
        let change = of(rate);
        let line = id.to_string();
        let particulars = Particulars {
            before: Some(queues::told(&of(known.rate))),
            after: Some(queues::told(&change)),
            ..Particulars::default()
        };
        self.audited(AuditAction::CampaignRate, id, particulars)
            .change_queue(&line, &change, self.now())
            .await?;
        self.rouse();
        Ok(self.shown_campaign(self.find_campaign(id).await?))
    }

    /// The dead letters of a campaign by cause, the most first.
    pub async fn campaign_failures(&self, id: CampaignId) -> Result<Vec<DeadLetterGroup>> {
        self.campaign(id).await?;
        let groups = self.store().delivery_failures(id).await?.into_iter();
        Ok(groups.map(|group| self.shown_group(group)).collect())
    }

    /// Begins to run the dead letters of a campaign again, all or those of one cause.
    pub async fn retry_failed(
        &self,
        id: CampaignId,
        fingerprint: Option<String>,
    ) -> Result<Operation> {
        self.needs_one_of(COMMAND)?;
        let campaign = self.find_campaign(id).await?;
        if campaign.state == State::Canceled {
            return Err(campaign
                .state
                .on(Trigger::Reopen)
                .map_or_else(Error::from, |_| Error::Busy));
        }
        let filter = DeadLetterFilter {
            fingerprint,
            queue: Some(id.to_string()),
            ..DeadLetterFilter::default()
        };
        self.begin_operation(Action::Retry, &filter).await
    }

    /// Rings for everybody whom a campaign concerns.
    fn rouse(&self) {
        for wakeup in [Wakeup::Campaigns, Wakeup::Ready, Wakeup::Due, Wakeup::Facts] {
            self.inner.wakeups.send(wakeup);
        }
    }
}
