//! Pictures: how many jobs ended, how many stood in line and how long they waited there, over some time; drawn here, as SVG.
//!
//! They are drawn from rollups, which are bounded by time and count no table. What stands in line at a moment follows from
//! what stands there now and what came and went since.

mod markers;
mod window;

use std::time::Duration;

use askama::Template;
use baton_domain::{Timestamp, rollup::Marker, waits::Waits};
use baton_ports::store::RollupRequest;
use serde::Deserialize;
use tokio::time::Instant;

use self::{
    markers::{LISTED, MarkerLine},
    window::{Bar, WINDOWS, Window},
};
use crate::{
    Console,
    errors::PageError,
    language::text,
    overview_cache::OverviewSnapshot,
    picture_cache::{Past, Shown},
    root::Root,
    view::{Markup, count, moment, span},
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

/// The pictures of a queue, or of all together, those with what happened meanwhile.
pub struct Drawing {
    queue: Option<String>,
    window: &'static Window,
    /// When what a page that watches has got was read.
    drawn: Option<Instant>,
}

impl Drawing {
    /// The pictures that an address asks for.
    pub fn of(queue: Option<&str>, query: &WindowQuery) -> Self {
        let windows = windows(queue);
        let window = windows.iter().find(|window| window.word == query.window);
        Self {
            queue: queue.map(str::to_owned),
            window: window.unwrap_or(&windows[0]),
            drawn: None,
        }
    }

    /// The word for the time that they look back over.
    pub const fn window(&self) -> &'static str {
        self.window.word
    }

    /// The pictures as they are now, for a page.
    pub async fn now(
        &self,
        console: &Console,
        glance: &OverviewSnapshot,
        root: &Root,
    ) -> Result<Markup, PageError> {
        let now = console.engine.now();
        let past = console.pictures.look(&self.shown(glance, now)).await?;
        Ok(self.draw(&past, console, glance, root, now).await)
    }

    /// The pictures anew, for a page that watches, if they can look different.
    pub async fn anew(
        &mut self,
        console: &Console,
        glance: &OverviewSnapshot,
        root: &Root,
    ) -> Option<Markup> {
        let now = console.engine.now();
        let past = console.pictures.lately(&self.shown(glance, now)).await?;
        if self.drawn.replace(past.read) == Some(past.read) {
            return None;
        }
        Some(self.draw(&past, console, glance, root, now).await)
    }

    fn shown(&self, glance: &OverviewSnapshot, now: Timestamp) -> Shown {
        let window = self.window;
        let seen = glance.installation.as_ref();
        Shown {
            request: RollupRequest {
                queue: self.queue.clone(),
                resolution: window.resolution,
                step: window.step,
            },
            since: window.since(now),
            waits: true,
            markers: self.queue.is_none().then(|| window.minutes()),
            mark: (window.number(now), seen.map_or(0, |seen| seen.bounds.last)),
        }
    }

    async fn draw(
        &self,
        past: &Past,
        console: &Console,
        glance: &OverviewSnapshot,
        root: &Root,
        now: Timestamp,
    ) -> Markup {
        let window = self.window;
        let mut markers = past.markers.clone();
        // Of a clock that was put back since.
        markers.retain(|marker| window.number(marker.start) <= window.number(now));
        let newest = markers.iter().rev().take(LISTED);
        let about = newest
            .clone()
            .filter_map(|marker| marker.subject.as_deref());
        let names = glance.names().clone().and_of(&console.engine, about).await;
        let lines = newest.map(|marker| MarkerLine::new(marker, &names, root));
        let bars = window.bars_of(&past.rollups, &past.waits, self.queued(glance), now);
        let windows = windows(self.queue.as_deref()).iter();
        Markup::of(&Pictures {
            windows: windows.map(|one| Choice::of(one, window)).collect(),
            pictures: drawn(window, &bars, &markers, now),
            rows: rows(window, &bars, now),
            not_listed: count(markers.len().saturating_sub(LISTED) as u64),
            is_cut: markers.len() > LISTED,
            markers: lines.collect(),
        })
    }

    /// How many stand in line now.
    fn queued(&self, glance: &OverviewSnapshot) -> u64 {
        let lines = glance.lines().iter();
        let meant = lines.filter(|line| self.queue.as_ref().is_none_or(|name| line.name == *name));
        meant.map(|line| line.queued).sum()
    }
}

/// Of one queue hours are not kept.
fn windows(queue: Option<&str>) -> &'static [Window] {
    &WINDOWS[..if queue.is_some() { 2 } else { 3 }]
}

#[derive(Template)]
#[template(path = "panels/pictures.html")]
struct Pictures {
    windows: Vec<Choice>,
    pictures: Vec<Picture>,
    markers: Vec<MarkerLine>,
    /// More happened than is listed.
    is_cut: bool,
    not_listed: String,
    rows: Vec<Row>,
}

struct Choice {
    word: &'static str,
    label: &'static str,
    is_chosen: bool,
}

impl Choice {
    fn of(window: &Window, chosen: &Window) -> Self {
        Self {
            word: window.word,
            label: window.label,
            is_chosen: window.word == chosen.word,
        }
    }
}

/// A picture: its parts, from the bottom up, and what its top stands for, if there is anything.
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
    p50: String,
    p99: String,
}

