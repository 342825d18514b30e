//! What a handler says when it has not done its job.

use std::{error::Error, time::Duration};

use baton_domain::job::{Class, Verdict};

/// Why a handler has not done its job, and what is to follow.
///
/// Every other error becomes a failure that may work later, with the code `error`: `?` does so.
#[derive(Debug, Clone, PartialEq)]
pub struct JobError(Verdict);

impl JobError {
    /// It may work later: the job is tried again by its back-off. That was a try.
    #[must_use]
    pub fn retry(code: &str, message: impl Into<String>) -> Self {
        Self::failed(Class::Retry, code, message)
    }

    /// Somebody asked us to slow down: the job is tried again after this span. That was no try.
    #[must_use]
    pub fn throttled(after: Duration, message: impl Into<String>) -> Self {
        Self::failed(Class::Throttled, "throttled", message).after(after)
    }

    /// It will never work: a dead letter, for a person to look at.
    #[must_use]
    pub fn permanent(code: &str, message: impl Into<String>) -> Self {
        Self::failed(Class::Permanent, code, message)
    }

    /// What it was for is gone.
    #[must_use]
    pub fn gone(code: &str, message: impl Into<String>) -> Self {
        Self::failed(Class::Gone, code, message)
    }

    /// It cannot work until somebody mends the configuration: credentials, addresses, money.
    #[must_use]
    pub fn misconfigured(code: &str, message: impl Into<String>) -> Self {
        Self::failed(Class::Misconfigured, code, message)
    }

    /// There was nothing to do.
    #[must_use]
    pub fn skip(why: impl Into<String>) -> Self {
        Self(Verdict::Skipped { why: why.into() })
    }

    /// Not now: the job runs again after this span. That was no try.
    #[must_use]
    pub const fn snooze(after: Duration) -> Self {
        Self(Verdict::Snoozed { after })
    }

    /// The same failure, to be tried again after this span instead of by the job's back-off.
    #[must_use]
    pub fn after(mut self, span: Duration) -> Self {
        if let Verdict::Failed { retry_after, .. } = &mut self.0 {
            *retry_after = Some(span);
        }
        self
    }

    /// The same failure under another code.
    #[must_use]
    pub fn with_code(mut self, code: &str) -> Self {
        if let Verdict::Failed { failure, .. } = &mut self.0 {
            code.clone_into(&mut failure.code);
        }
        self
    }

    /// What is told to the server.
    #[must_use]
    pub const fn verdict(&self) -> &Verdict {
        &self.0
    }

    pub(crate) fn into_verdict(self) -> Verdict {
        self.0
    }

    /// The job is to end, as somebody has asked for it.
    pub(crate) const fn canceled() -> Self {
        Self(Verdict::Canceled)
    }

    /// The lease is over; nobody hears of it.
    pub(crate) fn lost() -> Self {
        Self::failed(
            Class::Unknown,
            "lease_lost",
            "the lease of this attempt has ended",
        )
    }

    fn failed(class: Class, code: &str, message: impl Into<String>) -> Self {
        Self(Verdict::failed(class, code, message))
    }
}

impl<E: Error> From<E> for JobError {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message = format!("{message}: {cause}");
            source = cause.source();
        }
        Self::retry("error", message)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn an_error_of_any_other_sort_is_a_failure_that_may_work_later() {
        fn read() -> Result<(), JobError> {
            Err(io::Error::other("the disk is full"))?;
            Ok(())
        }

        let verdict = read().map_err(JobError::into_verdict);

        let failure = Verdict::failed(Class::Retry, "error", "the disk is full");
        assert_eq!(verdict, Err(failure));
    }

    #[test]
    fn only_a_failure_is_tried_again_after_a_span() {
        let span = Duration::from_secs(30);

        let busy = JobError::retry("busy", "come back").after(span);
        let skipped = JobError::skip("nothing there").after(span);

        assert!(
            matches!(busy.verdict(), Verdict::Failed { retry_after: Some(after), .. } if *after == span)
        );
        assert_eq!(skipped, JobError::skip("nothing there"));
    }
}
