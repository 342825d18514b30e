//! A calendar: a cron line in a time zone, as moments.
//!
//! A line that names hours means wall-clock times: one that the zone skips comes at the first moment
//! after the gap, one that it has twice comes the first time only. A line of every hour counts hours as
//! they pass: it knows no skipped ones, and both of a doubled one.

use std::fmt;

use jiff::{
    SignedDuration,
    civil::DateTime,
    tz::{AmbiguousOffset, TimeZone},
};

use super::Cron;
use crate::{Timestamp, time::zone};

/// The smallest span there is.
const TICK: SignedDuration = SignedDuration::from_micros(1);

/// A cron line in a time zone.
#[derive(Clone, PartialEq, Eq)]
pub struct Calendar {
    cron: Cron,
    name: String,
    zone: TimeZone,
}

impl Calendar {
    /// A line in a zone, by its IANA name; `None`: there is no such zone.
    #[must_use]
    pub fn new(cron: Cron, time_zone: &str) -> Option<Self> {
        let name = zone::name(time_zone)?;
        let zone = TimeZone::get(&name).ok()?;
        Some(Self { cron, name, zone })
    }

    /// The line.
    #[must_use]
    pub const fn cron(&self) -> &Cron {
        &self.cron
    }

    /// The zone's name, as the IANA database writes it.
    #[must_use]
    pub fn time_zone(&self) -> &str {
        &self.name
    }

    /// A moment on the zone's wall clock, with its offset: `2026-01-31T09:00:00+09:00`.
    #[must_use]
    pub fn local(&self, at: Timestamp) -> String {
        jiff::Timestamp::from_microsecond(at.as_micros()).map_or_else(
            |_| at.to_string(),
            |at| at.display_with_offset(self.zone.to_offset(at)).to_string(),
        )
    }

    /// Its first time after a moment; `None` at the end of time.
    #[must_use]
    pub fn after(&self, at: Timestamp) -> Option<Timestamp> {
        let at = jiff::Timestamp::from_microsecond(at.as_micros()).ok()?;
        let next = if self.cron.is_hourly() {
            self.next_by_the_hour(at)
        } else {
            self.next_on_the_wall(at)
        };
        Some(Timestamp::from_micros(next?.as_microsecond()))
    }

    /// Its first time at a moment or after.
    #[must_use]
    pub fn at_or_after(&self, at: Timestamp) -> Option<Timestamp> {
        self.after(Timestamp::from_micros(at.as_micros() - 1))
    }

    /// Its times after a moment, in order.
    pub fn times(&self, after: Timestamp) -> impl Iterator<Item = Timestamp> + '_ {
        std::iter::successors(self.after(after), |last| self.after(*last))
    }

    /// Wall-clock times in their order are moments in their order, so the first that lies ahead is the
    /// next one. In the second pass of a doubled hour, those of the first pass lie behind.
    fn next_on_the_wall(&self, at: jiff::Timestamp) -> Option<jiff::Timestamp> {
        let first = self.cron.after(self.zone.to_datetime(at));
        let mut times = std::iter::successors(first, |last| self.cron.after(*last));
        times.find_map(|civil| match self.moment_of(civil) {
            Some(moment) if moment <= at => None,
            moment => Some(moment),
        })?
    }

    /// When a wall clock first shows this time, or first shows a later one.
    fn moment_of(&self, civil: DateTime) -> Option<jiff::Timestamp> {
        let ambiguous = self.zone.to_ambiguous_timestamp(civil);
        match ambiguous.offset() {
            // Read with the offset before the gap, a skipped time lies after it by as much as it was in it.
            AmbiguousOffset::Gap { .. } => {
                let within = ambiguous.later().ok()?.checked_add(TICK).ok()?;
                let end = self.zone.preceding(within).next()?;
                Some(end.timestamp())
            }
            _ => ambiguous.earlier().ok(),
        }
    }

    /// Between two changes of the offset, wall clock and time run side by side.
    fn next_by_the_hour(&self, at: jiff::Timestamp) -> Option<jiff::Timestamp> {
        let (mut since, mut from, mut offset) = (at, at, self.zone.to_offset(at));
        loop {
            let civil = self.cron.after(offset.to_datetime(from))?;
            let next = offset.to_timestamp(civil).ok()?;
            let change = self.zone.following(since).next();
            let Some(change) = change.filter(|change| change.timestamp() <= next) else {
                return Some(next);
            };
            since = change.timestamp();
            // From just before it: the moment of the change itself has the new offset already.
            from = since.checked_sub(TICK).ok()?;
            offset = change.offset();
        }
    }
}

impl fmt::Debug for Calendar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Calendar({:?} in {})", self.cron.as_str(), self.name)
    }
}

#[cfg(test)]
mod tests;
