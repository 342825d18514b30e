//! How the parts are put together: a node over a store, its API, its worker.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{Router, response::Redirect, routing::get};
use baton_api::{Access, Doors, OpenConnections, Options, Pages};
use baton_console::About;
use baton_domain::{Clock, Timestamp, WorkerId, access::Actor, node, time::StoreClock};
use baton_engine::{Engine, Settings, SnapshotCache, Streams, Supervisor};
use baton_ports::{Handler, Hints, Store, Tracer, Wakeups, Watchdog, labels};
use baton_providers::{
    Authorities, Collector, DeliveryHandler, HttpConfig, Oidc, OriginLimit, Providers,
    SimulateConfig, SpanExporter, StartError, provider::begin_to_measure,
};
use baton_sql::SqlStore;
use baton_worker::{SlotsConfig, Worker};
use tokio_util::sync::CancellationToken;

use crate::{
    config::{Config, ProviderKind, Role},
    exit::Failure,
    store::Opened,
    telemetry,
};

/// The parts that every role shares.
pub struct Node {
    pub engine: Engine,
    store: Arc<dyn Store>,
    database: SqlStore,
    wakeups: Arc<Wakeups>,
    hints: Option<Arc<dyn Hints>>,
    clock: Arc<StoreClock>,
    handlers: Vec<Arc<dyn Handler>>,
    /// This incarnation of the process, in every role.
    node: WorkerId,
    started_at: Timestamp,
    /// Sends spans, if anybody is sent any.
    pub spans: Option<Arc<SpanExporter>>,
}

impl Node {
    /// Puts the parts together over a store.
    pub async fn over(opened: Opened, config: &Config) -> Result<Self, Failure> {
        Self::with_handlers(opened, config, |builtin| builtin).await
    }

    /// The same with other handlers, made from the built-in ones.
    pub async fn with_handlers(
        opened: Opened,
        config: &Config,
        change: impl FnOnce(Vec<Arc<dyn Handler>>) -> Vec<Arc<dyn Handler>>,
    ) -> Result<Self, Failure> {
        let Opened {
            store,
            wakeups,
            hints,
            database,
            ..
        } = opened;
        let clock = follow(&*store).await?;
        // One for all: what they share bounds what all of them do together.
        let calls = calls(config);
        let providers = providers(config, &calls, &(clock.clone() as Arc<dyn Clock>))?;
        let identities = oidc(config, &calls, clock.clone())?;
        let started_at = clock.now();
        let node = WorkerId::new(started_at);
        let spans = spans(config, node, clock.clone())?;
        let names = providers.names().map(str::to_owned).collect();
        let snapshots = SnapshotCache::new(store.clone(), wakeups.clone(), clock.clone());
        let snapshots = Arc::new(snapshots);
        let delivery = DeliveryHandler::new(store.clone(), snapshots, providers, clock.clone());
        let watchdog = Watchdog::default();
        let mut builtin = handlers(config, calls, clock.clone(), &watchdog)?;
        builtin.push(Arc::new(delivery));
        let handlers = change(builtin);
        reserve_labels(config);
        let settings = Settings {
            lease: config.worker.lease,
            limits: config.job_limits(),
            wait_targets: (&config.queues).into(),
            remember_workers: config.retention.workers,
            second_person_over: config.access.second_person_over,
            providers: names,
            watchdog,
            tracer: tracer(config, spans.as_ref()),
        };
        let engine = Engine::new(
            store.clone(),
            wakeups.clone(),
            clock.clone(),
            handlers.clone(),
            settings,
        );
        if let Some(identities) = identities {
            engine.identify_by(Arc::new(identities));
        }
        if let Some(hints) = &hints {
            engine.hint_by(hints.clone());
        }
        Ok(Self {
            engine,
            store,
            database,
            wakeups,
            hints,
            clock,
            handlers,
            node,
            started_at,
            spans,
        })
    }

