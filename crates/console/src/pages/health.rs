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
        name: "Database",
        is_fine: glance.trouble.is_none(),
        text: match glance.trouble {
            None => store.to_owned(),
            Some(_) => format!("{store} does not answer"),
        },
    }
}

/// Work goes on without hints, but somebody should know.
fn hints(hints: &HintHealth) -> Chip {
    Chip {
        name: "Hints",
        is_fine: hints.state == HintState::Open,
        text: match &hints.state {
            HintState::Open => format!("from {}", hints.kind),
            HintState::Building => "being built anew".to_owned(),
            HintState::Away(why) => format!("none, jobs are claimed from the database: {why}"),
        },
    }
}

fn workers(glance: &OverviewSnapshot) -> Chip {
    let (live, all) = glance.live_workers();
    Chip {
        name: "Workers",
        is_fine: live > 0 && live == all,
        text: format!("{live} of {all} live"),
    }
}

fn leader(glance: &OverviewSnapshot) -> Chip {
    let leader = glance
        .installation
        .as_ref()
        .and_then(|installation| installation.leader);
    Chip {
        name: "Leader",
        is_fine: leader.is_some(),
        text: leader.map_or_else(|| "none".to_owned(), |id| glance.name_of(id)),
    }
}

fn routines(routines: &[RoutineHealth]) -> Chip {
    let failing: Vec<_> = routines
        .iter()
        .filter(|routine| routine.state == RoutineState::Failing)
        .map(|routine| routine.name)
        .collect();
    Chip {
        name: "Routines",
        is_fine: failing.is_empty(),
        text: if failing.is_empty() {
            format!("{} turning", routines.len())
        } else {
            format!("{} failing", failing.join(", "))
        },
    }
}

fn feed(glance: &OverviewSnapshot) -> Chip {
    let last = glance
        .installation
        .as_ref()
        .map(|installation| installation.bounds.last);
    Chip {
        name: "Event feed",
        is_fine: true,
        text: last.map_or_else(
            || "-".to_owned(),
            |last| format!("at {}", count(last.max(0).unsigned_abs())),
        ),
    }
}
