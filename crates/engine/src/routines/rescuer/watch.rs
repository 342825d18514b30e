//! Which leases were not renewed for as long as they last, as this node has seen it with its own watch.
//!
//! What a lease says of its end is compared with no clock: the machines' clocks and the store's may be
//! put forward or back at any time. It only has to change with each renewal.

use std::{collections::HashMap, time::Duration};

use baton_domain::{LeaseId, Timestamp};
use baton_ports::store::LeaseView;
use tokio::time::Instant;

/// How much longer than it lasts a lease is left alone, for a renewal that is on its way.
const GRACE: Duration = Duration::from_secs(1);

/// What this node knows of the leases there are.
#[derive(Debug)]
pub struct LeaseWatch {
    /// How long the leases last of workers that do not say it, at the least.
    usual: Duration,
    seen: HashMap<LeaseId, WatchedLease>,
}

/// A lease, as it has stood for a while.
#[derive(Debug, Clone, Copy)]
struct WatchedLease {
    until: Timestamp,
    ends_at: Instant,
}

/// When a look at the leases was made: asked for and answered, and what the store's clock said then.
#[derive(Debug, Clone, Copy)]
pub struct LeaseReading {
    pub asked: Instant,
    pub heard: Instant,
    pub now: Timestamp,
}

impl LeaseWatch {
    /// Nothing seen yet.
    pub fn new(usual: Duration) -> Self {
        Self {
            usual,
            seen: HashMap::new(),
        }
    }

    /// Takes over what there is; says which leases have ended, and forgets those that are no more.
    pub fn take_in(&mut self, views: &[LeaseView], look: LeaseReading) -> Vec<LeaseId> {
        let before = std::mem::take(&mut self.seen);
        let mut ended = Vec::new();
        for view in views {
            let known = before.get(&view.lease);
            let known = known.filter(|sight| sight.until == view.until);
            let mut ends_at = self.end_at_first_sight(view, look);
            if let Some(sight) = known {
                ends_at = ends_at.min(sight.ends_at);
            }
            if view.is_abandoned || ends_at <= look.asked {
                ended.push(view.lease);
            }
            let until = view.until;
            self.seen
                .insert(view.lease, WatchedLease { until, ends_at });
        }
        ended
    }

    /// Nothing is leased any more.
    pub fn forget(&mut self) {
        self.seen.clear();
    }

    /// It was renewed before the answer was heard, and so it lasts no longer than counted from there.
    fn end_at_first_sight(&self, view: &LeaseView, look: LeaseReading) -> Instant {
        // Of whose worker nobody has heard, the word on its end is all there is. While the clock is back
        // that is far away, and near again when the clock is right.
        let by_its_end = || self.usual.max(view.until.since(look.now));
        look.heard + view.length.unwrap_or_else(by_its_end) + GRACE
    }

    /// Until when a lease lasted as it was last seen.
    pub fn until(&self, lease: LeaseId) -> Option<Timestamp> {
        self.seen.get(&lease).map(|sight| sight.until)
    }

