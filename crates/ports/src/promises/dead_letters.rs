//! Dead letters: groups by cause, and what is done to many at once.

pub(super) mod operations;

use baton_domain::{
    job::{JobSpec, State, Trigger},
    page::PageRequest,
};

use super::{
    bench::{Bench, HOUR, MINUTE, SECOND, spec},
    promises,
};
use crate::store::Error;

fn of_kind(kind: &str) -> JobSpec {
    JobSpec {
        kind: kind.to_owned(),
        ..spec()
    }
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
            .transition(id, State::Uncertain, Trigger::ResolveFailed)
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
        let mut page = PageRequest::first(2);
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
}
