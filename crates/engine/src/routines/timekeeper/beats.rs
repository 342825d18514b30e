//! When a node writes that it is there.

use baton_domain::node::{BEAT, Node};
use tokio::time::Instant;

/// When a node writes that it is there.
pub struct Beats {
    node: Node,
    last: Option<Instant>,
}

impl Beats {
    pub const fn of(node: Node) -> Self {
        Self { node, last: None }
    }

    /// The node, if it is to write now. Whatever comes of that, the next time is a beat later: the clock is asked meanwhile.
    pub fn due(&mut self) -> Option<&Node> {
        if self.last.is_some_and(|last| last.elapsed() < BEAT) {
            return None;
        }
        self.last = Some(Instant::now());
        Some(&self.node)
    }
}
