//! Migrations arrive at one schema, from wherever they start and however often they run.

mod broken;
mod forward;
mod gentle;
mod locks;
mod mysql;
mod older;

mod refused;

use baton_sql::{
    GENERATION,
    inside::{POSTGRES, SQLITE, Step, apply_to_postgres, apply_to_sqlite},
};
use rusqlite::Connection;
use tokio_postgres::Client;

/// A job as a schema of the first step can hold it.
const JOB: &str = "INSERT INTO jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
  VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f7', 'mail', 'default', 0, '{}', 5, 4,
    '{\"strategy\":\"fixed\",\"base\":\"10s\",\"cap\":\"10s\",\"jitter\":\"none\"}', 30000000, 'at_least_once', '[]', 5);
INSERT INTO ready (queue, priority, run_at, job_id, since, attempt, tries, losses, run)
  VALUES ('default', 0, 5, '018bcfe6-0440-776b-a11e-d957ff8d05f7', 5, 0, 0, 0, 1);";

fn all(steps: &[Step]) -> Vec<String> {
    steps.iter().map(|step| step.name.to_owned()).collect()
}

/// The first steps and one more that this program does not have.
fn first_and(steps: &[Step], count: usize, sql: &'static str) -> &'static [Step] {
    let known = steps[..count].iter().map(|step| Step {
        name: step.name,
        sql: step.sql,
        oldest: step.oldest,
        finalized: step.finalized,
    });
    let more = Step {
        name: "9999_more",
        sql,
        oldest: GENERATION,
        finalized: GENERATION,
    };
    Box::leak(known.chain([more]).collect())
}

async fn apply_first_to_postgres(client: &mut Client, count: usize) {
    apply_to_postgres(client, &POSTGRES[..count]).await.unwrap();
}

fn apply_first_to_sqlite(connection: &mut Connection, count: usize) {
    apply_to_sqlite(connection, &SQLITE[..count]).unwrap();
}
