//! The readers: connections beside the writer, each on a thread of its own.
//!
//! Nothing else shares those, so that whatever hangs elsewhere holds up no read, and a read holds up nothing else.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::Arc,
    thread,
    time::Duration,
};

use baton_ports::store::{Error, Result};
use parking_lot::{Condvar, Mutex, MutexGuard};
use rusqlite::{Connection, OpenFlags};
use tokio::{
    sync::{oneshot, watch},
    time::timeout,
};

use super::connect;
use crate::kernel::PoolUse;

/// How many look at once; the rest stand in line. Each keeps its own cache of pages.
const MOST: usize = 8;

/// The readers of a database.
pub struct Readers(Arc<Pool>);

/// A look, told by which connection; or why there is none.
type Look = Box<dyn FnOnce(Result<&Connection>) + Send>;

struct Pool {
    path: PathBuf,
    pending: Mutex<Pending>,
    asked: Condvar,
    /// How many threads there are.
    threads: watch::Sender<usize>,
}

#[derive(Default)]
struct Pending {
    line: VecDeque<Look>,
    /// Threads that wait for a look.
    idle: usize,
    is_closed: bool,
}

impl Readers {
    /// Those of this database. They begin as they are needed.
    pub fn of(path: PathBuf) -> Self {
        Self(Arc::new(Pool {
            path,
            pending: Mutex::default(),
            asked: Condvar::new(),
            threads: watch::Sender::new(0),
        }))
    }

    /// Looks by one of them. A look that nobody waits for any more is left out when its turn comes.
    pub async fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = oneshot::channel();
        self.ask(Box::new(move |reader| {
            if !answer.is_closed() {
                // Who hung up meanwhile does not hear of it.
                let _ = answer.send(reader.and_then(look));
            }
        }))?;
        answered.await.unwrap_or_else(|_| Err(self.unanswered()))
    }

    /// How they are used.
    pub fn used(&self) -> PoolUse {
        let pending = self.0.pending.lock();
        let (threads, idle) = (*self.0.threads.borrow(), pending.idle);
        PoolUse {
            pool: "readers",
            busy: threads.saturating_sub(idle),
            idle,
            waiting: pending.line.len(),
        }
    }

    fn ask(&self, look: Look) -> Result<()> {
        let mut pending = self.0.pending.lock();
        if pending.is_closed {
            return Err(closed());
        }
        pending.line.push_back(look);
        if pending.idle >= pending.line.len() {
            self.0.asked.notify_one();
            return Ok(());
        }
        let threads = *self.0.threads.borrow();
        if threads < MOST {
            self.begin_one(&mut pending)
        } else {
            Ok(())
        }
    }

    /// One thread more, if the system has one to give; one that is there already does as well.
    fn begin_one(&self, pending: &mut MutexGuard<'_, Pending>) -> Result<()> {
        let room = Arc::clone(&self.0);
        let begun = thread::Builder::new()
            .name("sqlite-reader".to_owned())
            .spawn(move || read_all(&room));
        match begun {
            Ok(_) => self.0.threads.send_modify(|threads| *threads += 1),
            Err(_) if *self.0.threads.borrow() > 0 => {}
            Err(error) => {
                pending.line.pop_back();
                let why = format!("no thread can be started to read the database: {error}");
                return Err(Error::Unavailable(why));
            }
        }
        Ok(())
    }

    fn unanswered(&self) -> Error {
        match self.0.pending.lock().is_closed {
            true => closed(),
            false => Error::Refused("a look at the database ended without an answer".to_owned()),
        }
    }

    /// Ends them. Whether the last look was over within this time.
    pub async fn close(&self, wait: Duration) -> bool {
        self.0.close();
        let mut threads = self.0.threads.subscribe();
        let all_gone = threads.wait_for(|threads| *threads == 0);
        matches!(timeout(wait, all_gone).await, Ok(Ok(_)))
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.0.close();
    }
}

fn closed() -> Error {
    Error::Unavailable("the database was closed".to_owned())
}

impl Pool {
    fn close(&self) {
        let mut pending = self.pending.lock();
        pending.is_closed = true;
        // Who stands in line hears that nobody will answer.
        let line = std::mem::take(&mut pending.line);
        drop(pending);
        drop(line);
        self.asked.notify_all();
    }

