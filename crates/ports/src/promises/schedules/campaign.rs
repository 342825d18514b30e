//! Fires that make campaigns: once for each nominal time, as whole as those that make jobs.

use baton_domain::{
    CampaignId, Timestamp,
    campaign::{SendAt, State},
    job,
    schedule::{Outcome, Schedule},
};
use tokio::task::JoinSet;

use super::super::{bench::Bench, campaigns::fixtures::quiz, promises};
use crate::store::{Fired, Firing, ScheduleChange, ScheduledWork};

impl Bench {
    /// A fire for a nominal time, of a campaign that is written from now on and sent at that time.
    fn firing_a_campaign(&self, schedule: &Schedule, at: Timestamp) -> (Firing, CampaignId) {
        let (firing, _) = self.firing(schedule, at);
        let mut spec = quiz();
        spec.send_at = Some(at);
        spec.lead = Some(at.since(self.now()));
        let campaign = self.new_campaign(spec);
        let id = campaign.id;
        let made = ScheduledWork::Campaign(Box::new(campaign));
        (Firing { made, ..firing }, id)
    }

    /// The kinds of the facts about campaigns.
    async fn told_of_campaigns(&self) -> Vec<String> {
        let facts = self.facts().await.into_iter();
        let kinds = facts.map(|fact| fact.kind);
        kinds.filter(|kind| kind.starts_with("campaign.")).collect()
    }
}

promises! {
    async fn a_fire_makes_a_campaign_that_is_written_ahead_and_due_at_its_time(bench: Bench) {
        bench.crowd(2).await;
        let schedule = bench.scheduled("a").await;
        let at = schedule.next_at.unwrap();
        let (firing, id) = bench.firing_a_campaign(&schedule, at);

        let fired = bench.fire(&firing).await;
        bench.walk_through(10).await;

        assert_eq!(fired, Fired::Fired);
        let made = bench.campaign(id).await;
        assert_eq!((made.state, made.plan.send_at), (State::Sending, SendAt::At(at)));
        for delivery in bench.deliveries(id).await {
            assert_eq!((delivery.state, delivery.run_at), (job::State::Pending, at));
        }
        let outcome = Outcome::Made { made: id.to_string(), by_hand: false };
        let history: Vec<_> = bench.history(&schedule).await.into_iter().map(|fire| fire.outcome).collect();
        assert_eq!(history, [outcome]);
        assert_eq!(bench.find(schedule.id).await.unwrap().last_at, Some(at));
    }

    async fn of_many_who_fire_a_campaign_for_the_same_time_one_makes_it(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let at = schedule.next_at.unwrap();
        let mut leaders = JoinSet::new();
        for _ in 0..8 {
            let (firing, id) = bench.firing_a_campaign(&schedule, at);
            let bench = bench.clone();
            leaders.spawn(async move { (id, bench.fire(&firing).await) });
        }

        let answers = leaders.join_all().await;

        let fired = answers.iter().filter(|(_, fired)| *fired == Fired::Fired);
        let fired: Vec<_> = fired.map(|(id, _)| *id).collect();
        assert_eq!(fired.len(), 1, "{answers:?}");
        assert_eq!(bench.campaigns().await, fired);
        assert_eq!(bench.history(&schedule).await.len(), 1);
        assert_eq!(bench.told_of_campaigns().await, ["campaign.created"]);
    }

    async fn a_fire_of_a_campaign_that_is_overtaken_leaves_nothing_behind(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let at = schedule.next_at.unwrap();
        let (firing, _) = bench.firing_a_campaign(&schedule, at);
        let changed = schedule.clone().with_plan(schedule.plan.clone(), bench.now());
        bench.change(&changed, ScheduleChange::Changed).await;

        let fired = bench.fire(&firing).await;

        assert_eq!(fired, Fired::Overtaken);
        assert_eq!(bench.campaigns().await, []);
        assert_eq!(bench.history(&schedule).await, []);
        assert_eq!(bench.told_of_campaigns().await, [] as [&str; 0]);
    }

    async fn a_fire_of_a_campaign_that_is_asked_for_again_makes_no_second_one(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let at = schedule.next_at.unwrap();
        let (in_turn, first) = bench.firing_a_campaign(&schedule, at);
        let (by_hand, second) = bench.firing_a_campaign(&schedule, bench.now());
        let by_hand = Firing { turn: None, ..by_hand };

        let in_turn = [bench.fire(&in_turn).await, bench.fire(&in_turn).await];
        let by_hand = [bench.fire(&by_hand).await, bench.fire(&by_hand).await];

        assert_eq!(in_turn, [Fired::Fired, Fired::Overtaken]);
        assert_eq!(by_hand, [Fired::Fired, Fired::Fired]);
        assert_eq!(bench.campaigns().await, [second, first]);
        assert_eq!(bench.told_of_campaigns().await, ["campaign.created", "campaign.created"]);
    }
}
