//! Which groups of dead letters have begun since the last look, so that a cause that nobody has seen yet can be told.

use std::collections::BTreeMap;

use baton_domain::{
    Timestamp,
    operation::DeadLetterGroup,
    page::{Page, PageRequest},
};
use baton_ports::store::{self, Store};

/// How many groups are looked at, those that grew last.
const MOST: u32 = 200;

/// The groups as they were seen last.
#[derive(Default)]
pub struct FailureGauges {
    seen: Option<KnownGroups>,
    /// There was news that was not read.
    is_behind: bool,
}

impl FailureGauges {
    /// Counts the groups that have begun since the last look. The first one only sees which there are.
    pub async fn read(&mut self, store: &dyn Store, has_news: bool) -> store::Result<()> {
        self.is_behind |= has_news;
        if !self.is_behind {
            return Ok(());
        }
        let page = PageRequest::first(MOST);
        let seen = KnownGroups::of(store.dead_letters(&page).await?);
        if let Some(before) = self.seen.replace(seen) {
            let opened = self.seen.iter().map(|seen| seen.begun_after(&before)).sum();
            metrics::counter!("baton_failure_groups_opened_total").increment(opened);
        }
        self.is_behind = false;
        Ok(())
    }
}

/// The groups of one look, by when they began.
struct KnownGroups {
    groups: BTreeMap<String, Timestamp>,
    /// Whatever has grown since is among them.
    since: Timestamp,
}

impl KnownGroups {
    fn of(page: Page<DeadLetterGroup>) -> Self {
        let last = page.items.last().filter(|_| page.next.is_some());
        let since = last.map_or(Timestamp::from_micros(0), |group| group.last_at);
        let groups = page.items.into_iter();
        Self {
            groups: groups
                .map(|group| (group.fingerprint, group.first_at))
                .collect(),
            since,
        }
    }

    /// How many of them were not there before, or had come to an end and begun again.
    fn begun_after(&self, before: &Self) -> u64 {
        let is_new = |group: &(&String, &Timestamp)| match before.groups.get(group.0) {
            Some(began) => group.1 > began,
            None => *group.1 >= before.since,
        };
        self.groups.iter().filter(is_new).count() as u64
    }
}
