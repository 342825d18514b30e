//! A step of a walk: the next chunk is made, and written down or halved.

use std::time::Duration;

use baton_domain::{Timestamp, campaign::Campaign};
use baton_ports::{
    Wakeup,
    bisect::SUSPICIOUS,
    store::{self, Chunk, Error, Members},
};
use futures::future;
use tokio::time::Instant;

use super::{Expander, HOLD, Walker};
use crate::campaigns::reach;

/// How long a chunk may take: a stop waits for the one under way.
const TARGET: Duration = Duration::from_millis(50);
/// How many recipients a chunk holds, at least and at most.
pub(super) const SIZE: (u32, u32) = (50, 5_000);
/// How many are passed over before somebody is written down again: after that it is the store that is at fault.
const PASSED_OVER: u32 = 5;

/// A chunk, and how many members fit into it, if not all did that were read for it.
pub(super) struct ExpandedChunk {
    chunk: Chunk,
    fit: Option<u32>,
}

impl Expander {
    /// Writes the next chunk of a campaign; says whether there is more for this node.
    pub(super) async fn step(&self, walker: &mut Walker) -> store::Result<bool> {
        if walker.campaign.until.is_none() {
            return Ok(false);
        }
        let ExpandedChunk { mut chunk, fit } = match walker.ahead.take() {
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

    /// Reads the next recipients and makes a chunk of them.
    async fn prepare(&self, campaign: &Campaign, size: u32) -> store::Result<ExpandedChunk> {
        let limit = campaign.plan.chunk.unwrap_or(u32::MAX).min(size);
        let members = self.members(campaign, limit).await?;
        let now = self.tools.clock.now();
        let chunk = Chunk::of(campaign, &members, self.node, now + HOLD, now);
        let is_cut = chunk.members < members.recipients.len() as u64;
        let fit = u32::try_from(chunk.members).ok().filter(|_| is_cut);
        Ok(ExpandedChunk { chunk, fit })
    }

    async fn members(&self, campaign: &Campaign, limit: u32) -> store::Result<Members> {
        let ahead = (campaign.cursor, campaign.until.unwrap_or(campaign.cursor));
        reach::members(self.tools.store.as_ref(), &campaign.plan, ahead, limit).await
    }

    /// The same while the chunk before it is written. What cannot be read now is read when it is due.
    async fn prepare_ahead(&self, campaign: Option<&Campaign>, size: u32) -> Option<ExpandedChunk> {
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
