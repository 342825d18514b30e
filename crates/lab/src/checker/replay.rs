//! The feed told again, job by job: I17 and I10.

use super::{
    Findings,
    history::ActKind,
    index::{Index, Move},
    state::State,
    wire::Job,
};

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    for (id, job) in &index.jobs {
        let moves = index.moves(id);
        match (moves.last(), index.history.rules.first_seq) {
            (Some(last), _) if last.to != job.state => findings.add(
                17,
                format!(
                    "{id} is {}, and the feed leaves it {}",
                    job.state.as_str(),
                    last.to.as_str()
                ),
            ),
            (None, 1) => findings.add(17, format!("{id} exists, and the feed never tells of it")),
            _ => {}
        }
        if index.history.rules.first_seq == 1 {
            begins_at_the_beginning(job, moves, findings);
            tells_of_each_claim(id, job.attempt, moves, findings);
        }
        for pair in moves.windows(2) {
            follows(index, id, pair[0], pair[1], findings);
        }
        people_moved_it(index, id, moves, findings);
    }
}

/// A delivery that makes no sense begins where it ends.
fn begins_at_the_beginning(job: &Job, moves: &[Move<'_>], findings: &mut Findings) {
    let is_beginning =
        |to: State| to.is_beginning() || to == State::Skipped && job.campaign_id.is_some();
    if let Some(first) = moves.first()
        && (!is_beginning(first.to) || first.event.data.from.is_some())
    {
        let (id, event, to) = (&job.id, &first.event.id, first.to.as_str());
        findings.add(
            17,
            format!("the first event of {id} ({event}) moves it to {to} from elsewhere"),
        );
    }
}

fn tells_of_each_claim(id: &str, attempts: u32, moves: &[Move<'_>], findings: &mut Findings) {
    let claims = moves.iter().filter(|one| one.to == State::Running).count();
    // A crash of PostgreSQL can forget the last claim, whose success was adopted from where the job stood then.
    let was_adopted = moves.last().is_some_and(|one| {
        let from = one.event.data.from.as_deref();
        one.to == State::Succeeded && from != Some(State::Running.as_str())
    });
    let told = claims + usize::from(was_adopted);
    if !(claims..=told).contains(&(attempts as usize)) {
        findings.add(
            17,
            format!("{id} was claimed {attempts} times, and the feed tells of {claims}"),
        );
    }
}

/// One move follows from the one before: from where that led, by the table, and not earlier by more
/// than its statement can have waited.
fn follows(index: &Index<'_>, id: &str, last: Move<'_>, next: Move<'_>, findings: &mut Findings) {
    let (from, to) = (last.to, next.to);
    let event = &next.event.id;
    if let Some(told) = &next.event.data.from
        && told != from.as_str()
    {
        findings.add(
            17,
            format!(
                "event {event} moves {id} from {told}, and it was {}",
                from.as_str()
            ),
        );
    }
    if !from.may_become(to) {
        let invariant = if from.is_terminal() { 10 } else { 17 };
        let (from, to) = (from.as_str(), to.as_str());
        findings.add(
            invariant,
            format!("event {event} moves {id} from {from} to {to}"),
        );
    }
    let rules = &index.history.rules;
    let (next_at, last_at) = (next.event.at.0, last.event.at.0);
    let is_older = next_at + rules.statement_us + rules.clock_us < last_at;
    let (next_at, last_at) = (
        index.moments.latest(next_at),
        index.moments.earliest(last_at),
    );
    if is_older && next_at + rules.statement_us + rules.clock_us < last_at {
        findings.add(
            17,
            format!("event {event} of {id} is older than {}", last.event.id),
        );
    }
}

/// I10: a terminal job moves as often as people moved it, at most.
fn people_moved_it(index: &Index<'_>, id: &str, moves: &[Move<'_>], findings: &mut Findings) {
    for (kind, verb, is_such) in [
        (
            ActKind::Retry,
            "run again",
            is_redrive as fn(State, State) -> bool,
        ),
        (ActKind::Resolve, "resolved", is_resolution),
    ] {
        let done = moves
            .windows(2)
            .filter(|pair| is_such(pair[0].to, pair[1].to))
            .count();
        let asked = index.acts(id).filter(|act| act.kind == kind).count();
        if done > asked {
            findings.add(
                10,
                format!(
                    "{id} was terminal and {verb} {done} times; people asked for it {asked} times"
                ),
            );
        }
    }
}

fn is_redrive(from: State, to: State) -> bool {
    from.is_terminal() && to == State::Queued
}

fn is_resolution(from: State, to: State) -> bool {
    from == State::Uncertain && to.is_terminal()
}
