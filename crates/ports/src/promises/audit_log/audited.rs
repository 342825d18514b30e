//! Audited calls: each writes its entry if it changes something, and none if it does not.

use std::sync::Arc;

use baton_domain::{
    Lifecycle, OperationId,
    access::{Role, UserChange},
    audit::{AuditAction, AuditEntry, AuditFilter},
    campaign::Trigger,
    job::{self, JobSpec, State},
    operation::{Action, DeadLetterFilter},
    schedule::Schedule,
};
use tokio::task::JoinSet;

use super::super::{
    BoxFuture,
    access::digest,
    bench::{Bench, MINUTE, SECOND, at_most, keyed, paused, spec},
    campaigns::fixtures::quiz,
    promises,
    recipients::fixtures::somebody,
};
use crate::{
    Store,
    store::{
        AUDITED, Atomicity, CampaignMove, Enqueued, Firing, ScheduleChange, UnclaimedTransition,
    },
};

/// A call that changes something the first time, and nothing when it is made again.
type Call = Box<dyn Fn(Arc<dyn Store>, Bench) -> BoxFuture<()> + Send + Sync>;

/// Writes a call down: what it is told of is moved into it, and its answer is nobody's business here.
macro_rules! call {
    (|$store:ident, $now:ident| $call:expr, $($told:ident),*) => {
        Box::new(move |$store, bench: Bench| {
            $(let $told = $told.clone();)*
            Box::pin(async move {
                let $now = bench.now();
                let _ = $now;
                drop($call.await);
            })
        })
    };
}

impl Bench {
    /// A call of this name that has something to change.
    async fn call(&self, name: &str) -> Call {
        match name {
            "enqueue" | "transition" | "request_cancel" | "force_cancel" => {
                self.call_about_a_job(name).await
            }
            "create_campaign" | "command" | "approve" => self.call_about_a_campaign(name).await,
            "put_recipients" | "delete_recipient" | "begin_erasure" => {
                self.call_about_a_recipient(name).await
            }
            "add_schedule" | "change_schedule" | "delete_schedule" | "fire" => {
                self.call_about_a_schedule(name).await
            }
            "add_key" | "rotate_key" | "revoke_key" => self.call_about_a_key(name).await,
            "begin_session" | "end_session" | "end_sessions" => {
                self.call_about_a_session(name).await
            }
            "add_user" | "set_up" | "change_user" => self.call_about_a_user(name).await,
            "change_queue" => {
                call!(|store, now| store.change_queue("audited", &paused(true), now),)
            }
            "drain_worker" => {
                self.heartbeat_of(self.worker, None).await;
                let worker = self.worker;
                call!(|store, now| store.drain_worker(worker, true, now),)
            }
            "begin" => {
                self.dead_letter(spec(), "no mailbox").await;
                self.sequence().await;
                let (id, all) = (OperationId::new(self.now()), DeadLetterFilter::default());
                call!(|store, now| store.begin(id, Action::Retry, &all, now), all)
            }
            "begin_on_jobs" => {
                let all = self.on_jobs(Action::Cancel, State::Queued);
                call!(|store, now| store.begin_on_jobs(&all), all)
            }
            "stop_operation" => {
                let all = self.on_jobs(Action::Cancel, State::Queued);
                let begun = self.store.begin_on_jobs(&all).await.expect("begun");
                call!(|store, now| store.stop_operation(begun.id, now),)
            }
            name => panic!("nobody has said how {name} is called"),
        }
    }

    async fn call_about_a_job(&self, name: &str) -> Call {
        if name == "enqueue" {
            let jobs = vec![self.new_job(spec())];
            return call!(|store, now| store.enqueue(jobs, Atomicity::All), jobs);
        }
        if name == "transition" {
            let change = UnclaimedTransition {
                afresh: false,
                job: self.job_in(State::Pending).await,
                transition: State::Pending.on(job::Trigger::Cancel).expect("a move"),
                reason: None,
            };
            return call!(|store, now| store.transition(&change, now), change);
        }
        let job = self.claimed(spec()).await.args.id;
        match name {
            "request_cancel" => call!(|store, now| store.request_cancel(job, None, now),),
            _ => call!(|store, now| store.force_cancel(job, None, now),),
        }
    }

