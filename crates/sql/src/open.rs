//! Opening a database: from a URL to a store, with a sentence for everything that can be wrong.

use std::{
    fs::{self, DirBuilder, File, TryLockError},
    path::{Path, PathBuf},
    time::Duration,
};

use baton_ports::store::{Durability, Events, Schema, Upkeep};
use rusqlite::OpenFlags;
use tokio::time::{Instant, sleep};

use crate::{
    address::{Address, without_password},
    kernel::{Kernel, postgres::Postgres, sqlite, sqlite::Sqlite},
    migrate as steps, pooler,
    store::SqlStore,
    tls,
};

/// Why a database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL is not one this program understands.
    #[error(
        "{url:?} is not a database URL: {why}. Use sqlite:///path/to/file or postgres://user:password@host/name"
    )]
    BadUrl {
        /// The URL, without its password.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// The database does not answer.
    #[error(
        "the database at {place} cannot be reached: {why}. Check that it runs and that the URL is right"
    )]
    Unreachable {
        /// Where it should be.
        place: String,
        /// What went wrong.
        why: String,
    },
    /// A pooler gives each transaction another session.
    #[error(
        "between Baton and the database at {place} stands PgBouncer in transaction mode, or a pooler like it: each transaction may get another session, and Baton needs sessions of its own, for LISTEN, for prepared statements and for the settings of its planner. Set pool_mode=session for this database, or connect to PostgreSQL directly: Baton pools its connections itself"
    )]
    Pooler {
        /// Where it should be.
        place: String,
    },
    /// The schema is older than this program.
    #[error("the schema is older than this program ({} missing: {}). Run `baton migrate` first", .pending.len(), .pending.join(", "))]
    OldSchema {
        /// The steps that are missing.
        pending: Vec<String>,
    },
    /// This program is too old for the schema.
    #[error(
        "this program is too old for the schema: it is of generation {program}, and the step {step} needs {oldest} or newer. \
         Start the Baton that applied the step, or a newer one; to go back further, restore the backup from before it"
    )]
    NewerSchema {
        /// A step this program does not know.
        step: String,
        /// The generation of the oldest program that may run on it.
        oldest: u32,
        /// The generation of this program.
        program: u32,
    },
    /// A step could not have its tables.
    #[error(
        "the step {step} could not have its tables within {}s: others held them all the time. Look for a long transaction in \
         pg_stat_activity (a backup, a forgotten psql), end it, and run `baton migrate` again", .patience.as_secs()
    )]
    Occupied {
        /// The step.
        step: String,
        /// For how long it was tried.
        patience: Duration,
    },
    /// A step was applied with another text.
    #[error(
        "the step {step} was applied with another text than this program has. This database was made by an unreleased Baton; start with an empty one"
    )]
    ChangedSchema {
        /// The step.
        step: String,
    },
    /// Another server has the file.
    #[error(
        "another Baton server has {path} open. Stop it, or give this one a data folder of its own with --data-dir"
    )]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A file is there that a backup would have to overwrite.
    #[error("{path} exists, and a backup overwrites nothing. Name a file that is not there")]
    Taken {
        /// The file.
        path: PathBuf,
    },
    /// Somebody is in a database that was to be replaced.
    #[error(
        "others are connected to the database at {place}. Stop every Baton server, and whoever else uses it, and try again"
    )]
    Connected {
        /// Where it is.
        place: String,
    },
    /// A program of PostgreSQL is missing, or too old.
    #[error(
        "{program} of PostgreSQL {server} or newer is needed for this, and it {why}. On Debian: apt install postgresql-client-{server} \
         (or postgresql-client); elsewhere put the folder of this program first in the PATH"
    )]
    NoProgram {
        /// The program.
        program: &'static str,
        /// The major version of the server.
        server: i32,
        /// What is wrong with it.
        why: String,
    },
    /// A database is there where a backup was to be put back.
    #[error(
        "{path} holds a database. Give an empty place, or --replace to put the backup in its place and keep what is there beside it"
    )]
    NotEmpty {
        /// The file.
        path: PathBuf,
    },
    /// A file is not a database of ours.
    #[error("{path} is no database of Baton's that can be copied: {why}")]
    NoBackup {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A file is there where a new one was to be made.
    #[error(
        "{path} exists. A measurement makes files of its own beside it and removes them; name one that is not there"
    )]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The user may not make databases.
    #[error(
        "the user {user:?} may not create a database on this server, and a measurement only works in one of its own. Grant it with: ALTER ROLE {user} CREATEDB"
    )]
    MayNotCreate {
        /// The user.
        user: String,
    },
    /// The file or its folder cannot be written.
    #[error(
        "{path} cannot be written: {why}. Give a folder that this user may write with --data-dir"
    )]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// What went wrong.
        why: String,
    },
    /// The database may lose what it has confirmed.
    #[error("the database may lose what it has confirmed: {}. Mend its settings, or accept the risk with --allow-unsafe-durability", .0.join("; "))]
    Unsafe(Vec<String>),
    /// Anything else the database says.
    #[error("the database refused: {0}")]
    Refused(String),
}

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Refused(error.to_string())
    }
}

