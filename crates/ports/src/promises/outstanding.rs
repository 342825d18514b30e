//! What is outstanding: one look finds whatever waits for somebody to turn to it.

use std::collections::BTreeMap;

use baton_domain::{
    campaign::{State as CampaignState, Trigger},
    job::{Class, JobSpec, State},
    operation::{Action, DeadLetterFilter},
};

use super::{
    bench::{Bench, HOUR, MINUTE, SECOND, delayed, spec},
    campaigns::fixtures::quiz,
    promises,
};
use crate::store::Outstanding;

impl Bench {
    async fn outstanding(&self) -> Outstanding {
        let found = self.store.outstanding(self.now()).await;
        found.expect("outstanding")
    }
}

promises! {
    async fn in_a_store_that_rests_nothing_is_outstanding(bench: Bench) {
        for state in State::ALL.into_iter().filter(|state| state.is_terminal()) {
            bench.job_in(state).await;
        }
        bench.enqueue(delayed(HOUR)).await;
        bench.scheduled("hourly").await;
        bench.sequence().await;

        let found = bench.outstanding().await;

        assert_eq!(found, Outstanding::default());
    }

    async fn a_line_is_outstanding_until_the_last_job_of_it_is_claimed(bench: Bench) {
        let empty = bench.outstanding().await;
        bench.enqueue_many(2, spec()).await;

        let full = bench.outstanding().await;
        bench.claim(1).await;
        let shorter = bench.outstanding().await;
        bench.claim(1).await;
        let claimed = bench.outstanding().await;

        let all = [empty, full, shorter, claimed].map(|found| found.in_line);
        assert_eq!(all, [false, true, true, false]);
    }

    async fn a_job_is_told_of_as_held_until_its_result_is_recorded(bench: Bench) {
        bench.enqueue_many(2, spec()).await;

        let free = bench.outstanding().await;
        let claims = bench.claim(2).await;
        let both = bench.outstanding().await;
        bench.succeed(&claims[0]).await;
        let one = bench.outstanding().await;
        bench.succeed(&claims[1]).await;
        let none = bench.outstanding().await;

        let all = [free, both, one, none].map(|found| found.held);
        assert_eq!(all, [false, true, true, false]);
    }

    async fn the_generation_of_hints_is_told_with_what_is_outstanding(bench: Bench) {
        let none = bench.outstanding().await.hints;

        let begun = bench.store.begin_generation(none, "redis", "a test", bench.now()).await;
        let found = bench.outstanding().await.hints;

        assert_eq!((none, begun.unwrap()), (0, Some(1)));
        assert_eq!(found, 1);
    }

    async fn facts_without_a_number_are_outstanding(bench: Bench) {
        bench.enqueue(spec()).await;

        let before = bench.outstanding().await;
        bench.sequence().await;
        let after = bench.outstanding().await;

        assert_eq!((before.facts, after.facts), (true, false));
    }

    async fn facts_without_a_number_are_counted_up_to_a_bound(bench: Bench) {
        let none = bench.store.backlog(100).await.unwrap();
        bench.enqueue(spec()).await;
        let first = bench.now();
        bench.pass(MINUTE);
        bench.enqueue(spec()).await;

        let two = bench.store.backlog(100).await.unwrap();
        let bounded = bench.store.backlog(1).await.unwrap();
        bench.sequence().await;
        let numbered = bench.store.backlog(100).await.unwrap();

        assert_eq!([none.facts, two.facts, bounded.facts, numbered.facts], [0, 2, 1, 0]);
        assert_eq!([two.first_fact_at, bounded.first_fact_at], [Some(first); 2]);
        assert_eq!((none.first_fact_at, numbered.first_fact_at), (None, None));
    }

    async fn groups_of_dead_letters_are_counted_up_to_a_bound(bench: Bench) {
        let none = bench.store.backlog(100).await.unwrap();
        for class in [Class::Permanent, Class::Gone] {
            let claimed = bench.claimed(spec()).await;
            bench.fail(&claimed, class).await;
        }
        bench.sequence().await;

        let two = bench.store.backlog(100).await.unwrap();
        let bounded = bench.store.backlog(1).await.unwrap();

        let counts = [none, two, bounded].map(|backlog| backlog.failure_groups);
        assert_eq!(counts, [0, 2, 1]);
    }

    async fn campaigns_that_have_not_ended_are_counted_by_their_states(bench: Bench) {
        bench.crowd(1).await;
        let done = bench.create(quiz()).await;
        bench.walk_through(10).await;
        bench.send(done, 10).await;
        bench.sequence().await;
        bench.settle_campaigns().await;
        let stopped = bench.create(quiz()).await;
        bench.order(stopped, Trigger::Stop).await;
        bench.create(quiz()).await;
        bench.create(quiz()).await;

        let found = bench.store.backlog(100).await.unwrap().campaigns;

        let states = [(CampaignState::Scheduled, 2), (CampaignState::Stopped, 1)];
        assert_eq!(found, BTreeMap::from(states));
    }

    async fn a_job_that_waits_is_outstanding_when_it_is_due(bench: Bench) {
        bench.enqueue(delayed(MINUTE)).await;

        let early = bench.outstanding().await;
        bench.pass(MINUTE);
        let due = bench.outstanding().await;
        bench.release().await;
        let released = bench.outstanding().await;

        assert_eq!((early.jobs, due.jobs, released.jobs), (false, true, false));
    }

    async fn a_job_that_expires_is_outstanding_when_it_has(bench: Bench) {
        let expires = |after| JobSpec {
            expires_at: Some(bench.now() + after),
            ..spec()
        };
        let first = bench.now() + MINUTE;
        bench.enqueue(JobSpec { delay: Some(2 * HOUR), ..expires(HOUR + HOUR / 2) }).await;
        bench.enqueue(expires(HOUR)).await;
        bench.enqueue(JobSpec { expires_at: Some(first), ..spec() }).await;

        let early = bench.outstanding().await;
        bench.pass(MINUTE + SECOND);
        let late = bench.outstanding().await;
        bench.store.expire(100, bench.now()).await.unwrap();
        let swept = bench.outstanding().await;

        assert_eq!((early.expired, early.next), (false, Some(first)));
        assert!(late.expired && late.next > Some(first));
        assert!(!swept.expired && swept.next == late.next);
    }

    async fn an_operation_is_outstanding_until_it_is_done(bench: Bench) {
        bench.job_in(State::Failed).await;
        bench.begin(Action::Retry, DeadLetterFilter::default()).await;

        let before = bench.outstanding().await;
        bench.finish_operations().await;
        let after = bench.outstanding().await;

        assert_eq!((before.operations, after.operations), (true, false));
    }

    async fn a_schedule_is_outstanding_when_it_is_due(bench: Bench) {
        bench.scheduled("hourly").await;

        let early = bench.outstanding().await;
        bench.pass(HOUR);
        let due = bench.outstanding().await;

        assert_eq!((early.schedules, due.schedules), (false, true));
    }

    async fn a_campaign_is_outstanding_from_its_time_until_it_is_done(bench: Bench) {
        let mut new = bench.new_campaign(quiz());
        new.start_at = bench.now() + MINUTE;
        bench.store.create_campaign(&new).await.unwrap();

        let early = bench.outstanding().await;
        bench.pass(MINUTE);
        let due = bench.outstanding().await;
        let begun = bench.take().await.unwrap();
        let under_way = bench.outstanding().await;
        bench.store.expand(&bench.chunk(&begun, 10).await, bench.now()).await.unwrap();
        bench.sequence().await;
        bench.store.settle_campaigns(bench.now()).await.unwrap();
        let done = bench.outstanding().await;

        assert_eq!((early.campaigns, early.next), (false, Some(new.start_at)));
        assert_eq!((due.campaigns, due.next), (true, None));
        assert_eq!((under_way.campaigns, done.campaigns), (true, false));
    }
}
