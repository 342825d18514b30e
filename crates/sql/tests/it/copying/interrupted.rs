//! A copy that is cut off goes on behind its last page, however often.

use baton_ports::store::{Atomicity, Jobs};

use super::{ALL, Place, copied, copied_for, filled::filled};
use crate::{
    databases,
    hands::{DAWN, job, spec},
};

#[tokio::test]
async fn a_copy_that_is_cut_off_again_and_again_comes_to_its_end() {
    for (from, to) in ["sqlite", "postgres", "mysql"]
        .into_iter()
        .zip(["mysql", "sqlite", "postgres"])
    {
        let (source, target) = (filled(from, 2_500).await, Place::new(to));

        let mut runs = 1;
        while !copied_for(3, &source, &target).await {
            runs += 1;
            assert!(runs < 100, "it does not come to its end");
        }

        assert!(runs > 5, "it was cut off {runs} times");
        let again = copied(&source, &target).await.unwrap();
        assert_eq!(again.epoch, None, "{from} to {to}: all of it had been done");
        databases::open(&target.url()).await.close().await;
    }
}

#[tokio::test]
async fn a_page_of_large_rows_is_a_short_one() {
    for from in ALL {
        let (source, target) = (Place::new(from), Place::new("sqlite"));
        baton_sql::migrate(&source.url()).await.unwrap();
        let store = databases::open(&source.url()).await;
        let payload = format!("\"{}\"", "x".repeat(900_000));
        let large = (0..12).map(|_| {
            let mut large = job(spec(), DAWN);
            large.payload.clone_from(&payload);
            large
        });
        store
            .enqueue(large.collect(), Atomicity::Each)
            .await
            .unwrap();
        store.close().await;

        copied_for(3, &source, &target).await;

        let pages = pages(&target);
        assert_eq!(pages, [4, 4, 4], "{from}");
        copied(&source, &target).await.unwrap();
    }
}

/// How many jobs each page has.
fn pages(target: &Place) -> Vec<i64> {
    let Place::Sqlite(folder) = target else {
        unreachable!()
    };
    let connection = folder.connect();
    let mut pages = connection
        .prepare("SELECT n FROM relocated_pages WHERE part = 'jobs' ORDER BY page")
        .unwrap();
    let found = pages.query_map([], |row| row.get(0)).unwrap();
    found.map(Result::unwrap).collect()
}
