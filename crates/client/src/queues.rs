//! Queues, and the workers that serve them.

use baton_protocol::{
    PageQuery,
    queue::{ChangeQueue, Queue},
    worker::Worker,
};
use reqwest::Method;

use crate::{Client, Result, repeat::Repeat};

/// How many items the longest page has.
pub(crate) const LONGEST_PAGE: u32 = 500;

impl Client {
    /// Every queue, by name, page by page.
    ///
    /// # Errors
    /// When no answer came.
    pub async fn queues(&self) -> Result<Vec<Queue>> {
        let page = PageQuery {
            limit: Some(LONGEST_PAGE),
            after: None,
        };
        self.all_pages(self.url_with(&["v1", "queues"], &page))
            .await
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
        self.all_pages(self.url(&["v1", "workers"])).await
    }
}
