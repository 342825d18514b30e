//! Fires: each nominal time once, with what it makes, whoever fires.

use baton_domain::{
    JobId, Timestamp,
    job::{Limits, State},
    page::PageRequest,
    schedule::{Fire, MissedRun, Outcome, Schedule, Template},
};
use tokio::task::JoinSet;

use super::super::{
    bench::{Bench, HOUR, MINUTE, SECOND},
    promises,
};
use crate::store::{
    Error, Fired, Firing, Passing, Retention, ScheduleChange, ScheduledWork, Turning,
};

impl Bench {
    /// A fire for a nominal time, of a job for that time.
    pub(in crate::promises) fn firing(
        &self,
        schedule: &Schedule,
        at: Timestamp,
    ) -> (Firing, JobId) {
        let Template::Job(template) = &schedule.plan.template else {
            panic!("{schedule:?} makes no job");
        };
        self.pass(SECOND);
        let job = template.job_at(at, &Limits::default(), self.now());
        let job = job.expect("the job can be had");
        let id = job.id;
        let firing = Firing {
            schedule: schedule.id,
            revision: schedule.revision,
            at,
            turn: Some(turn_after(schedule, at)),
            made: ScheduledWork::Job(Box::new(job)),
        };
        (firing, id)
    }

    pub(super) async fn fire(&self, firing: &Firing) -> Fired {
        self.store.fire(firing, self.now()).await.expect("fire")
    }

    async fn pass_over(&self, passing: &Passing) -> bool {
        let passed = self.store.pass_over(passing, self.now()).await;
        passed.expect("pass over")
    }

    pub(super) async fn history(&self, schedule: &Schedule) -> Vec<Fire> {
        let page = PageRequest::default();
        let history = self.store.fires(schedule.id, &page).await;
        history.expect("history").items
    }
}

fn turn_after(schedule: &Schedule, at: Timestamp) -> Turning {
    let next_at = schedule.plan.calendar.after(at);
    Turning {
        next_at,
        due_at: schedule.due_for(next_at),
    }
}

fn passing(schedule: &Schedule, missed: Option<(MissedRun, String)>) -> Passing {
    let at = schedule.next_at.expect("it has a next time");
    let last = missed.as_ref().map_or(at, |(run, _)| run.last);
    Passing {
        schedule: schedule.id,
        revision: schedule.revision,
        at,
        turn: turn_after(schedule, last),
        missed,
    }
}

