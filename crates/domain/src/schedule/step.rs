//! What is to be done about a schedule now.
//!
//! A time is *missed* when it is past by more than [`GRACE`] and nothing was made for it: nobody was
//! there. What is not missed is fired whatever the policy says, however many there are: the pause
//! between two leaders costs nobody a fire. What would have expired by now is of no use to anybody,
//! and is not made up for either.

use std::{cmp, time::Duration};

use super::{Missed, MissedRun, Schedule};
use crate::Timestamp;

/// How long after its time a fire is late and not missed: four times what another node needs to lead.
pub const GRACE: Duration = Duration::from_mins(1);

/// What is to be done about a schedule now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Nothing, until then.
    Wait(Option<Timestamp>),
    /// Something is made for a nominal time.
    Fire {
        /// The nominal time.
        at: Timestamp,
        /// The one after.
        next: Option<Timestamp>,
    },
    /// Nothing is made for some that were missed.
    PassOver {
        /// Which.
        run: MissedRun,
        /// The one after.
        next: Option<Timestamp>,
    },
}

impl Schedule {
    /// What is to be done now. Each step is small and leads to the next, so that a crash between two
    /// changes nothing.
    #[must_use]
    pub fn step(&self, now: Timestamp) -> Step {
        let due_at = self.due_at();
        let Some(next) = self.next_at.filter(|_| due_at <= Some(now)) else {
            return Step::Wait(due_at);
        };
        let target = self.target(next, now);
        if target == Some(next) {
            return Step::Fire {
                at: next,
                next: self.plan.calendar.after(next),
            };
        }
        Step::PassOver {
            run: self.run(next, target.unwrap_or(now)),
            next: target,
        }
    }

    /// The first time from `next` on for which something is to be made.
    fn target(&self, next: Timestamp, now: Timestamp) -> Option<Timestamp> {
        let fresh = self.fresh_since(now);
        let in_time = cmp::max(now - GRACE, fresh);
        if next >= in_time {
            return Some(next);
        }
        let coming = self.plan.calendar.at_or_after(in_time);
        let has_come = self.due_for(coming) <= Some(now);
        match self.plan.missed {
            Missed::Skip => coming,
            Missed::Latest if has_come => coming,
            policy => self
                .newest(policy.most(), next.max(fresh), in_time)
                .or(coming),
        }
    }

    /// Since when a nominal time must be for what is made for it to be of use now.
    fn fresh_since(&self, now: Timestamp) -> Timestamp {
        let lasts = self.plan.template.expires_after();
        lasts.map_or(Timestamp::from_micros(i64::MIN), |lasts| {
            Timestamp::from_micros((now - lasts).as_micros() + 1)
        })
    }

    /// The oldest of the newest `count` times from one moment on and before another. It looks back
    /// further and further, for between them there can be a year of seconds.
    fn newest(&self, count: u32, from: Timestamp, until: Timestamp) -> Option<Timestamp> {
        let mut span = GRACE;
        loop {
            let start = from.max(until - span);
            let times: Vec<_> = self.times_between(start, until).collect();
            let place = times.len().checked_sub(count as usize);
            if start <= from || place.is_some() {
                return times.get(place.unwrap_or(0)).copied();
            }
            span *= 4;
        }
    }

    /// What lies between two times, the later one left out.
    fn run(&self, first: Timestamp, until: Timestamp) -> MissedRun {
        let times = self.times_between(first, until);
        let count = times.take(MissedRun::MOST as usize).count();
        MissedRun {
            first,
            last: self.newest(1, first, until).unwrap_or(first),
            count: u32::try_from(count).unwrap_or(MissedRun::MOST),
        }
    }

    fn times_between(
        &self,
        from: Timestamp,
        until: Timestamp,
    ) -> impl Iterator<Item = Timestamp> + '_ {
        let first = self.plan.calendar.at_or_after(from);
        let times = std::iter::successors(first, |last| self.plan.calendar.after(*last));
        times.take_while(move |time| *time < until)
    }
}

#[cfg(test)]
mod tests;
