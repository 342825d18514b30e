//! Processes that are started once and do one job after the other: lines of JSON in, lines of JSON out.

use std::{io, process::Stdio, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    JobId,
    job::{Class, FieldError, Verdict},
};
use baton_ports::{Call, Handler};
use parking_lot::Mutex;
use serde_json::{Value, json, value::RawValue};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStdin, ChildStdout},
    time::Instant,
};

use super::{
    Tools,
    control::LONGEST,
    ending::{self, End, Ended},
    group::{Group, Starter},
    output::{CapturedOutput, Stream, Teller},
    rest::Rest,
    said::Conversation,
};

/// How long is waited for the last words of a process that has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Gives the jobs of its kinds to processes that go on.
pub struct LinesHandler {
    kind: &'static str,
    crew: Arc<Crew>,
}

/// The processes; those of all kinds of a worker are the same.
pub struct Crew {
    words: Vec<String>,
    recycle: u32,
    tools: Arc<Tools>,
    idle: Mutex<Vec<Process>>,
    rest: Rest,
}

/// One process.
struct Process {
    child: Child,
    group: Group,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    /// What it says on stderr, of all its jobs.
    err: Stream,
    jobs: u32,
}

/// How a job of a process ended.
enum Done {
    /// It has said so, and the process goes on.
    Said(Verdict),
    /// The process has ended, or was.
    Ended(Option<Ended>),
}

impl Crew {
    /// None yet: each is started when it is first needed, and anew after `recycle` jobs.
    pub fn new(words: Vec<String>, recycle: Option<u32>, tools: Arc<Tools>) -> Self {
        Self {
            words,
            recycle: recycle.unwrap_or(u32::MAX),
            tools,
            idle: Mutex::default(),
            rest: Rest::default(),
        }
    }

    async fn hand(&self) -> io::Result<Process> {
        loop {
            let Some(mut hand) = self.idle.lock().pop() else {
                return self.start().await;
            };
            // It may have ended while it had nothing to do.
            if hand.is_alive() {
                return Ok(hand);
            }
        }
    }