promises! {
    async fn a_fire_makes_a_job_a_line_a_fact_and_goes_on(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let at = schedule.next_at.unwrap();
        let (firing, job) = bench.firing(&schedule, at);

        let fired = bench.fire(&firing).await;

        assert_eq!(fired, Fired::Fired);
        let made = bench.job(job).await;
        assert_eq!((made.state, made.run_at, made.kind.as_str()), (State::Pending, at, "mail"));
        let outcome = Outcome::Made { made: job.to_string(), by_hand: false };
        assert_eq!(bench.history(&schedule).await, [Fire { at, recorded_at: bench.now(), outcome }]);
        let after = bench.find(schedule.id).await.unwrap();
        assert_eq!((after.last_at, after.next_at), (Some(at), Some(at + HOUR)));
        assert_eq!((after.revision, after.updated_at), (1, schedule.updated_at));
        assert_eq!(bench.due(10).await, (vec![], Some(at + HOUR)));
    }

    async fn its_facts_are_told_in_order(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let at = schedule.next_at.unwrap();
        bench.clock.advance(at.since(bench.now()));
        let (firing, job) = bench.firing(&schedule, at);
        bench.fire(&firing).await;

        let facts = bench.facts().await;

        let kinds: Vec<_> = facts.iter().map(|fact| fact.kind.as_str()).collect();
        assert_eq!(kinds, ["schedule.created", "schedule.fired", "job.queued"]);
        assert_eq!(facts[1].subject, schedule.id.to_string());
        let data = serde_json::json!({"at": at, "made": job.to_string(), "by_hand": false});
        assert_eq!(facts[1].data, data);
        assert_eq!(facts[2].subject, job.to_string());
        assert_eq!(bench.queue("default").await.queued, 1);
    }

    async fn of_many_who_fire_for_the_same_time_one_does(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let at = schedule.next_at.unwrap();
        let mut leaders = JoinSet::new();
        for _ in 0..8 {
            let (bench, (firing, job)) = (bench.clone(), bench.firing(&schedule, at));
            leaders.spawn(async move { (job, bench.fire(&firing).await) });
        }

        let answers = leaders.join_all().await;

        let fired: Vec<_> = answers.iter().filter(|(_, fired)| *fired == Fired::Fired).collect();
        assert_eq!(fired.len(), 1, "{answers:?}");
        for (job, _) in &answers {
            let is_there = bench.store.job(*job).await.unwrap().is_some();
            assert_eq!(is_there, *job == fired[0].0);
        }
        assert_eq!(bench.history(&schedule).await.len(), 1);
        assert_eq!(bench.told_of_schedules().await, ["schedule.created", "schedule.fired"]);
    }

    async fn a_time_that_was_fired_for_is_never_fired_for_again(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let at = schedule.next_at.unwrap();
        let (firing, first) = bench.firing(&schedule, at);
        bench.fire(&firing).await;
        // A clock that was set back, and a person who has changed something then, aim at it again.
        let again = Schedule { next_at: Some(at), ..schedule.clone().with_plan(schedule.plan.clone(), bench.now()) };
        bench.change(&again, ScheduleChange::Changed).await;
        let (firing, second) = bench.firing(&again, at);

        let fired = bench.fire(&firing).await;
        let stands = bench.find(schedule.id).await.unwrap().next_at;
        let passed = bench.pass_over(&passing(&again, None)).await;

        assert_eq!((fired, stands, passed), (Fired::Already, Some(at), true));
        assert_eq!(bench.store.job(second).await.unwrap(), None);
        let made = Outcome::Made { made: first.to_string(), by_hand: false };
        let history: Vec<_> = bench.history(&schedule).await.into_iter().map(|fire| fire.outcome).collect();
        assert_eq!(history, [made]);
        assert_eq!(bench.find(schedule.id).await.unwrap().next_at, Some(at + HOUR));
        let told = ["schedule.created", "schedule.fired", "schedule.changed"];
        assert_eq!(bench.told_of_schedules().await, told);
    }

    async fn who_decided_before_a_change_is_overtaken(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let at = schedule.next_at.unwrap();
        let (firing, job) = bench.firing(&schedule, at);
        let changed = schedule.clone().with_plan(schedule.plan.clone(), bench.now());
        bench.change(&changed, ScheduleChange::Changed).await;

        let fired = bench.fire(&firing).await;
        let passed = bench.pass_over(&passing(&schedule, None)).await;

        assert_eq!((fired, passed), (Fired::Overtaken, false));
        assert_eq!(bench.store.job(job).await.unwrap(), None);
        assert_eq!(bench.history(&schedule).await, []);
        assert_eq!(bench.find(schedule.id).await, Some(changed));
        assert_eq!(bench.told_of_schedules().await, ["schedule.created", "schedule.changed"]);
    }

    async fn a_paused_or_deleted_schedule_fires_no_more(bench: Bench) {
        let (paused, deleted) = (bench.scheduled("paused").await, bench.scheduled("deleted").await);
        let firings = [&paused, &deleted].map(|one| bench.firing(one, one.next_at.unwrap()).0);
        bench.pause(&paused).await;
        bench.store.delete_schedule(deleted.id, bench.now()).await.unwrap();

        for firing in firings {
            assert_eq!(bench.fire(&firing).await, Fired::Overtaken);
        }
        assert_eq!((bench.history(&paused).await, bench.history(&deleted).await), (vec![], vec![]));
    }

    async fn a_fire_by_hand_leaves_the_next_time_alone(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let before = schedule.next_at;
        let paused = bench.pause(&schedule).await;
        let now = bench.now();
        let (firing, job) = bench.firing(&paused, now);
        let firing = Firing { turn: None, ..firing };

        let fired = bench.fire(&firing).await;
        let resumed = paused.clone().resumed(now);
        bench.change(&resumed, ScheduleChange::Resumed).await;

        assert_eq!(fired, Fired::Fired);
        bench.assert_state(job, State::Queued).await;
        let after = bench.find(schedule.id).await.unwrap();
        assert_eq!((after.last_at, after.next_at), (Some(now), before));
        let outcome = Outcome::Made { made: job.to_string(), by_hand: true };
        assert_eq!(bench.history(&schedule).await[0].outcome, outcome);
    }

    async fn a_fire_by_hand_that_is_asked_for_again_is_the_same(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let (firing, _) = bench.firing(&schedule, bench.now());
        let firing = Firing { turn: None, ..firing };

        let answers = [bench.fire(&firing).await, bench.fire(&firing).await];

        assert_eq!(answers, [Fired::Fired, Fired::Fired]);
        assert_eq!(bench.history(&schedule).await.len(), 1);
        assert_eq!(bench.told_of_schedules().await, ["schedule.created", "schedule.fired"]);
    }

    async fn missed_times_in_a_row_are_one_line_and_one_fact(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let first = schedule.next_at.unwrap();
        bench.pass(4 * HOUR);
        let run = MissedRun { first, last: first + 2 * HOUR, count: 3 };
        let passing = passing(&schedule, Some((run, "nobody was there".to_owned())));

        let passed = [bench.pass_over(&passing).await, bench.pass_over(&passing).await];

        assert_eq!(passed, [true, false]);
        let outcome = Outcome::Missed { run, reason: "nobody was there".to_owned() };
        assert_eq!(bench.history(&schedule).await, [Fire { at: first, recorded_at: bench.now(), outcome }]);
        let after = bench.find(schedule.id).await.unwrap();
        assert_eq!((after.last_at, after.next_at), (None, Some(first + 3 * HOUR)));
        let facts = bench.facts().await;
        let told = facts.last().unwrap();
        assert_eq!((told.kind.as_str(), facts.len()), ("schedule.missed", 2));
        let data = serde_json::json!({"at": first, "until": run.last, "count": 3, "reason": "nobody was there"});
        assert_eq!(told.data, data);
    }

    async fn a_change_keeps_what_was_fired_last(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let at = schedule.next_at.unwrap();
        let stale = schedule.clone().with_plan(schedule.plan.clone(), bench.now());
        let (firing, _) = bench.firing(&schedule, at);
        bench.fire(&firing).await;

        bench.change(&stale, ScheduleChange::Changed).await;

        assert_eq!(bench.find(schedule.id).await.unwrap().last_at, Some(at));
    }

    async fn a_history_is_shown_page_by_page_the_latest_first(bench: Bench) {
        let (schedule, other) = (bench.scheduled("a").await, bench.scheduled("b").await);
        let mut times = Vec::new();
        for _ in 0..3 {
            let schedule = bench.find(schedule.id).await.unwrap();
            times.extend(schedule.next_at);
            bench.fire(&bench.firing(&schedule, schedule.next_at.unwrap()).0).await;
        }
        bench.fire(&bench.firing(&other, other.next_at.unwrap()).0).await;
        let page = async |limit, after| {
            let page = bench.store.fires(schedule.id, &PageRequest { limit, after }).await.unwrap();
            (page.items.iter().map(|fire| fire.at).collect::<Vec<_>>(), page.next)
        };

        let (first, next) = page(2, None).await;
        let (second, end) = page(2, next).await;
        let bad = PageRequest { after: Some("x".to_owned()), ..PageRequest::default() };

        assert_eq!((first, second, end), (vec![times[2], times[1]], vec![times[0]], None));
        assert!(matches!(bench.store.fires(schedule.id, &bad).await, Err(Error::BadCursor)));
    }

    async fn old_lines_of_a_history_are_forgotten(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let old = schedule.next_at.unwrap();
        bench.fire(&bench.firing(&schedule, old).0).await;
        bench.pass(2 * HOUR);
        let schedule = bench.find(schedule.id).await.unwrap();
        let young = schedule.next_at.unwrap();
        bench.fire(&bench.firing(&schedule, young).0).await;
        let retention = Retention { fires: HOUR, ..Retention::default() };

        let pruned = bench.store.prune(&retention, 10, bench.now()).await.unwrap();
        let again = bench.store.prune(&retention, 10, bench.now()).await.unwrap();

        assert_eq!((pruned.fires, again.fires), (1, 0));
        let left: Vec<_> = bench.history(&schedule).await.iter().map(|fire| fire.at).collect();
        assert_eq!(left, [young]);
    }

    async fn what_was_made_ahead_waits_for_its_nominal_time(bench: Bench) {
        let schedule = bench.scheduled("a").await;
        let at = schedule.next_at.unwrap();
        let (firing, job) = bench.firing(&schedule, at);
        bench.fire(&firing).await;

        bench.clock.advance((at - SECOND).since(bench.now()));
        bench.release().await;
        let before = bench.job(job).await.state;
        bench.pass(MINUTE);
        bench.release().await;

        assert_eq!(before, State::Pending);
        bench.assert_state(job, State::Queued).await;
    }
}
