//! Something of everything that a store keeps.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use baton_domain::{
    CampaignId, InboxItemId, JobId, NotificationId, OperationId, ScheduleId, WorkerId,
    checkpoint::Progress,
    content::RequestDigest,
    fleet::{Heartbeat, RemoteWorker},
    globe::Point,
    job::{Class, Limits},
    node::Node,
    notification::Sent,
    operation::{Action, DeadLetterFilter},
    recipient::{Profile, RecipientSpec},
    schedule::{JobTemplate, MissedRun, Schedule, ScheduleDefinition, ScheduleSpec},
};
use baton_ports::store::{
    Atomicity, By, Campaigns, CheckpointOutcome, CheckpointStep, Claimed, DeadLetters, Dispatch,
    Erasures, Events, Firing, Fleet, Jobs, NewItem, Nodes, Notifications, Passing, Queues,
    Recipients, Retention, ScheduledWork, Schedules, Turning, Upkeep, Work,
};
use baton_sql::SqlStore;

use super::access::AccessStock;
use crate::{
    campaigns::{HOLD, next_chunk, quiz},
    hands::{DAWN, LEASE, claim, failure, jobs, success},
};

const HOUR: Duration = Duration::from_hours(1);

/// By what it is asked for.
pub struct Stock {
    pub jobs: Vec<JobId>,
    pub campaigns: Vec<CampaignId>,
    pub schedules: Vec<ScheduleId>,
    pub operations: Vec<OperationId>,
    /// Of people who are being erased.
    pub erasures: Vec<OperationId>,
    /// Of jobs that were forgotten before their keys.
    pub keys: Vec<String>,
    pub people: Vec<String>,
    pub access: AccessStock,
}

/// Two of each thing at least, so that there is another one when one is damaged.
pub async fn fill(store: &SqlStore) -> Stock {
    let keys = forgotten_keys(store).await;
    let people = recipients(store).await;
    fleet(store).await;
    let jobs = work(store).await;
    let operations = operations(store).await;
    let campaigns = campaigns(store).await;
    let schedules = schedules(store).await;
    notifications(store).await;
    let erasures = erasures(store).await;
    let access = super::access::fill(store).await;
    store
        .change_queue("other", &Default::default(), DAWN)
        .await
        .unwrap();
    store.sequence(10_000, DAWN).await.unwrap();
    Stock {
        jobs,
        campaigns,
        schedules,
        operations,
        erasures,
        keys,
        people,
        access,
    }
}

/// Two jobs that ended long ago: their keys are kept for longer than they are.
async fn forgotten_keys(store: &SqlStore) -> Vec<String> {
    let keys = ["first", "second"].map(str::to_owned);
    let before = DAWN - 24 * HOUR;
    let mut old = jobs(2, before);
    for (job, key) in old.iter_mut().zip(&keys) {
        job.key = Some(key.clone());
    }
    store.enqueue(old, Atomicity::All).await.unwrap();
    let worker = WorkerId::new(before);
    let claimed = store.claim(&claim(worker, 2, before + LEASE), before).await;
    let ends: Vec<_> = (claimed.unwrap().iter())
        .map(|one| success(one, before))
        .collect();
    store
        .settle(By::Worker(worker), &ends, before)
        .await
        .unwrap();
    store.sequence(10_000, DAWN).await.unwrap();
    let retention = Retention {
        jobs: HOUR,
        ..Retention::default()
    };
    assert_eq!(store.prune(&retention, 100, DAWN).await.unwrap().jobs, 2);
    keys.to_vec()
}

async fn recipients(store: &SqlStore) -> Vec<String> {
    let profiles: Vec<_> = (0..4).map(|i| somebody(&format!("r{i}"))).collect();
    store.put_recipients(&profiles, DAWN).await.unwrap();
    store
        .bury_address("r1", "push", "token-r1", DAWN)
        .await
        .unwrap();
    profiles.into_iter().map(|profile| profile.id).collect()
}

