//! What happened to a job, first to last: its attempts, and the facts that are no attempt.

use std::collections::BTreeMap;

use baton_domain::{
    Timestamp,
    event::Event,
    job::{Attempt, Job, Outcome, State},
};

use super::event::{number, text};
use crate::{
    overview_cache::OverviewSnapshot,
    view::{Markup, ago, glyph, moment, outcome_word, sentence, span, state_word},
};

/// Waits shorter than this are not drawn, in seconds: between steps there always is a little.
const SHORTEST_WAIT: u64 = 1;

/// One line of the timeline.
pub struct Entry {
    /// What it is, for the eye and for tests: a state, or `wait`.
    pub mark: &'static str,
    /// Its shape.
    pub glyph: &'static str,
    /// When; a wait has no moment of its own.
    pub at: Option<Markup>,
    /// How long ago.
    pub age: Option<Markup>,
    /// What happened.
    pub title: String,
    /// Its cause or its particulars, each on a line.
    pub notes: Vec<Markup>,
}

struct Fact {
    at: Timestamp,
    mark: &'static str,
    glyph: &'static str,
    title: String,
    notes: Vec<String>,
    /// When it was over, for what lasts.
    until: Option<Timestamp>,
    /// What a wait after it is for.
    waits_for: Option<&'static str>,
}

/// Merges what is known of a job into one line of time.
pub fn merge(
    job: &Job,
    attempts: &[Attempt],
    events: &[Event],
    glance: &OverviewSnapshot,
    now: Timestamp,
) -> Vec<Entry> {
    let told = AttemptEvents::by(events);
    let shown: Vec<_> = attempts.iter().map(|attempt| attempt.attempt).collect();
    // Facts stand before attempts, and the sort keeps them so: what made a job ready can be of the
    // same microsecond as its claim.
    let mut facts: Vec<_> = events
        .iter()
        .filter_map(|event| of_event(event, &shown))
        .collect();
    facts.extend(
        attempts
            .iter()
            .map(|attempt| of_attempt(attempt, &told, job, glance, now)),
    );
    if !events
        .iter()
        .any(|event| text(&event.data, "to").is_some() && event.data["from"].is_null())
    {
        facts.insert(0, accepted(job));
    }
    facts.sort_by_key(|fact| fact.at);
    with_waits(facts, now)
}

/// What events tell of attempts.
#[derive(Default)]
struct AttemptEvents {
    /// When each was claimed.
    claims: BTreeMap<u32, Timestamp>,
    /// Why each ended as it did.
    reasons: BTreeMap<u32, String>,
}

impl AttemptEvents {
    fn by(events: &[Event]) -> Self {
        let mut told = Self::default();
        for event in events {
            let Some(attempt) = number(&event.data, "attempt") else {
                continue;
            };
            if event.kind == "job.running" {
                told.claims.insert(attempt, event.at);
            }
            if let Some(reason) = text(&event.data, "reason") {
                told.reasons.insert(attempt, reason.to_owned());
            }
        }
        told
    }
}

fn of_attempt(
    attempt: &Attempt,
    told: &AttemptEvents,
    job: &Job,
    glance: &OverviewSnapshot,
    now: Timestamp,
) -> Fact {
    let state = attempt.state.unwrap_or(State::Running);
    let began = told.claims.get(&attempt.attempt).copied();
    let at = began.or(attempt.started_at).or(attempt.ended_at);
    let at = at.unwrap_or(job.updated_at);
    let worker = glance.name_of(attempt.worker);
    let took = attempt
        .ended_at
        .unwrap_or(now)
        .since(attempt.started_at.unwrap_or(at));
    let end = match attempt.outcome {
        None => tr!("running").to_owned(),
        Some(outcome) => outcome_word(outcome).to_owned(),
    };
    let mut notes = vec![tr!(
        "on {worker}, {span}",
        worker = worker,
        span = span(took)
    )];
    notes.extend(
        attempt
            .error
            .iter()
            .map(|error| format!("{} · {}: {}", error.class, error.code, error.message)),
    );
    let reason = told.reasons.get(&attempt.attempt);
    notes.extend(reason.map(|reason| tr!("reason: {reason}", reason = reason)));
    notes.extend(cause(attempt));
    Fact {
        at,
        mark: state.as_str(),
        glyph: glyph(state),
        title: tr!("Attempt {n}: {end}", n = attempt.attempt, end = end),
        notes,
        until: attempt.ended_at,
        waits_for: match state {
            State::RetryWait => Some(tr!("for its next try")),
            State::Pending => Some(tr!("until its time, no try used")),
            _ => None,
        },
    }
}

