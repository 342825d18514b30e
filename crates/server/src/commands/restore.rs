//! `baton restore`: puts a backup back, while no server runs.

use baton_domain::{Clock, time::SystemClock};
use baton_sql::{RestoreOptions, Restored};
use serde_json::json;

use crate::{
    cli::RestoreArgs,
    config::Loaded,
    exit::{Exit, Failure},
    output::Output,
    store,
};

pub async fn run(loaded: &Loaded, args: RestoreArgs, output: &Output) -> Result<Exit, Failure> {
    let database = &loaded.config.database;
    let to = store::guarded(database)?;
    let options = RestoreOptions {
        replace: args.replace,
        hold: args.hold,
    };
    let now = SystemClock.now();
    let restored = baton_sql::restore(&args.file, to, options, now).await;
    let restored = restored.map_err(|error| store::refused(&error))?;
    if output.is_json() {
        output.json(&json!({
            "database": database.url,
            "epoch": restored.epoch,
            "before": restored.before,
            "held": args.hold,
            "jobs": restored.contents.jobs,
            "unfinished": restored.contents.unfinished,
            "at_most_once": restored.contents.at_most_once,
            "recipients": restored.contents.recipients,
            "last_event": restored.contents.last_event,
        }));
    } else {
        tell(&restored, args.hold, output);
    }
    Ok(Exit::Ok)
}

fn tell(restored: &Restored, is_held: bool, output: &Output) {
    let contents = &restored.contents;
    output.line(format!(
        "{} jobs and {} recipients are back as they were; the history of events is {} from now on.",
        contents.jobs, contents.recipients, restored.epoch
    ));
    if let Some(before) = &restored.before {
        output.say(format!("What was there before: {before}"));
    }
    output.say(format!(
        "{} jobs had not ended when the copy was made. Those that have run since run again, under the same idempotency keys.",
        contents.unfinished
    ));
    if contents.at_most_once > 0 {
        output.say(format!(
            "{} of them are to be called at most once: cancel those that may have run since before a worker starts.",
            contents.at_most_once
        ));
    }
    if is_held {
        output.say(
            "Queues and schedules are paused, campaigns stopped. When you have looked: baton queues resume NAME, \
             baton campaigns resume ID, baton schedules resume ID",
        );
    }
}
