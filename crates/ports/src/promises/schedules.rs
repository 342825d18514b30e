//! Schedules: written down, found, changed, paused, forgotten.

pub(super) mod campaign;
pub(super) mod fire;
pub(super) mod fixtures;

use baton_domain::{
    ScheduleId, Timestamp,
    job::{Backoff, DeliveryGuarantee},
    page::PageRequest,
    schedule::{DefinitionChange, JobTemplate, Missed, Schedule, ScheduleDefinition, Template},
};
use tokio::task::JoinSet;

use self::fixtures::{mail, plan, spec};
use super::{
    bench::{Bench, HOUR, MINUTE, SECOND},
    promises,
};
use crate::store::{Error, Named, ScheduleChange};

impl Bench {
    /// A schedule with this plan, later than all before.
    pub(in crate::promises) fn new_schedule(&self, plan: ScheduleDefinition) -> Schedule {
        self.pass(SECOND);
        Schedule::new(plan, self.now())
    }

    async fn try_to_add(&self, schedule: &Schedule) -> Named {
        let added = self.store.add_schedule(schedule, self.now()).await;
        added.expect("add")
    }

    /// An hourly schedule of this name.
    pub(in crate::promises) async fn scheduled(&self, name: &str) -> Schedule {
        let schedule = self.new_schedule(plan(name));
        assert_eq!(self.try_to_add(&schedule).await, Named::Written);
        schedule
    }

    pub(in crate::promises) async fn find(&self, id: ScheduleId) -> Option<Schedule> {
        self.store.find_schedule(id).await.expect("find")
    }

    pub(in crate::promises) async fn change(
        &self,
        schedule: &Schedule,
        change: ScheduleChange,
    ) -> Named {
        let changed = self.store.change_schedule(schedule, change, self.now());
        changed.await.expect("change")
    }

    pub(in crate::promises) async fn pause(&self, schedule: &Schedule) -> Schedule {
        let paused = schedule.clone().paused(self.now());
        let done = self.change(&paused, ScheduleChange::Paused).await;
        assert_eq!(done, Named::Written);
        paused
    }

    async fn due(&self, limit: u32) -> (Vec<ScheduleId>, Option<Timestamp>) {
        let due = self.store.due_schedules(limit, self.now()).await;
        let due = due.expect("due");
        let ids = due.schedules.iter().map(|one| one.id).collect();
        (ids, due.next_due)
    }

    async fn schedule_names(
        &self,
        limit: u32,
        after: Option<String>,
    ) -> (Vec<String>, Option<String>) {
        let page = self.store.schedules(&PageRequest { limit, after }).await;
        let page = page.expect("page");
        let names = page.items.into_iter().map(|one| one.plan.name);
        (names.collect(), page.next)
    }

    /// The facts about schedules, by their kinds.
    pub(in crate::promises) async fn told_of_schedules(&self) -> Vec<String> {
        let facts = self.facts().await;
        let kinds = facts.into_iter().map(|fact| fact.kind);
        kinds.filter(|kind| kind.starts_with("schedule.")).collect()
    }
}

