//! Which servers a run has.

use std::str::FromStr;

use crate::Failure;

use super::{
    options::{DatabaseKind, Options},
    remote::Way,
};

/// How many servers of each kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crew(Vec<(Duty, u32)>);

/// What a server does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    Api,
    Engine,
    Worker,
    All,
    /// Works over HTTP, and gives jobs as lines to processes that stay: no server.
    Remote,
    /// The same, with a process for each job.
    RemoteExec,
    /// The same, with a service beside it.
    RemoteHttp,
    /// Works over HTTP by a program of its own, as one of an SDK.
    RemoteSdk,
}

/// Enough for any machine, and too few to starve one by a slip of the finger.
const MOST: u32 = 50;

impl Duty {
    const EACH: [Self; 8] = [
        Self::Api,
        Self::Engine,
        Self::Worker,
        Self::All,
        Self::Remote,
        Self::RemoteExec,
        Self::RemoteHttp,
        Self::RemoteSdk,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Engine => "engine",
            Self::Worker => "worker",
            Self::All => "all",
            Self::Remote => "remote",
            Self::RemoteExec => "remote-exec",
            Self::RemoteHttp => "remote-http",
            Self::RemoteSdk => "remote-sdk",
        }
    }

    /// The value of `--roles`.
    pub const fn roles(self) -> &'static str {
        match self {
            Self::All => "api,engine,worker",
            other => other.as_str(),
        }
    }

    pub const fn listens(self) -> bool {
        matches!(self, Self::Api | Self::All)
    }

    pub const fn works(self) -> bool {
        matches!(self, Self::Worker | Self::All)
    }

    /// How it gives jobs to programs, if it is a remote worker.
    const fn way(self) -> Option<Way> {
        match self {
            Self::Remote => Some(Way::Lines),
            Self::RemoteExec => Some(Way::Exec),
            Self::RemoteHttp => Some(Way::Http),
            Self::RemoteSdk => Some(Way::Sdk),
            _ => None,
        }
    }
}

impl Crew {
    /// Each remote worker's way and name: `remote-2`.
    pub fn remotes(&self) -> impl Iterator<Item = (Way, String)> {
        let all = self.all().into_iter();
        all.filter_map(|(duty, name)| Some((duty.way()?, name)))
    }

    /// Each server's duty and name: `worker-3`.
    pub fn members(&self) -> impl Iterator<Item = (Duty, String)> {
        let all = self.all().into_iter();
        all.filter(|(duty, _)| duty.way().is_none())
    }

    fn all(&self) -> Vec<(Duty, String)> {
        let named = |(duty, count): &(Duty, u32)| {
            let (duty, count) = (*duty, *count);
            (1..=count).map(move |number| (duty, format!("{}-{number}", duty.as_str())))
        };
        self.0.iter().flat_map(named).collect()
    }

    fn has(&self, wanted: Duty) -> bool {
        let mut counts = self.0.iter();
        counts.any(|(duty, count)| *count > 0 && (*duty == wanted || *duty == Duty::All))
    }
}

/// The servers of a run. What is kept in a file one server has to itself.
pub fn of(args: &Options) -> Result<Crew, Failure> {
    let (usual, most) = match args.store {
        // One that has every role starts jobs as they come in.
        DatabaseKind::Postgres | DatabaseKind::Mysql | DatabaseKind::Patroni => (
            vec![
                (Duty::Api, 2),
                (Duty::Engine, 2),
                (Duty::Worker, 3),
                (Duty::All, 1),
            ],
            None,
        ),
        DatabaseKind::Sqlite => (vec![(Duty::All, 1)], Some(1)),
    };
    let crew = args.nodes.clone().unwrap_or(Crew(usual));
    if most.is_some_and(|most| crew.members().count() > most) {
        return Err(
            Failure::usage("on SQLite there is one server, with every role")
                .then("Leave --nodes out, or give --nodes all=1."),
        );
    }
    if args.sdk_workers.is_empty() && crew.remotes().any(|(way, _)| way == Way::Sdk) {
        return Err(
            Failure::usage("`remote-sdk` has no program").then("Say by --sdk-worker what it runs.")
        );
    }
    Ok(crew)
}

impl FromStr for Crew {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let counts = text.split(',').map(read).collect::<Result<_, _>>()?;
        let crew = Self(counts);
        for duty in [Duty::Api, Duty::Engine, Duty::Worker] {
            if !crew.has(duty) {
                let duty = duty.as_str();
                return Err(format!(
                    "no server has the role {duty}, and without it no job comes to its end; \
                     try api=2,engine=2,worker=4"
                ));
            }
        }
        Ok(crew)
    }
}

fn read(part: &str) -> Result<(Duty, u32), String> {
    let bad = || {
        format!(
            "`{part}` names no servers: it is api, engine, worker, all, remote, remote-exec, remote-http or remote-sdk, `=`, and 0 to {MOST}"
        )
    };
    let (word, count) = part.split_once('=').ok_or_else(bad)?;
    let duty = Duty::EACH.into_iter().find(|duty| duty.as_str() == word);
    let count = count.parse().ok().filter(|count| *count <= MOST);
    duty.zip(count).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_named_by_their_duty() {
        let crew: Crew = "api=1,engine=1,worker=2".parse().unwrap();

        let names: Vec<_> = crew.members().map(|(_, name)| name).collect();

        assert_eq!(names, ["api-1", "engine-1", "worker-1", "worker-2"]);
    }

    #[test]
    fn remote_workers_are_named_with_their_way_and_are_no_servers() {
        let crew: Crew = "all=1,remote=2,remote-exec=1,remote-http=1,remote-sdk=1"
            .parse()
            .unwrap();

        let servers: Vec<_> = crew.members().map(|(_, name)| name).collect();
        let remotes: Vec<_> = crew.remotes().collect();

        assert_eq!(servers, ["all-1"]);
        let each = [
            (Way::Lines, "remote-1"),
            (Way::Lines, "remote-2"),
            (Way::Exec, "remote-exec-1"),
            (Way::Http, "remote-http-1"),
            (Way::Sdk, "remote-sdk-1"),
        ];
        assert_eq!(remotes, each.map(|(way, name)| (way, name.to_owned())));
    }

    #[test]
    fn a_server_with_every_role_is_enough() {
        assert!("all=1".parse::<Crew>().is_ok());
    }

    #[test]
    fn a_fleet_that_lacks_a_role_is_refused_with_what_it_lacks() {
        for (text, missing) in [
            ("api=2,worker=1", "engine"),
            ("engine=1,worker=1,api=0", "api"),
            ("api=2,engine=1", "worker"),
        ] {
            let refused = text.parse::<Crew>().unwrap_err();

            assert!(refused.contains(missing), "{text}: {refused}");
        }
    }

    #[test]
    fn what_names_no_servers_is_refused() {
        for text in ["", "api", "api=x", "api=51,all=1", "door=1,all=1"] {
            assert!(text.parse::<Crew>().is_err(), "{text}");
        }
    }
}