    /// Starts the routines that the roles need, of a node that listens at `address`.
    pub fn supervise(&self, config: &Config, address: Option<String>) -> Supervisor {
        let supervisor = Supervisor::new(&self.engine);
        let node = self.presented(config, address);
        supervisor.start(self.engine.timekeeper_of(node, self.clock.clone()));
        supervisor.start(self.engine.wait_recorder());
        if let Some(health_monitor) = self.engine.health_monitor(self.node) {
            supervisor.start(health_monitor);
        }
        if config.server.roles.contains(&Role::Engine) {
            let retention = config.retention.clone();
            for routine in self.engine.routines(self.node, retention) {
                supervisor.start(routine);
            }
        }
        supervisor
    }

    /// What the other nodes are told of this one.
    fn presented(&self, config: &Config, address: Option<String>) -> node::Node {
        let roles = config.server.roles.iter();
        node::Node {
            id: self.node,
            name: process_name(),
            address,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            roles: roles.map(|role| role.as_str().to_owned()).collect(),
            started_at: self.started_at,
        }
    }

    /// Which node it is.
    pub const fn id(&self) -> WorkerId {
        self.node
    }

    /// What the worker of this process is told about itself.
    pub fn worker_config(&self, config: &Config) -> baton_worker::Config {
        let name = process_name();
        let version = env!("CARGO_PKG_VERSION");
        baton_worker::Config {
            lease: config.worker.lease,
            grace: config.worker.grace,
            slots: SlotsConfig {
                default: config.worker.slots,
                by_queue: config.worker.queues.clone(),
            },
            max_running: config.worker.max_running(),
            findings: self.engine.findings(),
            limits: config.job_limits(),
            tracer: self.engine.settings().tracer.clone(),
            ..baton_worker::Config::new(self.node, name, version)
        }
    }

    /// A worker that has not begun; once it runs, the engine hands it what it has free slots for.
    pub fn worker(&self, config: &Config) -> Worker {
        self.worker_as(self.node, config)
    }

    /// The same under another id. Whoever has left stays away: what is leased under its id is taken back at sight.
    pub fn worker_as(&self, worker: WorkerId, config: &Config) -> Worker {
        let config = baton_worker::Config {
            worker,
            ..self.worker_config(config)
        };
        let worker = Worker::new(
            self.store.clone(),
            self.wakeups.clone(),
            self.clock.clone(),
            self.handlers.clone(),
            config,
        );
        let worker = worker.with_watchdog(self.engine.health_board().watchdog().clone());
        self.engine.dispatch_to(worker.local_dispatch());
        match &self.hints {
            Some(hints) => worker.with_hints(hints.clone(), self.store.clone()),
            None => worker,
        }
    }

    /// What keeps everything.
    pub fn store(&self) -> Arc<dyn Store> {
        self.store.clone()
    }

    /// The API, and the admin pages under `/admin`, which say `about` the process what it says of itself; without the role `api` only what tells of the process's
    /// health. Streams end when `stop` fires. With `connections` to cut it has the doors for tests.
    pub fn router(
        &self,
        config: &Config,
        connections: Option<&OpenConnections>,
        stop: &CancellationToken,
        about: About,
    ) -> Result<Router, Failure> {
        let doors = connections.map(|connections| Doors {
            clock: self.clock.clone(),
            connections: connections.clone(),
        });
        let options = Options {
            doors,
            ..self.options(config, stop)?
        };
        if !config.server.roles.contains(&Role::Api) {
            return Ok(baton_api::health_router(self.engine.clone(), options));
        }
        let streams = options.streams.clone();
        let engine = self.engine.clone();
        let console = baton_console::router(engine, streams.clone(), stop.clone(), about);
        let router = Router::new()
            .route("/", get(|| async { Redirect::temporary("/admin") }))
            .route("/admin/", get(|| async { Redirect::permanent("../admin") }))
            .nest("/admin", console);
        let denied = baton_console::denied(self.engine.clone(), streams, stop.clone());
        let pages = Pages {
            router,
            requirements: baton_console::REQUIREMENTS,
            ask: baton_console::ask,
            denied: Router::new().nest("/admin", denied),
        };
        Ok(baton_api::router(self.engine.clone(), options, pages))
    }

