//! The audit log against whoever connects as the servers do: what the page for operators says is done, and holds.

use std::time::Duration;

use baton_domain::{Clock, audit::AuditFilter, time::SystemClock};
use baton_ports::store::{AuditLog, Result, Retention, Upkeep};
use baton_sql::SqlStore;
use baton_testkit::Brand;
use mysql_async::prelude::Queryable;

use crate::{
    brands::on_each_brand,
    databases,
    unreadable::access::{entry, user},
};

const PAGE: &str = include_str!("../../../../docs/operations/audit-log.md");
const DAY: Duration = Duration::from_hours(24);

on_each_brand!(mysql_guards_the_log_against_its_servers,);

/// What the page has under a heading.
fn statements(heading: &str) -> &'static str {
    let (_, chapter) = PAGE.split_once(&format!("## {heading}\n")).unwrap();
    let (_, block) = chapter.split_once("```sql\n").unwrap();
    block.split("```").next().unwrap()
}

/// An entry of today and one that is past its time, as a server writes them, the first one twice.
async fn fill(server: &SqlStore) {
    let kim = user("kim", SystemClock.now());
    let today = entry(&kim, SystemClock.now());
    let old = entry(&kim, SystemClock.now() - 400 * DAY);
    server.append_audit(&[today.clone(), old]).await.unwrap();
    server.append_audit(&[today]).await.unwrap();
    assert_eq!(found(server).await, 2);
}

async fn found(store: &SqlStore) -> usize {
    let (filter, page) = (AuditFilter::default(), Default::default());
    let entries = store.audit_entries(&filter, &page).await;
    entries.unwrap().items.len()
}

/// Forgets what is past its time, and only of the log there is any.
async fn prune(server: &SqlStore) -> Result<u32> {
    let retention = Retention {
        audit: 365 * DAY,
        ..Retention::default()
    };
    let pruned = server.prune(&retention, 100, SystemClock.now()).await?;
    Ok(pruned.audit)
}

#[tokio::test]
async fn postgresql_guards_the_log_against_its_servers() {
    let (owner, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    client
        .batch_execute(statements("PostgreSQL"))
        .await
        .unwrap();
    let url = as_user(&database.url(), "baton_server");
    let server = databases::open(&url).await;
    fill(&server).await;

    let session = databases::connect(&url).await;
    let changed = session
        .execute("UPDATE audit_log SET name = 'lee'", &[])
        .await;
    let emptied = session.execute("TRUNCATE audit_log", &[]).await;
    let unguarded = session
        .execute("ALTER TABLE audit_log DISABLE ROW LEVEL SECURITY", &[])
        .await;
    let pruned = prune(&server).await;
    let deleted = session.execute("DELETE FROM audit_log", &[]).await;

    for refused in [changed, emptied, unguarded] {
        let code = refused.unwrap_err().code().cloned();
        assert_eq!(code.unwrap().code(), "42501");
    }
    assert_eq!((pruned.unwrap(), deleted.unwrap()), (1, 0));
    assert_eq!(found(&owner).await, 1);
}

#[tokio::test]
async fn a_right_to_forget_that_is_taken_away_ends_the_turns_of_the_pruner() {
    let (_owner, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    let made = statements("PostgreSQL").replace("baton_server", "baton_revoked");
    client.batch_execute(&made).await.unwrap();
    let server = databases::open(&as_user(&database.url(), "baton_revoked")).await;
    let revoke = "REVOKE DELETE ON audit_log FROM baton_revoked";
    client.batch_execute(revoke).await.unwrap();

    let pruned = prune(&server).await;

    assert!(pruned.is_err(), "{pruned:?}");
}

/// The URL of a PostgreSQL that lets everybody in, as somebody else.
fn as_user(url: &str, name: &str) -> String {
    let (_, rest) = url.split_once("://").unwrap();
    let place = rest.split_once('@').map_or(rest, |(_, place)| place);
    format!("postgres://{name}@{place}")
}

/// The MariaDB of the tests asks nobody for rights, so there the triggers are tried alone.
async fn mysql_guards_the_log_against_its_servers(brand: Brand) {
    let (owner, url) = databases::mysql(brand).await;
    let mut root = mysql_async::Conn::from_url(&url).await.unwrap();
    let (grants, triggers) = statements("MariaDB and MySQL")
        .split_once("DELIMITER //\n")
        .unwrap();
    let triggers = triggers.replace("DELIMITER ;", "");
    run(&mut root, triggers.split("//\n")).await;
    let mut refused = vec!["UPDATE audit_log SET name = 'lee'", "DELETE FROM audit_log"];
    let mut server = url.clone();
    if brand == Brand::Mysql {
        let (name, place) = (database_of(&url), url.split_once('@').unwrap().1);
        let grants = grants.replace("baton.*", &format!("{name}.*"));
        run(&mut root, grants.split(";\n")).await;
        server = format!("mysql://baton_server:another%20one@{place}");
        refused.extend(["TRUNCATE audit_log", "DROP TRIGGER audit_log_kept"]);
    }
    let mut session = mysql_async::Conn::from_url(&server).await.unwrap();
    let server = databases::open(&server).await;
    fill(&server).await;

    let pruned = prune(&server).await;
    for statement in refused {
        let done = session.query_drop(statement).await;
        assert!(done.is_err(), "{statement}");
    }

    assert_eq!(pruned.unwrap(), 1);
    assert_eq!(found(&owner).await, 1);
}

async fn run(session: &mut mysql_async::Conn, statements: impl Iterator<Item = &str>) {
    for statement in statements.filter(|text| !text.trim().is_empty()) {
        session.query_drop(statement).await.unwrap();
    }
}

/// The name at the end of a URL.
fn database_of(url: &str) -> &str {
    let (_, name) = url.rsplit_once('/').unwrap();
    name.split('?').next().unwrap()
}
