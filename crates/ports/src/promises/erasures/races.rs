//! What was begun before somebody is erased is written no more.

use baton_domain::campaign::CampaignSpec;
use serde_json::json;

use super::{
    super::{bench::Bench, campaigns::fixtures::quiz, promises, recipients::fixtures::somebody},
    canary::CANARY,
};
use crate::store::{Error, Notified, ScheduleChange, UpsertOutcome};

promises! {
    async fn a_notification_that_was_about_to_be_written_is_refused_as_a_whole(bench: Bench) {
        bench.store.put_recipients(&[somebody(CANARY), somebody("b")], bench.now()).await.unwrap();
        let items = vec![bench.new_item(CANARY, 1, "1"), bench.new_item("b", 2, "2")];
        let dispatch = bench.with_jobs(bench.dispatch(items));

        bench.begin_to_erase().await;
        let refused = bench.store.notify(&dispatch, bench.now()).await;

        assert!(matches!(refused, Err(Error::Erasing)), "{refused:?}");
        assert!(bench.store.unread("b").await.unwrap().unwrap().count == 0);
        for job in &dispatch.jobs {
            assert!(bench.store.job(job.id).await.unwrap().is_none());
        }
    }

    async fn a_notification_to_others_is_written_meanwhile(bench: Bench) {
        bench.store.put_recipients(&[somebody(CANARY), somebody("b")], bench.now()).await.unwrap();
        bench.begin_to_erase().await;

        let dispatch = bench.dispatch(vec![bench.new_item("b", 2, "2")]);
        let notified = bench.store.notify(&dispatch, bench.now()).await.unwrap();

        assert_eq!(notified, Notified::Accepted(Vec::new()));
    }

    async fn a_chunk_that_was_about_to_be_written_is_not_and_the_next_one_goes_on_without_them(bench: Bench) {
        bench.store.put_recipients(&[somebody(CANARY), somebody("b")], bench.now()).await.unwrap();
        let id = bench.create(CampaignSpec { action: "inbox".to_owned(), ..quiz() }).await;
        let campaign = bench.take().await.unwrap();
        let chunk = bench.chunk(&campaign, 10).await;

        bench.begin_to_erase().await;
        let is_written = bench.store.expand(&chunk, bench.now()).await.unwrap();
        let next = bench.chunk(&campaign, 10).await;
        let is_next = bench.store.expand(&next, bench.now()).await.unwrap();

        assert_eq!((is_written, is_next, next.members), (false, true, 1));
        assert_eq!(bench.campaign(id).await.expanded, 1);
    }

    async fn what_was_in_hand_when_it_began_is_refused_after_its_end_as_well(bench: Bench) {
        bench.store.put_recipients(&[somebody(CANARY), somebody("b")], bench.now()).await.unwrap();
        bench.create(CampaignSpec { action: "both".to_owned(), ..quiz() }).await;
        let campaign = bench.take().await.unwrap();
        let chunk = bench.chunk(&campaign, 10).await;
        let dispatch = bench.with_jobs(bench.dispatch(vec![bench.new_item(CANARY, 1, "1")]));

        bench.begin_to_erase().await;
        bench.erase(100).await.unwrap();
        let is_written = bench.store.expand(&chunk, bench.now()).await.unwrap();
        let notified = bench.store.notify(&dispatch, bench.now()).await;

        assert!(!is_written);
        assert!(matches!(notified, Err(Error::Erasing)), "{notified:?}");
    }

    async fn an_import_brings_nobody_back_who_is_being_erased(bench: Bench) {
        bench.store.put_recipients(&[somebody(CANARY)], bench.now()).await.unwrap();
        bench.begin_to_erase().await;

        let rows = [somebody("b"), somebody(CANARY), somebody("c")];
        let put = bench.store.put_recipients(&rows, bench.now()).await.unwrap();
        bench.erase(100).await.unwrap();
        let later = bench.store.put_recipients(&rows, bench.now()).await.unwrap();

        assert_eq!(put, [UpsertOutcome::Added, UpsertOutcome::Erasing, UpsertOutcome::Added]);
        assert_eq!(later, [UpsertOutcome::Unchanged, UpsertOutcome::Added, UpsertOutcome::Unchanged]);
    }

    async fn nothing_new_names_somebody_who_is_being_erased(bench: Bench) {
        let named = json!({ "ids": ["b", CANARY] });
        let before = bench.scheduled("before").await;
        bench.begin_to_erase().await;

        let campaign = bench.new_campaign(CampaignSpec { audience: named.clone(), ..quiz() });
        let created = bench.store.create_campaign(&campaign).await;
        let mut plan = before.plan.clone();
        plan.template = baton_domain::schedule::Template::Campaign(json!({ "audience": named }));
        let mut schedule = bench.new_schedule(plan.clone());
        schedule.plan.name = "new".to_owned();
        let added = bench.store.add_schedule(&schedule, bench.now()).await;
        let changed = baton_domain::schedule::Schedule { plan, revision: before.revision + 1, ..before.clone() };
        let changed = bench.store.change_schedule(&changed, ScheduleChange::Changed, bench.now()).await;

        assert!(matches!(created, Err(Error::Erasing)), "{created:?}");
        assert!(matches!(added, Err(Error::Erasing)), "{added:?}");
        assert!(matches!(changed, Err(Error::Erasing)), "{changed:?}");
        assert_eq!(bench.find(before.id).await, Some(before));
    }
}
