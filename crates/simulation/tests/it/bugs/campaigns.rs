//! Mistakes with campaigns.

use async_trait::async_trait;
use baton_domain::{Timestamp, campaign::State};
use baton_ports::{
    Store,
    layer::Hook,
    store::{CampaignMove, Chunk, Result},
};

use super::{is_caught, with};

/// Moves the cursor past a chunk, and forgets the last of its deliveries.
struct Careless;

#[async_trait]
impl Hook for Careless {
    async fn expand(&self, below: &dyn Store, chunk: &Chunk, now: Timestamp) -> Result<bool> {
        let mut chunk = chunk.clone();
        if chunk.deliveries.len() > 5 {
            chunk.deliveries.pop();
        }
        below.expand(&chunk, now).await
    }
}

#[test]
fn a_cursor_that_is_moved_past_a_recipient_is_caught() {
    is_caught(
        |store, _| with(store, Careless),
        "each_member_of_an_audience_has_one_delivery",
    );
}

/// Counts a chunk again, as if nobody had heard that it was written.
struct Twice;

#[async_trait]
impl Hook for Twice {
    async fn expand(&self, below: &dyn Store, chunk: &Chunk, now: Timestamp) -> Result<bool> {
        let is_written = below.expand(chunk, now).await?;
        if is_written && !chunk.is_last {
            let again = Chunk {
                after: chunk.cursor,
                deliveries: Vec::new(),
                ..chunk.clone()
            };
            below.expand(&again, now).await?;
        }
        Ok(is_written)
    }
}

#[test]
fn a_chunk_that_is_counted_twice_is_caught() {
    is_caught(
        |store, _| with(store, Twice),
        "the_books_of_a_campaign_are_the_sum_of_its_deliveries",
    );
}

/// Confirms a stop, and does nothing.
struct Deaf;

#[async_trait]
impl Hook for Deaf {
    async fn command(
        &self,
        below: &dyn Store,
        command: &CampaignMove,
        now: Timestamp,
    ) -> Result<bool> {
        if command.transition.to() == State::Stopped {
            return Ok(true);
        }
        below.command(command, now).await
    }
}

#[test]
fn a_stop_that_is_confirmed_and_forgotten_is_caught() {
    is_caught(
        |store, _| with(store, Deaf),
        "no_call_starts_two_seconds_after_a_stop",
    );
    is_caught(
        |store, _| with(store, Deaf),
        "nothing_is_written_for_a_campaign_that_stands",
    );
}
