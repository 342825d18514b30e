//! What must hold, whatever went wrong: each is a function over the history of one simulation.
//!
//! The numbers are those of the project's list of invariants; the lab's checker asks the same of real
//! processes.

mod accepted;
mod at_the_end;
mod attempts;
mod calls;
mod campaigns;
mod ends;
mod leases;
mod limits;
mod moves;

use std::fmt;

use baton_domain::JobId;

use crate::journal::History;

/// An invariant that does not hold.
#[derive(Debug, Clone)]
pub struct Violation {
    pub rule: &'static str,
    pub job: Option<JobId>,
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, job, message } = self;
        match job {
            Some(job) => write!(f, "{rule}: {job} {message}"),
            None => write!(f, "{rule}: {message}"),
        }
    }
}

/// What an invariant finds, without the invariant's name.
type Found = Vec<(Option<JobId>, String)>;

macro_rules! rules {
    ($($module:ident::$rule:ident,)*) => {
        /// Every invariant that does not hold.
        pub fn violations(history: &History) -> Vec<Violation> {
            let mut violations = Vec::new();
            $(
                let found = $module::$rule(history).into_iter();
                violations.extend(found.map(|(job, message)| Violation {
                    rule: stringify!($rule),
                    job,
                    message,
                }));
            )*
            violations
        }
    };
}

rules! {
    accepted::nothing_accepted_is_lost,
    accepted::nothing_exists_that_nobody_asked_for,
    accepted::one_key_is_one_job,
    attempts::attempts_are_numbered_without_a_gap_and_end_once,
    attempts::tries_and_losses_stay_within_their_limits,
    calls::a_call_is_made_under_a_claim,
    calls::a_call_is_repeated_only_with_a_reason,
    calls::a_job_canceled_before_any_claim_is_never_called,
    calls::a_run_has_one_key_and_its_attempts_rise,
    calls::no_call_comes_before_its_time,
    calls::a_delay_set_by_settled_clocks_is_kept,
    campaigns::each_member_of_an_audience_has_one_delivery,
    campaigns::the_books_of_a_campaign_are_the_sum_of_its_deliveries,
    campaigns::nothing_is_written_for_a_campaign_that_stands,
    campaigns::no_call_starts_two_seconds_after_a_stop,
    campaigns::campaigns_end,
    ends::success_needs_a_successful_call,
    ends::failure_agrees_with_what_was_answered,
    ends::a_job_that_was_asked_to_stop_does_not_start_again,
    leases::no_two_leases_hold_a_job_at_once,
    leases::only_the_holder_of_a_lease_settles,
    leases::a_lease_is_rescued_only_when_it_has_run_out,
    leases::no_lease_of_a_living_reachable_worker_is_lost,
    limits::a_queue_keeps_its_limits,
    moves::events_are_numbered_without_a_gap,
    moves::every_move_is_legal_and_one_fact,
    moves::replayed_facts_lead_to_the_final_state,
    moves::only_a_person_moves_a_job_that_has_ended,
    at_the_end::nothing_stands_still,
    at_the_end::everything_ends,
    at_the_end::counters_agree_with_places,
    at_the_end::dead_letters_are_the_failed_jobs,
    at_the_end::operations_end,
}
