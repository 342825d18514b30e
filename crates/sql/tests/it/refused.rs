//! One row that the database refuses to move holds up none behind it: it is found by halving, and left alone for a while.

mod campaigns;
mod forgetting;
mod operations;

use std::time::Duration;

use baton_domain::{
    JobId, WorkerId,
    job::{JobSpec, NewJob, State},
};
use baton_ports::store::{Atomicity, Campaigns, Jobs, Work};
use baton_sql::SqlStore;
use baton_testkit::{Brand, Database};
use mysql_async::{Conn, prelude::Queryable};
use tokio::time;
use uuid::Uuid;

use crate::{
    campaigns::{next_chunk, people, quiz},
    databases::{self, Sqlite},
    hands::{DAWN, LEASE, job, spec},
};

const HOUR: Duration = Duration::from_hours(1);
/// Longer than a row is left alone.
const WHILE: Duration = Duration::from_secs(90);
/// Fewer than there are rows: those behind are another batch.
const FEW: u32 = 4;

/// A database that can be made to dislike a row.
enum Fixture {
    Sqlite(Sqlite),
    Postgres(SqlStore, Database),
    Mysql(SqlStore, String),
}

impl Fixture {
    async fn of_each_dialect() -> [Self; 3] {
        let (store, database) = databases::postgres().await;
        let (other, url) = databases::mysql(Brand::Mariadb).await;
        [
            Self::Sqlite(databases::sqlite().await),
            Self::Postgres(store, database),
            Self::Mysql(other, url),
        ]
    }

    fn store(&self) -> &SqlStore {
        match self {
            Self::Sqlite(sqlite) => &sqlite.store,
            Self::Postgres(store, _) | Self::Mysql(store, _) => store,
        }
    }

    /// Runs what all dialects understand.
    async fn run(&self, sql: &str) {
        self.run_own(sql, sql, sql).await;
    }

    /// Runs what each dialect understands.
    async fn run_own(&self, for_sqlite: &str, for_postgres: &str, for_mysql: &str) {
        match self {
            Self::Sqlite(sqlite) => sqlite.connect().execute_batch(for_sqlite).unwrap(),
            Self::Postgres(_, database) => {
                let client = databases::connect(&database.url()).await;
                client.batch_execute(for_postgres).await.unwrap();
            }
            Self::Mysql(_, url) => {
                let mut session = Conn::from_url(url).await.unwrap();
                session.query_drop(for_mysql).await.unwrap();
            }
        }
    }

    /// Lets nobody write a row to a table.
    async fn refuse(&self, table: &str, column: &str, id: Uuid) {
        let trigger = |event: &str| {
            format!(
                "CREATE TRIGGER picky_{event} BEFORE {event} ON {table} WHEN NEW.{column} = '{id}'
                 BEGIN SELECT RAISE(ABORT, 'picky'); END;"
            )
        };
        let triggers = trigger("INSERT") + &trigger("UPDATE");
        let check = format!(
            "ALTER TABLE {table} ADD CONSTRAINT picky CHECK ({column} <> '{id}') NOT VALID"
        );
        let signal = |event: &str| {
            format!(
                "CREATE TRIGGER picky_{event} BEFORE {event} ON {table} FOR EACH ROW
                 IF NEW.{column} = '{id}' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'picky'; END IF;"
            )
        };
        let signals = signal("INSERT") + &signal("UPDATE");
        self.run_own(&triggers, &check, &signals).await;
    }

    /// Takes the row after all.
    async fn take(&self, table: &str) {
        let check = format!("ALTER TABLE {table} DROP CONSTRAINT picky");
        let triggers = "DROP TRIGGER picky_INSERT; DROP TRIGGER picky_UPDATE";
        self.run_own(triggers, &check, triggers).await;
    }

    /// The same, once the row was left alone for long enough.
    async fn mend(&self, table: &str) {
        self.take(table).await;
        pass(WHILE).await;
    }

    async fn enqueue(&self, jobs: Vec<NewJob>) -> Vec<JobId> {
        let ids = jobs.iter().map(|job| job.id).collect();
        self.store().enqueue(jobs, Atomicity::All).await.unwrap();
        ids
    }

    async fn state(&self, job: JobId) -> State {
        self.store().job(job).await.unwrap().unwrap().state
    }

    /// Which of these jobs are in a state.
    async fn those_in(&self, state: State, jobs: &[JobId]) -> Vec<JobId> {
        let mut found = Vec::new();
        for job in jobs {
            if self.state(*job).await == state {
                found.push(*job);
            }
        }
        found
    }

    /// Deliveries that stand in line together, in one row.
    async fn batch(&self, count: usize) -> Vec<JobId> {
        let (store, campaign) = (self.store(), quiz("default", DAWN));
        let names: Vec<_> = (0..count).map(|number| format!("p{number}")).collect();
        people(store, &names).await;
        store.create_campaign(&campaign).await.unwrap();
        let node = WorkerId::new(DAWN);
        let taken = store.take_expansion(node, DAWN + LEASE, DAWN).await;
        let campaign = taken.unwrap().unwrap();
        let chunk = next_chunk(store, &campaign, node, 1_000, DAWN).await;
        assert!(store.expand(&chunk, DAWN).await.unwrap());
        chunk.deliveries.iter().map(|job| job.id).collect()
    }
}

