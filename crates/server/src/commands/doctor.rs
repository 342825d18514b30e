//! `baton doctor`: looks for what would keep a server from working.

mod live;
mod running;
mod settings;
mod sign_in;
mod traces;

pub use live::about;

use std::{fs, path::Path, time::Instant};

use baton_domain::{Clock, Timestamp, time::SystemClock};
use baton_ports::{
    Store,
    store::{self as store_port, Durability, Schema},
};
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    commands::migrate,
    config::{Config, Loaded, Redis, Role},
    exit::{Exit, Failure},
    files,
    output::Output,
    redis, rights,
    store::{self, Opened},
};

/// A node's clock that is further off than this deserves a look.
const CLOCK_TOLERANCE_MS: u128 = 1_000;

/// How safe is what the database has confirmed.
const DURABILITY: &str = "durability";

/// What becomes of a clock that is put forward or back.
const FOLLOWED: &str = "Servers go by the database's and follow a step of it in both directions within seconds, as /readyz tells";

/// How something was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Mark {
    Good,
    Odd,
    Bad,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    mark: Mark,
    subject: String,
    message: String,
}

impl Finding {
    fn new(mark: Mark, subject: &str, message: impl Into<String>) -> Self {
        Self {
            mark,
            subject: subject.to_owned(),
            message: message.into(),
        }
    }
}

pub async fn run(loaded: Loaded, output: &Output) -> Result<Exit, Failure> {
    let config = &loaded.config;
    let mut findings = machine(config);
    if config.server.roles.contains(&Role::Api) {
        findings.extend(running::port(config).await);
    }
    let (of_database, time) = database(config).await;
    findings.extend(of_database);
    if !config.redis.url.is_empty() {
        let now = time.unwrap_or_else(|| SystemClock.now());
        findings.extend(redis(config, now).await);
    }
    findings.extend(Box::pin(sign_in::provider(config)).await);
    findings.extend(Box::pin(traces::collector(config)).await);
    let odd = |warning: &String| Finding::new(Mark::Odd, "settings", warning);
    findings.extend(loaded.warnings.iter().map(odd));
    show(&findings, output);
    settings::show(&loaded, output);
    if findings.iter().any(|finding| finding.mark == Mark::Bad) {
        return Ok(Exit::Failure);
    }
    Ok(Exit::Ok)
}

/// What the machine has for a server: where its data goes, who gets at it, and how many files it can open.
fn machine(config: &Config) -> Vec<Finding> {
    let mut findings = vec![data_folder(&config.server.data_dir)];
    findings.extend(open_to_others(config));
    findings.push(open_files(config));
    findings
}

/// What the data rests in and others on this machine get at.
fn open_to_others(config: &Config) -> impl Iterator<Item = Finding> {
    let told = rights::too_wide(config).into_iter();
    told.map(|message| Finding::new(Mark::Odd, "data folder", message))
}

fn open_files(config: &Config) -> Finding {
    if let Some(lack) = files::lack(config) {
        return Finding::new(Mark::Odd, "files", lack);
    }
    let message = match files::allowed() {
        Some(allowed) => format!(
            "{allowed} can be open at once, and {} at most are needed",
            files::needed(config)
        ),
        None => "as many can be open at once as are needed".to_owned(),
    };
    Finding::new(Mark::Good, "files", message)
}

fn data_folder(folder: &Path) -> Finding {
    let subject = "data folder";
    let place = folder.display();
    // The folder need not be there yet: then the nearest one above it has to take it.
    let existing = folder.ancestors().find(|path| path.is_dir());
    let existing = existing.unwrap_or_else(|| Path::new("."));
    let probe = tempfile::Builder::new()
        .prefix(".baton-doctor")
        .tempfile_in(existing);
    match probe {
        Ok(_) if existing == folder => {
            Finding::new(Mark::Good, subject, format!("{place} can be written"))
        }
        Ok(_) => Finding::new(Mark::Good, subject, format!("{place} can be made")),
        Err(error) => Finding::new(
            Mark::Bad,
            subject,
            format!(
                "{place} cannot be written: {error}. Name another one with --data-dir, or let this user write it"
            ),
        ),
    }
}

/// What the database is like, and its time if it told.
async fn database(config: &Config) -> (Vec<Finding>, Option<Timestamp>) {
    let mut findings = vec![schema(config).await];
    if findings[0].subject != "schema" || findings[0].mark != Mark::Good {
        return (findings, None);
    }
    let mut lenient = config.clone();
    // What is unsafe is to be found, not to be refused.
    lenient.database.allow_unsafe = true;
    lenient.database.migrate = false;
    lenient.redis = Redis::default();
    let mut time = None;
    match store::open(&lenient, CancellationToken::new()).await {
        Ok(Opened {
            store, database, ..
        }) => {
            findings.extend(inside(&*store, config).await);
            time = store.time().await.ok();
            database.close().await;
        }
        Err(failure) if failure.exit == Exit::Conflict => {
            findings.push(Finding::new(Mark::Odd, "database", failure.what()));
        }
        Err(failure) => findings.push(Finding::new(Mark::Bad, "database", failure.what())),
    }
    (findings, time)
}

