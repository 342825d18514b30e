//! The schema after all steps is committed, and compared: a migration is reviewed by what it makes.
//!
//! `UPDATE_SCHEMA=1 cargo test -p baton-sql --test it schema` writes it anew.

use std::{collections::BTreeSet, env, fs, path::Path, process::Command};

use baton_testkit::{Brand, Postgres};
use mysql_async::prelude::Queryable;
use rusqlite::Connection;

use crate::databases;

/// Whose words the dump is in: another version may render the same view otherwise.
const WRITTEN_BY: &str = "-- As PostgreSQL 15 tells it.";

#[tokio::test]
async fn the_schema_of_postgresql_is_the_committed_one() {
    let (_store, database) = databases::postgres().await;

    let schema = of_postgres(&database.url());

    assert_committed("postgres", &schema);
}

#[tokio::test]
async fn the_schema_of_sqlite_is_the_committed_one() {
    let sqlite = databases::sqlite().await;

    let schema = of_sqlite(&sqlite.connect());

    assert_committed("sqlite", &schema);
}

#[tokio::test]
async fn the_schema_of_mysql_is_the_committed_one() {
    let (_store, url) = databases::mysql(Brand::Mariadb).await;

    let schema = of_mysql(&url).await;

    assert_committed("mysql", &schema);
}

#[tokio::test]
async fn the_schema_is_the_same_on_mysql_as_on_mariadb() {
    let (_store, mariadb) = databases::mysql(Brand::Mariadb).await;
    let (_other, mysql) = databases::mysql(Brand::Mysql).await;

    for question in SAME_ON_BOTH {
        let (expected, found) = (
            lines(&mariadb, question).await,
            lines(&mysql, question).await,
        );
        assert!(expected.len() > 20, "{question}: {expected:?}");
        assert_eq!(found, expected);
    }
}

#[test]
fn a_dump_without_views_keeps_everything_else() {
    let schema = "CREATE TABLE a (\n  x int\n);\n\nCREATE VIEW v AS\n SELECT x\n   FROM a;\n\nCREATE INDEX i ON a (x);";

    let rest = without_views(schema);

    assert_eq!(
        rest,
        "CREATE TABLE a (\n  x int\n);\n\nCREATE INDEX i ON a (x);"
    );
}

/// What `pg_dump` says, without its noise.
pub fn of_postgres(url: &str) -> String {
    let mut dump = Command::new(Postgres::shared().bin_dir().join("pg_dump"));
    dump.args(["--schema-only", "--no-owner", "--no-privileges", "--dbname"]);
    let said = dump.arg(url).output().unwrap();
    assert!(
        said.status.success(),
        "{}",
        String::from_utf8_lossy(&said.stderr)
    );
    let text = String::from_utf8(said.stdout).unwrap();
    let is_noise = |line: &&str| {
        ["--", "SET ", "SELECT pg_catalog.set_config", "\\"]
            .iter()
            .any(|noise| line.starts_with(noise))
    };
    let lines = text.lines().filter(|line| !is_noise(line));
    let plain = lines.collect::<Vec<_>>().join("\n").replace("public.", "");
    format!("{WRITTEN_BY}\n\n{}", paragraphs(&plain))
}

/// What `sqlite_master` says, each table with its indexes.
pub fn of_sqlite(connection: &Connection) -> String {
    let sql = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY type = 'view', tbl_name, type <> 'table', name";
    let mut statement = connection.prepare(sql).unwrap();
    let texts = statement.query_map([], |row| row.get::<_, String>(0));
    let texts: Vec<_> = texts.unwrap().map(Result::unwrap).collect();
    format!("{};\n", texts.join(";\n\n"))
}

/// What the server says makes each table, and then each view, without what it has counted since.
pub async fn of_mysql(url: &str) -> String {
    let mut session = mysql_async::Conn::from_url(url).await.unwrap();
    let all = "SELECT table_name FROM information_schema.tables WHERE table_schema = database() ORDER BY table_type, table_name";
    let names: Vec<String> = session.query(all).await.unwrap();
    let mut texts = Vec::new();
    for name in names {
        let made = session
            .query_first(format!("SHOW CREATE TABLE {name}"))
            .await;
        let made: mysql_async::Row = made.unwrap().unwrap();
        let text: String = made.get(1).unwrap();
        let kept = text
            .split(' ')
            .filter(|word| !word.starts_with("AUTO_INCREMENT=") && !word.starts_with("DEFINER="));
        texts.push(kept.collect::<Vec<_>>().join(" "));
    }
    format!(
        "-- As MariaDB 10.11 tells it.\n\n{};\n",
        texts.join(";\n\n")
    )
}

/// What two servers say of a schema whatever words each has for it: columns, those of views, indexes, and how many checks.
const SAME_ON_BOTH: [&str; 4] = [
    "SELECT concat_ws(' ', c.table_name, c.column_name, c.data_type, c.character_maximum_length, c.is_nullable, c.extra LIKE '%auto_increment%')
     FROM information_schema.columns c JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
     WHERE c.table_schema = database() AND t.table_type = 'BASE TABLE'",
    "SELECT concat_ws(' ', c.table_name, c.column_name)
     FROM information_schema.columns c JOIN information_schema.views v ON v.table_schema = c.table_schema AND v.table_name = c.table_name
     WHERE c.table_schema = database()",
    "SELECT concat_ws(' ', table_name, index_name, seq_in_index, column_name, non_unique)
     FROM information_schema.statistics WHERE table_schema = database()",
    "SELECT concat_ws(' ', table_name, count(*))
     FROM information_schema.table_constraints WHERE constraint_schema = database() AND constraint_type = 'CHECK' GROUP BY table_name",
];

async fn lines(url: &str, question: &str) -> BTreeSet<String> {
    let mut session = mysql_async::Conn::from_url(url).await.unwrap();
    let said: Vec<String> = session.query(question).await.unwrap();
    said.into_iter().collect()
}

/// Fails where a schema differs from the committed one.
pub fn assert_committed(dialect: &str, schema: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("schema/{dialect}.sql"));
    if env::var_os("UPDATE_SCHEMA").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, schema).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let is_same = committed == schema
        || (is_of_another_version() && without_views(&committed) == without_views(schema));
    assert!(
        is_same,
        "schema/{dialect}.sql is not what the migrations make. If the change is meant, write it anew with \
         `UPDATE_SCHEMA=1 cargo test -p baton-sql --test it schema` and read the difference.\n{}",
        first_difference(&committed, schema)
    );
}

fn is_of_another_version() -> bool {
    let version = Command::new(Postgres::shared().bin_dir().join("pg_dump"))
        .arg("--version")
        .output()
        .unwrap();
    !String::from_utf8_lossy(&version.stdout).contains(" 15.")
}

fn without_views(schema: &str) -> String {
    let rest = schema
        .split("\n\n")
        .filter(|paragraph| !paragraph.starts_with("CREATE VIEW"));
    rest.collect::<Vec<_>>().join("\n\n")
}

/// Parts statements by one empty line each.
fn paragraphs(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|text| text.trim_matches('\n'));
    let filled = paragraphs.filter(|text| !text.is_empty());
    filled.collect::<Vec<_>>().join("\n\n") + "\n"
}

fn first_difference(committed: &str, found: &str) -> String {
    let mut pairs = committed.lines().zip(found.lines()).enumerate();
    match pairs.find(|(_, (committed, found))| committed != found) {
        Some((i, (committed, found))) => {
            format!(
                "line {}:\n  committed {committed}\n  found     {found}",
                i + 1
            )
        }
        None => "one is the beginning of the other".to_owned(),
    }
}
