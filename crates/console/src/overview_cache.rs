//! The cache of overviews: what every page shows of the installation, looked up once for all who watch.
//!
//! However many people watch, the store is asked once a second at most. When it cannot be reached,
//! it keeps what it last saw and says of when that is.

use std::{
    fmt,
    future::Future,
    sync::{Arc, LazyLock, PoisonError},
    time::Duration,
};

use baton_domain::{
    Timestamp, WorkerId,
    access::{Actor, Permission, Principal},
    audit::AuditEntry,
    campaign::Campaign,
    checkpoint::Checkpoint,
    event::Event,
    fleet::{Presence, Worker},
    job::Job,
    node::{NodeState, SeenNode},
    operation::DeadLetterGroup,
    page::PageRequest,
    queue::{self, Queue},
};
use baton_engine::{Caller, Engine, Health};
use baton_ports::store::{EventBounds, EventFilter};
use tokio::{
    sync::Mutex,
    time::{Instant, timeout},
};

use crate::{errors::PageError, last_acts::LastActs, names::Names, pages::live_campaigns::is_live};

/// How old a shared look can be.
const FRESH: Duration = Duration::from_millis(900);
/// How long a page waits for the store before it says so.
const TIMEOUT: Duration = Duration::from_secs(3);
/// A worker silent for longer is history: its jobs were rescued long ago.
const HISTORY: Duration = Duration::from_mins(10);
/// How many of the newest events the overview shows.
const EVENTS: u32 = 20;
/// How many of the jobs that run for longest it shows.
const LONGEST: u32 = 5;
/// How many causes of dead letters the overview looks at.
const CAUSES: u32 = 10;
/// How many of the newest campaigns are looked at for those that have not ended.
const CAMPAIGNS: u32 = 50;
/// How long a look waits for what it can do without.
const SOON: Duration = Duration::from_millis(500);
/// How many names a page asks for at the most.
const NAMED: usize = 50;

/// What was seen at one look.
#[derive(Debug)]
pub struct OverviewSnapshot {
    /// When.
    pub at: Timestamp,
    /// How long a lease lasts; a worker not heard of for longer is silent.
    pub lease: Duration,
    /// How this process is.
    pub health: Health,
    /// What the store said, the last time it answered.
    pub installation: Option<Arc<Installation>>,
    /// Why what the store said is not of now.
    pub trouble: Option<StoreTrouble>,
}

/// Why the store has not said anything, for whoever looks, each in their language.
#[derive(Debug, Clone)]
pub enum StoreTrouble {
    /// It did not in time.
    Slow,
    /// What it said instead.
    Said(String),
}

impl fmt::Display for StoreTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slow => f.write_str(&PageError::slow(TIMEOUT).detail),
            Self::Said(why) => f.write_str(why),
        }
    }
}

/// What the store said.
#[derive(Debug, Clone)]
pub struct Installation {
    /// When.
    pub as_of: Timestamp,
    /// Every queue, but for the lines of campaigns, which have a room of their own.
    pub queues: Vec<Queue>,
    /// Those as well.
    pub lines: Vec<Queue>,
    /// Everyone who is, or was not long ago.
    pub workers: Vec<Worker>,
    /// Every process of the installation that is, or was not long ago.
    pub nodes: Vec<SeenNode>,
    /// Who leads.
    pub leader: Option<WorkerId>,
    /// Which events there are.
    pub bounds: EventBounds,
    /// The newest events, newest first.
    pub events: Vec<Event>,
    /// The causes of dead letters that last grew.
    pub causes: Vec<DeadLetterGroup>,
    /// The jobs that run for longest, and how far each is, if it has said so.
    pub longest: Vec<(Job, Option<Checkpoint>)>,
    /// The newest campaigns, but for those that have ended.
    pub live_campaigns: Vec<Campaign>,
    /// What people did last, newest first; `None` for whoever may not know.
    pub acts: Option<Vec<AuditEntry>>,
    /// What campaigns and schedules are called.
    pub names: Names,
}

impl OverviewSnapshot {
    /// The same without what somebody may not see.
    pub fn shown_to(self: Arc<Self>, caller: &Caller) -> Arc<Self> {
        if Permission::ALL.into_iter().all(|one| caller.may(one)) {
            return self;
        }
        let installation = self
            .installation
            .as_ref()
            .filter(|_| caller.may(Permission::JobsRead));
        let shown = installation.map(|seen| {
            let events = seen.events.iter().cloned();
            let causes = seen.causes.iter().cloned();
            let longest = seen.longest.iter().cloned();
            Arc::new(Installation {
                events: events.map(|event| caller.shown_event(event)).collect(),
                causes: causes.map(|group| caller.shown_group(group)).collect(),
                longest: longest
                    .map(|(job, checkpoint)| caller.shown_running(job, checkpoint))
                    .collect(),
                acts: seen
                    .acts
                    .clone()
                    .filter(|_| caller.may(Permission::AuditRead)),
                ..(**seen).clone()
            })
        });
        Arc::new(Self {
            health: self.health.clone(),
            trouble: self.trouble.clone(),
            installation: shown,
            ..*self
        })
    }