/// Whether the database is there, and its schema the one of this version.
async fn schema(config: &Config) -> Finding {
    let url = &config.database.url;
    // Opening would make the file; a doctor changes nothing.
    if url
        .file()
        .is_some_and(|file| !fs::exists(file).unwrap_or(true))
    {
        let message = format!("{url} is not there yet; the first start makes it");
        return Finding::new(Mark::Good, "database", message);
    }
    match store::schema(&config.database).await {
        Ok(schema) if schema.pending.is_empty() => {
            Finding::new(Mark::Good, "schema", migrate::stands(&schema))
        }
        Ok(schema) if url.file().is_some() => {
            let message = format!("{}; the next start adds it", lacks(&schema));
            Finding::new(Mark::Odd, "schema", message)
        }
        Ok(schema) => {
            let message = format!("{}. Run `baton migrate`", lacks(&schema));
            Finding::new(Mark::Bad, "schema", message)
        }
        Err(failure) => Finding::new(Mark::Bad, "database", failure.what()),
    }
}

fn lacks(schema: &Schema) -> String {
    format!(
        "is of generation {}, this program of {}: it lacks {}",
        schema.generation,
        schema.program,
        schema.pending.join(", ")
    )
}

/// Nothing about Redis keeps a server from working, so nothing is worse than odd.
async fn redis(config: &Config, now: Timestamp) -> Vec<Finding> {
    let url = &config.redis.url;
    let stop = CancellationToken::new();
    // Also when nobody waits for the findings any more.
    let _stopped = stop.clone().drop_guard();
    let hints = match redis::meet(url, Uuid::nil(), stop).await {
        Ok(hints) => hints,
        Err(failure) => return vec![Finding::new(Mark::Bad, "redis", failure.what())],
    };
    let found = hints.findings(now).await;
    found.into_iter().map(shown).collect()
}

async fn inside(store: &dyn Store, config: &Config) -> Vec<Finding> {
    if let Err(error) = store.time().await {
        return vec![Finding::new(Mark::Bad, "database", error.to_string())];
    }
    let mut findings = vec![Finding::new(
        Mark::Good,
        "database",
        format!("{} answers", config.database.url),
    )];
    findings.extend(connection(config));
    match store.durability().await {
        Ok(level) => findings.push(durability(level, config.database.allow_unsafe)),
        Err(error) => findings.push(Finding::new(Mark::Bad, DURABILITY, error.to_string())),
    }
    match store.findings().await {
        Ok(found) => {
            // How safe it is was said already, with what the settings accept.
            let rest = found.into_iter().filter(|one| one.subject != DURABILITY);
            findings.extend(rest.map(shown));
        }
        Err(error) => findings.push(Finding::new(Mark::Bad, "database", error.to_string())),
    }
    findings.push(clock(store).await);
    findings
}

/// Who could listen to what is said to the database.
fn connection(config: &Config) -> Option<Finding> {
    let exposed = baton_sql::exposure(config.database.url.reveal()).ok()?;
    Some(match exposed {
        Some(why) => {
            let message = format!(
                "is open to whoever is on the way: {why}; the settings accept that. Better is sslmode=verify-full"
            );
            Finding::new(Mark::Odd, "connection", message)
        }
        None if config.database.url.file().is_some() => return None,
        None => {
            let message = "stays on this machine, or is encrypted and verified";
            Finding::new(Mark::Good, "connection", message)
        }
    })
}

fn shown(finding: store_port::Finding) -> Finding {
    let mark = if finding.is_good {
        Mark::Good
    } else {
        Mark::Odd
    };
    Finding::new(mark, &finding.subject, finding.message)
}

fn durability(level: Durability, is_accepted: bool) -> Finding {
    let (mark, message) = match level {
        Durability::Quorum => (
            Mark::Good,
            "what is confirmed survives the loss of a machine",
        ),
        Durability::Node => (
            Mark::Good,
            "what is confirmed survives the crash of the machine",
        ),
        Durability::Unsafe if is_accepted => (
            Mark::Odd,
            "what is confirmed can be lost when the machine crashes; the settings accept that",
        ),
        Durability::Unsafe => (
            Mark::Bad,
            "what is confirmed can be lost when the machine crashes; mend the database's settings",
        ),
    };
    Finding::new(mark, DURABILITY, format!("{}: {message}", level.as_str()))
}

async fn clock(store: &dyn Store) -> Finding {
    let asked = Instant::now();
    let answered = match store.time().await {
        Ok(answered) => answered,
        Err(error) => return Finding::new(Mark::Bad, "clock", error.to_string()),
    };
    let round_trip = asked.elapsed();
    let here = SystemClock.now() - round_trip / 2;
    let offset = here.since(answered).max(answered.since(here)).as_millis();
    let message = format!(
        "the database's clock and this machine's are {offset} ms apart (known to {} ms)",
        round_trip.as_millis() / 2
    );
    let message = format!("{message}. {FOLLOWED}");
    if offset > CLOCK_TOLERANCE_MS {
        return Finding::new(Mark::Odd, "clock", format!("{message}; synchronise both"));
    }
    Finding::new(Mark::Good, "clock", message)
}

fn show(findings: &[Finding], output: &Output) {
    if output.is_json() {
        findings.iter().for_each(|finding| output.json(finding));
        return;
    }
    for finding in findings {
        let mark = match finding.mark {
            Mark::Good => "ok  ",
            Mark::Odd => "odd ",
            Mark::Bad => "BAD ",
        };
        output.line(format!("{mark} {}: {}", finding.subject, finding.message));
    }
}
