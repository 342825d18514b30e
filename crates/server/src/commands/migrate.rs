//! `baton migrate`: brings a database to the schema of this version.

use serde_json::json;

use crate::{
    config::Loaded,
    exit::{Exit, Failure},
    output::Output,
    store,
};

pub async fn run(loaded: &Loaded, only_status: bool, output: &Output) -> Result<Exit, Failure> {
    let url = &loaded.config.database.url;
    let (steps, word) = if only_status {
        (store::pending(url).await?, "pending")
    } else {
        (store::migrate(url).await?, "applied")
    };
    if output.is_json() {
        output.json(&json!({"database": url, word: steps}));
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
    Ok(Exit::Ok)
}
