//! Operations: what is done to many dead letters at once, with progress.

use baton_domain::{
    OperationId,
    job::{Class, JobSpec, State, Trigger},
    operation::{Action, DeadLetterFilter},
    page::PageRequest,
};

use super::{
    super::{
        bench::{Bench, HOUR, MINUTE, SECOND, attempt_counters, counters, in_queue, spec},
        promises,
    },
    of_kind,
};

async fn step(bench: &Bench, limit: u32) -> Option<(u64, bool)> {
    let step = bench.store.step(limit, bench.now()).await.expect("step");
    step.map(|operation| (operation.done, operation.finished_at.is_some()))
}

promises! {
    async fn a_retry_of_many_runs_each_again(bench: Bench) {
        let mut jobs = Vec::new();
        for _ in 0..5 {
            jobs.push(bench.dead_letter(spec(), "no mailbox").await);
        }

        let begun = bench
            .begin(Action::Retry, DeadLetterFilter::default())
            .await;
        bench.finish_operations().await;

        let ended = bench.store.operation(begun.id).await.unwrap().unwrap();
        assert_eq!((begun.total, begun.done, begun.finished_at), (5, 0, None));
        assert_eq!((ended.total, ended.done, ended.skipped), (5, 5, 0));
        assert_eq!(ended.finished_at, Some(bench.now()));
        for id in jobs {
            let job = bench.job(id).await;
            assert_eq!(
                (job.state, counters(&job)),
                (State::Queued, attempt_counters(1, 0, 0, 2))
            );
            assert_eq!(
                bench.plot(id).await,
                ["job.queued", "job.running", "job.failed", "job.queued"]
            );
        }
        assert_eq!(bench.groups().await, []);
    }

    async fn a_discard_of_many_takes_them_off_the_list_and_they_stay_failed(bench: Bench) {
        let id = bench.dead_letter(spec(), "no mailbox").await;
        bench.dead_letter(spec(), "no mailbox").await;
        let before = bench.job(id).await;

        bench
            .begin(Action::Discard, DeadLetterFilter::default())
            .await;
        bench.finish_operations().await;

        assert_eq!(bench.job(id).await, before);
        assert_eq!(bench.groups().await, []);
        assert_eq!(bench.queue("default").await.failed, 2);
        let story = bench.story(id).await;
        assert_eq!(
            story.last().map(|fact| fact.kind.as_str()),
            Some("job.discarded")
        );
        assert_eq!(story.last().and_then(|fact| fact.data.get("to")), None);
    }

    async fn a_discarded_job_can_be_run_again(bench: Bench) {
        let id = bench.dead_letter(spec(), "no mailbox").await;
        bench
            .begin(Action::Discard, DeadLetterFilter::default())
            .await;
        bench.finish_operations().await;

        assert!(bench.transition(id, State::Failed, Trigger::Redrive).await);
        let claimed = bench.claim(1).await.remove(0);
        bench
            .fail(&claimed, Class::Permanent)
            .await;

        assert_eq!(bench.groups().await.len(), 1);
    }

    async fn a_discarded_job_is_not_discarded_again(bench: Bench) {
        bench.dead_letter(spec(), "no mailbox").await;
        bench
            .begin(Action::Discard, DeadLetterFilter::default())
            .await;
        bench.finish_operations().await;

        let second = bench
            .begin(Action::Discard, DeadLetterFilter::default())
            .await;

        assert_eq!(second.total, 0);
    }

    async fn an_operation_touches_what_its_filter_lets_through(bench: Bench) {
        let mail = bench.dead_letter(spec(), "no mailbox").await;
        let push = bench.dead_letter(of_kind("push"), "no device").await;
        let slow = bench.dead_letter(in_queue("slow"), "no mailbox").await;
        let expired = JobSpec {
            expires_at: Some(bench.now() + MINUTE),
            ..spec()
        };
        let expired = bench.enqueue(expired).await;
        bench.pass(HOUR);
        bench.store.expire(10, bench.now()).await.unwrap();
        let groups = bench.groups().await;
        let push_group = groups.iter().find(|group| group.kind == "push").unwrap();

        let text = |text: &str| Some(text.to_owned());
        let any = DeadLetterFilter::default;
        let turns = [
            (
                DeadLetterFilter {
                    fingerprint: text(&push_group.fingerprint),
                    ..any()
                },
                push,
            ),
            (
                DeadLetterFilter {
                    queue: text("slow"),
                    ..any()
                },
                slow,
            ),
            (
                DeadLetterFilter {
                    reason: text("expired"),
                    ..any()
                },
                expired,
            ),
            (
                DeadLetterFilter {
                    kind: text("mail"),
                    ..any()
                },
                mail,
            ),
        ];
        for (filter, id) in turns {
            let begun = bench.begin(Action::Retry, filter.clone()).await;
            bench.finish_operations().await;

            assert_eq!((begun.total, begun.filter), (1, filter));
            bench.assert_state(id, State::Queued).await;
        }
    }

    async fn what_fails_after_an_operation_began_is_not_touched(bench: Bench) {
        let before = bench.dead_letter(spec(), "no mailbox").await;
        let begun = bench
            .begin(Action::Discard, DeadLetterFilter::default())
            .await;
        bench.pass(SECOND);
        let after = bench.dead_letter(spec(), "no mailbox").await;

        bench.finish_operations().await;

        let ended = bench.store.operation(begun.id).await.unwrap().unwrap();
        assert_eq!((begun.total, ended.done), (1, 1));
        assert_eq!(bench.plot(before).await.len(), 4);
        assert_eq!(bench.plot(after).await.len(), 3);
        assert_eq!(bench.groups().await[0].count, 1);
    }

    async fn what_is_already_gone_is_skipped(bench: Bench) {
        let gone = bench.dead_letter(spec(), "no mailbox").await;
        bench.dead_letter(spec(), "no mailbox").await;
        let begun = bench
            .begin(Action::Discard, DeadLetterFilter::default())
            .await;

        assert!(bench.transition(gone, State::Failed, Trigger::Redrive).await);
        bench.finish_operations().await;

        let ended = bench.store.operation(begun.id).await.unwrap().unwrap();
        assert_eq!((ended.total, ended.done, ended.skipped), (2, 1, 1));
        bench.assert_state(gone, State::Queued).await;
    }

    async fn an_operation_goes_on_step_by_step(bench: Bench) {
        for _ in 0..5 {
            bench.dead_letter(spec(), "no mailbox").await;
        }
        bench
            .begin(Action::Retry, DeadLetterFilter::default())
            .await;

        let steps = [
            step(&bench, 2).await,
            step(&bench, 2).await,
            step(&bench, 2).await,
        ];
        bench.finish_operations().await;

        assert_eq!(steps, [Some((2, false)), Some((4, false)), Some((5, true))]);
        assert_eq!(step(&bench, 2).await, None);
    }

    async fn an_operation_touches_a_job_once_even_if_it_fails_again_at_once(bench: Bench) {
        bench.dead_letter(spec(), "no mailbox").await;
        bench.dead_letter(spec(), "no mailbox").await;
        let begun = bench.begin(Action::Retry, DeadLetterFilter::default()).await;
        step(&bench, 1).await;
        let again = bench.claim(1).await.remove(0);
        bench.fail(&again, Class::Permanent).await;

        bench.finish_operations().await;

        let ended = bench.store.operation(begun.id).await.unwrap().unwrap();
        assert_eq!((ended.total, ended.done), (2, 2));
        bench.assert_state(again.args.id, State::Failed).await;
    }

    async fn an_operation_over_nothing_ends_at_once(bench: Bench) {
        let begun = bench
            .begin(Action::Retry, DeadLetterFilter::default())
            .await;

        bench.finish_operations().await;

        let ended = bench.store.operation(begun.id).await.unwrap().unwrap();
        assert_eq!((ended.total, ended.done, ended.skipped), (0, 0, 0));
        assert_eq!(ended.finished_at, Some(bench.now()));
    }

    async fn the_beginning_and_end_of_an_operation_are_facts(bench: Bench) {
        let begun = bench
            .begin(Action::Retry, DeadLetterFilter::default())
            .await;
        bench.finish_operations().await;

        let facts = bench.facts().await;

        let told: Vec<_> = facts
            .iter()
            .map(|f| (f.kind.as_str(), f.subject.clone()))
            .collect();
        let subject = begun.id.to_string();
        assert_eq!(
            told,
            [
                ("operation.started", subject.clone()),
                ("operation.finished", subject)
            ]
        );
        assert_eq!(facts[1].data, serde_json::json!({}));
    }

    async fn operations_are_listed_newest_first(bench: Bench) {
        let mut begun = Vec::new();
        for _ in 0..3 {
            begun.push(
                bench
                    .begin(Action::Retry, DeadLetterFilter::default())
                    .await
                    .id,
            );
        }
        begun.reverse();

        let first = PageRequest::first(2);
        let first = bench.store.operations(&first).await.unwrap();
        let second = PageRequest {
            limit: 2,
            after: first.next,
        };
        let second = bench.store.operations(&second).await.unwrap();

        let listed: Vec<_> = first
            .items
            .iter()
            .chain(&second.items)
            .map(|o| o.id)
            .collect();
        assert_eq!((listed, second.next), (begun, None));
    }

    async fn an_operation_that_was_never_begun_is_unknown(bench: Bench) {
        let id = OperationId::new(bench.now());

        assert_eq!(bench.store.operation(id).await.unwrap(), None);
    }
}
