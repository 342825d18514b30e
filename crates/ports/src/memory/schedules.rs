//! Schedules: what is made again and again, and what was made.

use std::collections::{BTreeMap, btree_map::Entry};

use async_trait::async_trait;
use baton_domain::{
    ScheduleId, Timestamp,
    page::{Page, PageRequest},
    schedule::{Fire, Outcome, Schedule},
};

use super::{MemoryStore, Tables, facts::Fact};
use crate::store::{
    Atomicity, DueSchedules, Error, Fired, Firing, Named, Passing, Result, ScheduleChange,
    ScheduledWork, Schedules, Turning, schedule_data,
};

/// Schedules, and what became of their times: one line for each.
#[derive(Default)]
pub(super) struct Timetable {
    pub(super) schedules: BTreeMap<ScheduleId, Schedule>,
    pub(super) fires: BTreeMap<(ScheduleId, Timestamp), Fire>,
}

#[async_trait]
impl Schedules for MemoryStore {
    async fn add_schedule(&self, schedule: &Schedule, now: Timestamp) -> Result<Named> {
        let mut tables = self.tables();
        if tables.makes_for_erased(schedule) {
            return Err(Error::Erasing);
        }
        if let Some(holder) = tables.timetable.holder(schedule) {
            return Ok(Named::Taken(holder));
        }
        if let Entry::Vacant(place) = tables.timetable.schedules.entry(schedule.id) {
            place.insert(schedule.clone());
            tables.tell_of_schedule("schedule.created", schedule, now);
            self.put_down(&mut tables, true);
        }
        Ok(Named::Written)
    }

    async fn find_schedule(&self, id: ScheduleId) -> Result<Option<Schedule>> {
        Ok(self.tables().timetable.schedules.get(&id).cloned())
    }

    async fn schedules(&self, page: &PageRequest) -> Result<Page<Schedule>> {
        let after = page.cursor::<ScheduleId>()?;
        let tables = self.tables();
        let newest_first = tables.timetable.schedules.values().rev();
        let older = newest_first.filter(|one| after.is_none_or(|after| one.id < after));
        let cursor = |last: &Schedule| last.id.to_string();
        Ok(page_of(older.cloned(), page.limit, cursor))
    }

    async fn change_schedule(
        &self,
        schedule: &Schedule,
        change: ScheduleChange,
        now: Timestamp,
    ) -> Result<Named> {
        let mut tables = self.tables();
        if tables.makes_for_erased(schedule) {
            return Err(Error::Erasing);
        }
        if let Some(holder) = tables.timetable.holder(schedule) {
            return Ok(Named::Taken(holder));
        }
        let known = tables.timetable.schedules.get_mut(&schedule.id);
        let Some(known) = known.filter(|known| known.revision + 1 == schedule.revision) else {
            return Ok(Named::Overtaken);
        };
        let last_at = known.last_at;
        *known = Schedule {
            last_at,
            ..schedule.clone()
        };
        tables.tell_of_schedule(change.fact(), schedule, now);
        self.put_down(&mut tables, true);
        Ok(Named::Written)
    }

    async fn delete_schedule(&self, id: ScheduleId, now: Timestamp) -> Result<bool> {
        let mut tables = self.tables();
        let deleted = tables.timetable.schedules.remove(&id);
        if deleted.is_some() {
            let fact = Fact::about("schedule.deleted", id.to_string(), now);
            tables.ledger.tell(vec![fact]);
        }
        self.put_down(&mut tables, deleted.is_some());
        Ok(deleted.is_some())
    }

    async fn due_schedules(&self, limit: u32, now: Timestamp) -> Result<DueSchedules> {
        let tables = self.tables();
        let schedules = tables.timetable.schedules.values();
        let mut by_time: Vec<_> = schedules
            .filter_map(|one| Some((one.due_at()?, one.id)))
            .collect();
        by_time.sort_unstable();
        by_time.truncate(limit as usize);
        let next = by_time.iter().find(|(due_at, _)| *due_at > now);
        let due = by_time.iter().filter(|(due_at, _)| *due_at <= now);
        Ok(DueSchedules {
            next_due: next.map(|(due_at, _)| *due_at),
            schedules: due
                .map(|(_, id)| tables.timetable.schedules[id].clone())
                .collect(),
        })
    }

    async fn fire(&self, firing: &Firing, now: Timestamp) -> Result<Fired> {
        let mut tables = self.tables();
        match &firing.made {
            ScheduledWork::Campaign(campaign) if tables.names_erased(&campaign.plan) => {
                Err(Error::Erasing)
            }
            _ => {
                let known = tables.timetable.fires.len();
                let fired = tables.fire(firing, now);
                let is_new = tables.timetable.fires.len() > known;
                self.put_down(&mut tables, is_new);
                Ok(fired)
            }
        }
    }

