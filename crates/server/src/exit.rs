//! How a command ends: its exit code, and what a failure says.

use std::process::ExitCode;

use baton_client::{Error, Problem};
use baton_faults::Cause;
use serde_json::{Value, json};

/// An exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All went well.
    Ok = 0,
    /// It did not.
    Failure = 1,
    /// The command or the settings make no sense.
    Usage = 2,
    /// There is no such thing.
    NotFound = 3,
    /// The present state does not allow it.
    Conflict = 5,
    /// The server did not accept the values, or does not let this key do it.
    Invalid = 6,
    /// The server or its database cannot be reached.
    Unreachable = 7,
    /// The job that was waited for has ended, and not succeeded.
    NotSucceeded = 10,
    /// The job whose command this is is to stop.
    Stop = 75,
    /// The wait took too long.
    TimedOut = 124,
    /// Somebody interrupted it.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command could not do what was asked.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The code it ends with.
    pub exit: Exit,
    /// What happened.
    what: String,
    /// What it means, and what to do.
    then: Vec<String>,
    /// What the server said, if it did.
    problem: Option<Box<Problem>>,
}

impl Failure {
    /// A failure that says what happened.
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            exit: Exit::Failure,
            what: what.into(),
            then: Vec::new(),
            problem: None,
        }
    }

    /// A failure of the command or the settings.
    pub fn usage(what: impl Into<String>) -> Self {
        Self::new(what).exit(Exit::Usage)
    }

    /// The same with another exit code.
    pub fn exit(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }

    /// The same with one more sentence: what it means, or what to do.
    pub fn then(mut self, sentence: impl Into<String>) -> Self {
        self.then.push(sentence.into());
        self
    }

    /// What happened, alone.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// As people read it.
    pub fn text(&self) -> String {
        let mut text = format!("error: {}", self.what);
        for sentence in &self.then {
            text.push_str("\n  ");
            text.push_str(&sentence.replace('\n', "\n  "));
        }
        text
    }

    /// As a program reads it.
    pub fn json(&self) -> Value {
        json!({"error": {
            "exit_code": self.exit as u8,
            "what": self.what,
            "then": self.then,
            "problem": self.problem,
        }})
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Problem(problem) => of_problem(problem),
            Error::Unreachable { url, cause, .. } => {
                Self::new(format!("no Baton answers at {url}: {cause}"))
                    .exit(Exit::Unreachable)
                    .then("Start one with: baton serve, or to try it: baton serve --dev")
                    .then("If it runs elsewhere, name its address with --url or BATON_URL.")
            }
            Error::Unexpected { .. } => Self::new(error.to_string())
                .exit(Exit::Unreachable)
                .then("Something else than Baton may listen there; check --url and BATON_URL."),
            Error::BadAddress { .. } => {
                Self::usage(error.to_string()).then("An address looks like http://127.0.0.1:7878.")
            }
            Error::BadAuthority(_) => Self::usage(error.to_string())
                .then("--ca names a file with the certificate of an authority, in PEM."),
            Error::Start(_) => Self::new(error.to_string()),
        }
    }
}

impl From<baton_faults::Failure> for Failure {
    fn from(failure: baton_faults::Failure) -> Self {
        let caused = match failure.cause {
            Cause::Usage(what) => Self::usage(what),
            Cause::Unreachable(what) => Self::new(what).exit(Exit::Unreachable),
            Cause::Answer(error) => Self::from(error),
            Cause::Other(what) => Self::new(what),
        };
        failure.then.into_iter().fold(caused, Self::then)
    }
}

fn of_problem(problem: Box<Problem>) -> Failure {
    let exit = match problem.status {
        404 | 410 => Exit::NotFound,
        409 => Exit::Conflict,
        400 | 401 | 403 | 413 | 415 | 422 => Exit::Invalid,
        503 => Exit::Unreachable,
        _ => Exit::Failure,
    };
    let mut failure = Failure::new(problem.detail.clone()).exit(exit);
    if problem.errors.len() > 1 {
        failure.what.clone_from(&problem.title);
        failure.then = problem.errors.iter().map(ToString::to_string).collect();
    }
    failure = match problem.status {
        401 => failure.then(
            "Name a file that holds an API key with --key-file or BATON_KEY_FILE. Whoever has the database makes one: \
             baton keys create NAME --allow \"jobs:create jobs:read\"",
        ),
        403 => failure.then(
            "If it is the key that lacks a permission, use another one; `baton keys list` shows what each may do.",
        ),
        _ => failure,
    };
    if exit == Exit::Failure
        && let Some(id) = &problem.request_id
    {
        failure = failure.then(format!("The server's log has more under request id {id}."));
    }
    failure.problem = Some(problem);
    failure
}

#[cfg(test)]
mod tests {
    use baton_client::ProblemKind;

    use super::*;

    #[test]
    fn each_kind_of_problem_has_its_exit_code() {
        let code_of = |kind: ProblemKind| Failure::from(Error::from(kind.because("."))).exit;

        assert_eq!(code_of(ProblemKind::JobNotFound), Exit::NotFound);
        assert_eq!(code_of(ProblemKind::KeyConflict), Exit::Conflict);
        assert_eq!(code_of(ProblemKind::Invalid), Exit::Invalid);
        assert_eq!(code_of(ProblemKind::Unauthenticated), Exit::Invalid);
        assert_eq!(code_of(ProblemKind::PermissionDenied), Exit::Invalid);
        assert_eq!(code_of(ProblemKind::Unavailable), Exit::Unreachable);
        assert_eq!(code_of(ProblemKind::Internal), Exit::Failure);
    }

    #[test]
    fn whoever_showed_no_key_is_told_where_to_name_one() {
        let failure = Failure::from(Error::from(ProblemKind::Unauthenticated.because(".")));

        assert!(failure.text().contains("--key-file"), "{failure:?}");
    }

    #[test]
    fn a_failure_says_what_happened_and_then_what_to_do() {
        let failure = Failure::new("the port is taken").then("Choose another one.");

        assert_eq!(
            failure.text(),
            "error: the port is taken\n  Choose another one."
        );
        assert_eq!(failure.json()["error"]["exit_code"], 1);
    }
}
