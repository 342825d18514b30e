//! What people did last, in few lines, for whoever may read the audit log.

use askama::Template;
use baton_domain::audit::AuditEntry;

use crate::{
    names::page_of,
    overview_cache::OverviewSnapshot,
    root::Root,
    view::{Markup, ago},
};

#[derive(Template)]
#[template(path = "panels/acts.html")]
struct Acts {
    rows: Vec<Act>,
    all: String,
}

struct Act {
    id: String,
    at: Markup,
    who: String,
    action: &'static str,
    object: String,
    /// What that is called, or its id in little space.
    shown: String,
    href: Option<String>,
    reason: Option<String>,
}

/// The panel; nothing for whoever may not read it, or where nobody has done anything.
pub fn panel(glance: &OverviewSnapshot, root: &Root) -> Markup {
    let seen = glance.installation.iter();
    let acts = seen.flat_map(|installation| installation.acts.iter().flatten());
    Markup::of(&Acts {
        rows: acts.map(|entry| Act::new(entry, glance, root)).collect(),
        all: root.href("/activity"),
    })
}

impl Act {
    fn new(entry: &AuditEntry, glance: &OverviewSnapshot, root: &Root) -> Self {
        Self {
            id: entry.id.to_string(),
            at: ago(entry.at, glance.at),
            who: entry.name.clone(),
            action: entry.action.as_str(),
            object: entry.object.clone(),
            shown: glance.names().of(&entry.object),
            href: page_of(&entry.object).map(|path| root.href(&path)),
            reason: entry.reason.clone(),
        }
    }
}
