//! What an answer, or none, means to a worker.

use std::time::Duration;

use baton_client::{Error, Problem, ProblemKind};
use baton_domain::chance;
use baton_ports::store;
use rand::RngExt;

/// Whether a worker with this answer has to end: it has said goodbye, or may not work here.
pub fn is_final(error: &Error) -> bool {
    error
        .problem()
        .is_some_and(|problem| matches!(problem.status, 401 | 403) || problem.code == "worker-left")
}

/// Whether the servers have forgotten the worker: it registers again and goes on.
pub fn is_forgotten(error: &Error) -> bool {
    is(error, "worker-not-found")
}

/// Whether another server may do better.
pub fn is_worth_another(error: &Error) -> bool {
    match error {
        Error::Problem(problem) => problem.status >= 500,
        _ => true,
    }
}

/// Whether something on the way has lost patience with a call that waits.
pub fn is_impatient_gateway(error: &Error) -> bool {
    match error {
        Error::Unexpected { what, .. } => ["HTTP 502", "HTTP 504"]
            .iter()
            .any(|status| what.starts_with(status)),
        _ => false,
    }
}

/// The error as the worker knows those of its store.
pub fn read(error: Error) -> store::Error {
    match error {
        Error::Problem(problem) => read_problem(&problem),
        Error::Unreachable { unsent: true, .. } => store::Error::Unavailable(error.to_string()),
        Error::Unreachable { .. } | Error::Unexpected { .. } => {
            store::Error::Unconfirmed(error.to_string())
        }
        _ => store::Error::Refused(error.to_string()),
    }
}

fn read_problem(problem: &Problem) -> store::Error {
    let unknown = [ProblemKind::Unconfirmed, ProblemKind::Timeout];
    let text = problem.to_string();
    match problem.status {
        503 if problem
            .known_kind()
            .is_some_and(|kind| unknown.contains(&kind)) =>
        {
            store::Error::Unconfirmed(text)
        }
        429 | 503 => store::Error::Unavailable(text),
        500.. => store::Error::Unconfirmed(text),
        _ => store::Error::Refused(text),
    }
}

fn is(error: &Error, code: &str) -> bool {
    error.problem().is_some_and(|problem| problem.code == code)
}

/// A wait that doubles from 50 ms to 2 s, a random half of it.
#[derive(Debug)]
pub struct Pause(Duration);

impl Default for Pause {
    fn default() -> Self {
        Self(Self::FIRST)
    }
}

impl Pause {
    const FIRST: Duration = Duration::from_millis(50);
    const LONGEST: Duration = Duration::from_secs(2);

    /// Waits, and the next time longer.
    pub async fn rest(&mut self) {
        let span = self.0;
        self.0 = (span * 2).min(Self::LONGEST);
        let part = chance::draw(|chance| chance.random_range(0.5..=1.0));
        tokio::time::sleep(span.mul_f64(part)).await;
    }

    /// Whether it has not waited yet.
    pub fn is_fresh(&self) -> bool {
        self.0 == Self::FIRST
    }
}
