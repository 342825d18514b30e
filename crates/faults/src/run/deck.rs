//! Which scenarios a run may draw.

use baton_lab::servers::WallClock;

use crate::Failure;

use super::{
    options::{DatabaseKind, Options},
    scenario::{Scenario, Victim},
};

/// Why no clock is stepped, and what helps.
pub const NO_CLOCKS: &str = "no clock can be stepped here: libfaketime is not installed. Debian's package is `libfaketime`; \
in Baton's own source folder `cargo xtask setup` installs it";

/// What may be drawn, where processes can be given clocks, or cannot.
pub fn of(args: &Options, has_clocks: bool) -> Result<Vec<Scenario>, Failure> {
    let wants_steps = args.clock_steps > 0 || args.only.contains(&Scenario::StepClock);
    if wants_steps && !has_clocks {
        return Err(Failure::unreachable(NO_CLOCKS));
    }
    let deck: Vec<_> = asked_for(args)
        .filter(|one| !is_left_out(args, *one, has_clocks))
        .collect();
    if deck.is_empty() {
        return Err(Failure::usage("none of the scenarios can be played here")
            .then("Without Redis those of Redis are left out, on SQLite and Patroni those of the one database server, elsewhere those of Patroni, without campaigns and without `--nodes ...,remote=N`, `remote-exec=N`, `remote-http=N` or `remote-sdk=N` theirs; of a database or a Redis that was given, those that need its process."));
    }
    Ok(deck)
}

/// What was asked for and cannot be drawn.
#[must_use]
pub fn left_out(args: &Options) -> Vec<Scenario> {
    asked_for(args)
        .filter(|one| is_left_out(args, *one, WallClock::is_possible()))
        .collect()
}

fn asked_for(args: &Options) -> impl Iterator<Item = Scenario> {
    Scenario::each().filter(|one| {
        let is_there = match one.victim() {
            Victim::Servers | Victim::Clocks => true,
            Victim::Remote => args.has_remotes(),
            Victim::Campaigns => args.campaigns > 0,
            Victim::Database | Victim::Lines => args.store.is_one_server(),
            Victim::Cluster => args.store == DatabaseKind::Patroni,
            Victim::Sentinels => args.has_sentinels(),
            Victim::Redis => args.has_redis(),
        };
        is_there && (args.only.is_empty() || args.only.contains(one))
    })
}

/// Whether it needs the process of a server that was given, or a clock that nobody can be given here.
fn is_left_out(args: &Options, scenario: Scenario, has_clocks: bool) -> bool {
    let is_given = match scenario.victim() {
        Victim::Servers
        | Victim::Remote
        | Victim::Campaigns
        | Victim::Lines
        | Victim::Cluster
        | Victim::Sentinels => false,
        Victim::Clocks => return !has_clocks,
        Victim::Database => args.database.is_some(),
        Victim::Redis => args.redis.is_some(),
    };
    is_given && scenario.needs_our_own()
}