    async fn call_about_a_campaign(&self, name: &str) -> Call {
        if name == "create_campaign" {
            let new = self.new_campaign(quiz());
            return call!(|store, now| store.create_campaign(&new), new);
        }
        if name == "approve" {
            let id = self.create_held("ann").await;
            let approving = self.approving(&self.campaign(id).await, "ben", None);
            return call!(|store, now| store.approve(&approving), approving);
        }
        let id = self.create(quiz()).await;
        let seen = self.campaign(id).await;
        let command = CampaignMove {
            campaign: id,
            epoch: seen.epoch,
            transition: seen.state.on(Trigger::Stop).expect("a legal move"),
            why: None,
        };
        call!(|store, now| store.command(&command, now), command)
    }

    async fn call_about_a_recipient(&self, name: &str) -> Call {
        let profiles = [somebody(name)];
        if name == "put_recipients" {
            return call!(|store, now| store.put_recipients(&profiles, now), profiles);
        }
        let put = self.store.put_recipients(&profiles, self.now()).await;
        put.expect("put");
        let [profile] = profiles;
        let (recipient, erasure) = (profile.id, OperationId::new(self.now()));
        match name {
            "delete_recipient" => {
                call!(|store, now| store.delete_recipient(&recipient), recipient)
            }
            _ => call!(
                |store, now| store.begin_erasure(erasure, &recipient, now),
                recipient
            ),
        }
    }

    async fn call_about_a_schedule(&self, name: &str) -> Call {
        let known = self.scheduled(name).await;
        match name {
            "add_schedule" => {
                let mut plan = known.plan;
                plan.name = "another".to_owned();
                let new = self.new_schedule(plan);
                call!(|store, now| store.add_schedule(&new, now), new)
            }
            "change_schedule" => {
                let changed = known.paused(self.now());
                call!(
                    |store, now| store.change_schedule(&changed, ScheduleChange::Paused, now),
                    changed
                )
            }
            "delete_schedule" => {
                let id = known.id;
                call!(|store, now| store.delete_schedule(id, now),)
            }
            _ => {
                let firing = self.firing_by_hand(&known);
                call!(|store, now| store.fire(&firing, now), firing)
            }
        }
    }

    /// Somebody fires out of turn: asked for again, the schedule stands where it stood.
    fn firing_by_hand(&self, schedule: &Schedule) -> Arc<Firing> {
        let (firing, _) = self.firing(schedule, self.now());
        Arc::new(Firing {
            turn: None,
            ..firing
        })
    }

    async fn call_about_a_key(&self, name: &str) -> Call {
        if name == "add_key" {
            let key = self.new_key(name);
            return call!(|store, now| store.add_key(&key), key);
        }
        let id = self.added_key(name).await.id;
        if name == "rotate_key" {
            let key = self.new_key(name);
            return call!(|store, now| store.rotate_key(id, now, &key), key);
        }
        call!(|store, now| store.revoke_key(id, now),)
    }

    async fn call_about_a_user(&self, name: &str) -> Call {
        if name == "set_up" {
            self.offer("token").await;
            let (token, user) = (digest("token"), self.new_user(name));
            return call!(|store, now| store.set_up(&token, &user, now), user);
        }
        if name == "add_user" {
            let user = self.new_user(name);
            return call!(|store, now| store.add_user(&user), user);
        }
        self.added_user("another admin").await;
        let id = self.added_user(name).await.id;
        let change = UserChange {
            role: Some(Role::Viewer),
            ..UserChange::default()
        };
        call!(|store, now| store.change_user(id, &change), change)
    }

    async fn call_about_a_session(&self, name: &str) -> Call {
        let user = self.added_user(name).await;
        if name == "begin_session" {
            let session = self.new_session(name, &user);
            return call!(|store, now| store.begin_session(&session, None), session);
        }
        let (session, id) = (self.begun_session(name, &user).await, user.id);
        match name {
            "end_session" => call!(|store, now| store.end_session(&session.digest), session),
            _ => call!(|store, now| store.end_sessions(id),),
        }
    }

    fn any_entry(&self) -> AuditEntry {
        self.entry(AuditAction::Denied, "whatever it is")
    }

    async fn whole_log(&self) -> Vec<AuditEntry> {
        self.entries(&AuditFilter::default()).await
    }
}

/// Every audited call. Whoever is to be the first user comes before all others.
fn calls() -> impl Iterator<Item = &'static str> {
    let mut calls = AUDITED.to_vec();
    calls.sort_by_key(|name| *name != "set_up");
    calls.into_iter()
}

