//! The line of a campaign: what a claim takes from it, and what happens to single deliveries.
//!
//! A store may keep many of them in one row; nobody is to notice.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
};

use baton_domain::{
    CampaignId, JobId,
    campaign::{self, CampaignSpec},
    job::{Class, DeliveryGuarantee, State, Trigger},
    page::PageRequest,
    queue::QueueChange,
    recipient::Profile,
};

use super::{
    super::{
        bench::{ALL, Bench, HOUR, MINUTE, SECOND, ids},
        promises,
    },
    fixtures::{ids_of, quiz},
};
use crate::store::{Claimed, JobFilter, Retention, SettleOutcome};

/// A few chunks of deliveries, each big enough to be kept in one row.
const COUNT: u32 = 600;
const CHUNK: u32 = 300;

promises! {
    async fn claims_take_as_many_as_they_ask_for_in_the_order_of_the_walk(bench: Bench) {
        let id = bench.in_line(COUNT, CHUNK).await;

        let (first, second, rest) = (bench.claim_of(id, 2).await, bench.claim_of(id, 299).await, bench.claim_of(id, ALL).await);

        assert_eq!((whom(&first), whom(&second), whom(&rest)), (numbers(1..=2), numbers(3..=301), numbers(302..=600)));
        assert_eq!(bench.claim_of(id, ALL).await, []);
        assert!(bench.store.ready_queues().await.unwrap().is_empty());
    }

    async fn a_claim_says_of_each_delivery_what_its_job_says(bench: Bench) {
        let id = bench.in_line(COUNT, CHUNK).await;
        bench.claim_of(id, 298).await;

        let claimed = bench.claim_of(id, 5).await;

        assert_eq!(claimed.len(), 5);
        for Claimed { args, counters, queued_at, .. } in claimed {
            let job = bench.job(args.id).await;
            assert_eq!((args.kind, args.queue, args.payload), (job.kind, job.queue, job.payload));
            assert_eq!((args.options.max_attempts, args.options.backoff, args.options.timeout), (job.options.max_attempts, job.options.backoff, job.options.timeout));
            assert_eq!((args.expires_at, args.options.delivery, args.created_at), (job.expires_at, job.options.delivery, job.created_at));
            assert_eq!((counters.attempt, counters.tries, counters.losses, counters.run), (job.attempt, job.tries, job.losses, job.run));
            assert_eq!(queued_at, job.run_at);
        }
    }

    async fn those_who_come_later_are_claimed_when_the_first_was_forgotten(bench: Bench) {
        let id = bench.in_line(COUNT, CHUNK).await;
        let first = bench.claim_of(id, 1).await;
        bench.succeed(&first[0]).await;
        bench.sequence().await;
        bench.pass(2 * HOUR);
        let retention = Retention { jobs: HOUR, ..Retention::default() };
        bench.store.prune(&retention, 100, bench.now()).await.unwrap();

        let rest = bench.claim_of(id, ALL).await;

        assert_eq!(bench.store.job(first[0].args.id).await.unwrap(), None);
        assert_eq!(whom(&rest), numbers(2..=600));
    }

    async fn a_delivery_in_doubt_that_is_forgotten_stays_in_the_books(bench: Bench) {
        bench.throng(2).await;
        let id = bench.create(CampaignSpec { delivery: Some(DeliveryGuarantee::AtMostOnce), ..quiz() }).await;
        bench.walk_through(CHUNK).await;
        let called = bench.claim_of(id, 1).await;
        bench.fail(&called[0], Class::Unknown).await;
        bench.sequence().await;
        bench.pass(2 * HOUR);
        let retention = Retention { jobs: HOUR, ..Retention::default() };

        bench.store.prune(&retention, 100, bench.now()).await.unwrap();
        bench.sequence().await;

        assert_eq!(bench.store.job(called[0].args.id).await.unwrap(), None);
        assert_eq!(bench.store.reconcile(bench.now()).await.unwrap(), []);
        assert_eq!(bench.campaign(id).await.counts.of(State::Uncertain), 1);
    }

    async fn a_claim_may_take_all_but_one_of_a_long_line(bench: Bench) {
        let id = bench.in_line(2_300, 2_300).await;

        let (most, rest) = (bench.claim_of(id, 2_299).await, bench.claim_of(id, ALL).await);

        assert_eq!((whom(&most), whom(&rest)), (numbers(1..=2_299), numbers(2_300..=2_300)));
    }

    async fn those_who_claim_at_once_share_a_line(bench: Bench) {
        let id = bench.in_line(COUNT, CHUNK).await;

        let claims = (0..6).map(|_| {
            let (bench, worker) = (bench.clone(), bench.another_worker());
            tokio::spawn(async move { bench.claim_as(worker, &id.to_string(), 70).await })
        });
        let mut taken = Vec::new();
        for claim in claims.collect::<Vec<_>>() {
            taken.extend(ids(&claim.await.unwrap()));
        }
        taken.extend(ids(&bench.claim_of(id, ALL).await));

        let different: BTreeSet<_> = taken.iter().collect();
        assert_eq!((taken.len(), different.len()), (600, 600));
    }

    async fn a_delivery_in_line_is_queued_since_it_was_written(bench: Bench) {
        let id = bench.in_line(COUNT, CHUNK).await;
        let written = bench.now();
        bench.pass(MINUTE);

        let delivery = bench.deliveries(id).await.pop().unwrap();

        assert_eq!((delivery.state, delivery.attempt), (State::Queued, 0));
        assert_eq!((delivery.updated_at, delivery.run_at <= written), (written, true));
        assert_eq!(bench.queue(&id.to_string()).await.oldest_queued_at, Some(delivery.run_at));
    }

    async fn a_delivery_canceled_in_line_leaves_its_neighbours_there(bench: Bench) {
        let id = bench.in_line(COUNT, CHUNK).await;
        bench.claim_of(id, 1).await;
        let third = bench.delivery_to(id, 3).await;

        let is_canceled = bench.transition(third, State::Queued, Trigger::Cancel).await;
        let again = bench.transition(third, State::Queued, Trigger::Cancel).await;

        assert_eq!((is_canceled, again), (true, false));
        bench.assert_state(third, State::Canceled).await;
        let mut left = whom(&bench.claim_of(id, ALL).await);
        left.sort_by_key(|id| (id.len(), id.clone()));
        assert_eq!(left, [numbers(2..=2), numbers(4..=600)].concat());
    }

    async fn a_delivery_that_was_claimed_is_not_in_line_any_more(bench: Bench) {
        let id = bench.in_line(COUNT, CHUNK).await;
        let first = bench.claim_of(id, 1).await[0].args.id;

        let is_canceled = bench.transition(first, State::Queued, Trigger::Cancel).await;

        assert!(!is_canceled);
        bench.assert_state(first, State::Running).await;
        assert_eq!(bench.claim_of(id, ALL).await.len(), 599);
    }

    async fn those_in_line_are_listed_newest_first_page_by_page(bench: Bench) {
        let id = bench.in_line(COUNT, CHUNK).await;
        let other = bench.create(quiz()).await;
        bench.walk_through(CHUNK).await;
        bench.claim_of(id, 2).await;
        let canceled = bench.delivery_to(id, 200).await;
        bench.transition(canceled, State::Queued, Trigger::Cancel).await;

        let (first, next) = bench.queued_page(id, 350, None).await;
        let (second, end) = bench.queued_page(id, 350, next).await;

        assert_eq!(first, backwards(251..=600));
        assert_eq!((second, end), ([backwards(201..=250), backwards(3..=199)].concat(), None));
        assert_eq!(bench.queued_page(other, ALL, None).await.0, backwards(1..=600));
    }

    async fn what_comes_back_stands_in_line_with_those_who_never_went(bench: Bench) {
        let id = bench.in_line(COUNT, CHUNK).await;
        let first = bench.claim_of(id, 1).await.pop().unwrap();
        bench.fail(&first, Class::Retry).await;
        bench.pass(MINUTE);
        bench.release().await;

        let claimed = bench.claim_of(id, ALL).await;

        let attempts: Vec<_> = claimed.iter().map(|one| one.counters.attempt).collect();
        assert_eq!((claimed.len(), attempts.iter().sum::<u32>()), (600, 601));
        let again = claimed.iter().find(|one| one.args.id == first.args.id).unwrap();
        assert_eq!((again.counters.attempt, bench.succeed(again).await), (2, SettleOutcome::Recorded));
    }

    async fn a_line_with_limits_gives_within_them(bench: Bench) {
        let id = bench.in_line(COUNT, CHUNK).await;
        let slow = QueueChange { rate: Some(Some(200.0)), ..QueueChange::default() };
        bench.change_queue(&id.to_string(), slow).await;
        bench.pass(MINUTE);

        let first = bench.claim_of(id, ALL).await;
        bench.pass(SECOND);
        let second = bench.claim_of(id, ALL).await;

        assert_eq!((whom(&first), whom(&second)), (numbers(1..=200), numbers(201..=400)));
    }

    async fn those_who_stand_in_line_for_too_long_expire(bench: Bench) {
        bench.throng(COUNT).await;
        let id = bench.create(CampaignSpec { expires_after: Some(MINUTE), ..quiz() }).await;
        bench.walk_through(CHUNK).await;
        bench.claim_of(id, 598).await;
        bench.pass(MINUTE + SECOND);

        let claimed = bench.claim_of(id, ALL).await;
        let expired = bench.store.expire(ALL, bench.now()).await.unwrap();

        assert_eq!((claimed, expired), (vec![], 2));
        let dead = bench.deliveries_in(id, Some(State::Failed)).await;
        assert_eq!(ids_of(&dead), backwards(599..=600));
        assert!(dead.iter().all(|delivery| delivery.reason.as_deref() == Some("expired")));
    }

    async fn the_counters_of_a_line_hold_whatever_was_taken_from_it(bench: Bench) {
        let id = bench.in_line(COUNT, CHUNK).await;
        bench.send(id, 2).await;
        let last = bench.delivery_to(id, 600).await;
        bench.transition(last, State::Queued, Trigger::Cancel).await;
        bench.sequence().await;

        let repaired = bench.store.reconcile(bench.now()).await.unwrap();

        assert_eq!(repaired, []);
        let queue = bench.queue(&id.to_string()).await;
        assert_eq!((queue.queued, queue.running, queue.succeeded), (597, 0, 2));
    }

    async fn the_story_of_a_delivery_begins_in_line(bench: Bench) {
        let id = bench.in_line(COUNT, CHUNK).await;
        bench.sequence().await;
        let last = bench.delivery_to(id, 600).await;

        assert_eq!(bench.plot(last).await, ["job.queued"]);
    }

    async fn a_canceled_campaign_has_its_line_swept(bench: Bench) {
        let id = bench.in_line(COUNT, CHUNK).await;
        bench.claim_of(id, 10).await;

        bench.order(id, campaign::Trigger::Cancel).await;
        let mut swept = 0;
        while bench.campaign(id).await.finished_at.is_none() && swept < 590 {
            swept += bench.sweep(100).await;
        }

        assert_eq!(swept, 590);
        assert_eq!(bench.deliveries_in(id, Some(State::Canceled)).await.len(), 590);
        assert_eq!(bench.claim_of(id, ALL).await, []);
    }
}

