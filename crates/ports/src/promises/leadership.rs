//! Leadership: which node does what one node has to do.

use baton_domain::WorkerId;
use tokio::task::JoinSet;

use super::{
    bench::{Bench, HOUR, MINUTE, SECOND},
    promises,
};

async fn lead(bench: &Bench, node: WorkerId) -> bool {
    let is_leader = bench.store.lead(node, MINUTE, bench.now()).await;
    is_leader.expect("lead")
}

async fn leader(bench: &Bench) -> Option<WorkerId> {
    bench.store.leader(bench.now()).await.expect("leader")
}

promises! {
    async fn one_node_leads(bench: Bench) {
        let other = bench.another_worker();
        let before = leader(&bench).await;

        let answers = (lead(&bench, bench.worker).await, lead(&bench, other).await);

        assert_eq!((before, answers), (None, (true, false)));
        assert_eq!(leader(&bench).await, Some(bench.worker));
    }

    async fn of_many_who_want_to_lead_one_does(bench: Bench) {
        let mut nodes = JoinSet::new();
        for _ in 0..8 {
            let (node, bench) = (bench.another_worker(), bench.clone());
            nodes.spawn(async move { (node, lead(&bench, node).await) });
        }

        let answers = nodes.join_all().await;

        let winners: Vec<_> = answers
            .iter()
            .filter(|(_, is)| *is)
            .map(|(node, _)| *node)
            .collect();
        assert_eq!(winners.len(), 1);
        assert_eq!(leader(&bench).await, Some(winners[0]));
    }

    async fn a_leader_keeps_its_term_by_asking_again(bench: Bench) {
        let other = bench.another_worker();
        lead(&bench, bench.worker).await;
        bench.pass(MINUTE - SECOND);

        let kept = lead(&bench, bench.worker).await;
        bench.pass(MINUTE - SECOND);

        assert_eq!((kept, lead(&bench, other).await), (true, false));
        assert_eq!(leader(&bench).await, Some(bench.worker));
    }

    async fn a_term_ends_and_another_node_leads(bench: Bench) {
        let other = bench.another_worker();
        lead(&bench, bench.worker).await;
        bench.pass(MINUTE + SECOND);

        let between = leader(&bench).await;
        let won = lead(&bench, other).await;

        assert_eq!((between, won), (None, true));
        assert_eq!(leader(&bench).await, Some(other));
        assert!(!lead(&bench, bench.worker).await);
    }

    async fn a_term_from_a_clock_that_was_put_back_since_is_not_waited_for(bench: Bench) {
        let other = bench.another_worker();
        lead(&bench, bench.worker).await;

        bench.clock.set(bench.now() - HOUR);
        let won = lead(&bench, other).await;

        assert!(won);
        assert_eq!(leader(&bench).await, Some(other));
    }

    async fn a_leader_whose_clock_is_ahead_by_less_than_a_term_keeps_it(bench: Bench) {
        let other = bench.another_worker();
        lead(&bench, bench.worker).await;

        bench.clock.set(bench.now() - MINUTE / 2);
        let won = lead(&bench, other).await;

        assert!(!won);
    }

    async fn a_leader_that_resigns_leads_no_more(bench: Bench) {
        let other = bench.another_worker();
        lead(&bench, bench.worker).await;

        bench.store.resign(bench.worker).await.unwrap();

        assert_eq!(leader(&bench).await, None);
        assert!(lead(&bench, other).await);
    }

    async fn nobody_resigns_for_another(bench: Bench) {
        let other = bench.another_worker();
        lead(&bench, bench.worker).await;

        bench.store.resign(other).await.unwrap();

        assert_eq!(leader(&bench).await, Some(bench.worker));
    }

    async fn a_change_of_leader_is_a_fact_and_keeping_it_is_not(bench: Bench) {
        let other = bench.another_worker();
        lead(&bench, bench.worker).await;
        lead(&bench, bench.worker).await;
        lead(&bench, other).await;
        bench.pass(HOUR);
        lead(&bench, other).await;

        let facts = bench.facts().await;

        let told: Vec<_> = facts
            .iter()
            .map(|f| (f.kind.as_str(), f.subject.clone()))
            .collect();
        let (first, second) = (bench.worker.to_string(), other.to_string());
        assert_eq!(
            told,
            [("leader.changed", first), ("leader.changed", second)]
        );
    }
}
