//! From a template to what is made for a nominal time: the one place that knows what schedules make.

use baton_domain::{
    Timestamp,
    job::{FieldError, Limits},
    schedule::Template,
};
use baton_ports::{Hint, Wake, store::Made};

use crate::routines::Tools;

/// What a template makes for a nominal time.
///
/// # Errors
/// What keeps it from being made, field by field.
pub fn make(
    template: &Template,
    at: Timestamp,
    limits: &Limits,
    now: Timestamp,
) -> Result<Made, Vec<FieldError>> {
    match template {
        Template::Job(job) => job
            .job_at(at, limits, now)
            .map(|job| Made::Job(Box::new(job)))
            .map_err(|errors| errors.into_iter().map(|e| e.within("job")).collect()),
        Template::Campaign(_) => {
            let message = "schedules of this version make jobs only; give a job";
            Err(vec![FieldError::new("campaign", message)])
        }
    }
}

/// Tells whoever has something to do with what was made.
pub fn announce(tools: &Tools, made: &Made) {
    match made {
        Made::Job(job) if job.run_at <= job.created_at => {
            let hint = Hint::of(&job.queue, job.id, job.priority);
            tools.offers.claimable([hint]);
        }
        Made::Job(_) => tools.signal.ring(Wake::Due),
    }
    tools.signal.ring(Wake::Facts);
}
