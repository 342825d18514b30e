//! `baton worker`: does jobs of custom kinds by commands, or by a service beside it.

mod control;
mod ending;
mod group;
mod http;
mod http_control;
pub mod keeper;
mod lines;
mod lingering;
mod listener;
mod output;
mod process;
mod rest;
pub mod said;

use std::{sync::Arc, time::Duration};

use baton_client::Client;
use baton_domain::{
    Clock, WorkerId,
    time::{StoreClock, SystemClock},
};
use baton_ports::{Handler, Wakeups};
use baton_protocol::remote::{PROTOCOL, RegisterWorker};
use baton_remote::{RemoteSource, Until};
use baton_worker::{Config, Report, SlotsConfig, Stop, Worker};
use tokio_util::sync::CancellationToken;

use crate::{
    cli::{Globals, WorkerArgs},
    config,
    exit::{Exit, Failure},
    output::Output,
    remote,
    shutdown::Shutdown,
    telemetry, wiring,
};
use control::Sockets;
use group::Starter;
use http::{PostHandler, Service};
use lines::{Crew, LinesHandler};
use lingering::Lingering;
use process::ProcessHandler;

/// What the handlers of a worker share.
pub struct Tools {
    starter: Starter,
    sockets: Sockets,
    clock: Arc<dyn Clock>,
    lingering: Arc<Lingering>,
    /// How long after TERM a command is killed.
    kill_after: Duration,
    /// Fires when the worker stops.
    stopping: CancellationToken,
    /// Fires when what runs had its time to end.
    grace_over: CancellationToken,
}

pub async fn run(args: WorkerArgs, globals: &Globals, output: &Output) -> Result<Exit, Failure> {
    telemetry::log_as(&log_level(), config::LogFormat::Auto);
    let servers = remote::clients(globals, output)?;
    let shutdown = Shutdown::listen()?;
    let clock: Arc<dyn Clock> = Arc::new(StoreClock::<_>::starting_at(SystemClock.now()));
    let tools = tools(&args, Arc::clone(&clock))?;
    let handlers = handlers(&args, &tools)?;
    let wakeups = Arc::new(Wakeups::default());
    let registering = register(servers, &args, &*clock, Arc::clone(&wakeups));
    let source = tokio::select! {
        source = registering => Arc::new(source?),
        () = shutdown.soft.cancelled() => return Ok(Exit::Interrupted),
    };
    let worker = Worker::over(
        Arc::clone(&source) as _,
        wakeups,
        clock,
        handlers,
        config_of(&args, &source),
    );
    if let Some(address) = args.listen {
        listener::start(address, worker.status(), output).await?;
    }
    announce(&args, &source, output);
    let stop = Stop::default();
    let task = tokio::spawn(worker.run(stop.clone()));
    work(&source, &shutdown, &stop, &tools, args.grace, task).await
}

/// As a server takes it from its environment.
fn log_level() -> String {
    std::env::var("BATON_LOG").unwrap_or_else(|_| "info".to_owned())
}

fn tools(args: &WorkerArgs, clock: Arc<dyn Clock>) -> Result<Arc<Tools>, Failure> {
    let cannot = |error| Failure::new(format!("no commands can be started: {error}"));
    let sockets = Sockets::new().map_err(cannot)?;
    Ok(Arc::new(Tools {
        starter: Starter::new(sockets.folder()).map_err(cannot)?,
        sockets,
        clock,
        lingering: Arc::default(),
        kill_after: args.kill_after,
        stopping: CancellationToken::new(),
        grace_over: CancellationToken::new(),
    }))
}

/// One for each kind, all of which do the same.
fn handlers(args: &WorkerArgs, tools: &Arc<Tools>) -> Result<Vec<Arc<dyn Handler>>, Failure> {
    let words = match &args.exec {
        Some(text) => vec!["sh".to_owned(), "-c".to_owned(), text.clone()],
        None => args.command.clone(),
    };
    let crew = Crew::new(words.clone(), args.recycle, Arc::clone(tools));
    let crew = Arc::new(crew);
    let service = args.http.as_ref().map(|url| Service::new(url, tools));
    let service = service.transpose()?.map(Arc::new);
    let handlers = args.kinds.iter().map(|kind| {
        // It is as long as the process lives that a worker has its kinds.
        let kind: &'static str = Box::leak(kind.clone().into_boxed_str());
        match &service {
            Some(service) => {
                Arc::new(PostHandler::new(kind, Arc::clone(service))) as Arc<dyn Handler>
            }
            None if args.lines => Arc::new(LinesHandler::new(kind, Arc::clone(&crew))),
            None => Arc::new(ProcessHandler::new(kind, words.clone(), Arc::clone(tools))),
        }
    });
    Ok(handlers.collect())
}

