//! The pages, one file a room. Each builds the same panels for the page and for its live feed.

/// The panels of a page by their names: for its template each by itself, for its live feed all of them.
macro_rules! panels {
    ($($name:ident),+) => {
        struct Panels {
            $($name: Markup,)+
        }

        impl Panels {
            fn all(self) -> Vec<Panel> {
                vec![$((stringify!($name), self.$name)),+]
            }
        }
    };
}

pub mod access;
pub mod account;
pub mod activity;
pub mod acts;
pub mod after;
pub mod buttons;
pub mod campaign;
pub mod campaign_picture;
pub mod campaigns;
pub mod compose;
pub mod confirm;
pub mod dead_letters;
pub mod enqueue;
pub mod event;
pub mod events;
pub mod fire;
pub mod fleet;
pub mod health;
pub mod job;
pub mod job_row;
pub mod jobs;
pub mod live_campaigns;
mod longest;
pub mod needs;
pub mod operation;
pub mod operations;
pub mod overview;
pub mod palette;
mod picked;
pub mod pictures;
pub mod probe;
pub mod progress;
pub mod queue;
pub mod queues;
pub mod recipient;
pub mod recipients;
pub mod recoveries;
pub mod schedule;
pub mod schedules;
pub mod search;
pub mod settings;
pub mod sign_in;
pub mod timeline;

use std::{fmt::Display, str::FromStr};

use axum::{http::Uri, response::Response};
use baton_domain::{CampaignId, JobId, ScheduleId};

use crate::{errors::PageError, language::filled, shell::Shell, view::Markup};

/// A part of a page that is replaced on its own, and its name on the page.
pub type Panel = (&'static str, Markup);

/// Answers for an address that leads nowhere.
pub async fn lost(shell: Shell, uri: Uri) -> Response {
    shell.trouble(&PageError::lost(uri.path()))
}

/// Answers whoever may not.
pub async fn denied(shell: Shell) -> Response {
    shell.trouble(&PageError::denied(&shell.actor.name))
}

/// Reads the id of a campaign from an address.
pub fn campaign_id(text: &str) -> Result<CampaignId, PageError> {
    read_id(
        text,
        tr!("{text} is not the id of a campaign: {error}."),
        tr!("The list of campaigns leads to each."),
    )
}

/// Reads the id of a job from an address.
pub fn job_id(text: &str) -> Result<JobId, PageError> {
    read_id(
        text,
        tr!("{text} is not the id of a job: {error}."),
        tr!("Copy the whole id, or search the list of jobs by key, queue or kind."),
    )
}

/// Reads the id of a schedule from an address.
pub fn schedule_id(text: &str) -> Result<ScheduleId, PageError> {
    read_id(
        text,
        tr!("{text} is not the id of a schedule: {error}."),
        tr!("The list of schedules leads to each."),
    )
}

/// Reads an id; `wrong` has a place for the `{text}` and one for the `{error}`.
pub fn read_id<T: FromStr<Err: Display>>(
    text: &str,
    wrong: &str,
    advice: &'static str,
) -> Result<T, PageError> {
    text.parse().map_err(|error| {
        let detail = filled(wrong, &[("text", &format!("{text:?}")), ("error", &error)]);
        PageError::refused(detail, advice)
    })
}
