//! The program that remote workers of the lab give their jobs to: it walks, and writes down what it saw.

use std::{
    fs::File,
    io::{self, BufRead, Write},
    path::Path,
    thread::sleep,
    time::Duration,
};

use baton_lab::checker::{Did, ObservedAttempt, WALK};
use serde_json::{Value, json};

use crate::{Failure, now_us};

/// How long the work of an item takes, and that of a chunk of a walk.
const WORK: Duration = Duration::from_millis(2);
const CHUNK_WORK: Duration = Duration::from_millis(30);

/// Does jobs as lines of JSON on stdin and stdout until stdin ends, for the worker of this name.
pub fn run(log: &Path, worker: &str) -> Result<(), Failure> {
    let cannot =
        |error: io::Error| Failure::new(format!("the lab's program cannot go on: {error}"));
    let log = File::options().create(true).append(true).open(log);
    let mut program = Program {
        log: log.map_err(cannot)?,
        worker: worker.to_owned(),
        lines: io::stdin().lock().lines(),
    };
    while let Some(line) = program.lines.next() {
        program.work(&line.map_err(cannot)?).map_err(cannot)?;
    }
    Ok(())
}

struct Program<L> {
    log: File,
    worker: String,
    lines: L,
}

/// An attempt of a job.
struct Attempt {
    job: String,
    attempt: u32,
}

impl<L: Iterator<Item = io::Result<String>>> Program<L> {
    fn work(&mut self, line: &str) -> io::Result<()> {
        let line: Value = serde_json::from_str(line)?;
        let job = &line["job"];
        let attempt = Attempt {
            job: job["id"].as_str().unwrap_or_default().to_owned(),
            attempt: job["attempt"].as_u64().unwrap_or_default() as u32,
        };
        let cursor = job["checkpoint"]["cursor"].as_u64().unwrap_or(0);
        self.saw(&attempt, Did::Began(cursor))?;
        let verdict = if job["kind"] == WALK {
            self.walk(&attempt, job, cursor)?
        } else {
            sleep(WORK);
            accepted()
        };
        say(&verdict)
    }

    /// Walks on from a cursor; how it ends.
    fn walk(&mut self, attempt: &Attempt, job: &Value, cursor: u64) -> io::Result<Value> {
        let number = |name: &str| job["payload"][name].as_u64().unwrap_or(1).max(1);
        let (items, chunk) = (number("items"), number("chunk"));
        let key = job["payload"]["key"].as_str().unwrap_or_default();
        let mut cursor = cursor;
        while cursor < items {
            sleep(CHUNK_WORK);
            let next = (cursor + chunk).min(items);
            let jobs = (cursor..next).map(|item| {
                json!({"kind": "lab.item", "payload": {"item": item}, "key": format!("{key}-{item}")})
            });
            let jobs: Vec<_> = jobs.collect();
            self.saw(attempt, Did::Asked(next))?;
            say(&json!({"checkpoint": {"cursor": next, "jobs": jobs}}))?;
            let answer = self.lines.next().ok_or(io::ErrorKind::UnexpectedEof)??;
            let answer: Value = serde_json::from_str(&answer)?;
            if answer["saved"] != "recorded" {
                // Of one whose lease is lost nobody hears.
                let why = answer["saved"].as_str().unwrap_or("no_answer");
                return Ok(
                    json!({"verdict": "failed", "class": "retry", "code": why, "message": why}),
                );
            }
            self.saw(attempt, Did::Saved(next))?;
            cursor = next;
            if !answer["stop"].is_null() && cursor < items {
                return Ok(json!({"verdict": "snoozed", "after": "1s"}));
            }
        }
        Ok(accepted())
    }

    /// One write for each line, so that whoever is killed leaves no half of one.
    fn saw(&mut self, attempt: &Attempt, did: Did) -> io::Result<()> {
        let sight = ObservedAttempt {
            at_us: now_us(),
            worker: self.worker.clone(),
            job: attempt.job.clone(),
            attempt: attempt.attempt,
            did,
        };
        self.log.write_all(format!("{}\n", json!(sight)).as_bytes())
    }
}

fn accepted() -> Value {
    json!({"verdict": "accepted"})
}

fn say(line: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(format!("{line}\n").as_bytes())?;
    out.flush()
}
