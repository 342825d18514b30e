//! What stands between Baton and PostgreSQL: PgBouncer as Debian has it.

use baton_testkit::Postgres;

use crate::support::{Served, run};

#[test]
fn a_pooler_in_transaction_mode_is_refused_by_name_with_what_to_do() {
    let postgres = Postgres::start();
    let database = postgres.database();
    let name = database.url().rsplit('/').next().unwrap().to_owned();
    let folder = tempfile::tempdir().unwrap();

    for mode in ["transaction", "statement"] {
        let pooler = postgres.pooler(mode);
        let url = pooler.url(&name);
        let serve = run(
            folder.path(),
            &["serve", "--listen", "127.0.0.1:0", "--database", &url],
        );
        let migrate = run(folder.path(), &["migrate", "--database", &url]);
        let doctor = run(folder.path(), &["doctor", "--database", &url]);

        for (said, code) in [
            (serve.err(), serve.code()),
            (migrate.err(), migrate.code()),
            (doctor.out(), doctor.code()),
        ] {
            assert_eq!(code, 1, "{mode}: {said}");
            assert!(
                said.contains("PgBouncer in transaction mode"),
                "{mode}: {said}"
            );
            assert!(said.contains("pool_mode=session"), "{mode}: {said}");
        }
    }
}

#[test]
fn through_a_pooler_in_session_mode_everything_works() {
    let postgres = Postgres::start();
    let database = postgres.database();
    let name = database.url().rsplit('/').next().unwrap().to_owned();
    let pooler = postgres.pooler("session");
    let url = pooler.url(&name);

    let served = Served::start(&["--database", &url, "--migrate", "--allow-unsafe-durability"]);
    let ran = served.run(&["jobs", "enqueue", "simulate", "--wait", "30s"]);

    assert_eq!(ran.code(), 0, "{}", ran.err());
}

#[test]
fn a_database_on_another_machine_is_connected_to_only_verified_or_waived_aloud() {
    let folder = tempfile::tempdir().unwrap();
    // Nobody listens there, and nobody is asked before the connection is found to be guarded.
    let bare = "postgres://baton:tulip42@192.0.2.1/baton?connect_timeout=1";
    let required = "postgres://baton:tulip42@192.0.2.1/baton?connect_timeout=1&sslmode=require";
    let verified = "postgres://baton:tulip42@192.0.2.1/baton?connect_timeout=1&sslmode=verify-full";
    let code_of = |words: &[&str]| {
        let ran = run(folder.path(), words);
        (ran.code(), ran.err() + &ran.out())
    };

    for url in [bare, required] {
        for command in ["serve", "migrate", "doctor"] {
            let (code, said) = code_of(&[command, "--database", url]);
            assert_eq!(code, 1, "{command}: {said}");
            assert!(said.contains("--allow-unverified-database"), "{said}");
            assert!(said.contains("sslmode=verify-full"), "{said}");
            assert!(!said.contains("tulip42"), "{said}");
        }
        let waived = ["migrate", "--allow-unverified-database", "--database", url];
        assert_eq!(code_of(&waived).0, 7);
    }
    assert_eq!(code_of(&["migrate", "--database", verified]).0, 7);
}