    async fn start(&self) -> io::Result<Process> {
        let mut command = Starter::command(&self.words);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let (mut child, group) = self.tools.starter.start(command).await?;
        let (stdin, stdout, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let deaf = || io::Error::other("its pipes are not there");
        Ok(Process {
            child,
            group,
            stdin: stdin.ok_or_else(deaf)?,
            stdout: BufReader::new(stdout.ok_or_else(deaf)?),
            err: Stream::read(err.ok_or_else(deaf)?, Some(Teller::new(None))),
            jobs: 0,
        })
    }

    fn put_back(&self, mut hand: Process) {
        hand.jobs += 1;
        // What it has said beyond its verdict would be taken for the next job's.
        let has_said_more = !hand.stdout.buffer().is_empty();
        if hand.jobs < self.recycle && !has_said_more {
            self.idle.lock().push(hand);
        }
    }

    fn cannot_start(&self, why: &str) -> Verdict {
        let after = self.rest.begin();
        tracing::error!(
            command = self.words[0],
            "the command cannot be started: {why}; jobs wait for {after:?}, without a try"
        );
        ending::at_rest(after)
    }
}

impl LinesHandler {
    /// For this kind.
    pub const fn new(kind: &'static str, crew: Arc<Crew>) -> Self {
        Self { kind, crew }
    }
}

#[async_trait]
impl Handler for LinesHandler {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn check(&self, _payload: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    async fn run(&self, call: Call) -> Verdict {
        let crew = &self.crew;
        if let Some(left) = crew.rest.left() {
            return ending::at_rest(left);
        }
        let mut hand = match crew.hand().await {
            Ok(hand) => hand,
            Err(error) => return crew.cannot_start(&error.to_string()),
        };
        let conversation = Conversation::about(&call, crew.tools.stopping.clone());
        let job = json!({"job": job(&call).await});
        let by = match hand.work(&job, &call, &conversation, &crew.tools).await {
            Done::Said(verdict) => {
                crew.rest.end();
                crew.put_back(hand);
                return verdict;
            }
            Done::Ended(by) => by,
        };
        if by == Some(Ended::TimedOut) {
            let tools = Arc::clone(&crew.tools);
            let lingers = tools.lingering.begin((call.args.id, call.counters.attempt));
            tokio::spawn(async move {
                let _ = hand.end(&tools).await;
                drop(lingers);
            });
            return ending::timed_out();
        }
        let status = match by {
            Some(_) => hand.end(&crew.tools).await,
            None => hand.wait().await,
        };
        let Ok(status) = status else {
            return ending::shut_down();
        };
        if status.success() && by.is_none() {
            return Verdict::failed(
                Class::Retry,
                "no_verdict",
                "the command ended before it had said how the job ended",
            );
        }
        let end = End {
            status,
            by,
            said: None,
            out: CapturedOutput::default(),
            err: hand.err.ended(Instant::now() + LAST_WORDS).await,
        };
        end.verdict()
            .unwrap_or_else(|| crew.cannot_start("see what it says on stderr"))
    }

    async fn gone(&self, job: JobId, attempt: u32) {
        self.crew.tools.lingering.gone((job, attempt)).await;
    }
}

impl Process {
    fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    async fn work(
        &mut self,
        job: &Value,
        call: &Call,
        conversation: &Conversation,
        tools: &Tools,
    ) -> Done {
        if self.say(job).await.is_err() {
            return Done::Ended(None);
        }
        let mut line = String::new();
        loop {
            let deadline = conversation.deadline();
            line.clear();
            let mut stdout = (&mut self.stdout).take(LONGEST);
            let read = stdout.read_line(&mut line);
            let read = tokio::select! {
                biased;
                read = read => read,
                () = call.cancel.cancelled() => return Done::Ended(Some(Ended::Canceled)),
                () = tools.grace_over.cancelled() => return Done::Ended(Some(Ended::Shutdown)),
                () = tokio::time::sleep_until(deadline) => return Done::Ended(Some(Ended::TimedOut)),
            };
            if !matches!(read, Ok(1..)) {
                return Done::Ended(None);
            }
            let answer = conversation.answer(&line).await;
            if let Some(said) = conversation.said() {
                return Done::Said(said.verdict());
            }
            if self.say(&answer).await.is_err() {
                return Done::Ended(None);
            }
        }
    }

    async fn say(&mut self, line: &Value) -> io::Result<()> {
        self.stdin.write_all(format!("{line}\n").as_bytes()).await?;
        self.stdin.flush().await
    }

    /// Has it end: asked at first, and then killed.
    async fn end(&mut self, tools: &Tools) -> io::Result<std::process::ExitStatus> {
        self.group.terminate();
        let kill_at = Instant::now() + tools.kill_after;
        let _ = tokio::time::timeout_at(kill_at, self.group.ended()).await;
        self.group.end();
        self.child.wait().await
    }

    async fn wait(&mut self) -> io::Result<std::process::ExitStatus> {
        let _ = self.group.ended().await;
        self.group.end();
        self.child.wait().await
    }
}

/// A job as a claim tells it.
async fn job(call: &Call) -> Value {
    let (args, counters) = (&call.args, call.counters);
    let stood = call.checkpoints.stands().await.ok().flatten();
    let checkpoint = stood.map(|stood| {
        let cursor = stood.cursor.as_deref();
        let cursor = cursor.and_then(|text| serde_json::from_str::<Value>(text).ok());
        json!({"seq": stood.seq, "era": stood.era, "cursor": cursor, "progress": stood.progress})
    });
    let payload: Option<Box<RawValue>> = serde_json::from_str(&args.payload).ok();
    json!({
        "id": args.id,
        "kind": args.kind,
        "queue": args.queue,
        "payload": payload,
        "key": args.key,
        "tags": args.options.tags,
        "attempt": counters.attempt,
        "tries": counters.tries,
        "max_attempts": args.options.max_attempts,
        "run": counters.run,
        "losses": counters.losses,
        "timeout": baton_domain::duration::format(call.timeout),
        "delivery": args.options.delivery,
        "idempotency_key": call.idempotency_key(),
        "trace": args.options.trace,
        "checkpoint": checkpoint,
    })
}
