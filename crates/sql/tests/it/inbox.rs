//! A chunk of a campaign is put into inboxes in one statement, and making it again changes nothing.

use baton_domain::{
    CampaignId, InboxItemId,
    page::PageRequest,
    recipient::{Profile, RecipientSpec},
};
use baton_ports::store::{Inbox, NewItem, Recipients};
use baton_sql::SqlStore;
use baton_testkit::Brand;

use crate::{brands::on_each_brand, databases, hands::DAWN};

on_each_brand!(mysql_puts_a_chunk_once, mysql_puts_chunks_that_race);

/// Recipients r0 to r9, whose numbers are 1 to 10.
async fn people(store: &SqlStore) {
    let somebody =
        |i: usize| Profile::from_spec(format!("r{i}"), RecipientSpec::on("ios")).unwrap();
    let profiles: Vec<_> = (0..10).map(somebody).collect();
    store.put_recipients(&profiles, DAWN).await.unwrap();
}

/// An item for each recipient.
fn chunk() -> Vec<NewItem> {
    let item = |i: i64| NewItem {
        id: InboxItemId::new(DAWN),
        number: i + 1,
        recipient: format!("r{i}"),
        title: format!("for r{i}"),
        body: "news".to_owned(),
        data: None,
    };
    (0..10).map(item).collect()
}

async fn unread(store: &SqlStore) -> Vec<u64> {
    let mut counts = Vec::new();
    for i in 0..10 {
        let unread = store.unread(&format!("r{i}")).await.unwrap().unwrap();
        counts.push(unread.count);
    }
    counts
}

async fn a_chunk_is_put_once(store: &SqlStore) {
    people(store).await;
    let (one, other) = (CampaignId::new(DAWN), CampaignId::new(DAWN));

    let first = store
        .put_chunk(&chunk(), one, "popular", DAWN)
        .await
        .unwrap();
    let again = store
        .put_chunk(&chunk(), one, "popular", DAWN)
        .await
        .unwrap();
    let second = store
        .put_chunk(&chunk(), other, "popular", DAWN)
        .await
        .unwrap();

    assert_eq!((first, again, second), (10, 0, 10));
    assert_eq!(unread(store).await, [2; 10]);
    let page = store
        .inbox("r3", &PageRequest::default())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(page.items[1].campaign, Some(one));
    assert_eq!(
        (page.items[0].title.as_str(), page.items[0].seq),
        ("for r3", 2)
    );
}

/// Campaigns that reach the same recipients, in any order, wait for each other instead of dying.
async fn chunks_that_race_are_all_put(store: &SqlStore) {
    people(store).await;

    let chunks = (0..8).map(|i| {
        let (store, mut chunk) = (store.clone(), chunk());
        if i % 2 == 1 {
            chunk.reverse();
        }
        let campaign = CampaignId::new(DAWN);
        tokio::spawn(async move { store.put_chunk(&chunk, campaign, "popular", DAWN).await })
    });
    let chunks: Vec<_> = chunks.collect();
    for chunk in chunks {
        assert_eq!(chunk.await.unwrap().unwrap(), 10);
    }

    assert_eq!(unread(store).await, [8; 10]);
}

#[tokio::test]
async fn postgresql_puts_a_chunk_once() {
    let (store, _database) = databases::postgres().await;
    a_chunk_is_put_once(&store).await;
}

#[tokio::test]
async fn sqlite_puts_a_chunk_once() {
    a_chunk_is_put_once(&databases::sqlite().await.store).await;
}

async fn mysql_puts_a_chunk_once(brand: Brand) {
    let (store, _url) = databases::mysql(brand).await;
    a_chunk_is_put_once(&store).await;
}

async fn mysql_puts_chunks_that_race(brand: Brand) {
    let (store, _url) = databases::mysql(brand).await;
    chunks_that_race_are_all_put(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgresql_puts_chunks_that_race() {
    let (store, _database) = databases::postgres().await;
    chunks_that_race_are_all_put(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_puts_chunks_that_race() {
    chunks_that_race_are_all_put(&databases::sqlite().await.store).await;
}
