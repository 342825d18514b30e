//! The gates: which figure of ours stands against which other one, and how far ahead it has to be.

use self::Wanted::{AtLeast, AtMost};

/// A ratio that has to hold.
pub struct Gate {
    pub figure: &'static str,
    pub ours: Source,
    pub against: Source,
    pub wanted: Wanted,
    /// Without one, the figure is only reported.
    pub gate: Option<f64>,
    pub aim: f64,
}

/// Which way a ratio is good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    AtLeast,
    AtMost,
}

/// Where one side of a ratio comes from.
pub enum Source {
    /// The best median of these peers; `None` means any.
    Rate {
        peers: &'static [&'static str],
        store: Option<&'static str>,
        measurement: Option<&'static str>,
        workload: &'static str,
        concurrency: Option<u64>,
        beside: Option<&'static str>,
    },
    /// Our middle latency on PostgreSQL, in milliseconds.
    P50 { workload: &'static str },
    /// What 99 of 100 of ours took no longer than, in milliseconds.
    P99 {
        store: &'static str,
        workload: &'static str,
    },
    /// Our amount of something on PostgreSQL, such as memory.
    Amount { workload: &'static str },
    /// A figure that nobody measures.
    Fixed(f64),
}

/// Those that are as durable as we are.
const POSTGRES_PEERS: &[&str] = &[
    "graphile-rs-batched",
    "graphile-batched",
    "pgboss-work",
    "pgboss-fetch1000",
    "apalis-pg-batched",
];

pub const GATES: [Gate; 31] = [
    Gate {
        figure: "PostgreSQL, drain / best durable peer",
        ours: ours("drain", "drain", None, None),
        against: best_peer("drain"),
        wanted: AtLeast,
        gate: Some(1.5),
        aim: 2.0,
    },
    Gate {
        figure: "PostgreSQL, batch enqueue / raw 1,000-row INSERTs",
        ours: ours("batch", "enqueue_bulk", Some(1), None),
        against: limit("pg_insert_1000_per_stmt", 1),
        wanted: AtLeast,
        gate: Some(0.55),
        aim: 0.7,
    },
    Gate {
        figure: "Single enqueue, 32 callers / raw commits of 32 clients",
        ours: ours("single", "enqueue_single", Some(32), None),
        against: limit("pg_insert1_bigint", 32),
        wanted: AtLeast,
        gate: Some(0.7),
        aim: 1.0,
    },
    Gate {
        figure: "Single enqueue, 256 callers / raw commits of 32 clients",
        ours: ours("single", "enqueue_single", Some(256), None),
        against: limit("pg_insert1_bigint", 32),
        wanted: AtLeast,
        gate: Some(1.5),
        aim: 3.0,
    },
    // The commits are made in turn with the samples: the disk's mood changes within seconds.
    Gate {
        figure: "Idle enqueue to start, p50 / a durable commit beside it",
        ours: Source::P50 {
            workload: "latency_idle",
        },
        against: Source::P50 { workload: "commit" },
        wanted: AtMost,
        gate: Some(1.6),
        aim: 1.2,
    },
    Gate {
        figure: "Drain, 10,000,000 finished jobs kept / none",
        ours: ours("history", "drain_history", None, Some("empty")),
        against: ours("history", "drain_history", None, None),
        wanted: AtLeast,
        gate: Some(0.9),
        aim: 1.0,
    },
    Gate {
        figure: "Batch enqueue, 10,000,000 finished jobs kept / none",
        ours: ours("history", "enqueue_bulk_history", None, Some("empty")),
        against: ours("history", "enqueue_bulk_history", None, None),
        wanted: AtLeast,
        gate: Some(0.9),
        aim: 1.0,
    },
    Gate {
        figure: "Drain, a snapshot held open / without",
        ours: ours("snapshot", "drain_snapshot", None, Some("without")),
        against: ours("snapshot", "drain", None, None),
        wanted: AtLeast,
        gate: Some(0.8),
        aim: 0.95,
    },
    Gate {
        figure: "SQLite, claim and settle in batches / raw",
        ours: on_sqlite("store", "store_claim_settle", None),
        against: limit("sqlite_claim_complete_events_k1000_FULL", 1),
        wanted: AtLeast,
        gate: Some(0.6),
        aim: 1.0,
    },
    Gate {
        figure: "MariaDB, drain / PostgreSQL's",
        ours: on_mariadb("drain", "drain", None, None),
        against: ours("drain", "drain", None, None),
        wanted: AtLeast,
        gate: Some(0.6),
        aim: 0.9,
    },
    Gate {
        figure: "MariaDB, batch enqueue / PostgreSQL's",
        ours: on_mariadb("batch", "enqueue_bulk", Some(1), None),
        against: ours("batch", "enqueue_bulk", Some(1), None),
        wanted: AtLeast,
        gate: Some(0.6),
        aim: 0.7,
    },
    Gate {
        figure: "MariaDB, recipients expanded / PostgreSQL's",
        ours: on_mariadb("campaigns", "expand", None, Some("expand_bare")),
        against: ours("campaigns", "expand", None, Some("expand_bare")),
        wanted: AtLeast,
        gate: Some(0.4),
        aim: 0.6,
    },
    Gate {
        figure: "MariaDB, deliveries drained / PostgreSQL's",
        ours: on_mariadb("campaigns", "campaign_drain", None, None),
        against: ours("campaigns", "campaign_drain", None, None),
        wanted: AtLeast,
        gate: Some(0.6),
        aim: 0.7,
    },
    Gate {
        figure: "HTTP sends, whole pipeline / wrk from one core",
        ours: ours("http", "http_sends", None, None),
        against: limit("http_post_keepalive_1core_client", 128),
        wanted: AtLeast,
        gate: Some(0.25),
        aim: 0.4,
    },
    Gate {
        figure: "Remote worker, drain over HTTP by 500 / by a server's worker",
        ours: ours("remote", "remote_drain_500", None, Some("remote_embedded")),
        against: ours("remote", "remote_embedded", None, None),
        wanted: AtLeast,
        gate: Some(0.6),
        aim: 0.8,
    },
    Gate {
        figure: "Remote worker, drain over HTTP by 500 / 20,000 a second",
        ours: ours("remote", "remote_drain_500", None, Some("remote_embedded")),
        against: Source::Fixed(20_000.0),
        wanted: AtLeast,
        gate: Some(1.0),
        aim: 2.0,
    },
    Gate {
        figure: "Remote worker in Python, one process / 3,000 a second",
        ours: ours("remote", "remote_drain_python", None, None),
        against: Source::Fixed(3_000.0),
        wanted: AtLeast,
        gate: Some(1.0),
        aim: 2.0,
    },
    Gate {
        figure: "Remote worker in Node, one process / 6,000 a second",
        ours: ours("remote", "remote_drain_node", None, None),
        against: Source::Fixed(6_000.0),
        wanted: AtLeast,
        gate: Some(1.0),
        aim: 2.0,
    },
    Gate {
        figure: "Enqueue to the answer of a claim that waits, p99 / 5 ms",
        ours: Source::P99 {
            store: "postgres",
            workload: "remote_wake",
        },
        against: Source::Fixed(5.0),
        wanted: AtMost,
        gate: Some(1.0),
        aim: 0.5,
    },
    Gate {
        figure: "Cancel to the handler far away, p99 / 100 ms",
        ours: Source::P99 {
            store: "postgres",
            workload: "remote_cancel",
        },
        against: Source::Fixed(100.0),
        wanted: AtMost,
        gate: Some(1.0),
        aim: 0.5,
    },
    Gate {
        figure: "Server under 1,000 idle remote workers / 1 % of a core",
        ours: Source::Amount {
            workload: "remote_idle",
        },
        against: Source::Fixed(1.0),
        wanted: AtMost,
        gate: Some(1.0),
        aim: 0.5,
    },
    Gate {
        figure: "Log of PostgreSQL for a job, enqueue to finish / 1,000 B",
        ours: Source::Amount { workload: "wal" },
        against: Source::Fixed(1000.0),
        wanted: AtMost,
        gate: None,
        aim: 1.0,
    },
    Gate {
        figure: "Memory while 1,000,000 jobs drain / 150 MB",
        ours: Source::Amount {
            workload: "memory_drain",
        },
        against: Source::Fixed(150.0),
        wanted: AtMost,
        gate: Some(1.0),
        aim: 1.0,
    },
    Gate {
        figure: "Campaign, recipients expanded / bare INSERT ... SELECT",
        ours: ours("campaigns", "expand", None, Some("expand_bare")),
        against: ours("campaigns", "expand_bare", None, None),
        wanted: AtLeast,
        gate: Some(0.5),
        aim: 0.55,
    },
    Gate {
        figure: "SQLite, recipients expanded / bare INSERT ... SELECT",
        ours: on_sqlite("campaigns", "expand", Some("expand_bare")),
        against: on_sqlite("campaigns", "expand_bare", None),
        wanted: AtLeast,
        gate: Some(0.5),
        aim: 0.55,
    },
    Gate {
        figure: "Campaign, deliveries drained / best durable peer",
        ours: ours("campaigns", "campaign_drain", None, None),
        against: best_peer("drain"),
        wanted: AtLeast,
        gate: Some(2.0),
        aim: 3.0,
    },
    Gate {
        figure: "Campaign, stop to its answer, p99 / 200 ms",
        ours: Source::P99 {
            store: "postgres",
            workload: "campaign_stop",
        },
        against: Source::Fixed(200.0),
        wanted: AtMost,
        gate: Some(1.0),
        aim: 1.0,
    },
    Gate {
        figure: "Campaign, last call after a stop, p99 / 2 s",
        ours: Source::P99 {
            store: "postgres",
            workload: "campaign_last_call",
        },
        against: Source::Fixed(2_000.0),
        wanted: AtMost,
        gate: Some(1.0),
        aim: 1.0,
    },
    Gate {
        figure: "Campaign, resume to the next chunk, p99 / 1 s",
        ours: Source::P99 {
            store: "postgres",
            workload: "campaign_resume",
        },
        against: Source::Fixed(1_000.0),
        wanted: AtMost,
        gate: Some(1.0),
        aim: 1.0,
    },
    Gate {
        figure: "Activity notification beside a campaign, p99 / idle",
        ours: Source::P99 {
            store: "postgres",
            workload: "activity_beside",
        },
        against: Source::P99 {
            store: "postgres",
            workload: "activity_idle",
        },
        wanted: AtMost,
        gate: Some(3.0),
        aim: 3.0,
    },
    Gate {
        figure: "SQLite, activity notification beside a campaign, p99 / idle",
        ours: Source::P99 {
            store: "sqlite",
            workload: "activity_beside",
        },
        against: Source::P99 {
            store: "sqlite",
            workload: "activity_idle",
        },
        wanted: AtMost,
        gate: Some(3.0),
        aim: 3.0,
    },
];

/// Ours on PostgreSQL.
const fn ours(
    measurement: &'static str,
    workload: &'static str,
    concurrency: Option<u64>,
    beside: Option<&'static str>,
) -> Source {
    ours_on("postgres", measurement, workload, concurrency, beside)
}

/// Ours on SQLite, by one caller.
const fn on_sqlite(
    measurement: &'static str,
    workload: &'static str,
    beside: Option<&'static str>,
) -> Source {
    ours_on("sqlite", measurement, workload, Some(1), beside)
}

/// Ours on MariaDB.
const fn on_mariadb(
    measurement: &'static str,
    workload: &'static str,
    concurrency: Option<u64>,
    beside: Option<&'static str>,
) -> Source {
    ours_on("mysql", measurement, workload, concurrency, beside)
}

const fn ours_on(
    store: &'static str,
    measurement: &'static str,
    workload: &'static str,
    concurrency: Option<u64>,
    beside: Option<&'static str>,
) -> Source {
    Source::Rate {
        peers: &["baton"],
        store: Some(store),
        measurement: Some(measurement),
        workload,
        concurrency,
        beside,
    }
}

const fn best_peer(workload: &'static str) -> Source {
    Source::Rate {
        peers: POSTGRES_PEERS,
        store: None,
        measurement: None,
        workload,
        concurrency: None,
        beside: None,
    }
}

const fn limit(workload: &'static str, concurrency: u64) -> Source {
    Source::Rate {
        peers: &["limit"],
        store: None,
        measurement: None,
        workload,
        concurrency: Some(concurrency),
        beside: None,
    }
}
