//! A row of the database that cannot be read, as an operator hears of it.

use std::time::Duration;

use baton_testkit::eventually;

use crate::{
    routes::ask,
    support::{Ran, Served},
};

/// What another version, or a bad disk, could have left there.
const DAMAGE: &str = r#"UPDATE jobs SET backoff = '{"strategy":"tidal"}'"#;
const TIMEOUT: Duration = Duration::from_secs(20);

fn enqueue(served: &Served, key: &str) -> Ran {
    let ran = served.run(&["jobs", "enqueue", "simulate", "--delay", "1h", "--key", key]);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    ran
}

/// Damages all jobs there are.
fn damaged(served: Served) -> Served {
    served.signal("TERM");
    let (_, _, folder) = served.ended();
    let file = folder.path().join("baton-data/baton.db");
    let connection = rusqlite::Connection::open(file).unwrap();
    connection.execute_batch(DAMAGE).unwrap();
    drop(connection);
    Served::start_in(folder, &[])
}

#[tokio::test]
async fn rows_that_cannot_be_read_stand_among_what_needs_a_person() {
    let served = Served::start(&[]);
    enqueue(&served, "first");
    enqueue(&served, "second");
    let page = ask(&served, "GET", "/admin", "localhost");
    assert!(!page.contains("cannot be read"), "{page}");

    let served = damaged(served);
    enqueue(&served, "sound");
    // Whoever looks meets them.
    let listed = served.run(&["jobs", "list", "--json"]).out();

    assert!(
        listed.contains("sound") && !listed.contains("second"),
        "{listed}"
    );
    let says = async |words: &str| {
        let page = ask(&served, "GET", "/admin", "localhost");
        page.contains(words)
    };
    let rows = "2 rows of the database cannot be read";
    eventually("the page tells of them", TIMEOUT, async || says(rows).await).await;
    for words in ["Passed over: 2 of jobs", "of jobs, column backoff"] {
        assert!(says(words).await, "{words}");
    }
    assert!(!says("tidal").await, "nothing of a row is told");
}
