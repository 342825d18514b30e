//! Checkpoints: what the journal holds is copied to the database beside the writer, not behind its commits.
//!
//! Whoever wrote when a checkpoint was due waited 10 to 20 ms for it. Copying never holds the writer up, but the
//! journal begins anew only when nothing is left to copy; so now and then the writer itself copies the little that has
//! come while the rest was copied.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
        mpsc::{Receiver, sync_channel},
    },
    thread,
};

use baton_ports::store::{Error, Result};
use rusqlite::{Connection, DEFAULT_NAME, OpenFlags, hooks::Wal, wal::CheckpointMode};

use super::{connect, refused};

/// After how many pages of 4 kB they are copied. A page is copied once however often the journal holds it: every 16 MB
/// instead of 4, it takes a tenth less time from a drain.
const EVERY: i32 = 4_000;
/// With how many pages the journal should begin anew.
const LARGE: i32 = 4 * EVERY;
/// How many pages to copy are little.
const LITTLE: i32 = EVERY / 10;
/// With how many pages the writer copies as many as there are: it writes faster than can be copied beside it.
const HUGE: i32 = 6 * EVERY;

/// Starts to copy what this writer commits, for as long as it is open.
pub fn start(path: &Path, writer: &mut Connection) -> Result<()> {
    let beside = connect(path, OpenFlags::default())?;
    let copied = Arc::new(AtomicI32::new(0));
    // Nothing is kept in it: whoever copies is asked only when he is idle.
    let (door, asked) = sync_channel(0);
    let known = Arc::clone(&copied);
    thread::Builder::new()
        .name("sqlite-checkpoints".to_owned())
        .spawn(move || copy_when_asked(&beside, &asked, &known))
        .map_err(|error| {
            Error::Unavailable(format!("the checkpoint thread cannot start: {error}"))
        })?;
    let committed = move |wal: &mut Wal, pages: i32| {
        match due(pages, &copied) {
            Due::Nothing => {}
            Due::Copy => {
                let _ = door.try_send(());
            }
            Due::Rest => note(&copied, wal.checkpoint_v2(CheckpointMode::PASSIVE)),
        }
        Ok(())
    };
    writer.wal_hook(Some(committed)).map_err(refused)
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
    match pages - known {
        _ if pages >= HUGE => Due::Rest,
        ..LITTLE if pages >= LARGE => Due::Rest,
        rest if pages >= LARGE || rest >= EVERY => Due::Copy,
        _ => Due::Nothing,
    }
}

fn copy_when_asked(beside: &Connection, asked: &Receiver<()>, copied: &AtomicI32) {
    while asked.recv().is_ok() {
        let done = beside.wal_checkpoint_v2(DEFAULT_NAME, CheckpointMode::PASSIVE);
        note(copied, done);
    }
}

/// What could not be copied is in the journal, and copied the next time.
fn note(copied: &AtomicI32, done: rusqlite::Result<(i32, i32)>) {
    match done {
        Ok((_, pages)) => copied.store(pages.max(0), Ordering::Relaxed),
        Err(error) => tracing::debug!(%error, "a checkpoint has to wait"),
    }
}
