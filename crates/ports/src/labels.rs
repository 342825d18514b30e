//! What queues, kinds and channels are called in metrics: whoever may enqueue may invent them, and each series stays for good.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering},
};

use baton_domain::queue::campaign_of;
use parking_lot::RwLock;

/// How many queues have a label of their own in one process.
pub const MOST: usize = 100;
/// How many kinds have.
pub const MOST_KINDS: usize = 200;
/// How many channels have.
pub const MOST_CHANNELS: usize = 20;
/// What all others are called together. No queue, kind or channel can have that name.
pub const OTHER: &str = "_other";
/// What the lines of campaigns are called together.
pub const CAMPAIGNS: &str = "_campaigns";

/// Those that have a label of their own.
static QUEUES: Labels = Labels::new("queues", MOST);
static KINDS: Labels = Labels::new("kinds", MOST_KINDS);
static CHANNELS: Labels = Labels::new("channels", MOST_CHANNELS);

/// The label of a queue in this process: its own name for the first hundred that ask, and for those that
/// were [reserved](reserve) before.
#[must_use]
pub fn of(queue: &str) -> &str {
    if campaign_of(queue).is_some() {
        return CAMPAIGNS;
    }
    QUEUES.of(queue)
}

/// The label of a kind of job in this process: its own name for the first two hundred that ask.
#[must_use]
pub fn of_kind(kind: &str) -> &str {
    KINDS.of(kind)
}

/// The label of a channel in this process: its own name for the first twenty that ask.
#[must_use]
pub fn of_channel(channel: &str) -> &str {
    CHANNELS.of(channel)
}

/// Whether this process has met more queues, kinds or channels than can have labels of their own.
#[must_use]
pub fn have_run_out() -> bool {
    all().any(|labels| labels.has_run_out.load(Ordering::Relaxed))
}

/// What they have run out for since this was asked last, and how many of it have labels.
pub fn newly_run_out() -> impl Iterator<Item = (&'static str, usize)> {
    let news = all().filter(|labels| labels.has_news.swap(false, Ordering::Relaxed));
    news.map(|labels| (labels.what, labels.most))
}

fn all() -> impl Iterator<Item = &'static Labels> {
    [&QUEUES, &KINDS, &CHANNELS].into_iter()
}

/// Gives labels of their own to queues that an operator has named.
pub fn reserve<'a>(queues: impl IntoIterator<Item = &'a str>) {
    let mut known = QUEUES.known.write();
    known.extend(queues.into_iter().map(str::to_owned));
}

struct Labels {
    /// Of what.
    what: &'static str,
    most: usize,
    known: RwLock<BTreeSet<String>>,
    has_run_out: AtomicBool,
    /// Nobody was told yet.
    has_news: AtomicBool,
}

impl Labels {
    const fn new(what: &'static str, most: usize) -> Self {
        Self {
            what,
            most,
            known: RwLock::new(BTreeSet::new()),
            has_run_out: AtomicBool::new(false),
            has_news: AtomicBool::new(false),
        }
    }

    fn of<'a>(&self, name: &'a str) -> &'a str {
        let known = self.known.read();
        let (is_known, is_full) = (known.contains(name), known.len() >= self.most);
        drop(known);
        if !is_known && is_full {
            self.run_out();
            return OTHER;
        }
        if !is_known {
            self.known.write().insert(name.to_owned());
        }
        name
    }

    fn run_out(&self) {
        // Read first: each name without a label comes by here again and again.
        let is_known = self.has_run_out.load(Ordering::Relaxed);
        if !is_known && !self.has_run_out.swap(true, Ordering::Relaxed) {
            self.has_news.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_names_as_may_have_labels_and_keep_them() {
        let labels = Labels::new("queues", MOST);
        let names: Vec<_> = (0..10_000).map(|i| format!("q{i}")).collect();

        let first: Vec<_> = names.iter().map(|name| labels.of(name)).collect();
        let again: Vec<_> = names.iter().map(|name| labels.of(name)).collect();

        assert_eq!(first[..MOST], names[..MOST]);
        assert!(first[MOST..].iter().all(|label| *label == OTHER));
        assert_eq!(first, again);
    }

    #[test]
    fn that_labels_have_run_out_is_known_for_good_and_news_once() {
        let labels = Labels::new("kinds", 2);
        let state = || {
            let has_news = labels.has_news.swap(false, Ordering::Relaxed);
            (labels.has_run_out.load(Ordering::Relaxed), has_news)
        };

        labels.of("a");
        labels.of("b");
        let before = state();
        labels.of("c");
        let first = state();
        labels.of("d");
        let later = state();

        assert_eq!(before, (false, false));
        assert_eq!((first, later), ((true, true), (true, false)));
    }

    #[test]
    fn the_lines_of_campaigns_share_one() {
        let line = "01890a5d-ac96-774b-bcce-b302099a8057";
        let campaign = campaign_of(line).map(|id| id.to_string());

        if let Some(line) = campaign {
            assert_eq!(of(&line), CAMPAIGNS);
        }
    }
}
