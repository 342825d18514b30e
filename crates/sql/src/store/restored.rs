//! What is done with a database that was put back from a copy.

use baton_domain::{
    Lifecycle, Timestamp,
    campaign::{Campaign, Trigger},
    page::PageRequest,
};
use baton_ports::store::{CampaignMove, Campaigns, Error, Result, ScheduleChange, Schedules};

use super::SqlStore;
use crate::{
    kernel::{ConnectionPool, Unit},
    statement as sql,
    value::params,
};

impl SqlStore {
    /// Begins another history of events, as this database was put back from a copy: whoever followed the
    /// former one is told so. Forgets who worked on it, and the generation of hints. Says the new epoch.
    pub async fn begin_anew_after_restore(&self) -> Result<i64> {
        let scripts = vec![
            (&sql::restore::FORGET_HOLDERS, params! {}),
            (&sql::restore::BEGIN_EPOCH, params! {}),
        ];
        let unit = Unit {
            scripts,
            keep: None,
        };
        let mut rows = self.kernel.transact(ConnectionPool::Front, unit).await?;
        let row = rows.pop().and_then(|rows| rows.into_iter().next());
        row.ok_or_else(|| Error::Refused("the stream of events is missing".to_owned()))?
            .cells("stream")
            .int("epoch")
    }

    /// Has nothing run: pauses every queue and every schedule, and stops every campaign. What was paused already cannot
    /// be told from that afterwards.
    pub async fn hold(&self, now: Timestamp) -> Result<()> {
        self.operate(&sql::restore::HOLD, params! { now: now })
            .await?;
        let mut page = PageRequest::default();
        loop {
            let campaigns = self.campaigns(&page, now).await?;
            for campaign in &campaigns.items {
                self.hold_campaign(campaign, now).await?;
            }
            page.after = campaigns.next;
            if page.after.is_none() {
                break;
            }
        }
        loop {
            let schedules = self.schedules(&page).await?;
            for schedule in schedules.items.into_iter().filter(|one| !one.paused) {
                let paused = schedule.paused(now);
                self.change_schedule(&paused, ScheduleChange::Paused, now)
                    .await?;
            }
            page.after = schedules.next;
            if page.after.is_none() {
                return Ok(());
            }
        }
    }

    /// Stops a campaign that has not come to its end, so that it can be resumed where it was.
    async fn hold_campaign(&self, campaign: &Campaign, now: Timestamp) -> Result<()> {
        let Ok(transition) = campaign.state.on(Trigger::Stop) else {
            return Ok(());
        };
        let command = CampaignMove {
            campaign: campaign.id,
            epoch: campaign.epoch,
            transition,
            why: Some("held after a restore".to_owned()),
        };
        self.command(&command, now).await.map(drop)
    }
}
