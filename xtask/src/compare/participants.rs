//! Who is measured, and by which command.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use super::build::Programs;
use super::options::Options;
use super::stage::Stage;

/// One that is measured in each round.
#[derive(Debug, PartialEq)]
pub struct Participant {
    pub name: &'static str,
    pub maker: Maker,
}

/// What a participant is made of, and so how it is built and started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Maker {
    Limits,
    Node,
    Rust,
    Php,
    Python,
    Baton,
}

/// In the order of a round: Baton stands between the limits and the peers it is compared with.
const ALL: [Participant; 20] = [
    Participant::new("limits", Maker::Limits),
    Participant::new("baton", Maker::Baton),
    Participant::new("baton-campaigns", Maker::Baton),
    Participant::new("graphile-rs-batched", Maker::Rust),
    Participant::new("graphile-batched", Maker::Node),
    Participant::new("pgboss-work", Maker::Node),
    Participant::new("pgboss-fetch1000", Maker::Node),
    Participant::new("apalis-pg-batched", Maker::Rust),
    Participant::new("bullmq", Maker::Node),
    Participant::new("baton-remote", Maker::Baton),
    Participant::new("baton-remote-python", Maker::Baton),
    Participant::new("baton-remote-node", Maker::Baton),
    Participant::new("celery", Maker::Python),
    Participant::new("baton-mariadb", Maker::Baton),
    Participant::new("baton-campaigns-mariadb", Maker::Baton),
    Participant::new("symfony-doctrine", Maker::Php),
    Participant::new("baton-sqlite", Maker::Baton),
    Participant::new("baton-campaigns-sqlite", Maker::Baton),
    Participant::new("baton-history", Maker::Baton),
    Participant::new("baton-memory", Maker::Baton),
];

const NODE_DRIVERS: &str = "benches/peers/node/main.js";
const PYTHON_DRIVER: &str = "benches/peers/python/main.py";
const NODE_WORKER: &str = "benches/peers/node/baton-worker.mjs";
const PYTHON_WORKER: &str = "benches/peers/python/baton_worker.py";
const PHP_DRIVER: &str = "benches/peers/php/main.php";

/// Symfony hands out one message a transaction, Celery one at a time: with as many jobs as the others they would need
/// half an hour.
const FEWER_FOR_THE_SLOW: u32 = 10;

/// They take tens of minutes, and have to be asked for.
const LONG: [&str; 2] = ["baton-history", "baton-memory"];

/// The named ones, or else those that take minutes, or all; in the order of a round.
pub fn chosen(names: &[String], all: bool) -> Result<Vec<&'static Participant>> {
    let known = |name: &String| ALL.iter().any(|one| one.name == *name);
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        let all: Vec<&str> = ALL.iter().map(|one| one.name).collect();
        bail!("`{unknown}` is not one of {}", all.join(", "));
    }
    let wanted = |one: &&Participant| match names {
        [] => all || !LONG.contains(&one.name),
        names => names.iter().any(|name| name == one.name),
    };
    Ok(ALL.iter().filter(wanted).collect())
}

impl Participant {
    const fn new(name: &'static str, maker: Maker) -> Self {
        Self { name, maker }
    }

    /// The command that measures it once and prints the lines.
    pub fn command(&self, options: &Options, stage: &Stage, programs: &Programs) -> Command {
        match self.maker {
            Maker::Limits => limits(stage),
            Maker::Node => self.peer(&programs.node, Some(NODE_DRIVERS), options, stage),
            Maker::Rust => self.peer(&programs.rust_peers, None, options, stage),
            Maker::Python => self.celery(&programs.python, options, stage),
            Maker::Php => self.symfony(options, stage),
            Maker::Baton => self.baton(programs, options, stage),
        }
    }

    fn peer(
        &self,
        program: &Path,
        script: Option<&str>,
        options: &Options,
        stage: &Stage,
    ) -> Command {
        let mut peer = Command::new(program);
        peer.args(script).arg(self.name);
        peer.args(["--jobs", &options.jobs.to_string()]);
        peer.args(["--postgres", stage.postgres(), "--redis", stage.redis()]);
        peer
    }

