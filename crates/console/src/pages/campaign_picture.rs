//! The picture of a campaign: how many of its deliveries were sent and how many failed, over the time that it has run.
//!
//! Its line is a queue, whose rollups are kept for a day: of a campaign that runs for longer, the newest day is drawn.

use std::{collections::BTreeMap, time::Duration};

use askama::Template;
use baton_domain::{
    Timestamp,
    campaign::Campaign,
    job::State,
    rollup::{Resolution, Rollup},
};
use baton_ports::store::RollupRequest;
use tokio::time::Instant;

use super::pictures::{Picture, rect};
use crate::{
    Console,
    errors::PageError,
    picture_cache::Shown,
    view::{Markup, count, moment},
};

const LENGTH: Resolution = Resolution::Minute;
/// How far back is looked.
const BACK: Duration = Duration::from_hours(24);
/// How many minutes one bar may be: of these the fewest that a picture has room for.
const STEPS: [u32; 5] = [1, 2, 5, 10, 15];
/// How many bars a picture has at the most.
const BARS: i64 = 97;
/// And at the fewest: one alone would fill it, and say nothing.
const FEWEST: i64 = 15;

/// The picture of a campaign, as a page that watches has got it.
#[derive(Default)]
pub struct Drawing {
    /// When what it shows was read.
    drawn: Option<Instant>,
}

impl Drawing {
    /// The picture as it is now, for a page; nothing of a campaign that has not begun, or that only lays items into inboxes.
    pub async fn now(console: &Console, campaign: &Campaign) -> Result<Markup, PageError> {
        let Some(run) = Run::of(campaign, console.engine.now()) else {
            return Ok(Markup::default());
        };
        let past = console.pictures.look(&run.shown(campaign)).await?;
        Ok(Markup::of(&CampaignPicture::new(&run, &past.rollups)))
    }

    /// The picture anew, for a page that watches, if it can look different.
    pub async fn anew(&mut self, console: &Console, campaign: &Campaign) -> Option<Markup> {
        let run = Run::of(campaign, console.engine.now())?;
        let past = console.pictures.lately(&run.shown(campaign)).await?;
        let is_known = self.drawn.replace(past.read) == Some(past.read);
        (!is_known).then(|| Markup::of(&CampaignPicture::new(&run, &past.rollups)))
    }
}

/// The time that is drawn: the numbers of its first and last bar, and how many minutes each is.
struct Run {
    step: u32,
    first: i64,
    last: i64,
    /// There is more before it.
    is_cut: bool,
}

impl Run {
    fn of(campaign: &Campaign, now: Timestamp) -> Option<Self> {
        let began = campaign
            .began_at
            .filter(|_| campaign.plan.action.has_push())?;
        let end = campaign.finished_at.unwrap_or(now).max(began);
        let from = began.max(now - BACK).min(end);
        let bars = |step| number(end, step) - number(from, step) + 1;
        let step = STEPS.into_iter().find(|step| bars(*step) <= BARS)?;
        let first = number(from, step);
        Some(Self {
            step,
            first,
            last: number(end, step).max(first + FEWEST - 1),
            is_cut: began < now - BACK,
        })
    }

    fn shown(&self, campaign: &Campaign) -> Shown {
        Shown {
            request: RollupRequest {
                queue: Some(campaign.id.to_string()),
                resolution: LENGTH,
                step: self.step,
            },
            since: self.start(self.first),
            waits: false,
            markers: None,
            mark: (
                self.last,
                i64::try_from(campaign.ended()).unwrap_or(i64::MAX),
            ),
        }
    }

    fn start(&self, bar: i64) -> Timestamp {
        LENGTH.start(bar * i64::from(self.step))
    }

    fn bars_of(&self, rollups: &[Rollup]) -> Vec<Bar> {
        let mut by_number = BTreeMap::<i64, Bar>::new();
        for rollup in rollups {
            let bar = by_number
                .entry(number(rollup.start, self.step))
                .or_default();
            match rollup.state {
                State::Succeeded => bar.sent += rollup.came,
                State::Failed | State::Uncertain => bar.failed += rollup.came,
                State::Canceled | State::Skipped => bar.other += rollup.came,
                State::Pending | State::Queued | State::Running | State::RetryWait => {}
            }
        }
        (self.first..=self.last)
            .map(|number| by_number.remove(&number).unwrap_or_default())
            .collect()
    }
}

fn number(at: Timestamp, step: u32) -> i64 {
    LENGTH.number(at).div_euclid(i64::from(step))
}

/// One bar.
#[derive(Default)]
struct Bar {
    sent: u64,
    failed: u64,
    other: u64,
}

impl Bar {
    const fn all(&self) -> u64 {
        self.sent + self.failed + self.other
    }
}

#[derive(Template)]
#[template(path = "panels/campaign_picture.html")]
struct CampaignPicture {
    /// None where nothing has ended in this time.
    picture: Option<Picture>,
    is_cut: bool,
    /// How long a bar is, in minutes.
    minutes: u32,
    rows: Vec<Row>,
}

/// The same as a line of a table.
struct Row {
    at: Markup,
    sent: String,
    failed: String,
    other: String,
}

impl CampaignPicture {
    fn new(run: &Run, rollups: &[Rollup]) -> Self {
        let bars = run.bars_of(rollups);
        let newest_first = (run.first..=run.last).rev().zip(bars.iter().rev());
        let rows = newest_first.filter(|(_, bar)| bar.all() > 0);
        Self {
            picture: drawn(run, &bars),
            is_cut: run.is_cut,
            minutes: run.step,
            rows: rows
                .map(|(number, bar)| Row::new(run.start(number), bar))
                .collect(),
        }
    }
}

fn drawn(run: &Run, bars: &[Bar]) -> Option<Picture> {
    let most = bars.iter().map(Bar::all).max().filter(|most| *most > 0)?;
    let mut rects = Vec::new();
    for (i, (number, bar)) in (run.first..).zip(bars).enumerate() {
        let title = tr!(
            "{at}: {sent} sent, {failed} failed, {other} canceled or skipped",
            at = run.start(number),
            sent = count(bar.sent),
            failed = count(bar.failed),
            other = count(bar.other)
        );
        let mut below = 0;
        for (class, n) in [
            ("succeeded", bar.sent),
            ("other", bar.other),
            ("failed", bar.failed),
        ] {
            rects.extend(rect(class, i, bars.len(), below, n, most, &title));
            below += n;
        }
    }
    let sum = |of: fn(&Bar) -> u64| bars.iter().map(of).sum();
    let (sent, failed, other) = (
        count(sum(|bar| bar.sent)),
        count(sum(|bar| bar.failed)),
        count(sum(|bar| bar.other)),
    );
    Some(Picture {
        told: match run.is_cut {
            true => tr!(
                "Deliveries that ended in the last day: {sent} sent, {failed} failed, {other} canceled or skipped.",
                sent = sent,
                failed = failed,
                other = other
            ),
            false => tr!(
                "Deliveries that ended: {sent} sent, {failed} failed, {other} canceled or skipped.",
                sent = sent,
                failed = failed,
                other = other
            ),
        },
        top: count(most),
        rects,
    })
}

impl Row {
    fn new(at: Timestamp, bar: &Bar) -> Self {
        Self {
            at: moment(at),
            sent: count(bar.sent),
            failed: count(bar.failed),
            other: count(bar.other),
        }
    }
}