impl From<tokio_postgres::Error> for OpenError {
    fn from(error: tokio_postgres::Error) -> Self {
        let said = error.as_db_error().map(|said| said.message().to_owned());
        Self::Refused(said.unwrap_or_else(|| error.to_string()))
    }
}

impl From<baton_ports::store::Error> for OpenError {
    fn from(error: baton_ports::store::Error) -> Self {
        Self::Refused(error.to_string())
    }
}

/// How to open a database.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// How many connections clients and pages may use on PostgreSQL; the queue has its own.
    pub connections: usize,
    /// Whether to go on with a database that may lose what it has confirmed.
    pub allow_unsafe: bool,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            connections: 8,
            allow_unsafe: false,
        }
    }
}

/// Where a database is.
pub(crate) enum Place {
    Sqlite(PathBuf),
    Postgres(Box<Address>),
}

/// Opens a database as a store. SQLite is migrated on the way; PostgreSQL must have been.
///
/// # Errors
/// As [`OpenError`] tells.
pub async fn open(url: &str, options: &OpenOptions) -> Result<SqlStore, OpenError> {
    let kernel = match place(url)? {
        Place::Sqlite(path) => Kernel::Sqlite(open_sqlite(&path).await?),
        Place::Postgres(address) => {
            Kernel::Postgres(Box::new(open_postgres(*address, options).await?))
        }
    };
    let store = match kernel {
        // Its lock is ours: no other process can have it open.
        Kernel::Sqlite(_) => SqlStore::new(kernel).take_over().await?,
        Kernel::Postgres(_) => SqlStore::new(kernel),
    };
    // A database that was put back is recognised before anything is told of it.
    store.bounds().await?;
    if store.durability().await? == Durability::Unsafe && !options.allow_unsafe {
        let bad = store
            .findings()
            .await?
            .into_iter()
            .filter(|finding| !finding.is_good);
        let sentences = bad.map(|finding| format!("{} {}", finding.subject, finding.message));
        return Err(OpenError::Unsafe(sentences.collect()));
    }
    Ok(store)
}

/// Applies the steps that are missing, and names them.
///
/// # Errors
/// As [`OpenError`] tells.
pub async fn migrate(url: &str) -> Result<Vec<String>, OpenError> {
    match place(url)? {
        Place::Sqlite(path) => {
            let _lock = lock(&path).await?;
            steps::sqlite(&mut connect(&path)?, steps::SQLITE)
        }
        Place::Postgres(address) => {
            let mut client = reach(&address).await?;
            steps::postgres(&mut client, steps::POSTGRES).await
        }
    }
}

/// How the schema of a database stands to this program.
///
/// # Errors
/// As [`OpenError`] tells; when this program may not run on it, too.
pub async fn schema(url: &str) -> Result<Schema, OpenError> {
    let (steps, applied) = match place(url)? {
        Place::Sqlite(path) if !path.exists() => (steps::SQLITE, steps::Applied::new()),
        Place::Sqlite(path) => (steps::SQLITE, steps::sqlite_applied(&connect(&path)?)?),
        Place::Postgres(address) => {
            let client = reach(&address).await?;
            (steps::POSTGRES, steps::postgres_applied(&client).await?)
        }
    };
    steps::missing(steps, &applied)?;
    Ok(steps::standing(steps, &applied))
}

/// The steps that `migrate` would apply.
///
/// # Errors
/// As [`schema`] tells.
pub async fn pending(url: &str) -> Result<Vec<String>, OpenError> {
    Ok(schema(url).await?.pending)
}

pub(crate) fn place(url: &str) -> Result<Place, OpenError> {
    let bad = |why: &str| OpenError::BadUrl {
        url: without_password(url),
        why: why.to_owned(),
    };
    if let Some(path) = url.strip_prefix("sqlite://") {
        return if path.is_empty() {
            Err(bad("it names no file"))
        } else {
            Ok(Place::Sqlite(path.into()))
        };
    }
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        let address = Address::read(url).map_err(|why| bad(&why))?;
        return Ok(Place::Postgres(Box::new(address)));
    }
    Err(match url.split_once("://") {
        Some(("mysql" | "mariadb", _)) => bad("this version does not speak MySQL yet"),
        Some((scheme, _)) => bad(&format!("{scheme} is not a database it speaks")),
        None => bad("it has no scheme"),
    })
}

