//! Schedules: write down, look, change, stop, fire, and see what they have made.

use baton_protocol::{
    List, PageQuery,
    job::Nothing,
    schedule::{ChangeSchedule, CreateSchedule, Fire, NextQuery, NextTime, Schedule},
};

use crate::{Client, Result};

impl Client {
    /// Writes a schedule down; the same under the same name is the same schedule.
    pub async fn create_schedule(&self, schedule: &CreateSchedule) -> Result<Schedule> {
        self.post(&["schedules"], schedule).await
    }

    /// A page of schedules, newest first.
    pub async fn schedules(&self, page: &PageQuery) -> Result<List<Schedule>> {
        self.get_with(&["schedules"], page).await
    }

    /// One schedule.
    pub async fn schedule(&self, id: &str) -> Result<Schedule> {
        self.get(&["schedules", id]).await
    }

    /// Changes a schedule; what is not given stays.
    pub async fn change_schedule(&self, id: &str, change: &ChangeSchedule) -> Result<Schedule> {
        self.patch(&["schedules", id], change).await
    }

    /// Forgets a schedule.
    pub async fn delete_schedule(&self, id: &str) -> Result<()> {
        self.delete(&["schedules", id]).await
    }

    /// Stops a schedule until it is resumed.
    pub async fn pause_schedule(&self, id: &str) -> Result<Schedule> {
        self.post(&["schedules", id, "pause"], &Nothing {}).await
    }

    /// Has a paused schedule go on.
    pub async fn resume_schedule(&self, id: &str) -> Result<Schedule> {
        self.post(&["schedules", id, "resume"], &Nothing {}).await
    }

    /// Has a schedule fire now, out of turn. Asked for again, it fires again.
    pub async fn fire_schedule(&self, id: &str) -> Result<Fire> {
        self.post_once(&["schedules", id, "fire"], &Nothing {})
            .await
    }

    /// The next times of a schedule.
    pub async fn next_times(&self, id: &str, count: u32) -> Result<Vec<NextTime>> {
        let query = NextQuery { count: Some(count) };
        let path = ["schedules", id, "next"];
        let times: List<NextTime> = self.get_with(&path, &query).await?;
        Ok(times.items)
    }

    /// A page of what a schedule has made, the latest first.
    pub async fn fires(&self, id: &str, page: &PageQuery) -> Result<List<Fire>> {
        self.get_with(&["schedules", id, "fires"], page).await
    }
}
