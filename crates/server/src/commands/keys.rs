//! `baton keys`: make, list and revoke API keys.

use baton_domain::{
    Timestamp,
    access::{ApiKey, KeyToken},
};
use baton_engine::{KeySpec, RotatedKey};
use clap::ArgMatches;
use serde_json::{Value, json};

use super::access::{Owned, all};
use crate::{
    cli::{CreateKeyArgs, KeysCommand},
    config,
    exit::{Exit, Failure},
    output::Output,
};

pub async fn run(
    command: KeysCommand,
    matches: &ArgMatches,
    output: &Output,
) -> Result<Exit, Failure> {
    match command {
        KeysCommand::Create(args) => create(*args, matches, output).await?,
        KeysCommand::List(settings) => {
            let owned = Owned::open(&config::load(&settings, matches)?, matches).await?;
            let keys = all(async |page| owned.caller.keys(&page).await).await;
            let now = owned.caller.now();
            show(owned.close(keys).await?, now, output);
        }
        KeysCommand::Rotate(args) => {
            let owned = Owned::open(&config::load(&args.settings, matches)?, matches).await?;
            let rotated = owned.caller.rotate_key(args.id, args.overlap).await;
            rotated_told(&owned.close(rotated).await?, output);
        }
        KeysCommand::Revoke(args) => {
            let owned = Owned::open(&config::load(&args.settings, matches)?, matches).await?;
            let revoked = owned.caller.revoke_key(args.id).await;
            revoke_told(&owned.close(revoked).await?, output);
        }
    }
    Ok(Exit::Ok)
}

async fn create(args: CreateKeyArgs, matches: &ArgMatches, output: &Output) -> Result<(), Failure> {
    let owned = Owned::open(&config::load(&args.settings, matches)?, matches).await?;
    let now = owned.caller.now();
    let spec = KeySpec {
        name: args.name,
        permissions: args.allow,
        kinds: args.kinds,
        queues: args.queues,
        expires_at: args.expires.map(|span| now + span),
    };
    let made = owned.caller.create_key(spec).await;
    let (key, token) = owned.close(made).await?;
    tell(&key, &token, output);
    Ok(())
}

/// The token stands on stdout alone, so that it can go to a file.
fn tell(key: &ApiKey, token: &KeyToken, output: &Output) {
    if output.is_json() {
        let mut told = of(key);
        told["token"] = token.reveal().into();
        output.json(&told);
        return;
    }
    output.line(token.reveal());
    output.say(format!(
        "This is {}, {}, and it is shown this once: keep it in a file that only its program reads, and name that \
         file with --key-file or BATON_KEY_FILE. Take it back with: baton keys revoke {}",
        key.id, key.name, key.id
    ));
}

/// The token stands on stdout alone here, too.
fn rotated_told(rotated: &RotatedKey, output: &Output) {
    let RotatedKey { key, token, old } = rotated;
    if output.is_json() {
        let mut told = of(key);
        told["token"] = token.reveal().into();
        told["replaces"] = of(old);
        output.json(&told);
        return;
    }
    output.line(token.reveal());
    let until = old.expires_at.map(|end| output.moment(end));
    output.say(format!(
        "This is {}, {}, in the place of {}, and it is shown this once. The old key is good until {}: give the new one to its          program before.",
        key.id,
        key.name,
        old.id,
        until.unwrap_or_default()
    ));
}

fn revoke_told(key: &ApiKey, output: &Output) {
    if output.is_json() {
        output.json(&of(key));
        return;
    }
    output.line(key.id);
    output.say(format!(
        "{} is revoked: within five seconds no server knows it any more, and what it had open ends.",
        key.name
    ));
}

fn of(key: &ApiKey) -> Value {
    json!(key)
}

fn show(keys: Vec<ApiKey>, now: Timestamp, output: &Output) {
    if output.is_json() {
        keys.iter().for_each(|key| output.json(&of(key)));
        return;
    }
    if keys.is_empty() {
        output.say("There is no API key. Make one with: baton keys create NAME --allow \"jobs:create jobs:read\"");
    }
    let rows = keys.into_iter().map(|key| row(&key, now, output));
    let head = [
        "key",
        "name",
        "state",
        "may",
        "kinds",
        "queues",
        "expires",
        "last used",
    ];
    output.table(&head, rows.collect());
}

fn row(key: &ApiKey, now: Timestamp, output: &Output) -> Vec<String> {
    let moment =
        |at: Option<Timestamp>| at.map_or_else(|| "never".to_owned(), |at| output.moment(at));
    let state = match key.revoked_at {
        Some(_) => "revoked",
        None if key.is_good(now) => "good",
        None => "expired",
    };
    vec![
        key.id.to_string(),
        key.name.clone(),
        state.to_owned(),
        key.permissions.to_string(),
        bounds(&key.kinds),
        bounds(&key.queues),
        moment(key.expires_at),
        moment(key.last_used_at),
    ]
}

fn bounds(patterns: &[String]) -> String {
    match patterns {
        [] => "all".to_owned(),
        some => some.join(","),
    }
}
