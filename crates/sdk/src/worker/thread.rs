//! The worker's own thread, with a runtime of its own, so that no handler keeps it from renewing its leases.

use std::{future::Future, io, sync::Arc, thread, time::Duration};

use baton_client::Client;
use baton_domain::{
    Clock, WorkerId,
    time::{StoreClock, SystemClock},
};
use baton_ports::{Handler, Wakeups};
use baton_protocol::remote::{PROTOCOL, RegisterWorker};
use baton_remote::{RemoteSource, Until};
use baton_worker::{Config, Report, SlotsConfig, Stop};
use tokio::{
    runtime::{Builder, Handle},
    sync::oneshot,
};

use super::{
    Worker,
    handler::{CustomHandler, Shared},
    running::RunningJobs,
    watch,
};
use crate::Error;

/// How a process ends whose handlers cannot be stopped.
pub const STUCK: i32 = 70;
/// How long handlers are waited for at the end.
const LAST_LOOK: Duration = Duration::from_secs(1);
/// How a process ends that is told twice to stop.
const INTERRUPTED: i32 = 130;

/// Whose business signals are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signals {
    OfTheProcess,
    OfTheCaller,
}

/// A worker's thread, before it has begun.
pub struct WorkerThread {
    servers: Vec<Client>,
    whom: RegisterWorker,
    handlers: Vec<Arc<dyn Handler>>,
    shared: Arc<Shared>,
    grace: Duration,
    until: Until,
    stop: Stop,
    signals: Signals,
}

impl WorkerThread {
    pub fn new(worker: Worker, runtime: Handle, stop: Stop, signals: Signals) -> Self {
        let shared = Arc::new(Shared {
            runtime,
            layers: worker.layers,
            stopping: stop.soft.clone(),
            running: Arc::new(RunningJobs::default()),
            cancels_gracefully: worker.cancels_gracefully,
        });
        let kinds: Vec<_> = worker
            .handlers
            .iter()
            .map(|(kind, _)| kind.clone())
            .collect();
        let mut queues: Vec<_> = kinds.iter().cloned().chain(worker.queues).collect();
        queues.sort_unstable();
        queues.dedup();
        let handlers = worker.handlers.into_iter().map(|(kind, innermost)| {
            Arc::new(CustomHandler {
                // It is as long as the process lives that a worker has its kinds.
                kind: Box::leak(kind.into_boxed_str()),
                innermost,
                shared: Arc::clone(&shared),
            }) as Arc<dyn Handler>
        });
        Self {
            servers: worker.app.servers(),
            handlers: handlers.collect(),
            whom: RegisterWorker {
                protocol: PROTOCOL,
                name: worker.name.unwrap_or_else(process_name),
                sdk: concat!("rust/", env!("CARGO_PKG_VERSION")).to_owned(),
                version: worker.version,
                kinds,
                queues,
                slots: worker.slots,
                labels: worker.labels,
            },
            shared,
            grace: worker.grace,
            until: worker.until,
            stop,
            signals,
        }
    }

    /// Begins it; what this returns ends with it.
    pub fn begin(self) -> Result<impl Future<Output = Result<Report, Error>>, Error> {
        let cannot = |error: io::Error| Error::Worker(format!("the worker cannot start: {error}"));
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(cannot)?;
        let (told, ended) = oneshot::channel();
        let leave = self.stop.hard.clone().drop_guard();
        let (shared, signals) = (Arc::clone(&self.shared), self.signals);
        let live = move || {
            let outcome = runtime.block_on(self.live());
            let code = if outcome.is_ok() { 0 } else { STUCK };
            let _ = told.send(outcome);
            if signals == Signals::OfTheProcess && runtime.block_on(blocks(&shared)) {
                tracing::error!(
                    "a handler that cannot be stopped would keep the process: it ends with {code}"
                );
                std::process::exit(code);
            }
        };
        let thread = thread::Builder::new().name("baton-worker".to_owned());
        thread.spawn(live).map_err(cannot)?;
        Ok(async move {
            let ended = ended.await;
            drop(leave);
            ended.unwrap_or_else(|_| Err(Error::Worker("the worker's thread has died".to_owned())))
        })
    }

    async fn live(self) -> Result<Report, Error> {
        if self.signals == Signals::OfTheProcess {
            tokio::spawn(obey(self.stop.clone(), signals()?));
        }
        let clock: Arc<dyn Clock> = Arc::new(StoreClock::<_>::starting_at(SystemClock.now()));
        let wakeups = Arc::new(Wakeups::default());
        let (id, slots) = (WorkerId::new(clock.now()), self.whom.slots);
        let name = self.whom.name.clone();
        let whom = self.whom;
        let registering =
            RemoteSource::register(self.servers, id, whom, Arc::clone(&wakeups), self.until);
        let source = tokio::select! {
            source = registering => Arc::new(source.map_err(|error| Error::not_wanted(&error))?),
            () = self.stop.asked() => return Ok(Report::default()),
        };
        let lease = source.lease();
        let config = Config {
            lease,
            slots: SlotsConfig {
                default: slots,
                ..SlotsConfig::default()
            },
            max_running: slots,
            grace: self.grace,
            prefetch: slots,
            ..Config::new(id, name, env!("CARGO_PKG_VERSION"))
        };
        let worker = baton_worker::Worker::over(
            Arc::clone(&source) as _,
            wakeups,
            clock,
            self.handlers,
            config,
        );
        let mut running = tokio::spawn(worker.run(self.stop.clone()));
        let why = tokio::select! {
            biased;
            report = &mut running => return report.map_err(|error| Error::Worker(error.to_string())),
            () = source.done() => None,
            error = source.ended() => {
                // Nobody takes what it would say; what runs is another's soon.
                self.stop.hard.cancel();
                let why = error.map_or_else(|| "it has left".to_owned(), |error| error.to_string());
                Some(Error::NotWanted(why))
            }
            stuck = watch::handlers(self.shared, slots, lease) => Some(Error::Stuck { stuck, slots }),
        };
        self.stop.soft.cancel();
        let report = running.await;
        match why {
            Some(error) => Err(error),
            None => report.map_err(|error| Error::Worker(error.to_string())),
        }
    }
}

/// Whether a handler goes on although it was stopped: the runtime it blocks cannot be left.
async fn blocks(shared: &Shared) -> bool {
    let ended = async {
        while shared.running.is_any() {
            tokio::time::sleep(LAST_LOOK / 20).await;
        }
    };
    tokio::time::timeout(LAST_LOOK, ended).await.is_err()
}

/// The machine, and the process there.
fn process_name() -> String {
    let machine = rustix::system::uname();
    let machine = machine.nodename().to_string_lossy().into_owned();
    format!("{machine}:{}", std::process::id())
}

type Listening = (tokio::signal::unix::Signal, tokio::signal::unix::Signal);

fn signals() -> Result<Listening, Error> {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind| {
        signal(kind).map_err(|error| Error::Worker(format!("no signals can be heard: {error}")))
    };
    Ok((
        listen(SignalKind::interrupt())?,
        listen(SignalKind::terminate())?,
    ))
}

/// The first signal stops the worker in order, the second ends the process.
async fn obey(stop: Stop, (mut interrupt, mut terminate): Listening) {
    for is_first in [true, false] {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        match is_first {
            true => stop.soft.cancel(),
            false => std::process::exit(INTERRUPTED),
        }
    }
}
