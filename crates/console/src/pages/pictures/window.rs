//! Windows: the times that pictures look back over, and what is in their bars.

use std::{collections::BTreeMap, time::Duration};

use baton_domain::{
    Timestamp,
    job::State,
    rollup::{Resolution, Rollup},
    waits::{WaitRollup, Waits},
};

/// A time to look back over.
pub(super) struct Window {
    pub(super) word: &'static str,
    pub(super) label: &'static str,
    pub(super) resolution: Resolution,
    /// How many spans are one bar.
    pub(super) step: u32,
    pub(super) bars: u32,
}

pub(super) static WINDOWS: [Window; 3] = [
    Window {
        word: "15m",
        label: key!("15 minutes"),
        resolution: Resolution::Minute,
        step: 1,
        bars: 15,
    },
    Window {
        word: "24h",
        label: key!("24 hours"),
        resolution: Resolution::Minute,
        step: 15,
        bars: 96,
    },
    Window {
        word: "7d",
        label: key!("7 days"),
        resolution: Resolution::Hour,
        step: 2,
        bars: 84,
    },
];

/// One bar.
#[derive(Default, Clone)]
pub(super) struct Bar {
    pub(super) succeeded: u64,
    pub(super) failed: u64,
    pub(super) other: u64,
    /// How many came to the line, and how many went.
    pub(super) came: u64,
    pub(super) went: u64,
    /// How many stood in line at its end.
    pub(super) queued: u64,
    /// How long the jobs waited that were claimed.
    pub(super) waits: Waits,
}

impl Window {
    pub(super) fn span(&self) -> Duration {
        self.resolution.length() * self.step
    }

    /// The number of the bar that a moment lies in.
    pub(super) fn number(&self, at: Timestamp) -> i64 {
        let number = self.resolution.number(at);
        number.div_euclid(i64::from(self.step))
    }

    /// How many minutes a bar is.
    pub(super) fn minutes(&self) -> u32 {
        u32::try_from(self.span().as_secs() / 60).unwrap_or(u32::MAX)
    }

    pub(super) fn first(&self, now: Timestamp) -> i64 {
        self.number(now) + 1 - i64::from(self.bars)
    }

    pub(super) fn start(&self, number: i64) -> Timestamp {
        self.resolution.start(number * i64::from(self.step))
    }

    pub(super) fn since(&self, now: Timestamp) -> Timestamp {
        self.start(self.first(now))
    }

    pub(super) fn bars_of(
        &self,
        rollups: &[Rollup],
        waits: &[WaitRollup],
        queued: u64,
        now: Timestamp,
    ) -> Vec<Bar> {
        let last = self.number(now);
        let mut by_number = BTreeMap::<i64, Bar>::new();
        for rollup in rollups {
            let bar = by_number.entry(self.number(rollup.start)).or_default();
            match rollup.state {
                State::Succeeded => bar.succeeded += rollup.came,
                State::Failed | State::Uncertain => bar.failed += rollup.came,
                State::Canceled | State::Skipped => bar.other += rollup.came,
                State::Queued => {
                    bar.came += rollup.came;
                    bar.went += rollup.went;
                }
                State::Pending | State::Running | State::RetryWait => {}
            }
        }
        for rollup in waits {
            let bar = by_number.entry(self.number(rollup.start)).or_default();
            bar.waits = rollup.waits;
        }
        let mut bars: Vec<_> = (self.first(now)..=last)
            .map(|number| by_number.remove(&number).unwrap_or_default())
            .collect();
        let mut stands = queued;
        for bar in bars.iter_mut().rev() {
            bar.queued = stands;
            stands = (stands + bar.went).saturating_sub(bar.came);
        }
        bars
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000_000;
    const NOW: Timestamp = Timestamp::from_micros(100 * MINUTE + 30_000_000);

    fn rollup(minute: i64, state: State, came: u64, went: u64) -> Rollup {
        Rollup {
            start: Timestamp::from_micros(minute * MINUTE),
            state,
            came,
            went,
        }
    }

    #[test]
    fn what_stood_in_line_follows_from_what_stands_there_and_what_came_and_went() {
        let rollups = [
            rollup(98, State::Queued, 10, 2),
            rollup(100, State::Queued, 1, 5),
            rollup(100, State::Succeeded, 5, 0),
        ];

        let bars = WINDOWS[0].bars_of(&rollups, &[], 4, NOW);

        assert_eq!(bars.len(), 15);
        let queued: Vec<_> = bars.iter().skip(11).map(|bar| bar.queued).collect();
        assert_eq!(queued, [0, 8, 8, 4]);
        assert_eq!(bars[14].succeeded, 5);
    }
}
