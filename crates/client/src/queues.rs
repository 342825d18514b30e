//! Queues, the workers that serve them, and the nodes of the installation.

use baton_domain::WorkerId;
use baton_protocol::{
    PageQuery,
    node::Node,
    queue::{ChangeQueue, Queue},
    worker::{ChangeWorker, Kind, Worker},
};
use reqwest::Method;

use crate::{Client, Result, repeat::Repeat};

/// How many items the longest page has.
pub(crate) const LONGEST_PAGE: u32 = 500;

impl Client {
    /// Every queue, by name, page by page.
    pub async fn queues(&self) -> Result<Vec<Queue>> {
        let page = PageQuery {
            limit: Some(LONGEST_PAGE),
            after: None,
        };
        self.all_pages(self.url_with(&["v1", "queues"], &page))
            .await
    }

    /// Changes a queue, and makes it if there is none.
    pub async fn change_queue(&self, name: &str, change: &ChangeQueue) -> Result<Queue> {
        let url = self.url(&["v1", "queues", name]);
        // The same change twice leaves the queue as it is after once.
        self.send(Method::PATCH, url, change, Repeat::Safe).await
    }

    /// The processes of the installation, with a worker or without, and those that have gone not long ago.
    pub async fn nodes(&self) -> Result<Vec<Node>> {
        self.all_pages(self.url(&["v1", "nodes"])).await
    }

    /// Workers that are alive, or were not long ago.
    pub async fn workers(&self) -> Result<Vec<Worker>> {
        self.all_pages(self.url(&["v1", "workers"])).await
    }

    /// Asks a worker to take nothing new, or to go on.
    pub async fn drain_worker(&self, worker: WorkerId, drain: bool) -> Result<Worker> {
        let url = self.url(&["v1", "workers", &worker.to_string()]);
        let change = ChangeWorker { drain };
        self.send(Method::PATCH, url, &change, Repeat::Safe).await
    }

    /// The kinds that there are, and who handles them.
    pub async fn kinds(&self) -> Result<Vec<Kind>> {
        self.all_pages(self.url(&["v1", "kinds"])).await
    }
}
