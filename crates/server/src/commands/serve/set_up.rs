//! The way in to a database that nobody can sign in to yet: a token in a file that only the server's user reads.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use baton_domain::access::Secret;
use baton_engine::Engine;

use crate::{
    commands::access::told,
    config::{Config, Role},
    exit::{Exit, Failure},
    store,
};

/// What the file is called, in the data folder.
const FILE: &str = "set-up-token";

/// Draws the token that the first user is added with and writes it down, and answers where; nothing if nobody needs it.
///
/// # Errors
/// When the server would be open though the database has users or keys.
pub async fn offer(engine: &Engine, config: &Config) -> Result<Option<PathBuf>, Failure> {
    if config.server.dev {
        refuse_principals(engine).await?;
    }
    if config.server.is_open() || !config.server.roles.contains(&Role::Api) {
        return Ok(None);
    }
    let file = config.server.data_dir.join(FILE);
    let offered = engine.offer_set_up().await;
    let Some(token) = offered.map_err(told)? else {
        discard(&file);
        return Ok(None);
    };
    match keep(&file, &token) {
        Ok(()) => Ok(Some(file)),
        Err(error) => {
            tracing::warn!(
                "nobody can sign in yet, and {} cannot be written: {error}; add the first user with \
                 `baton users add NAME --role admin`",
                file.display()
            );
            Ok(None)
        }
    }
}

/// What is said while nobody can sign in. It names the file and not what is in it: logs are shipped.
pub fn invitation(url: &str, file: &Path) -> String {
    format!(
        "nobody can sign in yet: within an hour open {url}/admin/set-up with the token in {}, or run \
         baton users add NAME --role admin",
        file.display()
    )
}

/// Whoever has a key or an account would be passed by.
async fn refuse_principals(engine: &Engine) -> Result<(), Failure> {
    let has_principals = engine.has_principals().await;
    if !has_principals.map_err(|error| store::lost(&error))? {
        return Ok(());
    }
    Err(
        Failure::new("this database has keys or users, and --dev would ask nobody for them")
            .exit(Exit::Conflict)
            .then("Start it without --dev; programs then show a key (--key-file or BATON_KEY_FILE), and people sign in at /admin.")
            .then("To try something, give --dev a database of its own: --data-dir another-folder."),
    )
}

/// Writes the token so that the file is there as a whole or not at all, and nobody else reads it.
fn keep(file: &Path, token: &Secret) -> io::Result<()> {
    let folder = file.parent().unwrap_or_else(|| Path::new("."));
    let mut own = fs::DirBuilder::new();
    own.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut own, 0o700);
    own.create(folder)?;
    // It is made with mode 0600.
    let mut beside = tempfile::Builder::new().prefix(FILE).tempfile_in(folder)?;
    writeln!(beside, "{}", token.reveal())?;
    beside.as_file().sync_all()?;
    beside.persist(file)?;
    Ok(())
}

/// A token that is worth nothing any more.
fn discard(file: &Path) {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => tracing::warn!(
            "{} is worth nothing any more and cannot be removed: {error}",
            file.display()
        ),
        _ => {}
    }
}
