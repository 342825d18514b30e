//! `baton users`: add, list and change those who sign in.

mod password;

use baton_domain::{Timestamp, access::User};
use baton_engine::{Caller, NewUser, UserPatch};
use clap::ArgMatches;
use serde_json::{Value, json};

use super::access::{Owned, all};
use crate::{
    cli::{AddUserArgs, PasswordArgs, RoleArgs, Settings, UserArgs, UsersCommand},
    config,
    exit::{Exit, Failure},
    output::Output,
};

pub async fn run(
    command: UsersCommand,
    matches: &ArgMatches,
    output: &Output,
) -> Result<Exit, Failure> {
    match command {
        UsersCommand::Add(args) => add(*args, matches, output).await?,
        UsersCommand::List(settings) => list(&settings, matches, output).await?,
        UsersCommand::Role(args) => {
            let RoleArgs {
                name,
                role,
                settings,
            } = *args;
            let patch = UserPatch {
                role: Some(role),
                ..UserPatch::default()
            };
            change(&name, patch, &settings, matches, output).await?;
        }
        UsersCommand::Password(args) => {
            let PasswordArgs {
                name,
                password,
                settings,
            } = *args;
            let patch = UserPatch {
                password: Some(password::read(password.password_file.as_deref())?),
                ..UserPatch::default()
            };
            change(&name, patch, &settings, matches, output).await?;
        }
        UsersCommand::Disable(args) => keep_out(true, *args, matches, output).await?,
        UsersCommand::Enable(args) => keep_out(false, *args, matches, output).await?,
        UsersCommand::SignOut(args) => sign_out(*args, matches, output).await?,
    }
    Ok(Exit::Ok)
}

async fn add(args: AddUserArgs, matches: &ArgMatches, output: &Output) -> Result<(), Failure> {
    let loaded = config::load(&args.settings, matches)?;
    let password = password::read(args.password.password_file.as_deref())?;
    let owned = Owned::open(&loaded, matches).await?;
    let new = NewUser {
        name: args.name,
        role: args.role,
        password,
    };
    let added = owned.caller.add_user(new).await;
    show(&[owned.close(added).await?], output);
    Ok(())
}

async fn list(settings: &Settings, matches: &ArgMatches, output: &Output) -> Result<(), Failure> {
    let owned = Owned::open(&config::load(settings, matches)?, matches).await?;
    let users = all(async |page| owned.caller.users(&page).await).await;
    let users = owned.close(users).await?;
    if users.is_empty() && !output.is_json() {
        output.say("Nobody can sign in. Add somebody with: baton users add NAME --role admin");
    }
    show(&users, output);
    Ok(())
}

async fn keep_out(
    is_disabled: bool,
    args: UserArgs,
    matches: &ArgMatches,
    output: &Output,
) -> Result<(), Failure> {
    let patch = UserPatch {
        is_disabled: Some(is_disabled),
        ..UserPatch::default()
    };
    change(&args.name, patch, &args.settings, matches, output).await
}

async fn change(
    name: &str,
    patch: UserPatch,
    settings: &Settings,
    matches: &ArgMatches,
    output: &Output,
) -> Result<(), Failure> {
    let owned = Owned::open(&config::load(settings, matches)?, matches).await?;
    let changed = changed(&owned.caller, name, patch).await;
    show(&[owned.close(changed).await?], output);
    Ok(())
}

async fn changed(caller: &Caller, name: &str, patch: UserPatch) -> baton_engine::Result<User> {
    let user = caller.user_named(name).await?;
    caller.change_user(user.id, patch).await
}

async fn sign_out(args: UserArgs, matches: &ArgMatches, output: &Output) -> Result<(), Failure> {
    let owned = Owned::open(&config::load(&args.settings, matches)?, matches).await?;
    let ended = signed_out(&owned.caller, &args.name).await;
    let ended = owned.close(ended).await?;
    match output.is_json() {
        true => output.json(&json!({"name": args.name, "ended": ended})),
        false => output.line(format!("{ended} sessions of {} have ended", args.name)),
    }
    Ok(())
}

async fn signed_out(caller: &Caller, name: &str) -> baton_engine::Result<u64> {
    let user = caller.user_named(name).await?;
    caller.sign_out_everywhere(user.id).await
}

fn show(users: &[User], output: &Output) {
    if output.is_json() {
        users.iter().for_each(|user| output.json(&of(user)));
        return;
    }
    let moment =
        |at: Option<Timestamp>| at.map_or_else(|| "never".to_owned(), |at| output.moment(at));
    let rows = users.iter().map(|user| {
        let state = if user.is_disabled {
            "disabled"
        } else {
            "enabled"
        };
        vec![
            user.id.to_string(),
            user.name.clone(),
            user.role.to_string(),
            state.to_owned(),
            user.identity
                .as_ref()
                .map_or_else(|| "password".to_owned(), |one| one.issuer.clone()),
            output.moment(user.created_at),
            moment(user.signed_in_at),
        ]
    });
    let head = [
        "user",
        "name",
        "role",
        "state",
        "signs in by",
        "added",
        "signed in",
    ];
    output.table(&head, rows.collect());
}

/// Without a word of the password.
fn of(user: &User) -> Value {
    json!({
        "id": user.id, "name": user.name, "role": user.role, "is_disabled": user.is_disabled,
        "created_at": user.created_at, "signed_in_at": user.signed_in_at,
        "issuer": user.identity.as_ref().map(|one| &one.issuer),
    })
}
