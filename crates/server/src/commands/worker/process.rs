//! A process for each job: the payload on its stdin, its end by the table of exit codes.

use std::{io, process::Stdio, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    JobId, Timestamp, Trace,
    job::{FieldError, Verdict},
};
use baton_ports::{Call, Handler};
use tokio::{
    io::AsyncWriteExt,
    process::{Child, Command},
    sync::oneshot,
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use super::{
    Tools,
    control::Control,
    ending::{self, End, Ended},
    group::{Group, Starter},
    lingering::{Attempt, Linger},
    output::{CapturedOutput, Stream, Teller},
    rest::Rest,
    said::Conversation,
};

/// How long what a killed group has written is still read: somebody outside of it may hold the pipe.
const LAST_BYTES: Duration = Duration::from_secs(1);

/// Starts a process for each job of a kind.
pub struct ProcessHandler {
    kind: &'static str,
    words: Vec<String>,
    tools: Arc<Tools>,
    rest: Rest,
}

impl ProcessHandler {
    /// By this command.
    pub fn new(kind: &'static str, words: Vec<String>, tools: Arc<Tools>) -> Self {
        Self {
            kind,
            words,
            tools,
            rest: Rest::default(),
        }
    }

    async fn start(&self, call: &Call, control: &Control) -> io::Result<(Child, Group)> {
        let mut command = Starter::command(&self.words);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        describe(&mut command, call, self.tools.clock.now()).await;
        command.env("BATON_CONTROL", control.path());
        self.tools.starter.start(command).await
    }

    fn cannot_start(&self, why: &str) -> Verdict {
        let after = self.rest.begin();
        tracing::error!(
            kind = self.kind,
            command = self.words[0],
            "the command of {} cannot be started: {why}; its jobs wait for {after:?}, without a try",
            self.kind
        );
        ending::at_rest(after)
    }
}

#[async_trait]
impl Handler for ProcessHandler {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn check(&self, _payload: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    async fn run(&self, call: Call) -> Verdict {
        if let Some(left) = self.rest.left() {
            return ending::at_rest(left);
        }
        let conversation = Conversation::about(&call, self.tools.stopping.clone());
        let control = match self.tools.sockets.open(Arc::clone(&conversation)) {
            Ok(control) => control,
            Err(error) => return self.cannot_start(&error.to_string()),
        };
        let (child, group) = match self.start(&call, &control).await {
            Ok(started) => started,
            Err(error) => return self.cannot_start(&error.to_string()),
        };
        let abandoned = CancellationToken::new();
        // Dropped with this call: then the lease may have ended.
        let watched = abandoned.clone().drop_guard();
        let (said, verdict) = oneshot::channel();
        let minder = Minder {
            tools: Arc::clone(&self.tools),
            conversation,
            _control: control,
            group,
            attempt: (call.args.id, call.counters.attempt),
            lingers: None,
            said: Some(said),
            by: None,
            kill_at: None,
            cancel: call.cancel.clone(),
            abandoned,
        };
        tokio::spawn(minder.mind(child, call));
        let verdict = verdict.await;
        watched.disarm();
        match verdict {
            Ok(Some(verdict)) => {
                self.rest.end();
                verdict
            }
            Ok(None) => self.cannot_start("see what it says on stderr"),
            Err(_) => ending::shut_down(),
        }
    }

    async fn gone(&self, job: JobId, attempt: u32) {
        self.tools.lingering.gone((job, attempt)).await;
    }
}

/// Says in a command's environment which job it is for.
pub async fn describe(command: &mut Command, call: &Call, now: Timestamp) {
    let (args, counters) = (&call.args, call.counters);
    let cursor = call.checkpoints.stands().await.ok().flatten();
    let deadline = (now + call.timeout).as_micros() / 1_000;
    command
        .env("BATON_JOB_ID", args.id.to_string())
        .env("BATON_KIND", &args.kind)
        .env("BATON_QUEUE", &args.queue)
        .env("BATON_ATTEMPT", counters.attempt.to_string())
        .env("BATON_TRIES", counters.tries.to_string())
        .env("BATON_MAX_ATTEMPTS", args.options.max_attempts.to_string())
        .env("BATON_RUN", counters.run.to_string())
        .env("BATON_IDEMPOTENCY_KEY", call.idempotency_key())
        .env("BATON_TIMEOUT_MS", call.timeout.as_millis().to_string())
        .env("BATON_DEADLINE_MS", deadline.to_string());
    if let Some(cursor) = cursor.and_then(|stood| stood.cursor) {
        command.env("BATON_CURSOR", cursor);
    }
    if let Some(key) = &args.key {
        command.env("BATON_JOB_KEY", key);
    }
    set_trace(command, args.options.trace.as_ref());
}

/// Says which trace a command belongs to; never that of its worker.
fn set_trace(command: &mut Command, trace: Option<&Trace>) {
    let parent = trace.map(|trace| &trace.traceparent);
    let state = trace.and_then(|trace| trace.tracestate.as_ref());
    for (name, value) in [("TRACEPARENT", parent), ("TRACESTATE", state)] {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}

/// Minds one process to its end, whoever still waits for it.
struct Minder {
    tools: Arc<Tools>,
    conversation: Arc<Conversation>,
    _control: Control,
    group: Group,
    attempt: Attempt,
    /// From the time-out on.
    lingers: Option<Linger>,
    said: Option<oneshot::Sender<Option<Verdict>>>,
    by: Option<Ended>,
    kill_at: Option<Instant>,
    cancel: CancellationToken,
    abandoned: CancellationToken,
}

impl Minder {
    async fn mind(mut self, mut child: Child, call: Call) {
        let job = call.args.id;
        let stdin = child.stdin.take();
        let payload = tokio::spawn(async move {
            if let Some(mut stdin) = stdin {
                // Whoever does not read it need not.
                let _ = stdin.write_all(call.args.payload.as_bytes()).await;
            }
        });
        let out = child.stdout.take().map(|out| Stream::read(out, None));
        let teller = Some(Teller::new(Some(job)));
        let err = child.stderr.take().map(|err| Stream::read(err, teller));
        self.until_it_ends(&mut child).await;
        // Nothing of it stays behind that would hold its pipes; not before it is waited for its id is another's.
        self.group.end();
        let status = child.wait().await;
        payload.abort();
        let (out, err) = tokio::join!(kept(out), kept(err));
        let (Some(said), Ok(status)) = (self.said.take(), status) else {
            return;
        };
        let end = End {
            status,
            by: self.by,
            said: self.conversation.said(),
            out,
            err,
        };
        let _ = said.send(end.verdict());
    }

    async fn until_it_ends(&mut self, child: &mut Child) {
        loop {
            let deadline = self.conversation.deadline();
            let kill_at = self.kill_at;
            tokio::select! {
                biased;
                () = async {
                    // Without such a handle it is waited for; its id may be another's when its group is killed.
                    if self.group.ended().await.is_err() {
                        let _ = child.wait().await;
                    }
                } => return,
                () = self.abandoned.cancelled(), if self.said.is_some() => {
                    self.group.kill();
                    self.said = None;
                }
                () = self.cancel.cancelled(), if self.by.is_none() => self.stop(Ended::Canceled),
                () = self.tools.grace_over.cancelled(), if self.by.is_none() => self.stop(Ended::Shutdown),
                () = tokio::time::sleep_until(deadline), if self.by.is_none() => {
                    if self.conversation.deadline() <= Instant::now() {
                        self.time_out();
                    }
                }
                () = async { tokio::time::sleep_until(kill_at.unwrap_or(deadline)).await }, if kill_at.is_some() => {
                    self.group.kill();
                    self.kill_at = None;
                }
            }
        }
    }

    fn stop(&mut self, by: Ended) {
        self.by = Some(by);
        self.kill_at = Some(Instant::now() + self.tools.kill_after);
        self.group.terminate();
    }

    /// What is to be said is said at once; the process is minded on.
    fn time_out(&mut self) {
        self.stop(Ended::TimedOut);
        self.lingers = Some(self.tools.lingering.begin(self.attempt));
        if let Some(said) = self.said.take() {
            let told = self.conversation.said();
            let verdict = told.map_or_else(ending::timed_out, super::said::Said::verdict);
            let _ = said.send(Some(verdict));
        }
    }
}

async fn kept(stream: Option<Stream>) -> CapturedOutput {
    match stream {
        Some(stream) => stream.ended(Instant::now() + LAST_BYTES).await,
        None => CapturedOutput::default(),
    }
}
