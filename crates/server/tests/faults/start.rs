//! A start that cannot be: said at once, with what to do, and with an exit code of its own.

use baton_faults::serve_command;

use crate::fixture::program;

async fn start_on(database: &str) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = serve_command(program(), folder.path());
    command.args(["--listen", "127.0.0.1:0", "--database", database]);
    let ended = command.output().await.unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    (ended.status.code().unwrap(), said)
}

#[tokio::test]
async fn a_url_that_names_no_database_is_refused_with_the_ones_that_do() {
    for url in ["oracle://localhost/jobs", "localhost:5432", "jobs"] {
        let (code, said) = start_on(url).await;

        assert_eq!(code, 2, "{url}: {said}");
        assert!(said.contains("is not the address of a database"), "{said}");
        assert!(said.contains("postgres://user@host/name"), "{said}");
    }
}

#[tokio::test]
async fn a_url_does_not_tell_its_password() {
    let (_, said) = start_on("oracle://somebody:hunter2@localhost/jobs").await;

    assert!(!said.contains("hunter2"), "{said}");
}