    fn options(&self, config: &Config, stop: &CancellationToken) -> Result<Options, Failure> {
        let proxies = config.server.trusted_proxies.iter();
        let (engine, database) = (self.engine.clone(), self.database.clone());
        let metrics = telemetry::metrics(move || {
            engine.show_health();
            database.show_pools();
        })?;
        self.database.begin_to_measure();
        begin_to_measure(http_providers(config));
        let is_open = f64::from(u8::from(config.server.is_open()));
        metrics::gauge!("baton_access_open").set(is_open);
        Ok(Options {
            access: access(config),
            trusted_proxies: proxies.map(|proxy| proxy.0).collect(),
            hosts: own_hosts(config),
            metrics,
            stop: stop.clone(),
            timeout: config.server.request_timeout,
            streams: Streams::new(config.server.streams),
            batches: config.server.batches,
            imports: config.server.imports,
            doors: None,
        })
    }
}

/// Whether somebody has to say who they are.
fn access(config: &Config) -> Access {
    let anybody = || Arc::new(Actor::anonymous());
    match (config.server.dev, config.server.is_open()) {
        (true, _) => Access::OpenUntilSetUp(anybody()),
        (false, true) => Access::Open(anybody()),
        (false, false) => Access::Required,
    }
}

/// What this server answers under beside loopback: what it is told, and the one address it listens on.
fn own_hosts(config: &Config) -> Vec<String> {
    let address = config.server.listen.ip().filter(|ip| !ip.is_unspecified());
    let address = address.map(|ip| ip.to_string());
    config.server.hosts.iter().cloned().chain(address).collect()
}

/// How often the store is asked the time at start, and how far off a clock need not be better.
const LOOKS_AT_THE_CLOCK: u32 = 8;
const CLOSE_ENOUGH: Duration = Duration::from_millis(2);

/// Queues of which the configuration says something have labels of their own in the metrics.
fn reserve_labels(config: &Config) {
    labels::reserve(config.worker.queues.keys().map(String::as_str));
    labels::reserve(config.queues.wait_targets.keys().map(String::as_str));
}

/// A clock that has taken the store's time over before anybody asks it. The first answer waits for a
/// connection to be made; the clock keeps the quickest.
pub async fn follow(store: &dyn Store) -> Result<Arc<StoreClock>, Failure> {
    let clock = StoreClock::starting_at(Timestamp::from_micros(0));
    for _ in 0..LOOKS_AT_THE_CLOCK {
        let asked = Instant::now();
        let answered = store
            .time()
            .await
            .map_err(|error| crate::store::lost(&error))?;
        clock.follow(answered, asked, Instant::now());
        if clock.bound().is_some_and(|bound| bound <= CLOSE_ENOUGH) {
            break;
        }
    }
    Ok(Arc::new(clock))
}

fn handlers(
    config: &Config,
    calls: HttpConfig,
    clock: Arc<dyn Clock>,
    watchdog: &Watchdog,
) -> Result<Vec<Arc<dyn Handler>>, Failure> {
    let simulate = SimulateConfig {
        allow_crash: config.simulate.allow_crash,
        watchdog: watchdog.clone(),
    };
    baton_providers::builtin(calls, simulate, clock).map_err(|error| match error {
        StartError::Destination(error) => Failure::usage(error.to_string())
            .then("`baton serve` starts when every destination of the configuration can be used."),
        StartError::Authorities(error) => Failure::usage(error.to_string())
            .then("`baton serve` starts when every authority of the configuration can be used."),
        error @ StartError::Tls(_) => {
            Failure::new(format!("no outgoing calls can be made: {error}"))
        }
    })
}

