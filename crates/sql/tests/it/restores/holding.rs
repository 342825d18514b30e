//! A copy that is held: nothing of it runs until somebody says so, and then all of it does.

use baton_domain::{
    Lifecycle, WorkerId,
    campaign::{State, Trigger},
    queue::QueueChange,
    schedule::Schedule,
};
use baton_ports::store::{
    Atomicity, CampaignMove, Campaigns, Jobs, Queues, ScheduleChange, Schedules, Work,
};
use baton_sql::SqlStore;

use crate::{
    campaigns::{HOLD, quiz},
    databases,
    hands::{DAWN, LEASE, claim, jobs},
    unreadable::stock::hourly,
};

#[tokio::test]
async fn a_held_copy_starts_nothing_until_it_is_let_go_and_then_everything() {
    let sqlite = databases::sqlite().await;
    let (postgres, _database) = databases::postgres().await;

    for store in [&sqlite.store, &postgres] {
        store.enqueue(jobs(3, DAWN), Atomicity::All).await.unwrap();
        let waits = quiz("default", DAWN);
        store.create_campaign(&waits).await.unwrap();
        let (walked, node) = (quiz("other", DAWN), WorkerId::new(DAWN));
        store.create_campaign(&walked).await.unwrap();
        let taken = store.take_expansion(node, DAWN + HOLD, DAWN).await.unwrap();
        let schedule = Schedule::new(hourly("hourly"), DAWN);
        store.add_schedule(&schedule, DAWN).await.unwrap();
        let later = schedule.next_at.unwrap() + 2 * HOLD;

        store.hold(DAWN).await.unwrap();
        store.hold(DAWN).await.unwrap();
        let held = started(store, later).await;
        let kept = store.find_schedule(schedule.id).await.unwrap().unwrap();
        for id in [waits.id, walked.id] {
            let campaign = store.campaign(id, later).await.unwrap().unwrap();
            assert_eq!(campaign.state, State::Stopped);
            let command = CampaignMove {
                campaign: id,
                epoch: campaign.epoch,
                transition: campaign.state.on(Trigger::Resume).unwrap(),
                why: None,
            };
            assert!(store.command(&command, later).await.unwrap());
        }
        let open = QueueChange {
            paused: Some(false),
            ..QueueChange::default()
        };
        store.change_queue("default", &open, later).await.unwrap();
        let resumed = kept.clone().resumed(DAWN);
        let change = ScheduleChange::Resumed;
        store
            .change_schedule(&resumed, change, later)
            .await
            .unwrap();
        let released = started(store, later).await;

        assert!(taken.is_some());
        assert_eq!(held, (0, false, 0));
        assert_eq!(released, (3, true, 1));
    }
}

/// How many jobs are claimed, whether a campaign is walked, and how many schedules are due.
async fn started(store: &SqlStore, now: baton_domain::Timestamp) -> (usize, bool, usize) {
    let worker = WorkerId::new(now);
    let claimed = store.claim(&claim(worker, 10, now + LEASE), now).await;
    let taken = store.take_expansion(worker, now + HOLD, now).await;
    let due = store.due_schedules(10, now).await.unwrap();
    (
        claimed.unwrap().len(),
        taken.unwrap().is_some(),
        due.schedules.len(),
    )
}
