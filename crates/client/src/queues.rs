//! Queues, and the workers that serve them.

use baton_protocol::{
    List,
    queue::{ChangeQueue, Queue},
    worker::Worker,
};
use reqwest::Method;

use crate::{Client, Result, patience::Repeat};

impl Client {
    /// Every queue, by name.
    ///
    /// # Errors
    /// When no answer came.
    pub async fn queues(&self) -> Result<Vec<Queue>> {
        let list: List<Queue> = self.get(self.url(&["v1", "queues"])).await?;
        Ok(list.items)
    }

    /// Changes a queue, and makes it if there is none.
    ///
    /// # Errors
    /// When the change was refused, or no answer came.
    pub async fn change_queue(&self, name: &str, change: &ChangeQueue) -> Result<Queue> {
        let url = self.url(&["v1", "queues", name]);
        // The same change twice leaves the queue as it is after once.
        self.send(Method::PATCH, url, change, Repeat::Safe).await
    }

    /// Workers that are alive, or were not long ago.
    ///
    /// # Errors
    /// When no answer came.
    pub async fn workers(&self) -> Result<Vec<Worker>> {
        let list: List<Worker> = self.get(self.url(&["v1", "workers"])).await?;
        Ok(list.items)
    }
}
