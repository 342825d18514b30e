//! What a run is played on: servers to be hurt, lines that break, a target, and a fleet.

mod plan;

use std::{
    path::Path,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use baton_client::{Client, JobsQuery};
use baton_lab::{
    proxy::Proxy,
    servers::{Home, Patroni, Sentinels, WallClock},
    target::{self, Target},
};
use baton_protocol::PageQuery;
use futures::future::try_join_all;
use parking_lot::Mutex;
use rand::rngs::StdRng;
use tokio::task::block_in_place;

use crate::{Counters, Failure, chance};

use super::{
    address::{Address, REDIS},
    campaigns::Progress,
    clocks::Clocks,
    crew,
    database::Database,
    journal::Journal,
    node::Node,
    options::{DatabaseKind, Options},
    redis::Redis,
    remote::Remotes,
    scenario::Scenario,
    tally::{Count, Tally},
    versions::Versions,
};

use self::plan::Plan;
pub use self::plan::SLOTS;

pub struct LabInstallation {
    pub seed: u64,
    pub lease: Duration,
    pub target: Target,
    /// The private one; one that was given is not ours to kill.
    pub database: Option<Mutex<Database>>,
    /// The private cluster, in place of the one server.
    pub cluster: Option<Arc<Mutex<Patroni>>>,
    pub redis: Option<Redis>,
    /// The private Redis with a replica, in place of the one Redis.
    pub sentinels: Option<Arc<Mutex<Sentinels>>>,
    pub nodes: Vec<Node>,
    pub remotes: Remotes,
    /// One client for each server of the API.
    pub endpoints: Vec<Client>,
    pub journal: Journal,
    pub tally: Tally,
    /// How the clocks were stepped.
    pub clocks: Clocks,
    /// Which programs the nodes are.
    pub versions: Arc<Versions>,
    /// How far campaigns have come.
    pub way: Progress,
    /// Whatever works in it ends with us, however we end.
    _home: Home,
}

impl LabInstallation {
    /// Starts everything; the logs of the servers go to this folder.
    pub async fn set(
        args: &Options,
        seed: u64,
        tally: Tally,
        folder: &Path,
    ) -> Result<Self, Failure> {
        let given = match &args.database {
            Some(url) => Some(Address::of_database(url).await?),
            None => None,
        };
        let given_redis = match &args.redis {
            Some(url) => Some(Redis::Given(Address::read(url, REDIS).await?)),
            None => None,
        };
        let has_clocks = tally.may_draw(Scenario::StepClock);
        let versions = Arc::new(Versions::of(args)?);
        let home = Home::create("faults", "KILL").map_err(cannot)?;
        let target = Target::start(target::Options::default())
            .await
            .map_err(|error| Failure::new(format!("the target cannot be started: {error}")))?;
        let cluster = match args.store {
            DatabaseKind::Patroni => Some(block_in_place(Patroni::start).map_err(cannot)?),
            _ => None,
        };
        let own = match given {
            Some(_) => None,
            None => Database::start(args.store, has_clocks)?,
        };
        let database = match &own {
            Some(own) => Some(Address::of_database(&own.url()?).await?),
            None => given,
        };
        let redis = match given_redis {
            None if args.has_redis() => Some(Redis::start()?),
            given => given,
        };
        let sentinels = match args.has_sentinels() {
            true => Some(block_in_place(Sentinels::start).map_err(cannot)?),
            false => None,
        };
        let plan = Plan {
            database,
            cluster: cluster.as_ref().map(Patroni::url),
            sentinels: sentinels.as_ref().map(Sentinels::url),
            settings: plan::settings(folder, &target)?,
            lease: format!("{}ms", args.lease.as_millis()),
            home: home.path().to_owned(),
            folder: folder.to_owned(),
            has_clocks,
            seed,
            versions: versions.clone(),
        };
        let (mut nodes, mut endpoints, mut doors) = (Vec::new(), Vec::new(), Vec::new());
        for (number, (duty, name)) in (0..).zip(crew::of(args)?.members()) {
            let listen = plan::listen(duty)?;
            nodes.push(
                plan.node(number, (duty, name), listen, redis.as_ref())
                    .await?,
            );
            if let Some(listen) = listen {
                doors.push(listen);
                endpoints.push(Client::new(&format!("http://{listen}"))?);
            }
        }
        let remotes = Remotes::new(args, &doors, home.path(), folder).await?;
        let stage = Self {
            seed,
            lease: args.lease,
            target,
            database: own.map(Mutex::new),
            cluster: cluster.map(|cluster| Arc::new(Mutex::new(cluster))),
            redis,
            sentinels: sentinels.map(|sentinels| Arc::new(Mutex::new(sentinels))),
            nodes,
            remotes,
            endpoints,
            journal: Journal::default(),
            tally,
            clocks: Clocks::default(),
            way: Progress::default(),
            versions,
            _home: home,
        };
        stage.start().await?;
        stage.is_empty().await?;
        stage.remotes.start().await?;
        Ok(stage)
    }

    /// Jobs that nobody in this run asked for would be judged as if they had come from nowhere.
    async fn is_empty(&self) -> Result<(), Failure> {
        let Some(endpoint) = self.endpoints.first() else {
            return Ok(());
        };
        let campaigns = endpoint.campaigns(&PageQuery::default()).await?.items;
        let jobs = endpoint.jobs_page(&JobsQuery::default()).await?.items;
        if jobs.is_empty() && campaigns.is_empty() {
            return Ok(());
        }
        Err(
            Failure::usage("the database that was given holds jobs or campaigns already")
                .then("Give an empty one: this run judges all it finds."),
        )
    }

    /// One first: it makes the schema.
    async fn start(&self) -> Result<(), Failure> {
        let Some((first, others)) = self.nodes.split_first() else {
            return Ok(());
        };
        first.wait().await.start().await?;
        let starts = others
            .iter()
            .map(|node| async { node.wait().await.start().await });
        try_join_all(starts).await.map(|_| ())
    }

    /// Whether all is kept in a file, by the clock of the server that has it.
    pub fn is_on_a_file(&self) -> bool {
        self.cluster.is_none() && self.nodes.iter().all(|node| node.database.is_none())
    }

    /// Chance of its own for each part of the run.
    pub fn chance(&self, part: u64) -> StdRng {
        chance(self.seed, part)
    }

    /// Counts what was done elsewhere: by the lines, the clients and the campaigns.
    pub fn count(&self, counters: &Counters) {
        let lines = self.nodes.iter().flat_map(|node| {
            let redis = node.redis.iter();
            redis.chain(&node.database).map(Proxy::counts)
        });
        let (mut cuts, mut around_commits, mut hints) = (0, 0, 0);
        for line in lines {
            around_commits += line.around_commits();
            hints += line.moves;
            cuts += line.cut_all + line.cut_after_bytes + line.cut_after_move;
            cuts += line.cut_behind_message + line.around_commits();
        }
        self.tally.set(Count::HintsTaken, hints);
        self.tally.set(Count::AnswerCuts, self.remotes.cuts());
        self.tally.set(Count::Cuts, cuts);
        self.tally.set(Count::CommitCuts, around_commits);
        let accepted = counters.accepted.load(Ordering::Relaxed);
        self.tally.set(Count::Jobs, accepted);
        let bulk = counters.bulk.load(Ordering::Relaxed);
        self.tally.set(Count::BulkJobs, bulk);
        self.tally.set(Count::Campaigns, self.way.ended());
    }

    /// Breaks off every fault of the lines, and fails if a server has ended by itself.
    pub async fn heal(&self) -> Result<(), Failure> {
        for node in &self.nodes {
            node.database.iter().for_each(Proxy::heal);
            node.redis.iter().for_each(Proxy::heal);
            node.wait().await.assert_alive()?;
        }
        Ok(())
    }

    /// Tells every server to stop, so that none is in the middle of something when its database goes.
    pub async fn strike(&self) -> Result<(), Failure> {
        self.remotes.strike().await;
        let stops = self
            .nodes
            .iter()
            .map(|node| async { node.wait().await.stop().await });
        try_join_all(stops).await?;
        WallClock::tidy();
        Ok(())
    }
}

/// What the lab could not start, in its own words, which name Debian's package.
pub fn cannot(error: impl std::fmt::Display) -> Failure {
    Failure::unreachable(format!("{error:#}"))
        .then("An empty database can be given instead with --database URL --yes-wipe, a Redis with --redis URL --yes-wipe, and --without redis leaves Redis out.")
}
