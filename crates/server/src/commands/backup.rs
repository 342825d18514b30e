//! `baton backup`: copies the database to a file, while a server runs.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use indicatif::ProgressBar;
use serde_json::json;
use tokio::time::interval;

use crate::{
    config::Loaded,
    exit::{Exit, Failure},
    output::Output,
    store,
};

/// How often the bar looks how far the copy is.
const LOOK: Duration = Duration::from_millis(100);

pub async fn run(loaded: &Loaded, file: PathBuf, output: &Output) -> Result<Exit, Failure> {
    let database = &loaded.config.database;
    let from = store::guarded(database)?;
    let total = database.url.file().and_then(|from| fs::metadata(from).ok());
    let bar = output.bar(total.map_or(0, |found| found.len()), "copied, in bytes");
    let copied = tokio::select! {
        copied = baton_sql::backup(from, &file) => copied,
        never = follow(&bar, &file) => never,
    };
    bar.finish_and_clear();
    let contents = copied.map_err(|error| store::refused(&error))?;
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
