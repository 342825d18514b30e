//! A private Galera: three MariaDB, each of which has all of it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::{Brand, Mysql, programs};
use crate::servers::port::free_port;
use crate::servers::process::output;
use crate::servers::wait::until;

/// Until a member is one of the cluster, on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);
const MEMBERS: usize = 3;

/// Where Debian's package `galera-4` has put it.
const LIBRARIES: [&str; 2] = [
    "/usr/lib/galera/libgalera_smm.so",
    "/usr/lib/libgalera_smm.so",
];

/// How one member hands its state to another: here, not at all.
const HAND_OVER: &str = include_str!("wsrep_sst_given");
const HAND_OVER_NAME: &str = "wsrep_sst_given";

/// What the first member wrote down for itself.
const ITS_OWN: [&str; 2] = ["galera.cache", "gvwstate.dat"];

/// Three MariaDB of this process that keep the same.
#[derive(Debug)]
pub struct Galera {
    members: Vec<Mysql>,
}

impl Galera {
    /// Whether its library is on this machine.
    #[must_use]
    pub fn is_installed() -> bool {
        library().is_ok()
    }

    /// Starts the cluster, and waits until all are in it.
    pub fn start() -> Result<Self> {
        let library = library()?;
        let groups = (0..MEMBERS)
            .map(|_| free_port())
            .collect::<Result<Vec<_>>>()?;
        let first = member(&library, &groups, 0, |home, data| {
            Brand::Mariadb.lay_out(home, data)
        })?;
        let mut cluster = Self {
            members: vec![first],
        };
        let origin = cluster.origin()?;
        for number in 1..MEMBERS {
            let next = member(&library, &groups, number, |_, data| copy(&origin, data))?;
            cluster.members.push(next);
        }
        Ok(cluster)
    }

    /// What the first member has written, when nobody has asked it for anything yet: all others begin with it.
    fn origin(&mut self) -> Result<PathBuf> {
        let first = &mut self.members[0];
        first.stop()?;
        for name in ITS_OWN {
            let _ = fs::remove_file(first.data().join(name));
        }
        let origin = first.home.path().join("origin");
        copy(&first.data(), &origin)?;
        first.restart()?;
        is_synced(first)?;
        Ok(origin)
    }

    /// A member, by its place.
    #[must_use]
    pub fn member(&self, place: usize) -> &Mysql {
        &self.members[place]
    }

    /// Kills a member at once, and waits until the others go on without it.
    pub fn kill(&mut self, place: usize) -> Result<()> {
        self.members[place].kill()?;
        self.wait_for_the_others(place)
    }

    /// Lets a member hear nothing of the others and tell them nothing, and waits until it knows and they go on without it.
    pub fn isolate(&self, place: usize) -> Result<()> {
        let alone = "SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'";
        self.members[place].execute(alone)?;
        until("the member knows that it is alone", TIMEOUT, || {
            Ok(status(&self.members[place], "wsrep_cluster_status") != "Primary")
        })?;
        self.wait_for_the_others(place)
    }

    fn wait_for_the_others(&self, place: usize) -> Result<()> {
        let others = self.members.iter().enumerate();
        let others: Vec<_> = others.filter(|(other, _)| *other != place).collect();
        let size = others.len().to_string();
        until("the others go on", TIMEOUT, || {
            Ok(others.iter().all(|(_, member)| {
                status(member, "wsrep_cluster_status") == "Primary"
                    && status(member, "wsrep_cluster_size") == size
                    && state(member) == "Synced"
            }))
        })
    }
}

/// Starts a member, and waits until it is one of the cluster.
fn member(
    library: &Path,
    groups: &[u16],
    number: usize,
    lay_out: impl Fn(&Path, &Path) -> Result<()>,
) -> Result<Mysql> {
    let settings = settings(library, groups, number)?;
    let settings: Vec<_> = settings.iter().map(String::as_str).collect();
    let member = Mysql::make(Brand::Mariadb, &settings, false, |home, data| {
        lay_out(home, data)?;
        give_program(home)
    })?;
    is_synced(&member)?;
    Ok(member)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let mut copy = Command::new("cp");
    output(copy.arg("--recursive").arg(from).arg(to)).map(drop)
}

fn give_program(home: &Path) -> Result<()> {
    let programs = programs(home);
    fs::create_dir(&programs)?;
    let program = programs.join(HAND_OVER_NAME);
    fs::write(&program, HAND_OVER)?;
    Ok(fs::set_permissions(
        &program,
        fs::Permissions::from_mode(0o755),
    )?)
}

fn settings(library: &Path, groups: &[u16], number: usize) -> Result<Vec<String>> {
    let addresses = groups.iter().map(|port| format!("127.0.0.1:{port}"));
    let addresses: Vec<_> = addresses.collect();
    let (group, catch_up) = (groups[number], free_port()?);
    let options = [
        format!("base_host=127.0.0.1;base_port={group}"),
        format!("gmcast.listen_addr=tcp://127.0.0.1:{group}"),
        format!("ist.recv_addr=127.0.0.1:{catch_up}"),
        "gcache.size=64M;evs.suspect_timeout=PT4S".to_owned(),
    ];
    let mut settings = vec![
        "skip-grant-tables=OFF".to_owned(),
        "wsrep-on=ON".to_owned(),
        format!("wsrep-provider={}", library.display()),
        format!("wsrep-provider-options={}", options.join(";")),
        format!("wsrep-cluster-address=gcomm://{}", addresses.join(",")),
        "wsrep-cluster-name=baton".to_owned(),
        format!("wsrep-node-name=member-{number}"),
        "wsrep-node-address=127.0.0.1".to_owned(),
        "wsrep-sst-method=given".to_owned(),
        "innodb-flush-log-at-trx-commit=1".to_owned(),
        "binlog-format=ROW".to_owned(),
        "innodb-autoinc-lock-mode=2".to_owned(),
    ];
    if number == 0 {
        settings.push("wsrep-new-cluster".to_owned());
    }
    Ok(settings)
}

fn library() -> Result<PathBuf> {
    let mut places = LIBRARIES.iter().map(PathBuf::from);
    let found = places.find(|place| place.exists());
    found.context(
        "Galera is not installed: there is no `libgalera_smm.so`. Debian's package is `galera-4`, which comes with `mariadb-server`",
    )
}

fn is_synced(member: &Mysql) -> Result<()> {
    until("the member is one of the cluster", TIMEOUT, || {
        Ok(state(member) == "Synced")
    })
    .with_context(|| member.last_words())
}

fn state(member: &Mysql) -> String {
    status(member, "wsrep_local_state_comment")
}

/// Nothing, while it does not answer.
fn status(member: &Mysql, name: &str) -> String {
    let asked = format!(
        "SELECT variable_value FROM information_schema.global_status WHERE variable_name = '{name}'"
    );
    let answer = member.execute(&asked).unwrap_or_default();
    answer.trim().to_owned()
}
