//! The rest: whom a campaign has written down and not reached.

use baton_domain::{
    CampaignId,
    campaign::{NewCampaign, RestSpec, Trigger},
    job::{Class, State},
};

use super::{
    super::{
        bench::{ALL, Bench, SECOND},
        promises,
    },
    fixtures::{ids_of, quiz},
};
use crate::store::{Retention, Unreached, UnreachedCount};

promises! {
    async fn who_was_reached_is_not_left(bench: Bench) {
        bench.crowd(6).await;
        let id = canceled_after(&bench, 2).await;

        let (left, _) = bench.left(id, 0, ALL).await;

        let mut reached = bench.reached(id).await;
        reached.extend(left.clone());
        reached.sort();
        assert_eq!(left.len(), 4);
        assert_eq!(reached, ["p1", "p2", "p3", "p4", "p5", "p6"]);
    }

    async fn a_delivery_that_failed_or_was_skipped_has_not_reached_anybody(bench: Bench) {
        bench.crowd(2).await;
        bench.person("off", false).await;
        let id = bench.create(quiz()).await;
        bench.walk_through(10).await;
        let claimed = bench.claim_as(bench.worker, &id.to_string(), 1).await;
        bench.fail(&claimed[0], Class::Permanent).await;
        bench.send(id, ALL).await;

        let count = bench.count_left(id, 0).await;

        let expected = UnreachedCount { failed: 1, skipped: 1, written: 3, ..UnreachedCount::default() };
        assert_eq!(count, expected);
        assert_eq!(bench.left(id, 0, ALL).await.0.len(), 2);
    }

    async fn who_may_still_be_reached_is_not_left(bench: Bench) {
        bench.crowd(3).await;
        let id = bench.create(quiz()).await;
        bench.walk_through(10).await;
        bench.claim_as(bench.worker, &id.to_string(), 1).await;

        let (left, next) = bench.left(id, 0, ALL).await;

        assert_eq!((left.len(), next), (0, None));
        assert_eq!(bench.count_left(id, 0).await, UnreachedCount { written: 3, ..UnreachedCount::default() });
    }

    async fn the_rest_is_walked_page_by_page_in_the_order_of_the_numbers(bench: Bench) {
        bench.crowd(7).await;
        let id = canceled_after(&bench, 0).await;

        let mut after = Some(0);
        let mut pages = Vec::new();
        while let Some(from) = after {
            let (page, next) = bench.left(id, from, 3).await;
            pages.push(page);
            after = next;
        }

        pages.retain(|page| !page.is_empty());
        assert_eq!(pages, [vec!["p1", "p2", "p3"], vec!["p4", "p5", "p6"], vec!["p7"]]);
    }

    async fn the_rest_begins_after_a_number_and_ends_with_another(bench: Bench) {
        bench.crowd(6).await;
        let id = canceled_after(&bench, 0).await;

        let walk = Unreached { campaign: id, after: 2, until: 4 };
        let page = bench.store.unreached(&walk, ALL).await.unwrap();
        let count = bench.store.count_unreached(&walk).await.unwrap();

        assert_eq!(page.recipients.iter().map(|one| one.number).collect::<Vec<_>>(), [3, 4]);
        assert_eq!((count.canceled, count.written), (2, 2));
    }

    async fn who_was_forgotten_is_not_left(bench: Bench) {
        bench.crowd(3).await;
        let id = canceled_after(&bench, 0).await;

        bench.store.delete_recipient("p2").await.unwrap();

        assert_eq!(bench.left(id, 0, ALL).await.0, ["p1", "p3"]);
        let count = bench.count_left(id, 0).await;
        assert_eq!((count.total(), count.written), (2, 3));
    }

    async fn the_rest_of_another_campaign_is_its_own(bench: Bench) {
        bench.crowd(2).await;
        canceled_after(&bench, 0).await;
        let sent = canceled_after(&bench, 2).await;

        assert_eq!(bench.count_left(sent, 0).await.total(), 0);
        assert!(bench.left(sent, 0, ALL).await.0.is_empty());
    }

    async fn what_was_pruned_is_not_among_what_was_written(bench: Bench) {
        bench.crowd(3).await;
        let id = canceled_after(&bench, 1).await;

        bench.pass(Retention::default().jobs + SECOND);
        let pruned = bench.store.prune(&Retention::default(), ALL, bench.now()).await;

        assert_eq!(pruned.unwrap().jobs, 3);
        assert_eq!(bench.count_left(id, 0).await, UnreachedCount::default());
    }

    async fn whose_inbox_has_the_item_is_told_by_push_alone(bench: Bench) {
        bench.crowd(2).await;
        bench.person("off", false).await;
        let mut spec = quiz();
        spec.action = "both".to_owned();
        let id = bench.create(spec).await;
        bench.walk_through(10).await;
        bench.cancel_all(id).await;

        let page = bench.store.unreached(&whole(id, 0), ALL).await.unwrap();

        assert_eq!(page.recipients.len(), 3);
        assert_eq!(page.told.into_iter().collect::<Vec<_>>(), [1, 2], "but not whom it passed over");
    }

    async fn a_campaign_for_a_rest_keeps_whom_it_is_for(bench: Bench) {
        bench.crowd(5).await;
        let id = canceled_after(&bench, 2).await;
        bench.person("late", true).await;
        bench.pass(SECOND);
        let rest = NewCampaign::for_the_rest(&bench.campaign(id).await, RestSpec::default(), bench.now());
        let rest = rest.unwrap();

        bench.store.create_campaign(&rest).await.unwrap();
        let begun = bench.take().await.unwrap();

        assert_eq!(begun.plan.rest, rest.plan.rest);
        assert_eq!((begun.id, begun.until), (rest.id, Some(5)), "who joined since is not in the rest");
    }

    async fn a_failure_is_left_when_the_campaign_was_canceled_since(bench: Bench) {
        bench.crowd(1).await;
        let id = bench.create(quiz()).await;
        bench.walk_through(10).await;
        let claimed = bench.claim_as(bench.worker, &id.to_string(), 1).await;
        bench.fail(&claimed[0], Class::Permanent).await;

        bench.cancel_all(id).await;

        assert_eq!(bench.count_left(id, 0).await.failed, 1);
    }
}

/// A campaign for everybody that was canceled when so many had got it.
async fn canceled_after(bench: &Bench, sent: u32) -> CampaignId {
    let id = bench.create(quiz()).await;
    bench.walk_through(10).await;
    bench.send(id, sent).await;
    bench.cancel_all(id).await;
    id
}

const fn whole(campaign: CampaignId, after: i64) -> Unreached {
    Unreached {
        campaign,
        after,
        until: i64::MAX >> 24,
    }
}

impl Bench {
    async fn cancel_all(&self, id: CampaignId) {
        self.order(id, Trigger::Cancel).await;
        self.sweep(ALL).await;
        self.sweep(ALL).await;
    }

    async fn left(&self, id: CampaignId, after: i64, limit: u32) -> (Vec<String>, Option<i64>) {
        let page = self.store.unreached(&whole(id, after), limit).await;
        let page = page.expect("the rest");
        let ids = page.recipients.into_iter().map(|one| one.profile.id);
        (ids.collect(), page.next)
    }

    async fn count_left(&self, id: CampaignId, after: i64) -> UnreachedCount {
        let count = self.store.count_unreached(&whole(id, after)).await;
        count.expect("the count of the rest")
    }

    async fn reached(&self, id: CampaignId) -> Vec<String> {
        let succeeded = Some(State::Succeeded);
        ids_of(&self.deliveries_in(id, succeeded).await)
    }
}
