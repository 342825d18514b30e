//! What the local worker may have been given is never told as not done, and what is refused is told to whom it concerns.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
};

use async_trait::async_trait;
use baton_domain::{
    Clock, ManualClock, Timestamp,
    access::Actor,
    delivery::KIND,
    job::{JobSpec, NewJob},
    message::MessageSpec,
    notification::{self, NotificationSpec},
    page::PageRequest,
    queue::QueueChange,
    recipient::{Profile, RecipientSpec},
};
use baton_engine::{Caller, Engine, Error, Settings};
use baton_ports::{
    MemoryStore, Store, Wakeups,
    layer::{Hook, Layer, StoreCall},
    store::{self, Atomicity, Enqueued, JobFilter, Jobs, Queues, Recipients},
};

use crate::{
    fixture::{Anything, QUEUE, spec},
    hangups::Neighbour,
};

/// Does the first call of a name, loses its answer, and stays away.
struct LostAfter(&'static str, AtomicBool);

#[async_trait]
impl Hook for LostAfter {
    async fn before(&self, _: StoreCall) -> store::Result<()> {
        match self.1.load(SeqCst) {
            true => Err(store::Error::Unavailable("it is away".to_owned())),
            false => Ok(()),
        }
    }

    async fn after(&self, call: StoreCall) -> store::Result<()> {
        if call.name != self.0 {
            return Ok(());
        }
        self.1.store(true, SeqCst);
        Err(store::Error::Unconfirmed("its answer is lost".to_owned()))
    }
}

/// An engine with a local worker, over a store that stays away after such a call; and that store.
async fn engine(lost: &'static str) -> (Caller, Arc<MemoryStore>) {
    let clock = ManualClock::at(Timestamp::from_micros(1_800_000_000_000_000));
    let store = Arc::new(MemoryStore::with_clock(Arc::new(clock.clone())));
    let open = QueueChange {
        paused: Some(false),
        ..QueueChange::default()
    };
    for queue in [QUEUE, notification::QUEUE] {
        store.change_queue(queue, &open, clock.now()).await.unwrap();
    }
    let spec = RecipientSpec {
        addresses: BTreeMap::from([("push".to_owned(), "token".to_owned())]),
        ..RecipientSpec::on("ios")
    };
    let ann = Profile::from_spec("ann".to_owned(), spec).unwrap();
    store.put_recipients(&[ann], clock.now()).await.unwrap();
    let engine = Engine::new(
        Layer::over(store.clone(), LostAfter(lost, AtomicBool::new(false))),
        Arc::new(Wakeups::default()),
        Arc::new(clock),
        vec![Arc::new(Anything("note")), Arc::new(Anything(KIND))],
        Settings {
            providers: vec!["gateway".to_owned()],
            ..Settings::default()
        },
    )
    .caller(Actor::anonymous());
    engine.dispatch_to(Arc::new(Neighbour::default()));
    (engine, store)
}

async fn jobs(store: &MemoryStore) -> usize {
    let (any, first) = (JobFilter::default(), PageRequest::default());
    store.jobs(&any, &first).await.unwrap().items.len()
}

#[tokio::test(start_paused = true)]
async fn a_start_without_an_answer_is_in_doubt_although_the_database_stays_away() {
    let (engine, store) = engine("enqueue_and_claim").await;

    let told = engine.enqueue(spec()).await;

    assert_eq!(jobs(&store).await, 1);
    assert!(
        matches!(told, Err(Error::Store(store::Error::Unconfirmed(_)))),
        "{told:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn starts_that_share_a_lost_answer_are_all_in_doubt() {
    let (engine, store) = engine("enqueue_and_claim").await;

    let told = futures::future::join_all((0..20).map(|_| engine.enqueue(spec()))).await;

    let in_doubt = told
        .iter()
        .filter(|told| matches!(told, Err(Error::Store(store::Error::Unconfirmed(_)))));
    assert!(in_doubt.count() >= jobs(&store).await);
    assert!(told.iter().all(Result::is_err));
}

#[tokio::test(start_paused = true)]
async fn a_notification_without_an_answer_is_in_doubt_although_the_database_stays_away() {
    let (engine, store) = engine("notify").await;
    let spec = NotificationSpec {
        recipients: vec!["ann".to_owned()],
        message: MessageSpec {
            title: "t".to_owned(),
            body: "b".to_owned(),
            ..MessageSpec::default()
        },
        ..NotificationSpec::default()
    };

    let told = engine.notify(spec).await;

    assert_eq!(jobs(&store).await, 1);
    assert!(
        matches!(told, Err(Error::Store(store::Error::Unconfirmed(_)))),
        "{told:?}"
    );
}

/// Refuses whatever has a job with a word in its payload, and counts how often it is asked.
#[derive(Default)]
struct Squeamish(AtomicUsize);

#[async_trait]
impl Hook for Squeamish {
    async fn enqueue(
        &self,
        below: &dyn Store,
        jobs: Vec<NewJob>,
        atomicity: Atomicity,
    ) -> store::Result<Vec<Enqueued>> {
        self.0.fetch_add(1, SeqCst);
        match jobs.iter().any(|job| job.payload.contains("bad")) {
            true => Err(store::Error::Refused("a bad row".to_owned())),
            false => below.enqueue(jobs, atomicity).await,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_the_store_refuses_is_halved_until_the_bad_job_stands_alone() {
    let store = Arc::new(MemoryStore::new());
    let squeamish = Layer::over(store.clone(), Squeamish::default());
    let engine = Engine::new(
        squeamish.clone(),
        Arc::new(Wakeups::default()),
        Arc::new(ManualClock::at(Timestamp::from_micros(0))),
        vec![Arc::new(Anything("note"))],
        Settings::default(),
    )
    .caller(Actor::anonymous());
    let spec = |n: u32| JobSpec {
        payload: format!("\"{}\"", if n == 500 { "bad" } else { "good" }),
        ..spec()
    };

    let told = futures::future::join_all((0..1_000).map(|n| engine.enqueue(spec(n)))).await;

    let refused: Vec<_> = (0..1_000).filter(|n| told[*n].is_err()).collect();
    assert_eq!(refused, [500]);
    assert!(squeamish.hook.0.load(SeqCst) < 50, "one by one");
}
