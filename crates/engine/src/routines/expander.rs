//! The expander walks the audiences of campaigns, a chunk at a time.
//!
//! What it remembers between turns only saves it a look: whether a chunk may be written is decided by
//! the store, where the chunk is.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    Lifecycle, Timestamp, WorkerId,
    campaign::{Campaign, Trigger},
    job::MAX_LOSSES,
};
use baton_ports::{
    Store, Wakeup,
    bisect::SUSPICIOUS,
    store::{self, Chunk, Command, Error, Members},
};
use futures::future;
use tokio::time::Instant;

use super::{SAFETY, Tools};
use crate::{Next, Routine, campaigns::reach};

/// How long the others leave a campaign to the node that wrote its last chunk.
const HOLD: Duration = Duration::from_secs(10);
/// How often it looks for campaigns to take, while it has some.
const LOOK: Duration = Duration::from_millis(500);
/// How long a chunk may take: a stop waits for the one under way.
const TARGET: Duration = Duration::from_millis(50);
/// How many recipients a chunk holds, at least and at most.
const SIZE: (u32, u32) = (50, 5_000);
/// How many the first one holds.
const FIRST: u32 = 500;
/// How many one holds while it may kill the node: until as many are walked as the chunk can have held over which one was lost.
const CAREFUL: u32 = 32;
/// How many are passed over before somebody is written down again: after that it is the store that is at fault.
const PASSED_OVER: u32 = 5;

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
    ahead: Option<Made>,
    /// A chunk was sent and nobody said what became of it.
    is_in_doubt: bool,
    /// How often in a row the store has left a chunk without an answer.
    unanswered: u32,
    /// How many were passed over since a message to somebody was written down.
    passed_over: u32,
}

/// A chunk, and how many members fit into it, if not all did that were read for it.
struct Made {
    chunk: Chunk,
    fit: Option<u32>,
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

    /// Writes the next chunk of a campaign; says whether there is more for this node.
    async fn step(&self, walker: &mut Walker) -> store::Result<bool> {
        if walker.campaign.until.is_none() {
            return Ok(false);
        }
        let Made { mut chunk, fit } = match walker.ahead.take() {
            Some(made) => made,
            None => self.prepare(&walker.campaign, walker.size).await?,
        };
        let now = self.tools.clock.now();
        chunk.until = now + HOLD;
        walker.is_in_doubt = true;
        let has_next = !chunk.is_last && walker.careful_for == 0;
        let next = has_next.then(|| at(&walker.campaign, chunk.cursor));
        let (written, ahead) = future::join(
            self.write(&chunk, now),
            self.prepare_ahead(next.as_ref(), walker.size),
        )
        .await;
        let (is_written, took) = match written {
            Ok(written) => written,
            Err(error) => return self.halve(walker, &chunk, error).await,
        };
        walker.unanswered = 0;
        if !is_written {
            // It is another's by now, or somebody in the chunk is being erased.
            return Ok(true);
        }
        walker.is_in_doubt = false;
        walker.campaign.cursor = chunk.cursor;
        walker.careful_for = walker.careful_for.saturating_sub(chunk.members);
        if walker.careful_for == 0 {
            walker.size = adapted(walker.size, took).min(fit.unwrap_or(u32::MAX));
        }
        walker.ahead = ahead;
        if !(chunk.deliveries.is_empty() && chunk.items.is_empty()) {
            walker.passed_over = 0;
        }
        self.tell(&chunk, now);
        Ok(!chunk.is_last)
    }

    /// The next chunk is half of one that the store refuses, or leaves without an answer again and again. One recipient alone whom
    /// it refuses is passed over, and the campaign's books say so.
    async fn halve(
        &self,
        walker: &mut Walker,
        chunk: &Chunk,
        error: store::Error,
    ) -> store::Result<bool> {
        let members = u32::try_from(chunk.members).unwrap_or(u32::MAX);
        if error.is_passing() {
            walker.unanswered += 1;
            if walker.unanswered >= SUSPICIOUS {
                walker.size = (members / 2).max(1);
            }
            return Err(error);
        }
        let id = walker.campaign.id;
        tracing::error!(campaign = %id, members, %error, "the store refuses a chunk of {id}: {error}; it is halved until what is in the way stands alone");
        walker.size = (members / 2).max(1);
        match members {
            2.. => Ok(true),
            _ => self.pass_over(walker, chunk, error).await,
        }
    }

