//! A PostgreSQL database of the peer's own, empty at the start and gone at the end.

use std::time::Duration;

use anyhow::Result;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, PgPool};
use tokio::time::sleep;

/// Makes the database anew and opens it; the checkpoint keeps earlier runs out of this one's disk
/// time.
pub async fn fresh(server: &str, name: &str, connections: u32) -> Result<PgPool> {
    drop(server, name).await?;
    execute(server, format!("CREATE DATABASE {name}")).await?;
    execute(server, "CHECKPOINT".to_owned()).await?;
    let options: PgConnectOptions = server.parse()?;
    let pool = PgPoolOptions::new().max_connections(connections);
    Ok(pool.connect_with(options.database(name)).await?)
}

pub async fn drop(server: &str, name: &str) -> Result<()> {
    execute(
        server,
        format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"),
    )
    .await
}

/// Waits until the store itself says that nothing is unfinished.
pub async fn until_none(pool: &PgPool, unfinished: &'static str) -> Result<()> {
    loop {
        let (count,): (i64,) = sqlx::query_as(unfinished).fetch_one(pool).await?;
        if count == 0 {
            return Ok(());
        }
        sleep(Duration::from_millis(5)).await;
    }
}

async fn execute(server: &str, statement: String) -> Result<()> {
    let pool = PgPool::connect(server).await?;
    sqlx::query(AssertSqlSafe(statement)).execute(&pool).await?;
    pool.close().await;
    Ok(())
}
