//! Each text of each table, damaged in turn: each read of the port goes on with the rest.

use baton_ports::store::Upkeep;
use baton_sql::SqlStore;
use baton_testkit::Brand;
use mysql_async::{Conn, prelude::Queryable};
use tokio_postgres::Client;

use super::{
    reads::{self, Read},
    stock::{self, Stock},
};
use crate::{brands::on_each_brand, databases};

on_each_brand!(whichever_text_of_mysql_is_damaged_each_read_goes_on_with_the_rest);

/// Of which there is one row, or which the work itself does not read.
const EXEMPT: [&str; 5] = [
    "stream",
    "hint_generation",
    "leadership",
    "recipient_numbers",
    "schema_migrations",
];

/// What others call the thing by, or find it by: under another name it is another thing, and can be read.
const NAMES: [(&str, &str); 5] = [
    ("ready", "queue"),
    ("recipients", "id"),
    ("recipients", "platform"),
    ("sessions", "user_id"),
    ("users", "name"),
];

/// A text of a table.
pub struct Place {
    pub table: String,
    pub column: String,
}

#[tokio::test]
async fn whichever_text_of_sqlite_is_damaged_each_read_goes_on_with_the_rest() {
    let sqlite = databases::sqlite().await;
    let stock = stock::fill(&sqlite.store).await;
    let connection = sqlite.connect();
    connection
        .execute_batch("PRAGMA ignore_check_constraints = ON")
        .unwrap();
    let before = reads::all(&sqlite.store, &stock).await;

    let (places, mut wrong) = (of_sqlite(&connection), Vec::new());
    assert!(places.len() > SOME);
    for place in places {
        for damage in ["X'FF'", "'no such thing'"] {
            let Place { table, column } = &place;
            connection
                .execute_batch(&format!("CREATE TABLE kept AS SELECT * FROM {table}"))
                .unwrap();
            connection
                .execute_batch(&damaged(&connection, &place, damage))
                .unwrap();
            wrong.extend(
                judge(
                    &sqlite.store,
                    &stock,
                    &before,
                    &format!("{table}.{column} = {damage}"),
                )
                .await,
            );
            connection
                .execute_batch(&format!(
                    "DELETE FROM {table}; INSERT INTO {table} SELECT * FROM kept; DROP TABLE kept"
                ))
                .unwrap();
        }
    }

    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn whichever_text_of_postgresql_is_damaged_each_read_goes_on_with_the_rest() {
    let (store, database) = databases::postgres().await;
    let stock = stock::fill(&store).await;
    let client = databases::connect(&database.url()).await;
    client.batch_execute(UNCHECKED).await.unwrap();
    let before = reads::all(&store, &stock).await;

    let (places, mut wrong) = (of_postgres(&client).await, Vec::new());
    assert!(places.len() > SOME);
    for Place { table, column } in places {
        let damage = format!(
            "CREATE TABLE kept AS SELECT * FROM {table};
             UPDATE {table} SET {column} = 'no such thing' WHERE ctid = (SELECT ctid FROM {table} WHERE {column} IS NOT NULL ORDER BY 1 LIMIT 1)"
        );
        client.batch_execute(&damage).await.unwrap();
        wrong.extend(judge(&store, &stock, &before, &format!("{table}.{column}")).await);
        let mend = format!(
            "DELETE FROM {table}; INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM kept; DROP TABLE kept"
        );
        client.batch_execute(&mend).await.unwrap();
    }

    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn whichever_text_of_mysql_is_damaged_each_read_goes_on_with_the_rest(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let stock = stock::fill(&store).await;
    let mut session = Conn::from_url(&url).await.unwrap();
    uncheck_mysql(&mut session, brand).await;
    let before = reads::all(&store, &stock).await;

    let (places, mut wrong) = (of_mysql(&mut session).await, Vec::new());
    assert!(places.len() > SOME);
    for Place { table, column } in places {
        let columns = columns_of_mysql(&mut session, &table).await;
        let (first, _) = columns.split_once(',').unwrap();
        let damage = format!(
            "CREATE TEMPORARY TABLE kept AS SELECT {columns} FROM {table};
             UPDATE {table} SET `{column}` = 'no such thing' WHERE `{column}` IS NOT NULL ORDER BY {first} LIMIT 1"
        );
        session.query_drop(damage).await.unwrap();
        wrong.extend(judge(&store, &stock, &before, &format!("{table}.{column}")).await);
        let mend = format!(
            "DELETE FROM {table}; INSERT INTO {table} ({columns}) SELECT * FROM kept; DROP TEMPORARY TABLE kept"
        );
        session.query_drop(mend).await.unwrap();
    }

    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Enough of them to be sure that they were found.
const SOME: usize = 30;

fn is_meant(place: &Place) -> bool {
    let Place { table, column } = place;
    !EXEMPT.contains(&table.as_str()) && !NAMES.contains(&(table, column))
}

/// How many things a damaged row can hide: one, but two successes stand in one settlement here.
fn hidden_by(damage: &str) -> usize {
    1 + usize::from(damage.starts_with("settlements."))
}

/// What of all reads is not as it must be.
async fn judge(store: &SqlStore, stock: &Stock, before: &[Read], damage: &str) -> Vec<String> {
    let after = reads::all(store, stock).await;
    let pairs = before.iter().zip(&after);
    let wrong = pairs.filter_map(|(before, after)| {
        let was = *before.found.as_ref().unwrap();
        match &after.found {
            // One that cannot be read is missing, and it alone.
            Ok(found) if found + hidden_by(damage) >= was => None,
            Ok(found) => Some(format!("{damage}: {} gave {found} of {was}", after.what)),
            Err(error) if after.is_of_one && reads::is_clear(error) => None,
            Err(error) => Some(format!("{damage}: {}: {error}", after.what)),
        }
    });
    let mut wrong: Vec<_> = wrong.collect();
    let is_short = |(was, is): (&Read, &Read)| match (&was.found, &is.found) {
        (Ok(was), Ok(is)) => is < was,
        _ => true,
    };
    if before.iter().zip(&after).any(is_short) && store.unreadable().await.unwrap().is_empty() {
        wrong.push(format!("{damage}: nobody is told"));
    }
    wrong
}

pub fn of_sqlite(connection: &rusqlite::Connection) -> Vec<Place> {
    let sql = "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND lower(c.type) = 'text' AND c.pk = 0 ORDER BY 1, 2";
    let mut statement = connection.prepare(sql).unwrap();
    let place = |row: &rusqlite::Row<'_>| {
        Ok(Place {
            table: row.get(0)?,
            column: row.get(1)?,
        })
    };
    let places = statement.query_map([], place).unwrap();
    places.map(Result::unwrap).filter(is_meant).collect()
}

fn damaged(connection: &rusqlite::Connection, place: &Place, damage: &str) -> String {
    let Place { table, column } = place;
    let sql = format!("SELECT group_concat(name) FROM pragma_table_info('{table}') WHERE pk > 0");
    let key: String = connection.query_row(&sql, [], |row| row.get(0)).unwrap();
    format!(
        "UPDATE {table} SET {column} = {damage} WHERE ({key}) = (SELECT {key} FROM {table} WHERE {column} IS NOT NULL ORDER BY {key} LIMIT 1)"
    )
}

pub async fn of_postgres(client: &Client) -> Vec<Place> {
    let sql = "SELECT c.relname::text, a.attname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid = 'text'::regtype
          AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey))
        ORDER BY 1, 2";
    let rows = client.query(sql, &[]).await.unwrap();
    let places = rows.iter().map(|row| Place {
        table: row.get(0),
        column: row.get(1),
    });
    places.filter(is_meant).collect()
}

