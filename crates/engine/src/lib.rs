//! The use cases that the API, the commands and the pages call, and the routines that run in the background.
//!
//! An [`Engine`] is cheap to clone; a use case is asked for through a [`Caller`], which says in whose name. It holds the ports and nothing else: everything it knows is in the
//! store, so any number of nodes are equal. Each use case is in the file of its word; the
//! [`routines`] and the [`Supervisor`] that turns them live beside them.

mod access;
mod attempts;
mod audit_log;
mod caller;
mod campaigns;
mod concealed;
mod dead_letters;
mod doors;
mod doubt;
mod enqueue_batcher;
mod error;
mod events;
mod explain;
mod fleet;
mod health;
mod inbox;
mod jobs;
mod nodes;
mod notifications;
mod offers;
mod operations;
mod queues;
mod recipients;
mod remote;
mod routine;
pub mod routines;
mod schedules;
pub mod share;
mod sides;
mod snapshot_cache;
mod stream_reader;
mod supervisor;

pub use access::{
    Authenticated, Credential, KeySpec, NotLetIn, RotatedKey, SignIn, SignInCallback,
    SignInRedirect, SignInRefused, SignedIn,
};
pub use baton_domain::{
    access::{NewUser, UserPatch},
    job::{Cancel, Resolution},
};
pub use baton_ports::{
    hints::HintState,
    identity_provider::ProviderError,
    store::{Schema, Unreadable},
};
pub use caller::Caller;
pub use campaigns::{CampaignCommand, CampaignPreview, Created, Rest, Sample};
pub use error::{Error, Result};
pub use fleet::ServedKind;
pub use health::{ClockStep, Health, HealthBoard, HintHealth, RoutineHealth, RoutineState};
pub use jobs::Accepted;
pub use notifications::Notice;
pub use offers::Offers;
pub use recipients::{ImportCounts, Preview};
pub use remote::{
    BEAT_SHARE, Beat, CheckpointItem, CheckpointRequest, ClaimAnswer, ClaimRequest, LONGEST_CLAIM,
    News, Registration, RemoteBatch, RemoteJob, ResultItem, ResultReport, Want,
};
pub use routine::{Next, Routine};
pub use snapshot_cache::SnapshotCache;
pub use stream_reader::{StreamPermit, Streams};
pub use supervisor::Supervisor;

use std::{sync::Arc, time::Duration};

use baton_domain::{Clock, Timestamp, job::Limits, queue::WaitTargets};
use baton_ports::{
    Findings, Handler, Hints, JobRules, LocalDispatch, Store, Tracer, Wakeups, Watchdog,
};

use access::Authenticator;
use audit_log::AuditBudgets;
use enqueue_batcher::EnqueueBatcher;

/// The ports, and the use cases over them.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    store: Arc<dyn Store>,
    wakeups: Arc<Wakeups>,
    clock: Arc<dyn Clock>,
    handlers: Vec<Arc<dyn Handler>>,
    rules: JobRules,
    settings: Settings,
    batcher: EnqueueBatcher,
    offers: Offers,
    health_board: HealthBoard,
    findings: Findings,
    authenticator: Authenticator,
    audit_budgets: AuditBudgets,
    remote: remote::RemoteWorkers,
    sides: Arc<sides::Sides>,
}

/// What an engine is told.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How long a lease lasts; what was not heard of for longer is silent.
    pub lease: Duration,
    /// How much a job may ask for.
    pub limits: Limits,
    /// How long jobs may wait, queue by queue, before they count as late.
    pub wait_targets: WaitTargets,
    /// How long a worker that left stays on the list.
    pub remember_workers: Duration,
    /// How many recipients a campaign may have that one person sends alone; any number if there is no bound.
    pub second_person_over: Option<u64>,
    /// The names of the providers that are configured.
    pub providers: Vec<String>,
    /// Hears of loops that died, in every role of the process.
    pub watchdog: Watchdog,
    /// Makes a span of each enqueue.
    pub tracer: Tracer,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(30),
            limits: Limits::default(),
            wait_targets: WaitTargets::default(),
            remember_workers: Duration::from_hours(24),
            second_person_over: None,
            providers: Vec::new(),
            watchdog: Watchdog::default(),
            tracer: Tracer::default(),
        }
    }
}

impl Engine {
    /// An engine over these ports. `handlers` are asked to check a payload before it is accepted.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        wakeups: Arc<Wakeups>,
        clock: Arc<dyn Clock>,
        handlers: Vec<Arc<dyn Handler>>,
        mut settings: Settings,
    ) -> Self {
        let batcher = EnqueueBatcher::start(&store);
        let sides = Arc::<sides::Sides>::default();
        let offers = Offers::new(wakeups.clone(), Arc::clone(&sides));
        let built_in = handlers.iter().map(|handler| handler.kind().to_owned());
        settings.limits.kinds = settings.limits.kinds.with_built_in(built_in);
        let rules = JobRules::new(&settings.limits, &handlers);
        let inner = Inner {
            store,
            wakeups,
            clock,
            handlers,
            rules,
            health_board: HealthBoard::watched_by(settings.watchdog.clone()),
            findings: Findings::default(),
            authenticator: Authenticator::default(),
            audit_budgets: AuditBudgets::default(),
            remote: remote::RemoteWorkers::default(),
            sides,
            settings,
            batcher,
            offers,
        };
        let engine = Self {
            inner: Arc::new(inner),
        };
        engine.dispatch_to_waiting_claims();
        engine
    }

    /// Hands single jobs to this process's worker when it would run them at once,
    /// instead of enqueuing them; the worker given last is the one.
    pub fn dispatch_to(&self, dispatch: Arc<dyn LocalDispatch>) {
        self.inner.batcher.dispatch_to(dispatch);
    }

    /// Hints at what becomes claimable from now on, instead of sending a wake-up; the first hints stay.
    pub fn hint_by(&self, hints: Arc<dyn Hints>) {
        self.inner.offers.hint_by(hints);
    }

    /// The present moment, as every node sees it.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// The wake-ups of this process.
    #[must_use]
    pub fn wakeups(&self) -> &Arc<Wakeups> {
        &self.inner.wakeups
    }

    /// How the routines and the store are.
    #[must_use]
    pub fn health_board(&self) -> &HealthBoard {
        &self.inner.health_board
    }

    /// What the poller of this process finds, once its routines run.
    #[must_use]
    pub fn findings(&self) -> Findings {
        self.inner.findings.clone()
    }

    /// What it was told.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }
}
