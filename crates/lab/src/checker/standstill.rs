//! Times in which nothing was recorded for anybody: a disk that does not answer is no fault that was played.

use super::history::{Posted, Request};

/// How long nobody is answered until the store stands still.
const LONG: i64 = 500_000;
/// How soon after the last answer somebody else has to have been waiting.
const AT_ONCE: i64 = 100_000;

/// From and until when the store stood still, in microseconds since 1970: nobody's job was accepted, although
/// somebody waited for it all the time.
pub(super) fn standstills(requests: &[Request]) -> Vec<(i64, i64)> {
    let is_accepted = |one: &&Request| matches!(one.answer, Posted::Ok { .. });
    let mut accepted: Vec<_> = requests.iter().filter(is_accepted).collect();
    accepted.sort_by_key(|one| one.end_us);
    let ends = accepted
        .windows(2)
        .map(|pair| (pair[0].end_us, pair[1].end_us));
    let waits_for_it = |(last, next): &(i64, i64)| {
        let mut waiting = accepted.iter().filter(|one| one.end_us >= *next);
        waiting.any(|one| one.start_us <= *last + AT_ONCE)
    };
    ends.filter(|(last, next)| next - last > LONG)
        .filter(waits_for_it)
        .collect()
}
