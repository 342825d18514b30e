//! From a row to a campaign.

use baton_domain::{
    CampaignId, Timestamp, WorkerId,
    campaign::{Approval, Campaign, Counts, Signature},
    job, queue,
};
use baton_ports::store::Result;

use crate::row::{Cells, Row};

/// The epoch of a campaign of which the rest cannot be read.
pub(super) fn epoch(row: Row) -> Result<i64> {
    let mut cells = row.cells("campaigns");
    // Id, key, plan, lane, state, why.
    (0..6).for_each(|_| cells.skip());
    cells.int("epoch")
}

/// A campaign with its books, from a row of `campaigns/find`.
pub(super) fn campaign(row: Row, now: Timestamp) -> Result<Campaign> {
    let mut cells = row.cells("campaigns");
    let cells = &mut cells;
    let mut campaign = Campaign {
        id: CampaignId::from_uuid(cells.uuid("id")?),
        key: cells.maybe_text("key")?,
        plan: cells.json("plan")?,
        lane: cells.text("lane")?,
        state: cells.word("state")?,
        why: cells.maybe_text("why")?,
        epoch: cells.int("epoch")?,
        rate: cells.maybe_float("rate")?,
        start_at: cells.time("start_at")?,
        cursor: cells.int("cursor")?,
        until: cells.maybe_int("until")?,
        expected: cells.maybe_count("expected")?,
        expanded: cells.count("expanded")?,
        items: cells.count("items")?,
        chunks: cells.count("chunks")?,
        holder: {
            let holder = cells.maybe_uuid("holder")?.map(WorkerId::from_uuid);
            holder.zip(cells.maybe_time("held_until")?)
        },
        losses: cells.count("losses")?,
        created_at: cells.time("created_at")?,
        updated_at: cells.time("updated_at")?,
        began_at: cells.maybe_time("began_at")?,
        completed_at: cells.maybe_time("completed_at")?,
        finished_at: cells.maybe_time("finished_at")?,
        counts: Counts::default(),
        per_second: 0.0,
        waits_for: None,
        approval: None,
    };
    for state in job::State::ALL {
        // A counter can be behind by the facts that have no number yet, and then below nought.
        let count = u64::try_from(cells.int(state.as_str())?).unwrap_or(0);
        campaign.counts.set(state, count);
    }
    let (before, since) = (cells.count("ended_before")?, cells.count("ended_since")?);
    campaign.per_second = queue::per_second(before, since, campaign.ran(now), now);
    campaign.waits_for = cells.maybe_uuid("waits_for")?.map(CampaignId::from_uuid);
    campaign.approval = approval(cells)?;
    Ok(campaign)
}

/// Who has to approve it or has, where anybody has to.
fn approval(cells: &mut Cells) -> Result<Option<Approval>> {
    let Some(recipients) = cells.maybe_count("recipients")? else {
        return Ok(None);
    };
    let (by, name) = (cells.word("asked_by")?, cells.text("asked_name")?);
    let person = cells.word("person")?;
    let at = cells.time("asked_at")?;
    let asked = Signature { by, name, at };
    let by = cells.maybe_word("approved_by")?;
    let name = cells.maybe_text("approved_name")?;
    let at = cells.maybe_time("approved_at")?;
    let approved = by.zip(name).zip(at);
    Ok(Some(Approval {
        recipients,
        asked,
        person,
        approved: approved.map(|((by, name), at)| Signature { by, name, at }),
    }))
}