    /// Waits for the next look; `None` when there will be none.
    fn next(&self) -> Option<Look> {
        let mut pending = self.pending.lock();
        loop {
            if pending.is_closed {
                return None;
            }
            if let Some(look) = pending.line.pop_front() {
                return Some(look);
            }
            pending.idle += 1;
            self.asked.wait(&mut pending);
            pending.idle -= 1;
        }
    }
}

/// The life of a reader. Its connection is closed before its thread is counted as gone.
fn read_all(room: &Pool) {
    let _counted = Counted(room);
    let mut reader = None;
    while let Some(look) = room.next() {
        reader = match reader.map_or_else(|| connect(&room.path, OpenFlags::default()), Ok) {
            Ok(reader) => {
                let ended = catch_unwind(AssertUnwindSafe(|| look(Ok(&reader))));
                // One that was left in the middle of something is not used again.
                (ended.is_ok() && reader.is_autocommit()).then_some(reader)
            }
            Err(error) => {
                look(Err(error));
                None
            }
        };
    }
}

struct Counted<'a>(&'a Pool);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.threads.send_modify(|threads| *threads -= 1);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(30);

    fn readers(folder: &tempfile::TempDir) -> Arc<Readers> {
        Arc::new(Readers::of(folder.path().join("baton.db")))
    }

    /// A look that has begun and does not end before it is told to.
    async fn begun(readers: &Arc<Readers>) -> Sender<()> {
        let (go_on, goes_on): (Sender<()>, Receiver<()>) = channel();
        let (begin, begins) = oneshot::channel();
        let readers = readers.clone();
        tokio::spawn(async move {
            let look = move |_: &Connection| {
                begin.send(()).unwrap();
                // It ends when the other end is dropped, too.
                let _ = goes_on.recv();
                Ok(())
            };
            readers.look(look).await
        });
        begins.await.unwrap();
        go_on
    }

    fn one(reader: &Connection) -> Result<i64> {
        Ok(reader.query_row("SELECT 1", [], |row| row.get(0)).unwrap())
    }

    #[tokio::test]
    async fn a_look_that_is_under_way_is_waited_for_at_the_end_and_none_begins_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let readers = readers(&folder);
        let go_on = begun(&readers).await;

        let in_time = readers.close(Duration::ZERO).await;
        drop(go_on);
        let ended = readers.close(TIMEOUT).await;

        assert!(!in_time, "a look was under way");
        assert!(ended);
        assert!(readers.look(one).await.is_err());
        assert!(!folder.path().join("baton.db-wal").exists());
    }

    #[test]
    fn what_hangs_on_the_threads_that_others_share_holds_up_no_look() {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(1)
            .enable_all()
            .build()
            .unwrap();

        let found = runtime.block_on(async {
            let (go_on, goes_on) = channel::<()>();
            let _hangs = tokio::task::spawn_blocking(move || goes_on.recv());
            let found = timeout(TIMEOUT, readers(&folder).look(one)).await;
            drop(go_on);
            found
        });

        assert_eq!(found.unwrap().unwrap(), 1);
    }

    #[tokio::test]
    async fn more_looks_than_readers_stand_in_line_and_all_are_answered() {
        let folder = tempfile::tempdir().unwrap();
        let readers = readers(&folder);
        let mut held = Vec::new();
        for _ in 0..MOST {
            held.push(begun(&readers).await);
        }

        let mut waiting = Box::pin(readers.look(one));
        assert!(timeout(Duration::ZERO, &mut waiting).await.is_err());
        held.pop();

        assert_eq!(waiting.await.unwrap(), 1);
        assert_eq!(*readers.0.threads.borrow(), MOST);
    }

    #[tokio::test]
    async fn a_look_that_panics_costs_its_reader_and_no_other_look() {
        let folder = tempfile::tempdir().unwrap();
        let readers = readers(&folder);

        let panicked = readers.look(|_| -> Result<()> { panic!("at work") }).await;
        let next = readers.look(one).await;

        assert!(panicked.is_err());
        assert_eq!(next.unwrap(), 1);
    }
}
