//! The expander walks the audiences of campaigns, a chunk at a time.
//!
//! What it remembers between turns only saves it a look: whether a chunk may be written is decided by
//! the store, where the chunk is.

mod step;

use std::{collections::VecDeque, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    Lifecycle, Timestamp, WorkerId,
    campaign::{Campaign, Trigger},
    job::MAX_LOSSES,
};
use baton_ports::{
    Store, Wakeup,
    store::{self, CampaignMove, Error},
};

use self::step::{ExpandedChunk, SIZE};
use super::{SAFETY, Tools};
use crate::{Next, Routine, campaigns::reach, routine::about};

/// How long the others leave a campaign to the node that wrote its last chunk.
const HOLD: Duration = Duration::from_secs(10);
/// How often it looks for campaigns to take, while it has some.
const LOOK: Duration = Duration::from_millis(500);
/// How many recipients the first chunk holds.
const FIRST: u32 = 500;
/// How many one holds while it may kill the node: until as many are walked as the chunk can have held over which one was lost.
const CAREFUL: u32 = 32;

/// Walks the audiences of campaigns.
pub struct Expander {
    tools: Tools,
    node: WorkerId,
    hand: VecDeque<Walker>,
    next_look: Timestamp,
}

/// A campaign that this node walks.
struct Walker {
    campaign: Campaign,
    size: u32,
    /// How many members are still walked in small chunks, none of them made ahead.
    careful_for: u64,
    /// The next chunk, made while the one before it was written.
    ahead: Option<ExpandedChunk>,
    /// A chunk was sent and nobody said what became of it.
    is_in_doubt: bool,
    /// How often in a row the store has left a chunk without an answer.
    unanswered: u32,
    /// How many were passed over since a message to somebody was written down.
    passed_over: u32,
}

impl Expander {
    /// An expander.
    #[must_use]
    pub fn new(tools: Tools, node: WorkerId) -> Self {
        Self {
            tools,
            node,
            hand: VecDeque::new(),
            next_look: Timestamp::default(),
        }
    }

    /// Drops what others have taken over while this node was in doubt about a chunk.
    async fn resolve_doubts(&mut self) -> store::Result<()> {
        for _ in 0..self.hand.len() {
            let Some(mut walker) = self.hand.pop_front() else {
                break;
            };
            let is_ours = match walker.is_in_doubt {
                true => self.catch_up(&mut walker).await,
                false => Ok(true),
            };
            match is_ours {
                Ok(true) => self.hand.push_back(walker),
                Ok(false) => {}
                // Whoever takes it over finds that it cannot be read, and stops it.
                Err(Error::Corrupt { .. }) => {}
                Err(error) => {
                    self.hand.push_back(walker);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Reads where a campaign is; says whether it is still this node's. To others who hold it, this node seemed lost.
    async fn catch_up(&self, walker: &mut Walker) -> store::Result<bool> {
        let now = self.tools.clock.now();
        let found = self.tools.store.campaign(walker.campaign.id, now).await?;
        let is_ours = |found: &Campaign| {
            found.epoch == walker.campaign.epoch
                && found.holder.is_some_and(|(node, _)| node == self.node)
        };
        let Some(campaign) = found.filter(is_ours) else {
            let Campaign { id, epoch, .. } = walker.campaign;
            self.tools.store.found_again(id, epoch, self.node).await?;
            return Ok(false);
        };
        walker.campaign = campaign;
        walker.is_in_doubt = false;
        Ok(true)
    }

    async fn look(&mut self, now: Timestamp) -> store::Result<()> {
        if !self.hand.is_empty() && now < self.next_look {
            return Ok(());
        }
        self.next_look = now + LOOK;
        let until = now + HOLD;
        let taken = self
            .tools
            .store
            .take_expansion(self.node, until, now)
            .await?;
        match taken {
            Some(campaign) if campaign.losses >= MAX_LOSSES => self.give_up(&campaign).await,
            Some(campaign) => {
                self.begin(campaign);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Stops a campaign whose next chunk each of some nodes was lost over: it may be what killed them.
    async fn give_up(&self, campaign: &Campaign) -> store::Result<()> {
        let (id, losses) = (campaign.id, campaign.losses);
        let why = format!(
            "{losses} nodes were lost, one after the other, while they made or wrote the chunk after the recipient of number {}: \
             it may be what killed them. Their logs and their memory may say why; resumed, it is tried again",
            campaign.cursor
        );
        tracing::error!(campaign = %id, losses, "{id} is stopped: {why}");
        self.stop(campaign, why).await?;
        Ok(())
    }

    fn begin(&mut self, campaign: Campaign) {
        tracing::info!(campaign = %campaign.id, cursor = campaign.cursor, losses = campaign.losses, "the audience of a campaign is walked from here");
        self.tools.wakeups.send(Wakeup::Facts);
        if campaign.expected.is_none() {
            tokio::spawn(count(Arc::clone(&self.tools.store), campaign.clone()));
        }
        // It may be one that this node has held, and took over from itself.
        self.hand.retain(|walker| walker.campaign.id != campaign.id);
        let is_careful = campaign.losses > 0;
        self.hand.push_back(Walker {
            size: if is_careful { CAREFUL } else { FIRST },
            careful_for: if is_careful { u64::from(SIZE.1) } else { 0 },
            campaign,
            ahead: None,
            is_in_doubt: false,
            unanswered: 0,
            passed_over: 0,
        });
    }

    /// Stops a campaign; says whether it was still as it was here.
    async fn stop(&self, campaign: &Campaign, why: String) -> store::Result<bool> {
        let Ok(transition) = campaign.state.on(Trigger::Stop) else {
            return Ok(false);
        };
        let command = CampaignMove {
            campaign: campaign.id,
            epoch: campaign.epoch,
            transition,
            why: Some(why),
        };
        self.tools
            .store
            .command(&command, self.tools.clock.now())
            .await
    }
}

/// Counts the members of an audience, for those who watch. Nothing waits for it: a combination of
/// conditions is counted by walking it.
async fn count(store: Arc<dyn Store>, campaign: Campaign) {
    let Some(until) = campaign.until else {
        return;
    };
    let counted = reach::count(store.as_ref(), &campaign.plan, (0, until)).await;
    let expected = match counted {
        Ok(members) => store.expect_members(campaign.id, members).await,
        Err(error) => Err(error),
    };
    if let Err(error) = expected {
        tracing::debug!(%error, campaign = %campaign.id, "the audience of a campaign could not be counted");
    }
}

#[async_trait]
impl Routine for Expander {
    about!("expander": "writes the deliveries of campaigns, a chunk at a time");

    fn woken_by(&self) -> &'static [Wakeup] {
        &[Wakeup::Campaigns]
    }

    async fn turn(&mut self) -> store::Result<Next> {
        self.resolve_doubts().await?;
        self.look(self.tools.clock.now()).await?;
        let Some(mut walker) = self.hand.pop_front() else {
            return Ok(Next::After(SAFETY));
        };
        let stepped = self.step(&mut walker).await;
        // However long that took: others may have taken it over.
        walker.is_in_doubt |= stepped.is_err();
        if !matches!(stepped, Ok(false)) {
            self.hand.push_back(walker);
        }
        stepped.map(|_| Next::Now)
    }
}
