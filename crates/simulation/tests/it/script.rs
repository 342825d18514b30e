//! What a job's target will answer: the script is the job's payload.

use std::time::Duration;

use baton_domain::job::{Class, Failure, Verdict};
use rand::{RngExt, rngs::StdRng};
use serde::{Deserialize, Serialize};

/// What a target answers to the first call, to the second, and so on; the last answer stays.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Script {
    /// Which job of the simulation it is.
    pub number: u32,
    pub answers: Vec<Answer>,
}

/// One answer, and how long it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub millis: u64,
    pub word: Word,
    /// Whether it stops when it is asked to.
    pub heeds: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Word {
    Ok,
    Skip,
    Snooze,
    Retry,
    RetryLater,
    Throttled,
    Gone,
    Refused,
    Permanent,
    Misconfigured,
    Unknown,
    Panic,
    /// The call takes its worker with it.
    Poison,
    /// Asked to stop, it stopped.
    Stopped,
}

/// What a target that asks for patience asks for.
pub const TIMEOUT: Duration = Duration::from_millis(1_500);

impl Script {
    /// A script that ends well, or for good.
    pub fn random(number: u32, dice: &mut StdRng) -> Self {
        if dice.random_ratio(1, 200) {
            return Self::of(number, &[Answer::new(Word::Poison, 1)]);
        }
        let troubles = dice.random_range(0..4_u32).saturating_sub(1);
        let mut answers: Vec<_> = (0..troubles).map(|_| Answer::trouble(dice)).collect();
        answers.push(Answer::last(dice));
        Self { number, answers }
    }

    pub fn of(number: u32, answers: &[Answer]) -> Self {
        Self {
            number,
            answers: answers.to_vec(),
        }
    }

    pub fn payload(&self) -> String {
        serde_json::to_string(self).unwrap()
    }

    /// The answer to this call, counted from 0.
    pub fn answer(&self, call: usize) -> Answer {
        self.answers[call.min(self.answers.len() - 1)]
    }
}

impl Answer {
    pub const fn new(word: Word, millis: u64) -> Self {
        Self {
            millis,
            word,
            heeds: false,
        }
    }

    fn trouble(dice: &mut StdRng) -> Self {
        const WORDS: [Word; 8] = [
            Word::Retry,
            Word::Retry,
            Word::RetryLater,
            Word::Throttled,
            Word::Snooze,
            Word::Unknown,
            Word::Panic,
            // Longer than any time-out.
            Word::Ok,
        ];
        let word = WORDS[dice.random_range(0..WORDS.len())];
        let millis = match word {
            Word::Ok => 60_000,
            _ => dice.random_range(1..400),
        };
        Self {
            millis,
            word,
            heeds: dice.random_bool(0.5),
        }
    }

    fn last(dice: &mut StdRng) -> Self {
        const ENDS: [Word; 7] = [
            Word::Gone,
            Word::Refused,
            Word::Permanent,
            Word::Misconfigured,
            Word::Skip,
            Word::Retry,
            Word::Unknown,
        ];
        let word = match dice.random_range(0..20_usize) {
            end if end < ENDS.len() => ENDS[end],
            _ => Word::Ok,
        };
        // Some take longer than a lease, and depend on its renewal.
        let millis = if dice.random_bool(0.15) {
            dice.random_range(3_000..9_000)
        } else {
            dice.random_range(1..600)
        };
        Self {
            millis,
            word,
            heeds: dice.random_bool(0.5),
        }
    }

    /// The answer as a handler gives it.
    pub fn verdict(self) -> Verdict {
        let failed = |class, retry_after| Verdict::Failed {
            failure: Failure::new(class, "scripted", "the script says so"),
            retry_after,
        };
        match self.word {
            Word::Ok => Verdict::Accepted { result: None },
            Word::Skip => Verdict::Skipped {
                why: "nothing to do".to_owned(),
            },
            Word::Snooze => Verdict::Snoozed { after: TIMEOUT },
            Word::Retry => failed(Class::Retry, None),
            Word::RetryLater => failed(Class::Retry, Some(TIMEOUT)),
            Word::Throttled => failed(Class::Throttled, Some(TIMEOUT)),
            Word::Gone => failed(Class::Gone, None),
            Word::Refused => failed(Class::Refused, None),
            Word::Permanent => failed(Class::Permanent, None),
            Word::Misconfigured => failed(Class::Misconfigured, None),
            Word::Unknown => failed(Class::Unknown, None),
            Word::Stopped => Verdict::Canceled,
            // The panic hook stays silent: it is part of the play.
            Word::Poison => unreachable!("nobody is left to say it"),
            Word::Panic => std::panic::resume_unwind(Box::new("the script says so")),
        }
    }
}
