//! Opening a database: from a URL to a store, with a sentence for everything that can be wrong.

mod error;
mod mysql;

use std::{
    fs::{self, DirBuilder, File, TryLockError},
    path::{Path, PathBuf},
    time::Duration,
};

use baton_ports::store::{Durability, Events, Schema, Upkeep};
use rusqlite::OpenFlags;
use tokio::time::{Instant, sleep};

pub use error::OpenError;

pub(crate) use mysql::connect as connect_to_mysql;

use crate::{
    address::{Address, MysqlAddress, without_password},
    copy::refuse_if_sealed,
    kernel::{Kernel, postgres::Postgres, sqlite, sqlite::Sqlite},
    migrate as steps, pooler,
    store::SqlStore,
    tls,
};

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
pub(crate) enum Location {
    Sqlite(PathBuf),
    Postgres(Box<Address>),
    Mysql(MysqlAddress),
}

/// Opens a database as a store. SQLite is migrated on the way; the others must have been.
pub async fn open(url: &str, options: &OpenOptions) -> Result<SqlStore, OpenError> {
    let kernel = reached(url, options).await?;
    if let Err(sealed) = refuse_if_sealed(&kernel).await {
        kernel.close().await;
        return Err(sealed);
    }
    let store = match kernel {
        // Its lock is ours: no other process can have it open.
        Kernel::Sqlite(_) => SqlStore::new(kernel).take_over().await?,
        Kernel::Postgres(_) | Kernel::Mysql(_) => SqlStore::new(kernel),
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

/// Opens a database that may be sealed, for a copy: nothing is promised here, and nothing is written.
pub(crate) async fn open_for_copy(url: &str) -> Result<SqlStore, OpenError> {
    let kernel = reached(url, &OpenOptions::default()).await?;
    Ok(SqlStore::new(kernel))
}

async fn reached(url: &str, options: &OpenOptions) -> Result<Kernel, OpenError> {
    Ok(match place(url)? {
        Location::Sqlite(path) => Kernel::Sqlite(open_sqlite(&path).await?),
        Location::Postgres(address) => {
            Kernel::Postgres(Box::new(open_postgres(*address, options).await?))
        }
        Location::Mysql(address) => Kernel::Mysql(mysql::open(&address, options).await?),
    })
}

/// Applies the steps that are missing, and names them.
pub async fn migrate(url: &str) -> Result<Vec<String>, OpenError> {
    match place(url)? {
        Location::Sqlite(path) => {
            let _lock = lock(&path).await?;
            steps::sqlite(&mut connect(&path)?, steps::SQLITE)
        }
        Location::Postgres(address) => {
            let mut client = reach(&address).await?;
            steps::postgres(&mut client, steps::POSTGRES).await
        }
        Location::Mysql(address) => {
            let mut session = connect_to_mysql(&address).await?;
            steps::mysql(&mut session, steps::MYSQL).await
        }
    }
}

/// Lets this program use what no older one understands, and names the steps that kept it from doing so. Programs that are older may not run
/// on the database any more. MySQL alone has such steps.
///
/// # Errors
/// As [`OpenError`] tells; while a worker of an older program is there, too.
pub async fn finalize(url: &str) -> Result<Vec<String>, OpenError> {
    match place(url)? {
        Location::Sqlite(_) | Location::Postgres(_) => Ok(Vec::new()),
        Location::Mysql(address) => {
            let mut session = connect_to_mysql(&address).await?;
            steps::finalize_mysql(&mut session, steps::MYSQL).await
        }
    }
}

/// How the schema of a database stands to this program.
///
/// # Errors
/// As [`OpenError`] tells; when this program may not run on it, too.
pub async fn schema(url: &str) -> Result<Schema, OpenError> {
    let (steps, applied) = match place(url)? {
        Location::Sqlite(path) if !path.exists() => (steps::SQLITE, steps::Applied::new()),
        Location::Sqlite(path) => (steps::SQLITE, steps::sqlite_applied(&connect(&path)?)?),
        Location::Postgres(address) => {
            let client = reach(&address).await?;
            (steps::POSTGRES, steps::postgres_applied(&client).await?)
        }
        Location::Mysql(address) => {
            let mut session = connect_to_mysql(&address).await?;
            (steps::MYSQL, steps::mysql_applied(&mut session).await?)
        }
    };
    steps::missing(steps, &applied)?;
    Ok(steps::standing(steps, &applied))
}

/// The steps that `migrate` would apply.
pub async fn pending(url: &str) -> Result<Vec<String>, OpenError> {
    Ok(schema(url).await?.pending)
}

pub(crate) fn place(url: &str) -> Result<Location, OpenError> {
    let bad = |why: &str| OpenError::BadUrl {
        url: without_password(url),
        why: why.to_owned(),
    };
    if let Some(path) = url.strip_prefix("sqlite://") {
        return if path.is_empty() {
            Err(bad("it names no file"))
        } else if path.contains('?') {
            Err(bad(
                "it takes no parameters: all behind sqlite:// is the name of the file",
            ))
        } else if path.ends_with(":memory:") {
            Err(bad(
                "a database in memory forgets everything, and nobody else can read it; name a file",
            ))
        } else {
            Ok(Location::Sqlite(without_link(path.into())))
        };
    }
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        let address = Address::read(url).map_err(|why| bad(&why))?;
        return Ok(Location::Postgres(Box::new(address)));
    }
    if url.starts_with("mysql://") || url.starts_with("mariadb://") {
        let address = MysqlAddress::read(url).map_err(|why| bad(&why))?;
        return Ok(Location::Mysql(address));
    }
    Err(match url.split_once("://") {
        Some((scheme, _)) => bad(&format!("{scheme} is not a database it speaks")),
        None => bad("it has no scheme"),
    })
}

/// The file that a link leads to: SQLite keeps its journal beside that one, and a restore puts another in its place.
fn without_link(path: PathBuf) -> PathBuf {
    match fs::canonicalize(&path) {
        Ok(real) if path.is_symlink() => real,
        _ => path,
    }
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
                Err(damaged(path, &word))
            }
        })?;
    steps::sqlite(&mut connection, steps::SQLITE)?;
    Ok(Sqlite::open(path, lock)?)
}