    /// Every queue, as far as is known.
    pub fn queues(&self) -> &[Queue] {
        self.installation
            .as_ref()
            .map_or(&[], |installation| &installation.queues)
    }

    /// Every queue and the line of each campaign, as far as is known.
    pub fn lines(&self) -> &[Queue] {
        self.installation
            .as_ref()
            .map_or(&[], |installation| &installation.lines)
    }

    /// What campaigns and schedules are called, as far as is known.
    pub fn names(&self) -> &Names {
        static NONE: LazyLock<Names> = LazyLock::new(Names::default);
        self.installation
            .as_ref()
            .map_or(&NONE, |installation| &installation.names)
    }

    /// Everyone who is, or was not long ago.
    pub fn workers(&self) -> &[Worker] {
        self.installation
            .as_ref()
            .map_or(&[], |installation| &installation.workers)
    }

    /// Every process of the installation that is, or was not long ago.
    pub fn nodes(&self) -> &[SeenNode] {
        self.installation
            .as_ref()
            .map_or(&[], |installation| &installation.nodes)
    }

    /// How many nodes are live, of how many that have not stopped in order.
    pub fn live_nodes(&self) -> (usize, usize) {
        let nodes = self.nodes().iter();
        let recent = nodes.filter(|node| self.at.since(node.seen_at) < HISTORY);
        let states = recent.map(|node| node.state(self.at));
        states.fold((0, 0), |(live, all), state| match state {
            NodeState::Live => (live + 1, all + 1),
            NodeState::Gone => (live, all + 1),
        })
    }

    /// How a worker is.
    pub fn presence(&self, worker: &Worker) -> Presence {
        worker.presence(self.at, self.lease)
    }

    /// Whether a worker was heard of lately.
    pub fn is_news(&self, worker: &Worker) -> bool {
        self.at.since(worker.seen_at) < HISTORY
    }

    /// How many workers are live, of how many that have not left.
    pub fn live_workers(&self) -> (usize, usize) {
        let recent = self.workers().iter().filter(|worker| self.is_news(worker));
        let presences = recent.map(|worker| self.presence(worker));
        presences.fold((0, 0), |(live, all), presence| match presence {
            Presence::Live => (live + 1, all + 1),
            Presence::Draining | Presence::Deaf | Presence::Silent => (live, all + 1),
            Presence::Left => (live, all),
        })
    }

    /// What a worker or a node calls itself, or its id cut short.
    pub fn name_of(&self, id: WorkerId) -> String {
        let workers = self.workers().iter().map(|one| &one.heartbeat);
        let workers = workers.map(|beat| (beat.worker, &beat.name));
        let nodes = self.nodes().iter().map(|one| &one.node);
        let nodes = nodes.map(|node| (node.id, &node.name));
        let known = workers.chain(nodes).find(|(known, _)| *known == id);
        known.map_or_else(|| crate::view::short(id), |(_, name)| name.clone())
    }
}

/// What every page shows of the installation, looked up once for all who watch.
pub struct OverviewCache {
    engine: Caller,
    seen: Mutex<Option<CachedOverview>>,
    /// What has been asked for by name so far.
    names: std::sync::Mutex<Names>,
    acts: LastActs,
}

struct CachedOverview {
    glance: Arc<OverviewSnapshot>,
    begun: Instant,
    since: Instant,
    is_spent: bool,
}

impl CachedOverview {
    /// Whether it is as good as a look of whoever asked then and has waited for it.
    fn answers(&self, asked: Instant) -> bool {
        let has_waited = self.since > asked;
        self.begun > asked || (has_waited && self.glance.trouble.is_some())
    }
}

impl OverviewCache {
    /// One that has seen nothing yet.
    pub fn new(engine: &Engine) -> Self {
        Self {
            engine: engine.caller(Actor::system("overview")),
            seen: Mutex::default(),
            names: std::sync::Mutex::default(),
            acts: LastActs::default(),
        }
    }

    /// What whoever may not look sees: nothing, and the store is not asked.
    pub fn nothing(&self) -> Arc<OverviewSnapshot> {
        Arc::new(OverviewSnapshot {
            at: self.engine.now(),
            lease: self.engine.settings().lease,
            health: Health::default(),
            installation: None,
            trouble: None,
        })
    }

    /// The installation as it was less than a second ago.
    pub async fn glance(&self) -> Arc<OverviewSnapshot> {
        let mut seen = self.seen.lock().await;
        match &*seen {
            Some(seen) if !seen.is_spent && seen.since.elapsed() < FRESH => seen.glance.clone(),
            _ => self.look_again(&mut seen).await,
        }
    }

    /// The installation as it is now. Whoever has waited for another's look shares it, if it began after they asked, or
    /// if the store did not answer it: else each would wait out its timeout behind the others.
    pub async fn look(&self) -> Arc<OverviewSnapshot> {
        let asked = Instant::now();
        let mut seen = self.seen.lock().await;
        match &*seen {
            Some(seen) if !seen.is_spent && seen.answers(asked) => seen.glance.clone(),
            _ => self.look_again(&mut seen).await,
        }
    }

