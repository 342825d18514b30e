//! The names of what lies in Redis.
//!
//! All of an installation share one hash tag, so that a script may name several of them on a Redis
//! Cluster too.

use baton_domain::WorkerId;
use baton_ports::Wakeup;
use uuid::Uuid;

/// The names of one installation.
#[derive(Debug, Clone)]
pub struct Keys {
    root: String,
}

impl Keys {
    pub fn of(installation: Uuid) -> Self {
        Self {
            root: format!("{{baton:{installation}}}"),
        }
    }

    /// The sentinel: which generation is open.
    pub fn sentinel(&self) -> String {
        format!("{}:gen", self.root)
    }

    /// What begins the name of everything in a generation.
    pub fn generation(&self, generation: i64) -> String {
        format!("{}:g{generation}:", self.root)
    }

    /// A list: hints that nobody has taken.
    pub fn ready(&self, generation: i64, queue: &str) -> String {
        format!("{}ready:{queue}", self.generation(generation))
    }

    /// A list: hints that a worker has taken.
    pub fn processing(&self, generation: i64, worker: WorkerId) -> String {
        format!(
            "{}processing:{}",
            self.generation(generation),
            worker.uuid()
        )
    }

    /// A set: the workers that may have taken hints.
    pub fn workers(&self, generation: i64) -> String {
        format!("{}workers", self.generation(generation))
    }

    /// Shows that a worker lives.
    pub fn heartbeat(&self, worker: WorkerId) -> String {
        format!("{}:hb:worker:{}", self.root, worker.uuid())
    }

    /// What a node writes to see that Redis takes writes.
    pub fn probe(&self, node: Uuid) -> String {
        format!("{}:probe:{node}", self.root)
    }

    /// The channel of a kind of wake-up.
    pub fn wakeups(&self, wakeup: Wakeup) -> String {
        format!("{}:wakeups:{}", self.root, wakeup.as_str())
    }

    /// Finds what belongs to any generation.
    pub fn generations(&self) -> String {
        format!("{}:g[0-9-]*:*", self.root)
    }
}
