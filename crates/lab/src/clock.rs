//! The machine's own time: what was seen here is dated by nobody else's clock.

use std::time::{SystemTime, UNIX_EPOCH};

/// Microseconds since 1970-01-01T00:00:00Z.
pub fn now_us() -> i64 {
    #[expect(
        clippy::disallowed_methods,
        reason = "the lab observes from outside: it has no store whose clock it could follow"
    )]
    let now = SystemTime::now();
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}
