//! What must be so in a storm, told by what was done alone.

use baton_domain::{
    Timestamp, WorkerId,
    campaign::{Campaign, State, Trigger},
};

use crate::store::{CampaignMove, Chunk};

/// What somebody wants of a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CampaignCommand {
    Stop,
    Resume,
    Cancel,
}

/// A campaign, as far as commands and chunks have a say.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model {
    pub state: State,
    pub epoch: i64,
    pub rate: Option<f64>,
    pub cursor: i64,
    pub members: u64,
    holder: Option<(WorkerId, Timestamp)>,
    /// What the last command wanted that was answered; nothing while one is in doubt.
    last: Option<CampaignCommand>,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            state: State::Scheduled,
            epoch: 0,
            rate: None,
            cursor: 0,
            members: 0,
            holder: None,
            last: None,
        }
    }
}

impl Model {
    /// What can be compared of a campaign.
    pub(super) fn of(campaign: &Campaign) -> Self {
        Self {
            state: campaign.state,
            epoch: campaign.epoch,
            rate: campaign.rate,
            cursor: campaign.cursor,
            members: campaign.expanded,
            holder: None,
            last: None,
        }
    }

    /// The same of the model itself.
    pub(super) fn bare(&self) -> Self {
        Self {
            holder: None,
            last: None,
            ..self.clone()
        }
    }

    pub(super) fn command(&mut self, command: &CampaignMove) -> bool {
        let is_fresh = command.epoch == self.epoch && command.transition.from() == self.state;
        if is_fresh {
            self.state = command.transition.to();
            self.epoch += 1;
            self.holder = None;
        }
        is_fresh
    }

    /// A command was answered: it is the last word until the next one.
    pub(super) fn answered(&mut self, command: &CampaignMove) {
        self.last = Some(match command.transition.trigger() {
            Trigger::Stop => CampaignCommand::Stop,
            Trigger::Cancel => CampaignCommand::Cancel,
            _ => CampaignCommand::Resume,
        });
    }

    pub(super) fn doubt(&mut self) {
        self.last = None;
    }

    /// Whether the campaign is as the last word wants it.
    pub(super) fn holds(&self) -> bool {
        match self.last {
            None => true,
            Some(CampaignCommand::Stop) => self.state == State::Stopped,
            Some(CampaignCommand::Cancel) => self.state == State::Canceled,
            Some(CampaignCommand::Resume) => self.state.may_send(),
        }
    }

    /// From which cursor, and in which epoch, a node that asks is to go on.
    pub(super) fn take(
        &mut self,
        node: WorkerId,
        until: Timestamp,
        now: Timestamp,
    ) -> Option<(i64, i64)> {
        let is_free = match self.state {
            State::Scheduled => true,
            State::Expanding => self.holder.is_none_or(|(_, until)| until < now),
            _ => false,
        };
        is_free.then(|| {
            self.state = State::Expanding;
            self.holder = Some((node, until));
            (self.cursor, self.epoch)
        })
    }

    pub(super) fn expand(&mut self, chunk: &Chunk) -> bool {
        let is_fresh = self.state == State::Expanding
            && (self.epoch, self.cursor) == (chunk.epoch, chunk.after)
            && self.holder.is_some_and(|(holder, _)| holder == chunk.node);
        if is_fresh {
            self.cursor = chunk.cursor;
            self.members += chunk.members;
            self.holder = Some((chunk.node, chunk.until));
            if chunk.is_last {
                self.state = State::Sending;
            }
        }
        is_fresh
    }

    /// Whether every delivery has ended is for others to say.
    pub(super) fn conduct(&mut self, is_all_over: bool) -> bool {
        let is_done = self.state == State::Sending && is_all_over;
        if is_done {
            self.state = State::Done;
        }
        is_done
    }
}
