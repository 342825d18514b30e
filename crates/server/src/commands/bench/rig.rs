//! A server's inside over a database of its own: what `serve` runs, but for the door.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use baton_domain::{WorkerId, access::Actor, delivery, queue::Queue};
use baton_engine::{Caller, Supervisor};
use baton_ports::{Handler, Store, Wakeups};
use baton_sql::{
    OpenOptions, SqlStore,
    bench::{Scratch, Tools},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    cli::BenchArgs,
    config::{Config, DatabaseUrl, GatewayUrl, Provider, ProviderKind},
    exit::Failure,
    store::{self, Opened},
    watchdog,
    wiring::Node,
};

use super::{
    crew::Crew,
    ground::Ground,
    handlers::{Count, Noop, Probe},
    load::QUEUE,
    mail::Mail,
    witness::Witnessed,
};

pub struct Rig {
    node: Node,
    caller: Caller,
    pub store: Arc<dyn Store>,
    pub tools: Tools,
    /// How many attempts were made of what is counted: no-op jobs and HTTP calls.
    pub count: Count,
    pub probe: Arc<Probe>,
    /// What is seen of deliveries.
    pub mail: Arc<Mail>,
    scratch: Scratch,
    config: Config,
    routines: Option<Supervisor>,
    stop: CancellationToken,
    endings: TaskTracker,
}

/// Who brings the deliveries of a measurement: it writes to a log that nobody reads, and accepts.
const PROVIDER: &str = "nobody";

/// The settings of `serve`, but for what was asked otherwise and what a measurement needs: a target
/// on this machine may be called, and a database without durability is measured as well, and says so.
pub fn config_for(args: &BenchArgs, url: &str) -> Config {
    let mut config = Config::default();
    config.database.url = DatabaseUrl::new(url);
    config.database.allow_unsafe = true;
    config.http.allow_private_targets = true;
    let provider = (PROVIDER.to_owned(), nobody());
    config.providers.extend([provider]);
    if let Some(slots) = args.slots {
        config.worker.slots = slots;
    }
    config
}

fn nobody() -> Provider {
    Provider {
        kind: ProviderKind::Log,
        ca: None,
        url: GatewayUrl::default(),
        headers: BTreeMap::new(),
        secret: None,
        timeout: Duration::from_secs(10),
        concurrency: None,
        rate: None,
        verdicts: Vec::new(),
    }
}

/// Has whoever measures hear of it when a loop or a thread dies, for nothing would come to an end without it.
fn watch(node: &Node, database: SqlStore, ground: &Ground, stop: &CancellationToken) {
    let watchdog = node.engine.health_board().watchdog().clone();
    let threads = watchdog::watch_threads(database, watchdog.clone());
    tokio::spawn(stop.clone().run_until_cancelled_owned(threads));
    let told = ground.watchdog.clone();
    let pass_on = async move {
        let death = watchdog.died().await;
        told.report(&death.name, &death.how);
    };
    tokio::spawn(stop.clone().run_until_cancelled_owned(pass_on));
}

impl Rig {
    pub async fn build(args: &BenchArgs, ground: &Ground) -> Result<Self, Failure> {
        let scratch = ground.scratch().await?;
        let config = config_for(args, scratch.url());
        let options = OpenOptions {
            connections: config.database.connections,
            allow_unsafe: config.database.allow_unsafe,
        };
        let sql = baton_sql::open(scratch.url(), &options)
            .await
            .map_err(|error| store::refused(&error))?;
        let (wakeups, stop) = (Arc::new(Wakeups::default()), CancellationToken::new());
        sql.relay(wakeups.clone(), stop.clone());
        let tools = Tools::of(&sql);
        let store: Arc<dyn Store> = Arc::new(sql.clone());
        let database = sql.clone();
        let opened = Opened {
            store: store.clone(),
            wakeups,
            hints: None,
            redis: None,
            database: sql,
        };
        let (count, probe) = (Count::default(), Arc::new(Probe::default()));
        let mail = Arc::new(Mail::default());
        let (counting, probing, seeing) = (count.clone(), probe.clone(), mail.clone());
        let change = |builtin| change(builtin, counting, probing, &seeing);
        let node = Node::with_handlers(opened, &config, change).await?;
        watch(&node, database, ground, &stop);
        Ok(Self {
            caller: node.engine.caller(Actor::system("bench")),
            node,
            store,
            tools,
            count,
            probe,
            mail,
            scratch,
            config,
            routines: None,
            stop,
            endings: ground.endings.clone(),
        })
    }

