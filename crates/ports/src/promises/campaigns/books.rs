//! Books: the audience is the sum of the states, and done means done.

use baton_domain::{
    campaign::State,
    job::{self, Class},
};

use super::{
    super::{
        bench::{ALL, Bench, failing},
        promises,
    },
    fixtures::quiz,
};

promises! {
    async fn the_audience_is_the_sum_of_the_states(bench: Bench) {
        bench.crowd(5).await;
        bench.person("off", false).await;
        let id = bench.create(quiz()).await;
        bench.walk_through(4).await;
        bench.send(id, 2).await;
        bench.claim_as(bench.worker, &id.to_string(), 1).await;

        bench.sequence().await;

        let campaign = bench.campaign(id).await;
        let count = |state| campaign.counts.of(state);
        assert_eq!(campaign.counts.total(), campaign.expanded);
        assert_eq!(count(job::State::Succeeded), 2);
        assert_eq!(count(job::State::Running), 1);
        assert_eq!(count(job::State::Queued), 2);
        assert_eq!(count(job::State::Skipped), 1);
    }

    async fn a_campaign_is_done_when_every_delivery_is_terminal(bench: Bench) {
        bench.crowd(3).await;
        let id = bench.create(quiz()).await;
        bench.walk_through(10).await;
        bench.send(id, 2).await;
        bench.sequence().await;

        let early = bench.settle_campaigns().await;
        bench.send(id, 1).await;
        bench.sequence().await;
        let in_time = bench.settle_campaigns().await;

        assert_eq!((early, in_time), (0, 1));
        let done = bench.campaign(id).await;
        assert_eq!((done.state, done.finished_at), (State::Done, Some(bench.now())));
    }

    async fn what_has_no_number_yet_keeps_a_campaign_open(bench: Bench) {
        bench.crowd(1).await;
        let id = bench.create(quiz()).await;
        bench.walk_through(10).await;

        let moved = bench.settle_campaigns().await;

        assert_eq!(moved, 0);
        assert_eq!(bench.campaign(id).await.state, State::Sending);
    }

    async fn a_campaign_for_nobody_is_done(bench: Bench) {
        let id = bench.create(quiz()).await;
        bench.walk_through(10).await;
        bench.sequence().await;

        bench.settle_campaigns().await;

        assert_eq!(bench.campaign(id).await.state, State::Done);
    }

    async fn a_campaign_is_taken_up_again_when_a_delivery_runs_again(bench: Bench) {
        bench.crowd(1).await;
        let id = bench.create(quiz()).await;
        bench.walk_through(10).await;
        let claimed = bench.claim_as(bench.worker, &id.to_string(), 1).await;
        bench.settle(&claimed[0], failing(Class::Permanent)).await;
        bench.sequence().await;
        bench.settle_campaigns().await;
        assert_eq!(bench.campaign(id).await.state, State::Done);

        bench.transition(claimed[0].args.id, job::State::Failed, job::Trigger::Redrive).await;
        bench.sequence().await;
        bench.settle_campaigns().await;

        let open = bench.campaign(id).await;
        assert_eq!((open.state, open.finished_at), (State::Sending, None));
    }

    async fn failures_are_told_by_cause(bench: Bench) {
        bench.crowd(3).await;
        let id = bench.create(quiz()).await;
        bench.walk_through(10).await;
        for one in bench.claim_as(bench.worker, &id.to_string(), ALL).await {
            bench.settle(&one, failing(Class::Permanent)).await;
        }
        bench.sequence().await;

        let failures = bench.store.delivery_failures(id).await.unwrap();

        assert_eq!(failures.len(), 1);
        assert_eq!((failures[0].count, failures[0].reason.as_str()), (3, "permanent"));
    }
}
