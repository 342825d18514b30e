//! Those whose numbers lie between the numbers of deliveries that stand in line.
//!
//! They were skipped, or are due at another time. A store may keep the others as a range; nobody is to notice.

use baton_domain::{
    CampaignId,
    job::{State, Trigger},
};

use super::{
    super::{
        bench::{ALL, Bench, HOUR, SECOND},
        promises,
    },
    fixtures::{ids_of, quiz},
    line::{backwards, numbers, whom},
};

/// One chunk of deliveries, big enough to be kept as a range.
const COUNT: u32 = 600;

promises! {
    async fn who_was_skipped_is_not_claimed_with_the_neighbours(bench: Bench) {
        let id = bench.without(&[1, 2, 300, 600]).await;

        let (first, second, rest) = (bench.claim_of(id, 297).await, bench.claim_of(id, 1).await, bench.claim_of(id, ALL).await);

        assert_eq!((whom(&first), whom(&second), whom(&rest)), (numbers(3..=299), numbers(301..=301), numbers(302..=599)));
        assert!(bench.store.ready_queues().await.unwrap().is_empty());
        assert_eq!(bench.deliveries_in(id, Some(State::Skipped)).await.len(), 4);
        bench.assert_counted(id, 0).await;
    }

    async fn who_was_skipped_is_not_listed_with_those_in_line(bench: Bench) {
        let id = bench.without(&[300]).await;

        let queued = bench.deliveries_in(id, Some(State::Queued)).await;

        assert_eq!(ids_of(&queued), [backwards(301..=600), backwards(1..=299)].concat());
        bench.assert_counted(id, 599).await;
    }

    async fn who_was_skipped_and_runs_again_is_claimed_once(bench: Bench) {
        let id = bench.without(&[300]).await;
        let skipped = bench.delivery_to(id, 300).await;

        assert!(bench.transition(skipped, State::Skipped, Trigger::Redrive).await);
        bench.assert_state(skipped, State::Queued).await;
        bench.assert_counted(id, 600).await;
        let first = bench.claim_of(id, 10).await;
        let again = bench.claim_of(id, ALL).await;

        let mut taken = [whom(&first), whom(&again)].concat();
        taken.sort_by_key(|id| (id.len(), id.clone()));
        assert_eq!(taken, numbers(1..=600));
        bench.assert_state(skipped, State::Running).await;
    }

    async fn who_was_skipped_may_run_again_after_the_neighbours_went(bench: Bench) {
        let id = bench.without(&[300]).await;
        let skipped = bench.delivery_to(id, 300).await;
        let first = bench.claim_of(id, 299).await;

        assert!(bench.transition(skipped, State::Skipped, Trigger::Redrive).await);
        let again = bench.claim_of(id, ALL).await;

        assert_eq!((first.len(), again.len()), (299, 301));
        assert_eq!(whom(&again).iter().filter(|whom| *whom == "p300").count(), 1);
        bench.assert_counted(id, 0).await;
    }

    async fn who_is_due_later_is_not_claimed_with_the_neighbours(bench: Bench) {
        let id = bench.every_other_is_due_later().await;

        let first = bench.claim_of(id, 299).await;
        let pending = bench.delivery_to(id, 2).await;
        let is_canceled = bench.transition(pending, State::Pending, Trigger::Cancel).await;
        let last = bench.claim_of(id, ALL).await;

        assert_eq!((first.len(), whom(&last), is_canceled), (299, vec!["p599".to_owned()], true));
        bench.assert_counted(id, 0).await;
        bench.pass(HOUR);
        bench.release().await;
        assert_eq!(bench.claim_of(id, ALL).await.len(), 299);
    }

    async fn the_times_of_neighbours_do_not_mix(bench: Bench) {
        let id = bench.in_three_parts().await;

        let first = bench.claim_of(id, 290).await;
        bench.assert_counted(id, 611).await;
        let rest = bench.claim_of(id, ALL).await;

        assert_eq!(whom(&first), [numbers(301..=301), numbers(602..=890)].concat());
        assert_eq!(whom(&rest), [numbers(891..=901), numbers(1..=300), numbers(302..=601)].concat());
        bench.assert_counted(id, 0).await;
    }
}

impl Bench {
    /// A campaign for so many that stand in its line, but for a few who are skipped.
    async fn without(&self, skipped: &[u32]) -> CampaignId {
        self.throng(COUNT).await;
        for number in skipped {
            self.person(&format!("p{number}"), false).await;
        }
        let id = self.create(quiz()).await;
        self.walk_through(COUNT).await;
        id
    }

    async fn every_other_is_due_later(&self) -> CampaignId {
        self.throng(COUNT).await;
        let id = self.create(quiz()).await;
        let campaign = self.take().await.expect("it begins");
        let mut chunk = self.chunk(&campaign, COUNT).await;
        for delivery in chunk.deliveries.iter_mut().skip(1).step_by(2) {
            delivery.run_at = delivery.run_at + HOUR;
        }
        assert!(self.expand(&chunk).await);
        id
    }

    /// A campaign of one chunk: 300 that are due, one that was due before, 300 like the first, and 300 that were due before.
    async fn in_three_parts(&self) -> CampaignId {
        self.throng(901).await;
        let id = self.create(quiz()).await;
        let campaign = self.take().await.expect("it begins");
        let mut chunk = self.chunk(&campaign, 901).await;
        let is_early = |i: &usize| *i == 300 || *i > 600;
        for i in (0..901).filter(is_early) {
            chunk.deliveries[i].run_at = chunk.deliveries[i].run_at - SECOND;
        }
        assert!(self.expand(&chunk).await);
        id
    }

    /// Asserts that so many stand in line, as the counters and the places say.
    async fn assert_counted(&self, id: CampaignId, queued: u64) {
        self.sequence().await;
        let repaired = self.store.reconcile(self.now()).await.expect("reconcile");
        assert_eq!(repaired, []);
        assert_eq!(self.queue(&id.to_string()).await.queued, queued);
    }
}