    pub const fn engine(&self) -> &Caller {
        &self.caller
    }

    /// Starts the routines, as `serve` does.
    pub fn turn(&mut self) {
        self.routines = Some(self.node.supervise(&self.config, None));
    }

    /// Starts a worker: each time another one.
    pub fn crew(&self) -> Crew {
        self.crew_with(self.slots())
    }

    /// Starts a worker that runs so many jobs at once.
    pub fn crew_with(&self, slots: u32) -> Crew {
        let mut config = self.config.clone();
        config.worker.slots = slots;
        let id = WorkerId::new(self.engine().now());
        Crew::start(self.node.worker_as(id, &config), self.count.clone())
    }

    /// How many jobs run at once, in each queue.
    pub const fn slots(&self) -> u32 {
        self.config.worker.slots
    }

    /// How many jobs a worker claims ahead of its slots, at the most.
    pub fn prefetch(&self) -> u32 {
        self.node.worker_config(&self.config).prefetch
    }

    /// What the database says of itself.
    pub async fn settings(&self) -> Result<Vec<(String, String)>, Failure> {
        let settings = self.tools.settings().await;
        settings.map_err(|error| store::lost(&error))
    }

    pub async fn checkpoint(&self) -> Result<bool, Failure> {
        let done = self.tools.checkpoint().await;
        done.map_err(|error| store::lost(&error))
    }

    /// The queue of the jobs, as the counters have it.
    pub async fn queue(&self) -> Result<Option<Queue>, Failure> {
        let queues = self.store.queues(self.engine().now()).await;
        let queues = queues.map_err(|error| store::lost(&error))?;
        Ok(queues.into_iter().find(|queue| queue.name == QUEUE))
    }

    /// How many bytes the database's log has taken.
    pub async fn written(&self) -> Result<Option<i64>, Failure> {
        let written = self.tools.written().await;
        written.map_err(|error| store::lost(&error))
    }

    /// Stops what turns, and drops the database.
    pub async fn take_down(mut self, ground: &Ground) -> Result<(), Failure> {
        if let Some(routines) = self.routines.take() {
            routines.stop().await;
        }
        let scratch = self.scratch.clone();
        drop(self);
        ground.give_up(&scratch).await
    }
}

/// The built-in kinds, with every attempt counted, and the kinds of a measurement.
fn change(
    builtin: Vec<Arc<dyn Handler>>,
    count: Count,
    probe: Arc<Probe>,
    mail: &Arc<Mail>,
) -> Vec<Arc<dyn Handler>> {
    let counted = |handler| Arc::new(Witnessed(handler, count.clone())) as Arc<dyn Handler>;
    let watched = |handler: Arc<dyn Handler>| match handler.kind() {
        delivery::KIND => Arc::new(Witnessed(handler, Arc::clone(mail))) as Arc<dyn Handler>,
        _ => handler,
    };
    let mut handlers: Vec<_> = builtin.into_iter().map(watched).map(counted).collect();
    handlers.push(Arc::new(Noop(count)));
    handlers.push(probe);
    handlers
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(routines) = self.routines.take() {
            self.endings.spawn(routines.stop());
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Command};

    #[tokio::test]
    async fn a_measurement_hears_of_a_loop_and_of_a_thread_that_died() {
        for name in ["claimer", "sqlite-writer"] {
            let folder = tempfile::tempdir().unwrap();
            let words = ["baton", "bench", "drain", "--data-dir"];
            let cli = Cli::parse_from(
                words
                    .iter()
                    .map(AsRef::as_ref)
                    .chain([folder.path().as_os_str()]),
            );
            let Command::Bench(args) = cli.command else {
                panic!("no bench");
            };
            let ground = Ground::open(&args).unwrap();
            let rig = Rig::build(&args, &ground).await.unwrap();
            let _crew = rig.crew();

            rig.engine().health_board().watchdog().doom(name);

            assert_eq!(ground.watchdog.died().await.name, name);
        }
    }
}
