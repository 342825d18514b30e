//! When a call may be made again, and after how long.

use std::time::Duration;

use reqwest::{StatusCode, header::RETRY_AFTER};
use tokio::time::Instant;

use crate::Error;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Whether a call that was made once may be made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// Twice is as good as once.
    Safe,
    /// Only if the first one cannot have arrived.
    IfUnsent,
}

/// How long a client retries one call, and when it does next.
#[derive(Debug)]
pub struct RetryDelay {
    end: Instant,
    pause: Duration,
}

impl RetryDelay {
    pub fn of(span: Duration) -> Self {
        Self {
            end: Instant::now() + span,
            pause: FIRST_PAUSE,
        }
    }

    /// Waits before the next try; `false` means that there is to be none.
    pub async fn wait(&mut self, asked: Option<Duration>) -> bool {
        let pause = asked.unwrap_or(self.pause);
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        if Instant::now() + pause >= self.end {
            return false;
        }
        tokio::time::sleep(pause).await;
        true
    }
}

impl Repeat {
    /// Of a call that makes something: with a key, the second one finds what the first one made.
    pub fn if_keyed(is_keyed: bool) -> Self {
        match is_keyed {
            true => Self::Safe,
            false => Self::IfUnsent,
        }
    }

    /// Whether no answer can be followed by another try.
    pub fn after_silence(self, error: &Error) -> bool {
        let unsent = matches!(error, Error::Unreachable { unsent: true, .. });
        unsent || self == Self::Safe
    }

    /// Whether this answer can be followed by another try.
    pub fn after_answer(self, status: StatusCode) -> bool {
        let come_back = [
            StatusCode::SERVICE_UNAVAILABLE,
            StatusCode::TOO_MANY_REQUESTS,
        ];
        self == Self::Safe && come_back.contains(&status)
    }
}

/// The seconds of a `Retry-After`, if there is one.
pub fn asked_pause(response: &reqwest::Response) -> Option<Duration> {
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    text.trim().parse().ok().map(Duration::from_secs)
}
