//! Rollups: what pictures are drawn from.

use std::collections::BTreeMap;

use async_trait::async_trait;
use baton_domain::{
    Timestamp,
    queue::campaign_of,
    rollup::{Marker, Resolution, Rollup},
    waits::{WaitRollup, Waits},
};
use baton_ports::store::{Claimed, Result, RollupRequest, Rollups};
use parking_lot::Mutex;

use super::SqlStore;
use crate::{
    kernel::{ConnectionPool, Unit},
    row::Row,
    statement as sql,
    value::{Params, params},
};

/// How many spans one transaction forgets of each resolution at the most.
const SPANS: u32 = 60;
/// How many queues and minutes waits are gathered of at the most; those of more are told of all together alone.
const MOST_WAITS: usize = 10_000;
/// How many rows of waits one transaction writes at the most.
const WAITS: usize = 256;

#[async_trait]
impl Rollups for SqlStore {
    async fn rollups(&self, request: &RollupRequest, since: Timestamp) -> Result<Vec<Rollup>> {
        let resolution = request.resolution;
        let rows = self
            .read(&sql::rollups::TOLD, asked(request, since))
            .await?;
        Ok(self.readable("rollups", rows, |row| rollup(row, resolution)))
    }

    async fn waits(&self, request: &RollupRequest, since: Timestamp) -> Result<Vec<WaitRollup>> {
        let rows = self
            .read(&sql::rollups::WAITS, asked(request, since))
            .await?;
        let mut told = BTreeMap::<i64, Waits>::new();
        for (span, bucket, jobs) in self.readable("waits", rows, waited) {
            told.entry(span).or_default().add(bucket, jobs);
        }
        let told = told.into_iter();
        let start = |span| request.resolution.start(span);
        Ok(told
            .map(|(span, waits)| WaitRollup {
                start: start(span),
                waits,
            })
            .collect())
    }

    async fn write_waits(&self) -> Result<u64> {
        let gathered = self.waits.take();
        let (of_all, own): (Vec<_>, Vec<_>) = counts_of(&gathered)
            .into_iter()
            .partition(|count| count.queue.is_empty());
        // Those of all, which every node writes, are held last and for the shortest time.
        for counts in own.chunks(WAITS).chain(of_all.chunks(WAITS)) {
            let scripts = counts
                .iter()
                .map(|count| (&sql::rollups::ADD_WAITS, count.params()));
            let unit = Unit {
                scripts: scripts.collect(),
                keep: None,
            };
            let _permit = self.admission.bulk(counts.len()).await;
            self.kernel.transact(ConnectionPool::Queue, unit).await?;
        }
        Ok(gathered.values().map(Waits::jobs).sum())
    }

    async fn markers(&self, minutes: u32, since: Timestamp) -> Result<Vec<Marker>> {
        let params = params! { first: Resolution::Minute.number(since), step: minutes.max(1) };
        let rows = self.read(&sql::rollups::MARKERS, params).await?;
        Ok(self.readable("markers", rows, marker))
    }
}

impl SqlStore {
    /// Forgets what is kept no longer.
    pub(super) async fn prune_rollups(&self, now: Timestamp) -> Result<u32> {
        let mut gone = 0;
        for resolution in Resolution::ALL {
            let params = params! {
                resolution: resolution.as_str(), spans: SPANS,
                kept: resolution.number(now - resolution.kept()),
                marked: Resolution::Minute.number(now - Marker::KEPT),
            };
            gone += self.gone(&sql::upkeep::PRUNE_ROLLUPS, params).await?;
        }
        Ok(gone)
    }
}

/// How long jobs waited that this process has claimed, by queue and minute, until it is written down.
#[derive(Default)]
pub(super) struct GatheredWaits(Mutex<Gathered>);

type Gathered = BTreeMap<(String, i64), Waits>;

impl GatheredWaits {
    /// Takes note of jobs that were claimed, mostly all of one queue. Of the line of a campaign nobody asks by itself.
    pub(super) fn claimed(&self, claimed: &[Claimed], now: Timestamp) {
        let minute = Resolution::Minute.number(now);
        let mut gathered = self.0.lock();
        for jobs in claimed.chunk_by(|a, b| a.args.queue == b.args.queue) {
            let queue = jobs[0].args.queue.as_str();
            let mut key = (queue.to_owned(), minute);
            let is_new = !gathered.contains_key(&key);
            if campaign_of(queue).is_some() || (is_new && gathered.len() >= MOST_WAITS) {
                key.0.clear();
            }
            let waits = gathered.entry(key).or_default();
            for job in jobs {
                waits.note(now.since(job.queued_at), 1);
            }
        }
    }

    fn take(&self) -> Gathered {
        std::mem::take(&mut *self.0.lock())
    }
}

/// How many jobs waited for about how long.
struct WaitCount<'a> {
    queue: &'a str,
    resolution: Resolution,
    span: i64,
    bucket: usize,
    jobs: u64,
}

impl WaitCount<'_> {
    fn params(&self) -> Params {
        params! {
            queue: self.queue, resolution: self.resolution.as_str(), span: self.span,
            bucket: i64::try_from(self.bucket).unwrap_or(i64::MAX), n: i64::try_from(self.jobs).unwrap_or(i64::MAX),
        }
    }
}

/// Each count once for its queue and twice for all of them; in one order, so that no two nodes wait for one another.
fn counts_of(gathered: &Gathered) -> Vec<WaitCount<'_>> {
    let mut sums = BTreeMap::<(&str, Resolution, i64), Waits>::new();
    for ((queue, minute), waits) in gathered {
        let hour = Resolution::Hour.number(Resolution::Minute.start(*minute));
        let own = (queue.as_str(), Resolution::Minute, *minute);
        let of_all = [
            ("", Resolution::Minute, *minute),
            ("", Resolution::Hour, hour),
        ];
        let places = Some(own)
            .filter(|_| !queue.is_empty())
            .into_iter()
            .chain(of_all);
        for place in places {
            sums.entry(place).or_default().merge(waits);
        }
    }
    let counts = sums.iter().flat_map(|(&(queue, resolution, span), waits)| {
        let buckets = waits.buckets();
        buckets.map(move |(bucket, jobs)| WaitCount {
            queue,
            resolution,
            span,
            bucket,
            jobs,
        })
    });
    counts.collect()
}

fn asked(request: &RollupRequest, since: Timestamp) -> Params {
    let resolution = request.resolution;
    params! {
        queue: request.queue.as_deref().unwrap_or_default(), resolution: resolution.as_str(),
        first: resolution.number(since), step: request.step.max(1),
    }
}

fn rollup(row: Row, resolution: Resolution) -> Result<Rollup> {
    let mut cells = row.cells("rollups");
    Ok(Rollup {
        start: resolution.start(cells.int("span")?),
        state: cells.word("state")?,
        came: cells.count("came")?,
        went: cells.count("went")?,
    })
}

fn waited(row: Row) -> Result<(i64, usize, u64)> {
    let mut cells = row.cells("waits");
    let (span, bucket) = (cells.int("span")?, cells.int("bucket")?);
    Ok((
        span,
        usize::try_from(bucket).unwrap_or(usize::MAX),
        cells.count("n")?,
    ))
}

fn marker(row: Row) -> Result<Marker> {
    let mut cells = row.cells("markers");
    Ok(Marker {
        start: Resolution::Minute.start(cells.int("minute")?),
        kind: cells.text("kind")?,
        n: cells.count("n")?,
        subject: cells.maybe_text("subject")?,
        version: cells.maybe_text("version")?,
    })
}
