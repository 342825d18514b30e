//! Why something could not be done.

use std::fmt;

use baton_client::Error;

/// Why something could not be done.
pub struct Failure {
    pub cause: Cause,
    /// What it means, and what to do.
    pub then: Vec<String>,
}

/// What happened.
pub enum Cause {
    /// What was asked for makes no sense.
    Usage(String),
    /// What is needed is not there.
    Unreachable(String),
    /// A call was not answered as it had to be.
    Answer(Error),
    Other(String),
}

impl Failure {
    pub fn new(what: impl Into<String>) -> Self {
        Self::from(Cause::Other(what.into()))
    }

    pub fn usage(what: impl Into<String>) -> Self {
        Self::from(Cause::Usage(what.into()))
    }

    pub fn unreachable(what: impl Into<String>) -> Self {
        Self::from(Cause::Unreachable(what.into()))
    }

    /// The same with one more sentence: what it means, or what to do.
    #[must_use]
    pub fn then(mut self, sentence: impl Into<String>) -> Self {
        self.then.push(sentence.into());
        self
    }
}

impl From<Cause> for Failure {
    fn from(cause: Cause) -> Self {
        let then = Vec::new();
        Self { cause, then }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::from(Cause::Answer(error))
    }
}

/// As a test that fails shows it.
impl fmt::Debug for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::Answer(error) => write!(out, "{error}")?,
            Cause::Usage(what) | Cause::Unreachable(what) | Cause::Other(what) => {
                out.write_str(what)?;
            }
        }
        self.then.iter().try_for_each(|one| write!(out, "\n{one}"))
    }
}