promises! {
    async fn every_audited_call_writes_its_entry_and_none_when_it_changes_nothing(bench: Bench) {
        for name in calls() {
            let call = bench.call(name).await;
            let before = bench.whole_log().await;
            let (entry, other) = (bench.any_entry(), bench.any_entry());

            call(bench.store.audited(entry.clone()), bench.clone()).await;
            let after = bench.whole_log().await;
            bench.pass(SECOND);
            call(bench.store.audited(other), bench.clone()).await;

            assert_eq!(after.first(), Some(&entry), "{name} has changed something");
            assert_eq!(after[1..], before, "{name} writes one entry");
            assert_eq!(bench.whole_log().await, after, "{name} has changed nothing");
        }
    }

    async fn a_call_that_nobody_audits_writes_no_entry(bench: Bench) {
        for name in calls() {
            let call = bench.call(name).await;

            call(bench.store.clone(), bench.clone()).await;

            assert_eq!(bench.whole_log().await, [], "{name}");
        }
    }

    async fn an_audited_call_answers_as_any_other(bench: Bench) {
        let audited = |bench: &Bench| bench.store.audited(bench.any_entry());

        let made = audited(&bench).change_queue("a", &at_most(None), bench.now()).await.unwrap();
        let paused = audited(&bench).change_queue("a", &paused(true), bench.now()).await.unwrap();
        let put = audited(&bench).put_recipients(&[somebody("r")], bench.now()).await.unwrap();
        let again = audited(&bench).put_recipients(&[somebody("r")], bench.now()).await.unwrap();

        assert_eq!((made.name.as_str(), made.paused, paused.paused), ("a", false, true));
        assert_eq!((put[0].has_changed(), again[0].has_changed()), (true, false));
        assert_eq!(bench.whole_log().await.len(), 2, "to make a queue is no change of it");
    }

    async fn an_audited_enqueue_writes_its_entry_if_one_of_its_jobs_is_new_and_none_in_a_conflict(bench: Bench) {
        let first = bench.enqueue(keyed("first")).await;
        let enqueue = async |specs: Vec<JobSpec>| {
            let jobs = specs.into_iter().map(|spec| bench.new_job(spec)).collect();
            let audited = bench.store.audited(bench.any_entry());
            let answers = audited.enqueue(jobs, Atomicity::All).await.unwrap();
            (answers, bench.whole_log().await.len())
        };

        let (known, after_known) = enqueue(vec![keyed("first")]).await;
        let other = JobSpec { payload: "[]".to_owned(), ..keyed("first") };
        let (conflict, after_conflict) = enqueue(vec![spec(), other]).await;
        let (mixed, after_mixed) = enqueue(vec![keyed("first"), keyed("second")]).await;

        assert_eq!((known, after_known), (vec![Enqueued::Known(first)], 0));
        assert_eq!((&conflict[1], after_conflict), (&Enqueued::Conflict(first), 0));
        assert_eq!(mixed[0], Enqueued::Known(first));
        assert!(matches!(mixed[1], Enqueued::Created(_)));
        assert_eq!(after_mixed, 1);
    }

    async fn of_many_who_race_for_a_change_the_winner_has_the_entry(bench: Bench) {
        let change = UnclaimedTransition { afresh: false,
            job: bench.job_in(State::Pending).await,
            transition: State::Pending.on(job::Trigger::Cancel).unwrap(),
            reason: None,
        };
        let entries: Vec<_> = (0..4).map(|_| bench.any_entry()).collect();
        let mut tasks = JoinSet::new();

        for entry in entries {
            let (bench, change) = (bench.clone(), change.clone());
            tasks.spawn(async move {
                let audited = bench.store.audited(entry.clone());
                let is_mine = audited.transition(&change, bench.now()).await.unwrap();
                is_mine.then_some(entry)
            });
        }

        let won: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
        assert_eq!((bench.whole_log().await, won.len()), (won, 1));
    }

    async fn a_refusal_of_the_last_admin_writes_no_entry(bench: Bench) {
        let kim = bench.added_user("kim").await;
        let change = UserChange { is_disabled: Some(true), ..UserChange::default() };
        bench.pass(MINUTE);

        bench.store.audited(bench.any_entry()).change_user(kim.id, &change).await.unwrap();

        assert_eq!(bench.whole_log().await, []);
    }
}
