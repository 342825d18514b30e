//! Buttons that say who may do what.

use std::time::Duration;

use axum::{Form, extract::Path, response::Response};
use baton_domain::{
    KeyId,
    access::{Permissions, Role},
    duration,
};
use baton_engine::{KeySpec, NewUser, UserPatch};
use serde::Deserialize;

use crate::{
    Console,
    errors::PageError,
    pages::{access, read_id},
    shell::Shell,
};

/// A key that was asked for.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct NewKey {
    name: String,
    allow: String,
    kinds: String,
    queues: String,
    /// In so many days it is worth nothing; empty for never.
    days: String,
}

/// A user who was asked for.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Added {
    name: String,
    role: String,
    password: String,
}

/// How a key is to be rotated.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Rotation {
    /// How long the old one stays good.
    overlap: String,
}

/// Makes a key, and shows it this once.
pub async fn create_key(console: Console, shell: Shell, Form(new): Form<NewKey>) -> Response {
    let made = async {
        let spec = spec_of(&new, &console)?;
        Ok::<_, PageError>(console.engine.create_key(spec).await?)
    };
    match made.await {
        Ok((_, token)) => access::with_token(&console, &shell, Some(token.reveal())).await,
        Err(trouble) => shell.trouble(&trouble),
    }
}

fn spec_of(new: &NewKey, console: &Console) -> Result<KeySpec, PageError> {
    let permissions = Permissions::read(&new.allow)
        .map_err(|why| PageError::refused(format!("{why}."), tr!("Correct it and try again.")))?;
    let days = match new.days.trim() {
        "" => None,
        days => Some(days.parse::<u32>().map_err(|_| {
            let detail = tr!("{text} is no number of days.", text = format!("{days:?}"));
            PageError::refused(detail, tr!("Give a whole number, or leave it empty."))
        })?),
    };
    let day = Duration::from_hours(24);
    Ok(KeySpec {
        name: new.name.trim().to_owned(),
        permissions,
        kinds: listed(&new.kinds),
        queues: listed(&new.queues),
        expires_at: days.map(|days| console.engine.now() + day * days),
    })
}

fn listed(text: &str) -> Vec<String> {
    let words = text.split([' ', ',']).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// Takes a key back.
pub async fn revoke_key(console: Console, shell: Shell, Path(id): Path<String>) -> Response {
    let done = async {
        console.engine.revoke_key(key_id(&id)?).await?;
        Ok(())
    };
    access::after(&console, &shell, done.await).await
}

/// Puts a new key in the place of one, which stays good for a while, and shows the new one this once.
pub async fn rotate_key(
    console: Console,
    shell: Shell,
    Path(id): Path<String>,
    Form(asked): Form<Rotation>,
) -> Response {
    let rotated = async {
        let overlap = overlap(&asked.overlap)?;
        Ok::<_, PageError>(console.engine.rotate_key(key_id(&id)?, overlap).await?)
    };
    match rotated.await {
        Ok(rotated) => access::with_token(&console, &shell, Some(rotated.token.reveal())).await,
        Err(trouble) => shell.trouble(&trouble),
    }
}

fn overlap(text: &str) -> Result<Duration, PageError> {
    duration::parse(text.trim()).map_err(|error| {
        let detail = tr!(
            "{text} does not say how long: {error}.",
            text = format!("{text:?}"),
            error = error
        );
        PageError::refused(detail, tr!("Write it as 24h or 7d. Nothing was changed."))
    })
}

fn key_id(id: &str) -> Result<KeyId, PageError> {
    read_id(
        id,
        tr!("{text} is not the id of a key: {error}."),
        tr!("The list of keys has the id of each."),
    )
}

/// Adds somebody who can sign in.
pub async fn add_user(console: Console, shell: Shell, Form(added): Form<Added>) -> Response {
    let done = async {
        let new = NewUser {
            name: added.name.trim().to_lowercase(),
            role: role(&added.role)?,
            password: added.password,
        };
        console.engine.add_user(new).await?;
        Ok(())
    };
    access::after(&console, &shell, done.await).await
}

/// Gives somebody another role.
pub async fn change_role(
    console: Console,
    shell: Shell,
    Path(name): Path<String>,
    Form(added): Form<Added>,
) -> Response {
    let done = async {
        let patch = UserPatch {
            role: Some(role(&added.role)?),
            ..UserPatch::default()
        };
        change(&console, &name, patch).await
    };
    access::after(&console, &shell, done.await).await
}

/// Keeps somebody out, or lets them in again.
pub async fn change_admission(
    console: Console,
    shell: Shell,
    Path((name, admission)): Path<(String, String)>,
) -> Response {
    let done = async {
        let is_disabled = match admission.as_str() {
            "disable" => true,
            "enable" => false,
            _ => {
                let detail = tr!(
                    "Nothing called {word} can be done to a user.",
                    word = format!("{admission:?}")
                );
                return Err(PageError::refused(
                    detail,
                    tr!("They can be disabled or enabled."),
                ));
            }
        };
        let patch = UserPatch {
            is_disabled: Some(is_disabled),
            ..UserPatch::default()
        };
        change(&console, &name, patch).await
    };
    access::after(&console, &shell, done.await).await
}

/// Gives somebody another password; they sign in anew, with it.
pub async fn reset_password(
    console: Console,
    shell: Shell,
    Path(name): Path<String>,
    Form(added): Form<Added>,
) -> Response {
    let patch = UserPatch {
        password: Some(added.password),
        ..UserPatch::default()
    };
    let done = change(&console, &name, patch).await;
    access::after(&console, &shell, done).await
}

/// Ends every session of somebody.
pub async fn sign_out(console: Console, shell: Shell, Path(name): Path<String>) -> Response {
    let done = async {
        let user = console.engine.user_named(&name).await?;
        console.engine.sign_out_everywhere(user.id).await?;
        Ok(())
    };
    access::after(&console, &shell, done.await).await
}

async fn change(console: &Console, name: &str, patch: UserPatch) -> Result<(), PageError> {
    let user = console.engine.user_named(name).await?;
    console.engine.change_user(user.id, patch).await?;
    Ok(())
}

fn role(word: &str) -> Result<Role, PageError> {
    let unknown = |why| PageError::refused(format!("{why}."), tr!("Choose one of the list."));
    word.parse().map_err(unknown)
}
