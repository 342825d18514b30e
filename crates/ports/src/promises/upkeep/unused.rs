//! What nobody needs any more: campaigns that are over, operations that ended, queues that are not used.

use baton_domain::{
    job::{Class, State, Trigger},
    operation::{Action, DeadLetterFilter},
    page::PageRequest,
    queue::QueueChange,
};

use super::{
    super::{
        bench::{ALL, Bench, HOUR, MINUTE, in_queue, spec},
        campaigns::fixtures::quiz,
        promises,
    },
    FOR_LONG, prune,
};
use crate::store::{Created, Retention};

const CAMPAIGNS: Retention = Retention {
    campaigns: HOUR,
    jobs: HOUR,
    keys: HOUR,
    ..FOR_LONG
};

const QUEUES: Retention = Retention {
    queues: HOUR,
    jobs: HOUR,
    ..FOR_LONG
};

promises! {
    async fn a_campaign_that_ended_long_ago_is_forgotten_with_its_line(bench: Bench) {
        bench.crowd(2).await;
        let id = bench.create(quiz()).await;
        bench.walk_through(10).await;
        bench.send(id, ALL).await;
        bench.sequence().await;
        bench.settle_campaigns().await;
        bench.sequence().await;
        bench.pass(2 * HOUR);

        let pruned = prune(&bench, &CAMPAIGNS).await;

        assert_eq!(pruned.campaigns, 1);
        assert_eq!(bench.store.campaign(id, bench.now()).await.unwrap(), None);
        assert_eq!(bench.campaigns().await, []);
        assert!(!names(&bench).await.contains(&id.to_string()));
    }

    async fn a_campaign_whose_deliveries_are_kept_is_kept(bench: Bench) {
        bench.crowd(2).await;
        let id = bench.create(quiz()).await;
        bench.walk_through(10).await;
        bench.send(id, ALL).await;
        bench.sequence().await;
        bench.settle_campaigns().await;
        bench.sequence().await;
        bench.pass(2 * HOUR);

        let pruned = prune(&bench, &Retention { jobs: FOR_LONG.jobs, ..CAMPAIGNS }).await;

        assert_eq!((pruned.campaigns, bench.campaigns().await), (0, vec![id]));
        assert_eq!(bench.deliveries(id).await.len(), 2);
    }

    async fn a_campaign_that_has_not_ended_is_never_forgotten(bench: Bench) {
        bench.crowd(2).await;
        let stopped = bench.create(quiz()).await;
        assert!(bench.order(stopped, baton_domain::campaign::Trigger::Stop).await);
        bench.sequence().await;
        bench.pass(FOR_LONG.campaigns * 2);

        let pruned = prune(&bench, &CAMPAIGNS).await;

        assert_eq!((pruned.campaigns, bench.campaigns().await), (0, vec![stopped]));
        assert!(names(&bench).await.contains(&stopped.to_string()));
    }

    async fn the_key_of_a_campaign_keeps_it_for_as_long_as_keys_are_kept(bench: Bench) {
        let keyed = baton_domain::campaign::CampaignSpec { key: Some("quiz-1".to_owned()), ..quiz() };
        let id = bench.create(keyed.clone()).await;
        assert!(bench.order(id, baton_domain::campaign::Trigger::Cancel).await);
        bench.sweep(ALL).await;
        bench.sequence().await;
        bench.pass(2 * HOUR);

        prune(&bench, &Retention { keys: FOR_LONG.keys, ..CAMPAIGNS }).await;
        let early = bench.store.create_campaign(&bench.new_campaign(keyed.clone())).await.unwrap();
        prune(&bench, &CAMPAIGNS).await;
        let late = bench.store.create_campaign(&bench.new_campaign(keyed)).await.unwrap();

        assert_eq!((early, late), (Created::Known(id), Created::Added));
    }

    async fn an_operation_that_ended_long_ago_is_forgotten(bench: Bench) {
        bench.begin(Action::Retry, DeadLetterFilter::default()).await;
        bench.finish_operations().await;
        bench.pass(2 * HOUR);
        bench.dead_letter(spec(), "no mailbox").await;
        let open = bench.begin(Action::Retry, DeadLetterFilter::default()).await;
        bench.pass(2 * HOUR);

        let pruned = prune(&bench, &Retention { operations: HOUR, ..FOR_LONG }).await;

        let left = bench.store.operations(&PageRequest::default()).await.unwrap().items;
        assert_eq!(pruned.operations, 1);
        assert_eq!(left.iter().map(|one| one.id).collect::<Vec<_>>(), [open.id]);
    }

    async fn a_queue_that_is_not_used_is_forgotten(bench: Bench) {
        let claimed = bench.claimed(in_queue("once")).await;
        bench.succeed(&claimed).await;
        bench.sequence().await;
        bench.pass(2 * HOUR);

        let pruned = prune(&bench, &QUEUES).await;

        assert_eq!((pruned.queues, names(&bench).await), (1, vec![]));
    }

    async fn a_queue_in_which_a_job_ended_lately_is_kept(bench: Bench) {
        let old = bench.claimed(in_queue("mail")).await;
        bench.succeed(&old).await;
        bench.sequence().await;
        bench.pass(2 * HOUR);
        let young = bench.claimed(in_queue("mail")).await;
        bench.succeed(&young).await;
        bench.sequence().await;
        bench.pass(MINUTE);

        let pruned = prune(&bench, &QUEUES).await;

        assert_eq!((pruned.queues, names(&bench).await), (0, vec!["mail".to_owned()]));
    }

    async fn the_last_use_of_a_queue_is_remembered_past_its_minutes(bench: Bench) {
        let claimed = bench.claimed(in_queue("mail")).await;
        bench.pass(2 * HOUR);
        bench.succeed(&claimed).await;
        bench.sequence().await;
        bench.pass(HOUR / 2);
        let forgets_minutes = Retention { workers: MINUTE, ..QUEUES };

        let early = prune(&bench, &forgets_minutes).await;
        bench.pass(HOUR);
        let late = prune(&bench, &forgets_minutes).await;

        assert_eq!((early.queues, late.queues), (0, 1));
    }

    async fn a_queue_that_somebody_has_paused_or_limited_is_used(bench: Bench) {
        let paused = QueueChange { paused: Some(true), ..QueueChange::default() };
        let limited = QueueChange { max_running: Some(Some(3)), ..QueueChange::default() };
        let rated = QueueChange { rate: Some(Some(2.0)), ..QueueChange::default() };
        bench.change_queue("paused", paused).await;
        bench.change_queue("limited", limited).await;
        bench.change_queue("rated", rated).await;
        bench.sequence().await;
        bench.pass(2 * HOUR);

        let pruned = prune(&bench, &QUEUES).await;

        assert_eq!(pruned.queues, 0);
        assert_eq!(names(&bench).await, ["limited", "paused", "rated"]);
    }

    async fn a_queue_with_jobs_that_have_not_ended_is_used(bench: Bench) {
        for state in State::ALL.into_iter().filter(|state| !state.is_terminal()) {
            bench.job_in(state).await;
        }
        let failed = bench.claimed(in_queue("letters")).await;
        bench.fail(&failed, Class::Permanent).await;
        bench.enqueue(in_queue("unnumbered")).await;
        bench.pass(2 * HOUR);

        let unnumbered = prune(&bench, &Retention { jobs: FOR_LONG.jobs, ..QUEUES }).await;
        bench.sequence().await;
        bench.pass(FOR_LONG.jobs);
        let numbered = prune(&bench, &Retention { jobs: FOR_LONG.jobs * 2, ..QUEUES }).await;

        assert_eq!((unnumbered.queues, numbered.queues), (0, 0));
        assert_eq!(names(&bench).await, ["default", "letters", "unnumbered"]);
    }

    async fn a_queue_that_was_forgotten_comes_back_with_its_first_job(bench: Bench) {
        let first = bench.claimed(in_queue("mail")).await;
        bench.succeed(&first).await;
        bench.sequence().await;
        bench.pass(2 * HOUR);
        prune(&bench, &QUEUES).await;

        bench.enqueue(in_queue("mail")).await;
        let claimed = bench.claim_as(bench.worker, "mail", 1).await;

        assert_eq!(claimed.len(), 1);
        bench.sequence().await;
        assert_eq!(bench.queue("mail").await.running, 1);
    }

    async fn a_turn_forgets_a_bounded_number_of_queues(bench: Bench) {
        for name in ["a", "b", "c"] {
            let job = bench.enqueue(in_queue(name)).await;
            assert!(bench.transition(job, State::Queued, Trigger::Cancel).await);
        }
        bench.sequence().await;
        bench.pass(2 * HOUR);
        prune(&bench, &Retention { queues: FOR_LONG.queues, ..QUEUES }).await;

        let turn = bench.store.prune(&QUEUES, 2, bench.now()).await.unwrap();

        assert_eq!((turn.queues, names(&bench).await.len()), (2, 1));
    }
}

async fn names(bench: &Bench) -> Vec<String> {
    let queues = bench.store.queues(bench.now()).await.unwrap();
    queues.into_iter().map(|queue| queue.name).collect()
}