    /// What was seen no longer holds: somebody has pressed a button.
    pub async fn spend(&self) {
        if let Some(seen) = &mut *self.seen.lock().await {
            seen.is_spent = true;
        }
    }

    /// What these are called, as far as that is found out in time. The server itself asks, for all who look.
    pub async fn names_of<'a>(&self, ids: impl Iterator<Item = &'a str>) -> Names {
        let known = self.remembered();
        let names = known.and_up_to(NAMED, &self.engine, ids).await;
        self.remember(&names);
        names
    }

    /// Who are called so: a user, or else keys, the newest first; one that was rotated has several.
    pub async fn principals_called(&self, name: &str) -> Vec<Principal> {
        if let Ok(user) = with_timeout(self.engine.user_named(name)).await {
            return vec![Principal::User(user.id)];
        }
        let page = PageRequest::first(PageRequest::MAX_LIMIT);
        let keys = with_timeout(self.engine.keys(&page)).await;
        let keys = keys.map(|keys| keys.items).unwrap_or_default().into_iter();
        let called = keys.filter(|key| key.name == name);
        called.map(|key| Principal::Key(key.id)).collect()
    }

    fn remembered(&self) -> Names {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.clone()
    }

    fn remember(&self, names: &Names) {
        let mut known = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone_from(names);
    }

    async fn look_again(&self, seen: &mut Option<CachedOverview>) -> Arc<OverviewSnapshot> {
        let kept = seen
            .as_ref()
            .and_then(|seen| seen.glance.installation.clone());
        let begun = Instant::now();
        let names = self.remembered();
        let health = self.engine.health().await;
        let answer = match &health.store_error {
            Some(error) => Err(StoreTrouble::Said(error.clone())),
            None => match timeout(TIMEOUT, self.installation(names)).await {
                Ok(answer) => {
                    answer.map_err(|error| StoreTrouble::Said(PageError::from(error).detail))
                }
                Err(_) => Err(StoreTrouble::Slow),
            },
        };
        let (installation, trouble) = match answer {
            Ok(installation) => {
                self.remember(&installation.names);
                (Some(Arc::new(installation)), None)
            }
            Err(error) => (kept, Some(error)),
        };
        let glance = Arc::new(OverviewSnapshot {
            at: self.engine.now(),
            lease: self.engine.settings().lease,
            health,
            installation,
            trouble,
        });
        *seen = Some(CachedOverview {
            glance: glance.clone(),
            begun,
            since: Instant::now(),
            is_spent: false,
        });
        glance
    }
}

/// Waits for the engine, but not for ever.
pub async fn with_timeout<T>(
    answer: impl Future<Output = baton_engine::Result<T>>,
) -> Result<T, PageError> {
    match timeout(TIMEOUT, answer).await {
        Ok(answer) => answer.map_err(PageError::from),
        Err(_) => Err(PageError::slow(TIMEOUT)),
    }
}

/// What is shown beside if it comes soon, and holds up nothing else.
async fn in_passing<T>(answer: impl Future<Output = baton_engine::Result<T>>) -> Option<T> {
    timeout(SOON, answer).await.ok()?.ok()
}

impl OverviewCache {
    async fn installation(&self, names: Names) -> baton_engine::Result<Installation> {
        let engine = &self.engine;
        let causes = PageRequest::first(CAUSES);
        let campaigns = PageRequest::first(CAMPAIGNS);
        let seen = async {
            tokio::try_join!(
                engine.queues(),
                engine.workers(),
                engine.nodes(),
                engine.leader(),
                engine.event_bounds(),
                engine.dead_letters(&causes),
            )
        };
        let (seen, campaigns, _) = tokio::join!(
            seen,
            in_passing(engine.campaigns(&campaigns)),
            in_passing(self.acts.look(engine)),
        );
        let (lines, workers, nodes, leader, bounds, causes) = seen?;
        let acts = self.acts.known();
        let live = campaigns.map(|found| found.items.into_iter().filter(is_live).collect());
        let is_own = |line: &&Queue| queue::campaign_of(&line.name).is_none();
        let queues = lines.iter().filter(is_own).cloned().collect();
        let after = (bounds.last - i64::from(EVENTS)).max(0);
        let (mut events, _) = engine
            .events(after, EVENTS, &EventFilter::default())
            .await?;
        events.reverse();
        let longest = match lines.iter().any(|line| line.running > 0) {
            true => engine.longest_running(LONGEST).await?,
            false => Vec::new(),
        };
        let names = names.and_those_of(engine, &lines, &events, &acts).await;
        Ok(Installation {
            as_of: engine.now(),
            queues,
            lines,
            workers,
            nodes,
            leader,
            bounds,
            events,
            causes: causes.items,
            longest,
            live_campaigns: live.unwrap_or_default(),
            acts: Some(acts),
            names,
        })
    }
}