    /// Writes down that nothing is sent to a recipient whose rows the store refuses; says whether there is more for this node.
    /// Where it refuses that as well, or one after the other, the campaign is stopped, and says at whom.
    async fn pass_over(
        &self,
        walker: &mut Walker,
        refused: &Chunk,
        error: store::Error,
    ) -> store::Result<bool> {
        metrics::counter!("baton_rows_refused_total", "what" => "chunk").increment(1);
        if walker.passed_over >= PASSED_OVER {
            return Ok(!self.stop_at(refused, &walker.campaign, &error).await?);
        }
        let members = self.members(&walker.campaign, 1).await?;
        let now = self.tools.clock.now();
        let campaign = &walker.campaign;
        let chunk = Chunk::passing_over(campaign, &members, self.node, now + HOLD, now);
        if chunk.cursor != refused.cursor {
            // Whoever was refused has left, or somebody has come before: nobody else is to blame.
            return Ok(true);
        }
        match self.write(&chunk, now).await {
            Ok((is_written, _)) if is_written => {
                walker.is_in_doubt = false;
                walker.passed_over += 1;
                walker.campaign.cursor = chunk.cursor;
                self.tell(&chunk, now);
                Ok(!chunk.is_last)
            }
            Ok(_) => Ok(true),
            Err(Error::Refused(_)) => Ok(!self.stop_at(refused, campaign, &error).await?),
            Err(error) => Err(error),
        }
    }

    /// Stops a campaign at a recipient whom the store refuses; says whether it was still as it was here.
    async fn stop_at(
        &self,
        chunk: &Chunk,
        campaign: &Campaign,
        error: &store::Error,
    ) -> store::Result<bool> {
        let number = chunk.cursor;
        let why = format!("the recipient of number {number} cannot be written down: {error}");
        self.stop(campaign, why).await
    }

    /// Stops a campaign; says whether it was still as it was here.
    async fn stop(&self, campaign: &Campaign, why: String) -> store::Result<bool> {
        let Ok(transition) = campaign.state.on(Trigger::Stop) else {
            return Ok(false);
        };
        let command = Command {
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

    /// Reads the next recipients and makes a chunk of them.
    async fn prepare(&self, campaign: &Campaign, size: u32) -> store::Result<Made> {
        let limit = campaign.plan.chunk.unwrap_or(u32::MAX).min(size);
        let members = self.members(campaign, limit).await?;
        let now = self.tools.clock.now();
        let chunk = Chunk::of(campaign, &members, self.node, now + HOLD, now);
        let is_cut = chunk.members < members.recipients.len() as u64;
        let fit = u32::try_from(chunk.members).ok().filter(|_| is_cut);
        Ok(Made { chunk, fit })
    }

    async fn members(&self, campaign: &Campaign, limit: u32) -> store::Result<Members> {
        let ahead = (campaign.cursor, campaign.until.unwrap_or(campaign.cursor));
        reach::members(self.tools.store.as_ref(), &campaign.plan, ahead, limit).await
    }

    /// The same while the chunk before it is written. What cannot be read now is read when it is due.
    async fn prepare_ahead(&self, campaign: Option<&Campaign>, size: u32) -> Option<Made> {
        self.prepare(campaign?, size).await.ok()
    }

    /// Writes a chunk; says whether it was its turn, and how long that took.
    async fn write(&self, chunk: &Chunk, now: Timestamp) -> store::Result<(bool, Duration)> {
        let began = Instant::now();
        let is_written = self.tools.store.expand(chunk, now).await?;
        Ok((is_written, began.elapsed()))
    }

    fn tell(&self, chunk: &Chunk, now: Timestamp) {
        metrics::counter!("baton_campaign_recipients_total").increment(chunk.members);
        metrics::counter!("baton_campaign_chunks_total").increment(1);
        if chunk.deliveries.iter().any(|job| job.run_at <= now) {
            // A deep backlog is found by looking, not by hints.
            self.tools.offers.claimable([None]);
        }
        if chunk.deliveries.iter().any(|job| job.run_at > now) {
            self.tools.wakeups.send(Wakeup::Due);
        }
        if chunk.is_last {
            // Its lane is free for the next one.
            self.tools.wakeups.send(Wakeup::Campaigns);
        }
        self.tools.wakeups.send(Wakeup::Facts);
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

/// The campaign as it will be when it has come so far.
fn at(campaign: &Campaign, cursor: i64) -> Campaign {
    Campaign {
        cursor,
        ..campaign.clone()
    }
}

/// The size that would have taken as long as it should, approached half way.
fn adapted(size: u32, took: Duration) -> u32 {
    let wanted = f64::from(size) * TARGET.as_secs_f64() / took.as_secs_f64().max(1e-6);
    let wanted = wanted.clamp(f64::from(SIZE.0), f64::from(SIZE.1));
    u32::midpoint(size, wanted as u32)
}

#[async_trait]
impl Routine for Expander {
    fn name(&self) -> &'static str {
        "expander"
    }

    fn duty(&self) -> &'static str {
        "writes the deliveries of campaigns, a chunk at a time"
    }

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
