//! A schedule: a cron line in a time zone, and what it makes each time.
//!
//! Its times are *nominal*: what is made at 08:50 for 09:00 has the nominal time 09:00, and each
//! nominal time is fired once at most. A [`Calendar`] says which times there are, [`Schedule::step`]
//! what is to be done about them now.

mod calendar;
mod cron;
mod fire;
mod plan;
mod step;
mod template;

pub use calendar::Calendar;
pub use cron::Cron;
pub use fire::{Fire, MissedRun, Outcome};
pub use plan::{
    DefinitionChange, LONGEST_LEAD, MOST_MADE_UP, Missed, ScheduleDefinition, ScheduleSpec,
};
pub use step::{GRACE, Step};
pub use template::{JobTemplate, Template};

use crate::{ScheduleId, Timestamp};

/// A schedule as a store keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    /// Its id.
    pub id: ScheduleId,
    /// What its owner wants.
    pub plan: ScheduleDefinition,
    /// 1, and one more with each change: who acts on an older one has lost a race.
    pub revision: i64,
    /// Whether a person has stopped it.
    pub paused: bool,
    /// The nominal time that it fires for next; `None` while it is paused.
    pub next_at: Option<Timestamp>,
    /// The nominal time that it has fired for last.
    pub last_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its owner last changed it.
    pub updated_at: Timestamp,
}

impl Schedule {
    /// A new one, which fires from now on.
    #[must_use]
    pub fn new(plan: ScheduleDefinition, now: Timestamp) -> Self {
        Self {
            id: ScheduleId::new(now),
            next_at: plan.calendar.after(now),
            plan,
            revision: 1,
            paused: false,
            last_at: None,
            created_at: now,
            updated_at: now,
        }
    }

    /// The same with another plan, which holds from now on.
    #[must_use]
    pub fn with_plan(self, plan: ScheduleDefinition, now: Timestamp) -> Self {
        Self { plan, ..self }.aimed(now)
    }

    /// The same, stopped.
    #[must_use]
    pub fn paused(self, now: Timestamp) -> Self {
        Self {
            paused: true,
            ..self
        }
        .aimed(now)
    }

    /// The same, going on from now: what was due while it was paused is nobody's.
    #[must_use]
    pub fn resumed(self, now: Timestamp) -> Self {
        Self {
            paused: false,
            ..self
        }
        .aimed(now)
    }

    fn aimed(self, now: Timestamp) -> Self {
        let next_at = self.plan.calendar.after(now);
        Self {
            next_at: next_at.filter(|_| !self.paused),
            revision: self.revision + 1,
            updated_at: now,
            ..self
        }
    }

    /// When it is to be looked at again: the lead before its next nominal time.
    #[must_use]
    pub fn due_at(&self) -> Option<Timestamp> {
        self.due_for(self.next_at)
    }

    /// When it would be, with this nominal time as its next.
    #[must_use]
    pub fn due_for(&self, next_at: Option<Timestamp>) -> Option<Timestamp> {
        next_at.map(|at| at - self.plan.lead)
    }
}