    async fn pass_over(&self, passing: &Passing, now: Timestamp) -> Result<bool> {
        Ok(self.tables().pass_over(passing, now).is_some())
    }

    async fn fires(&self, id: ScheduleId, page: &PageRequest) -> Result<Page<Fire>> {
        let before = page.cursor()?.unwrap_or(i64::MAX);
        let (first, end) = (
            Timestamp::from_micros(i64::MIN),
            Timestamp::from_micros(before),
        );
        let tables = self.tables();
        let range = tables.timetable.fires.range((id, first)..(id, end));
        let newest_first = range.rev().map(|(_, fire)| fire.clone());
        let cursor = |last: &Fire| last.at.as_micros().to_string();
        Ok(page_of(newest_first, page.limit, cursor))
    }
}

impl Timetable {
    /// The other schedule that has the name of this one.
    fn holder(&self, schedule: &Schedule) -> Option<ScheduleId> {
        let is_holder =
            |other: &&Schedule| other.id != schedule.id && other.plan.name == schedule.plan.name;
        self.schedules.values().find(is_holder).map(|one| one.id)
    }

    /// A schedule, if it is as it was, and stands at this time if it is its turn.
    fn standing(
        &mut self,
        id: ScheduleId,
        revision: i64,
        at: Option<Timestamp>,
    ) -> Option<&mut Schedule> {
        let known = self.schedules.get_mut(&id)?;
        let is_as_it_was = known.revision == revision && (at.is_none() || known.next_at == at);
        is_as_it_was.then_some(known)
    }
}

impl Tables {
    fn fire(&mut self, firing: &Firing, now: Timestamp) -> Fired {
        let key = (firing.schedule, firing.at);
        let turn = firing.turn.map(|_| firing.at);
        let made = firing.made.id();
        let known = self.timetable.fires.get(&key).map(|fire| &fire.outcome);
        let is_mine = matches!(known, Some(Outcome::Made { made: before, .. }) if *before == made);
        let is_taken = known.is_some();
        let timetable = &mut self.timetable;
        let Some(schedule) = timetable.standing(firing.schedule, firing.revision, turn) else {
            return Fired::Overtaken;
        };
        match (is_taken, is_mine) {
            (true, true) => return Fired::Fired,
            (true, false) => return Fired::Already,
            _ => {}
        }
        schedule.last_at = schedule.last_at.max(Some(firing.at));
        go_on(schedule, firing.turn);
        let outcome = Outcome::Made {
            made,
            by_hand: firing.turn.is_none(),
        };
        self.record_fire(key, outcome, now);
        let fact = Fact::about("schedule.fired", firing.schedule.to_string(), now)
            .with_all(&firing.data());
        self.ledger.tell(vec![fact]);
        match &firing.made {
            ScheduledWork::Job(job) => drop(self.enqueue(vec![(**job).clone()], Atomicity::All)),
            ScheduledWork::Campaign(campaign) => drop(self.create_campaign(campaign)),
        }
        Fired::Fired
    }

    fn pass_over(&mut self, passing: &Passing, now: Timestamp) -> Option<()> {
        let (id, at) = (passing.schedule, passing.at);
        let timetable = &mut self.timetable;
        let schedule = timetable.standing(id, passing.revision, Some(at))?;
        go_on(schedule, Some(passing.turn));
        if let (Some((run, reason)), Some(data)) = (&passing.missed, passing.data()) {
            let outcome = Outcome::Missed {
                run: *run,
                reason: reason.clone(),
            };
            self.record_fire((id, at), outcome, now);
            let fact = Fact::about("schedule.missed", id.to_string(), now).with_all(&data);
            self.ledger.tell(vec![fact]);
        }
        Some(())
    }

    fn record_fire(&mut self, key: (ScheduleId, Timestamp), outcome: Outcome, now: Timestamp) {
        let fire = Fire {
            at: key.1,
            recorded_at: now,
            outcome,
        };
        self.timetable.fires.entry(key).or_insert(fire);
    }

    fn tell_of_schedule(&mut self, kind: &str, schedule: &Schedule, now: Timestamp) {
        let fact = Fact::about(kind, schedule.id.to_string(), now);
        self.ledger
            .tell(vec![fact.with_all(&schedule_data(schedule))]);
    }
}

fn go_on(schedule: &mut Schedule, turn: Option<Turning>) {
    if let Some(turn) = turn {
        schedule.next_at = turn.next_at;
    }
}

/// A page of what is left of a list.
pub(super) fn page_of<T>(
    rest: impl Iterator<Item = T>,
    limit: u32,
    cursor: impl Fn(&T) -> String,
) -> Page<T> {
    let mut items: Vec<_> = rest.take(limit as usize + 1).collect();
    let has_more = items.len() > limit as usize;
    items.truncate(limit as usize);
    let next = items.last().filter(|_| has_more).map(cursor);
    Page { items, next }
}