pub fn somebody(id: &str) -> Profile {
    Profile {
        location: Some(Point {
            lat: 37.5,
            lon: 127.0,
        }),
        topics: BTreeSet::from(["news".to_owned()]),
        addresses: BTreeMap::from([("push".to_owned(), format!("token-{id}"))]),
        time_zone: Some("Asia/Seoul".to_owned()),
        ..Profile::from_spec(id.to_owned(), RecipientSpec::on("ios")).unwrap()
    }
}

async fn fleet(store: &SqlStore) {
    for name in ["first", "second"] {
        let heartbeat = Heartbeat {
            remote: Some(RemoteWorker::default()),
            worker: WorkerId::new(DAWN),
            name: name.to_owned(),
            version: "0.1.0".to_owned(),
            lease: Some(LEASE),
            slots: BTreeMap::from([("default".to_owned(), 8)]),
            running: 0,
            draining: false,
            started_at: DAWN,
        };
        store.heartbeat(&heartbeat, DAWN).await.unwrap();
        let node = Node {
            id: heartbeat.worker,
            name: heartbeat.name,
            address: Some("http://10.0.0.7:7700".to_owned()),
            version: heartbeat.version,
            roles: vec!["worker".to_owned()],
            started_at: DAWN,
        };
        store.beat_node(&node, None, DAWN).await.unwrap();
    }
}

/// Jobs in every state: two each that wait, are queued, run, have succeeded and have failed.
async fn work(store: &SqlStore) -> Vec<JobId> {
    let worker = WorkerId::new(DAWN);
    let until = DAWN + LEASE;
    let mut all = jobs(8, DAWN);
    for job in &mut all[..2] {
        job.key = Some(job.id.to_string());
    }
    let ids = all.iter().map(|job| job.id).collect();
    store.enqueue(all, Atomicity::All).await.unwrap();
    let claimed = store.claim(&claim(worker, 4, until), DAWN).await.unwrap();
    let mut ends: Vec<_> = claimed[..2].iter().map(|one| success(one, DAWN)).collect();
    ends.extend(
        claimed[2..]
            .iter()
            .map(|one| failure(one, Class::Permanent, DAWN)),
    );
    store.settle(By::Worker(worker), &ends, DAWN).await.unwrap();
    for _ in 0..2 {
        let running = store.claim(&claim(worker, 1, until), DAWN).await.unwrap();
        save_checkpoint(store, worker, &running[0]).await;
    }
    store.sequence(10_000, DAWN).await.unwrap();
    ids
}

async fn save_checkpoint(store: &SqlStore, worker: WorkerId, claimed: &Claimed) {
    let step = CheckpointStep {
        lease: claimed.lease,
        job: claimed.args.id,
        attempt: claimed.counters.attempt,
        seq: 1,
        cursor: "7".to_owned(),
        progress: Some(Progress::default()),
        jobs: Vec::new(),
    };
    let saved = store.checkpoint(worker, &step, DAWN).await.unwrap();
    assert!(matches!(saved, CheckpointOutcome::Recorded { .. }));
}

async fn operations(store: &SqlStore) -> Vec<OperationId> {
    let ids = [OperationId::new(DAWN), OperationId::new(DAWN)];
    for id in ids {
        let filter = DeadLetterFilter {
            kind: Some("nothing".to_owned()),
            ..Default::default()
        };
        store.begin(id, Action::Retry, &filter, DAWN).await.unwrap();
    }
    ids.to_vec()
}

async fn erasures(store: &SqlStore) -> Vec<OperationId> {
    let ids = [OperationId::new(DAWN), OperationId::new(DAWN)];
    for (id, person) in ids.into_iter().zip(["gone-1", "gone-2"]) {
        store
            .put_recipients(&[somebody(person)], DAWN)
            .await
            .unwrap();
        store.begin_erasure(id, person, DAWN).await.unwrap();
    }
    ids.to_vec()
}

