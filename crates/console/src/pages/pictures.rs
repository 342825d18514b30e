//! Pictures: how many jobs ended, and how many stood in line, over some time; drawn here, as SVG.
//!
//! They are drawn from rollups, which are bounded by time and count no table. What stands in line at a moment follows from
//! what stands there now and what came and went since.

use std::{collections::BTreeMap, time::Duration};

use askama::Template;
use baton_domain::{
    Timestamp,
    job::State,
    rollup::{Resolution, Rollup},
};
use baton_engine::Caller;
use baton_ports::store::RollupRequest;
use serde::Deserialize;

use crate::{
    errors::PageError,
    language::text,
    overview_cache::patiently,
    view::{Markup, count, moment},
};

/// How wide and high a picture is, in its own units.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 96.0;
/// What lies between two bars, as a share of one.
const GAP: f64 = 0.15;

/// Over which time.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct WindowQuery {
    /// The word for it; the shortest if it is none.
    #[serde(default)]
    pub window: String,
}

/// A time to look back over.
struct Window {
    word: &'static str,
    label: &'static str,
    resolution: Resolution,
    /// How many spans are one bar.
    step: u32,
    bars: u32,
}

const WINDOWS: [Window; 3] = [
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
struct Bar {
    succeeded: u64,
    failed: u64,
    other: u64,
    /// How many came to the line, and how many went.
    came: u64,
    went: u64,
    /// How many stood in line at its end.
    queued: u64,
}

/// The pictures of a queue, or of all together; `queued` stand in line now.
pub async fn pictures(
    caller: &Caller,
    queue: Option<&str>,
    query: &WindowQuery,
    queued: u64,
    now: Timestamp,
) -> Result<Markup, PageError> {
    // Of one queue hours are not kept.
    let windows = &WINDOWS[..if queue.is_some() { 2 } else { 3 }];
    let window = windows.iter().find(|window| window.word == query.window);
    let window = window.unwrap_or(&windows[0]);
    let request = RollupRequest {
        queue: queue.map(str::to_owned),
        resolution: window.resolution,
        step: window.step,
    };
    let rollups = patiently(caller.rollups(&request, window.since(now))).await?;
    let bars = window.bars_of(&rollups, queued, now);
    Ok(Markup::of(&Pictures::new(window, windows, &bars, now)))
}

impl Window {
    fn span(&self) -> Duration {
        self.resolution.length() * self.step
    }

    /// The number of the bar that a moment lies in.
    fn number(&self, at: Timestamp) -> i64 {
        let number = self.resolution.number(at);
        number.div_euclid(i64::from(self.step))
    }

    fn since(&self, now: Timestamp) -> Timestamp {
        let first = self.number(now) + 1 - i64::from(self.bars);
        self.resolution.start(first * i64::from(self.step))
    }

    fn bars_of(&self, rollups: &[Rollup], queued: u64, now: Timestamp) -> Vec<Bar> {
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
        let numbers = (last + 1 - i64::from(self.bars))..=last;
        let mut bars: Vec<_> = numbers
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

#[derive(Template)]
#[template(path = "panels/pictures.html")]
struct Pictures {
    windows: Vec<Choice>,
    pictures: Vec<Picture>,
    rows: Vec<Row>,
}

struct Choice {
    word: &'static str,
    label: &'static str,
    is_chosen: bool,
}

/// A picture: its parts, from the bottom up, and what its top stands for.
pub(super) struct Picture {
    pub(super) told: String,
    pub(super) top: String,
    pub(super) rects: Vec<Rect>,
}

pub(super) struct Rect {
    pub(super) class: &'static str,
    pub(super) x: String,
    pub(super) y: String,
    pub(super) width: String,
    pub(super) height: String,
    pub(super) title: String,
}

/// The same as a line of a table.
struct Row {
    at: Markup,
    succeeded: String,
    failed: String,
    other: String,
    queued: String,
}

impl Pictures {
    fn new(window: &Window, windows: &[Window], bars: &[Bar], now: Timestamp) -> Self {
        let ends = bars
            .iter()
            .map(|bar| bar.succeeded + bar.failed + bar.other);
        let most = ends.clone().max().unwrap_or(0).max(1);
        let (all, failed) = (ends.sum(), bars.iter().map(|bar| bar.failed).sum());
        let longest = bars.iter().map(|bar| bar.queued).max().unwrap_or(0).max(1);
        let start = |i: usize| {
            let ago = window.span() * u32::try_from(bars.len() - 1 - i).unwrap_or(0);
            let number = window.number(now - ago);
            window.resolution.start(number * i64::from(window.step))
        };
        let mut ended = Vec::new();
        let mut waiting = Vec::new();
        for (i, bar) in bars.iter().enumerate() {
            let title = tr!(
                "{at}: {succeeded} succeeded, {failed} failed, {other} canceled or skipped",
                at = start(i),
                succeeded = count(bar.succeeded),
                failed = count(bar.failed),
                other = count(bar.other)
            );
            let mut below = 0;
            for (class, n) in [
                ("succeeded", bar.succeeded),
                ("other", bar.other),
                ("failed", bar.failed),
            ] {
                ended.extend(rect(class, i, bars.len(), below, n, most, &title));
                below += n;
            }
            let title = tr!("{at}: {n} in line", at = start(i), n = count(bar.queued));
            waiting.extend(rect(
                "queued",
                i,
                bars.len(),
                0,
                bar.queued,
                longest,
                &title,
            ));
        }
        let rows = bars.iter().enumerate().rev().map(|(i, bar)| Row {
            at: moment(start(i)),
            succeeded: count(bar.succeeded),
            failed: count(bar.failed),
            other: count(bar.other),
            queued: count(bar.queued),
        });
        Self {
            windows: windows
                .iter()
                .map(|one| Choice {
                    word: one.word,
                    label: one.label,
                    is_chosen: one.word == window.word,
                })
                .collect(),
            pictures: vec![
                Picture {
                    told: tr!(
                        "Jobs that ended in the last {window}: {n}, of these {failed} failed.",
                        window = text(window.label),
                        n = count(all),
                        failed = count(failed)
                    ),
                    top: count(most),
                    rects: ended,
                },
                Picture {
                    told: tr!(
                        "Jobs in line in the last {window}: {most} at the most, {now} now.",
                        window = text(window.label),
                        most = count(longest),
                        now = count(bars.last().map_or(0, |bar| bar.queued))
                    ),
                    top: count(longest),
                    rects: waiting,
                },
            ],
            rows: rows.collect(),
        }
    }
}

/// A part of a bar; nothing is drawn of nothing.
pub(super) fn rect(
    class: &'static str,
    place: usize,
    places: usize,
    below: u64,
    n: u64,
    most: u64,
    title: &str,
) -> Option<Rect> {
    if n == 0 {
        return None;
    }
    let width = WIDTH / places as f64;
    let unit = HEIGHT / most as f64;
    // What there is can be seen, however little it is beside the rest.
    let height = (n as f64 * unit).max(1.0);
    let y = (HEIGHT - below as f64 * unit - height).max(0.0);
    Some(Rect {
        class,
        x: format!("{:.1}", place as f64 * width),
        y: format!("{y:.1}"),
        width: format!("{:.1}", width * (1.0 - GAP)),
        height: format!("{height:.1}"),
        title: title.to_owned(),
    })
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

        let bars = WINDOWS[0].bars_of(&rollups, 4, NOW);

        assert_eq!(bars.len(), 15);
        let queued: Vec<_> = bars.iter().skip(11).map(|bar| bar.queued).collect();
        assert_eq!(queued, [0, 8, 8, 4]);
        assert_eq!(bars[14].succeeded, 5);
    }

    #[test]
    fn a_bar_is_as_high_as_its_share_of_the_highest_and_never_out_of_sight() {
        let all = rect("succeeded", 0, 15, 0, 1_000, 1_000, "").unwrap();
        let one = rect("failed", 1, 15, 999, 1, 1_000, "").unwrap();

        assert_eq!((all.y.as_str(), all.height.as_str()), ("0.0", "96.0"));
        assert_eq!((one.x.as_str(), one.height.as_str()), ("40.0", "1.0"));
        assert!(rect("failed", 0, 15, 0, 0, 1, "").is_none());
    }
}
