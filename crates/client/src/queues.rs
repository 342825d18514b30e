//! Queues, the workers that serve them, and the nodes of the installation.

use baton_domain::WorkerId;
use baton_protocol::{
    PageQuery,
    node::Node,
    queue::{ChangeQueue, Queue},
    worker::{ChangeWorker, Kind, Worker},
};

use crate::{Client, Result};

/// The longest first page that a list gives.
pub(crate) const LONGEST: PageQuery = PageQuery::first(500);

impl Client {
    /// Every queue, by name, page by page.
    pub async fn queues(&self) -> Result<Vec<Queue>> {
        self.all_pages(self.url_with(&["queues"], &LONGEST)).await
    }

    /// Changes a queue, and makes it if there is none.
    pub async fn change_queue(&self, name: &str, change: &ChangeQueue) -> Result<Queue> {
        self.patch(&["queues", name], change).await
    }

    /// The processes of the installation, with a worker or without, and those that have gone not long ago.
    pub async fn nodes(&self) -> Result<Vec<Node>> {
        self.all_pages(self.url(&["nodes"])).await
    }

    /// Workers that are alive, or were not long ago.
    pub async fn workers(&self) -> Result<Vec<Worker>> {
        self.all_pages(self.url(&["workers"])).await
    }

    /// Asks a worker to take nothing new, or to go on.
    pub async fn drain_worker(&self, worker: WorkerId, drain: bool) -> Result<Worker> {
        let change = ChangeWorker { drain };
        self.patch(&["workers", &worker.to_string()], &change).await
    }

    /// The kinds that there are, and who handles them.
    pub async fn kinds(&self) -> Result<Vec<Kind>> {
        self.all_pages(self.url(&["kinds"])).await
    }
}
