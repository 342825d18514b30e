//! `baton migrate`: brings a database to the schema of this version.

use serde_json::json;

use crate::{
    cli::MigrateArgs,
    config::Loaded,
    exit::{Exit, Failure},
    output::Output,
    store,
};

pub async fn run(loaded: &Loaded, args: &MigrateArgs, output: &Output) -> Result<Exit, Failure> {
    let database = &loaded.config.database;
    let url = &database.url;
    let only_status = args.status;
    let (steps, word) = if only_status {
        (store::pending(database).await?, "pending")
    } else {
        (store::migrate(database).await?, "applied")
    };
    let epoch = if args.restored {
        Some(store::begin_anew_after_restore(database).await?)
    } else {
        None
    };
    if output.is_json() {
        let mut told = json!({"database": url, word: steps});
        if let Some(epoch) = epoch {
            told["epoch"] = epoch.into();
        }
        output.json(&told);
        return Ok(Exit::Ok);
    }
    for step in &steps {
        output.line(format!("{word} {step}"));
    }
    match (steps.len(), only_status) {
        (0, _) => output.say(format!("{url} has the schema of this version.")),
        (n, true) => output.say(format!("{n} to apply to {url}: run `baton migrate`.")),
        (n, false) => output.say(format!("{n} applied to {url}.")),
    }
    if let Some(epoch) = epoch {
        output.say(format!(
            "The history of events is {epoch} from now on: whoever followed the former one is told so."
        ));
    }
    Ok(Exit::Ok)
}
