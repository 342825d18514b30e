//! What the seeds have met: a simulation in which nothing goes wrong proves nothing.

use std::collections::BTreeSet;

use baton_domain::{
    campaign::{self, Campaign},
    job::{Outcome, State},
    operation::Action,
};
use baton_ports::store::{By, SettleOutcome};

use crate::{
    journal::{ActKind, History, Said},
    script::Word,
    witness::Deed,
};

/// What many seeds together are bound to meet. A late success that is adopted is met once in a thousand
/// seeds: a story of its own tells of it.
pub const BOUND: &[&str] = &[
    "a conflict of keys",
    "a key posted again",
    "an answer that never came",
    "a late word, history only",
    "a rescue",
    "a job lost for good",
    "a call that heeded a wish to stop",
    "a job canceled by force",
    "a redriven job",
    "a resolved job",
    "an expired job",
    "an uncertain job",
    "a lease deadline",
    "a time-out",
    "a shutdown that stopped a call",
    "a job given back",
    "a change of leader",
    "dead letters run again at once",
    "discarded dead letters",
    "a job started as it came in",
    "a job that a hint led to",
    "a hinted job given back",
    "hints built anew while jobs were there",
    "hints wiped",
    "hints gone",
    "hints poisoned",
    "cut off from hints",
    "clock put back",
    "clock put forward",
    "clock settled",
    "a campaign done",
    "a campaign canceled on its way",
    "a campaign stopped on its way",
    "a walk that another node went on with",
];

/// What a simulation has met.
pub fn met(history: &History) -> BTreeSet<&'static str> {
    let mut met = BTreeSet::new();
    met.extend(history.asked.iter().filter_map(|asked| {
        match asked.said {
            Said::Conflict(_) => Some("a conflict of keys"),
            Said::Unknown => Some("an answer that never came"),
            Said::Accepted(id) => (history.asked.iter())
                .filter(|other| other.said == Said::Accepted(id))
                .nth(1)
                .map(|_| "a key posted again"),
        }
    }));
    met.extend(history.deeds.iter().filter_map(|(_, deed)| of_deed(deed)));
    let stopped = history.calls.iter();
    let mut stopped = stopped.filter(|call| call.answer.word == Word::Stopped);
    met.extend(stopped.next().map(|_| "a call that heeded a wish to stop"));
    let done = |kind| (history.acts.iter()).any(|act| act.kind == kind && act.confirmed.is_some());
    met.extend(done(ActKind::Retry).then_some("a redriven job"));
    met.extend(done(ActKind::Resolve).then_some("a resolved job"));
    met.extend(
        history
            .jobs
            .values()
            .filter_map(|job| match (job.state, job.reason.as_deref()) {
                (State::Failed, Some("lost")) => Some("a job lost for good"),
                (State::Failed, Some("expired")) => Some("an expired job"),
                (State::Uncertain, _) => Some("an uncertain job"),
                _ => None,
            }),
    );
    let errors = history.attempts.values().flatten();
    let errors = errors.filter_map(|attempt| attempt.error.as_ref());
    met.extend(errors.filter_map(|error| match error.code.as_str() {
        "lease_deadline" => Some("a lease deadline"),
        "timeout" => Some("a time-out"),
        "shutdown" => Some("a shutdown that stopped a call"),
        _ => None,
    }));
    let leaders = history.events.iter();
    let leaders = leaders.filter(|event| event.kind == "leader.changed");
    met.extend((leaders.count() > 1).then_some("a change of leader"));
    met.extend(history.mischief.iter().map(|fault| fault.what));
    let rebuilt = history.events.iter();
    let mut rebuilt =
        rebuilt.filter(|event| event.kind == "hints.rebuilt" && event.data["jobs"] != 0);
    met.extend(
        rebuilt
            .next()
            .map(|_| "hints built anew while jobs were there"),
    );
    met.extend(has_given_a_hinted_job_back(history).then_some("a hinted job given back"));
    let done = |one: &Campaign| one.state == campaign::State::Done;
    met.extend((history.campaigns.iter().any(done)).then_some("a campaign done"));
    met.extend(has_changed_hands(history).then_some("a walk that another node went on with"));
    let worked = history.operations.iter().filter(|one| one.done > 0);
    met.extend(worked.map(|one| match one.action {
        Action::Retry => "dead letters run again at once",
        Action::Cancel => "jobs canceled at once",
        Action::Discard => "discarded dead letters",
        Action::Erase => "a person who was erased",
    }));
    met
}

fn has_given_a_hinted_job_back(history: &History) -> bool {
    let deeds = history.deeds.iter().map(|(_, deed)| deed);
    let hinted = deeds.clone().filter_map(|deed| match deed {
        Deed::Claimed {
            is_hinted: true,
            job,
            attempt,
            ..
        } => Some((*job, *attempt)),
        _ => None,
    });
    let hinted: BTreeSet<_> = hinted.collect();
    let mut given_back = deeds.filter_map(|deed| match deed {
        Deed::Settled {
            outcome: Outcome::GivenBack,
            answer: SettleOutcome::Recorded,
            job,
            attempt,
            ..
        } => Some((*job, *attempt)),
        _ => None,
    });
    given_back.any(|attempt| hinted.contains(&attempt))
}

/// Whether two nodes wrote chunks of one campaign.
fn has_changed_hands(history: &History) -> bool {
    let mut hands = BTreeSet::new();
    hands.extend(history.deeds.iter().filter_map(|(_, deed)| match deed {
        Deed::Expanded { campaign, node, .. } => Some((*campaign, *node)),
        _ => None,
    }));
    let campaigns: BTreeSet<_> = hands.iter().map(|(campaign, _)| campaign).collect();
    hands.len() > campaigns.len()
}

fn of_deed(deed: &Deed) -> Option<&'static str> {
    match deed {
        Deed::ForceCanceled { .. } => Some("a job canceled by force"),
        Deed::Commanded { to, .. } => match to {
            campaign::State::Stopped => Some("a campaign stopped on its way"),
            campaign::State::Canceled => Some("a campaign canceled on its way"),
            _ => None,
        },
        Deed::Claimed { is_start: true, .. } => Some("a job started as it came in"),
        Deed::Claimed {
            is_hinted: true, ..
        } => Some("a job that a hint led to"),
        Deed::Settled {
            by: By::Rescuer,
            answer: SettleOutcome::Recorded,
            ..
        } => Some("a rescue"),
        Deed::Settled {
            answer: SettleOutcome::Adopted,
            ..
        } => Some("a late success, adopted"),
        Deed::Settled {
            answer: SettleOutcome::Stale,
            ..
        } => Some("a late word, history only"),
        Deed::Settled {
            outcome: Outcome::GivenBack,
            ..
        } => Some("a job given back"),
        _ => None,
    }
}
