//! Whom a campaign has written down and not reached.
//!
//! A walk over its deliveries, which stand in the order of the numbers of their recipients.

use std::collections::BTreeSet;

use baton_domain::{JobId, job::State};
use baton_ports::store::{Error, Members, Result, Unreached, UnreachedCount};

use super::{SqlStore, first};
use crate::{
    row::Row,
    statement as sql,
    value::{Params, params},
};

/// How many hexadecimal digits of a delivery's id are the number of its recipient.
const DIGITS: usize = 10;

impl SqlStore {
    pub(super) async fn walk_unreached(&self, walk: &Unreached, limit: u32) -> Result<Members> {
        let limited = params! { limit: limit };
        let params = range(walk).into_iter().chain(limited).collect();
        let rows = self.read(&sql::campaigns::UNREACHED, params).await?;
        let is_full = rows.len() == limit as usize;
        let last = rows.last().filter(|_| is_full).cloned();
        let next = last.map(|row| number_of(walk, row)).transpose()?;
        let found = self.readable("finished", rows, |row| unreached(walk, row));
        let numbers: Vec<_> = found.iter().map(|(number, _)| *number).collect();
        let told = found.iter().filter(|(_, has_item)| *has_item);
        let told: BTreeSet<_> = told.map(|(number, _)| *number).collect();
        Ok(Members {
            next,
            recipients: self.numbered(&numbers).await?,
            told,
        })
    }

    pub(super) async fn tell_unreached(&self, walk: &Unreached) -> Result<UnreachedCount> {
        let id = walk.campaign.uuid().to_string();
        let stem = id[..id.len() - DIGITS].to_owned();
        let numbers = params! { stem: stem, after_number: walk.after, until_number: walk.until };
        let params = range(walk).into_iter().chain(numbers).collect();
        let Some(row) = first(self.read(&sql::campaigns::COUNT_UNREACHED, params).await?) else {
            return Ok(UnreachedCount::default());
        };
        let mut cells = row.cells("finished");
        Ok(UnreachedCount {
            written: cells.count("written")?,
            failed: cells.count("failed")?,
            canceled: cells.count("canceled")?,
            skipped: cells.count("skipped")?,
            uncertain: cells.count("uncertain")?,
        })
    }
}

fn range(walk: &Unreached) -> Params {
    let delivery = |number| walk.campaign.delivery(number).uuid();
    params! { after: delivery(walk.after), until: delivery(walk.until) }
}

/// The number of somebody who was not reached.
fn number_of(walk: &Unreached, row: Row) -> Result<i64> {
    let job = JobId::from_uuid(row.cells("finished").uuid("job_id")?);
    job.recipient_of(walk.campaign)
        .ok_or_else(|| Error::Corrupt {
            table: "finished",
            column: "job_id",
            message: format!("{job} is no delivery of {}", walk.campaign),
        })
}

/// The number of somebody who was not reached, and whether the item of the campaign lies in the inbox:
/// it does for all but those who were passed over when the chunk was written.
fn unreached(walk: &Unreached, row: Row) -> Result<(i64, bool)> {
    let number = number_of(walk, row.clone())?;
    let mut cells = row.cells("finished");
    cells.skip();
    let state: State = cells.word("state")?;
    let attempt = cells.int("attempt")?;
    Ok((number, (state, attempt) != (State::Skipped, 0)))
}
