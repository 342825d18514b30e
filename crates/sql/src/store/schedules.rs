//! Schedules: what is made again and again, and what was made.

mod read;

use async_trait::async_trait;
use baton_domain::{
    ScheduleId, Timestamp,
    page::{Page, PageRequest},
    schedule::{Fire, MissedRun, Schedule},
};
use baton_ports::store::{
    DueSchedules, Error, Fired, Firing, Named, Passing, Result, ScheduleChange, ScheduledWork,
    Schedules, Turning, schedule_data,
};
use uuid::Uuid;

use self::read::{fire, schedule};
use super::{SqlStore, audit_log::says_so, campaigns, first};
use crate::{
    kernel::{CommitIf, ConnectionPool, Unit},
    row::{Row, Rows},
    statement::{self as sql, Script},
    value::{Params, params},
};

#[async_trait]
impl Schedules for SqlStore {
    async fn add_schedule(&self, schedule: &Schedule, now: Timestamp) -> Result<Named> {
        let mut params = fields(schedule);
        params.extend(params! { now: now });
        let id = schedule.id.uuid();
        // Two who add the same name at once both tell of it; what the later one told is taken back.
        let keep: CommitIf = Box::new(move |rows| holder_in(rows) == Some(id));
        // Asked for again, the schedule is there.
        let is_new = |rows: &[Rows]| rows.first().is_some_and(|rows| says_so(rows, 1));
        let rows = self
            .unit(vec![(&sql::schedules::ADD, params)], keep, is_new)
            .await?;
        match holder_in(&rows) {
            Some(holder) if holder == id => Ok(Named::Written),
            Some(holder) => Ok(Named::Taken(ScheduleId::from_uuid(holder))),
            None if self.names_erased(&schedule.plan.template).await? => Err(Error::Erasing),
            None => Ok(Named::Overtaken),
        }
    }

    async fn find_schedule(&self, id: ScheduleId) -> Result<Option<Schedule>> {
        let params = params! { id: id.uuid() };
        let rows = self.read(&sql::schedules::FIND, params).await?;
        self.the_one("schedules", rows, |row| {
            schedule(&mut row.cells("schedules"))
        })
    }

    async fn schedules(&self, page: &PageRequest) -> Result<Page<Schedule>> {
        let before = page.cursor()?.map_or(Uuid::max(), ScheduleId::uuid);
        let params = params! { before: before, limit: page.limit + 1 };
        let rows = self.read(&sql::schedules::LIST, params).await?;
        let read = |row: Row| schedule(&mut row.cells("schedules"));
        let cursor = |row: &Row| {
            let id = row.clone().cells("schedules").uuid("id")?;
            Ok(ScheduleId::from_uuid(id).to_string())
        };
        Ok(self.page("schedules", rows, page.limit, read, cursor))
    }

    async fn change_schedule(
        &self,
        schedule: &Schedule,
        change: ScheduleChange,
        now: Timestamp,
    ) -> Result<Named> {
        let mut params = fields(schedule);
        params.extend(params! { now: now, type: change.fact() });
        let rows = self
            .unit(
                vec![(&sql::schedules::CHANGE, params)],
                kept_if_found(),
                has_found,
            )
            .await?;
        if has_found(&rows) {
            return Ok(Named::Written);
        }
        let params = params! { id: schedule.id.uuid(), name: schedule.plan.name.clone() };
        let holder = first(self.read(&sql::schedules::HOLDER, params).await?);
        match holder {
            Some(row) => {
                let holder = row.cells("schedules").uuid("id")?;
                Ok(Named::Taken(ScheduleId::from_uuid(holder)))
            }
            None if self.names_erased(&schedule.plan.template).await? => Err(Error::Erasing),
            None => Ok(Named::Overtaken),
        }
    }

    async fn delete_schedule(&self, id: ScheduleId, now: Timestamp) -> Result<bool> {
        let params = params! { id: id.uuid(), subject: id.to_string(), data: "{}", now: now };
        let rows = self
            .unit(
                vec![(&sql::schedules::DELETE, params)],
                kept_if_found(),
                has_found,
            )
            .await?;
        Ok(has_found(&rows))
    }

    async fn due_schedules(&self, limit: u32, now: Timestamp) -> Result<DueSchedules> {
        let rows = self
            .read(&sql::schedules::DUE, params! { limit: limit })
            .await?;
        let mut due = DueSchedules::default();
        for row in rows {
            let read = |row: Row| {
                let mut cells = row.cells("schedules");
                Ok((schedule(&mut cells)?, cells.time("due_at")?))
            };
            // One that a newer version has written must not stop all others.
            let Some((one, due_at)) = self.readable_one("schedules", row, read) else {
                continue;
            };
            if due_at > now {
                due.next_due = Some(due_at);
                break;
            }
            due.schedules.push(one);
        }
        Ok(due)
    }

