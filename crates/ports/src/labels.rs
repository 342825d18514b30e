//! What queues are called in metrics: whoever may enqueue may invent queues, and each series stays for good.

use std::collections::BTreeSet;

use baton_domain::queue::campaign_of;
use parking_lot::RwLock;

/// How many queues have a label of their own in one process.
pub const MOST: usize = 100;
/// What all others are called together. No queue can have that name.
pub const OTHER: &str = "_other";
/// What the lines of campaigns are called together.
pub const CAMPAIGNS: &str = "_campaigns";

/// Those that have a label of their own.
static KNOWN: Labels = Labels::new();

/// The label of a queue in this process: its own name for the first hundred that ask, and for those that
/// were [reserved](reserve) before.
#[must_use]
pub fn of(queue: &str) -> &str {
    KNOWN.of(queue)
}

/// Gives labels of their own to queues that an operator has named.
pub fn reserve<'a>(queues: impl IntoIterator<Item = &'a str>) {
    let mut known = KNOWN.0.write();
    known.extend(queues.into_iter().map(str::to_owned));
}

struct Labels(RwLock<BTreeSet<String>>);

impl Labels {
    const fn new() -> Self {
        Self(RwLock::new(BTreeSet::new()))
    }

    fn of<'a>(&self, queue: &'a str) -> &'a str {
        if campaign_of(queue).is_some() {
            return CAMPAIGNS;
        }
        let known = self.0.read();
        let (is_known, is_full) = (known.contains(queue), known.len() >= MOST);
        drop(known);
        if !is_known && is_full {
            return OTHER;
        }
        if !is_known {
            self.0.write().insert(queue.to_owned());
        }
        queue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_queues_have_labels_and_keep_them() {
        let labels = Labels::new();
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
            assert_eq!(Labels::new().of(&line), CAMPAIGNS);
        }
    }
}
