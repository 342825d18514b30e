//! Every statement is understood by every dialect.

use baton_sql::inside::{ALL, ConnectionPool, Kernel, SCRATCH, Script, Statement, Unit};

use baton_testkit::Brand;
use mysql_async::prelude::Queryable;

use crate::{brands::on_each_brand, databases};

on_each_brand!(mysql_understands_every_statement,);

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

async fn mysql_understands_every_statement(brand: Brand) {
    let (store, _) = databases::mysql(brand).await;
    let Kernel::Mysql(mysql) = store.kernel() else {
        unreachable!()
    };
    let mut session = mysql.session().await.unwrap();

    let mut refused = Vec::new();
    for script in ALL {
        for statement in script.mysql {
            if let Err(error) = session.prep(unnumbered(statement.sql)).await {
                refused.push(format!("{}: {error}", script.name));
            }
        }
    }

    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// A text whose marks have no numbers: the kernel writes values into their places, and MySQL prepares none that have.
fn unnumbered(sql: &str) -> String {
    let parts = sql.split('?').enumerate();
    let parts = parts.map(|(i, part)| match i {
        0 => part.to_owned(),
        _ => format!("?{}", part.trim_start_matches(|c: char| c.is_ascii_digit())),
    });
    parts.collect()
}

/// What only PostgreSQL is ever asked. The others keep each success as a row of its own, count neither their
/// transactions nor what went through their log, and know no copy from what it was made of.
const ONLY_POSTGRESQL: [&str; 4] = [
    "bench/transactions",
    "bench/written",
    "events/recognise",
    "work/succeed_batch",
];

/// What only MySQL is ever asked: to do at once what nearly always can be done.
const ONLY_MYSQL: [&str; 4] = [
    "jobs/enqueue_new",
    "work/start_new",
    "work/succeed_blocks",
    "work/succeed_lease",
];

/// What MySQL is never asked besides: one job is as new as many.
const EXCEPT_MYSQL: &str = "work/start_one";

#[test]
fn a_dialect_lacks_only_what_it_is_never_asked() {
    let lacking = |statements: fn(&Script) -> &'static [Statement]| {
        let lacks = ALL
            .iter()
            .filter(move |script| statements(script).is_empty());
        lacks.map(|script| script.name).collect::<Vec<_>>()
    };

    let mut of_servers = [&ONLY_POSTGRESQL[..], &ONLY_MYSQL].concat();
    of_servers.sort_unstable();
    assert_eq!(lacking(|script| script.postgres), ONLY_MYSQL);
    assert_eq!(lacking(|script| script.sqlite), of_servers);
    let mut of_others = [&ONLY_POSTGRESQL[..], &[EXCEPT_MYSQL]].concat();
    of_others.sort_unstable();
    assert_eq!(lacking(|script| script.mysql), of_others);
}

#[tokio::test]
async fn a_script_that_a_dialect_lacks_is_refused_there() {
    let sqlite = databases::sqlite().await;
    let kernel = sqlite.store.kernel();
    let lacking = ALL.iter().find(|script| script.name == ONLY_POSTGRESQL[0]);
    let lacking = lacking.copied().unwrap();

    let read = kernel.read(lacking, Vec::new()).await;
    let unit = Unit::of(lacking, Vec::new());
    let written = kernel.transact(ConnectionPool::Front, unit).await;

    for refused in [read.unwrap_err(), written.unwrap_err()] {
        let why = "the database refused a statement: sqlite has no script bench/transactions";
        assert_eq!(refused.to_string(), why);
    }
}

#[test]
fn every_step_of_a_statement_has_a_name_that_is_a_word() {
    let statements = ALL.iter().flat_map(|script| {
        [script.postgres, script.sqlite, script.mysql]
            .into_iter()
            .flatten()
    });

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
