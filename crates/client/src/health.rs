//! Whether the server is alive, and ready.

use baton_protocol::{
    Problem,
    health::{Alive, NotReady, Readiness},
};
use reqwest::{Method, StatusCode};

use crate::{Client, Result, repeat::Repeat};

/// Whether work may be sent to a server, and why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ready {
    /// It may.
    Yes(Readiness),
    /// It may not, because of the problem; part by part in the readiness.
    No(Problem, Readiness),
}

impl Ready {
    /// Whether work may be sent there.
    #[must_use]
    pub const fn is_yes(&self) -> bool {
        matches!(self, Self::Yes(_))
    }
}

impl Client {
    /// Whether the process is alive.
    pub async fn alive(&self) -> Result<Alive> {
        self.read(self.url_beside(&["healthz"])).await
    }

    /// Whether the server is ready. Being unready is an answer, which is not retried.
    pub async fn ready(&self) -> Result<Ready> {
        let url = self.url_beside(&["readyz"]);
        let request = || self.request(Method::GET, &url);
        let answer = self.answer(Repeat::IfUnsent, request).await?;
        if answer.status == StatusCode::SERVICE_UNAVAILABLE {
            let not: NotReady = answer.json()?;
            return Ok(Ready::No(not.problem, not.readiness));
        }
        answer.checked()?.json().map(Ready::Yes)
    }

    /// What the server has counted and measured, as Prometheus text.
    pub async fn metrics(&self) -> Result<String> {
        let url = self.url_beside(&["metrics"]);
        let request = || self.request(Method::GET, &url);
        let answer = self.answer(Repeat::Safe, request).await?;
        Ok(answer.checked()?.text())
    }
}