async fn campaigns(store: &SqlStore) -> Vec<CampaignId> {
    let mut ids = Vec::new();
    for lane in ["a", "b"] {
        let new = quiz(lane, DAWN);
        store.create_campaign(&new).await.unwrap();
        let node = WorkerId::new(DAWN);
        let taken = store.take_expansion(node, DAWN + HOLD, DAWN).await;
        let chunk = next_chunk(store, &taken.unwrap().unwrap(), node, 2, DAWN).await;
        store.expand(&chunk, DAWN).await.unwrap();
        ids.push(new.id);
    }
    ids
}

async fn schedules(store: &SqlStore) -> Vec<ScheduleId> {
    let mut ids = Vec::new();
    for name in ["hourly", "also hourly"] {
        let schedule = Schedule::new(hourly(name), DAWN);
        store.add_schedule(&schedule, DAWN).await.unwrap();
        fire(store, &schedule).await;
        ids.push(schedule.id);
    }
    ids
}

/// Fires, and passes over the next time.
async fn fire(store: &SqlStore, schedule: &Schedule) {
    let at = schedule.next_at.unwrap();
    let baton_domain::schedule::Template::Job(template) = &schedule.plan.template else {
        unreachable!()
    };
    let job = template.job_at(at, &Limits::default(), DAWN).unwrap();
    let next = schedule.plan.calendar.after(at);
    let turn = Turning {
        next_at: next,
        due_at: schedule.due_for(next),
    };
    let firing = Firing {
        schedule: schedule.id,
        revision: schedule.revision,
        at,
        turn: Some(turn),
        made: ScheduledWork::Job(Box::new(job)),
    };
    store.fire(&firing, at).await.unwrap();
    let fired = store.find_schedule(schedule.id).await.unwrap().unwrap();
    let missed = next.unwrap();
    let next = schedule.plan.calendar.after(missed);
    let run = MissedRun {
        first: missed,
        last: missed,
        count: 1,
    };
    let passing = Passing {
        schedule: schedule.id,
        revision: fired.revision,
        at: missed,
        turn: Turning {
            next_at: next,
            due_at: schedule.due_for(next),
        },
        missed: Some((run, "nobody was there".to_owned())),
    };
    assert!(store.pass_over(&passing, missed).await.unwrap());
}

async fn notifications(store: &SqlStore) {
    for i in 0..2 {
        assert!(matches!(
            store.notify(&dispatch(i), DAWN).await.unwrap(),
            baton_ports::store::Notified::Accepted(_)
        ));
    }
}

/// The same each time: under a key of its own.
pub fn dispatch(number: usize) -> Dispatch {
    let recipient = format!("r{number}");
    let item = NewItem {
        id: InboxItemId::new(DAWN),
        number: i64::try_from(number).unwrap() + 1,
        recipient: recipient.clone(),
        title: "Hello".to_owned(),
        body: "to be read".to_owned(),
        data: Some("{}".to_owned()),
    };
    let sent = Sent {
        recipient_id: recipient,
        item_id: Some(item.id),
        job_id: None,
        skipped: None,
    };
    Dispatch {
        id: NotificationId::new(DAWN),
        key: Some(format!("key-{number}")),
        content: RequestDigest::with_digest("hash"),
        sent: vec![sent],
        numbers: vec![i64::try_from(number).unwrap() + 1],
        category: "activity".to_owned(),
        items: vec![item],
        jobs: Vec::new(),
        start: None,
    }
}

/// Makes a job each hour.
pub fn hourly(name: &str) -> ScheduleDefinition {
    let spec = ScheduleSpec {
        name: name.to_owned(),
        cron: "0 * * * *".to_owned(),
        time_zone: "Asia/Seoul".to_owned(),
        job: Some(JobTemplate {
            kind: "mail".to_owned(),
            payload: "{}".to_owned(),
            ..JobTemplate::default()
        }),
        ..ScheduleSpec::default()
    };
    ScheduleDefinition::from_spec(spec).unwrap()
}
