//! Schedules: write down, look, change, stop, fire, and see what they have made.

use baton_protocol::{
    List, PageQuery,
    job::Nothing,
    schedule::{ChangeSchedule, CreateSchedule, Fire, NextQuery, NextTime, Schedule},
};
use reqwest::Method;

use crate::{Client, Result, repeat::Repeat};

impl Client {
    /// Writes a schedule down; the same under the same name is the same schedule.
    pub async fn create_schedule(&self, schedule: &CreateSchedule) -> Result<Schedule> {
        let url = self.url(&["v1", "schedules"]);
        self.send(Method::POST, url, schedule, Repeat::Safe).await
    }

    /// A page of schedules, newest first.
    pub async fn schedules(&self, page: &PageQuery) -> Result<List<Schedule>> {
        self.get(self.url_with(&["v1", "schedules"], page)).await
    }

    /// One schedule.
    pub async fn schedule(&self, id: &str) -> Result<Schedule> {
        self.get(self.url(&["v1", "schedules", id])).await
    }

    /// Changes a schedule; what is not given stays.
    pub async fn change_schedule(&self, id: &str, change: &ChangeSchedule) -> Result<Schedule> {
        let url = self.url(&["v1", "schedules", id]);
        self.send(Method::PATCH, url, change, Repeat::Safe).await
    }

    /// Forgets a schedule.
    pub async fn delete_schedule(&self, id: &str) -> Result<()> {
        let url = self.url(&["v1", "schedules", id]);
        let request = || self.request(Method::DELETE, &url);
        self.answer(Repeat::IfUnsent, request).await?.checked()?;
        Ok(())
    }

    /// Stops a schedule until it is resumed.
    pub async fn pause_schedule(&self, id: &str) -> Result<Schedule> {
        let url = self.url(&["v1", "schedules", id, "pause"]);
        self.send(Method::POST, url, &Nothing {}, Repeat::Safe)
            .await
    }

    /// Has a paused schedule go on.
    pub async fn resume_schedule(&self, id: &str) -> Result<Schedule> {
        let url = self.url(&["v1", "schedules", id, "resume"]);
        self.send(Method::POST, url, &Nothing {}, Repeat::Safe)
            .await
    }

    /// Has a schedule fire now, out of turn. Asked for again, it fires again.
    pub async fn fire_schedule(&self, id: &str) -> Result<Fire> {
        let url = self.url(&["v1", "schedules", id, "fire"]);
        self.send(Method::POST, url, &Nothing {}, Repeat::IfUnsent)
            .await
    }

    /// The next times of a schedule.
    pub async fn next_times(&self, id: &str, count: u32) -> Result<Vec<NextTime>> {
        let query = NextQuery { count: Some(count) };
        let url = self.url_with(&["v1", "schedules", id, "next"], &query);
        Ok(self.get::<List<NextTime>>(url).await?.items)
    }

    /// A page of what a schedule has made, the latest first.
    pub async fn fires(&self, id: &str, page: &PageQuery) -> Result<List<Fire>> {
        let url = self.url_with(&["v1", "schedules", id, "fires"], page);
        self.get(url).await
    }
}