    async fn fire(&self, firing: &Firing, now: Timestamp) -> Result<Fired> {
        let mut scripts = vec![(&sql::schedules::FIRE, fired(firing, now))];
        match &firing.made {
            ScheduledWork::Job(job) => {
                let job = self.columns(std::slice::from_ref(&**job), now);
                scripts.push((&sql::jobs::ENQUEUE, job));
            }
            ScheduledWork::Campaign(campaign) => scripts.extend(campaigns::creation(campaign)),
        }
        // Asked for again, the campaign is there: then nothing more is to be told of it.
        let is_new = |rows: &[Rows]| rows.get(1).is_none_or(|rows| !rows.is_empty());
        let keep: CommitIf = match &firing.made {
            ScheduledWork::Job(_) => Box::new(|rows| matches!(became(rows), Ok(Fired::Fired))),
            ScheduledWork::Campaign(_) => {
                Box::new(move |rows| matches!(became(rows), Ok(Fired::Fired)) && is_new(rows))
            }
        };
        let is_first = |rows: &[Rows]| rows.first().is_some_and(|rows| says_so(rows, 1));
        let rows = self.unit(scripts, keep, is_first).await?;
        match (&firing.made, rows.get(1)) {
            (ScheduledWork::Campaign(campaign), Some(made)) if made.is_empty() => {
                match self.names_erased(&campaign.plan).await? {
                    true => Err(Error::Erasing),
                    false => became(&rows),
                }
            }
            _ => became(&rows),
        }
    }

    async fn pass_over(&self, passing: &Passing, now: Timestamp) -> Result<bool> {
        let unit = Unit {
            scripts: vec![(&sql::schedules::PASS_OVER, passed(passing, now))],
            keep: Some(kept_if_found()),
        };
        Ok(has_found(
            &self.kernel.transact(ConnectionPool::Front, unit).await?,
        ))
    }

    async fn fires(&self, id: ScheduleId, page: &PageRequest) -> Result<Page<Fire>> {
        let before = page.cursor()?.unwrap_or(i64::MAX);
        let params = params! { id: id.uuid(), before: before, limit: page.limit + 1 };
        let rows = self.read(&sql::schedules::FIRES, params).await?;
        let cursor = |row: &Row| {
            let mut cells = row.clone().cells("fires");
            cells.skip();
            Ok(cells.time("at")?.as_micros().to_string())
        };
        Ok(self.page("fires", rows, page.limit, fire, cursor))
    }
}

impl SqlStore {
    async fn unit(
        &self,
        scripts: Vec<(&'static Script, Params)>,
        keep: CommitIf,
        has_changed: fn(&[Rows]) -> bool,
    ) -> Result<Vec<Rows>> {
        let unit = Unit {
            scripts,
            keep: Some(keep),
        };
        self.transact_audited(unit, has_changed).await
    }
}

/// Nothing is kept of a script that finds nothing to change: not even what it told before.
fn kept_if_found() -> CommitIf {
    Box::new(has_found)
}

fn has_found(rows: &[Rows]) -> bool {
    rows.first().is_some_and(|rows| !rows.is_empty())
}

fn holder_in(rows: &[Rows]) -> Option<Uuid> {
    let row = rows.first()?.first()?.clone();
    row.cells("schedules").uuid("id").ok()
}

/// What the statement says of a fire: no row, and the schedule was not as it was; a nought, and there
/// is a line for this time that is not ours.
fn became(rows: &[Rows]) -> Result<Fired> {
    let Some(row) = rows.first().and_then(|rows| rows.first()) else {
        return Ok(Fired::Overtaken);
    };
    let is_made = row.clone().cells("fires").truth("count")?;
    Ok(if is_made {
        Fired::Fired
    } else {
        Fired::Already
    })
}

/// A schedule as the statements take it.
fn fields(schedule: &Schedule) -> Params {
    let plan = &schedule.plan;
    params! {
        id: schedule.id.uuid(), subject: schedule.id.to_string(), data: schedule_data(schedule).to_string(),
        name: plan.name.clone(), cron: plan.calendar.cron().as_str(), time_zone: plan.calendar.time_zone(),
        template: serde_json::to_string(&plan.template).unwrap_or_default(),
        lead_us: i64::try_from(plan.lead.as_micros()).unwrap_or(i64::MAX),
        missed: plan.missed.as_str(), missed_max: plan.missed.most(), revision: schedule.revision, paused: schedule.paused,
        next_at: schedule.next_at, due_at: schedule.due_at(), last_at: schedule.last_at, updated_at: schedule.updated_at,
    }
}

fn fired(firing: &Firing, now: Timestamp) -> Params {
    let turn = firing.turn.unwrap_or(Turning {
        next_at: None,
        due_at: None,
    });
    params! {
        id: firing.schedule.uuid(), subject: firing.schedule.to_string(), data: firing.data().to_string(),
        revision: firing.revision, at: firing.at, made: firing.made.id(), by_hand: firing.turn.is_none(),
        next_at: turn.next_at, due_at: turn.due_at, now: now,
    }
}

fn passed(passing: &Passing, now: Timestamp) -> Params {
    let run: Option<&MissedRun> = passing.missed.as_ref().map(|(run, _)| run);
    params! {
        id: passing.schedule.uuid(), subject: passing.schedule.to_string(), data: passing.data().map(|data| data.to_string()),
        revision: passing.revision, at: passing.at, next_at: passing.turn.next_at, due_at: passing.turn.due_at,
        missed_until: run.map(|run| run.last), missed: run.map(|run| run.count),
        reason: passing.missed.as_ref().map(|(_, reason)| reason.clone()), now: now,
    }
}
