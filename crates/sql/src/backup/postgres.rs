//! Backups of PostgreSQL, by its own programs.
//!
//! What is told of a copy is counted in the very snapshot it is made of. A copy is put back beside what is
//! there, made ready, and only then given its name.

use std::{fs, path::Path, time::Duration};

use baton_domain::Timestamp;
use tokio::time::sleep;
use tokio_postgres::{Client, error::SqlState};

use super::{
    Contents, RestoreOptions, Restored, Unfinished, beside,
    programs::{Program, word},
    taken,
};
use crate::{
    address::Address,
    kernel::Kernel,
    migrate::{self as steps, Applied},
    open::{OpenError, OpenOptions, open_postgres, reach},
    statement as sql,
    store::SqlStore,
};

/// How long those who were just cut off may still be in the database.
const LEAVING: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(50);
/// The longest name of a database.
const LONGEST_NAME: usize = 63;
/// Who may see it is said by the database it is put into, not by the one it comes from.
const AS_OURS: [&str; 3] = ["--no-owner", "--no-privileges", "--no-password"];

/// Copies the database to a new file.
pub async fn backup(from: &Address, to: &Path) -> Result<Contents, OpenError> {
    let client = reach(from).await?;
    is_ours(&client, from).await?;
    let server = server_version(&client).await?;
    let dump = Program::find("pg_dump", from, server).await?;
    let check = Program::find("pg_restore", from, server).await?;
    let unfinished = Unfinished::create(&beside(to, ".part"))?;
    if to.exists() {
        return Err(taken(to));
    }
    let (snapshot, contents) = snapshot(&client).await?;
    let file = word(&unfinished.0);
    let words = ["--format=custom", "--no-password", "--snapshot", &snapshot];
    let mut words: Vec<_> = words.map(Into::into).into();
    words.extend(["--file".into(), file]);
    let dumped = dump.run(&words).await;
    dumped.map_err(|why| dump.failed(&why))?;
    let whole = is_whole(&check, &unfinished.0).await;
    whole.map_err(|why| OpenError::Refused(format!("the copy is damaged: {why}")))?;
    unfinished.finish(to)?;
    Ok(contents)
}

/// Puts a copy back: into the database that is named if it is empty, else beside it and then under its name.
pub async fn restore(
    from: &Path,
    to: &Address,
    options: RestoreOptions,
    now: Timestamp,
) -> Result<Restored, OpenError> {
    let client = reach(to).await?;
    let program = Program::find("pg_restore", to, server_version(&client).await?).await?;
    let copy = Copy { from, program };
    copy.is_for_us().await?;
    if is_empty(&client).await? {
        drop(client);
        return copy.put_into(to, options, now, None).await;
    }
    if !options.replace {
        return Err(OpenError::NotEmpty {
            path: to.place().into(),
        });
    }
    copy.put_beside(client, to, options, now).await
}

/// A copy that is to be put back.
struct Copy<'a> {
    from: &'a Path,
    program: Program,
}

impl Copy<'_> {
    /// Reads all of it before anything is done.
    async fn is_for_us(&self) -> Result<(), OpenError> {
        let none = |why: String| OpenError::NoBackup {
            path: self.from.to_owned(),
            why,
        };
        if fs::metadata(self.from).map_or(0, |found| found.len()) == 0 {
            return Err(none("it is not there, or empty".to_owned()));
        }
        is_whole(&self.program, self.from).await.map_err(none)?;
        let applied = self
            .steps()
            .await
            .map_err(none)?
            .ok_or(OpenError::UnreleasedSchema)?;
        if applied.is_empty() {
            return Err(none("it holds no tables of Baton's".to_owned()));
        }
        steps::missing(steps::POSTGRES, &applied).map(drop)
    }

    /// The steps that were applied to what was copied; `None` if it is from before the first release.
    async fn steps(&self) -> Result<Option<Applied>, String> {
        let mut words: Vec<_> = ["--data-only", "--table=schema_migrations", "--file=-"]
            .map(Into::into)
            .into();
        words.push(word(self.from));
        Ok(steps_in(&self.program.run(&words).await?))
    }

    async fn put_into(
        &self,
        to: &Address,
        options: RestoreOptions,
        now: Timestamp,
        before: Option<String>,
    ) -> Result<Restored, OpenError> {
        let words = ["--exit-on-error", "--single-transaction", "--dbname"];
        let mut words: Vec<_> = words.map(Into::into).into();
        words.push(in_words(to.config().get_dbname().unwrap_or_default()).into());
        words.extend(AS_OURS.map(Into::into));
        words.push(word(self.from));
        let filled = self.program.run(&words).await;
        filled.map_err(|why| self.program.failed(&why))?;
        steps::postgres(&mut reach(to).await?, steps::POSTGRES).await?;
        let (epoch, contents) = prepare(to, options.hold, now).await?;
        Ok(Restored {
            contents,
            epoch,
            before,
        })
    }

    /// Fills a database beside the one that is there, and then changes their names. Until then nothing has happened.
    async fn put_beside(
        &self,
        there: Client,
        to: &Address,
        options: RestoreOptions,
        now: Timestamp,
    ) -> Result<Restored, OpenError> {
        let name = current_database(&there).await?;
        let micros = now.as_micros();
        let (new, before) = (
            named(&name, &format!("_restoring_{micros}")),
            named(&name, &format!("_before_{micros}")),
        );
        nobody_else_is_in(&there, to).await?;
        let server = neutral(to, &name).await?;
        create(&there, &server, to, &new).await?;
        drop(there);
        let filled = self
            .put_into(&to.in_database(&new), options, now, Some(before.clone()))
            .await;
        let done = match filled {
            Ok(restored) => change_names(&server, to, [&name, &before, &new])
                .await
                .map(|()| restored),
            Err(error) => Err(error),
        };
        if done.is_err() {
            let drop = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", quoted(&new));
            if let Err(error) = server.batch_execute(&drop).await {
                tracing::warn!(%error, database = new, "a database that was being filled is left behind");
            }
        }
        done
    }
}

