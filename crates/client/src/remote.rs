//! The calls of a remote worker. Each is made once here: what is repeated, and how, is the worker's own rule.

use std::time::Duration;

use baton_domain::WorkerId;
use baton_protocol::remote::{
    BeatWorker, ClaimJobs, ClaimedJobs, GivenBack, News, RegisterWorker, Registered, ReleaseLeases,
    SaveCheckpoints, SavedCheckpoints, SettledResults, TellResults,
};
use reqwest::{Method, RequestBuilder};
use serde::{Serialize, de::DeserializeOwned};

use crate::{Client, Result};

/// How long an answer may take beyond what the server was told to wait.
const ANSWER: Duration = Duration::from_secs(10);

impl Client {
    /// Says who a worker is, or that it has changed.
    pub async fn register_worker(
        &self,
        worker: WorkerId,
        body: &RegisterWorker,
    ) -> Result<Registered> {
        self.of_worker(Method::PUT, worker, None, body, ANSWER)
            .await
    }

    /// Claims jobs; waits as long as the claim says until there is one.
    ///
    /// # Errors
    /// When it was refused, or no answer came; then jobs may be leased all the same.
    pub async fn claim_jobs(&self, worker: WorkerId, body: &ClaimJobs) -> Result<ClaimedJobs> {
        let within = body.wait + ANSWER;
        self.of_worker(Method::POST, worker, Some("claim"), body, within)
            .await
    }

    /// Renews a worker's leases and waits, as long as the beat says, for news.
    pub async fn beat_worker(&self, worker: WorkerId, body: &BeatWorker) -> Result<News> {
        let within = body.wait + ANSWER;
        self.of_worker(Method::POST, worker, Some("beat"), body, within)
            .await
    }

    /// Tells how attempts ended.
    ///
    /// # Errors
    /// When no answer came; then they may be recorded all the same.
    pub async fn tell_results(
        &self,
        worker: WorkerId,
        body: &TellResults,
    ) -> Result<SettledResults> {
        self.of_worker(Method::POST, worker, Some("results"), body, ANSWER)
            .await
    }

    /// Moves cursors.
    ///
    /// # Errors
    /// When no answer came; then they may be moved all the same.
    pub async fn save_checkpoints(
        &self,
        worker: WorkerId,
        body: &SaveCheckpoints,
    ) -> Result<SavedCheckpoints> {
        self.of_worker(Method::POST, worker, Some("checkpoints"), body, ANSWER)
            .await
    }

    /// Gives back what was leased and not started.
    pub async fn release_leases(
        &self,
        worker: WorkerId,
        body: &ReleaseLeases,
    ) -> Result<GivenBack> {
        self.of_worker(Method::POST, worker, Some("release"), body, ANSWER)
            .await
    }

    /// Says goodbye.
    pub async fn leave_worker(&self, worker: WorkerId) -> Result<()> {
        let url = self.url(&["workers", &worker.to_string()]);
        let request = self.request(Method::DELETE, &url).timeout(ANSWER);
        let answer = self.answer_once(request).await?;
        answer.checked().map(drop)
    }

    async fn of_worker<T: DeserializeOwned>(
        &self,
        method: Method,
        worker: WorkerId,
        call: Option<&str>,
        body: &(impl Serialize + Sync),
        within: Duration,
    ) -> Result<T> {
        let worker = worker.to_string();
        let parts: Vec<&str> = ["workers", &worker].into_iter().chain(call).collect();
        let url = self.url(&parts);
        let request: RequestBuilder = self.request(method, &url).json(body).timeout(within);
        self.answer_once(request).await?.checked()?.json()
    }
}
