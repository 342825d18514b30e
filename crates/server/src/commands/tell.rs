//! `baton tell`: what a job's command says to its worker while it runs.

use std::{env, fs, path::Path};

use baton_domain::{
    Json,
    checkpoint::Progress,
    job::{Class, JobSpec},
};
use baton_protocol::remote::VerdictWord;
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::UnixStream,
};

use super::worker::said::{Line, Move, Said};
use crate::{
    cli::TellCommand,
    exit::{Exit, Failure},
    output::Output,
};

/// Where the socket is.
const CONTROL: &str = "BATON_CONTROL";

pub async fn run(command: TellCommand, output: &Output) -> Result<Exit, Failure> {
    let Some(path) = env::var_os(CONTROL) else {
        return Err(Failure::usage(format!("{CONTROL} names no socket"))
            .then("`baton tell` is for commands that `baton worker` has started."));
    };
    let line = line(command)?;
    let answer = ask(Path::new(&path), &line).await?;
    if output.is_json() {
        output.json(&answer);
    }
    read(&answer)
}

fn line(command: TellCommand) -> Result<Line, Failure> {
    Ok(match command {
        TellCommand::Checkpoint {
            cursor,
            jobs,
            progress,
        } => Line::Checkpoint {
            checkpoint: Move {
                cursor: cursor_of(&cursor)?,
                progress: progress.map(|share| progress_of(share, None)),
                jobs: jobs
                    .as_deref()
                    .map(jobs_of)
                    .transpose()?
                    .unwrap_or_default(),
            },
        },
        TellCommand::Progress { progress, note } => Line::Progress {
            progress: progress_of(progress, note),
        },
        TellCommand::RetryAfter { after } => Line::Verdict(Said {
            class: Some(Class::Throttled),
            code: Some("retry_after".to_owned()),
            message: Some("the command asked for it".to_owned()),
            retry_after: Some(after),
            ..Said::new(VerdictWord::Failed)
        }),
        TellCommand::Skip { why } => Line::Verdict(Said {
            why: Some(why),
            ..Said::new(VerdictWord::Skipped)
        }),
        TellCommand::Fail { code, message } => Line::Verdict(Said {
            class: Some(Class::Permanent),
            code: Some(code),
            message: Some(message),
            ..Said::new(VerdictWord::Failed)
        }),
    })
}

fn cursor_of(text: &str) -> Result<Json, Failure> {
    match serde_json::from_str::<Value>(text) {
        Ok(_) => Ok(Json::from_text(text)),
        Err(error) => Err(Failure::usage(format!("the cursor is no JSON: {error}"))),
    }
}

fn progress_of((done, total): (u64, Option<u64>), note: Option<String>) -> Progress {
    Progress { done, total, note }
}

/// A job a line.
fn jobs_of(file: &Path) -> Result<Vec<JobSpec>, Failure> {
    let cannot = |error| Failure::usage(format!("{} cannot be read: {error}", file.display()));
    let text = fs::read_to_string(file).map_err(cannot)?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let jobs = lines.map(|(number, line)| {
        serde_json::from_str(line).map_err(|error| {
            let place = format!("line {} of {}", number + 1, file.display());
            Failure::usage(format!("{place} is no job: {error}"))
        })
    });
    jobs.collect()
}

async fn ask(path: &Path, line: &Line) -> Result<Value, Failure> {
    let gone = |error: &dyn std::fmt::Display| {
        Failure::new(format!("the worker does not answer: {error}")).exit(Exit::Unreachable)
    };
    let stream = UnixStream::connect(path);
    let mut stream = BufReader::new(stream.await.map_err(|error| gone(&error))?);
    let text = serde_json::to_string(line).map_err(|error| gone(&error))?;
    let asked = stream.write_all(format!("{text}\n").as_bytes()).await;
    asked.map_err(|error| gone(&error))?;
    let mut answer = String::new();
    let read = stream.read_line(&mut answer).await;
    read.map_err(|error| gone(&error))?;
    serde_json::from_str(&answer).map_err(|error| gone(&error))
}

fn read(answer: &Value) -> Result<Exit, Failure> {
    if answer["saved"] == "refused" {
        let errors = answer["errors"].as_array().into_iter().flatten();
        let errors = errors.map(|error| {
            let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
            format!("{}: {}", text("field"), text("message"))
        });
        let failure = Failure::new("it is refused, and nothing of it is written");
        return Err(errors.fold(failure.exit(Exit::Invalid), Failure::then));
    }
    match answer["stop"].is_null() {
        true => Ok(Exit::Ok),
        false => Ok(Exit::Stop),
    }
}
