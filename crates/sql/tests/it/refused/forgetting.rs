//! What the database refuses to forget keeps nothing else beyond its retention.

use baton_ports::store::{Events, Retention, Upkeep};

use super::{DAWN, FEW, Fixture, HOUR};
use crate::hands::jobs;

#[tokio::test]
async fn what_cannot_be_forgotten_stays_and_everything_else_is_forgotten() {
    for fixture in Fixture::of_each_dialect().await {
        fixture.enqueue(jobs(1, DAWN)).await;
        while fixture.store().sequence(100, DAWN).await.unwrap().count > 0 {}
        fixture
            .run_own(NO_EVENT, NO_EVENT_OF_POSTGRESQL, NO_EVENT_OF_MYSQL)
            .await;
        let later = DAWN + 10_000 * HOUR;
        fixture.run(OLD_WORKER).await;

        let pruned = fixture
            .store()
            .prune(&Retention::default(), FEW, later)
            .await;

        let pruned = pruned.unwrap();
        assert_eq!((pruned.events, pruned.workers), (0, 1));
    }
}

/// Events are never deleted.
const NO_EVENT: &str =
    "CREATE TRIGGER kept BEFORE DELETE ON facts BEGIN SELECT RAISE(ABORT, 'kept'); END;";
const NO_EVENT_OF_POSTGRESQL: &str = "CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'kept'; END $$;
    CREATE TRIGGER kept BEFORE DELETE ON facts FOR EACH ROW EXECUTE FUNCTION kept()";
const NO_EVENT_OF_MYSQL: &str = "CREATE TRIGGER kept BEFORE DELETE ON facts FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'kept'";
const OLD_WORKER: &str = "INSERT INTO workers (id, name, version, slots, running, draining, started_at, seen_at, left_at)
    VALUES ('00000000-0000-0000-0000-000000000001', 'old', '1', '{}', 0, (1 = 0), 5, 5, 5)";
