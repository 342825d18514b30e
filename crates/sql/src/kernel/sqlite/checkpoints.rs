//! Checkpoints: what the journal holds is copied to the database beside the writer, not behind its commits.
//!
//! Whoever wrote when a checkpoint was due waited 10 to 18 ms for it. Copying beside holds nobody up, but the journal
//! begins anew only when nothing is left to copy; so now and then the writer itself copies the little that has come
//! while the rest was copied.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
        mpsc::{Receiver, sync_channel},
    },
    thread::{self, JoinHandle},
};

use baton_ports::store::{Error, Result};
use rusqlite::{
    Connection, DEFAULT_NAME, ErrorCode, OpenFlags, hooks::Wal, wal::CheckpointMode::PASSIVE,
};
use tokio::sync::watch;

use super::{connect, refused};

/// After how many pages of 4 kB they are copied. A page is copied once however often the journal holds it: every 16 MB
/// instead of 4, it takes a tenth less time from a drain.
const EVERY: i32 = 4_000;
/// With how many pages the journal should begin anew.
const LARGE: i32 = 4 * EVERY;
/// How many pages the writer copies then.
const LITTLE: i32 = EVERY / 10;
/// With how many pages it copies more than a little.
const HUGE: i32 = 6 * EVERY;
/// How often it is copied what has come while the rest was copied: the last page has the database flushed, and that is
/// better done beside the writer.
const ROUNDS: usize = 4;

/// Copies what a writer commits.
pub struct Checkpoints(JoinHandle<()>);

/// Hears when the thread that copies has ended, however it did.
#[derive(Clone)]
pub struct Alive(watch::Receiver<()>);

impl Alive {
    /// Waits for its end.
    pub async fn ended(mut self) {
        while self.0.changed().await.is_ok() {}
    }
}

impl Checkpoints {
    /// Starts to copy.
    pub fn start(path: &Path, writer: &mut Connection) -> Result<(Self, Alive)> {
        let beside = connect(path, OpenFlags::default())?;
        let copied = Arc::new(AtomicI32::new(0));
        // Nothing is kept in it: whoever copies is asked only when he is idle.
        let (wake, asked) = sync_channel(0);
        let known = Arc::clone(&copied);
        let (alive, heard) = watch::channel(());
        let thread = thread::Builder::new()
            .name("sqlite-checkpoints".to_owned())
            .spawn(move || {
                let _alive = alive;
                copy_when_asked(&beside, &asked, &known);
            })
            .map_err(|error| {
                Error::Unavailable(format!("the checkpoint thread cannot start: {error}"))
            })?;
        let committed = move |wal: &mut Wal, pages: i32| {
            match due(pages, &copied) {
                Due::Nothing => {}
                Due::Copy => {
                    let _ = wake.try_send(());
                }
                Due::Rest => note(&copied, wal.checkpoint_v2(PASSIVE)),
            }
            Ok(())
        };
        writer.wal_hook(Some(committed)).map_err(refused)?;
        Ok((Self(thread), Alive(heard)))
    }

    /// Ends. Whoever closes a database last has its journal copied and removed, so the writer has to be last.
    pub fn end(self, writer: &mut Connection) {
        // A thread that could still be asked would be waited for in vain.
        if ask_no_more(writer) {
            let _ = self.0.join();
        }
    }
}

/// Has the thread asked no more, which ends it.
pub fn ask_no_more(writer: &mut Connection) -> bool {
    type Hook = fn(&mut Wal, i32) -> rusqlite::Result<()>;
    writer.wal_hook(None::<Hook>).is_ok()
}

enum Due {
    Nothing,
    Copy,
    /// By the writer.
    Rest,
}

fn due(pages: i32, copied: &AtomicI32) -> Due {
    // With fewer pages than have been copied it has begun anew.
    let known = copied.load(Ordering::Relaxed);
    let known = if known > pages { 0 } else { known };
    copied.store(known, Ordering::Relaxed);
    let bearable = if pages >= HUGE { EVERY } else { LITTLE };
    match pages - known {
        rest if pages >= LARGE && rest < bearable => Due::Rest,
        rest if pages >= LARGE || rest >= EVERY => Due::Copy,
        _ => Due::Nothing,
    }
}

fn copy_when_asked(beside: &Connection, asked: &Receiver<()>, copied: &AtomicI32) {
    while asked.recv().is_ok() {
        for _ in 0..ROUNDS {
            let done = beside.wal_checkpoint_v2(DEFAULT_NAME, PASSIVE);
            let is_all = matches!(done, Ok((pages, copied)) if copied >= pages);
            note(copied, done);
            if is_all {
                break;
            }
        }
    }
}

/// What could not be copied is in the journal, and copied the next time.
fn note(copied: &AtomicI32, done: rusqlite::Result<(i32, i32)>) {
    match done {
        Ok((_, pages)) => copied.store(pages.max(0), Ordering::Relaxed),
        // Somebody else copies.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {}
        Err(error) => {
            tracing::warn!(%error, "the journal cannot be copied to the database: {error}; it grows until it can");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn the_end_of_the_thread_that_copies_is_heard_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("baton.db");
        let mut writer = connect(&path, OpenFlags::default()).unwrap();
        let (checkpoints, alive) = Checkpoints::start(&path, &mut writer).unwrap();

        let before = timeout(Duration::from_millis(1), alive.clone().ended()).await;
        checkpoints.end(&mut writer);

        assert!(before.is_err());
        alive.ended().await;
    }
}
