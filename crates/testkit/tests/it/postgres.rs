use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use baton_testkit::{Postgres, eventually};
use tokio_postgres::{Client, NoTls};

use crate::residue;

#[tokio::test]
async fn each_database_is_empty_and_its_own() {
    let (one, other) = (Postgres::shared().database(), Postgres::shared().database());
    let (one, other) = (connect(&one.url()).await, connect(&other.url()).await);

    one.batch_execute("CREATE TABLE job (id int)")
        .await
        .unwrap();

    assert_eq!(tables(&one).await, 1);
    assert_eq!(tables(&other).await, 0);
}

#[tokio::test]
async fn a_database_is_dropped_with_its_value_even_while_in_use() {
    let database = Postgres::shared().database();
    let url = database.url();
    let _user = connect(&url).await;

    drop(database);

    let error = tokio_postgres::connect(&url, NoTls).await.err().unwrap();
    assert!(
        error
            .as_db_error()
            .unwrap()
            .message()
            .ends_with("does not exist"),
        "{error:?}"
    );
}

#[tokio::test]
async fn what_was_committed_survives_a_kill_and_what_was_not_does_not() {
    let mut postgres = Postgres::start();
    let database = postgres.database();
    let client = connect(&database.url()).await;
    client
        .batch_execute("CREATE TABLE job (id int); INSERT INTO job VALUES (1)")
        .await
        .unwrap();
    client
        .batch_execute("BEGIN; INSERT INTO job VALUES (2)")
        .await
        .unwrap();

    postgres.kill();
    postgres.restart();

    let client = connect(&database.url()).await;
    assert_eq!(number(&client, "SELECT sum(id) FROM job").await, 1);
}

#[tokio::test]
async fn a_killed_server_answers_nobody_and_leaves_no_child() {
    let mut postgres = Postgres::start();
    let url = postgres.url();
    let busy = connect(&url).await;
    let query = tokio::spawn(async move { busy.batch_execute("SELECT pg_sleep(600)").await });

    postgres.kill();

    assert!(query.await.unwrap().is_err());
    assert!(tokio_postgres::connect(&url, NoTls).await.is_err());
    postgres.restart();
    assert_eq!(
        number(
            &connect(&url).await,
            "SELECT count(*) FROM pg_stat_activity WHERE state = 'active'"
        )
        .await,
        1
    );
}

#[tokio::test]
async fn a_stopped_server_starts_again_at_the_same_place() {
    let mut postgres = Postgres::start();
    let url = postgres.url();

    postgres.stop();
    let refused = tokio_postgres::connect(&url, NoTls).await.is_err();
    postgres.restart();

    assert!(refused);
    assert_eq!(postgres.url(), url);
    assert_eq!(number(&connect(&url).await, "SELECT 1").await, 1);
}

#[tokio::test]
async fn settings_given_go_before_ours() {
    let usual = Postgres::shared();
    let careful = Postgres::start_with(&["fsync=on", "max_connections=20"]);

    let (usual, careful) = (connect(&usual.url()).await, connect(&careful.url()).await);

    assert_eq!(setting(&usual, "fsync").await, "off");
    assert_eq!(setting(&usual, "synchronous_commit").await, "on");
    assert_eq!(setting(&careful, "fsync").await, "on");
    assert_eq!(setting(&careful, "max_connections").await, "20");
}

#[test]
fn a_setting_that_the_server_refuses_is_told_in_its_words() {
    let start = std::panic::catch_unwind(|| Postgres::start_with(&["fsnc=on"]));

    let panic = *start.err().unwrap().downcast::<String>().unwrap();

    assert!(
        panic.contains("unrecognized configuration parameter \"fsnc\""),
        "{panic}"
    );
}

#[tokio::test]
async fn a_test_process_that_is_killed_leaves_nothing_behind() {
    let mut process = scratch_postgres();
    let url = first_line(&mut process);
    let _client = connect(&url).await;
    assert!(!residue::of(process.id()).is_empty());

    process.kill().unwrap();
    process.wait().unwrap();

    let pid = process.id();
    eventually(
        "nothing of it is left",
        Duration::from_mins(1),
        async || residue::of(pid).is_empty(),
    )
    .await;
}

#[tokio::test]
async fn a_test_process_that_ends_leaves_nothing_behind() {
    let mut process = scratch_postgres();
    let url = first_line(&mut process);
    let _client = connect(&url).await;

    drop(process.stdin.take());
    let status = process.wait().unwrap();

    assert!(status.success());
    assert!(residue::of(process.id()).is_empty());
}

#[tokio::test]
async fn a_standby_has_what_its_primary_had_and_takes_writes_once_it_is_promoted() {
    let mut primary = Postgres::start();
    let client = connect(&primary.url()).await;
    let fill = "CREATE TABLE job (id int); INSERT INTO job VALUES (7)";
    client.batch_execute(fill).await.unwrap();
    let standby = primary.standby(&[]);
    let other = connect(&standby.url()).await;
    let refused = other.batch_execute("INSERT INTO job VALUES (1)").await;

    primary.kill();
    standby.promote();
    other
        .batch_execute("INSERT INTO job VALUES (1)")
        .await
        .unwrap();

    assert_eq!(refused.unwrap_err().code().unwrap().code(), "25006");
    assert_eq!(number(&other, "SELECT sum(id) FROM job").await, 8);
}

fn scratch_postgres() -> Child {
    Command::new(env!("CARGO_BIN_EXE_scratch-postgres"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn first_line(process: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(process.stdout.as_mut().unwrap())
        .read_line(&mut line)
        .unwrap();
    line.trim().to_owned()
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn tables(client: &Client) -> i64 {
    number(
        client,
        "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'",
    )
    .await
}

async fn number(client: &Client, query: &str) -> i64 {
    let query = format!("SELECT ({query})::bigint");
    client.query_one(&query, &[]).await.unwrap().get(0)
}

async fn setting(client: &Client, name: &str) -> String {
    client
        .query_one("SELECT current_setting($1)", &[&name])
        .await
        .unwrap()
        .get(0)
}
