//! The strip on every page that says how the installation is: one quiet line when all is well.

use askama::Template;
use baton_engine::{HintHealth, HintState, RoutineHealth, RoutineState};

use crate::{
    overview_cache::OverviewSnapshot,
    root::Root,
    view::{Markup, ago, count},
};

#[derive(Template)]
#[template(path = "panels/health.html")]
struct Health<'a> {
    root: &'a Root,
    is_fine: bool,
    chips: Vec<Chip>,
    checked: Markup,
}

struct Chip {
    name: &'static str,
    is_fine: bool,
    text: String,
}

/// The strip.
pub fn panel(glance: &OverviewSnapshot, root: &Root) -> Markup {
    let hints = glance.health.hints.as_ref().map(hints);
    let chips: Vec<_> = [
        Some(database(glance)),
        hints,
        Some(workers(glance)),
        Some(leader(glance)),
        Some(routines(&glance.health.routines)),
        Some(feed(glance)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let health = Health {
        root,
        is_fine: chips.iter().all(|chip| chip.is_fine) && !glance.health.draining,
        chips,
        checked: ago(glance.at, glance.at),
    };
    Markup::of(&health)
}

fn database(glance: &OverviewSnapshot) -> Chip {
    let store = glance.health.store;
    Chip {
        name: key!("Database"),
        is_fine: glance.trouble.is_none(),
        text: match glance.trouble {
            None => store.to_owned(),
            Some(_) => tr!("{store} does not answer", store = store),
        },
    }
}

/// Work goes on without hints, but somebody should know.
fn hints(hints: &HintHealth) -> Chip {
    Chip {
        name: key!("Hints"),
        is_fine: hints.state == HintState::Open,
        text: match &hints.state {
            HintState::Open => tr!("from {hints}", hints = hints.kind),
            HintState::Building => tr!("being built anew").to_owned(),
            HintState::Away(why) => {
                tr!("none, jobs are claimed from the database: {why}", why = why)
            }
        },
    }
}

fn workers(glance: &OverviewSnapshot) -> Chip {
    let (live, all) = glance.live_workers();
    Chip {
        name: key!("Workers"),
        is_fine: live > 0 && live == all,
        text: tr!("{n} of {all} live", n = live, all = all),
    }
}

fn leader(glance: &OverviewSnapshot) -> Chip {
    let leader = glance
        .installation
        .as_ref()
        .and_then(|installation| installation.leader);
    Chip {
        name: key!("Leader"),
        is_fine: leader.is_some(),
        text: leader.map_or_else(|| tr!("none").to_owned(), |id| glance.name_of(id)),
    }
}

fn routines(routines: &[RoutineHealth]) -> Chip {
    let failing: Vec<_> = routines
        .iter()
        .filter(|routine| routine.state == RoutineState::Failing)
        .map(|routine| routine.name)
        .collect();
    Chip {
        name: key!("Routines"),
        is_fine: failing.is_empty(),
        text: if failing.is_empty() {
            tr!("{n} turning", n = routines.len())
        } else {
            tr!("{names} failing", names = failing.join(", "))
        },
    }
}

fn feed(glance: &OverviewSnapshot) -> Chip {
    let last = glance
        .installation
        .as_ref()
        .map(|installation| installation.bounds.last);
    Chip {
        name: key!("Event feed"),
        is_fine: true,
        text: last.map_or_else(
            || "-".to_owned(),
            |last| tr!("at {n}", n = count(last.max(0).unsigned_abs())),
        ),
    }
}
