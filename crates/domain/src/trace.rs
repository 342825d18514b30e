//! A trace: which request of its producer's a job belongs to, in the words of W3C Trace Context.
//!
//! It is passed on and never acted upon: two jobs that differ in it alone are the same job.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::job::FieldError;

/// The longest `tracestate` that is kept, in bytes: what W3C asks everybody to pass on.
pub const LONGEST_STATE: usize = 512;
/// How many vendors may have an entry in it.
const MOST_ENTRIES: usize = 32;
/// How long a `traceparent` is in the version that is passed on.
const LENGTH: usize = 55;

/// The trace context of whoever asked for a job, after W3C Trace Context.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The trace and the span that asked for the job.
    #[schema(example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")]
    pub traceparent: String,
    /// What vendors of tracing add to it, 512 bytes at the most.
    #[serde(default)]
    #[schema(example = "vendor=opaque")]
    pub tracestate: Option<String>,
}

impl Trace {
    /// What the headers of a request say; nothing if they say nothing that can be used, for a producer whose tracing is wrong shall
    /// have its job all the same. Several `tracestate` are one list.
    pub fn from_headers<'a>(
        traceparents: impl IntoIterator<Item = &'a str>,
        tracestates: impl IntoIterator<Item = &'a str>,
    ) -> Option<Self> {
        let mut traceparents = traceparents.into_iter();
        let parent = traceparents.next().filter(|text| is_parent(text))?;
        if traceparents.next().is_some() {
            return None;
        }
        let states: Vec<_> = tracestates.into_iter().collect();
        let state = Some(states.join(",")).filter(|state| is_state(state));
        Some(Self::of(parent, state.as_deref()))
    }

    /// What is wrong with it, named from the job it is asked for with.
    #[must_use]
    pub fn errors(&self) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if !is_parent(&self.traceparent) {
            errors.push(FieldError::new("trace.traceparent", PARENT_RULE));
        }
        if !self.tracestate.as_deref().is_none_or(is_state) {
            errors.push(FieldError::new("trace.tracestate", STATE_RULE));
        }
        errors
    }

    /// The same as it is passed on: in the version of today, and without a state that says nothing.
    #[must_use]
    pub fn plain(self) -> Self {
        Self::of(&self.traceparent, self.tracestate.as_deref())
    }

    /// As one text, for where it is kept.
    #[must_use]
    pub fn to_text(&self) -> String {
        match &self.tracestate {
            Some(state) => format!("{} {state}", self.traceparent),
            None => self.traceparent.clone(),
        }
    }

    /// Out of the text that it is kept as; nothing if that cannot be used, which is no reason not to run a job.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let (parent, state) = match text.split_once(' ') {
            Some((parent, state)) => (parent, Some(state)),
            None => (text, None),
        };
        is_parent(parent).then(|| Self::of(parent, state.filter(|state| is_state(state))))
    }

    fn of(parent: &str, state: Option<&str>) -> Self {
        let state = state.map(|state| state.trim_matches(is_blank));
        Self {
            traceparent: match parent.get(2..LENGTH) {
                Some(rest) => format!("00{rest}"),
                None => parent.to_owned(),
            },
            tracestate: state.filter(|state| !state.is_empty()).map(str::to_owned),
        }
    }
}

const PARENT_RULE: &str = "must be a traceparent of W3C Trace Context: 00, the trace in 32 hexadecimal digits, the span in 16, and \
    flags in 2, in lower case and with a dash between them, as 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const STATE_RULE: &str = "must be a tracestate of W3C Trace Context: up to 32 entries name=value with a comma between them, of \
    printable ASCII, 512 bytes at the most; leave entries out from the end if it is longer";

/// Whether this can be a `traceparent`. A later version may add to its end.
fn is_parent(text: &str) -> bool {
    if !text.is_ascii() || text.len() < LENGTH {
        return false;
    }
    let (parent, rest) = text.split_at(LENGTH);
    let mut parts = parent.split('-');
    let mut part = |length| {
        let part = parts.next().filter(|part| part.len() == length);
        part.filter(|part| part.bytes().all(is_digit))
    };
    let said = (part(2), part(32), part(16), part(2));
    let (Some(version), Some(trace), Some(span), Some(_)) = said else {
        return false;
    };
    let is_known = match version {
        "ff" => false,
        "00" => rest.is_empty(),
        _ => rest.is_empty() || rest.starts_with('-'),
    };
    is_known && is_id(trace) && is_id(span)
}

