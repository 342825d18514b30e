//! What becomes of a process that has lost a loop or a thread: it says so and ends, as it would look alive and do nothing.

use baton_ports::{Death, Watchdog};
use baton_sql::{SqlStore, Thread};

use crate::exit::Failure;

/// The names of the threads that write to SQLite, and that copy its journal.
const WRITER: &str = "sqlite-writer";
const CHECKPOINTS: &str = "sqlite-checkpoints";

/// Tells the watchdog when a thread of SQLite's has ended.
pub async fn watch_threads(database: SqlStore, watchdog: Watchdog) {
    tokio::select! {
        () = database.writer_ended() => {}
        () = database.checkpoints_ended() => return watchdog.report(CHECKPOINTS, "its thread ended"),
        () = kill_if_told(&database, &watchdog) => {}
    }
    watchdog.report(WRITER, "its thread ended");
}

/// Kills the thread that a test of faults wants dead; that it died is for others to notice.
async fn kill_if_told(database: &SqlStore, watchdog: &Watchdog) {
    let thread = tokio::select! {
        () = watchdog.doomed(WRITER) => Thread::Writer,
        () = watchdog.doomed(CHECKPOINTS) => Thread::Checkpoints,
    };
    database.kill(thread).await;
    std::future::pending::<()>().await;
}

/// Whether what runs can still be recorded when it has been finished.
pub fn can_record(watchdog: &Watchdog) -> bool {
    watchdog.death().is_none_or(|death| death.name != WRITER)
}

/// Says which loop has died, and what to do.
pub fn failure(Death { name, how }: &Death) -> Failure {
    tracing::error!(
        name,
        how,
        "the {name} has died, so this process ends: {how}; what it ran the leases cover"
    );
    Failure::new(format!("the {name} has died: {how}"))
        .then("This is a mistake of Baton's own; please report it with the lines of the log before it.")
        .then("Start the server again: nothing that was accepted is lost.")
}
