//! Whether the server is alive, and ready.

use baton_protocol::{
    Problem,
    health::{Alive, NotReady, Readiness},
};
use reqwest::{Method, StatusCode};

use crate::{Client, Error, Result, call::checked, patience::Repeat};

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
    ///
    /// # Errors
    /// When no answer came.
    pub async fn alive(&self) -> Result<Alive> {
        self.get(self.url(&["healthz"])).await
    }

    /// Whether the server is ready. Being unready is an answer, which patience does not wait out.
    ///
    /// # Errors
    /// When no answer came.
    pub async fn ready(&self) -> Result<Ready> {
        let url = self.url(&["readyz"]);
        let request = || self.request(Method::GET, &url);
        let response = self.respond(Repeat::IfUnsent, request).await?;
        let address = url.to_string();
        let unreadable = |error: reqwest::Error| Error::Unexpected {
            url: address,
            what: error.to_string(),
        };
        if response.status() == StatusCode::SERVICE_UNAVAILABLE {
            let not: NotReady = response.json().await.map_err(unreadable)?;
            return Ok(Ready::No(not.problem, not.readiness));
        }
        let readiness = checked(response).await?.json().await;
        readiness.map(Ready::Yes).map_err(unreadable)
    }
}
