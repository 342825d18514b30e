//! `baton copy`: moves an installation to another database, while no server runs.

use baton_sql::{Copied, CopyProgress};
use serde_json::json;

use crate::{
    cli::CopyArgs,
    exit::{Exit, Failure},
    output::Output,
    store,
};

pub async fn run(args: CopyArgs, output: &Output) -> Result<Exit, Failure> {
    for url in [Some(&args.from), args.to.as_ref()].into_iter().flatten() {
        store::guard(url, args.allow_unverified_database)?;
    }
    let Some(to) = &args.to else {
        return reopen(&args, output).await;
    };
    let told = *output;
    let tell = move |progress| tell(progress, told);
    let copied = baton_sql::copy(&args.from, to, &tell).await;
    let copied = copied.map_err(|error| store::refused(&error))?;
    report(&copied, output);
    Ok(Exit::Ok)
}

async fn reopen(args: &CopyArgs, output: &Output) -> Result<Exit, Failure> {
    let reopened = baton_sql::reopen(&args.from, args.force).await;
    reopened.map_err(|error| store::refused(&error))?;
    output.say("The seal is off: servers may start on this database again. What was copied of it is of no use; remove it.");
    Ok(Exit::Ok)
}

/// One line for each part and each table, as it is finished.
fn tell(progress: CopyProgress, output: Output) {
    match progress {
        CopyProgress::Page(..) => {}
        CopyProgress::Copied(part, rows) => output.say(format!("copied {part}: {rows} rows")),
        CopyProgress::Same(table, sum) => {
            output.say(format!("verified {table}: {} rows", sum.rows));
        }
    }
}

fn report(copied: &Copied, output: &Output) {
    if output.is_json() {
        let tables = copied.tables.iter();
        let tables = tables
            .map(|(table, sum)| json!({"table": table, "rows": sum.rows, "digest": sum.digest()}));
        output.json(&json!({"epoch": copied.epoch, "tables": tables.collect::<Vec<_>>()}));
        return;
    }
    let rows = copied.tables.iter().map(|(table, sum)| {
        let name = (*table).to_owned();
        vec![name, sum.rows.to_string(), sum.digest()]
    });
    output.table(&["table", "rows", "digest"], rows.collect());
    output.say(match copied.epoch {
        None => "All of it had been copied before: start the servers on the new database.".to_owned(),
        Some(epoch) => format!(
            "All of it is the same on both sides. The old database stays sealed: start the servers on the new one. Its history of events is {epoch}: \
             whoever followed the former one is told so."
        ),
    });
}
