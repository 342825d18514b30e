//! The triggers of a sealed database that refuse every change, for whoever was connected before.
//!
//! A file of SQLite needs none: nobody else can have it open.

use std::fmt::Write as _;

use mysql_async::{Conn, Error, prelude::Queryable};
use tokio_postgres::Client;

use crate::{kernel::Kernel, open::OpenError};

/// What every change is answered.
const REFUSAL: &str = "this installation is being moved, or has moved: nothing may change here";
/// What a copy itself writes.
const OPEN: &str = "('schema_migrations', 'schema_under_way', 'relocation', 'relocated_pages')";

/// Sets them, or what is missing of them.
pub async fn set(kernel: &Kernel) -> Result<(), OpenError> {
    match kernel {
        Kernel::Sqlite(_) => Ok(()),
        Kernel::Postgres(postgres) => {
            let client = postgres.client().await?;
            let sql = set_on_postgres(&tables_of_postgres(&client).await?);
            Ok(client.batch_execute(&sql).await?)
        }
        Kernel::Mysql(mysql) => {
            let mut session = mysql.session().await?;
            for (name, event, table) in triggers(&mut session).await? {
                set_on_mysql(&mut session, &name, event, &table).await?;
            }
            Ok(())
        }
    }
}

async fn set_on_mysql(
    session: &mut Conn,
    name: &str,
    event: &str,
    table: &str,
) -> Result<(), OpenError> {
    let sql = format!(
        "CREATE TRIGGER \"{name}\" BEFORE {event} ON \"{table}\" FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '{REFUSAL}'"
    );
    match session.query_drop(sql).await {
        Err(Error::Server(said)) if said.code == THERE_ALREADY => Ok(()),
        Err(Error::Server(said)) if MAY_NOT.contains(&said.code) => {
            Err(OpenError::NotCopied(format!(
                "the database to be copied takes no triggers from this user, and without them a server that was forgotten could go on writing: {}. \
                 Grant TRIGGER, and where there is a binary log SET GLOBAL log_bin_trust_function_creators = 1 for as long as the copy takes; \
                 then run it again. Until then no server starts there, unless it is given up with --reopen",
                said.message
            )))
        }
        set => Ok(set?),
    }
}

/// Takes them away.
pub async fn take_away(kernel: &Kernel) -> Result<(), OpenError> {
    match kernel {
        Kernel::Sqlite(_) => Ok(()),
        Kernel::Postgres(postgres) => {
            let client = postgres.client().await?;
            let sql = "DROP FUNCTION IF EXISTS refuse_sealed() CASCADE";
            Ok(client.batch_execute(sql).await?)
        }
        Kernel::Mysql(mysql) => {
            let mut session = mysql.session().await?;
            for (name, _, _) in triggers(&mut session).await? {
                let sql = format!("DROP TRIGGER IF EXISTS \"{name}\"");
                session.query_drop(sql).await?;
            }
            Ok(())
        }
    }
}

async fn tables_of_postgres(client: &Client) -> Result<Vec<String>, OpenError> {
    let sql = format!(
        "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT IN {OPEN} ORDER BY 1"
    );
    let rows = client.query(&sql, &[]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// All in one go, which is one transaction.
fn set_on_postgres(tables: &[String]) -> String {
    let mut sql = format!(
        "CREATE OR REPLACE FUNCTION refuse_sealed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$;"
    );
    for table in tables {
        write!(
            sql,
            "CREATE OR REPLACE TRIGGER sealed BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON \"{table}\" FOR EACH STATEMENT EXECUTE FUNCTION refuse_sealed();"
        )
        .expect("strings grow");
    }
    sql
}

/// A trigger of this name is there.
const THERE_ALREADY: u16 = 1359;
/// The user lacks the right; the binary log wants a higher one.
const MAY_NOT: [u16; 4] = [1044, 1142, 1227, 1419];

/// The triggers on MySQL: a name, what it stands before, and where.
async fn triggers(session: &mut Conn) -> Result<Vec<(String, &'static str, String)>, OpenError> {
    let sql = format!(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = database() AND table_type = 'BASE TABLE' AND table_name NOT IN {OPEN} ORDER BY 1"
    );
    let tables: Vec<String> = session.query(sql).await?;
    let events = ["INSERT", "UPDATE", "DELETE"];
    let named = |table: &str, event: &str| format!("sealed_{table}_{}", event.to_lowercase());
    let of = |table: String| events.map(|event| (named(&table, event), event, table.clone()));
    Ok(tables.into_iter().flat_map(of).collect())
}
