//! What queues, kinds and channels are called in metrics: whoever may enqueue may invent them, and each series stays for good.

use std::collections::BTreeSet;

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
static QUEUES: Labels = Labels::new(MOST);
static KINDS: Labels = Labels::new(MOST_KINDS);
static CHANNELS: Labels = Labels::new(MOST_CHANNELS);

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

/// Gives labels of their own to queues that an operator has named.
pub fn reserve<'a>(queues: impl IntoIterator<Item = &'a str>) {
    let mut known = QUEUES.known.write();
    known.extend(queues.into_iter().map(str::to_owned));
}

struct Labels {
    most: usize,
    known: RwLock<BTreeSet<String>>,
}

impl Labels {
    const fn new(most: usize) -> Self {
        Self {
            most,
            known: RwLock::new(BTreeSet::new()),
        }
    }

    fn of<'a>(&self, name: &'a str) -> &'a str {
        let known = self.known.read();
        let (is_known, is_full) = (known.contains(name), known.len() >= self.most);
        drop(known);
        if !is_known && is_full {
            return OTHER;
        }
        if !is_known {
            self.known.write().insert(name.to_owned());
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_names_as_may_have_labels_and_keep_them() {
        let labels = Labels::new(MOST);
        let names: Vec<_> = (0..10_000).map(|i| format!("q{i}")).collect();

        let first: Vec<_> = names.iter().map(|name| labels.of(name)).collect();
        let again: Vec<_> = names.iter().map(|name| labels.of(name)).collect();

        assert_eq!(first[..MOST], names[..MOST]);
        assert!(first[MOST..].iter().all(|label| *label == OTHER));
        assert_eq!(first, again);
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
