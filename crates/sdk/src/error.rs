//! What can go wrong for whoever enqueues jobs or runs a worker.

use baton_client::{Error as ClientError, Job, Problem, ProblemKind};
use baton_domain::JobId;

/// What can go wrong for whoever enqueues jobs or runs a worker.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A server has refused a call, or none could be reached.
    #[error(transparent)]
    Client(#[from] baton_client::Error),
    /// The job has ended otherwise than by success.
    #[error(transparent)]
    Failed(#[from] Failed),
    /// The job has not ended in the time that was given.
    #[error(
        "{0} has not ended in time; it goes on, and can be asked again: `baton jobs show {0}` says what it waits for"
    )]
    NotYet(JobId),
    /// A server for tests still had something to do when the time was up.
    #[error("the server is not quiet in time: {0}")]
    NotQuiet(String),
    /// What was given cannot be written as JSON, or what came is not of the type that was asked for.
    #[error("{what}: {why}")]
    Json {
        /// What it was to be.
        what: String,
        /// What is wrong with it.
        why: serde_json::Error,
    },
    /// The environment names something that cannot be used.
    #[error("{0}")]
    Environment(String),
    /// The server has ended the worker: another runs under its id, or its key may not work here.
    #[error("the server has ended this worker: {0}")]
    NotWanted(String),
    /// Half of the worker's slots are held by handlers that cannot be stopped: the process is to end, with 70, so that its
    /// supervisor starts it again.
    #[error("{stuck} of {slots} slots are held by handlers that cannot be stopped")]
    Stuck {
        /// How many.
        stuck: u32,
        /// Of how many.
        slots: u32,
    },
    /// The worker has no handler, one for a kind twice, or its thread cannot be started.
    #[error("{0}")]
    Worker(String),
}

impl Error {
    /// The server does not want a worker; if it was shown no key that opens, where that is looked for.
    pub(crate) fn not_wanted(why: &ClientError) -> Self {
        let kind = why.problem().and_then(Problem::known_kind);
        Self::NotWanted(match kind {
            Some(ProblemKind::Unauthenticated) => format!(
                "{why} The key is what `with_key` was given, or with `App::from_env` BATON_KEY, or the file that BATON_KEY_FILE names."
            ),
            _ => why.to_string(),
        })
    }
}

/// A job that has ended otherwise than by success.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{} is {}{}", job.id, job.state, why(job))]
pub struct Failed {
    /// The job as it ended.
    pub job: Box<Job>,
}

impl Failed {
    /// The stable word for what went wrong, if an attempt has failed.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.job
            .last_error
            .as_ref()
            .map(|error| error.code.as_str())
    }
}

fn why(job: &Job) -> String {
    match &job.last_error {
        Some(error) => format!(": {}: {}", error.code, error.message),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_shows_no_key_is_told_where_it_is_looked_for() {
        let told = |kind| {
            let problem = Box::new(Problem::new(kind, "Send one."));
            Error::not_wanted(&ClientError::Problem(problem)).to_string()
        };

        let without_key = told(ProblemKind::Unauthenticated);
        let other = told(ProblemKind::WorkerLeft);

        assert!(
            without_key.contains("Send one. The key is"),
            "{without_key}"
        );
        assert!(without_key.contains("BATON_KEY"), "{without_key}");
        assert!(!other.contains("BATON_KEY"), "{other}");
    }
}
