//! The final state: I4, I5, I23.

use super::{
    Findings,
    expect::{expected, is_final},
    history::ActKind,
    index::Index,
    state::State,
    wire::Job,
};
use crate::target::{Answer, Arrival};

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    for job in index.jobs.values() {
        is_not_stuck(index, job, findings);
        runs_under_a_lease(index, job, findings);
        is_recorded_whole(index, job, findings);
        agrees_with_its_target(index, job, findings);
        ends_as_scripted(index, job, findings);
    }
    for (job, attempts) in index.attempts_by_job() {
        if !index.jobs.contains_key(job) {
            findings.add(
                23,
                format!(
                    "{} attempts belong to {job:?}, which is no job",
                    attempts.len()
                ),
            );
        }
    }
}

/// I4: what is due does not wait.
fn is_not_stuck(index: &Index<'_>, job: &Job, findings: &mut Findings) {
    let rules = &index.history.rules;
    let due = match job.state {
        State::Pending | State::RetryWait => index.moments.at_last(job.run_at.0),
        State::Queued if rules.paused_queues.contains(&job.queue) => return,
        State::Queued => index.moments.latest(since(index, job)),
        _ => return,
    };
    let latest = due
        .max(index.last_fault_us())
        .saturating_add(rules.heal_us + rules.clock_us);
    if latest < rules.ended_us {
        let (id, state) = (&job.id, job.state.as_str());
        let waits = (rules.ended_us - due) / 1_000;
        findings.add(
            4,
            format!("{id} is {state} though it has been due for {waits} ms"),
        );
    }
}

/// Since when a job is where it is, as the feed or the job itself tells, by the store's clock.
fn since(index: &Index<'_>, job: &Job) -> i64 {
    let told = index.moves(&job.id).last().map(|one| one.event.at);
    told.or(job.updated_at).unwrap_or(job.created_at).0
}

/// I23: nothing runs past its lease and two sweeps.
fn runs_under_a_lease(index: &Index<'_>, job: &Job, findings: &mut Findings) {
    if job.state != State::Running {
        return;
    }
    let rules = &index.history.rules;
    // Without the lease itself: the longest an attempt may take, and the lease after that.
    let until = job.leased_until.map_or_else(
        || {
            let timeout = index.request(job).map_or(0, |request| request.timeout_us);
            since(index, job) + timeout + rules.lease_us
        },
        |until| until.0,
    );
    let until = index.moments.latest(until);
    let latest = until.saturating_add(2 * rules.sweep_us + rules.clock_us);
    if latest < rules.ended_us {
        let over = (rules.ended_us - until) / 1_000;
        findings.add(
            23,
            format!("{} is running {over} ms past its lease", job.id),
        );
    }
}

/// I23: a terminal job has its end recorded, and no attempt open.
fn is_recorded_whole(index: &Index<'_>, job: &Job, findings: &mut Findings) {
    let (id, state) = (&job.id, job.state.as_str());
    if job.state.is_terminal() != job.finished_at.is_some() {
        let at = job.finished_at;
        findings.add(
            23,
            format!("{id} is {state}, and its finished_at is {at:?}"),
        );
    }
    let last = index.attempts(id).last();
    if job.state != State::Running
        && let Some(open) = last.filter(|last| last.ended_at.is_none())
    {
        findings.add(
            23,
            format!(
                "{id} is {state}, and its attempt {} is still open",
                open.attempt
            ),
        );
    }
}

/// I5: the end agrees with what the target answered.
fn agrees_with_its_target(index: &Index<'_>, job: &Job, findings: &mut Findings) {
    let id = &job.id;
    let Some(request) = index.request(job) else {
        return;
    };
    if job.state == State::Canceled && !index.has_act(id, ActKind::Cancel) {
        findings.add(5, format!("{id} is canceled, and nobody asked for it"));
    }
    if request.path.is_none() || index.has_act(id, ActKind::Resolve) {
        return;
    }
    let answered = |wanted: fn(u16) -> bool| {
        let is_wanted = |arrival: &&Arrival| match arrival.answer {
            Answer::Status(status) => wanted(status),
            Answer::Reset | Answer::Hang => false,
        };
        index
            .arrivals(id)
            .iter()
            .copied()
            .any(|one| is_wanted(&one))
    };
    let disagrees = match (job.state, job.reason.as_deref()) {
        (State::Succeeded, _) if !answered(|status| status / 100 == 2) => {
            "succeeded, and no call of it was answered with success"
        }
        (State::Failed, Some("permanent")) if !answered(is_final) => {
            "permanently failed, and no call of it was refused for good"
        }
        (State::Failed, Some("gone")) if !answered(|status| status == 410) => {
            "failed as gone, and no call of it was answered with 410"
        }
        (State::Failed, Some("exhausted")) if job.tries < job.max_attempts => {
            "exhausted, and has tries left"
        }
        (State::Failed, Some("lost")) if job.losses < index.history.rules.max_losses => {
            "failed as lost, and has losses left"
        }
        (State::Failed, None) => "failed, and says no reason",
        (State::Uncertain, _) if !request.at_most_once => {
            "uncertain, and was to be called at least once"
        }
        _ => return,
    };
    findings.add(5, format!("{id} is {disagrees}"));
}

/// I5: without faults, and with nobody else's say, a job ends as its script asks.
fn ends_as_scripted(index: &Index<'_>, job: &Job, findings: &mut Findings) {
    let is_plain = index.is_calm()
        && job.state.is_terminal()
        && job.reason.as_deref() != Some("expired")
        && index.acts(&job.id).all(|act| act.kind == ActKind::RunNow);
    let (true, Some(script), Some(request)) = (is_plain, index.script(job), index.request(job))
    else {
        return;
    };
    let Some(expected) = expected(script, request) else {
        return;
    };
    let reason = job.reason.as_deref();
    if job.state != expected.state || (expected.reason.is_some() && reason != expected.reason) {
        findings.add(
            5,
            format!(
                "{} ended as {} ({reason:?}), its script {script:?} asks for {} ({:?})",
                job.id,
                job.state.as_str(),
                expected.state.as_str(),
                expected.reason
            ),
        );
    }
}
