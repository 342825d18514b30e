//! `baton serve`: runs the server, and stops it in order.

mod set_up;

use std::{path::PathBuf, sync::Arc, time::Duration};

use baton_api::OpenConnections;
use baton_domain::WorkerId;
use baton_engine::{Engine, Supervisor};
use baton_ports::{
    Watchdog,
    store::{Fleet, Nodes, Rollups},
};
use baton_providers::SpanExporter;
use baton_sql::SqlStore;
use baton_worker::{Report, Stop};
use serde_json::json;
use tokio::{task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;

use super::doctor;
use crate::{
    config::{Config, Loaded, Role},
    exit::{Exit, Failure},
    files,
    listener::{ConnectionLimits, Listener, Socket, Tls},
    output::Output,
    rights,
    shutdown::Shutdown,
    store, telemetry, watchdog,
    wiring::Node,
};

/// How long the journal of a SQLite file may take to be copied into it.
const LAST_PAGES: Duration = Duration::from_secs(30);
/// How long a collector of traces may take with the last spans, and the store with the last waits.
const LAST_SPANS: Duration = Duration::from_secs(2);
/// How long a routine may take to end its turn after a signal.
const LAST_TURN: Duration = Duration::from_secs(40);
/// How long the store may take to hear that this node stops.
const LAST_WORDS: Duration = Duration::from_secs(2);

pub async fn run(loaded: Loaded, output: &Output) -> Result<Exit, Failure> {
    let config = &loaded.config;
    telemetry::log(config);
    for warning in &loaded.warnings {
        tracing::warn!("{warning}");
    }
    if let Some(lack) = files::lack(config) {
        tracing::warn!("{lack}");
    }
    // Before anything is opened: what is made then is closed.
    for open in rights::too_wide(config) {
        tracing::warn!("{open}");
    }
    let shutdown = Shutdown::listen()?;
    let server = tokio::select! {
        server = Server::start(&loaded) => server?,
        () = shutdown.soft.cancelled() => return Ok(Exit::Interrupted),
    };
    server.announce(output);
    tokio::select! {
        // Of two signals at once the second one goes before what the first one began.
        biased;
        () = shutdown.hard.cancelled() => {
            tracing::warn!("told twice to stop: leaving at once, leases cover what still ran");
            Ok(Exit::Interrupted)
        }
        outcome = server.serve(&shutdown.soft) => outcome,
    }
}

/// A server that does everything its roles ask.
struct Server {
    node: WorkerId,
    engine: Engine,
    supervisor: Supervisor,
    worker: Option<RunningWorker>,
    listener: Option<Listener>,
    /// Where the token is that the first user is added with, while there is nobody who could sign in.
    set_up_token: Option<PathBuf>,
    database: SqlStore,
    spans: Option<Arc<SpanExporter>>,
    /// Ends what has no end of its own: streams, hints from other processes.
    stop: CancellationToken,
}

struct RunningWorker {
    stop: Stop,
    task: JoinHandle<Report>,
}

impl Server {
    async fn start(loaded: &Loaded) -> Result<Self, Failure> {
        let config = &loaded.config;
        let has = |role| config.server.roles.contains(&role);
        // The port first: a taken one is known before anything is opened.
        let socket = Socket::open(&config.server.listen).await?;
        let certificate = config.server.certificate();
        let tls = certificate.map(|(certificate, key)| Tls::open(certificate, key));
        let tls = tls.transpose()?;
        let stop = CancellationToken::new();
        let opened = store::open(config, stop.clone()).await?;
        let (database, redis) = (opened.database.clone(), opened.redis.clone());
        let node = Node::over(opened, config).await?;
        let set_up_token = set_up::offer(&node.engine, config).await?;
        // Tests of users have doors, where nobody else can come in.
        let connections = config.server.dev.then(OpenConnections::default);
        let about = doctor::about(loaded, node.store(), redis);
        let router = node.router(config, connections.as_ref(), &stop, about)?;
        let watchdog = node.engine.health_board().watchdog().clone();
        if let Some(tls) = tls.clone() {
            tokio::spawn(follow_certificate(tls, watchdog.clone(), stop.clone()));
        }
        let limits = connection_limits(config);
        let listener = Listener::start(socket, router, limits, tls, connections, &stop)?;
        tokio::spawn(watchdog::watch_threads(database.clone(), watchdog));
        let supervisor = node.supervise(config, Some(listener.url()));
        let id = node.id();
        let worker = has(Role::Worker).then(|| RunningWorker::start(&node, config));
        Ok(Self {
            node: id,
            engine: node.engine,
            supervisor,
            worker,
            listener: Some(listener),
            set_up_token,
            database,
            spans: node.spans,
            stop,
        })
    }

    /// Says on stdout that it is ready: it listens, and the store answered a moment ago.
    fn announce(&self, output: &Output) {
        let url = self.listener.as_ref().map(Listener::url);
        let token = &self.set_up_token;
        // For whoever looks; what waits for the server to be ready reads one line, and may close the pipe then.
        if let (Some(url), Some(token)) = (&url, token) {
            output.say(set_up::invitation(url, token));
        }
        match (&url, output.is_json()) {
            (url, true) => output.json(&json!({"url": url, "set_up_token": token})),
            (Some(url), false) => output.line(format!("baton is ready on {url}")),
            (None, false) => output.line("baton is ready"),
        }
    }

    /// Works until it is told to stop, then stops: takes nothing new, finishes and records what runs,
    /// gives back the rest, lets the routines end their turn, and closes the listener last, so that it
    /// can be looked at all the while.
    async fn serve(mut self, told: &CancellationToken) -> Result<Exit, Failure> {
        let watchdog = self.engine.health_board().watchdog().clone();
        let outcome = tokio::select! {
            () = told.cancelled() => Ok(Exit::Ok),
            death = watchdog.died() => Err(watchdog::failure(&death)),
            why = ended(&mut self.listener) => {
                // Its task has ended; nobody may wait for it again.
                self.listener = None;
                Err(why)
            }
        };
        tracing::info!("stopping: nothing new is taken, what runs is finished");
        self.engine.health_board().drain();
        if let Some(worker) = self.worker {
            worker.drain(watchdog::can_record(&watchdog)).await;
        }
        let last_waits = self.database.write_waits();
        if !matches!(timeout(LAST_SPANS, last_waits).await, Ok(Ok(_))) {
            tracing::debug!("how long the last jobs waited could not be written down");
        }
        if timeout(LAST_TURN, self.supervisor.stop()).await.is_err() {
            tracing::warn!("a routine did not end its turn; what it had begun the database undoes");
        }
        // Once nothing beats any more.
        let last_words = async {
            self.database.resign(self.node).await?;
            self.database.remove_node(self.node).await
        };
        if !matches!(timeout(LAST_WORDS, last_words).await, Ok(Ok(()))) {
            tracing::debug!(
                "the other nodes could not be told that this one stops; it shows as gone, and leads until its term ends"
            );
        }
        self.stop.cancel();
        if let Some(listener) = self.listener {
            listener.finish().await;
        }
        if let Some(spans) = self.spans {
            spans.finish(LAST_SPANS).await;
        }
        if timeout(LAST_PAGES, self.database.close()).await.is_err() {
            tracing::warn!(
                "the database could not be closed in time; the next start goes on from its journal"
            );
        }
        tracing::info!("stopped");
        outcome
    }
}

impl RunningWorker {
    fn start(node: &Node, config: &Config) -> Self {
        let stop = Stop::default();
        let task = tokio::spawn(node.worker(config).run(stop.clone()));
        Self { stop, task }
    }

    async fn drain(self, can_record: bool) {
        self.stop.soft.cancel();
        if !can_record {
            self.stop.hard.cancel();
        }
        match self.task.await {
            Ok(Report {
                finished,
                given_back,
                left,
            }) => tracing::info!(
                finished,
                given_back,
                left,
                "the worker has stopped: {finished} finished, {given_back} given back, {left} left to their leases"
            ),
            Err(error) => tracing::error!(
                %error,
                "the worker has ended by a mistake of its own; leases cover what it ran"
            ),
        }
    }
}

/// How many connections can be open at once.
fn connection_limits(config: &Config) -> ConnectionLimits {
    ConnectionLimits {
        all: config.server.connections,
        each_address: config.server.connections_per_address,
    }
}

/// Keeps the certificate up to date until the server stops.
async fn follow_certificate(tls: Tls, watchdog: Watchdog, stop: CancellationToken) {
    let following = async {
        stop.run_until_cancelled(tls.follow_certificate()).await;
    };
    let is_over = || stop.is_cancelled();
    watchdog.guard("certificate", is_over, following).await;
}

/// Waits until the listener ends by itself, which it should not.
async fn ended(listener: &mut Option<Listener>) -> Failure {
    match listener {
        Some(listener) => listener.ended().await,
        None => std::future::pending().await,
    }
}
