//! What a path asks the target to do.

use std::time::Duration;

/// What a path asks the target to do. Counts are per idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// `/ok`: 200.
    Ok,
    /// `/flaky/{n}`: 503 for the first n arrivals, then 200.
    Flaky(u32),
    /// `/bad`: 400.
    Bad,
    /// `/gone`: 410.
    Gone,
    /// `/slow/{ms}`: 200 after so many milliseconds.
    Slow(u64),
    /// `/reset/{n}`: the connection is reset after the whole request was read, for the first n
    /// arrivals, then 200.
    Reset(u32),
    /// `/throttle/{n}`: 429 with `Retry-After: 1` for the first n arrivals, then 200.
    Throttle(u32),
    /// `/hang/{n}`: no answer at all for the first n arrivals, then 200.
    Hang(u32),
    /// `/status/{code}`: this status.
    Status(u16),
}

/// What one arrival gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// An answer.
    Status {
        /// Its status.
        code: u16,
        /// How long it takes.
        after: Duration,
        /// Its `Retry-After`, in seconds.
        retry_after: Option<u32>,
    },
    /// A reset connection.
    Reset,
    /// Silence.
    Hang,
}

impl Script {
    /// Reads a path; a query behind it does not matter.
    #[must_use]
    pub fn parse(path: &str) -> Option<Self> {
        let path = path.split('?').next()?.strip_prefix('/')?;
        let (word, number) = match path.split_once('/') {
            Some((word, number)) => (word, Some(number)),
            None => (path, None),
        };
        match (word, number) {
            ("ok", None) => Some(Self::Ok),
            ("bad", None) => Some(Self::Bad),
            ("gone", None) => Some(Self::Gone),
            ("flaky", Some(n)) => n.parse().ok().map(Self::Flaky),
            ("slow", Some(ms)) => ms.parse().ok().map(Self::Slow),
            ("reset", Some(n)) => n.parse().ok().map(Self::Reset),
            ("throttle", Some(n)) => n.parse().ok().map(Self::Throttle),
            ("hang", Some(n)) => n.parse().ok().map(Self::Hang),
            ("status", Some(code)) => code
                .parse()
                .ok()
                .filter(|code| (200..=599).contains(code))
                .map(Self::Status),
            _ => None,
        }
    }

    /// What the arrival number `nth` of a key (from 1) gets.
    #[must_use]
    pub fn answer(self, nth: u32) -> Reply {
        match self {
            Self::Flaky(n) if nth <= n => Reply::status(503),
            Self::Reset(n) if nth <= n => Reply::Reset,
            Self::Hang(n) if nth <= n => Reply::Hang,
            Self::Throttle(n) if nth <= n => Reply::Status {
                code: 429,
                after: Duration::ZERO,
                retry_after: Some(1),
            },
            Self::Slow(ms) => Reply::Status {
                code: 200,
                after: Duration::from_millis(ms),
                retry_after: None,
            },
            Self::Bad => Reply::status(400),
            Self::Gone => Reply::status(410),
            Self::Status(code) => Reply::status(code),
            Self::Ok | Self::Flaky(_) | Self::Reset(_) | Self::Hang(_) | Self::Throttle(_) => {
                Reply::status(200)
            }
        }
    }
}

impl Reply {
    pub(crate) fn status(code: u16) -> Self {
        Self::Status {
            code,
            after: Duration::ZERO,
            retry_after: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_its_script() {
        assert_eq!(Script::parse("/ok"), Some(Script::Ok));
        assert_eq!(Script::parse("/flaky/2?job=7"), Some(Script::Flaky(2)));
        assert_eq!(Script::parse("/status/418"), Some(Script::Status(418)));
    }

    #[test]
    fn a_path_that_names_none_is_not_guessed_at() {
        for path in [
            "",
            "/",
            "ok",
            "/ok/1",
            "/flaky",
            "/flaky/x",
            "/status/99",
            "/nonsense",
        ] {
            assert_eq!(Script::parse(path), None, "{path}");
        }
    }

    #[test]
    fn a_flaky_script_fails_as_often_as_it_says() {
        let answers: Vec<_> = (1..=4).map(|nth| Script::Flaky(2).answer(nth)).collect();

        assert_eq!(answers, [503, 503, 200, 200].map(Reply::status));
    }
}
