//! What the store knows of hints.

use async_trait::async_trait;
use baton_domain::Timestamp;
use serde_json::json;
use uuid::Uuid;

use super::{MemoryStore, Ready, Tables, facts::Fact};
use crate::{
    hints::Hint,
    store::{Claimable, Generation, Hinting, Result, Turn},
};

/// Which generation of hints there should be.
pub(super) struct Book {
    installation: Uuid,
    number: i64,
    incarnation: String,
}

impl Default for Book {
    fn default() -> Self {
        Self {
            installation: Uuid::new_v4(),
            number: 0,
            incarnation: String::new(),
        }
    }
}

impl Book {
    pub(super) const fn number(&self) -> i64 {
        self.number
    }
}

#[async_trait]
impl Hinting for MemoryStore {
    async fn generation(&self) -> Result<Generation> {
        let tables = self.tables();
        Ok(Generation {
            installation: tables.hints.installation,
            number: tables.hints.number,
            incarnation: tables.hints.incarnation.clone(),
        })
    }

    async fn begin_generation(
        &self,
        seen: i64,
        incarnation: &str,
        why: &str,
        now: Timestamp,
    ) -> Result<Option<i64>> {
        Ok(self.tables().begin_generation(seen, incarnation, why, now))
    }

    async fn claimable(
        &self,
        after: Option<&Turn>,
        before: Timestamp,
        limit: u32,
    ) -> Result<Claimable> {
        Ok(self.tables().claimable(after, before, limit as usize))
    }
}

impl Tables {
    fn begin_generation(
        &mut self,
        seen: i64,
        incarnation: &str,
        why: &str,
        now: Timestamp,
    ) -> Option<i64> {
        let book = &mut self.hints;
        if book.number != seen {
            return None;
        }
        book.number += 1;
        incarnation.clone_into(&mut book.incarnation);
        let number = book.number;
        let fact = Fact::about("hints.lost", "hints", now)
            .with("generation", number)
            .with("reason", json!(why));
        self.ledger.tell(vec![fact]);
        Some(number)
    }

    fn claimable(&self, after: Option<&Turn>, before: Timestamp, limit: usize) -> Claimable {
        let queues = self.ready.iter();
        let turns = queues.flat_map(|(queue, place)| {
            place
                .in_order()
                .map(move |(job, row)| (turn(queue, job, row), row))
        });
        let page: Vec<_> = turns
            .filter(|(turn, _)| after.is_none_or(|after| turn > after))
            .take(limit)
            .collect();
        let worth = page.iter().filter(|(_, row)| row.since < before);
        let hints =
            worth.filter(|(turn, _)| self.is_free(&turn.queue) && self.is_hinted_at(&turn.queue));
        Claimable {
            hints: hints
                .filter_map(|(turn, _)| Hint::of(&turn.queue, turn.job, turn.priority))
                .collect(),
            next: match page.len() < limit {
                true => None,
                false => page.into_iter().next_back().map(|(turn, _)| turn),
            },
        }
    }
}

fn turn(queue: &str, job: baton_domain::JobId, row: &Ready) -> Turn {
    Turn {
        queue: queue.to_owned(),
        priority: row.priority,
        run_at: row.run_at,
        job,
    }
}
