//! What changes in the midst of a walk: people join, leave, come back and change their minds; weeks pass.

use std::time::Duration;

use baton_domain::{
    campaign::{Campaign, State, Trigger},
    job::Class,
};
use serde_json::json;

use super::{
    super::{
        bench::{ALL, Bench, HOUR},
        promises,
    },
    fixtures::{ids_of, quiz},
};
use crate::store::Retention;

/// Longer than anything that has ended is kept.
const SIX_WEEKS: Duration = Duration::from_hours(1008);
const TOPIC: &str = "daily-quiz";

impl Bench {
    /// A campaign for those who want the quiz, of which two of four were written down.
    async fn half_walked(&self) -> Campaign {
        for number in 1..=4 {
            self.opted_in(&format!("p{number}")).await;
        }
        let mut spec = quiz();
        spec.audience = json!({ "topic": TOPIC });
        self.create(spec).await;
        let campaign = self.take().await.expect("it begins");
        let chunk = self.chunk(&campaign, 2).await;
        assert!(self.expand(&chunk).await);
        campaign
    }

    async fn opted_in(&self, id: &str) {
        self.person(id, true).await;
        self.opt(id, true).await;
    }

    async fn opt(&self, id: &str, on: bool) {
        let switched = self.store.switch_topic(id, TOPIC, on, self.now()).await;
        assert!(switched.expect("switch"));
    }

    async fn leave(&self, id: &str) {
        assert!(self.store.delete_recipient(id).await.expect("delete"));
    }

    /// Who was written down, now that its walk is at its end.
    async fn written_down(&self, campaign: &Campaign) -> Vec<String> {
        self.walk_through(1).await;
        assert_eq!(self.campaign(campaign.id).await.state, State::Sending);
        let mut written = ids_of(&self.deliveries(campaign.id).await);
        written.reverse();
        written
    }
}

promises! {
    async fn who_leaves_or_opts_out_before_the_walk_comes_to_them_gets_nothing(bench: Bench) {
        let campaign = bench.half_walked().await;

        bench.leave("p3").await;
        bench.opt("p4", false).await;

        assert_eq!(bench.written_down(&campaign).await, ["p1", "p2"]);
        assert_eq!(bench.campaign(campaign.id).await.expanded, 2);
    }

    async fn who_opts_in_in_front_of_the_walk_is_reached_and_behind_it_waits_for_the_next(bench: Bench) {
        bench.person("hesitant", true).await;
        let campaign = bench.half_walked().await;

        bench.opt("hesitant", true).await;
        bench.opt("p4", false).await;
        bench.opt("p4", true).await;

        assert_eq!(bench.written_down(&campaign).await, ["p1", "p2", "p3", "p4"]);
    }

    async fn who_leaves_and_comes_back_behind_the_walk_is_written_down_once(bench: Bench) {
        let campaign = bench.half_walked().await;

        bench.leave("p1").await;
        bench.opted_in("p1").await;
        bench.opt("p2", false).await;
        bench.opt("p2", true).await;

        assert_eq!(bench.written_down(&campaign).await, ["p1", "p2", "p3", "p4"]);
    }

    async fn who_leaves_and_comes_back_in_front_of_the_walk_waits_for_the_next(bench: Bench) {
        let campaign = bench.half_walked().await;

        bench.leave("p4").await;
        bench.opted_in("p4").await;

        assert_eq!(bench.written_down(&campaign).await, ["p1", "p2", "p3"]);
    }

    async fn a_campaign_that_is_resumed_after_weeks_is_the_one_that_was_stopped(bench: Bench) {
        bench.crowd(5).await;
        let id = bench.create(quiz()).await;
        let campaign = bench.take().await.unwrap();
        let chunk = bench.chunk(&campaign, 3).await;
        bench.expand(&chunk).await;
        bench.send(id, 1).await;
        let line = id.to_string();
        let refused = bench.claim_as(bench.worker, &line, 1).await;
        bench.fail(&refused[0], Class::Permanent).await;
        bench.order(id, Trigger::Stop).await;

        bench.pass(SIX_WEEKS);
        bench.sequence().await;
        let pruned = bench.store.prune(&Retention::default(), ALL, bench.now()).await;
        assert_eq!(pruned.unwrap().jobs, 2, "what has ended is forgotten");
        bench.order(id, Trigger::Resume).await;
        bench.pass(HOUR);
        let resumed = bench.take().await.unwrap();
        let rest = bench.chunk(&resumed, ALL).await;
        bench.expand(&rest).await;

        assert_eq!(resumed.plan, campaign.plan);
        assert_eq!((resumed.cursor, resumed.until), (3, campaign.until));
        assert_eq!(bench.send(id, ALL).await, 3);
        bench.sequence().await;
        bench.settle_campaigns().await;
        let done = bench.campaign(id).await;
        assert_eq!((done.state, done.expanded, done.counts.total()), (State::Done, 5, 5));
        assert_eq!(bench.store.reconcile(bench.now()).await.unwrap(), []);
    }
}
