//! The readers: connections beside the writer, lent for one look each and counted, so that all can be closed.

use std::{path::PathBuf, time::Duration};

use baton_ports::store::{Error, Result};
use parking_lot::{Condvar, Mutex};
use rusqlite::{Connection, OpenFlags};

use super::connect;

/// How many readers wait for the next question.
const IDLE: usize = 8;

/// The readers of a database.
pub struct Readers {
    path: PathBuf,
    desk: Mutex<Desk>,
    returned: Condvar,
}

#[derive(Default)]
struct Desk {
    idle: Vec<Connection>,
    lent: usize,
    is_closed: bool,
}

impl Readers {
    /// Those of this database.
    pub fn of(path: PathBuf) -> Self {
        Self {
            path,
            desk: Mutex::default(),
            returned: Condvar::new(),
        }
    }

    /// Looks by one of them.
    pub fn look<T>(&self, look: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let (_lent, idle) = self.lend()?;
        let reader = idle.map_or_else(|| connect(&self.path, OpenFlags::default()), Ok)?;
        let found = look(&reader);
        self.take_back(reader);
        found
    }

    /// Closes them. Whether the last one that was lent came back within this time.
    pub fn close(&self, patience: Duration) -> bool {
        let mut desk = self.desk.lock();
        desk.is_closed = true;
        desk.idle.clear();
        let waited = self
            .returned
            .wait_while_for(&mut desk, |desk| desk.lent > 0, patience);
        !waited.timed_out()
    }

    fn lend(&self) -> Result<(Lent<'_>, Option<Connection>)> {
        let mut desk = self.desk.lock();
        if desk.is_closed {
            return Err(Error::Unavailable("the database was closed".to_owned()));
        }
        desk.lent += 1;
        Ok((Lent(self), desk.idle.pop()))
    }

    fn take_back(&self, reader: Connection) {
        let mut desk = self.desk.lock();
        if !desk.is_closed && desk.idle.len() < IDLE && reader.is_autocommit() {
            desk.idle.push(reader);
        }
    }
}

/// Counted until the look is over, however it ends.
struct Lent<'a>(&'a Readers);

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.0.desk.lock().lent -= 1;
        self.0.returned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc::channel, thread};

    use super::*;

    #[test]
    fn a_reader_that_is_lent_is_waited_for_at_the_end_and_none_is_lent_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let readers = Readers::of(folder.path().join("baton.db"));
        let ((begun, begins), (go_on, goes_on)) = (channel(), channel());

        let (in_time, came_back) = thread::scope(|scope| {
            let readers = &readers;
            let look = move |_: &Connection| {
                begun.send(()).unwrap();
                goes_on.recv().unwrap();
                Ok(())
            };
            scope.spawn(move || readers.look(look));
            begins.recv().unwrap();
            let in_time = readers.close(Duration::ZERO);
            go_on.send(()).unwrap();
            (in_time, readers.close(Duration::from_secs(30)))
        });

        assert!(!in_time, "a look was under way");
        assert!(came_back);
        assert!(readers.look(|_| Ok(())).is_err());
        assert!(!folder.path().join("baton.db-wal").exists());
    }
}
