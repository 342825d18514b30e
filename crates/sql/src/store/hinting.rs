//! What the store knows of hints: their generation, and what there is to hint at.

use super::{SqlStore, first};
use crate::{row::Row, statement as sql, value::params};
use async_trait::async_trait;
use baton_domain::{JobId, Timestamp};
use baton_ports::{
    Hint,
    store::{Claimable, Error, Generation, Hinting, Result, Turn},
};

#[async_trait]
impl Hinting for SqlStore {
    async fn generation(&self) -> Result<Generation> {
        let row = first(self.read(&sql::hints::GENERATION, params! {}).await?);
        let row =
            row.ok_or_else(|| Error::Refused("the generation of hints is missing".to_owned()))?;
        let mut cells = row.cells("hint_generation");
        Ok(Generation {
            installation: cells.uuid("installation")?,
            number: cells.int("number")?,
            incarnation: cells.text("incarnation")?,
        })
    }

    async fn begin_generation(
        &self,
        seen: i64,
        incarnation: &str,
        why: &str,
        now: Timestamp,
    ) -> Result<Option<i64>> {
        let params = params! { seen: seen, incarnation: incarnation, why: why, now: now };
        let row = first(self.write(&sql::hints::BEGIN, params).await?);
        row.map(|row| row.cells("hint_generation").int("number"))
            .transpose()
    }

    async fn claimable(
        &self,
        after: Option<&Turn>,
        before: Timestamp,
        limit: u32,
    ) -> Result<Claimable> {
        let start = Turn::before_all_in("");
        let after = after.unwrap_or(&start);
        let params = params! {
            queue: after.queue.clone(), priority: i64::from(after.priority), run_at: after.run_at,
            job: after.job.uuid(), before: before, limit: limit,
        };
        let rows = self.read(&sql::hints::CLAIMABLE, params).await?;
        let is_last = rows.len() < limit as usize;
        let mut claimable = Claimable::default();
        for row in rows {
            let (turn, is_worth_it) = turn(row)?;
            if is_worth_it {
                let hint = Hint::of(&turn.queue, turn.job, turn.priority);
                claimable.hints.extend(hint);
            }
            claimable.next = Some(turn);
        }
        if is_last {
            claimable.next = None;
        }
        Ok(claimable)
    }
}

fn turn(row: Row) -> Result<(Turn, bool)> {
    let mut cells = row.cells("ready");
    let turn = Turn {
        queue: cells.text("queue")?,
        priority: cells.count("priority")?,
        run_at: cells.time("run_at")?,
        job: JobId::from_uuid(cells.uuid("job_id")?),
    };
    Ok((turn, cells.truth("is_worth_it")?))
}
