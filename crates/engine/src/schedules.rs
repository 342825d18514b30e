//! Schedules: write down, look, change, stop, fire out of turn.

pub(crate) mod making;

use baton_domain::{
    ScheduleId, Timestamp,
    access::Permission,
    audit::AuditAction,
    page::{Page, PageRequest},
    schedule::{
        DefinitionChange, Fire, Outcome, Schedule, ScheduleDefinition, ScheduleSpec, Template,
    },
};
use baton_ports::{
    Wakeup,
    store::{Fired, Firing, Named, ScheduleChange, ScheduledWork},
};
use futures::future::try_join_all;

use serde_json::json;

use crate::{Caller, Error, Result, caller::Particulars};

/// Whoever may write schedules may stop and fire them, and so may whoever operates the server.
const STOP: &[Permission] = &[Permission::SchedulesWrite, Permission::Operate];
/// How often a change that lost its race is tried on what the schedule is now.
const RACES: usize = 5;

impl Caller {
    /// Writes a schedule down, which fires from now on. The same under the same name is the same
    /// schedule; `false` says that it was known.
    pub async fn create_schedule(&self, spec: ScheduleSpec) -> Result<(Schedule, bool)> {
        self.needs(Permission::SchedulesWrite)?;
        let plan = ScheduleDefinition::from_spec(spec).map_err(Error::Invalid)?;
        self.may_make(&plan.template)?;
        self.check_template(&plan.template)?;
        let now = self.now();
        let schedule = Schedule::new(plan, now);
        for _ in 0..RACES {
            let store = self.audited(AuditAction::ScheduleAdd, schedule.id, called(&schedule));
            match store.add_schedule(&schedule, now).await? {
                Named::Written => {
                    self.announce_schedules();
                    return Ok((schedule, true));
                }
                Named::Taken(holder) => {
                    // A holder that is gone by now has left the name to whoever asks again.
                    if let Some(known) = self.store().find_schedule(holder).await? {
                        return match known.plan == schedule.plan {
                            true => Ok((self.shown_schedule(known), false)),
                            false => Err(taken(schedule.plan.name, holder)),
                        };
                    }
                }
                Named::Overtaken => {}
            }
        }
        Err(Error::Busy)
    }

    /// One schedule.
    pub async fn schedule(&self, id: ScheduleId) -> Result<Schedule> {
        self.needs(Permission::JobsRead)?;
        Ok(self.shown_schedule(self.find_schedule(id).await?))
    }

    async fn find_schedule(&self, id: ScheduleId) -> Result<Schedule> {
        let found = self.store().find_schedule(id).await?;
        found.ok_or_else(|| missing(id))
    }

    /// Schedules, newest first.
    pub async fn schedules(&self, page: &PageRequest) -> Result<Page<Schedule>> {
        self.needs(Permission::JobsRead)?;
        let schedules = self.store().schedules(page).await?;
        Ok(schedules.map(|schedule| self.shown_schedule(schedule)))
    }

    /// Gives a schedule another plan, which holds at once.
    pub async fn change_schedule(
        &self,
        id: ScheduleId,
        change: DefinitionChange,
    ) -> Result<Schedule> {
        self.needs(Permission::SchedulesWrite)?;
        let changed = |known: &Schedule, now| {
            let plan = known.plan.changed(change.clone()).map_err(Error::Invalid)?;
            self.may_make(&plan.template)?;
            self.check_template(&plan.template)?;
            Ok((plan != known.plan).then(|| known.clone().with_plan(plan, now)))
        };
        self.write_schedule(id, ScheduleChange::Changed, changed)
            .await
    }

    /// Stops a schedule until it is resumed.
    pub async fn pause_schedule(&self, id: ScheduleId) -> Result<Schedule> {
        self.needs_one_of(STOP)?;
        let paused = |known: &Schedule, now| Ok((!known.paused).then(|| known.clone().paused(now)));
        self.write_schedule(id, ScheduleChange::Paused, paused)
            .await
    }

    /// Has a paused schedule go on from now.
    pub async fn resume_schedule(&self, id: ScheduleId) -> Result<Schedule> {
        self.needs_one_of(STOP)?;
        let resumed = |known: &Schedule, now| Ok(known.paused.then(|| known.clone().resumed(now)));
        self.write_schedule(id, ScheduleChange::Resumed, resumed)
            .await
    }

    /// Forgets a schedule; what it has made stays.
    pub async fn delete_schedule(&self, id: ScheduleId) -> Result<()> {
        self.needs(Permission::SchedulesWrite)?;
        let store = self.audited(AuditAction::ScheduleDelete, id, Particulars::default());
        if !store.delete_schedule(id, self.now()).await? {
            return Err(missing(id));
        }
        self.announce_schedules();
        Ok(())
    }

    /// Has a schedule fire now, out of turn, paused or not. Its next time stays.
    pub async fn fire_schedule(&self, id: ScheduleId) -> Result<Fire> {
        self.needs_one_of(STOP)?;
        for _ in 0..RACES {
            let schedule = self.find_schedule(id).await?;
            if !self.may(Permission::Operate) {
                self.may_make(&schedule.plan.template)?;
            }
            let at = self.now();
            let made = making::make(&schedule.plan.template, at, self.settings(), at);
            let mut made = made.map_err(Error::Invalid)?;
            if let ScheduledWork::Campaign(campaign) = &mut made {
                self.hold_if_large(campaign).await?;
            }
            let firing = Firing {
                schedule: id,
                revision: schedule.revision,
                at,
                turn: None,
                made,
            };
            let particulars = Particulars {
                after: Some(json!({ "made": firing.made.id() })),
                ..called(&schedule)
            };
            let store = self.audited(AuditAction::ScheduleFire, id, particulars);
            if store.fire(&firing, at).await? == Fired::Fired {
                making::announce(&self.tools(), &firing.made);
                return Ok(by_hand(&firing));
            }
        }
        Err(Error::Busy)
    }

