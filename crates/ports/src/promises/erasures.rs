//! Erasing a person: nothing that names or quotes them is left, and nothing else is lost.

pub(super) mod canary;
pub(super) mod races;

use baton_domain::{OperationId, erasure::Stage, job::State, operation::Action, page::PageRequest};

use self::canary::{CANARY, TRACE};
use super::{
    bench::{ALL, Bench, SECOND},
    promises,
};
use crate::store::{EventFilter, JobFilter, UpsertOutcome, Urgency};

impl Bench {
    /// Everything that a store shows, as one text.
    async fn everything_shown(&self) -> String {
        let all = PageRequest::first(ALL);
        let jobs = self
            .store
            .jobs(&JobFilter::default(), &all)
            .await
            .unwrap()
            .items;
        let ids: Vec<_> = jobs.iter().map(|job| job.id).collect();
        let attempts = self.store.attempts_of(&ids).await.unwrap();
        let events = self.facts_that(&EventFilter::default()).await;
        let campaigns = self.store.campaigns(&all, self.now()).await.unwrap().items;
        let schedules = self.store.schedules(&all).await.unwrap().items;
        let recipients = self.store.recipients(&all).await.unwrap().items;
        let groups = self.groups().await;
        let operations = self.store.operations(&all).await.unwrap().items;
        format!(
            "{jobs:#?}{attempts:#?}{events:#?}{campaigns:#?}{schedules:#?}{recipients:#?}{groups:#?}{operations:#?}"
        )
    }

    async fn is_found(&self) -> bool {
        let ids = [CANARY.to_owned()];
        let found = self.store.find_recipients(&ids, Urgency::Interactive).await;
        !found.unwrap().is_empty()
    }
}

fn lines_with_a_trace(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.contains(TRACE)).collect()
}