const fn is_digit(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// All zeros mean that there is none.
fn is_id(digits: &str) -> bool {
    digits.bytes().any(|byte| byte != b'0')
}

/// Whether this can be a `tracestate`; entries may be empty.
fn is_state(text: &str) -> bool {
    let entries = || text.split(',').map(|entry| entry.trim_matches(is_blank));
    text.len() <= LONGEST_STATE
        && entries().count() <= MOST_ENTRIES
        && entries().all(|entry| entry.is_empty() || is_entry(entry))
}

const fn is_blank(char: char) -> bool {
    matches!(char, ' ' | '\t')
}

fn is_entry(entry: &str) -> bool {
    let is_name =
        |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'*' | b'/' | b'@');
    entry.split_once('=').is_some_and(|(name, value)| {
        let starts =
            name.starts_with(|char: char| char.is_ascii_lowercase() || char.is_ascii_digit());
        starts
            && (1..=256).contains(&name.len())
            && name.bytes().all(is_name)
            && (1..=256).contains(&value.len())
            && value
                .bytes()
                .all(|byte| matches!(byte, b' '..=b'~') && byte != b'=')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn trace(parent: &str, state: Option<&str>) -> Trace {
        Trace {
            traceparent: parent.to_owned(),
            tracestate: state.map(str::to_owned),
        }
    }

    fn wrong_fields(trace: &Trace) -> Vec<String> {
        let errors = trace.errors().into_iter();
        errors.map(|error| error.field).collect()
    }

    #[test]
    fn a_trace_of_w3c_is_taken_as_it_is() {
        let whole = trace(PARENT, Some("rojo=00f067aa0ba902b7,t61@congo=t61 rc,,x=~"));

        assert_eq!(whole.errors(), []);
        assert_eq!(whole.clone().plain(), whole);
    }

    #[test]
    fn what_is_no_traceparent_is_named() {
        let wrong = [
            "",
            "00",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more",
            "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
            "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-\u{fc}",
        ];

        for parent in wrong {
            let fields = wrong_fields(&trace(parent, None));
            assert_eq!(fields, ["trace.traceparent"], "{parent}");
        }
    }

    #[test]
    fn what_is_no_tracestate_is_named() {
        let long = format!("a={}", "x".repeat(257));
        let too_long = format!("a={0},b={0},c={0}", "x".repeat(200));
        let many = vec!["a=1"; 33].join(",");
        let wrong = [
            "a", "=1", "a=", "A=1", "a=1=2", "a=\u{fc}", "a=\n", &long, &too_long, &many,
        ];

        for state in wrong {
            let fields = wrong_fields(&trace(PARENT, Some(state)));
            assert_eq!(fields, ["trace.tracestate"], "{state}");
        }
    }

    #[test]
    fn a_later_version_is_passed_on_as_that_of_today() {
        let later = trace(&format!("cc{}-what-the-future-brings", &PARENT[2..]), None);

        assert_eq!(later.errors(), []);
        assert_eq!(later.plain(), trace(PARENT, None));
    }

    #[test]
    fn headers_that_are_wrong_are_passed_over() {
        let of = |parents: &[&str], states: &[&str]| {
            Trace::from_headers(parents.iter().copied(), states.iter().copied())
        };

        assert_eq!(of(&[], &["a=1"]), None);
        assert_eq!(of(&["00-1-1-1"], &[]), None);
        assert_eq!(of(&[PARENT, PARENT], &[]), None);
        assert_eq!(of(&[PARENT], &["A"]), Some(trace(PARENT, None)));
        assert_eq!(
            of(&[PARENT], &["a=1", "b=2"]),
            Some(trace(PARENT, Some("a=1,b=2")))
        );
    }

    #[test]
    fn it_comes_back_from_the_text_it_is_kept_as() {
        let bare = trace(PARENT, None);
        let whole = trace(PARENT, Some("a=1 2,b=3"));

        assert_eq!(Trace::from_text(&bare.to_text()), Some(bare.clone()));
        assert_eq!(Trace::from_text(&whole.to_text()), Some(whole));
        assert_eq!(Trace::from_text(&format!("{PARENT} \u{fc}")), Some(bare));
        assert_eq!(Trace::from_text("something else"), None);
    }
}
