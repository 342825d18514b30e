//! How a command's end is read: the table of exit codes.

use std::{os::unix::process::ExitStatusExt, process::ExitStatus, time::Duration};

use baton_domain::job::{Class, Verdict};
use serde_json::json;

use super::{output::CapturedOutput, said::Said};

/// How much of stderr a failure tells.
const WORDS: usize = 1_000;
/// How much of stdout is the result where it is no JSON.
const LAST: usize = 4 * 1024;

/// Why the worker has ended a command itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Its job was asked to stop.
    Canceled,
    /// Its time was over.
    TimedOut,
    /// The worker's time was over.
    Shutdown,
}

/// What is known of a command that has ended.
pub struct End {
    pub status: ExitStatus,
    pub by: Option<Ended>,
    pub said: Option<Said>,
    pub out: CapturedOutput,
    pub err: CapturedOutput,
}

impl End {
    /// The verdict; nothing where it could not be started.
    pub fn verdict(self) -> Option<Verdict> {
        if let Some(said) = self.said {
            return Some(said.verdict());
        }
        let code = self.status.code();
        Some(match (self.by, code) {
            (_, Some(0)) if self.by != Some(Ended::TimedOut) => Verdict::Accepted {
                result: result(&self.out),
            },
            (Some(Ended::Canceled), _) => Verdict::Canceled,
            (Some(Ended::TimedOut), _) => timed_out(),
            (Some(Ended::Shutdown), _) => shut_down(),
            (None, Some(65)) => failed(Class::Permanent, "exit_65", &self.err),
            (None, Some(78)) => failed(Class::Misconfigured, "exit_78", &self.err),
            (None, Some(75)) => failed(Class::Throttled, "exit_75", &self.err),
            (None, Some(99)) => Verdict::Skipped {
                why: words(&self.err, "the command ended with 99"),
            },
            (None, Some(126 | 127)) => return None,
            (None, Some(code)) => failed(Class::Retry, &format!("exit_{code}"), &self.err),
            (None, None) => {
                let signal = self.status.signal().unwrap_or(0);
                failed(Class::Unknown, &format!("signal_{signal}"), &self.err)
            }
        })
    }
}

/// What is said of a command whose time is over.
pub fn timed_out() -> Verdict {
    Verdict::failed(
        Class::Unknown,
        "timeout",
        "the command did not end in time; it may have done its work",
    )
}

/// What is said of a command that was ended with its worker.
pub fn shut_down() -> Verdict {
    Verdict::failed(
        Class::Unknown,
        "shutdown",
        "the worker stopped before the command ended; it may have done its work",
    )
}

/// What could not be started rests: a typo is no dead letter.
pub fn at_rest(after: Duration) -> Verdict {
    Verdict::Snoozed { after }
}

fn failed(class: Class, code: &str, err: &CapturedOutput) -> Verdict {
    Verdict::failed(
        class,
        code,
        words(err, "the command said nothing on stderr"),
    )
}

fn words(err: &CapturedOutput, silence: &str) -> String {
    let words = err.last(WORDS);
    match words.trim() {
        "" => silence.to_owned(),
        words => words.to_owned(),
    }
}

fn result(out: &CapturedOutput) -> Option<String> {
    let whole = out
        .whole()
        .and_then(|whole| std::str::from_utf8(whole).ok());
    let whole = whole.map(str::trim);
    if whole == Some("") {
        return None;
    }
    let json =
        whole.filter(|text| serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok());
    let last = || json!({"stdout": out.last(LAST)}).to_string();
    Some(json.map_or_else(last, str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(raw: i32, by: Option<Ended>) -> Option<Verdict> {
        let end = End {
            status: ExitStatus::from_raw(raw),
            by,
            said: None,
            out: CapturedOutput::default(),
            err: CapturedOutput::default(),
        };
        end.verdict()
    }

    fn class(verdict: Option<Verdict>) -> Option<(Class, String)> {
        match verdict {
            Some(Verdict::Failed { failure, .. }) => Some((failure.class, failure.code)),
            _ => None,
        }
    }

    #[test]
    fn a_code_says_what_sort_of_failure_it_was() {
        for (code, sort) in [
            (65, Class::Permanent),
            (75, Class::Throttled),
            (78, Class::Misconfigured),
            (7, Class::Retry),
        ] {
            let read = class(end(code << 8, None));
            assert_eq!(read, Some((sort, format!("exit_{code}"))));
        }
        assert_eq!(end(127 << 8, None), None);
        assert!(matches!(end(99 << 8, None), Some(Verdict::Skipped { .. })));
        assert_eq!(
            class(end(9, None)),
            Some((Class::Unknown, "signal_9".to_owned()))
        );
    }

    #[test]
    fn what_was_done_in_time_is_done_whatever_was_asked_meanwhile() {
        let done = Some(Verdict::Accepted { result: None });

        assert_eq!(end(0, Some(Ended::Canceled)), done);
        assert_eq!(end(15, Some(Ended::Canceled)), Some(Verdict::Canceled));
        assert_eq!(end(0, Some(Ended::TimedOut)), Some(timed_out()));
        assert_eq!(end(15, Some(Ended::Shutdown)), Some(shut_down()));
    }
}
