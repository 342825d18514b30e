//! From rows to schedules and their fires.

use std::time::Duration;

use baton_domain::{
    ScheduleId, Timestamp,
    schedule::{Calendar, Cron, Fire, Missed, MissedRun, Outcome, Schedule, ScheduleDefinition},
};
use baton_ports::store::{Error, Result};

use crate::row::{Cells, Row};

/// A schedule, from the cells that every statement about one begins with.
pub fn schedule(cells: &mut Cells) -> Result<Schedule> {
    let id = ScheduleId::from_uuid(cells.uuid("id")?);
    let plan = plan(cells)?;
    Ok(Schedule {
        id,
        plan,
        revision: cells.int("revision")?,
        paused: cells.truth("paused")?,
        next_at: cells.maybe_time("next_at")?,
        last_at: cells.maybe_time("last_at")?,
        created_at: cells.time("created_at")?,
        updated_at: cells.time("updated_at")?,
    })
}

fn plan(cells: &mut Cells) -> Result<ScheduleDefinition> {
    let name = cells.text("name")?;
    let calendar = calendar(&cells.text("cron")?, &cells.text("time_zone")?)?;
    let template = cells.json("template")?;
    let lead = Duration::from_micros(cells.count("lead_us")?);
    let missed: Missed = cells.word("missed")?;
    let most = cells.count("missed_max")?;
    let missed = match missed {
        Missed::All { .. } => Missed::All { most },
        policy => policy,
    };
    Ok(ScheduleDefinition {
        name,
        calendar,
        template,
        lead,
        missed,
    })
}

fn calendar(cron: &str, time_zone: &str) -> Result<Calendar> {
    let corrupt = |column, message: String| Error::Corrupt {
        table: "schedules",
        column,
        message,
    };
    let cron = Cron::parse(cron).map_err(|message| corrupt("cron", message))?;
    let unknown = || format!("{time_zone} is a time zone that this version does not know");
    Calendar::new(cron, time_zone).ok_or_else(|| corrupt("time_zone", unknown()))
}

/// A line of a history.
pub fn fire(row: Row) -> Result<Fire> {
    let mut cells = row.cells("fires");
    cells.skip();
    let cells = &mut cells;
    let (at, recorded_at) = (cells.time("at")?, cells.time("recorded_at")?);
    let made = cells.maybe_text("made")?;
    let by_hand = cells.truth("by_hand")?;
    let outcome = match made {
        Some(made) => Outcome::Made { made, by_hand },
        None => missed(at, cells)?,
    };
    Ok(Fire {
        at,
        recorded_at,
        outcome,
    })
}

fn missed(first: Timestamp, cells: &mut Cells) -> Result<Outcome> {
    let run = MissedRun {
        first,
        last: cells.time("missed_until")?,
        count: cells.count("missed")?,
    };
    Ok(Outcome::Missed {
        run,
        reason: cells.text("reason")?,
    })
}