pub(super) fn whom(claimed: &[Claimed]) -> Vec<String> {
    let payload = |one: &Claimed| -> serde_json::Value {
        serde_json::from_str(&one.args.payload).expect("a payload")
    };
    let id = |one| payload(one)["recipient_id"].as_str().map(str::to_owned);
    claimed.iter().filter_map(id).collect()
}

pub(super) fn numbers(range: RangeInclusive<u32>) -> Vec<String> {
    range.map(|number| format!("p{number}")).collect()
}

pub(super) fn backwards(range: RangeInclusive<u32>) -> Vec<String> {
    numbers(range).into_iter().rev().collect()
}

impl Bench {
    /// A campaign for so many, all of whom stand in its line.
    async fn in_line(&self, count: u32, chunk: u32) -> CampaignId {
        self.throng(count).await;
        let id = self.create(quiz()).await;
        self.walk_through(chunk).await;
        id
    }

    /// Writes down very many at once, from `p1` on.
    pub(super) async fn throng(&self, count: u32) {
        let profile = |number| Profile {
            id: format!("p{number}"),
            platform: "ios".to_owned(),
            location: None,
            topics: BTreeSet::new(),
            enabled: true,
            addresses: BTreeMap::from([("push".to_owned(), format!("token-{number}"))]),
            time_zone: None,
            locale: None,
        };
        let profiles: Vec<_> = (1..=count).map(profile).collect();
        let put = self.store.put_recipients(&profiles, self.now()).await;
        put.expect("put");
    }

    pub(super) async fn delivery_to(&self, id: CampaignId, number: u32) -> JobId {
        let deliveries = self.deliveries(id).await;
        let found = deliveries.iter().zip(ids_of(&deliveries));
        let mut found = found.filter(|(_, whom)| *whom == format!("p{number}"));
        found.next().expect("it was written").0.id
    }

    pub(super) async fn claim_of(&self, id: CampaignId, limit: u32) -> Vec<Claimed> {
        self.claim_as(self.worker, &id.to_string(), limit).await
    }

    /// Whom the deliveries are for that stand in line, and where the next page begins.
    async fn queued_page(
        &self,
        id: CampaignId,
        limit: u32,
        after: Option<String>,
    ) -> (Vec<String>, Option<String>) {
        let filter = JobFilter {
            campaign: Some(id),
            state: Some(State::Queued),
            ..JobFilter::default()
        };
        let page = PageRequest { limit, after };
        let page = self.store.jobs(&filter, &page).await.expect("jobs");
        (ids_of(&page.items), page.next)
    }
}