promises! {
    async fn nothing_that_is_shown_names_or_quotes_a_person_who_was_erased(bench: Bench) {
        let canary = bench.plant().await;
        assert!(lines_with_a_trace(&bench.everything_shown().await).len() > 20);

        let ended = bench.erase_canary(&canary, 100).await;

        assert!(ended.done > 10 && ended.finished_at.is_some(), "{ended:?}");
        assert_eq!(lines_with_a_trace(&bench.everything_shown().await), Vec::<&str>::new());
        let asked = bench.dispatch(Vec::new());
        let again = crate::store::Dispatch { key: canary.dispatch.key.clone(), ..asked };
        let notified = bench.store.notify(&again, bench.now()).await.unwrap();
        assert_eq!(notified, crate::store::Notified::Accepted(Vec::new()), "its key is free");
    }

    async fn what_others_share_with_them_stays_as_it_was(bench: Bench) {
        let canary = bench.plant().await;
        let (before, events) = (bench.books(&canary).await, bench.facts().await);

        bench.erase_canary(&canary, 100).await;

        let after = bench.facts().await;
        let told = |event: &baton_domain::event::Event| (event.id, event.kind.clone(), event.subject.clone(), event.at);
        let same = events.iter().zip(&after).all(|(one, other)| told(one) == told(other));
        assert!(same, "every event that was there keeps its number");
        let others = |event: &&baton_domain::event::Event| event.data.to_string().contains("other-");
        let of_others = events.iter().filter(others).collect::<Vec<_>>();
        assert!(of_others.iter().all(|event| after.contains(event)));
        assert_eq!(bench.books(&canary).await, before);
        assert_eq!(bench.store.reconcile(bench.now()).await.unwrap(), []);
        let people = bench.store.recipients(&PageRequest::first(ALL)).await.unwrap();
        assert_eq!(people.items.len(), 299);
    }

    async fn a_person_is_gone_from_the_first_moment_on(bench: Bench) {
        let canary = bench.plant().await;

        let begun = bench.begin_to_erase().await;

        assert_eq!((begun.action, begun.finished_at, begun.stage), (Action::Erase, None, Some(Stage::Schedules)));
        assert!(!bench.is_found().await);
        assert_eq!(bench.store.unread(CANARY).await.unwrap(), None);
        assert_eq!(bench.state(canary.running.args.id).await, State::Running);
    }

    async fn an_erasure_waits_for_the_delivery_that_runs_and_no_longer(bench: Bench) {
        let canary = bench.plant().await;
        bench.begin_to_erase().await;

        let waits = bench.erase(1_000).await.unwrap();
        let still = bench.erase(1_000).await.unwrap();
        bench.settle(&canary.running, canary::quoting()).await;
        let ended = bench.erase(1_000).await.unwrap();

        assert_eq!((waits.running, still.running, ended.running), (1, 1, 0));
        assert!(ended.operation.finished_at.is_some());
        assert_eq!(bench.step_erasure(1_000).await, None);
    }

    async fn one_who_is_being_erased_is_erased_once(bench: Bench) {
        bench.plant().await;
        let first = bench.begin_to_erase().await;
        bench.pass(SECOND);

        let second = bench.begin_to_erase().await;
        let third = bench.store.begin_erasure(first.id, CANARY, bench.now()).await.unwrap();

        assert_eq!((second.id, third.id), (first.id, first.id));
        let page = bench.store.operations(&PageRequest::default()).await.unwrap();
        assert_eq!(page.items.len(), 1);
        let started = bench.facts().await.into_iter().filter(|one| one.kind == "operation.started");
        assert_eq!(started.count(), 1);
    }

    async fn one_who_was_deleted_before_can_be_erased_and_so_can_nobody(bench: Bench) {
        let canary = bench.plant().await;
        bench.store.delete_recipient(CANARY).await.unwrap();

        bench.erase_canary(&canary, 1_000).await;
        let nobody = OperationId::new(bench.now());
        bench.store.begin_erasure(nobody, "nobody", bench.now()).await.unwrap();
        let ended = bench.erase(1_000).await.unwrap().operation;

        let shown = bench.everything_shown().await;
        let ids = shown.lines().filter(|line| line.contains(CANARY)).collect::<Vec<_>>();
        assert_eq!(ids, Vec::<&str>::new());
        assert_eq!((ended.done, ended.finished_at.is_some()), (0, true));
    }

    async fn an_operation_that_erases_is_shown_like_any_other(bench: Bench) {
        let canary = bench.plant().await;

        let ended = bench.erase_canary(&canary, 500).await;

        assert_eq!(bench.store.operation(ended.id).await.unwrap(), Some(ended.clone()));
        let page = bench.store.operations(&PageRequest::default()).await.unwrap();
        assert_eq!(page.items, [ended]);
        let kinds: Vec<_> = bench.facts().await.into_iter().map(|one| one.kind).collect();
        assert!(kinds.iter().any(|kind| kind == "operation.finished"));
    }

    async fn a_delivery_that_runs_again_afterwards_reaches_nobody(bench: Bench) {
        let canary = bench.plant().await;
        bench.erase_canary(&canary, 1_000).await;

        let state = bench.run_again(canary.campaigns[1]).await;

        assert_eq!(state, State::Queued);
        assert_eq!(lines_with_a_trace(&bench.everything_shown().await), Vec::<&str>::new());
    }

    async fn a_delivery_is_theirs_however_a_client_has_escaped_their_id(bench: Bench) {
        let ways = [r#""a/b-4711""#, r#""a\/b-4711""#, r#""\u0061/b-4711""#];
        let mut deliveries = Vec::new();
        for id in ways {
            let payload = format!(r#"{{"recipient_id":{id}}}"#);
            let spec = baton_domain::job::JobSpec {
                kind: baton_domain::delivery::KIND.to_owned(),
                payload,
                ..Default::default()
            };
            deliveries.push(bench.enqueue(spec).await);
        }

        let id = OperationId::new(bench.now());
        bench.store.begin_erasure(id, "a/b-4711", bench.now()).await.unwrap();
        bench.erase(100).await.unwrap();

        for delivery in deliveries {
            let job = bench.store.job(delivery).await.unwrap().unwrap();
            assert_eq!(job.payload, baton_domain::erasure::PAYLOAD);
        }
    }

    async fn one_who_comes_back_afterwards_is_somebody_new(bench: Bench) {
        let canary = bench.plant().await;
        bench.erase_canary(&canary, 1_000).await;

        let profile = super::recipients::fixtures::somebody(CANARY);
        let put = bench.store.put_recipients(&[profile], bench.now()).await.unwrap();

        assert_eq!(put, [UpsertOutcome::Added]);
        assert!(bench.is_found().await);
        assert_eq!(bench.store.unread(CANARY).await.unwrap().unwrap().count, 0);
    }
}

impl Bench {
    /// How many deliveries of each campaign there are, and in which states those of others are.
    async fn books(&self, canary: &canary::Canary) -> Vec<(u64, u64)> {
        self.sequence().await;
        let mut books = Vec::new();
        for id in &canary.campaigns {
            let campaign = self.campaign(*id).await;
            books.push((campaign.counts.total(), campaign.expanded));
        }
        books
    }
}
