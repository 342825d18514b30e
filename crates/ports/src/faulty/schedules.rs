//! Schedules over a connection that fails.

use async_trait::async_trait;
use baton_domain::{
    ScheduleId, Timestamp,
    page::{Page, PageRequest},
    schedule::{Fire, Schedule},
};

use super::Faulty;
use crate::store::{
    DueSchedules, Fired, Firing, Named, Passing, Result, ScheduleChange, Schedules, Store,
};

#[async_trait]
impl<S: Store + ?Sized> Schedules for Faulty<S> {
    async fn add_schedule(&self, schedule: &Schedule, now: Timestamp) -> Result<Named> {
        self.write(self.store.add_schedule(schedule, now)).await
    }

    async fn find_schedule(&self, id: ScheduleId) -> Result<Option<Schedule>> {
        self.read(self.store.find_schedule(id)).await
    }

    async fn schedules(&self, page: &PageRequest) -> Result<Page<Schedule>> {
        self.read(self.store.schedules(page)).await
    }

    async fn change_schedule(
        &self,
        schedule: &Schedule,
        change: ScheduleChange,
        now: Timestamp,
    ) -> Result<Named> {
        self.write(self.store.change_schedule(schedule, change, now))
            .await
    }

    async fn delete_schedule(&self, id: ScheduleId, now: Timestamp) -> Result<bool> {
        self.write(self.store.delete_schedule(id, now)).await
    }

    async fn due_schedules(&self, limit: u32, now: Timestamp) -> Result<DueSchedules> {
        self.read(self.store.due_schedules(limit, now)).await
    }

    async fn fire(&self, firing: &Firing, now: Timestamp) -> Result<Fired> {
        self.write(self.store.fire(firing, now)).await
    }

    async fn pass_over(&self, passing: &Passing, now: Timestamp) -> Result<bool> {
        self.write(self.store.pass_over(passing, now)).await
    }

    async fn fires(&self, id: ScheduleId, page: &PageRequest) -> Result<Page<Fire>> {
        self.read(self.store.fires(id, page)).await
    }
}