/// Why an attempt ended as it did, where the outcome does not say.
fn cause(attempt: &Attempt) -> Vec<String> {
    let mut causes = Vec::new();
    match (attempt.outcome, attempt.state) {
        (Some(Outcome::Lost), Some(State::Failed)) => causes.push(
            tr!("lost for good: its workers vanished each time, so it is taken for poison")
                .to_owned(),
        ),
        (Some(Outcome::Lost), _) => {
            causes.push(tr!("the system took it back when the lease ran out").to_owned());
        }
        (Some(Outcome::GivenBack), _) => {
            causes.push(tr!("its worker handed it back unstarted, no try used").to_owned());
        }
        (Some(Outcome::Throttled), _) => {
            causes.push(tr!("the target asked for patience, no try used").to_owned());
        }
        (Some(Outcome::Failed), Some(State::Failed)) => {
            causes.push(tr!("no other try follows by itself").to_owned());
        }
        _ => {}
    }
    if let Some(late) = &attempt.late {
        let word = outcome_word(late.outcome);
        causes.push(if late.adopted {
            tr!(
                "a late result came at {at}: {outcome}, adopted as nobody had claimed it since",
                at = late.at,
                outcome = word
            )
        } else {
            tr!(
                "a late result came at {at}: {outcome}, refused, for the lease was lost",
                at = late.at,
                outcome = word
            )
        });
    }
    causes
}

/// A fact that is no attempt; `None` if an attempt tells it already.
fn of_event(event: &Event, shown: &[u32]) -> Option<Fact> {
    let data = &event.data;
    if number(data, "attempt").is_some_and(|attempt| shown.contains(&attempt)) {
        return None;
    }
    let state = |name| text(data, name).and_then(|word| word.parse::<State>().ok());
    let (from, to) = (state("from"), state("to"));
    let notes = text(data, "reason").map(|reason| tr!("reason: {reason}", reason = reason));
    let (title, waits_for) = match (from, to) {
        (None, Some(State::Pending)) => {
            (tr!("Accepted, to run later"), Some(tr!("until its time")))
        }
        (None, Some(_)) => (tr!("Accepted, ready at once"), Some(tr!("for a free slot"))),
        (Some(from), Some(State::Queued)) if from.is_terminal() => {
            (tr!("Run again by a person"), Some(tr!("for a free slot")))
        }
        (Some(_), Some(State::Queued)) => {
            (tr!("Released, ready to run"), Some(tr!("for a free slot")))
        }
        (Some(State::Uncertain), Some(State::Succeeded)) => {
            (tr!("Resolved by a person: it had succeeded"), None)
        }
        (Some(State::Uncertain), Some(State::Failed)) => {
            (tr!("Resolved by a person: it had failed"), None)
        }
        (Some(_), Some(State::Canceled)) => (tr!("Canceled"), None),
        (Some(State::Running), Some(_)) | (Some(_), Some(State::Running)) => {
            return Some(plain(event, to, notes));
        }
        (Some(_), Some(State::Failed)) => (tr!("Failed without an attempt"), None),
        (None, None) if event.kind == "job.cancel_asked" => (tr!("Asked to stop"), None),
        _ => return Some(plain(event, to, notes)),
    };
    Some(Fact {
        waits_for,
        title: title.to_owned(),
        ..plain(event, to, notes)
    })
}

fn plain(event: &Event, to: Option<State>, note: Option<String>) -> Fact {
    Fact {
        at: event.at,
        mark: to.map_or("note", State::as_str),
        glyph: to.map_or("■", glyph),
        title: match to {
            Some(state) => state_word(state).replace('_', " "),
            None => event.kind.trim_start_matches("job.").replace('_', " "),
        },
        notes: note.into_iter().collect(),
        until: None,
        waits_for: None,
    }
}

/// For a job whose first fact has been pruned, or has no number yet.
fn accepted(job: &Job) -> Fact {
    Fact {
        at: job.created_at,
        mark: "note",
        glyph: "○",
        title: tr!("Accepted").to_owned(),
        notes: Vec::new(),
        until: None,
        waits_for: None,
    }
}

/// Draws the waits between what happened.
fn with_waits(facts: Vec<Fact>, now: Timestamp) -> Vec<Entry> {
    let starts: Vec<_> = facts.iter().skip(1).map(|fact| fact.at).collect();
    let mut entries = Vec::with_capacity(2 * facts.len());
    for (i, fact) in facts.into_iter().enumerate() {
        let next = starts.get(i).copied();
        let waited = next.unwrap_or(now).since(fact.until.unwrap_or(fact.at));
        let wait = fact
            .waits_for
            .filter(|_| waited.as_secs() >= SHORTEST_WAIT)
            .map(|what| {
                let waited = span(waited);
                match next {
                    Some(_) => tr!("waited {span} {why}", span = waited, why = what),
                    None => tr!("waiting {span} {why}", span = waited, why = what),
                }
            });
        entries.push(Entry {
            mark: fact.mark,
            glyph: fact.glyph,
            at: Some(moment(fact.at)),
            age: Some(ago(fact.at, now)),
            title: fact.title,
            notes: fact.notes.iter().map(|note| sentence(note, now)).collect(),
        });
        entries.extend(wait.map(|title| Entry {
            mark: "wait",
            glyph: "┆",
            at: None,
            age: None,
            title,
            notes: Vec::new(),
        }));
    }
    entries
}