fn damaged(path: &Path, why: &str) -> OpenError {
    OpenError::Refused(format!(
        "{} is damaged: {why}. Keep the file, and put a backup in its place with `baton restore`",
        path.display()
    ))
}

/// How long a server that is on its way out may still have the file.
const HANDOVER: Duration = Duration::from_secs(1);

/// A file that is this process's own, until this is dropped. The system gives it back when the process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    /// A file of its name: it stays while another file takes the place of the first, as in a restore.
    _name: File,
    /// The file itself: other links may lead to it, and somebody may remove what lies beside it.
    _itself: File,
}

/// Takes the file for this process.
pub(crate) async fn lock(path: &Path) -> Result<Lock, OpenError> {
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        own_folder()
            .create(folder)
            .map_err(|error| unwritable(folder, &error))?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".lock");
    let name = taken(Path::new(&beside), path).await?;
    // SQLite gives what it puts beside the file the rights of the file.
    let itself = if LOCKS_ARE_APART {
        taken(path, path).await?
    } else {
        opened(path)?
    };
    Ok(Lock {
        _name: name,
        _itself: itself,
    })
}

/// Whether the locks of files and those that SQLite sets on parts of them do not meet.
const LOCKS_ARE_APART: bool = cfg!(target_os = "linux");

/// Locks a file; a child that is just being started can hold it a moment longer, until it runs its own program.
async fn taken(file: &Path, database: &Path) -> Result<File, OpenError> {
    let opened = opened(file)?;
    let deadline = Instant::now() + HANDOVER;
    loop {
        match opened.try_lock() {
            Ok(()) => return Ok(opened),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                sleep(Duration::from_millis(20)).await;
            }
            Err(TryLockError::WouldBlock) => {
                return Err(OpenError::InUse {
                    path: database.to_owned(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(unwritable(file, &error)),
        }
    }
}

fn opened(file: &Path) -> Result<File, OpenError> {
    let opened = own_file().open(file);
    opened.map_err(|error| unwritable(file, &error))
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
    sqlite::connect(path, OpenFlags::default()).map_err(|error| match error.to_string() {
        why if why.contains("malformed") => damaged(path, &why),
        why if why.contains("not a database") => OpenError::NotOurs {
            path: path.to_owned(),
            why,
        },
        why => OpenError::Unwritable {
            path: path.to_owned(),
            why,
        },
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
pub fn exposure(url: &str) -> Result<Option<String>, OpenError> {
    Ok(match place(url)? {
        Location::Postgres(address) => address.exposure().map(ToOwned::to_owned),
        Location::Mysql(address) => address.exposure().map(ToOwned::to_owned),
        Location::Sqlite(_) => None,
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
