//! The jobs that run for longest: since when, where, how far, and what stops each.

use askama::Template;
use baton_domain::{Timestamp, checkpoint::Checkpoint, job::Job};

use super::{
    buttons::{self, Button},
    progress, queues,
};
use crate::{
    overview_cache::OverviewSnapshot,
    root::Root,
    view::{Markup, moment, short, span},
};

#[derive(Template)]
#[template(path = "panels/longest.html")]
struct Longest {
    rows: Vec<LongJob>,
    back: &'static str,
}

struct LongJob {
    id: String,
    short: String,
    href: String,
    kind: String,
    queue: String,
    queue_href: String,
    worker: Option<String>,
    since: Markup,
    runs: String,
    is_asked: bool,
    /// In hundredths, and in words.
    progress: Option<(u64, String)>,
    buttons: Vec<Button>,
}

/// The panel.
pub fn panel(glance: &OverviewSnapshot, root: &Root) -> Markup {
    let seen = glance.installation.iter();
    let longest = seen.flat_map(|installation| &installation.longest);
    let row = |(job, checkpoint): &(Job, Option<Checkpoint>)| {
        LongJob::new(job, checkpoint.as_ref(), glance, root)
    };
    Markup::of(&Longest {
        rows: longest.map(row).collect(),
        back: "/",
    })
}

impl LongJob {
    fn new(
        job: &Job,
        checkpoint: Option<&Checkpoint>,
        glance: &OverviewSnapshot,
        root: &Root,
    ) -> Self {
        let now: Timestamp = glance.at;
        let all = buttons::all(job, false, root).into_iter();
        Self {
            id: job.id.to_string(),
            short: short(job.id),
            href: root.href(&format!("/jobs/{}", job.id)),
            kind: job.kind.clone(),
            queue: queues::name_of(&job.queue, glance.names()),
            queue_href: queues::page_of(&job.queue, root),
            worker: job.worker.map(|worker| glance.name_of(worker)),
            since: moment(job.updated_at),
            runs: span(now.since(job.updated_at)),
            is_asked: job.cancel_asked_at.is_some(),
            progress: checkpoint.and_then(progress::short),
            buttons: all
                .filter(|button| matches!(button.action, "cancel" | "force-stop"))
                .collect(),
        }
    }
}