/// Does with the copy what has to be done before a server opens it.
async fn prepare(to: &Address, hold: bool, now: Timestamp) -> Result<(i64, Contents), OpenError> {
    let opened = open_postgres(to.clone(), &OpenOptions::default()).await?;
    let store = SqlStore::new(Kernel::Postgres(Box::new(opened)));
    let begun = store.begin_anew_after_restore().await;
    let held = if hold { store.hold(now).await } else { Ok(()) };
    store.close().await;
    held?;
    Ok((begun?, contents(&reach(to).await?).await?))
}

/// The steps that stand in what `pg_restore` prints of the ledger; `None` if it is from before the first release.
fn steps_in(printed: &str) -> Option<Applied> {
    let mut lines = printed
        .lines()
        .skip_while(|line| !line.starts_with("COPY "));
    match lines.next() {
        None => Some(Applied::new()),
        Some(columns) if !columns.contains("oldest_program") => None,
        Some(_) => lines.take_while(|line| *line != "\\.").map(step).collect(),
    }
}

fn step(line: &str) -> Option<(String, steps::Entry)> {
    let mut cells = line.split('\t').map(str::to_owned);
    let (name, digest) = (cells.next()?, cells.next()?);
    Some(steps::entry(name, digest, cells.next()?.parse().ok()?))
}

async fn is_ours(client: &Client, from: &Address) -> Result<(), OpenError> {
    let none = |why: String| OpenError::NoBackup {
        path: from.place().into(),
        why,
    };
    let applied = steps::postgres_applied(client).await?;
    if applied.is_empty() {
        return Err(none("it holds no tables of Baton's".to_owned()));
    }
    let missing = steps::missing(steps::POSTGRES, &applied)?;
    if missing.is_empty() {
        Ok(())
    } else {
        Err(none("its schema is older than this program; copy it with the program that runs on it, or with pg_dump".to_owned()))
    }
}

async fn server_version(client: &Client) -> Result<i32, OpenError> {
    let sql = "SELECT current_setting('server_version_num')::integer / 10000";
    Ok(client.query_one(sql, &[]).await?.get(0))
}

/// A snapshot that another session can copy, and what is in it. It lasts as long as this one's transaction.
async fn snapshot(client: &Client) -> Result<(String, Contents), OpenError> {
    let begin = "SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0;
        BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    client.batch_execute(begin).await?;
    let row = client.query_one("SELECT pg_export_snapshot()", &[]).await?;
    Ok((row.get(0), contents(client).await?))
}

async fn contents(client: &Client) -> Result<Contents, OpenError> {
    let Some(counts) = sql::restore::COUNTS.postgres.first() else {
        return Err(OpenError::Refused("nothing can be counted".to_owned()));
    };
    let row = client.query_one(counts.sql, &[]).await?;
    Ok(Contents {
        jobs: row.get(0),
        unfinished: row.get(1),
        at_most_once: row.get(2),
        recipients: row.get(3),
        last_event: row.get(4),
    })
}

/// Reads a copy from its beginning to its end.
async fn is_whole(program: &Program, file: &Path) -> Result<(), String> {
    let words = ["--file=/dev/null".into(), word(file)];
    program.run(&words).await.map(drop)
}

