//! Control: stop, resume and cancel, in one line of commands.

use baton_domain::{
    campaign::{State, Trigger},
    job,
};

use super::{
    super::{
        bench::{ALL, Bench},
        promises,
    },
    fixtures::{ids_of, quiz},
};

promises! {
    async fn after_a_stop_no_chunk_is_written(bench: Bench) {
        bench.crowd(4).await;
        let id = bench.create(quiz()).await;
        let campaign = bench.take().await.unwrap();
        let chunk = bench.chunk(&campaign, 2).await;

        assert!(bench.order(id, Trigger::Stop).await);

        assert!(!bench.expand(&chunk).await);
        let stopped = bench.campaign(id).await;
        assert_eq!((stopped.state, stopped.cursor, stopped.epoch), (State::Stopped, 0, 1));
        assert!(bench.deliveries(id).await.is_empty());
        assert!(bench.take().await.is_none());
    }

    async fn after_a_stop_no_delivery_is_claimed(bench: Bench) {
        bench.crowd(3).await;
        let id = bench.create(quiz()).await;
        bench.walk_through(10).await;

        bench.order(id, Trigger::Stop).await;

        assert_eq!(bench.claim_as(bench.worker, &id.to_string(), 10).await, []);
        assert!(bench.store.ready_queues().await.unwrap().is_empty());
        assert_eq!(bench.deliveries_in(id, Some(job::State::Queued)).await.len(), 3);
    }

    async fn a_stop_says_why(bench: Bench) {
        let id = bench.create(quiz()).await;
        let seen = bench.campaign(id).await;

        bench.order_seen(&seen, Trigger::Stop, Some("the link is wrong")).await;

        let stopped = bench.campaign(id).await;
        assert_eq!(stopped.why.as_deref(), Some("the link is wrong"));
    }

    async fn a_resumed_walk_goes_on_after_its_cursor(bench: Bench) {
        bench.crowd(5).await;
        let id = bench.create(quiz()).await;
        let campaign = bench.take().await.unwrap();
        let chunk = bench.chunk(&campaign, 2).await;
        bench.expand(&chunk).await;
        bench.order(id, Trigger::Stop).await;

        assert!(bench.order(id, Trigger::Resume).await);
        bench.walk_through(2).await;

        assert_eq!(ids_of(&bench.deliveries(id).await), ["p5", "p4", "p3", "p2", "p1"]);
        assert_eq!(bench.campaign(id).await.expanded, 5);
    }

    async fn a_resumed_campaign_sends_what_was_not_sent(bench: Bench) {
        bench.crowd(5).await;
        let id = bench.create(quiz()).await;
        bench.walk_through(10).await;
        bench.send(id, 2).await;
        bench.order(id, Trigger::Stop).await;

        bench.order(id, Trigger::ResumeSending).await;

        assert_eq!(bench.send(id, ALL).await, 3);
    }

    async fn a_chunk_begun_before_a_stop_is_void_after_the_resume(bench: Bench) {
        bench.crowd(4).await;
        let id = bench.create(quiz()).await;
        let campaign = bench.take().await.unwrap();
        let stale = bench.chunk(&campaign, 2).await;
        bench.order(id, Trigger::Stop).await;
        bench.order(id, Trigger::Resume).await;
        bench.take().await.unwrap();

        assert!(!bench.expand(&stale).await);

        bench.walk_through(10).await;
        assert_eq!(bench.deliveries(id).await.len(), 4);
    }

    async fn of_two_commands_seen_at_once_one_is_heard(bench: Bench) {
        let id = bench.create(quiz()).await;
        let seen = bench.campaign(id).await;

        let stop = bench.order_seen(&seen, Trigger::Stop, None).await;
        let cancel = bench.order_seen(&seen, Trigger::Cancel, None).await;

        assert_eq!((stop, cancel), (true, false));
        assert_eq!(bench.campaign(id).await.state, State::Stopped);
    }

    async fn a_stop_moves_that_campaign_only(bench: Bench) {
        bench.crowd(2).await;
        let first = bench.create(quiz()).await;
        bench.walk_through(10).await;
        let second = bench.create(quiz()).await;
        bench.walk_through(10).await;

        bench.order(first, Trigger::Stop).await;

        assert_eq!(bench.send(second, ALL).await, 2);
    }

    async fn a_canceled_campaign_has_its_deliveries_canceled(bench: Bench) {
        bench.crowd(5).await;
        let id = bench.create(quiz()).await;
        bench.walk_through(10).await;
        bench.send(id, 1).await;

        bench.order(id, Trigger::Cancel).await;
        let (first, rest) = (bench.sweep(3).await, bench.sweep(ALL).await);

        assert_eq!((first, rest), (3, 1));
        assert_eq!(bench.deliveries_in(id, Some(job::State::Canceled)).await.len(), 4);
        assert_eq!(bench.deliveries_in(id, Some(job::State::Succeeded)).await.len(), 1);
        assert_eq!(bench.sweep(ALL).await, 0);
        assert!(bench.campaign(id).await.finished_at.is_some());
    }

    async fn what_runs_when_its_campaign_is_canceled_is_asked_to_stop(bench: Bench) {
        bench.crowd(1).await;
        let id = bench.create(quiz()).await;
        bench.walk_through(10).await;
        let claimed = bench.claim_as(bench.worker, &id.to_string(), 1).await;

        bench.order(id, Trigger::Cancel).await;
        bench.sweep(ALL).await;

        let delivery = bench.job(claimed[0].args.id).await;
        assert!(delivery.cancel_asked_at.is_some());
        assert_eq!(bench.campaign(id).await.finished_at, None);
    }
}