fn drawn(window: &Window, bars: &[Bar], markers: &[Marker], now: Timestamp) -> Vec<Picture> {
    let first = window.first(now);
    let starts: Vec<_> = (first..)
        .map(|n| window.start(n))
        .take(bars.len())
        .collect();
    let mut pictures = vec![
        ended(window, bars, &starts),
        in_line(window, bars, &starts),
        waited(window, bars, &starts),
    ];
    for picture in &mut pictures {
        picture.rects.extend(markers::lines(markers, window, first));
    }
    pictures
}

fn ended(window: &Window, bars: &[Bar], starts: &[Timestamp]) -> Picture {
    let ends = bars
        .iter()
        .map(|bar| bar.succeeded + bar.failed + bar.other);
    let most = ends.clone().max().unwrap_or(0).max(1);
    let mut rects = Vec::new();
    for (i, bar) in bars.iter().enumerate() {
        let title = tr!(
            "{at}: {succeeded} succeeded, {failed} failed, {other} canceled or skipped",
            at = starts[i],
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
            rects.extend(rect(class, i, bars.len(), below, n, most, &title));
            below += n;
        }
    }
    Picture {
        told: tr!(
            "Jobs that ended in the last {window}: {n}, of these {failed} failed.",
            window = text(window.label),
            n = count(ends.sum()),
            failed = count(bars.iter().map(|bar| bar.failed).sum())
        ),
        top: count(most),
        rects,
    }
}

fn in_line(window: &Window, bars: &[Bar], starts: &[Timestamp]) -> Picture {
    let longest = bars.iter().map(|bar| bar.queued).max().unwrap_or(0).max(1);
    let bar = |(i, bar): (usize, &Bar)| {
        let title = tr!("{at}: {n} in line", at = starts[i], n = count(bar.queued));
        rect("queued", i, bars.len(), 0, bar.queued, longest, &title)
    };
    Picture {
        told: tr!(
            "Jobs in line in the last {window}: {most} at the most, {now} now.",
            window = text(window.label),
            most = count(longest),
            now = count(bars.last().map_or(0, |bar| bar.queued))
        ),
        top: count(longest),
        rects: bars.iter().enumerate().filter_map(bar).collect(),
    }
}

/// Before a lighter bar, which nearly all stay below, a darker one, which half of them do.
fn waited(window: &Window, bars: &[Bar], starts: &[Timestamp]) -> Picture {
    let micros = |wait: Duration| u64::try_from(wait.as_micros()).unwrap_or(u64::MAX);
    let nearly_all = bars.iter().filter_map(|bar| bar.waits.percentile(99));
    let longest = nearly_all.max().unwrap_or_default();
    let mut all = Waits::default();
    let mut rects = Vec::new();
    for (i, bar) in bars.iter().enumerate() {
        all.merge(&bar.waits);
        let (Some(p50), Some(p99)) = (bar.waits.percentile(50), bar.waits.percentile(99)) else {
            continue;
        };
        let title = tr!(
            "{at}: wait p50 {p50}, p99 {p99}",
            at = starts[i],
            p50 = span(p50),
            p99 = span(p99)
        );
        for (class, wait) in [("other", p99), ("queued", p50)] {
            let most = micros(longest).max(1);
            rects.extend(rect(class, i, bars.len(), 0, micros(wait), most, &title));
        }
    }
    let window = text(window.label);
    let (told, top) = match (all.percentile(50), all.percentile(99)) {
        (Some(p50), Some(p99)) => (
            tr!(
                "Wait of the jobs that began in the last {window}: p50 {p50}, p99 {p99}.",
                window = window,
                p50 = span(p50),
                p99 = span(p99)
            ),
            span(longest),
        ),
        _ => (
            tr!("No job began in the last {window}.", window = window),
            String::new(),
        ),
    };
    Picture { told, top, rects }
}

fn rows(window: &Window, bars: &[Bar], now: Timestamp) -> Vec<Row> {
    let numbers = (window.first(now)..).zip(bars);
    let wait = |bar: &Bar, percent| bar.waits.percentile(percent).map(span).unwrap_or_default();
    let mut rows: Vec<_> = numbers
        .map(|(number, bar)| Row {
            at: moment(window.start(number)),
            succeeded: count(bar.succeeded),
            failed: count(bar.failed),
            other: count(bar.other),
            queued: count(bar.queued),
            p50: wait(bar, 50),
            p99: wait(bar, 99),
        })
        .collect();
    rows.reverse();
    rows
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
    use baton_domain::waits::WaitRollup;

    use super::*;

    const MINUTE: i64 = 60_000_000;
    pub(super) const NOW: Timestamp = Timestamp::from_micros(100 * MINUTE + 30_000_000);

    #[test]
    fn waits_are_drawn_as_the_one_of_half_before_the_one_of_nearly_all() {
        let mut waits = Waits::default();
        waits.note(Duration::from_millis(1), 98);
        waits.note(Duration::from_secs(4), 2);
        let rollup = WaitRollup {
            start: Timestamp::from_micros(99 * MINUTE),
            waits,
        };
        let bars = WINDOWS[0].bars_of(&[], &[rollup], 0, NOW);
        let starts = vec![NOW; bars.len()];

        let picture = waited(&WINDOWS[0], &bars, &starts);

        let drawn: Vec<_> = picture
            .rects
            .iter()
            .map(|rect| (rect.class, rect.x.as_str()))
            .collect();
        assert_eq!(drawn, [("other", "520.0"), ("queued", "520.0")]);
        assert_eq!(picture.rects[0].height, "96.0");
        assert!(
            picture.told.contains("p50 1 ms, p99 3.0 s"),
            "{}",
            picture.told
        );
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
