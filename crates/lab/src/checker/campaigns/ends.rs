//! The end of a campaign and of its deliveries: I4 and I5.

use super::{
    super::{
        Findings,
        history::{Command, CommandKind},
        index::Index,
        state::{CampaignState, State},
        wire::Job,
    },
    Case,
};
use crate::target::Answer;

pub(super) fn check(index: &Index<'_>, case: &Case<'_>, findings: &mut Findings) {
    is_not_stuck(index, case, findings);
    let is_canceled = has_command(index, case, CommandKind::Cancel);
    for job in &case.deliveries {
        agrees_with_its_target(index, case, job, findings);
        if job.state == State::Canceled && !is_canceled {
            findings.add(
                5,
                format!("{} is canceled, and nobody asked for it", job.id),
            );
        }
    }
    if case.campaign.state == CampaignState::Canceled && !is_canceled {
        let id = &case.campaign.id;
        findings.add(5, format!("{id} is canceled, and nobody asked for it"));
    }
}

/// I4: a campaign comes to its end, unless somebody has stopped it.
fn is_not_stuck(index: &Index<'_>, case: &Case<'_>, findings: &mut Findings) {
    let rules = &index.history.rules;
    let latest = case.asked.end_us.max(index.last_fault_us());
    let is_over = match case.campaign.state {
        CampaignState::Done => case.deliveries.iter().all(|job| job.state.is_terminal()),
        CampaignState::Canceled => true,
        CampaignState::Stopped => has_command(index, case, CommandKind::Stop),
        _ => latest.saturating_add(rules.heal_us + rules.clock_us) >= rules.ended_us,
    };
    if !is_over {
        let (id, state) = (&case.campaign.id, case.campaign.state);
        findings.add(4, format!("{id} has not come to its end: it is {state:?}"));
    }
}

/// I5: a delivery succeeded if its provider said so; who wants nothing sent is skipped, and not called.
fn agrees_with_its_target(index: &Index<'_>, case: &Case<'_>, job: &Job, findings: &mut Findings) {
    let id = &job.id;
    let arrivals = index.arrivals(id);
    let is_accepted = |answer: Answer| matches!(answer, Answer::Status(200..300));
    if job.state == State::Succeeded && !arrivals.iter().any(|one| is_accepted(one.answer)) {
        findings.add(
            5,
            format!("{id} is succeeded, and no call of it was answered with success"),
        );
    }
    let is_silent = index.is_silent(job.recipient_id.as_deref());
    if is_silent != (job.state == State::Skipped) || is_silent && !arrivals.is_empty() {
        let (campaign, state) = (&case.campaign.id, job.state.as_str());
        findings.add(
            5,
            format!(
                "{id} of {campaign} is {state} with {} calls, and its recipient wants {}",
                arrivals.len(),
                if is_silent { "nothing sent" } else { "it sent" }
            ),
        );
    }
}

fn has_command(index: &Index<'_>, case: &Case<'_>, kind: CommandKind) -> bool {
    let is_it = |one: &Command| {
        one.campaign == case.campaign.id && one.kind == kind && one.answer.may_have_acted()
    };
    index.history.campaigns.commands.iter().any(is_it)
}
