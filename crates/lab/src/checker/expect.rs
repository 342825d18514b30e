//! What a script asks for: how many calls, and which end.

use super::{history::Request, state::State};
use crate::target::Script;

/// Whether a status asks for another try.
pub(super) fn asks_again(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500..=599)
}

/// Whether a status says that it will never work.
pub(super) fn is_final(status: u16) -> bool {
    matches!(status, 300..=499) && !asks_again(status)
}

/// What a run without faults makes of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) calls: u32,
    pub(super) state: State,
    pub(super) reason: Option<&'static str>,
}

/// What a run without faults makes of a job; `None` when the script alone does not tell.
pub(super) fn expected(script: Script, request: &Request) -> Option<Expected> {
    let max = request.max_attempts;
    Some(match script {
        Script::Ok => succeeds(1),
        Script::Throttle(n) => succeeds(n + 1),
        Script::Flaky(n) => after_failures(n, max),
        Script::Reset(n) | Script::Hang(n) => after_doubts(n, request),
        Script::Slow(ms) if i64::try_from(ms).ok()? * 1_000 < request.timeout_us => succeeds(1),
        Script::Slow(_) => after_doubts(max, request),
        Script::Bad => fails(1, "permanent"),
        Script::Gone | Script::Status(410) => fails(1, "gone"),
        Script::Status(429) => return None,
        Script::Status(status) if asks_again(status) => after_failures(max, max),
        Script::Status(status) if is_final(status) => fails(1, "permanent"),
        Script::Status(_) => succeeds(1),
    })
}

fn succeeds(calls: u32) -> Expected {
    Expected {
        calls,
        state: State::Succeeded,
        reason: None,
    }
}

fn fails(calls: u32, reason: &'static str) -> Expected {
    Expected {
        calls,
        state: State::Failed,
        reason: Some(reason),
    }
}

fn after_failures(failures: u32, max: u32) -> Expected {
    if failures < max {
        succeeds(failures + 1)
    } else {
        fails(max, "exhausted")
    }
}

/// A call without an answer is repeated, or left to a person.
fn after_doubts(doubts: u32, request: &Request) -> Expected {
    if request.at_most_once && doubts > 0 {
        Expected {
            calls: 1,
            state: State::Uncertain,
            reason: None,
        }
    } else {
        after_failures(doubts, request.max_attempts)
    }
}