    /// When the next lease ends, if it is not renewed.
    pub fn next_end_after(&self, now: Instant) -> Option<Instant> {
        let ends = self.seen.values().map(|sight| sight.ends_at);
        ends.filter(|end| *end > now).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baton_domain::WorkerId;

    const LEASE: Duration = Duration::from_secs(30);
    const DAWN: Timestamp = Timestamp::from_micros(1_000_000_000_000_000);

    fn view(until: Timestamp) -> LeaseView {
        LeaseView {
            lease: "lse_00000000-0000-0000-0000-000000000001".parse().unwrap(),
            worker: WorkerId::new(DAWN),
            until,
            length: Some(LEASE),
            is_abandoned: false,
        }
    }

    /// A look that many seconds after the first, at a store whose clock says what it likes.
    fn look(began: Instant, seconds: u64, now: Timestamp) -> LeaseReading {
        let at = began + Duration::from_secs(seconds);
        LeaseReading {
            asked: at,
            heard: at,
            now,
        }
    }

    #[test]
    fn a_lease_ends_when_it_was_seen_unrenewed_for_as_long_as_it_lasts_whatever_the_clock_says() {
        let (mut watch, began) = (LeaseWatch::new(LEASE), Instant::now());
        let lease = view(DAWN + LEASE);
        let hour = Duration::from_hours(1);

        let at_sight = watch.take_in(&[lease], look(began, 0, DAWN + hour));
        let before = watch.take_in(&[lease], look(began, 30, DAWN - hour));
        let after = watch.take_in(&[lease], look(began, 31, DAWN - hour));

        assert_eq!((at_sight, before), (vec![], vec![]));
        assert_eq!(after, [lease.lease]);
    }

    #[test]
    fn a_renewal_by_a_clock_that_was_put_back_counts() {
        let (mut watch, began) = (LeaseWatch::new(LEASE), Instant::now());
        let renewed = view(DAWN - Duration::from_hours(1));

        watch.take_in(&[view(DAWN + LEASE)], look(began, 0, DAWN));
        watch.take_in(&[renewed], look(began, 20, DAWN));
        let later = watch.take_in(&[renewed], look(began, 50, DAWN));

        assert_eq!(later, []);
    }

    #[test]
    fn what_a_worker_left_behind_has_ended_at_sight() {
        let (mut watch, began) = (LeaseWatch::new(LEASE), Instant::now());
        let left = LeaseView {
            is_abandoned: true,
            ..view(DAWN + LEASE)
        };

        let ended = watch.take_in(&[left], look(began, 0, DAWN));

        assert_eq!(ended, [left.lease]);
    }

    #[test]
    fn a_lease_lasts_as_long_as_its_worker_says_and_not_as_those_of_this_node() {
        let (mut watch, began) = (LeaseWatch::new(Duration::from_secs(5)), Instant::now());
        let lease = view(DAWN);

        watch.take_in(&[lease], look(began, 0, DAWN));
        let later = watch.take_in(&[lease], look(began, 30, DAWN));

        assert_eq!(later, []);
    }

    #[test]
    fn the_lease_of_a_version_that_does_not_say_how_long_it_lasts_is_left_alone_until_its_end() {
        let (mut watch, began) = (LeaseWatch::new(LEASE), Instant::now());
        let old = LeaseView {
            length: None,
            ..view(DAWN + 4 * LEASE)
        };

        watch.take_in(&[old], look(began, 0, DAWN));
        let before = watch.take_in(&[old], look(began, 120, DAWN));
        let after = watch.take_in(&[old], look(began, 121, DAWN));

        assert_eq!((before, after), (vec![], vec![old.lease]));
    }

    #[test]
    fn a_lease_first_seen_while_the_clock_was_back_does_not_outlast_the_clock_s_return() {
        let (mut watch, began) = (LeaseWatch::new(LEASE), Instant::now());
        let unknown = LeaseView {
            length: None,
            ..view(DAWN)
        };

        watch.take_in(&[unknown], look(began, 0, DAWN - 100 * LEASE));
        let at_return = watch.take_in(&[unknown], look(began, 10, DAWN));
        let later = watch.take_in(&[unknown], look(began, 30, DAWN));
        let after = watch.take_in(&[unknown], look(began, 41, DAWN));

        assert_eq!((at_return, later), (vec![], vec![]));
        assert_eq!(after, [unknown.lease]);
    }

    #[test]
    fn a_lease_that_is_no_more_is_forgotten() {
        let (mut watch, began) = (LeaseWatch::new(LEASE), Instant::now());

        watch.take_in(&[view(DAWN)], look(began, 0, DAWN));
        watch.take_in(&[], look(began, 2, DAWN));

        assert!(watch.seen.is_empty());
    }
}
