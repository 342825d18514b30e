//! Waits: a histogram of how long jobs stood in line before they were claimed.

use std::time::Duration;

use crate::Timestamp;

/// How many buckets the histogram has.
const BUCKETS: usize = 32;

/// The waits of jobs that were claimed in some spans of a rollup side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitRollup {
    /// When the first of the spans begins.
    pub start: Timestamp,
    /// How many waited for how long.
    pub waits: Waits,
}

/// A histogram of waits. A wait is known to a factor of two: the first bucket holds those under a millisecond, and each one behind
/// it ends at twice the end of the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Waits([u64; BUCKETS]);

impl Waits {
    /// Takes note of jobs that waited for so long.
    pub fn note(&mut self, wait: Duration, jobs: u64) {
        let millis = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        self.add((u64::BITS - millis.leading_zeros()) as usize, jobs);
    }

    /// Adds jobs to a bucket by its number; what is longer than all of them is in the last one.
    pub const fn add(&mut self, bucket: usize, jobs: u64) {
        let bucket = if bucket < BUCKETS {
            bucket
        } else {
            BUCKETS - 1
        };
        self.0[bucket] = self.0[bucket].saturating_add(jobs);
    }

    /// Adds the jobs of another histogram.
    pub fn merge(&mut self, other: &Self) {
        for (bucket, jobs) in other.buckets() {
            self.add(bucket, jobs);
        }
    }

    /// The buckets in which there are jobs, by their numbers.
    pub fn buckets(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let buckets = self.0.iter().copied().enumerate();
        buckets.filter(|(_, jobs)| *jobs > 0)
    }

    /// How many jobs there are.
    #[must_use]
    pub fn jobs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The wait that so many of a hundred jobs do not exceed, as if those of one bucket had waited evenly between its ends; none without
    /// jobs.
    #[must_use]
    pub fn percentile(&self, percent: u32) -> Option<Duration> {
        let rank = self.jobs() as f64 * f64::from(percent) / 100.0;
        let mut below = 0.0;
        for (bucket, jobs) in self.buckets() {
            let jobs = jobs as f64;
            if below + jobs >= rank {
                let (from, to) = ends(bucket);
                return Some(from + (to - from).mul_f64((rank - below) / jobs));
            }
            below += jobs;
        }
        None
    }
}

/// Where a bucket begins and ends.
const fn ends(bucket: usize) -> (Duration, Duration) {
    let end = Duration::from_millis(1 << bucket);
    match bucket {
        0 => (Duration::ZERO, end),
        _ => (Duration::from_millis(1 << (bucket - 1)), end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(all: &[(Duration, u64)]) -> Waits {
        let mut waits = Waits::default();
        for (wait, jobs) in all {
            waits.note(*wait, *jobs);
        }
        waits
    }

    #[test]
    fn a_wait_is_known_to_a_factor_of_two() {
        for millis in [1, 2, 3, 1_000, 4_095, 4_096, 86_400_000] {
            let wait = Duration::from_millis(millis);

            let told = waits(&[(wait, 1)]).percentile(100).unwrap();

            assert!(wait <= told && told <= 2 * wait, "{wait:?}: {told:?}");
        }
    }

    #[test]
    fn a_percentile_lies_between_the_ends_of_its_bucket() {
        let waits = waits(&[
            (Duration::ZERO, 90),
            (Duration::from_millis(5), 9),
            (Duration::from_secs(50), 1),
        ]);

        let told = [50, 99, 100].map(|percent| waits.percentile(percent).unwrap());

        assert_eq!(waits.jobs(), 100);
        assert!(told[0] < Duration::from_millis(1), "{told:?}");
        assert_eq!(told[1], Duration::from_millis(8));
        assert_eq!(told[2], Duration::from_millis(65_536));
    }

    #[test]
    fn the_longest_wait_of_all_has_a_place_and_none_has_no_percentile() {
        let longest = waits(&[(Duration::MAX, 1)]);

        assert_eq!(longest.buckets().collect::<Vec<_>>(), [(31, 1)]);
        assert_eq!(Waits::default().percentile(50), None);
    }
}
