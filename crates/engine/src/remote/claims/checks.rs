//! What is looked at before a claim is taken in.

use baton_domain::{job::FieldError, queue::is_name};

use super::{ClaimRequest, MOST_JOBS};
use crate::{Caller, Error, Result};

/// Of how many queues one claim asks.
const MOST_WANTS: usize = 200;

impl Caller {
    pub(super) fn check_claim(&self, request: &ClaimRequest) -> Result<()> {
        let mut errors = Vec::new();
        if request.wants.is_empty() || request.wants.len() > MOST_WANTS {
            let why = format!("must be 1 to {MOST_WANTS} of them");
            errors.push(FieldError::new("wants", why));
        }
        if !(1..=MOST_JOBS).contains(&request.limit) {
            errors.push(FieldError::new(
                "limit",
                format!("must be 1 to {MOST_JOBS}"),
            ));
        }
        let mut leases = Vec::new();
        for (i, want) in request.wants.iter().enumerate() {
            let mut wrong = |field: &str, why: String| {
                errors.push(FieldError::new(&format!("wants[{i}].{field}"), why));
            };
            if !is_name(&want.queue) {
                wrong("queue", baton_domain::queue::NAME_RULE.to_owned());
            } else if !self.may_work(&want.queue) {
                wrong(
                    "queue",
                    format!("this key may not work off the queue {:?}", want.queue),
                );
            }
            if !(1..=MOST_JOBS).contains(&want.limit) {
                wrong("limit", format!("must be 1 to {MOST_JOBS}"));
            }
            if want.lease.uuid().is_nil() || leases.contains(&want.lease) {
                wrong("lease", "must be drawn anew for each want".to_owned());
            }
            leases.push(want.lease);
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(Error::Invalid(errors))
        }
    }
}
