//! Rows by job, and the order in which they are taken.

use std::collections::{BTreeMap, BTreeSet};

use baton_domain::JobId;

/// A row that has its turn.
pub(super) trait Ordered {
    /// What decides whose turn it is; between equals, the smaller id.
    type Order: Ord;

    fn order(&self) -> Self::Order;
}

/// Rows by job, and the order in which they are taken.
pub(super) struct OrderedRows<T: Ordered> {
    rows: BTreeMap<JobId, T>,
    order: BTreeSet<(T::Order, JobId)>,
}

impl<T: Ordered> Default for OrderedRows<T> {
    fn default() -> Self {
        Self {
            rows: BTreeMap::new(),
            order: BTreeSet::new(),
        }
    }
}

impl<T: Ordered> OrderedRows<T> {
    pub(super) fn get(&self, job: JobId) -> Option<&T> {
        self.rows.get(&job)
    }

    pub(super) fn insert(&mut self, job: JobId, row: T) {
        self.order.insert((row.order(), job));
        self.rows.insert(job, row);
    }

    pub(super) fn remove(&mut self, job: JobId) -> Option<T> {
        let row = self.rows.remove(&job)?;
        self.order.remove(&(row.order(), job));
        Some(row)
    }

    pub(super) fn in_order(&self) -> impl Iterator<Item = (JobId, &T)> {
        self.order.iter().map(|(_, job)| (*job, &self.rows[job]))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}
