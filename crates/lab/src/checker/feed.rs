//! The feed as a row of numbers: I17.

use super::{Findings, index::Index, wire::Event};

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    let events = &index.history.events;
    is_dense(events, index.history.rules.first_seq, findings);
    let Some(first) = events.first() else { return };
    let epoch = first.id.split('-').next().unwrap_or_default();
    for event in events {
        if event.id != format!("{epoch}-{}", event.seq) {
            findings.add(
                17,
                format!(
                    "event {} of epoch {epoch} has the id {}",
                    event.seq, event.id
                ),
            );
        }
        says_where_to(event, findings);
        if event.kind.starts_with("job.") && !index.jobs.contains_key(&*event.subject) {
            findings.add(
                17,
                format!(
                    "event {} tells of {}, which is no job",
                    event.id, event.subject
                ),
            );
        }
    }
}

fn is_dense(events: &[Event], first: i64, findings: &mut Findings) {
    let mut expected = first;
    for event in events {
        if event.seq != expected {
            findings.add(
                17,
                format!("event {} stands where {expected} belongs", event.seq),
            );
        }
        expected = event.seq + 1;
    }
}

fn says_where_to(event: &Event, findings: &mut Findings) {
    if let (Some(state), Some(to)) = (event.moved_to(), &event.data.to)
        && state.as_str() != to
    {
        findings.add(
            17,
            format!("event {} is a {} to {to}", event.id, event.kind),
        );
    }
}
