//! Schedules: what is made again and again, and what was made.

use async_trait::async_trait;
use baton_domain::{
    ScheduleId, Timestamp,
    campaign::NewCampaign,
    job::NewJob,
    page::{Page, PageRequest},
    schedule::{Fire, MissedRun, Schedule},
};

use super::Result;

/// Schedules: what is made again and again, and what was made.
#[async_trait]
pub trait Schedules: Send + Sync {
    /// Adds a schedule, unless its name is taken. The same one again changes nothing.
    async fn add_schedule(&self, schedule: &Schedule, now: Timestamp) -> Result<Named>;

    /// One schedule.
    async fn find_schedule(&self, id: ScheduleId) -> Result<Option<Schedule>>;

    /// Schedules, newest first.
    async fn schedules(&self, page: &PageRequest) -> Result<Page<Schedule>>;

    /// Writes a schedule down as it is from now on, if it is still as it was one revision before. Its
    /// last fire is nobody's to change.
    async fn change_schedule(
        &self,
        schedule: &Schedule,
        change: ScheduleChange,
        now: Timestamp,
    ) -> Result<Named>;

    /// Forgets a schedule; what it has made stays. `false`: there is none.
    async fn delete_schedule(&self, id: ScheduleId, now: Timestamp) -> Result<bool>;

    /// The schedules that are to be looked at now, `limit` at most, and when the next one is.
    async fn due_schedules(&self, limit: u32, now: Timestamp) -> Result<DueSchedules>;

    /// Fires: what is made, the line in the history, the next time and the facts are one transaction.
    /// Of all who fire for the same nominal time, one does.
    async fn fire(&self, firing: &Firing, now: Timestamp) -> Result<Fired>;

    /// Goes on to the next time without making anything. `false`: the race was lost.
    async fn pass_over(&self, passing: &Passing, now: Timestamp) -> Result<bool>;

    /// The history of a schedule, the latest nominal time first.
    async fn fires(&self, id: ScheduleId, page: &PageRequest) -> Result<Page<Fire>>;
}

/// What became of a schedule that was to be written down under its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// It is written down.
    Written,
    /// Another schedule has the name.
    Taken(ScheduleId),
    /// It is not as it was, or not at all: the race was lost.
    Overtaken,
}

/// What a person has done to a schedule, for its fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleChange {
    /// Given it another plan.
    Changed,
    /// Stopped it.
    Paused,
    /// Had it go on.
    Resumed,
}

impl ScheduleChange {
    /// The name of the fact.
    #[must_use]
    pub const fn fact(self) -> &'static str {
        match self {
            Self::Changed => "schedule.changed",
            Self::Paused => "schedule.paused",
            Self::Resumed => "schedule.resumed",
        }
    }
}

/// Schedules that are to be looked at.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DueSchedules {
    /// They, the longest due first.
    pub schedules: Vec<Schedule>,
    /// When the first of the others is due; `None` too if there may be more due now.
    pub next_due: Option<Timestamp>,
}

/// A fire.
#[derive(Debug, Clone, PartialEq)]
pub struct Firing {
    /// The schedule.
    pub schedule: ScheduleId,
    /// As it was when this was decided.
    pub revision: i64,
    /// The nominal time.
    pub at: Timestamp,
    /// Where it goes on; `None`: a person has it fire out of turn, and its next time stays.
    pub turn: Option<Turning>,
    /// What is made.
    pub made: ScheduledWork,
}

/// Where a schedule goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turning {
    /// Its next nominal time.
    pub next_at: Option<Timestamp>,
    /// When it is to be looked at again.
    pub due_at: Option<Timestamp>,
}

/// What a fire makes.
#[derive(Debug, Clone, PartialEq)]
pub enum ScheduledWork {
    /// A job.
    Job(Box<NewJob>),
    /// A campaign.
    Campaign(Box<NewCampaign>),
}

impl ScheduledWork {
    /// The id of what is made, with its prefix.
    #[must_use]
    pub fn id(&self) -> String {
        match self {
            Self::Job(job) => job.id.to_string(),
            Self::Campaign(campaign) => campaign.id.to_string(),
        }
    }
}

/// What became of a fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fired {
    /// It is made.
    Fired,
    /// Something was made for this nominal time before; nothing was done.
    Already,
    /// The schedule is not as it was: it was fired, changed, paused or deleted meanwhile.
    Overtaken,
}

/// A step to the next time without a fire.
#[derive(Debug, Clone, PartialEq)]
pub struct Passing {
    /// The schedule.
    pub schedule: ScheduleId,
    /// As it was when this was decided.
    pub revision: i64,
    /// The nominal time it stands at.
    pub at: Timestamp,
    /// Where it goes on.
    pub turn: Turning,
    /// What was missed, and why; `None`: nothing, for something was made before.
    pub missed: Option<(MissedRun, String)>,
}

impl Firing {
    /// The particulars of its fact.
    #[must_use]
    pub fn data(&self) -> serde_json::Value {
        serde_json::json!({
            "at": self.at,
            "made": self.made.id(),
            "by_hand": self.turn.is_none(),
        })
    }
}

impl Passing {
    /// The particulars of its fact.
    #[must_use]
    pub fn data(&self) -> Option<serde_json::Value> {
        let (run, reason) = self.missed.as_ref()?;
        Some(serde_json::json!({
            "at": run.first,
            "until": run.last,
            "count": run.count,
            "reason": reason,
        }))
    }
}

/// The particulars of a fact about a schedule as it is from now on.
#[must_use]
pub fn schedule_data(schedule: &Schedule) -> serde_json::Value {
    serde_json::json!({
        "name": schedule.plan.name,
        "next_at": schedule.next_at,
        "revision": schedule.revision,
    })
}