    fn celery(&self, program: &Path, options: &Options, stage: &Stage) -> Command {
        let mut python = Command::new(program);
        let jobs = options.jobs / FEWER_FOR_THE_SLOW;
        // Without it Python leaves compiled files beside its sources.
        python.args(["-B", PYTHON_DRIVER, self.name, "--jobs", &jobs.to_string()]);
        python.args(["--redis", stage.redis()]);
        python
    }

    fn symfony(&self, options: &Options, stage: &Stage) -> Command {
        let mut php = Command::new("php");
        let jobs = options.jobs / FEWER_FOR_THE_SLOW;
        php.args([PHP_DRIVER, self.name, "--jobs", &jobs.to_string()]);
        php.args(["--mysql", stage.mariadb()]);
        php
    }

    fn baton(&self, programs: &Programs, options: &Options, stage: &Stage) -> Command {
        let mut baton = Command::new(&programs.baton);
        baton.args(["bench", "--lines"]);
        let jobs = options.jobs.to_string();
        let recipients = (2 * options.jobs).to_string();
        match self.name {
            "baton-sqlite" | "baton-mariadb" => {
                baton.args(["drain", "batch", "single", "latency", "store"])
            }
            "baton-history" => baton.args(["history", "--history", "10000000"]),
            "baton-campaigns" | "baton-campaigns-mariadb" | "baton-campaigns-sqlite" => {
                baton.arg("campaigns")
            }
            "baton-memory" => baton.arg("memory"),
            "baton-remote" => baton.arg("remote"),
            "baton-remote-node" => {
                let worker = format!("node={} {NODE_WORKER}", programs.node.display());
                baton.args(["remote", "--worker", &worker])
            }
            "baton-remote-python" => {
                let worker = format!("python={} {PYTHON_WORKER}", programs.python.display());
                baton.args(["remote", "--worker", &worker])
            }
            _ => baton
                .args([
                    "drain", "batch", "single", "latency", "store", "snapshot", "http",
                ])
                .args(["--target", stage.target()]),
        };
        match self.name {
            // The memory is promised for a million jobs, which is its default.
            "baton-memory" => &mut baton,
            // The drain of a campaign is promised for twice as many recipients as others have jobs.
            "baton-campaigns" | "baton-campaigns-mariadb" | "baton-campaigns-sqlite" => {
                baton.args(["--jobs", &recipients])
            }
            _ => baton.args(["--jobs", &jobs]),
        };
        match self.name.rsplit('-').next() {
            Some("sqlite") => baton.arg("--data-dir").arg(stage.folder()),
            Some("mariadb") => baton.args(["--database", stage.mariadb()]),
            _ => baton.args(["--database", stage.postgres()]),
        };
        baton
    }
}

fn limits(stage: &Stage) -> Command {
    let mut limits = Command::new("python3");
    // Without it Python leaves compiled files beside its sources.
    limits.args(["-B", "benches/limits/limits.py"]);
    limits.args(["--postgres", stage.postgres(), "--target", stage.target()]);
    limits.arg("--folder").arg(stage.folder());
    limits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_names_all_take_part_but_the_long_ones_only_if_asked_for() {
        let counts = [false, true].map(|all| chosen(&[], all).unwrap().len());

        assert_eq!(counts, [ALL.len() - LONG.len(), ALL.len()]);
    }

    #[test]
    fn the_order_of_a_round_does_not_depend_on_that_of_the_names() {
        let names = ["bullmq".to_owned(), "limits".to_owned()];

        let chosen: Vec<&str> = chosen(&names, false)
            .unwrap()
            .iter()
            .map(|one| one.name)
            .collect();

        assert_eq!(chosen, ["limits", "bullmq"]);
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_known_ones() {
        let error = chosen(&["sidekiq".to_owned()], true)
            .unwrap_err()
            .to_string();

        assert!(error.contains("`sidekiq` is not one of limits, baton"));
    }
}
