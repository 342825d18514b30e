//! What a job has to be like to be taken in: the limits, and the word of its kind's handler.

use std::sync::Arc;

use baton_domain::{
    Timestamp,
    job::{FieldError, JobSpec, Limits, NewJob},
};

use crate::Handler;

/// What a job has to be like to be taken in, whoever asks for it: a client, or another job at its checkpoint.
#[derive(Clone)]
pub struct JobRules {
    limits: Limits,
    handlers: Arc<[Arc<dyn Handler>]>,
}

impl JobRules {
    /// The rules where the server runs the kinds of these handlers.
    #[must_use]
    pub fn new(limits: &Limits, handlers: &[Arc<dyn Handler>]) -> Self {
        let built_in = handlers.iter().map(|handler| handler.kind().to_owned());
        let limits = Limits {
            kinds: limits.kinds.clone().with_built_in(built_in),
            ..limits.clone()
        };
        Self {
            limits,
            handlers: handlers.into(),
        }
    }

    /// A job as it is added.
    pub fn check(&self, spec: JobSpec, now: Timestamp) -> Result<NewJob, Vec<FieldError>> {
        let job = NewJob::from_spec(spec, &self.limits, now)?;
        self.check_payload(&job.kind, &job.payload, now)?;
        Ok(job)
    }

    /// Asks the handler of a kind whether it can do with a payload, and with what it is to make of it.
    pub fn check_payload(
        &self,
        kind: &str,
        payload: &str,
        now: Timestamp,
    ) -> Result<(), Vec<FieldError>> {
        let Some(handler) = self.handler(kind) else {
            return match self.limits.kinds.refusal(kind) {
                Some(why) => Err(vec![FieldError::new("kind", why)]),
                None => Ok(()),
            };
        };
        handler.check(payload)?;
        match handler.makes(payload) {
            Some(made) => NewJob::from_spec(made.spec, &self.limits, now)
                .map(drop)
                .map_err(|errors| within(made.at, errors)),
            None => Ok(()),
        }
    }

    /// The job that a job of this payload is to make, and where the payload says so.
    #[must_use]
    pub fn made_by(
        &self,
        kind: &str,
        payload: &str,
        now: Timestamp,
    ) -> Option<(&'static str, NewJob)> {
        let made = self.handler(kind)?.makes(payload)?;
        let job = NewJob::from_spec(made.spec, &self.limits, now).ok()?;
        Some((made.at, job))
    }

    fn handler(&self, kind: &str) -> Option<&Arc<dyn Handler>> {
        let mut handlers = self.handlers.iter();
        handlers.find(|handler| handler.kind() == kind)
    }
}

fn within(outer: &str, errors: Vec<FieldError>) -> Vec<FieldError> {
    let errors = errors.into_iter();
    errors.map(|error| error.within(outer)).collect()
}
