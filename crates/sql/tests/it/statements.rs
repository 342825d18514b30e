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