async fn open_sqlite(path: &Path) -> Result<Sqlite, OpenError> {
    let lock = lock(path).await?;
    let mut connection = connect(path)?;
    connection
        .query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))
        .map_err(OpenError::from)
        .and_then(|word| {
            if word == "ok" {
                Ok(())
            } else {
                Err(OpenError::Refused(format!(
                    "{} is damaged: {word}",
                    path.display()
                )))
            }
        })?;
    steps::sqlite(&mut connection, steps::SQLITE)?;
    Ok(Sqlite::open(path, lock)?)
}

/// How long a server that is on its way out may still have the file.
const HANDOVER: Duration = Duration::from_secs(1);

/// Takes the file for this process. The system gives it back when the process ends, however it ends;
/// a child that is just being started can hold it a moment longer, until it runs its own program.
pub(crate) async fn lock(path: &Path) -> Result<File, OpenError> {
    let (file, lock_path) = open_lock(path)?;
    let deadline = Instant::now() + HANDOVER;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                sleep(Duration::from_millis(20)).await;
            }
            Err(TryLockError::WouldBlock) => {
                return Err(OpenError::InUse {
                    path: path.to_owned(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(unwritable(&lock_path, &error)),
        }
    }
}

fn open_lock(path: &Path) -> Result<(File, PathBuf), OpenError> {
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        own_folder()
            .create(folder)
            .map_err(|error| unwritable(folder, &error))?;
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let lock_path = PathBuf::from(name);
    let lock = own_file().open(&lock_path);
    let lock = lock.map_err(|error| unwritable(&lock_path, &error))?;
    // SQLite gives what it puts beside the file the rights of the file.
    own_file()
        .open(path)
        .map_err(|error| unwritable(path, &error))?;
    Ok((lock, lock_path))
}

/// Makes a folder that is nobody else's to look into.
fn own_folder() -> DirBuilder {
    let mut folder = DirBuilder::new();
    folder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder
}

/// Opens a file, and makes one that is nobody else's to read.
pub(crate) fn own_file() -> fs::OpenOptions {
    let mut file = fs::OpenOptions::new();
    file.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
    file
}

fn unwritable(path: &Path, error: &std::io::Error) -> OpenError {
    OpenError::Unwritable {
        path: path.to_owned(),
        why: error.to_string(),
    }
}

fn connect(path: &Path) -> Result<rusqlite::Connection, OpenError> {
    sqlite::connect(path, OpenFlags::default()).map_err(|error| OpenError::Unwritable {
        path: path.to_owned(),
        why: error.to_string(),
    })
}

pub(crate) async fn open_postgres(
    address: Address,
    options: &OpenOptions,
) -> Result<Postgres, OpenError> {
    let client = reach(&address).await?;
    let version: i32 = client
        .query_one("SELECT current_setting('server_version_num')::integer", &[])
        .await?
        .get(0);
    if version < 150_000 {
        return Err(OpenError::Refused(format!(
            "PostgreSQL 15 or newer is needed, this is {version}"
        )));
    }
    let missing = steps::missing(steps::POSTGRES, &steps::postgres_applied(&client).await?)?;
    if !missing.is_empty() {
        let pending = missing.iter().map(|step| step.name.to_owned()).collect();
        return Err(OpenError::OldSchema { pending });
    }
    Ok(Postgres::new(address, options.connections)?)
}

/// Why somebody on the way to this database could read or change what is said, if so.
///
/// # Errors
/// When the URL is none.
pub fn exposure(url: &str) -> Result<Option<String>, OpenError> {
    Ok(match place(url)? {
        Place::Postgres(address) => address.exposure().map(ToOwned::to_owned),
        Place::Sqlite(_) => None,
    })
}

/// Connects, and makes sure that a session is a session.
pub(crate) async fn reach(address: &Address) -> Result<tokio_postgres::Client, OpenError> {
    let client = connect_to(address).await?;
    if pooler::shares_sessions(address, &client).await? {
        return Err(OpenError::Pooler {
            place: address.place(),
        });
    }
    Ok(client)
}

pub(crate) async fn connect_to(address: &Address) -> Result<tokio_postgres::Client, OpenError> {
    let (client, connection) = address.connect().await.map_err(|error| {
        let said = error.as_db_error().map(|said| said.message().to_owned());
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        let why = tls::explain(&error).or(said).or(cause);
        OpenError::Unreachable {
            place: address.place(),
            why: why.unwrap_or_else(|| error.to_string()),
        }
    })?;
    tokio::spawn(connection);
    Ok(client)
}
