//! Where measurements take place: databases of their own, and a folder; all of it goes afterwards.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use baton_ports::Watchdog;
use baton_sql::{OpenError, bench::Scratch};
use parking_lot::Mutex;
use tempfile::TempDir;
use tokio_util::task::TaskTracker;

use crate::{cli::BenchArgs, exit::Failure, store};

/// How long what was interrupted may take to end.
const LAST_TURN: Duration = Duration::from_secs(10);

pub struct Ground {
    folder: TempDir,
    /// A data folder that was not there before.
    made: Option<PathBuf>,
    database: Option<String>,
    /// Every database that was begun to be made and is not known to be dropped.
    scratches: Mutex<Vec<Scratch>>,
    /// What has to end before the databases can go.
    pub endings: TaskTracker,
    /// Hears of loops and threads that died in any of the databases.
    pub watchdog: Watchdog,
}

impl Ground {
    pub fn open(args: &BenchArgs) -> Result<Self, Failure> {
        if let Some(url) = &args.database {
            store::guard(url, args.allow_unverified_database)?;
        }
        let unwritable = |error: io::Error| {
            Failure::new(format!(
                "{} cannot be written: {error}",
                args.data_dir.display()
            ))
            .then("Name a folder on the disk to measure with --data-dir.")
        };
        let mut prefix = tempfile::Builder::new();
        prefix.prefix("bench-");
        // Only SQLite needs the disk of the data folder.
        let (folder, made) = if args.database.is_some() {
            (prefix.tempdir().map_err(unwritable)?, None)
        } else {
            let is_new = !args.data_dir.exists();
            fs::create_dir_all(&args.data_dir).map_err(unwritable)?;
            let folder = prefix.tempdir_in(&args.data_dir).map_err(unwritable)?;
            (folder, is_new.then(|| args.data_dir.clone()))
        };
        Ok(Self {
            folder,
            made,
            database: args.database.clone(),
            scratches: Mutex::default(),
            endings: TaskTracker::new(),
            watchdog: Watchdog::default(),
        })
    }

    /// A folder for what else a measurement keeps.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Makes an empty database of the present schema.
    pub async fn scratch(&self) -> Result<Scratch, Failure> {
        let in_folder = || format!("sqlite://{}", self.folder().join("bench.db").display());
        let url = self.database.clone().unwrap_or_else(in_folder);
        let scratch = Scratch::choose(&url).map_err(|error| store::refused(&error))?;
        // Remembered before it is there, and made to the end whatever becomes of the caller: an
        // interrupt must not leave behind what a server was still making.
        self.scratches.lock().push(scratch.clone());
        let making = scratch.clone();
        let made = self.endings.spawn(async move { making.make().await });
        made.await
            .map_err(|error| Failure::new(format!("a scratch database was not made: {error}")))?
            .map_err(|error| store::refused(&error))?;
        Ok(scratch)
    }

    /// Drops a database that has served.
    pub async fn give_up(&self, scratch: &Scratch) -> Result<(), Failure> {
        scratch
            .drop_it()
            .await
            .map_err(|error| left(scratch, &error))?;
        let mut scratches = self.scratches.lock();
        scratches.retain(|other| other.url() != scratch.url());
        Ok(())
    }

    /// Waits for what is ending, and drops every database that is left.
    pub async fn clear(self) -> Result<(), Failure> {
        self.endings.close();
        // What has not ended by then has its database dropped under it.
        let _ = tokio::time::timeout(LAST_TURN, self.endings.wait()).await;
        let scratches = std::mem::take(&mut *self.scratches.lock());
        let mut outcome = Ok(());
        for scratch in scratches {
            if let Err(error) = scratch.drop_it().await {
                outcome = Err(left(&scratch, &error));
            }
        }
        let Self { folder, made, .. } = self;
        if let Err(error) = folder.close() {
            outcome = outcome.and(Err(Failure::new(format!(
                "the folder of the measurements could not be removed: {error}"
            ))));
        }
        if let Some(made) = made {
            // Somebody may have put something there meanwhile.
            let _ = fs::remove_dir(made);
        }
        outcome
    }
}

fn left(scratch: &Scratch, error: &OpenError) -> Failure {
    Failure::new(format!("a scratch database could not be dropped: {error}")).then(format!(
        "It is {}; drop it by hand.",
        crate::config::DatabaseUrl::new(scratch.url())
    ))
}
