//! `baton migrate`: brings a database to the schema of this version.

use baton_ports::store::Schema;
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
        (store::schema(database).await?.pending, "pending")
    } else {
        (store::migrate(database).await?, "applied")
    };
    let finalized = if args.finalize {
        store::finalize(database).await?
    } else {
        Vec::new()
    };
    let epoch = if args.restored {
        Some(store::begin_anew_after_restore(database).await?)
    } else {
        None
    };
    let schema = store::schema(database).await?;
    if output.is_json() {
        let mut told = json!({
            "database": url, word: steps, "generation": schema.generation, "program": schema.program,
            "oldest_program": schema.oldest, "newer": schema.newer, "unfinalized": schema.unfinalized,
        });
        if args.finalize {
            told["finalized"] = finalized.into();
        }
        if let Some(epoch) = epoch {
            told["epoch"] = epoch.into();
        }
        output.json(&told);
        return Ok(Exit::Ok);
    }
    for step in &steps {
        output.line(format!("{word} {step}"));
    }
    for step in &finalized {
        output.line(format!("finalized {step}"));
    }
    if !finalized.is_empty() {
        output.say(
            "Start the servers anew, one after another: each looks at it as it starts.".to_owned(),
        );
    }
    match (steps.len(), only_status) {
        (0, _) => output.say(format!("{url} {}.", stands(&schema))),
        (n, true) => output.say(format!("{n} to apply to {url}: run `baton migrate`.")),
        (n, false) => output.say(format!("{n} applied to {url}: it {}.", stands(&schema))),
    }
    if args.finalize && finalized.is_empty() {
        output.say("There was nothing to finalize.".to_owned());
    }
    if !schema.unfinalized.is_empty() {
        output.say(format!(
            "{} is not used in full yet, so that an older version can still be started: once none is to come back, run `baton migrate --finalize`.",
            schema.unfinalized.join(", ")
        ));
    }
    if let Some(epoch) = epoch {
        output.say(format!(
            "The history of events is {epoch} from now on: whoever followed the former one is told so."
        ));
    }
    Ok(Exit::Ok)
}

/// How a schema that lacks nothing stands to this program.
pub fn stands(schema: &Schema) -> String {
    let Schema {
        generation,
        oldest,
        program,
        newer,
        ..
    } = schema;
    let and = match newer.as_slice() {
        [] => "the one of this version".to_owned(),
        newer => format!(
            "newer than this program of {program} by {}, which may run on it",
            newer.join(", ")
        ),
    };
    format!(
        "has the schema of generation {generation}, {and}; programs of {oldest} or newer may run on it"
    )
}