    /// The next nominal times of a schedule, also while it is paused.
    pub async fn next_times(
        &self,
        id: ScheduleId,
        count: usize,
    ) -> Result<(Schedule, Vec<Timestamp>)> {
        let schedule = self.schedule(id).await?;
        let calendar = &schedule.plan.calendar;
        let first = schedule.next_at.or_else(|| calendar.after(self.now()));
        let times = std::iter::successors(first, |last| calendar.after(*last));
        let times = times.take(count).collect();
        Ok((schedule, times))
    }

    /// The history of a schedule, the latest nominal time first.
    pub async fn fires(&self, id: ScheduleId, page: &PageRequest) -> Result<Page<Fire>> {
        self.schedule(id).await?;
        Ok(self.store().fires(id, page).await?)
    }

    /// The last line in the history of each of these schedules; `None` where there is none yet.
    pub async fn last_fires(&self, ids: &[ScheduleId]) -> Result<Vec<Option<Fire>>> {
        self.needs(Permission::JobsRead)?;
        let last = PageRequest::first(1);
        let fires = ids.iter().map(|id| self.store().fires(*id, &last));
        let pages = try_join_all(fires).await?;
        Ok(pages
            .into_iter()
            .map(|page| page.items.into_iter().next())
            .collect())
    }

    /// Writes a schedule down as `change` would have it, seen from what it is by then; `None` leaves it.
    async fn write_schedule(
        &self,
        id: ScheduleId,
        kind: ScheduleChange,
        change: impl Fn(&Schedule, Timestamp) -> Result<Option<Schedule>> + Send + Sync,
    ) -> Result<Schedule> {
        for _ in 0..RACES {
            let (known, now) = (self.find_schedule(id).await?, self.now());
            let Some(changed) = change(&known, now)? else {
                return Ok(self.shown_schedule(known));
            };
            let particulars = Particulars {
                before: called(&known).after,
                ..called(&changed)
            };
            let store = self.audited(AuditAction::ScheduleChange, id, particulars);
            match store.change_schedule(&changed, kind, now).await? {
                Named::Written => {
                    self.announce_schedules();
                    return Ok(self.shown_schedule(changed));
                }
                Named::Taken(holder) => return Err(taken(changed.plan.name, holder)),
                Named::Overtaken => {}
            }
        }
        Err(Error::Busy)
    }

    /// Whether what a schedule makes can be had, by its handler's word too.
    fn check_template(&self, template: &Template) -> Result<()> {
        let (now, limits) = (self.now(), &self.inner.settings.limits);
        let mut errors = Vec::new();
        if let Template::Job(job) = template {
            errors.extend(job.check(limits, now).err().unwrap_or_default());
            if errors.is_empty() {
                let checked = self.check_payload(&job.kind, &job.payload);
                errors.extend(checked.err().unwrap_or_default());
            }
        }
        let errors = errors.into_iter().map(|error| error.within("job"));
        let mut errors: Vec<_> = errors.collect();
        if errors.is_empty() {
            errors.extend(making::unknown_field(template));
            let made = making::make(template, now, self.settings(), now);
            errors.extend(made.err().unwrap_or_default());
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(Error::Invalid(errors))
        }
    }

    /// Refuses what the actor may not make by hand: a schedule is no way round.
    fn may_make(&self, template: &Template) -> Result<()> {
        let Template::Job(job) = template else {
            return self.needs(Permission::CampaignsSend);
        };
        let (now, limits) = (self.now(), &self.inner.settings.limits);
        if let Ok(made) = job.job_at(now, limits, now) {
            return self.may_have(&made);
        }
        // What is wrong with it is told to those alone who may have such a job.
        let queue = job.queue.as_deref();
        let queue = queue.unwrap_or_else(|| limits.kinds.queue_of(&job.kind));
        self.may_enqueue(&job.kind, queue)
    }

    fn announce_schedules(&self) {
        self.inner.wakeups.send(Wakeup::Schedules);
        self.inner.wakeups.send(Wakeup::Facts);
    }
}

/// What the audit log is told of a schedule.
fn called(schedule: &Schedule) -> Particulars {
    let plan = &schedule.plan;
    Particulars {
        after: Some(json!({
            "name": plan.name, "paused": schedule.paused, "revision": schedule.revision,
        })),
        ..Particulars::default()
    }
}

fn by_hand(firing: &Firing) -> Fire {
    Fire {
        at: firing.at,
        recorded_at: firing.at,
        outcome: Outcome::Made {
            made: firing.made.id(),
            by_hand: true,
        },
    }
}

fn taken(name: String, holder: ScheduleId) -> Error {
    Error::NameTaken { name, holder }
}

fn missing(id: ScheduleId) -> Error {
    Error::NotFound {
        what: "schedule",
        id: id.to_string(),
    }
}
