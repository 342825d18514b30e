//! Every statement is understood by every dialect.

use baton_sql::inside::{ALL, Kernel, SCRATCH};

use crate::databases;

#[tokio::test]
async fn postgresql_understands_every_statement() {
    let (store, _database) = databases::postgres().await;
    let Kernel::Postgres(postgres) = store.kernel() else {
        unreachable!()
    };
    let client = postgres.client().await.unwrap();

    let mut refused = Vec::new();
    for script in ALL {
        for statement in script.postgres {
            if let Err(error) = client.prepare(statement.sql).await {
                refused.push(format!("{}: {error:?}", script.name));
            }
        }
    }

    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[tokio::test]
async fn sqlite_understands_every_statement() {
    let sqlite = databases::sqlite().await;
    let Kernel::Sqlite(kernel) = sqlite.store.kernel() else {
        unreachable!()
    };
    let connection = kernel.connect().unwrap();
    connection.execute_batch(SCRATCH).unwrap();

    let mut refused = Vec::new();
    for script in ALL {
        for statement in script.sqlite {
            if let Err(error) = connection.prepare(statement.sql) {
                refused.push(format!("{}: {error}", script.name));
            }
        }
    }

    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn every_step_of_a_statement_has_a_name_that_is_a_word() {
    let statements = ALL
        .iter()
        .flat_map(|script| script.postgres.iter().chain(script.sqlite));

    let steps: Vec<_> = statements.flat_map(|one| steps_of(one.sql)).collect();

    assert!(steps.len() > 200, "{} steps are seen", steps.len());
    let short: Vec<_> = steps.iter().filter(|name| name.len() < 3).collect();
    assert!(short.is_empty(), "{short:?}");
}

/// The names before `AS (`, with what may stand between.
fn steps_of(sql: &str) -> impl Iterator<Item = &str> {
    let heads = sql
        .match_indices(" AS (")
        .chain(sql.match_indices(" AS MATERIALIZED ("));
    heads.filter_map(|(at, _)| {
        let before = sql[..at].trim_end();
        let before = match before.rsplit_once(" (") {
            Some((name, columns)) if columns.ends_with(')') && !columns.contains('(') => name,
            _ => before,
        };
        let (rest, name) = before.rsplit_once([' ', '\n'])?;
        let rest = rest.trim_end();
        let is_step = ["WITH", "RECURSIVE", ","]
            .iter()
            .any(|word| rest.ends_with(word));
        is_step.then_some(name)
    })
}
