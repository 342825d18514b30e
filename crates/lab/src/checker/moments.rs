//! What the store's clock showed, in the lab's time.
//!
//! The lab steps the store's clock and knows when and by how much. Servers follow it a little later, and one
//! that was frozen later still: for a while after a step a moment can be by the clock as it was before. So what
//! the store dates has an earliest and a latest moment by the lab's clock, and a check uses the one that
//! excuses more.

use super::history::History;

/// How long after a step a server may date by the clock as it was, beside the lease for which it is frozen:
/// 3 s until it asks again, and what an answer takes.
const FOLLOWS: i64 = 15_000_000;

/// How far off a server can be that has followed a step by a slow answer, until a quick one came: half of what
/// that took.
const ROUGH: i64 = 1_000_000;

/// How far the store's clock was ahead of the lab's, and from when until when servers may have dated by it.
#[derive(Debug, Clone, Copy)]
struct Span {
    ahead_us: i64,
    from_us: i64,
    until_us: i64,
    /// Until when a server may have followed it only roughly.
    rough_until_us: i64,
}

impl Span {
    /// When it showed this, at the earliest and at the latest.
    const fn moments(&self, shown_us: i64) -> [i64; 2] {
        let moment = shown_us.saturating_sub(self.ahead_us);
        let rough = self.rough_at(moment);
        [moment.saturating_sub(rough), moment.saturating_add(rough)]
    }

    /// How far ahead a server may have been from a moment on, at the least and at the most.
    const fn ahead_from(&self, moment_us: i64) -> [i64; 2] {
        let rough = self.rough_at(moment_us);
        [
            self.ahead_us.saturating_sub(rough),
            self.ahead_us.saturating_add(rough),
        ]
    }

    const fn rough_at(&self, moment_us: i64) -> i64 {
        if moment_us < self.rough_until_us {
            ROUGH
        } else {
            0
        }
    }
}

/// What the store's clock showed, in the lab's time.
#[derive(Debug)]
pub(super) struct Moments(Vec<Span>);

impl Moments {
    pub(super) fn of(history: &History) -> Self {
        let rules = &history.rules;
        // What is dated by the store is a statement and two clocks off anyway.
        let tolerance = rules.statement_us + rules.clock_us;
        let late = FOLLOWS + rules.lease_us + tolerance;
        let ends = history.clock_steps.iter().map(|step| step.at_us);
        let ends = ends.map(|at_us| at_us.saturating_add(late));
        let begins = history.clock_steps.iter();
        let begins = begins.map(|step| {
            let rough_until_us = step.at_us.saturating_add(FOLLOWS);
            (step.at_us - tolerance, step.ahead_us, rough_until_us)
        });
        let spans = [(began_us(history) - tolerance, 0, i64::MIN)]
            .into_iter()
            .chain(begins);
        let ended_us = rules.ended_us.saturating_add(tolerance);
        let spans = spans.zip(ends.chain([ended_us]));
        Self(
            spans
                .map(|((from_us, ahead_us, rough_until_us), until_us)| Span {
                    ahead_us,
                    from_us,
                    until_us,
                    rough_until_us,
                })
                .collect(),
        )
    }

    /// When the store can have shown this at the earliest, and at the latest.
    pub(super) fn of_shown(&self, shown_us: i64) -> (i64, i64) {
        let moment = |span: &Span| shown_us.saturating_sub(span.ahead_us);
        let is_within = |span: &&Span| (span.from_us..=span.until_us).contains(&moment(span));
        let both = |span: &Span| span.moments(shown_us);
        let likely = least_and_most(self.0.iter().filter(is_within).flat_map(both));
        let any = || least_and_most(self.0.iter().flat_map(both));
        likely.or_else(any).unwrap_or((shown_us, shown_us))
    }

    pub(super) fn earliest(&self, shown_us: i64) -> i64 {
        self.of_shown(shown_us).0
    }

    pub(super) fn latest(&self, shown_us: i64) -> i64 {
        self.of_shown(shown_us).1
    }

    /// How far the store's clock was ahead in a span of the lab's time, at the least and at the most, as servers knew it.
    pub(super) fn ahead_within(&self, from_us: i64, until_us: i64) -> (i64, i64) {
        let spans = self.0.iter();
        let met = spans.filter(|span| span.from_us <= until_us && from_us <= span.until_us);
        least_and_most(met.flat_map(|span| span.ahead_from(from_us))).unwrap_or_default()
    }

    /// When the store's clock, as it was at last, shows this.
    pub(super) fn at_last(&self, shown_us: i64) -> i64 {
        let ahead_us = self.0.last().map_or(0, |span| span.ahead_us);
        shown_us.saturating_sub(ahead_us)
    }
}

/// When anything was first seen to be asked for.
fn began_us(history: &History) -> i64 {
    let requests = history.requests.iter().map(|one| one.start_us);
    let campaigns = &history.campaigns;
    let recipients = campaigns.recipients.iter().map(|one| one.start_us);
    let asked = campaigns.asked.iter().map(|one| one.start_us);
    let first = requests.chain(recipients).chain(asked).min();
    first.unwrap_or(0)
}

fn least_and_most(values: impl Iterator<Item = i64>) -> Option<(i64, i64)> {
    values.fold(None, |found, value| {
        let (least, most) = found.unwrap_or((value, value));
        Some((value.min(least), value.max(most)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker::{ClockStep, Rules};

    const SECOND: i64 = 1_000_000;
    const HOUR: i64 = 3_600 * SECOND;

    /// An hour ahead at 1,000 s, and right again at 2,000 s.
    fn moments() -> Moments {
        let step = |at_s: i64, ahead_us| ClockStep {
            at_us: at_s * SECOND,
            ahead_us,
        };
        Moments::of(&History {
            clock_steps: vec![step(1_000, HOUR), step(2_000, 0)],
            rules: Rules {
                ended_us: 3_000 * SECOND,
                ..Rules::default()
            },
            ..History::default()
        })
    }

    #[test]
    fn what_a_clock_shows_that_was_never_stepped_is_the_labs_own_time() {
        let moments = Moments::of(&History::default());

        assert_eq!(moments.of_shown(5), (5, 5));
        assert_eq!(moments.ahead_within(0, HOUR), (0, 0));
        assert_eq!(moments.at_last(5), 5);
    }

    #[test]
    fn what_was_shown_after_a_step_is_told_in_the_labs_time() {
        let moments = moments();

        assert_eq!(moments.of_shown(500 * SECOND), (500 * SECOND, 500 * SECOND));
        assert_eq!(moments.latest(1_500 * SECOND + HOUR), 1_500 * SECOND);
        assert_eq!(moments.earliest(2_500 * SECOND), 2_500 * SECOND);
    }

    #[test]
    fn shortly_after_a_step_a_moment_may_be_by_the_clock_as_it_was() {
        let moments = moments();

        assert_eq!(moments.ahead_within(900 * SECOND, 990 * SECOND), (0, 0));
        assert_eq!(
            moments.ahead_within(900 * SECOND, 1_001 * SECOND),
            (0, HOUR + ROUGH)
        );
        assert_eq!(
            moments.ahead_within(2_001 * SECOND, 2_002 * SECOND),
            (-ROUGH, HOUR)
        );
        assert_eq!(moments.ahead_within(2_500 * SECOND, 2_501 * SECOND), (0, 0));
    }
}