async fn register(
    servers: Vec<Client>,
    args: &WorkerArgs,
    clock: &dyn Clock,
    wakeups: Arc<Wakeups>,
) -> Result<RemoteSource, Failure> {
    let queues = args.kinds.iter().chain(&args.queues).cloned();
    let whom = RegisterWorker {
        protocol: PROTOCOL,
        name: args.name.clone().unwrap_or_else(wiring::process_name),
        sdk: concat!("baton/", env!("CARGO_PKG_VERSION")).to_owned(),
        version: None,
        kinds: args.kinds.clone(),
        queues: queues.collect(),
        slots: args.slots,
        labels: args.labels.iter().cloned().collect(),
    };
    let until = Until {
        jobs: args.once,
        is_empty: args.until_empty,
    };
    let worker = WorkerId::new(clock.now());
    Ok(RemoteSource::register(servers, worker, whom, wakeups, until).await?)
}

fn config_of(args: &WorkerArgs, source: &RemoteSource) -> Config {
    let version = env!("CARGO_PKG_VERSION");
    Config {
        lease: source.lease(),
        slots: SlotsConfig {
            default: args.slots,
            ..SlotsConfig::default()
        },
        max_running: args.slots,
        // Until the last command was killed, and a little to say so.
        grace: (args.grace + args.kill_after).mul_f64(1.25) + Duration::from_secs(5),
        prefetch: args.slots,
        ..Config::new(source.worker(), wiring::process_name(), version)
    }
}

fn announce(args: &WorkerArgs, source: &RemoteSource, output: &Output) {
    let (worker, kinds) = (source.worker(), args.kinds.join(", "));
    if output.is_json() {
        output.json(&serde_json::json!({"worker": worker, "kinds": args.kinds}));
    } else {
        output.line(format!("{worker} is ready for {kinds}"));
    }
}

/// Works until it is told to stop, has done what it was to do, or is not wanted any more.
async fn work(
    source: &RemoteSource,
    shutdown: &Shutdown,
    stop: &Stop,
    tools: &Tools,
    grace: Duration,
    mut task: tokio::task::JoinHandle<Report>,
) -> Result<Exit, Failure> {
    let outcome = tokio::select! {
        biased;
        () = shutdown.soft.cancelled() => Ok(Exit::Ok),
        () = source.done() => Ok(Exit::Ok),
        error = source.ended() => Err(error),
        ended = &mut task => return Err(Failure::new(format!("the worker has ended by a mistake of its own: {ended:?}"))),
    };
    tools.stopping.cancel();
    if let Err(error) = outcome {
        // Nobody takes what it would say; what runs is another's soon.
        stop.hard.cancel();
        let _ = task.await;
        return Err(error.map_or_else(|| Failure::new("the worker is not wanted"), Failure::from));
    }
    stop.soft.cancel();
    let grace_over = async {
        tokio::time::sleep(grace).await;
        tools.grace_over.cancel();
        std::future::pending::<()>().await;
    };
    tokio::select! {
        biased;
        () = shutdown.hard.cancelled() => {
            stop.hard.cancel();
            tracing::warn!("told twice to stop: leaving at once, leases cover what still ran");
            return Ok(Exit::Interrupted);
        }
        report = task => told(report.ok()),
        () = grace_over => {}
    }
    Ok(Exit::Ok)
}

fn told(report: Option<Report>) {
    if let Some(Report {
        finished,
        given_back,
        left,
    }) = report
    {
        tracing::info!(
            finished,
            given_back,
            left,
            "the worker has stopped: {finished} finished, {given_back} given back, {left} left to their leases"
        );
    }
}
