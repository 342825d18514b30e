//! `baton demo`: real jobs call a real target, fail, retry, survive a killed server, and are counted.
//!
//! The demonstration speaks to its own server through the public API only. It kills it with the
//! signal that cannot be caught while calls are on their way, starts it again on the same database,
//! and has a judge that shares no code with the server compare what was accepted, what the server
//! says of it, what its event feed told, and what the target really received.

mod campaign;
mod evidence;
mod feeder;
mod plan;
mod report;
mod view;

use std::{fs, path::Path, time::Duration};

use baton_client::Client;
use baton_faults::{Server, Subscriber, now_us};
use baton_lab::{
    checker::{Fault, FaultKind},
    target::{Options, Target},
};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::{
    cli::DemoArgs,
    exit::{Exit, Failure},
    output::Output,
    shutdown::{self, Shutdown},
};

use feeder::Feeder;
use plan::Plan;
use view::View;

/// Where the settings of the server are.
const SETTINGS: &str = "demo.toml";
/// Short, so that what the dead server had runs again soon.
const LEASE: Duration = Duration::from_secs(3);
/// How many calls the server makes at once.
const SLOTS: u32 = 50;
/// How long clients go on asking while the server is away.
const RETRY_FOR: Duration = Duration::from_mins(1);
/// How many calls are to be on their way when the server is killed.
const CALLS_TO_CUT: usize = 25;
/// How long that many calls are waited for.
const LONGEST_AIM: Duration = Duration::from_secs(5);
/// How often the calls on their way are counted.
const AIM: Duration = Duration::from_millis(10);

pub async fn run(args: DemoArgs, output: &Output) -> Result<Exit, Failure> {
    let told = Shutdown::listen()?.soft;
    let played = tokio::select! {
        played = play(&args, output) => played?,
        // Dropping the play kills its server and removes its folder.
        () = told.cancelled() => return Ok(Exit::Interrupted),
        () = shutdown::hung_up() => return Ok(Exit::Interrupted),
    };
    let Played {
        stage,
        server,
        is_good,
    } = played;
    if args.keep {
        stage.keep(server, &told, output).await?;
    } else {
        server.stop().await?;
    }
    Ok(if is_good { Exit::Ok } else { Exit::Failure })
}

struct Played {
    stage: DemoSetup,
    server: Server,
    is_good: bool,
}

async fn play(args: &DemoArgs, output: &Output) -> Result<Played, Failure> {
    let folder = tempfile::Builder::new()
        .prefix("baton-demo-")
        .tempdir()
        .map_err(|error| Failure::new(format!("no temporary folder can be made: {error}")))?;
    let target = Target::start(Options::default())
        .await
        .map_err(|error| Failure::new(format!("the target cannot be started: {error}")))?;
    output.say(format!(
        "A target for the calls listens on http://{}",
        target.addr()
    ));
    let provider = Target::start(Options::default())
        .await
        .map_err(|error| Failure::new(format!("the provider cannot be started: {error}")))?;
    configure(folder.path(), &provider)?;
    let mut server = start(folder.path(), args, None).await?;
    output.say(format!(
        "A server is ready on {} (process {})",
        server.url(),
        server.process()
    ));
    let stage = DemoSetup {
        plan: Plan::new(args.jobs, args.seed, &target),
        client: Client::new(server.url())?.retrying_for(RETRY_FOR),
        target,
        provider,
        folder,
    };
    let is_good = stage.act(args, &mut server, output).await?;
    Ok(Played {
        stage,
        server,
        is_good,
    })
}

/// Writes the settings that name the provider of the campaign.
fn configure(folder: &Path, provider: &Target) -> Result<(), Failure> {
    let name = campaign::PROVIDER;
    let url = provider.url("/ok");
    let settings = format!("[providers.{name}]\nkind = \"http\"\nurl = \"{url}\"\n");
    fs::write(folder.join(SETTINGS), settings)
        .map_err(|error| Failure::new(format!("the settings cannot be written: {error}")))
}

