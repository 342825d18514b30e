//! The gates: which figure of ours stands against which other one, and how far ahead it has to be.

/// A ratio that has to hold.
pub struct Gate {
    pub figure: &'static str,
    pub ours: Source,
    pub against: Source,
    pub wanted: Wanted,
    pub gate: f64,
    pub aim: f64,
}

/// Which way a ratio is good.
#[derive(Clone, Copy)]
pub enum Wanted {
    AtLeast,
    AtMost,
}

/// Where one side of a ratio comes from.
pub enum Source {
    /// The best median of these peers.
    Rate {
        peers: &'static [&'static str],
        store: Option<&'static str>,
        workload: &'static str,
        /// Any, if none is given.
        concurrency: Option<u64>,
    },
    /// The middle latency, in milliseconds.
    P50 {
        store: Option<&'static str>,
        workload: &'static str,
    },
    /// How long one of them takes, in milliseconds, done one after the other.
    Each { workload: &'static str },
    /// An amount, such as memory.
    Amount { workload: &'static str },
    /// A figure that nobody measures.
    Fixed(f64),
}

const POSTGRES_PEERS: &[&str] = &[
    "graphile-rs-batched",
    "graphile-batched",
    "pgboss-work",
    "pgboss-fetch1000",
    "apalis-pg-batched",
];

pub const GATES: [Gate; 11] = [
    Gate {
        figure: "PostgreSQL, drain / best durable peer",
        ours: ours("drain", None),
        against: Source::Rate {
            peers: POSTGRES_PEERS,
            store: None,
            workload: "drain",
            concurrency: None,
        },
        wanted: Wanted::AtLeast,
        gate: 1.5,
        aim: 2.0,
    },
    Gate {
        figure: "PostgreSQL, batch enqueue / raw 1,000-row INSERTs",
        ours: ours("enqueue_bulk", Some(1)),
        against: limit("pg_insert_1000_per_stmt", 1),
        wanted: Wanted::AtLeast,
        gate: 0.55,
        aim: 0.7,
    },
    Gate {
        figure: "Single enqueue, 32 callers / raw commits of 32 clients",
        ours: ours("enqueue_single", Some(32)),
        against: limit("pg_insert1_bigint", 32),
        wanted: Wanted::AtLeast,
        gate: 0.7,
        aim: 1.0,
    },
    Gate {
        figure: "Single enqueue, 256 callers / raw commits of 32 clients",
        ours: ours("enqueue_single", Some(256)),
        against: limit("pg_insert1_bigint", 32),
        wanted: Wanted::AtLeast,
        gate: 1.5,
        aim: 3.0,
    },
    Gate {
        figure: "Idle enqueue to start, p50 / one durable commit",
        ours: Source::P50 {
            store: Some("postgres"),
            workload: "latency_idle",
        },
        against: Source::Each {
            workload: "pg_insert1_bigint",
        },
        wanted: Wanted::AtMost,
        gate: 1.6,
        aim: 1.2,
    },
    Gate {
        figure: "Drain, 10,000,000 finished jobs kept / none",
        ours: ours("drain_history_10000000", None),
        against: ours("drain", None),
        wanted: Wanted::AtLeast,
        gate: 0.9,
        aim: 1.0,
    },
    Gate {
        figure: "Batch enqueue, 10,000,000 finished jobs kept / none",
        ours: ours("enqueue_bulk_history_10000000", None),
        against: ours("enqueue_bulk", Some(1)),
        wanted: Wanted::AtLeast,
        gate: 0.9,
        aim: 1.0,
    },
    Gate {
        figure: "Drain, a snapshot held open / without",
        ours: ours("drain_snapshot", None),
        against: ours("drain", None),
        wanted: Wanted::AtLeast,
        gate: 0.8,
        aim: 0.95,
    },
    Gate {
        figure: "SQLite, claim and settle in batches / raw",
        ours: Source::Rate {
            peers: &["baton"],
            store: Some("sqlite"),
            workload: "claim_settle",
            concurrency: None,
        },
        against: limit("sqlite_claim_complete_events_k1000_FULL", 1),
        wanted: Wanted::AtLeast,
        gate: 0.6,
        aim: 1.0,
    },
    Gate {
        figure: "HTTP sends, whole pipeline / wrk from one core",
        ours: ours("http", None),
        against: limit("http_post_keepalive_1core_client", 128),
        wanted: Wanted::AtLeast,
        gate: 0.25,
        aim: 0.4,
    },
    Gate {
        figure: "Memory while 1,000,000 jobs drain / 150 MB",
        ours: Source::Amount {
            workload: "memory_drain",
        },
        against: Source::Fixed(150.0),
        wanted: Wanted::AtMost,
        gate: 1.0,
        aim: 1.0,
    },
];

/// Ours on PostgreSQL.
const fn ours(workload: &'static str, concurrency: Option<u64>) -> Source {
    Source::Rate {
        peers: &["baton"],
        store: Some("postgres"),
        workload,
        concurrency,
    }
}

const fn limit(workload: &'static str, concurrency: u64) -> Source {
    Source::Rate {
        peers: &["limit"],
        store: None,
        workload,
        concurrency: Some(concurrency),
    }
}
