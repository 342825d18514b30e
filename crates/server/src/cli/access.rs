//! What `baton keys` and `baton users` take: they open the database themselves, as whoever has it may.

use std::{path::PathBuf, time::Duration};

use baton_domain::{
    KeyId,
    access::{Permissions, Role},
    duration,
};
use clap::{Args, Subcommand};

use super::Settings;

#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Make an API key and print it, this once
    Create(Box<CreateKeyArgs>),
    /// List the API keys, the newest first
    List(Box<Settings>),
    /// Make a key with a new secret in the place of one, print it, this once, and end the old one after a while
    Rotate(Box<RotateKeyArgs>),
    /// Take an API key back: within seconds no server knows it any more
    Revoke(Box<RevokeKeyArgs>),
}

#[derive(Debug, Args)]
pub struct CreateKeyArgs {
    /// What people call it: the program it is for
    pub name: String,
    /// What its bearer may do, such as "jobs:create jobs:read"; docs/operations/access.md has them all
    #[arg(long, value_name = "PERMISSIONS", value_parser = Permissions::read)]
    pub allow: Permissions,
    /// The kinds of jobs it may enqueue, as names or patterns such as mail.* [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub kinds: Vec<String>,
    /// The queues it may enqueue to, as names or patterns [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub queues: Vec<String>,
    /// How long it lasts, such as 90d [default: until it is revoked]
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub expires: Option<Duration>,
    #[command(flatten)]
    pub settings: Settings,
}

#[derive(Debug, Args)]
pub struct RotateKeyArgs {
    /// Its id, as `baton keys list` shows it
    pub id: KeyId,
    /// How long the old key stays good beside the new one, 90 days at most; 0 ends it now
    #[arg(long, default_value = "24h", value_name = "DURATION", value_parser = overlap)]
    pub overlap: Duration,
    #[command(flatten)]
    pub settings: Settings,
}

fn overlap(text: &str) -> Result<Duration, duration::ParseDurationError> {
    match text {
        "0" => Ok(Duration::ZERO),
        text => duration::parse(text),
    }
}

#[derive(Debug, Args)]
pub struct RevokeKeyArgs {
    /// Its id, as `baton keys list` shows it
    pub id: KeyId,
    #[command(flatten)]
    pub settings: Settings,
}

#[derive(Debug, Subcommand)]
pub enum UsersCommand {
    /// Add somebody who can sign in
    Add(Box<AddUserArgs>),
    /// List the users, by name
    List(Box<Settings>),
    /// Give a user another role; they have to sign in again
    Role(Box<RoleArgs>),
    /// Give a user a new password; they have to sign in again
    Password(Box<PasswordArgs>),
    /// Keep a user out, and end their sessions
    Disable(Box<UserArgs>),
    /// Let a user in again
    Enable(Box<UserArgs>),
    /// End every session of a user
    SignOut(Box<UserArgs>),
}

#[derive(Debug, Args)]
pub struct AddUserArgs {
    /// What they type and are called by, such as kim or kim@example.org
    pub name: String,
    /// What they may do: viewer, operator, sender or admin
    #[arg(long, value_name = "ROLE")]
    pub role: Role,
    #[command(flatten)]
    pub password: PasswordFrom,
    #[command(flatten)]
    pub settings: Settings,
}

#[derive(Debug, Args)]
pub struct RoleArgs {
    /// Who
    pub name: String,
    /// What they may do: viewer, operator, sender or admin
    pub role: Role,
    #[command(flatten)]
    pub settings: Settings,
}

#[derive(Debug, Args)]
pub struct PasswordArgs {
    /// Whose
    pub name: String,
    #[command(flatten)]
    pub password: PasswordFrom,
    #[command(flatten)]
    pub settings: Settings,
}

#[derive(Debug, Args)]
pub struct UserArgs {
    /// Who
    pub name: String,
    #[command(flatten)]
    pub settings: Settings,
}

/// Where a password is read from; it stands on no command line.
#[derive(Debug, Args)]
pub struct PasswordFrom {
    /// A file that holds the password [default: asked for on a terminal, else read from stdin]
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
}