async fn start(folder: &Path, args: &DemoArgs, address: Option<&str>) -> Result<Server, Failure> {
    let (lease, slots) = (format!("{}s", LEASE.as_secs()), SLOTS.to_string());
    let settings = folder.join(SETTINGS);
    let settings = settings.to_string_lossy();
    let mut flags = vec![
        "--config",
        &*settings,
        "--listen",
        address.unwrap_or("127.0.0.1:0"),
        "--grace",
        "5s",
    ];
    flags.extend(["--lease", &lease, "--slots", &slots]);
    if let Some(url) = &args.database {
        flags.extend(["--database", url]);
    }
    Ok(Server::start(folder, flags).await?)
}

struct DemoSetup {
    plan: Plan,
    client: Client,
    target: Target,
    provider: Target,
    folder: TempDir,
}

impl DemoSetup {
    /// The whole play; whether the numbers agree.
    async fn act(
        &self,
        args: &DemoArgs,
        server: &mut Server,
        output: &Output,
    ) -> Result<bool, Failure> {
        let began = tokio::time::Instant::now();
        let subscriber = Subscriber::start("the event stream", &self.client).await?;
        let feeder = Feeder::start(&self.client, &self.plan);
        let view = View::start(self.client.clone(), self.plan.len(), *output);
        let fault = self.kill_midway(args, server, &feeder, &view).await?;
        let requests = feeder.end().await?;
        view.end().await?;
        let evidence = evidence::gather(&self.client, &self.target, requests, vec![fault]).await?;
        let subscriber = subscriber.end_with(&evidence.history).await?;
        let evidence = evidence.with(subscriber);
        let took = began.elapsed();
        let campaign = match args.recipients {
            0 => None,
            recipients => Some(self.send_to_many(recipients, args, server, output).await?),
        };
        let acts = report::Acts {
            evidence: &evidence,
            plan: &self.plan,
            campaign: campaign.as_ref(),
            took,
        };
        Ok(report::show(&acts, output))
    }

    /// The second act.
    async fn send_to_many(
        &self,
        recipients: u32,
        args: &DemoArgs,
        server: &mut Server,
        output: &Output,
    ) -> Result<campaign::Outcome, Failure> {
        let act = campaign::Act {
            client: &self.client,
            provider: &self.provider,
            recipients,
            output,
        };
        let kill = async || {
            server.kill().await?;
            *server = start(self.folder.path(), args, Some(server.address())).await?;
            Ok(())
        };
        act.play(kill).await
    }

    async fn kill_midway(
        &self,
        args: &DemoArgs,
        server: &mut Server,
        feeder: &Feeder,
        view: &View,
    ) -> Result<Fault, Failure> {
        feeder.is_past(self.plan.len() / 2).await;
        let mut workers = self.client.workers().await?.into_iter();
        let worker = workers.find(|worker| worker.state == "live");
        let cut = self.aim().await;
        let at_us = now_us();
        server.kill().await?;
        view.tell(format!(
            "Killed the server with SIGKILL while {cut} calls were on their way"
        ));
        *server = start(self.folder.path(), args, Some(server.address())).await?;
        view.tell(format!(
            "Started it again on the same database (process {}); leases of the dead one end in {} s",
            server.process(),
            LEASE.as_secs()
        ));
        Ok(Fault {
            kind: FaultKind::Kill,
            name: "kill the server".to_owned(),
            worker: worker.map(|worker| worker.id.to_string()),
            from_us: at_us,
            until_us: now_us(),
        })
    }

    /// Waits for a moment in which many calls are on their way, and says how many.
    async fn aim(&self) -> usize {
        let end = tokio::time::Instant::now() + LONGEST_AIM;
        loop {
            let open = self
                .target
                .arrivals()
                .iter()
                .filter(|arrival| arrival.ended_us.is_none())
                .count();
            if open >= CALLS_TO_CUT || tokio::time::Instant::now() > end {
                return open;
            }
            tokio::time::sleep(AIM).await;
        }
    }

    async fn keep(
        &self,
        mut server: Server,
        told: &CancellationToken,
        output: &Output,
    ) -> Result<(), Failure> {
        let url = server.url().to_owned();
        output.line(format!("The server stays up: {url}/admin"));
        output.say(format!(
            "Try: baton --url {url} jobs list --state failed\nStop it with Ctrl-C; its data goes with it ({}).",
            self.folder.path().display()
        ));
        tokio::select! {
            _ = server.ended() => return Err(server.dead().into()),
            () = told.cancelled() => {}
            () = shutdown::hung_up() => {}
        }
        Ok(server.stop().await?)
    }
}
