//! Dead letters: groups by cause, and what is done to many at once.

use baton_domain::{
    OperationId,
    job::{Event, JobSpec, State},
    operation::{Action, DeadLetterFilter},
    page::PageRequest,
};

use super::{
    bench::{Bench, HOUR, MINUTE, SECOND, counters, in_queue, spec, ticket},
    promises,
};
use crate::store::Error;

fn of_kind(kind: &str) -> JobSpec {
    JobSpec {
        kind: kind.to_owned(),
        ..spec()
    }
}

async fn step(bench: &Bench, limit: u32) -> Option<(u64, bool)> {
    let step = bench.store.step(limit, bench.now()).await.expect("step");
    step.map(|operation| (operation.done, operation.finished_at.is_some()))
}

promises! {
    async fn dead_letters_of_one_cause_are_one_group(bench: Bench) {
        let first = bench.dead_letter(spec(), "no mailbox 17").await;
        let first_at = bench.now();
        bench.pass(MINUTE);
        let second = bench.dead_letter(spec(), "no mailbox 39").await;
        let last_at = bench.now();

        let groups = bench.groups().await;

        assert_eq!(groups.len(), 1);
        let group = &groups[0];
        assert_eq!(
            (group.count, group.first_at, group.last_at),
            (2, first_at, last_at)
        );
        assert_eq!(
            (group.kind.as_str(), group.reason.as_str()),
            ("mail", "permanent")
        );
        assert_eq!(group.sample.code, "http_400");
        assert!([first, second].contains(&group.sample_job));
        let sample = bench.job(group.sample_job).await;
        assert_eq!(sample.last_error, Some(group.sample.clone()));
    }

    async fn causes_and_kinds_are_groups_apart_the_last_grown_first(bench: Bench) {
        bench.dead_letter(spec(), "no mailbox").await;
        bench.pass(SECOND);
        bench
            .dead_letter(spec(), "the certificate has expired")
            .await;
        bench.pass(SECOND);
        bench.dead_letter(of_kind("push"), "no mailbox").await;
        bench.pass(SECOND);
        bench.dead_letter(spec(), "no mailbox").await;

        let groups = bench.groups().await;

        let seen: Vec<_> = groups
            .iter()
            .map(|group| {
                (
                    group.kind.as_str(),
                    group.sample.message.as_str(),
                    group.count,
                )
            })
            .collect();
        let expected = [
            ("mail", "no mailbox", 2),
            ("push", "no mailbox", 1),
            ("mail", "the certificate has expired", 1),
        ];
        assert_eq!(seen, expected);
    }

    async fn only_failed_jobs_are_dead_letters(bench: Bench) {
        for state in State::ALL
            .into_iter()
            .filter(|state| *state != State::Failed)
        {
            bench.job_in(state).await;
        }

        assert_eq!(bench.groups().await, []);
    }

    async fn an_expired_job_is_a_dead_letter(bench: Bench) {
        let fleeting = JobSpec {
            expires_at: Some(bench.now() + MINUTE),
            ..spec()
        };
        let id = bench.enqueue(fleeting).await;
        bench.pass(HOUR);
        bench.store.expire(10, bench.now()).await.unwrap();

        let groups = bench.groups().await;

        assert_eq!((groups.len(), groups[0].count), (1, 1));
        assert_eq!(
            (groups[0].reason.as_str(), groups[0].sample_job),
            ("expired", id)
        );
        assert_eq!(groups[0].sample.code, "expired");
    }

    async fn doubt_resolved_as_failure_is_a_dead_letter(bench: Bench) {
        let id = bench.job_in(State::Uncertain).await;
        let before = bench.groups().await.len();

        bench
            .shift(id, State::Uncertain, Event::ResolveFailed)
            .await;

        let groups = bench.groups().await;
        assert_eq!((before, groups.len(), groups[0].sample_job), (0, 1, id));
        assert_eq!(groups[0].sample.code, "resolved");
    }

    async fn groups_are_read_page_by_page(bench: Bench) {
        for message in ["one", "two", "three", "four", "five"] {
            bench.dead_letter(spec(), message).await;
            bench.pass(SECOND);
        }
        bench.sequence().await;
        let mut page = PageRequest {
            limit: 2,
            after: None,
        };
        let mut seen = Vec::new();
        loop {
            let found = bench.store.dead_letters(&page).await.unwrap();
            assert!(found.items.len() <= 2);
            seen.extend(found.items.into_iter().map(|group| group.sample.message));
            match found.next {
                Some(next) => page.after = Some(next),
                None => break,
            }
        }

        assert_eq!(seen, ["five", "four", "three", "two", "one"]);
    }

    async fn a_cursor_of_another_list_is_refused(bench: Bench) {
        let page = PageRequest {
            limit: 2,
            after: Some("nonsense".to_owned()),
        };

        let groups = bench.store.dead_letters(&page).await;
        let operations = bench.store.operations(&page).await;

        assert!(matches!(groups, Err(Error::BadCursor)), "{groups:?}");
        assert!(
            matches!(operations, Err(Error::BadCursor)),
            "{operations:?}"
        );
    }

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
                (State::Queued, ticket(1, 0, 0, 2))
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

        assert!(bench.shift(id, State::Failed, Event::Redrive).await);
        let claimed = bench.claim(1).await.remove(0);
        bench
            .fail(&claimed, baton_domain::job::Class::Permanent)
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

        assert!(bench.shift(gone, State::Failed, Event::Redrive).await);
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

        let first = PageRequest {
            limit: 2,
            after: None,
        };
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
