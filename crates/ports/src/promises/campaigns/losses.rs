//! Nodes that are lost over a chunk: how often is counted where the chunk begins, so that one that kills is found.

use baton_domain::{
    WorkerId,
    campaign::{Campaign, CampaignSpec, Trigger},
};

use super::{
    super::{
        bench::{Bench, SECOND},
        promises,
    },
    fixtures::{HOLD, quiz},
};

impl Bench {
    /// A campaign in the hands of a node.
    async fn in_hand(&self) -> (Campaign, WorkerId) {
        self.crowd(5).await;
        self.create(CampaignSpec {
            lane: Some("alone".to_owned()),
            ..quiz()
        })
        .await;
        let node = self.another_worker();
        (self.take_as(node).await.expect("it begins"), node)
    }

    /// What another node takes over after the one before it fell silent, and that node.
    async fn taken_over(&self) -> (Campaign, WorkerId) {
        self.pass(HOLD + SECOND);
        let heir = self.another_worker();
        (self.take_as(heir).await.expect("it is taken over"), heir)
    }

    async fn found_again(&self, seen: &Campaign, node: WorkerId) {
        let told = self.store.found_again(seen.id, seen.epoch, node).await;
        told.expect("found again");
    }
}

promises! {
    async fn each_node_that_falls_silent_over_a_chunk_is_counted(bench: Bench) {
        let (begun, _) = bench.in_hand().await;

        let first = bench.taken_over().await.0.losses;
        let second = bench.taken_over().await.0.losses;

        assert_eq!((begun.losses, first, second), (0, 1, 2));
        assert_eq!(bench.campaign(begun.id).await.losses, 2);
    }

    async fn the_chunk_behind_one_that_was_written_has_lost_nobody(bench: Bench) {
        bench.in_hand().await;
        let (taken, heir) = bench.taken_over().await;

        let chunk = bench.chunk_as(heir, &taken, 2).await;
        assert!(bench.expand(&chunk).await);

        assert_eq!(bench.campaign(taken.id).await.losses, 0);
        assert_eq!(bench.taken_over().await.0.losses, 1);
    }

    async fn a_node_that_takes_up_again_what_it_held_itself_is_not_lost(bench: Bench) {
        let (begun, node) = bench.in_hand().await;

        bench.pass(HOLD + SECOND);
        let again = bench.take_as(node).await.unwrap();

        assert_eq!((again.id, again.losses), (begun.id, 0));
    }

    async fn a_node_is_not_lost_because_the_clock_was_put_back(bench: Bench) {
        bench.in_hand().await;

        bench.clock.set(bench.now() - 6 * HOLD);
        let taken = bench.take_as(bench.another_worker()).await.unwrap();

        assert_eq!(taken.losses, 0);
    }

    async fn a_node_that_is_found_again_was_not_lost(bench: Bench) {
        let (begun, node) = bench.in_hand().await;
        let (taken, heir) = bench.taken_over().await;

        bench.found_again(&begun, node).await;
        bench.found_again(&taken, heir).await;
        bench.found_again(&begun, node).await;

        assert_eq!(taken.losses, 1);
        assert_eq!(bench.campaign(begun.id).await.losses, 0);
    }

    async fn a_node_that_is_found_behind_a_command_takes_nothing_back(bench: Bench) {
        let (begun, node) = bench.in_hand().await;
        bench.order(begun.id, Trigger::Stop).await;
        bench.order(begun.id, Trigger::Resume).await;
        bench.take_as(bench.another_worker()).await.unwrap();
        let taken = bench.taken_over().await.0;

        bench.found_again(&begun, node).await;

        assert_eq!((taken.losses, bench.campaign(begun.id).await.losses), (1, 1));
    }

    async fn a_resumed_campaign_begins_its_chunk_anew(bench: Bench) {
        let (begun, _) = bench.in_hand().await;
        bench.taken_over().await;
        bench.taken_over().await;

        bench.order(begun.id, Trigger::Stop).await;
        bench.order(begun.id, Trigger::Resume).await;
        let resumed = bench.take_as(bench.another_worker()).await.unwrap();

        assert_eq!((resumed.id, resumed.cursor, resumed.losses), (begun.id, 0, 0));
    }
}