async fn pass(span: Duration) {
    time::pause();
    time::advance(span).await;
    time::resume();
}

fn without(mut ids: Vec<JobId>, bad: JobId) -> Vec<JobId> {
    ids.retain(|id| *id != bad);
    ids
}

/// Jobs of which each is due, or expires, a second after the one before.
fn one_after_the_other(spec: impl Fn(Duration) -> JobSpec) -> Vec<NewJob> {
    let spans = (1..10).map(Duration::from_secs);
    spans.map(|span| job(spec(span), DAWN)).collect()
}

#[tokio::test]
async fn a_due_job_that_is_refused_holds_up_none_behind_it_and_comes_when_it_is_mended() {
    for fixture in Fixture::of_each_dialect().await {
        let delayed = |delay| JobSpec {
            delay: Some(delay),
            ..spec()
        };
        let ids = fixture.enqueue(one_after_the_other(delayed)).await;
        fixture.refuse("ready", "job_id", ids[1].uuid()).await;

        let mut next_due = None;
        for _ in 0..5 {
            let released = fixture.store().release(FEW, DAWN + HOUR).await;
            next_due = released.map(|released| released.next_due).unwrap();
        }
        let released = fixture.those_in(State::Queued, &ids).await;
        fixture.mend("ready").await;
        let mended = fixture.store().release(FEW, DAWN + HOUR).await.unwrap();

        assert_eq!(released, without(ids.clone(), ids[1]));
        assert_eq!(next_due, None, "nobody waits in vain for what is refused");
        assert_eq!(mended.count, 1);
        assert_eq!(fixture.state(ids[1]).await, State::Queued);
    }
}

#[tokio::test]
async fn a_due_job_that_always_times_out_stands_alone_after_some_turns() {
    let (store, database) = databases::postgres().await;
    let fixture = Fixture::Postgres(store, database);
    let delayed = |delay| JobSpec {
        delay: Some(delay),
        ..spec()
    };
    let ids = fixture.enqueue(one_after_the_other(delayed)).await;
    let slow = format!(
        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = '57014'; END $$;
         CREATE TRIGGER slow BEFORE INSERT ON ready FOR EACH ROW WHEN (NEW.job_id = '{}') EXECUTE FUNCTION slow()",
        ids[1].uuid()
    );
    fixture.run_own("", &slow, "").await;

    let mut turns = Vec::new();
    for _ in 0..8 {
        let released = fixture.store().release(FEW, DAWN + HOUR).await;
        turns.push(released.is_ok_and(|released| released.count > 0));
    }

    let released = fixture.those_in(State::Queued, &ids).await;
    assert_eq!(released, without(ids.clone(), ids[1]));
    assert_eq!(turns[..5], [false, false, false, false, true]);
}

#[tokio::test]
async fn an_expired_job_that_is_refused_holds_up_none_behind_it_and_fails_when_it_is_mended() {
    for fixture in Fixture::of_each_dialect().await {
        let waiting = |span| JobSpec {
            delay: Some(Duration::from_mins(1)),
            expires_at: Some(DAWN + Duration::from_mins(1) + span),
            ..spec()
        };
        let in_line = |span| JobSpec {
            expires_at: Some(DAWN + span),
            ..spec()
        };
        let mut ids = fixture.enqueue(one_after_the_other(waiting)).await;
        ids.extend(fixture.enqueue(one_after_the_other(in_line)).await);
        fixture.refuse("finished", "job_id", ids[10].uuid()).await;

        for _ in 0..6 {
            fixture.store().expire(FEW, DAWN + HOUR).await.unwrap();
        }
        let failed = fixture.those_in(State::Failed, &ids).await;
        fixture.mend("finished").await;
        let mended = fixture.store().expire(FEW, DAWN + HOUR).await.unwrap();

        assert_eq!(failed, without(ids.clone(), ids[10]));
        assert_eq!(mended, 1);
        assert_eq!(fixture.state(ids[10]).await, State::Failed);
    }
}

#[tokio::test]
async fn a_batch_of_expired_jobs_that_cannot_be_taken_apart_holds_up_none_behind_it() {
    for fixture in Fixture::of_each_dialect().await {
        let together = fixture.batch(300).await;
        let soon = DAWN.as_micros() + 1;
        let expire = format!("UPDATE ready_batches SET expires_at = {soon}");
        fixture.run(&expire).await;
        let later = |span| JobSpec {
            expires_at: Some(DAWN + span),
            ..spec()
        };
        let later = fixture.enqueue(one_after_the_other(later)).await;
        fixture.refuse("ready", "job_id", together[7].uuid()).await;

        for _ in 0..5 {
            fixture.store().expire(FEW, DAWN + HOUR).await.unwrap();
        }
        let failed = fixture.those_in(State::Failed, &later).await;
        let in_line = fixture.state(together[7]).await;
        fixture.mend("ready").await;
        for _ in 0..10 {
            fixture.store().expire(50, DAWN + HOUR).await.unwrap();
        }

        assert_eq!(failed, later);
        assert_eq!(in_line, State::Queued);
        assert_eq!(fixture.state(together[7]).await, State::Failed);
    }
}
