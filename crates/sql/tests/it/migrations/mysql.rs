//! MySQL ends a transaction with every table that is made: a step that was cut off goes on where it stood.

use baton_sql::inside::{MYSQL, apply_to_mysql, statements};
use baton_testkit::{Brand, Mysql};
use mysql_async::{Conn, prelude::Queryable};

use super::{all, first_and};
use crate::{brands::on_each_brand, databases, schema};

on_each_brand!(
    a_migration_of_mysql_that_was_cut_off_anywhere_arrives_at_the_one_schema,
    a_step_that_fails_in_mysql_is_said_and_nothing_after_it_is_done,
    of_eight_nodes_that_migrate_mysql_at_once_one_does_it,
    what_an_older_program_has_worked_on_is_not_finalized_by_its_migration,
);

async fn session(url: &str) -> Conn {
    Conn::from_url(url).await.unwrap()
}

async fn a_migration_of_mysql_that_was_cut_off_anywhere_arrives_at_the_one_schema(brand: Brand) {
    let (_store, whole) = databases::mysql(brand).await;
    let expected = schema::of_mysql(&whole).await;
    let count = statements(MYSQL[0].sql).count();
    assert!(count > 30, "{count} statements");

    // There a table takes ten times as long to make.
    let step = match brand {
        Brand::Mariadb => 1,
        Brand::Mysql => 8,
    };
    for cut in (0..=count).step_by(step) {
        for is_counted in [true, false] {
            let url = Mysql::shared(brand).database();
            carry_out_first(&url, cut, is_counted).await;

            baton_sql::migrate(&url).await.unwrap();

            let found = schema::of_mysql(&url).await;
            assert_eq!(
                found, expected,
                "cut off after {cut} statements, counted: {is_counted}"
            );
        }
    }
}

/// Does what a migration has done that ended after so many statements of the first step, before or after it counted the last.
async fn carry_out_first(url: &str, cut: usize, is_counted: bool) {
    let mut session = session(url).await;
    let nothing = apply_to_mysql(&mut session, &[]).await;
    assert!(nothing.unwrap().is_empty());
    let begin = "ALTER DATABASE CHARACTER SET utf8mb4 COLLATE /*M! utf8mb4_nopad_bin */ /*!80000 utf8mb4_0900_bin */;
        CREATE TABLE schema_migrations (name varchar(255) PRIMARY KEY, digest varchar(64) NOT NULL, oldest_program integer NOT NULL);
        CREATE TABLE schema_under_way (name varchar(255) PRIMARY KEY, done bigint NOT NULL)";
    session.query_drop(begin).await.unwrap();
    for statement in statements(MYSQL[0].sql).take(cut) {
        session.query_drop(statement).await.unwrap();
    }
    let counted = if is_counted {
        cut
    } else {
        cut.saturating_sub(1)
    };
    let count = format!(
        "INSERT INTO schema_under_way VALUES ('{}', {counted})",
        MYSQL[0].name
    );
    session.query_drop(count).await.unwrap();
}

async fn a_step_that_fails_in_mysql_is_said_and_nothing_after_it_is_done(brand: Brand) {
    let url = Mysql::shared(brand).database();
    let steps = first_and(
        MYSQL,
        1,
        "CREATE TABLE half (id integer);\nCREATE TABLE half (id integer);\nCREATE TABLE other (id integer);",
    );

    let error = apply_to_mysql(&mut session(&url).await, steps)
        .await
        .unwrap_err();

    assert!(
        error.to_string().contains("'half' already exists"),
        "{error}"
    );
    let others = "SELECT count(*) FROM information_schema.tables WHERE table_schema = database() AND table_name = 'other'";
    let others: Option<i64> = session(&url).await.query_first(others).await.unwrap();
    assert_eq!(others, Some(0));
    let rest = baton_sql::migrate(&url).await.unwrap();
    assert_eq!(rest, all(&MYSQL[1..]));
}

async fn what_an_older_program_has_worked_on_is_not_finalized_by_its_migration(brand: Brand) {
    let (fresh, old) = (
        Mysql::shared(brand).database(),
        Mysql::shared(brand).database(),
    );
    let mut session = session(&old).await;
    let blocks = MYSQL.iter().position(|step| step.name == "0021_blocks");
    apply_to_mysql(&mut session, &MYSQL[..blocks.unwrap()])
        .await
        .unwrap();
    session.query_drop(JOB_OF_AN_OLDER).await.unwrap();

    for url in [&fresh, &old] {
        baton_sql::migrate(url).await.unwrap();
    }

    let unfinalized = async |url: &str| baton_sql::schema(url).await.unwrap().unfinalized;
    assert_eq!(unfinalized(&fresh).await, [""; 0]);
    assert_eq!(unfinalized(&old).await, ["0021_blocks"]);
}

const JOB_OF_AN_OLDER: &str = "INSERT INTO jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
  VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f7', 'mail', 'default', 0, '{}', 5, 4, '{}', 30000000, 'at_least_once', '[]', 5)";

async fn of_eight_nodes_that_migrate_mysql_at_once_one_does_it(brand: Brand) {
    let url = Mysql::shared(brand).database();

    let nodes = (0..8).map(|_| baton_sql::migrate(&url));
    let applied = futures::future::join_all(nodes).await;

    let mut applied: Vec<_> = applied.into_iter().flat_map(Result::unwrap).collect();
    applied.sort();
    assert_eq!(applied, all(MYSQL));
}