fn providers(
    config: &Config,
    calls: &HttpConfig,
    clock: &Arc<dyn Clock>,
) -> Result<Providers, Failure> {
    let providers = config.providers.iter();
    let providers = providers.map(|(name, provider)| (name.clone(), provider.into()));
    Providers::new(providers.collect(), calls, clock).map_err(|error| {
        Failure::usage(error.to_string())
            .then("`baton serve` starts when every provider of the configuration can be used.")
    })
}

/// The names of the providers that are asked over HTTP.
fn http_providers(config: &Config) -> impl Iterator<Item = &str> {
    let providers = config.providers.iter();
    let asked = providers.filter(|(_, provider)| provider.kind == ProviderKind::Http);
    asked.map(|(name, _)| name.as_str())
}

/// Where people can sign in beside here, if anywhere.
fn oidc(
    config: &Config,
    calls: &HttpConfig,
    clock: Arc<dyn Clock>,
) -> Result<Option<Oidc>, Failure> {
    let oidc = config.access.oidc.as_ref();
    let oidc = oidc.map(|oidc| Oidc::new(oidc.into(), calls, clock));
    oidc.transpose().map_err(|error| {
        Failure::usage(error.to_string())
            .then("How to let people sign in at a provider stands in docs/operations/access.md.")
    })
}

/// Begins to send spans, if anybody is to have them.
fn spans(
    config: &Config,
    node: WorkerId,
    clock: Arc<dyn Clock>,
) -> Result<Option<Arc<SpanExporter>>, Failure> {
    let collector = collector(config, &node.to_string(), clock)?;
    Ok(collector.map(|collector| Arc::new(SpanExporter::start(collector))))
}

fn tracer(config: &Config, spans: Option<&Arc<SpanExporter>>) -> Tracer {
    spans.map_or_else(Tracer::default, |spans| {
        Tracer::to(Arc::clone(spans) as _, config.traces.ratio)
    })
}

/// The collector of traces, if there is one.
pub fn collector(
    config: &Config,
    instance: &str,
    clock: Arc<dyn Clock>,
) -> Result<Option<Collector>, Failure> {
    if !config.traces.is_on() {
        return Ok(None);
    }
    let described = config.traces.collector(instance.to_owned());
    let collector = Collector::new(&described, &calls(config), clock);
    collector.map(Some).map_err(|error| {
        Failure::usage(error.to_string())
            .then("How to send traces stands in docs/operations/traces.md.")
    })
}

/// The provider that people sign in at, to be asked whether it is there.
pub fn identity_provider(config: &Config, clock: Arc<dyn Clock>) -> Result<Option<Oidc>, Failure> {
    oidc(config, &calls(config), clock)
}

fn calls(config: &Config) -> HttpConfig {
    let networks = config.http.allowed_networks.iter();
    let destinations = config.destinations.iter();
    HttpConfig {
        allow_private_targets: config.http.allow_private_targets,
        allowed_networks: networks.map(|net| net.0).collect(),
        destinations: destinations
            .map(|(name, destination)| (name.clone(), destination.into()))
            .collect(),
        nameservers: config.http.nameservers.clone(),
        ca: config.http.ca.clone().map(|file| Authorities {
            setting: "http.ca".to_owned(),
            file,
        }),
        origins: Arc::new(OriginLimit::new(config.http.connections_per_origin)),
        ..HttpConfig::default()
    }
}

/// What this process is called where people look for a worker.
pub fn process_name() -> String {
    format!("{}:{}", host_name(), std::process::id())
}

/// The machine's name, for people who look for a worker.
fn host_name() -> String {
    let kernel = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let variable = || std::env::var("HOSTNAME").or_else(|_| std::env::var("COMPUTERNAME"));
    let name = kernel.or_else(|| variable().ok()).unwrap_or_default();
    match name.trim() {
        "" => "localhost".to_owned(),
        name => name.to_owned(),
    }
}
