//! `baton backup`: copies the database to a file, while a server runs.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use indicatif::ProgressBar;
use serde_json::json;
use tokio::{task::spawn_blocking, time::interval};

use crate::{
    config::Loaded,
    exit::{Exit, Failure},
    output::Output,
    store,
};

/// How often the bar looks how far the copy is.
const LOOK: Duration = Duration::from_millis(100);

pub async fn run(loaded: &Loaded, file: PathBuf, output: &Output) -> Result<Exit, Failure> {
    let url = &loaded.config.database.url;
    let from = url.file().ok_or_else(by_its_own_programs)?;
    let total = fs::metadata(&from).map_or(0, |found| found.len());
    let bar = output.bar(total, "copied, in bytes");
    let to = file.clone();
    let copying = spawn_blocking(move || baton_sql::backup(&from, &to));
    let copied = tokio::select! {
        copied = copying => copied,
        never = follow(&bar, &file) => never,
    };
    bar.finish_and_clear();
    let contents = copied
        .map_err(|error| Failure::new(format!("the copy has ended early: {error}")))?
        .map_err(|error| store::refused(&error))?;
    if output.is_json() {
        output.json(&json!({
            "file": file,
            "jobs": contents.jobs,
            "unfinished": contents.unfinished,
            "recipients": contents.recipients,
            "last_event": contents.last_event,
        }));
        return Ok(Exit::Ok);
    }
    output.line(file.display());
    output.say(format!(
        "Holds {} jobs, {} of them not ended, {} recipients, and the events up to {}. Put it back with: baton restore {}",
        contents.jobs,
        contents.unfinished,
        contents.recipients,
        contents.last_event,
        file.display()
    ));
    Ok(Exit::Ok)
}

/// Shows how far the copy is, for ever.
async fn follow<T>(bar: &ProgressBar, file: &Path) -> T {
    let mut name = file.as_os_str().to_owned();
    name.push(".part");
    let mut look = interval(LOOK);
    loop {
        look.tick().await;
        bar.set_position(fs::metadata(&name).map_or(0, |found| found.len()));
    }
}

fn by_its_own_programs() -> Failure {
    Failure::usage("PostgreSQL is backed up by its own programs, also while servers run")
        .then("A dump: pg_dump --format=custom --file=baton.dump DATABASE")
        .then("A large one, or one that can go to any moment: pg_basebackup, and an archive of the log")
        .then("How to put it back: docs/operations/backup-and-restore.md")
}
