//! Installing Debian's packages.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::run::{run, succeeds};

/// While this file is there, installing PostgreSQL makes no cluster, and so starts no server. A file of
/// our own beside Debian's: to change Debian's would make the next upgrade ask about it.
const NO_CLUSTER_FILE: &str = "/etc/postgresql-common/createcluster.d/baton-tests.conf";
const NO_CLUSTER: &str = "create_main_cluster = false";

/// While this script is there, Debian's packages start no service. Some have no setting of their own that
/// would say so, and enable their service for the next start of the machine, too.
const NO_START_FILE: &str = "/usr/sbin/policy-rc.d";
const NO_START: &str = r"#!/bin/sh\n# While Baton installs what its tests need.\nexit 101\n";
const ENABLE_THEMSELVES: [(&str, &str); 6] = [
    ("mariadb-server", "mariadb"),
    ("redis-server", "redis-server"),
    ("redis-sentinel", "redis-sentinel"),
    ("patroni", "patroni"),
    ("etcd-server", "etcd"),
    ("prometheus", "prometheus"),
];

/// Another installation may be under way: wait that many seconds for its end.
const LOCK_TIMEOUT: &str = "DPkg::Lock::Timeout=300";

/// Installs the packages as root, or says how a person can.
pub fn install(packages: &[&str]) -> Result<()> {
    let root = Root::find(packages)?;
    eprintln!("Missing: {}.", packages.join(", "));
    run(root.command("apt-get").args(["-o", LOCK_TIMEOUT, "update"]))?;
    without_a_cluster(&root, || {
        without_a_start(&root, || {
            let mut apt = root.command("env");
            apt.args([
                "DEBIAN_FRONTEND=noninteractive",
                "apt-get",
                "-o",
                LOCK_TIMEOUT,
            ]);
            run(apt
                .args(["install", "--yes", "--no-install-recommends"])
                .args(packages))
        })
    })?;
    for (_, service) in ENABLE_THEMSELVES
        .iter()
        .filter(|(package, _)| packages.contains(package))
    {
        let disable = format!("if command -v systemctl; then systemctl disable {service}; fi");
        // Best effort: where no service manager runs, nothing can be started, either.
        let _ = succeeds(root.command("sh").args(["-c", &disable]));
    }
    Ok(())
}

fn without_a_cluster(root: &Root, install: impl FnOnce() -> Result<()>) -> Result<()> {
    let write = format!(
        r#"mkdir -p "$(dirname {NO_CLUSTER_FILE})" && echo '{NO_CLUSTER}' > {NO_CLUSTER_FILE}"#
    );
    run(root.command("sh").args(["-c", &write]))?;
    let installed = install();
    let removed = run(root.command("rm").args(["-f", NO_CLUSTER_FILE]));
    installed.and(removed)
}

/// A machine that has a policy of its own keeps it: containers have, and it says the same.
fn without_a_start(root: &Root, install: impl FnOnce() -> Result<()>) -> Result<()> {
    if Path::new(NO_START_FILE).exists() {
        return install();
    }
    let write = format!("printf '{NO_START}' > {NO_START_FILE} && chmod 755 {NO_START_FILE}");
    run(root.command("sh").args(["-c", &write]))?;
    let installed = install();
    let removed = run(root.command("rm").args(["-f", NO_START_FILE]));
    installed.and(removed)
}

/// How to become root.
enum Root {
    AlreadyIs,
    Sudo,
}

impl Root {
    fn find(packages: &[&str]) -> Result<Self> {
        if !succeeds(Command::new("apt-get").arg("--version")) {
            bail!(
                "{}, and there is no apt-get: install them by your system's means",
                lacks(packages)
            );
        }
        if fs::metadata("/proc/self")
            .context("/proc is not there")?
            .uid()
            == 0
        {
            return Ok(Self::AlreadyIs);
        }
        if succeeds(Command::new("sudo").args(["-n", "true"])) {
            return Ok(Self::Sudo);
        }
        bail!(
            "{}, and we may not install them: run `sudo apt-get install {}`, then try again",
            lacks(packages),
            packages.join(" ")
        )
    }

    fn command(&self, program: &str) -> Command {
        match self {
            Self::AlreadyIs => Command::new(program),
            Self::Sudo => {
                let mut sudo = Command::new("sudo");
                sudo.args(["-n", program]);
                sudo
            }
        }
    }
}

fn lacks(packages: &[&str]) -> String {
    format!(
        "this machine lacks {} (of PostgreSQL, 15 or newer)",
        packages.join(", ")
    )
}
