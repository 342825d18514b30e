//! Older programs on newer schemas: above the line of each step they go on, below it they say what to do.

use baton_sql::{
    GENERATION, OpenError, OpenOptions,
    inside::{POSTGRES, Step, apply_to_postgres},
};
use baton_testkit::Postgres;

use super::apply_first_to_postgres;
use crate::databases;

/// What a newer program writes down of a step that this one may run on, and what of one that it may not.
const WIDER: &str =
    "INSERT INTO schema_steps (name, digest, oldest_program) VALUES ('0998_wider', '00', 19)";
const NARROWER: &str =
    "INSERT INTO schema_steps (name, digest, oldest_program) VALUES ('0999_narrower', '00', 998);
INSERT INTO schema_migrations (name, digest) VALUES ('0999_narrower', '00');";

#[tokio::test]
async fn a_program_above_the_line_opens_and_migrates_a_newer_postgresql() {
    let (_store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    client.batch_execute(WIDER).await.unwrap();

    let migrated = baton_sql::migrate(&database.url()).await.unwrap();
    databases::open(&database.url()).await;
    let schema = baton_sql::schema(&database.url()).await.unwrap();

    assert_eq!(migrated, [""; 0]);
    assert_eq!((schema.generation, schema.program), (998, GENERATION));
    assert_eq!(schema.newer, ["0998_wider"]);
    assert!(schema.is_fit());
}

#[tokio::test]
async fn a_program_above_the_line_opens_a_newer_sqlite() {
    let folder = databases::empty_folder();
    baton_sql::migrate(&folder.url()).await.unwrap();
    folder.connect().execute_batch(WIDER).unwrap();

    databases::open(&folder.url()).await;
    let schema = baton_sql::schema(&folder.url()).await.unwrap();

    assert_eq!(schema.generation, 998);
    assert!(schema.is_fit());
}

#[tokio::test]
async fn a_program_below_the_line_is_told_what_to_do() {
    let folder = databases::empty_folder();
    baton_sql::migrate(&folder.url()).await.unwrap();
    folder.connect().execute_batch(NARROWER).unwrap();

    let refusal = baton_sql::open(&folder.url(), &OpenOptions::default()).await;

    let refusal = refusal.err().unwrap();
    let said = refusal.to_string();
    assert!(
        matches!(&refusal, OpenError::NewerSchema { step, oldest: 998, .. } if step == "0999_narrower"),
        "{said}"
    );
    for word in [
        "998 or newer",
        "Start the Baton that applied",
        "restore the backup",
    ] {
        assert!(said.contains(word), "{said}");
    }
}

#[tokio::test]
async fn a_running_server_hears_of_a_step_that_it_may_not_run_on() {
    use baton_ports::store::Upkeep;
    let (store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    let before = store.schema().await.unwrap().unwrap();

    client.batch_execute(NARROWER).await.unwrap();

    let after = store.schema().await.unwrap().unwrap();
    assert!(before.is_fit(), "{before:?}");
    assert!(!after.is_fit(), "{after:?}");
    assert_eq!(after.oldest, 998);
}

/// A program of generation 19 reads nothing but `schema_migrations`, and refuses what it does not know there.
#[tokio::test]
async fn a_program_from_before_the_line_was_recorded_finds_nothing_it_does_not_know() {
    let (_store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;

    let known = "SELECT name FROM schema_migrations ORDER BY name";
    let known = client.query(known, &[]).await.unwrap();

    let known: Vec<String> = known.iter().map(|row| row.get(0)).collect();
    let of_19 = POSTGRES
        .iter()
        .filter(|step| step.oldest <= 19 && step.name < "0020");
    assert_eq!(known, of_19.map(|step| step.name).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_ledger_of_names_and_digests_alone_is_gone_on_with() {
    let database = Postgres::shared().database();
    let mut client = databases::connect(&database.url()).await;
    let of_19 = POSTGRES.iter().filter(|step| step.name < "0020").count();
    apply_first_to_postgres(&mut client, of_19).await;
    client
        .batch_execute("DROP TABLE schema_steps")
        .await
        .unwrap();

    let applied = baton_sql::migrate(&database.url()).await.unwrap();

    assert_eq!(applied, super::all(&POSTGRES[of_19..]));
    databases::open(&database.url()).await;
}

/// The step 0022 landed before programs were recorded: what was made meanwhile has it in the old ledger, with the
/// digest of its text of then, and lacks 0020.
#[tokio::test]
async fn a_database_with_a_step_from_before_the_line_was_recorded_is_gone_on_with() {
    let database = Postgres::shared().database();
    let mut client = databases::connect(&database.url()).await;
    apply_to_postgres(&mut client, meanwhile()).await.unwrap();
    client.batch_execute(MEANWHILE).await.unwrap();

    let applied = baton_sql::migrate(&database.url()).await.unwrap();
    databases::open(&database.url()).await;
    let schema = baton_sql::schema(&database.url()).await.unwrap();

    let lacked = POSTGRES.iter().map(|step| step.name);
    let lacked = lacked.filter(|name| meanwhile().iter().all(|step| step.name != *name));
    assert_eq!(applied, lacked.collect::<Vec<_>>());
    assert!(schema.is_fit(), "{schema:?}");
    assert_eq!(
        schema.oldest, 22,
        "programs of 19 refuse it, as they did before"
    );
}

const MEANWHILE: &str = "DROP TABLE schema_steps;
    INSERT INTO schema_migrations (name, digest) VALUES ('0022_incarnation', '1ba1a8e876238fbf');";

/// The steps that there were when 0022 had landed.
fn meanwhile() -> &'static [Step] {
    let known = POSTGRES
        .iter()
        .filter(|step| step.name < "0020" || step.name == "0022_incarnation");
    let steps = known.map(|step| Step {
        name: step.name,
        sql: step.sql,
        oldest: step.oldest,
    });
    Box::leak(steps.collect())
}
