//! Blocks: the 64 ids that differ in their last six bits only. What many jobs of one have in common is one row on MySQL, with a bit for each.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use baton_domain::{JobId, LeaseId, Timestamp, WorkerId};
use baton_ports::store::AttemptResult;
use parking_lot::Mutex;
use serde_json::json;

use super::{read, record::subjects_of};
use crate::{
    row::Row,
    value::{Params, column, params},
};

/// How many leases are known to hold their jobs in blocks. The results of one that was forgotten take the longer way.
const KNOWN: usize = 8_192;

/// The leases that this process has claimed in blocks, as far back as it remembers.
#[derive(Debug, Default)]
pub struct BlockLeases(Mutex<(HashSet<LeaseId>, VecDeque<LeaseId>)>);

impl BlockLeases {
    /// Takes note of the leases of claimed rows of which no job is held by itself.
    pub fn claimed(&self, rows: &[Row]) {
        let (known, order) = &mut *self.0.lock();
        let (in_blocks, others): (Vec<_>, Vec<_>) =
            rows.iter().partition(|row| read::is_in_block(row));
        let mixed: HashSet<_> = others.into_iter().filter_map(read::lease).collect();
        let leases = in_blocks.into_iter().filter_map(read::lease);
        for lease in leases.filter(|lease| !mixed.contains(lease)) {
            if known.insert(lease) {
                order.push_back(lease);
            }
        }
        while order.len() > KNOWN {
            let oldest = order.pop_front();
            oldest.map(|lease| known.remove(&lease));
        }
    }

    /// The blocks of each lease that holds its jobs so and of which there are as many results, and the other results.
    pub fn parted<'a>(
        &self,
        plain: &[&'a AttemptResult],
        least: usize,
    ) -> (Vec<Vec<Block<'a>>>, Vec<&'a AttemptResult>) {
        let known = &self.0.lock().0;
        let mut counts: HashMap<LeaseId, usize> = HashMap::new();
        for one in plain {
            *counts.entry(one.lease).or_default() += 1;
        }
        let is_in_block = |lease: LeaseId| known.contains(&lease) && counts[&lease] >= least;
        let (in_blocks, others): (Vec<&AttemptResult>, Vec<_>) =
            plain.iter().partition(|one| is_in_block(one.lease));
        let mut leases: BTreeMap<_, BTreeMap<_, Block<'a>>> = BTreeMap::new();
        for one in in_blocks {
            let block = (number(one.job) >> BITS, one.queued_at);
            let blocks = leases.entry(one.lease).or_default();
            blocks.entry(block).or_default().push(one);
        }
        let rows = leases
            .into_values()
            .map(|blocks| blocks.into_values().map(in_order).collect());
        (rows.collect(), others)
    }
}

/// Results of one block that stand in one row, in the order of their ids.
pub type Block<'a> = Vec<&'a AttemptResult>;

/// How many bits tell the jobs of a block apart.
const BITS: u32 = 6;
/// How many jobs a block has.
pub const SIZE: u32 = 1 << BITS;

fn number(job: JobId) -> u128 {
    job.uuid().as_u128()
}

fn in_order(mut block: Block<'_>) -> Block<'_> {
    block.sort_unstable_by_key(|one| one.job);
    block
}

/// What `work/succeed_blocks` is told of the blocks of one lease.
pub fn params(
    worker: WorkerId,
    blocks: &[Block<'_>],
    leases: &[uuid::Uuid],
    now: Timestamp,
) -> Params {
    let all: Vec<_> = blocks.iter().flatten().copied().collect();
    let first = |block: &Block<'_>| block.first().map(|one| one.job.uuid());
    let last = |block: &Block<'_>| block.last().map(|one| one.job.uuid());
    params! {
        worker: worker.uuid(), lease: all.first().map(|one| one.lease.uuid()), leases: leases.to_vec(),
        n: all.len() as i64, now: now, subjects: subjects_of(&all),
        blocks: column(blocks, name), bits: column(blocks, bits),
        firsts: column(blocks, first), lasts: column(blocks, last),
        queued_ats: column(blocks, |block| block.first().map(|one| one.queued_at)),
        started_ats: column(blocks, |block| json!(spread(block, |one| one.started_at.map(Timestamp::as_micros))).to_string()),
        results: column(blocks, results),
    }
}

/// A block as the store calls it: what all of its ids begin with, and the two bits behind.
fn name(block: &Block<'_>) -> Option<String> {
    let job = block.first()?.job;
    let id = job.uuid().to_string();
    Some(format!("{}{}", &id[..34], number(job) >> BITS & 3))
}

/// The bits of these jobs, as a text: the database has no whole numbers with a sign that are as large.
fn bits(block: &Block<'_>) -> String {
    let bits = block.iter().map(|one| 1_u64 << place(one.job));
    bits.fold(0, |all, bit| all | bit).to_string()
}

fn place(job: JobId) -> usize {
    (number(job) & ((1 << BITS) - 1)) as usize
}

/// What they had to say; nothing when none of them had.
fn results(block: &Block<'_>) -> Option<String> {
    let has_any = block.iter().any(|one| one.decision.result.is_some());
    has_any.then(|| json!(spread(block, |one| one.decision.result.as_deref())).to_string())
}

/// A value of each in its place from the first on, with gaps for the ids between them.
fn spread<'a, T>(
    block: &[&'a AttemptResult],
    value: impl Fn(&'a AttemptResult) -> Option<T>,
) -> Vec<Option<T>> {
    let mut all = Vec::new();
    let Some(begins) = block.first().map(|one| place(one.job)) else {
        return all;
    };
    for one in block {
        all.resize_with(place(one.job) - begins, || None);
        all.push(value(one));
    }
    all
}
