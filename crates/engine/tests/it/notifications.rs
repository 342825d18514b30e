//! Notifications where a worker runs in the process.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use baton_domain::{
    Clock, LeaseId, Timestamp, WorkerId,
    job::State,
    message::MessageSpec,
    notification::{NotificationSpec, QUEUE},
    queue::QueueChange,
    recipient::{Profile, RecipientSpec},
};
use baton_engine::Notice;
use baton_ports::{
    LocalDispatch, SlotReservation,
    store::{Claimed, InlineStart, Jobs, Queues, Recipients, Urgency},
};

use crate::fixture::Fixture;

/// A local worker with so many free slots, and what was handed over it.
#[derive(Clone, Default)]
struct Neighbour {
    free: Arc<AtomicUsize>,
    handed_over: Arc<AtomicUsize>,
    worker: Option<WorkerId>,
}

struct Seats(Neighbour, InlineStart);

impl LocalDispatch for Neighbour {
    fn reserve(&self, queue: &str, jobs: u32) -> Option<Box<dyn SlotReservation>> {
        let start = InlineStart {
            worker: self.worker?,
            queue: queue.to_owned(),
            lease: LeaseId::random(),
            until: Timestamp::from_micros(i64::MAX / 2),
        };
        let has_room = self.free.load(SeqCst) >= jobs as usize;
        has_room.then(|| Box::new(Seats(self.clone(), start)) as _)
    }

    fn joined(&self, _: &str) {}
}

impl SlotReservation for Seats {
    fn inline_start(&self) -> &InlineStart {
        &self.1
    }

    fn accept(self: Box<Self>, claimed: Vec<Claimed>) {
        self.0.handed_over.fetch_add(claimed.len(), SeqCst);
    }
}

/// A fixture with two recipients, and a local worker that has room for so many jobs.
async fn fixture(free: usize) -> (Fixture, Neighbour) {
    let fixture = Fixture::new().await;
    let neighbour = Neighbour {
        free: Arc::new(AtomicUsize::new(free)),
        worker: Some(fixture.worker),
        ..Neighbour::default()
    };
    fixture.engine.dispatch_to(Arc::new(neighbour.clone()));
    for id in ["a", "b"] {
        let spec = RecipientSpec {
            addresses: BTreeMap::from([("push".to_owned(), format!("token-{id}"))]),
            ..RecipientSpec::on("ios")
        };
        let profile = Profile::from_spec(id.to_owned(), spec).unwrap();
        let now = fixture.clock.now();
        fixture.store.put_recipients(&[profile], now).await.unwrap();
    }
    (fixture, neighbour)
}

async fn tell(fixture: &Fixture) -> Notice {
    let spec = NotificationSpec {
        recipients: vec!["a".to_owned(), "b".to_owned()],
        message: MessageSpec {
            title: "t".to_owned(),
            body: "b".to_owned(),
            ..MessageSpec::default()
        },
        ..NotificationSpec::default()
    };
    fixture.engine.notify(spec).await.unwrap()
}

async fn states(fixture: &Fixture, notice: &Notice) -> Vec<State> {
    let mut states = Vec::new();
    for sent in &notice.sent {
        let job = fixture.store.job(sent.job_id.unwrap()).await.unwrap();
        states.push(job.unwrap().state);
    }
    states
}

async fn pause(fixture: &Fixture, paused: bool) {
    let change = QueueChange {
        paused: Some(paused),
        ..QueueChange::default()
    };
    let changed = fixture
        .store
        .change_queue(QUEUE, &change, fixture.clock.now())
        .await;
    changed.unwrap();
}

#[tokio::test]
async fn what_a_worker_next_door_has_room_for_it_is_handed_at_once() {
    let (mut fixture, neighbour) = fixture(2).await;
    pause(&fixture, false).await;
    fixture.was_woken().await;

    let notice = tell(&fixture).await;

    assert_eq!(states(&fixture, &notice).await, [State::Running; 2]);
    assert_eq!(neighbour.handed_over.load(SeqCst), 2);
    assert!(!fixture.was_woken().await);
}

#[tokio::test]
async fn what_nobody_next_door_has_room_for_waits_in_line() {
    let (fixture, neighbour) = fixture(1).await;
    pause(&fixture, false).await;

    let notice = tell(&fixture).await;

    assert_eq!(states(&fixture, &notice).await, [State::Queued; 2]);
    assert_eq!(neighbour.handed_over.load(SeqCst), 0);
}

#[tokio::test]
async fn in_a_paused_queue_nothing_is_handed_over() {
    let (fixture, neighbour) = fixture(2).await;
    pause(&fixture, true).await;

    let notice = tell(&fixture).await;

    assert_eq!(states(&fixture, &notice).await, [State::Queued; 2]);
    assert_eq!(neighbour.handed_over.load(SeqCst), 0);
}

#[tokio::test]
async fn a_delivery_carries_what_its_recipient_reads_and_no_other_language() {
    let (fixture, _) = fixture(0).await;
    let mut korean = fixture
        .store
        .find_recipients(&["b".to_owned()], Urgency::Bulk)
        .await
        .unwrap()
        .remove(0)
        .profile;
    korean.locale = Some("ko-KR".to_owned());
    let now = fixture.clock.now();
    fixture.store.put_recipients(&[korean], now).await.unwrap();
    let spec: NotificationSpec = serde_json::from_str(
        r#"{"recipients": ["a", "b"], "message": {"title": "Like", "body": "b",
            "translations": {"ko": {"title": "좋아요", "body": "b"}, "de": {"title": "Mag", "body": "b"}}}}"#,
    )
    .unwrap();

    let notice = fixture.engine.notify(spec).await.unwrap();

    let mut payloads = Vec::new();
    for sent in &notice.sent {
        let job = fixture.store.job(sent.job_id.unwrap()).await.unwrap();
        payloads.push(job.unwrap().payload);
    }
    for (payload, title) in payloads.iter().zip(["Like", "좋아요"]) {
        assert!(
            payload.contains(&format!(r#""title":"{title}""#)),
            "{payload}"
        );
        assert!(
            !payload.contains("translations") && !payload.contains("Mag"),
            "{payload}"
        );
    }
}
