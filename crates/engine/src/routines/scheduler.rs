//! The scheduler fires what is due. It sleeps until the next schedule is; nobody polls on a tick.
//!
//! A turn takes one step for each schedule that is due, as [`Schedule::step`] has it, and looks again:
//! what it knew is never older than a step. Each step is guarded in the store, so that two leaders are
//! as good as one.

use async_trait::async_trait;
use baton_domain::{
    ScheduleId, Timestamp,
    job::FieldError,
    schedule::{MissedRun, Schedule, Step},
};
use baton_ports::{
    Wakeup,
    bisect::{one_by_one, silence},
    quarantine::Quarantine,
    store::{self, Error, Fired, Firing, Passing, ScheduledWork, Turning},
};

use super::{SAFETY, Tools};
use crate::{
    Next, Routine, Settings,
    campaigns::approval::{self, Asker},
    routine::about,
    schedules::making,
};

/// How many schedules one turn looks at.
const BATCH: u32 = 64;
/// Why a time is passed over that has long been.
const TOO_LATE: &str =
    "nobody was there to fire in time, and the policy for missed fires leaves it at that";

/// Fires what is due.
pub struct Scheduler {
    tools: Tools,
    settings: Settings,
    /// Those whose step the store did not take.
    quarantine: Quarantine<ScheduleId>,
}

impl Scheduler {
    /// A scheduler; `settings` say how much may be asked for, and of whom.
    #[must_use]
    pub fn new(tools: Tools, settings: Settings) -> Self {
        Self {
            tools,
            settings,
            quarantine: Quarantine::default(),
        }
    }

    /// Takes a step for each, but for those that the store refuses.
    async fn take_steps(&mut self, schedules: &[&Schedule], now: Timestamp) -> store::Result<()> {
        let step = |schedule| self.take_a_step(schedule, now);
        let stepped = one_by_one(schedules, self.quarantine.is_suspect(), step).await;
        self.quarantine.hear(silence(&stepped));
        let stepped = stepped?;
        for (schedule, error) in &stepped.alone {
            self.leave(schedule, error);
        }
        stepped.taken().map(drop)
    }

    /// One whose step the store refuses is told, and left alone for a while.
    fn leave(&mut self, schedule: &Schedule, error: &Error) {
        let (id, name) = (schedule.id, &schedule.plan.name);
        tracing::error!(schedule = %id, name, %error, "the store does not take a step of {id}: {error}; the others go on, and it is tried again in a minute");
        metrics::counter!("baton_rows_refused_total", "what" => "schedule").increment(1);
        self.quarantine.leave(id);
    }

    async fn take_a_step(&self, schedule: &Schedule, now: Timestamp) -> store::Result<()> {
        match schedule.step(now) {
            Step::Wait(_) => Ok(()),
            Step::Fire { at, next } => self.fire(schedule, at, next, now).await,
            Step::PassOver { run, next } => {
                let missed = Some((run, TOO_LATE.to_owned()));
                self.pass_over(schedule, missed, next, now).await
            }
        }
    }

    async fn fire(
        &self,
        schedule: &Schedule,
        at: Timestamp,
        next: Option<Timestamp>,
        now: Timestamp,
    ) -> store::Result<()> {
        let mut made = match making::make(&schedule.plan.template, at, &self.settings, now) {
            Ok(made) => made,
            Err(errors) => {
                let missed = Some((MissedRun::one(at), reason_of(&errors)));
                return self.pass_over(schedule, missed, next, now).await;
            }
        };
        if let (ScheduledWork::Campaign(campaign), Some(bound)) =
            (&mut made, self.settings.second_person_over)
        {
            let asker = Asker::routine("scheduler");
            approval::hold_if_large(&*self.tools.store, bound, campaign, asker).await?;
        }
        let firing = Firing {
            schedule: schedule.id,
            revision: schedule.revision,
            at,
            turn: Some(turning(schedule, next)),
            made,
        };
        match self.tools.store.fire(&firing, now).await? {
            Fired::Fired => {
                making::announce(&self.tools, &firing.made);
                metrics::counter!("baton_schedule_fires_total").increment(1);
                let late = now.since(at - schedule.plan.lead);
                metrics::histogram!("baton_schedule_delay_seconds").record(late.as_secs_f64());
                Ok(())
            }
            Fired::Already => self.pass_over(schedule, None, next, now).await,
            Fired::Overtaken => Ok(()),
        }
    }

    async fn pass_over(
        &self,
        schedule: &Schedule,
        missed: Option<(MissedRun, String)>,
        next: Option<Timestamp>,
        now: Timestamp,
    ) -> store::Result<()> {
        // Whoever steps has a time to step from.
        let Some(at) = schedule.next_at else {
            return Ok(());
        };
        let count = missed.as_ref().map_or(0, |(run, _)| run.count);
        let passing = Passing {
            schedule: schedule.id,
            revision: schedule.revision,
            at,
            turn: turning(schedule, next),
            missed,
        };
        if self.tools.store.pass_over(&passing, now).await? && count > 0 {
            let name = &schedule.plan.name;
            tracing::warn!(schedule = %schedule.id, name, count, "a schedule has missed fires");
            metrics::counter!("baton_schedule_missed_total").increment(count.into());
            self.tools.wakeups.send(Wakeup::Facts);
        }
        Ok(())
    }
}

#[async_trait]
impl Routine for Scheduler {
    about!("scheduler": "fires schedules when they are due");

    fn woken_by(&self) -> &'static [Wakeup] {
        &[Wakeup::Schedules]
    }

    async fn turn(&mut self) -> store::Result<Next> {
        let now = self.tools.clock.now();
        let quarantine = self.quarantine.all();
        let limit = BATCH.saturating_add(u32::try_from(quarantine.len()).unwrap_or(u32::MAX));
        let due = self.tools.store.due_schedules(limit, now).await?;
        let schedules = due.schedules.iter();
        let schedules: Vec<_> = schedules
            .filter(|one| !quarantine.contains(&one.id))
            .collect();
        self.take_steps(&schedules, now).await?;
        let sleep = due
            .next_due
            .map_or(SAFETY, |due| due.since(now).min(SAFETY));
        Ok(Next::now_if(!schedules.is_empty(), sleep))
    }
}

fn turning(schedule: &Schedule, next: Option<Timestamp>) -> Turning {
    Turning {
        next_at: next,
        due_at: schedule.due_for(next),
    }
}

fn reason_of(errors: &[FieldError]) -> String {
    let errors = errors.iter();
    let said: Vec<_> = errors
        .map(|error| format!("{} {}", error.field, error.message))
        .collect();
    format!("it cannot be made: {}", said.join("; "))
}
