//! What can go wrong between a client and a server.

use std::error::Error as Cause;

use baton_protocol::Problem;

/// The result of a call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong between a client and a server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server answered with a problem.
    #[error("{0}")]
    Problem(Box<Problem>),
    /// No answer came. A call that changes something may have been done or not.
    #[error("no answer from {url}: {cause}")]
    Unreachable {
        /// What was called.
        url: String,
        /// Why no answer came.
        cause: String,
        /// Whether the request cannot have reached the server.
        unsent: bool,
    },
    /// An answer came, but not one that Baton gives.
    #[error("{url} answered what Baton would not: {what}")]
    Unexpected {
        /// What was called.
        url: String,
        /// What was answered.
        what: String,
    },
    /// The address of the server is none.
    #[error("{address:?} is not the address of a server: {why}")]
    BadAddress {
        /// The address.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// An authority that was to be trusted is none.
    #[error("the authority cannot be trusted: {0}")]
    BadAuthority(String),
    /// No secure connections can be made.
    #[error("the HTTP client cannot be built: {0}")]
    Start(Box<dyn Cause + Send + Sync>),
}

impl Error {
    /// The problem that the server answered with, if it did.
    #[must_use]
    pub fn problem(&self) -> Option<&Problem> {
        match self {
            Self::Problem(problem) => Some(problem),
            _ => None,
        }
    }

    /// An error of the connection: the innermost cause says most.
    pub(crate) fn unreachable(url: &str, error: &reqwest::Error) -> Self {
        let mut innermost: &dyn Cause = error;
        while let Some(source) = innermost.source() {
            innermost = source;
        }
        let cause = if error.is_timeout() {
            "it took too long".to_owned()
        } else {
            innermost.to_string()
        };
        Self::Unreachable {
            url: url.to_owned(),
            cause,
            unsent: error.is_connect(),
        }
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Problem(Box::new(problem))
    }
}
