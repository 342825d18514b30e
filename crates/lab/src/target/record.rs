//! What the target writes down: each arrival, and how its answer went.

use std::{
    collections::{BTreeMap, HashMap},
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::Path,
    sync::Arc,
};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::{Reply, Script};
use crate::clock::now_us;

/// One request that reached the target whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrival {
    /// When it had been read, in microseconds since 1970.
    pub at_us: i64,
    /// Its `Idempotency-Key`; empty if it had none.
    pub key: String,
    /// Its `Baton-Job-Id`; empty if it had none.
    pub job_id: String,
    /// Its `Baton-Attempt`; 0 if it had none.
    pub attempt: u32,
    /// Its path.
    pub path: String,
    /// What the script asked for.
    pub answer: Answer,
    /// The `Retry-After` of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_s: Option<u32>,
    /// When the answer had been written or had failed; `None` if neither was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_us: Option<i64>,
    /// Whether the answer was written whole. A reset or a silence never is.
    pub answered: bool,
}

/// What an arrival got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// This status.
    Status(u16),
    /// A reset connection.
    Reset,
    /// Silence.
    Hang,
}

/// What a request says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestInfo {
    /// Its path.
    pub path: String,
    /// Its `Idempotency-Key`.
    pub key: String,
    /// Its `Baton-Job-Id`.
    pub job_id: String,
    /// Its `Baton-Attempt`.
    pub attempt: u32,
}

/// A line of the log.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
enum Line {
    Arrived {
        no: usize,
        #[serde(flatten)]
        arrival: Arrival,
    },
    Ended {
        no: usize,
        at_us: i64,
        answered: bool,
    },
}

/// All that was written down.
#[derive(Debug)]
pub(super) struct Record {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    arrivals: Vec<Arrival>,
    by_key: HashMap<String, u32>,
    by_path: BTreeMap<String, u64>,
    log: Option<File>,
}

/// An arrival that waits for its answer. Dropped without a word, it counts as unanswered.
#[derive(Debug)]
pub(super) struct Open {
    record: Arc<Record>,
    no: usize,
    answered: bool,
}

impl Record {
    pub(super) fn open(log: Option<&Path>) -> io::Result<Self> {
        let log = log.map(File::create).transpose()?;
        Ok(Self {
            inner: Mutex::new(Inner {
                log,
                ..Inner::default()
            }),
        })
    }

    /// Counts the arrival under its key, decides what it gets, and writes both down.
    pub(super) fn arrived(self: &Arc<Self>, told: RequestInfo) -> (Reply, Open) {
        let mut inner = self.inner.lock();
        let nth = inner.count(&told);
        let reply = match Script::parse(&told.path) {
            Some(script) => script.answer(nth),
            None => Reply::status(404),
        };
        let no = inner.arrivals.len();
        let arrival = arrival(told, reply);
        inner.write(&Line::Arrived {
            no,
            arrival: arrival.clone(),
        });
        inner.arrivals.push(arrival);
        let open = Open {
            record: Arc::clone(self),
            no,
            answered: false,
        };
        (reply, open)
    }

    pub(super) fn arrivals(&self) -> Vec<Arrival> {
        self.inner.lock().arrivals.clone()
    }

    pub(super) fn total(&self) -> usize {
        self.inner.lock().arrivals.len()
    }

    pub(super) fn arrivals_of(&self, key: &str) -> u32 {
        self.inner.lock().by_key.get(key).copied().unwrap_or(0)
    }

    pub(super) fn by_path(&self) -> BTreeMap<String, u64> {
        self.inner.lock().by_path.clone()
    }
}

fn arrival(told: RequestInfo, reply: Reply) -> Arrival {
    let (answer, retry_after_s) = match reply {
        Reply::Status {
            code, retry_after, ..
        } => (Answer::Status(code), retry_after),
        Reply::Reset => (Answer::Reset, None),
        Reply::Hang => (Answer::Hang, None),
    };
    Arrival {
        at_us: now_us(),
        key: told.key,
        job_id: told.job_id,
        attempt: told.attempt,
        path: told.path,
        answer,
        retry_after_s,
        ended_us: None,
        answered: false,
    }
}

impl Inner {
    /// A request without a key is counted under its path: there is nothing else to know it by.
    fn count(&mut self, told: &RequestInfo) -> u32 {
        let path = told.path.split('?').next().unwrap_or_default();
        *self.by_path.entry(path.to_owned()).or_default() += 1;
        let name = if told.key.is_empty() {
            &told.path
        } else {
            &told.key
        };
        let nth = self.by_key.entry(name.clone()).or_default();
        *nth += 1;
        *nth
    }

    /// One write per line, unbuffered: what is in the file survives a kill of this process.
    fn write(&mut self, line: &Line) {
        let Some(log) = &mut self.log else { return };
        let written = serde_json::to_vec(line)
            .map_err(io::Error::from)
            .and_then(|mut text| {
                text.push(b'\n');
                log.write_all(&text)
            });
        if let Err(error) = written {
            eprintln!("the target's log cannot be written and ends here: {error}");
            self.log = None;
        }
    }
}

impl Open {
    /// The answer was written whole.
    pub(super) fn answered(mut self) {
        self.answered = true;
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let mut inner = self.record.inner.lock();
        let at_us = now_us();
        let arrival = &mut inner.arrivals[self.no];
        arrival.ended_us = Some(at_us);
        arrival.answered = self.answered;
        inner.write(&Line::Ended {
            no: self.no,
            at_us,
            answered: self.answered,
        });
    }
}

/// Reads a log back. A last line that was torn by a kill is left out.
///
/// # Errors
/// When the file cannot be read, or a line in its midst is not a line of this log.
pub fn read_log(path: &Path) -> io::Result<Vec<Arrival>> {
    let mut arrivals = Vec::new();
    let mut lines = BufReader::new(File::open(path)?).lines().peekable();
    while let Some(text) = lines.next() {
        match serde_json::from_str(&text?) {
            Ok(Line::Arrived { arrival, .. }) => arrivals.push(arrival),
            Ok(Line::Ended {
                no,
                at_us,
                answered,
            }) => {
                if let Some(arrival) = arrivals.get_mut(no) {
                    arrival.ended_us = Some(at_us);
                    arrival.answered = answered;
                }
            }
            Err(_) if lines.peek().is_none() => break,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(arrivals)
}