/// Whether nobody has put anything there.
async fn is_empty(client: &Client) -> Result<bool, OpenError> {
    let sql = "SELECT NOT EXISTS (
        SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%' AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'))";
    Ok(client.query_one(sql, &[]).await?.get(0))
}

/// A server that runs would lose its database under its feet.
async fn nobody_else_is_in(client: &Client, to: &Address) -> Result<(), OpenError> {
    let sql = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
    for _ in 0..LEAVING.as_millis() / LOOK.as_millis() {
        if client.query_one(sql, &[]).await?.get::<_, i64>(0) == 0 {
            return Ok(());
        }
        sleep(LOOK).await;
    }
    Err(OpenError::Connected { place: to.place() })
}

async fn current_database(client: &Client) -> Result<String, OpenError> {
    let sql = "SELECT current_database()::text";
    Ok(client.query_one(sql, &[]).await?.get(0))
}

/// A session in another database of the server: one's own cannot be given another name.
async fn neutral(to: &Address, name: &str) -> Result<Client, OpenError> {
    let others = ["postgres", "template1"].into_iter();
    let mut refused = None;
    for other in others.filter(|other| *other != name) {
        match reach(&to.in_database(other)).await {
            Ok(client) => return Ok(client),
            Err(error) => refused = Some(error),
        }
    }
    Err(refused.unwrap_or_else(|| OpenError::Connected { place: to.place() }))
}

/// Makes an empty database as the one that is there.
async fn create(
    there: &Client,
    server: &Client,
    to: &Address,
    name: &str,
) -> Result<(), OpenError> {
    let sql = "SELECT format('ENCODING %L LC_COLLATE %L LC_CTYPE %L', pg_encoding_to_char(encoding), datcollate, datctype)
        FROM pg_database WHERE datname = current_database()";
    let like: String = there.query_one(sql, &[]).await?.get(0);
    let create = format!("CREATE DATABASE {} TEMPLATE template0 {like}", quoted(name));
    let created = server.batch_execute(&create).await;
    created.map_err(|error| match error.code() {
        Some(&SqlState::INSUFFICIENT_PRIVILEGE) => OpenError::MayNotCreate {
            user: to.config().get_user().unwrap_or_default().to_owned(),
        },
        _ => error.into(),
    })
}

/// Both names at once.
async fn change_names(
    server: &Client,
    to: &Address,
    [name, before, new]: [&str; 3],
) -> Result<(), OpenError> {
    let (name, before, new) = (quoted(name), quoted(before), quoted(new));
    let change = format!(
        "BEGIN; ALTER DATABASE {name} RENAME TO {before}; ALTER DATABASE {new} RENAME TO {name}; COMMIT"
    );
    let changed = server.batch_execute(&change).await;
    changed.map_err(|error| match error.code() {
        Some(&SqlState::OBJECT_IN_USE) => OpenError::Connected { place: to.place() },
        _ => error.into(),
    })
}

/// The name with this end, as long as a name can be.
fn named(name: &str, end: &str) -> String {
    let mut room = LONGEST_NAME.saturating_sub(end.len()).min(name.len());
    while !name.is_char_boundary(room) {
        room -= 1;
    }
    format!("{}{end}", &name[..room])
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A database as libpq takes it where the whole place could stand; where the rest is, the environment says.
fn in_words(name: &str) -> String {
    let name = name.replace('\\', "\\\\").replace('\'', "\\'");
    format!("dbname='{name}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ledger_is_read_from_what_is_printed_of_it() {
        let printed = "SET x = 1;\nCOPY public.schema_migrations (name, digest, oldest_program) FROM stdin;\n0001_a\td1\t1\n\
                       0020_b\td2\t19\n\\.\n\nSET y = 2;\n";
        let unreleased =
            "COPY public.schema_migrations (name, digest) FROM stdin;\n0001_a\td1\n\\.\n";

        let applied = steps_in(printed).unwrap();

        assert_eq!(applied.len(), 2);
        assert_eq!(applied["0001_a"].oldest, 1);
        assert_eq!(
            (&*applied["0020_b"].digest, applied["0020_b"].oldest),
            ("d2", 19)
        );
        assert_eq!(steps_in(unreleased), None);
        assert_eq!(steps_in("SET x = 1;\n"), Some(Applied::new()));
    }

    #[test]
    fn a_long_name_leaves_room_for_what_is_added() {
        assert_eq!(named("jobs", "_before_1"), "jobs_before_1");
        assert_eq!(named(&"é".repeat(31), "_before_1").len(), 63);
    }

    #[test]
    fn a_database_with_an_odd_name_is_named_as_it_is() {
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
        assert_eq!(in_words("it's"), "dbname='it\\'s'");
    }
}