/// What a bad disk does not ask.
pub const UNCHECKED: &str = "DO $$ DECLARE c record; BEGIN
  FOR c IN SELECT conname, conrelid::regclass AS t FROM pg_constraint WHERE contype = 'c' AND conrelid <> 0 AND connamespace = current_schema()::regnamespace LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', c.t, c.conname);
  END LOOP;
END $$";

/// Ids are texts there as well; those that no primary key holds are among them.
pub async fn of_mysql(session: &mut Conn) -> Vec<Place> {
    let sql = "SELECT c.table_name, c.column_name FROM information_schema.columns c
        JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
        WHERE c.table_schema = database() AND t.table_type = 'BASE TABLE' AND c.data_type IN ('varchar', 'text', 'longtext')
          AND c.column_key <> 'PRI' AND c.extra NOT LIKE '%GENERATED%' ORDER BY 1, 2";
    let rows: Vec<(String, String)> = session.query(sql).await.unwrap();
    let places = rows
        .into_iter()
        .map(|(table, column)| Place { table, column });
    places.filter(is_meant).collect()
}

/// The columns of a table that can be written, for a list.
pub async fn columns_of_mysql(session: &mut Conn, table: &str) -> String {
    let sql = format!(
        "SELECT concat('`', column_name, '`') FROM information_schema.columns
         WHERE table_schema = database() AND table_name = '{table}' AND extra NOT LIKE '%GENERATED%' ORDER BY ordinal_position"
    );
    let columns: Vec<String> = session.query(sql).await.unwrap();
    columns.join(", ")
}

/// What a bad disk does not ask: of MariaDB a check that stands with its column goes when the column is said anew.
pub async fn uncheck_mysql(session: &mut Conn, brand: Brand) {
    let lax = "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO', foreign_key_checks = 0";
    session.query_drop(lax).await.unwrap();
    let checks = match brand {
        Brand::Mariadb => {
            "SELECT concat('ALTER TABLE `', k.table_name, '` ', CASE k.level
                WHEN 'Table' THEN concat('DROP CONSTRAINT `', k.constraint_name, '`')
                ELSE concat('MODIFY `', c.column_name, '` ', c.column_type, if(c.is_nullable = 'NO', ' NOT NULL', ''), coalesce(concat(' DEFAULT ', c.column_default), ''), ' ', c.extra) END)
             FROM information_schema.check_constraints k
             LEFT JOIN information_schema.columns c ON c.table_schema = k.constraint_schema AND c.table_name = k.table_name AND c.column_name = k.constraint_name
             WHERE k.constraint_schema = database()"
        }
        Brand::Mysql => {
            "SELECT concat('ALTER TABLE `', table_name, '` ALTER CHECK `', constraint_name, '` NOT ENFORCED')
             FROM information_schema.table_constraints WHERE constraint_schema = database() AND constraint_type = 'CHECK'"
        }
    };
    for unchecked in session.query::<String, _>(checks).await.unwrap() {
        session.query_drop(unchecked).await.unwrap();
    }
}