promises! {
    async fn a_schedule_reads_back_as_it_was_written_down(bench: Bench) {
        let everything = ScheduleDefinition {
            missed: Missed::All { most: 7 },
            lead: 10 * MINUTE,
            template: Template::Job(JobTemplate {
                queue: Some("quiz".to_owned()),
                priority: Some(-5),
                max_attempts: Some(2),
                backoff: Some(Backoff::default()),
                timeout: Some(MINUTE),
                expires_after: Some(HOUR),
                delivery: Some(DeliveryGuarantee::AtMostOnce),
                tags: vec!["daily".to_owned()],
                ..mail()
            }),
            ..plan("김철수's \"quiz\"")
        };
        let campaign = ScheduleDefinition {
            missed: Missed::Skip,
            template: Template::Campaign(serde_json::json!({"name": "a", "rate": 1.5})),
            ..plan("campaign")
        };

        for plan in [everything, campaign] {
            let schedule = bench.new_schedule(plan);
            assert_eq!(bench.try_to_add(&schedule).await, Named::Written);
            assert_eq!(bench.find(schedule.id).await, Some(schedule));
        }
    }

    async fn a_name_belongs_to_one_schedule(bench: Bench) {
        let first = bench.scheduled("a").await;
        let second = bench.new_schedule(plan("a"));

        let added = bench.try_to_add(&second).await;

        assert_eq!(added, Named::Taken(first.id));
        assert_eq!(bench.find(second.id).await, None);
        assert_eq!(bench.told_of_schedules().await, ["schedule.created"]);
    }

    async fn of_many_who_add_the_same_name_one_does(bench: Bench) {
        let mut adders = JoinSet::new();
        for _ in 0..8 {
            let (bench, schedule) = (bench.clone(), bench.new_schedule(plan("a")));
            adders.spawn(async move { (schedule.id, bench.try_to_add(&schedule).await) });
        }

        let answers = adders.join_all().await;

        let written: Vec<_> = answers.iter().filter(|(_, named)| *named == Named::Written).collect();
        assert_eq!(written.len(), 1, "{answers:?}");
        let holder = written[0].0;
        assert!(answers.iter().all(|(id, named)| *id == holder || *named == Named::Taken(holder)));
        assert_eq!(bench.told_of_schedules().await, ["schedule.created"]);
    }

    async fn adding_it_again_changes_nothing(bench: Bench) {
        let schedule = bench.scheduled("a").await;

        let again = bench.try_to_add(&schedule).await;

        assert_eq!(again, Named::Written);
        assert_eq!(bench.told_of_schedules().await, ["schedule.created"]);
    }

    async fn schedules_are_listed_page_by_page_the_newest_first(bench: Bench) {
        for name in ["a", "b", "c"] {
            bench.scheduled(name).await;
        }

        let (first, next) = bench.schedule_names(2, None).await;
        let (second, end) = bench.schedule_names(2, next).await;
        let bad = PageRequest { after: Some("x".to_owned()), ..PageRequest::default() };

        assert_eq!((first, second, end), (vec!["c".to_owned(), "b".to_owned()], vec!["a".to_owned()], None));
        assert!(matches!(bench.store.schedules(&bad).await, Err(Error::BadCursor)));
    }

    async fn a_change_is_written_down_and_told(bench: Bench) {
        let before = bench.scheduled("a").await;
        let other = DefinitionChange {
            name: Some("b".to_owned()),
            cron: Some("30 * * * *".to_owned()),
            time_zone: Some("Asia/Kolkata".to_owned()),
            lead: Some(MINUTE),
            missed: Some("skip".to_owned()),
            job: Some(JobTemplate { kind: "sms".to_owned(), ..mail() }),
            ..DefinitionChange::default()
        };
        bench.pass(SECOND);
        let after = before.clone().with_plan(before.plan.changed(other).unwrap(), bench.now());

        let changed = bench.change(&after, ScheduleChange::Changed).await;

        assert_eq!((changed, after.revision), (Named::Written, 2));
        assert_eq!(bench.find(before.id).await, Some(after.clone()));
        let facts = bench.facts().await;
        let told = facts.last().unwrap();
        assert_eq!((told.kind.as_str(), told.subject.clone()), ("schedule.changed", before.id.to_string()));
        assert_eq!((&told.data["name"], &told.data["revision"]), (&"b".into(), &2.into()));
        assert_eq!(told.data["next_at"], serde_json::json!(after.next_at));
    }

    async fn of_two_changes_at_once_the_second_is_overtaken(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let paused = bench.pause(&schedule).await;

        let late = bench.change(&schedule.clone().paused(bench.now()), ScheduleChange::Changed).await;
        let unknown = bench.new_schedule(plan("b")).resumed(bench.now());
        let unknown = bench.change(&unknown, ScheduleChange::Resumed).await;

        assert_eq!((late, unknown), (Named::Overtaken, Named::Overtaken));
        assert_eq!(bench.find(schedule.id).await, Some(paused));
        assert_eq!(bench.told_of_schedules().await, ["schedule.created", "schedule.paused"]);
    }

    async fn a_change_cannot_take_the_name_of_another(bench: Bench) {
        let (a, b) = (bench.scheduled("a").await, bench.scheduled("b").await);
        let renamed = b.clone().with_plan(plan("a"), bench.now());

        let changed = bench.change(&renamed, ScheduleChange::Changed).await;

        assert_eq!(changed, Named::Taken(a.id));
        assert_eq!(bench.find(b.id).await, Some(b));
        assert_eq!(bench.told_of_schedules().await, ["schedule.created"; 2]);
    }

    async fn a_deleted_schedule_is_gone_and_its_name_is_free(bench: Bench) {
        let schedule = bench.scheduled("a").await;

        let first = bench.store.delete_schedule(schedule.id, bench.now()).await.unwrap();
        let again = bench.store.delete_schedule(schedule.id, bench.now()).await.unwrap();
        bench.scheduled("a").await;

        assert_eq!((first, again), (true, false));
        assert_eq!(bench.find(schedule.id).await, None);
        let told = ["schedule.created", "schedule.deleted", "schedule.created"];
        assert_eq!(bench.told_of_schedules().await, told);
    }

    async fn a_schedule_is_due_its_lead_before_its_time(bench: Bench) {
        let early = bench.new_schedule(ScheduleDefinition { lead: 10 * MINUTE, ..plan("early") });
        bench.try_to_add(&early).await;
        let punctual = bench.scheduled("punctual").await;
        let (nine, lead) = (punctual.next_at.unwrap(), 10 * MINUTE);

        let before = bench.due(10).await;
        bench.clock.advance((nine - lead).since(bench.now()));
        let ahead = bench.due(10).await;
        bench.pass(lead);
        let at_nine = bench.due(10).await;

        assert_eq!(before, (vec![], Some(nine - lead)));
        assert_eq!(ahead, (vec![early.id], Some(nine)));
        assert_eq!(at_nine, (vec![early.id, punctual.id], None));
    }

    async fn so_many_are_due_at_a_time_and_no_more(bench: Bench) {
        for name in ["a", "b", "c"] {
            bench.scheduled(name).await;
        }
        bench.pass(2 * HOUR);

        let (due, next) = bench.due(2).await;

        assert_eq!((due.len(), next), (2, None));
    }

    async fn a_paused_schedule_is_not_due_until_it_is_resumed(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let paused = bench.pause(&schedule).await;
        bench.pass(5 * HOUR);

        let while_paused = bench.due(10).await;
        let resumed = paused.resumed(bench.now());
        bench.change(&resumed, ScheduleChange::Resumed).await;
        let after = bench.due(10).await;

        assert_eq!(while_paused, (vec![], None));
        assert_eq!(after, (vec![], resumed.next_at));
        assert!(resumed.next_at > Some(bench.now()));
        let told = ["schedule.created", "schedule.paused", "schedule.resumed"];
        assert_eq!(bench.told_of_schedules().await, told);
    }

    async fn any_line_that_is_read_reads_back(bench: Bench) {
        for (i, cron) in ["0 9 * * *", "*/5 0 9-17 * * MON-FRI", "0 0 L * *", "@daily", "0 0 * * MON#2"].iter().enumerate() {
            let plan = ScheduleDefinition::from_spec(baton_domain::schedule::ScheduleSpec {
                cron: (*cron).to_owned(),
                time_zone: "America/New_York".to_owned(),
                ..spec(&format!("s{i}"))
            });
            let schedule = bench.new_schedule(plan.unwrap());
            bench.try_to_add(&schedule).await;

            assert_eq!(bench.find(schedule.id).await, Some(schedule), "{cron}");
        }
    }
}
