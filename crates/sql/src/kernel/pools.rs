//! How the connections are used at this moment. It is told when somebody asks for the metrics; no call pays for it.

use super::Kernel;

/// How the connections of a pool are used at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolUse {
    /// What the pool is for.
    pub pool: &'static str,
    /// Connections that are lent.
    pub busy: usize,
    /// Connections that are open and lent to nobody.
    pub idle: usize,
    /// How many wait for one.
    pub waiting: usize,
}

impl PoolUse {
    /// As the pool says it of itself.
    pub(super) fn of(pool: &'static str, status: deadpool::Status) -> Self {
        Self {
            pool,
            busy: status.size.saturating_sub(status.available),
            idle: status.available,
            waiting: status.waiting,
        }
    }
}

impl Kernel {
    /// How the connections of each pool are used.
    #[must_use]
    pub fn pools(&self) -> Vec<PoolUse> {
        match self {
            Self::Postgres(postgres) => postgres.pools().into(),
            Self::Mysql(mysql) => mysql.pools().into(),
            Self::Sqlite(sqlite) => vec![sqlite.pool()],
        }
    }

    /// Tells the metrics of it.
    pub fn show_pools(&self) {
        for used in self.pools() {
            for (state, count) in [("busy", used.busy), ("idle", used.idle)] {
                metrics::gauge!("baton_database_pool_connections", "pool" => used.pool, "state" => state)
                    .set(as_f64(count));
            }
            metrics::gauge!("baton_database_pool_waiting", "pool" => used.pool)
                .set(as_f64(used.waiting));
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a gauge is a float by nature")]
const fn as_f64(count: usize) -> f64 {
    count as f64
}
