//! Trouble: what a person is told instead of what was asked. What happened, what it means, what to do.

use std::time::Duration;

use axum::http::StatusCode;
use baton_engine::Error;
use baton_ports::store;

/// What a person is told instead of what was asked.
#[derive(Debug, Clone)]
pub struct PageError {
    /// For the browser.
    pub status: StatusCode,
    /// What happened, in a few words.
    pub title: &'static str,
    /// What happened, with its particulars.
    pub detail: String,
    /// What it means and what to do.
    pub advice: &'static str,
}

impl PageError {
    /// The store has not answered in time.
    pub fn slow(patience: Duration) -> Self {
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            title: "The database is slow",
            detail: format!("It has not answered for {}.", crate::view::span(patience)),
            advice: "Nothing was changed by looking. Try again in a moment; if it stays slow, look at \
                     the load of the database server.",
        }
    }

    /// As many live feeds are open as the server bears.
    pub fn full() -> Self {
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            title: "Too many live pages are open",
            detail: "As many event streams are open as the server bears.".to_owned(),
            advice: "The page shows what was when it was loaded. Close others, or raise `streams` under [server].",
        }
    }

    /// Whoever asks may not.
    pub fn denied(name: &str) -> Self {
        Self {
            status: StatusCode::FORBIDDEN,
            title: "You may not do this",
            detail: format!("{name} lacks the permission for it."),
            advice: "Nothing was changed, and the refusal stands in the audit log. An admin can give you a role that may.",
        }
    }

    /// There is no such page.
    pub fn lost(path: &str) -> Self {
        Self {
            status: StatusCode::NOT_FOUND,
            title: "There is no such page",
            detail: format!("The console has nothing at {path}."),
            advice: "The navigation leads to every room there is.",
        }
    }

    /// What was asked makes no sense.
    pub fn refused(detail: String, advice: &'static str) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            title: "That cannot be done as asked",
            detail,
            advice,
        }
    }
}

impl From<Error> for PageError {
    fn from(error: Error) -> Self {
        let detail = sentence(&error);
        let told = |status, title, advice| Self {
            status,
            title,
            detail,
            advice,
        };
        match error {
            Error::Invalid(_) => told(
                StatusCode::BAD_REQUEST,
                "That cannot be accepted",
                "Nothing was changed. Correct what is named above and try again.",
            ),
            Error::Forbidden(_)
            | Error::OutOfBounds { .. }
            | Error::OtherInbox
            | Error::OtherWorker(_)
            | Error::NothingToSignWith => told(
                StatusCode::FORBIDDEN,
                "You may not do this",
                "Nothing was changed. An admin can give you a role that may.",
            ),
            Error::LastAdmin(_) => told(
                StatusCode::CONFLICT,
                "The last admin stays one",
                "Nothing was changed.",
            ),
            Error::SetUpOver => told(
                StatusCode::FORBIDDEN,
                "This is no set-up token",
                "Restart the server for a new one, or add a user on its machine: baton users add NAME --role admin.",
            ),
            Error::WorkerLeft(_) => told(
                StatusCode::CONFLICT,
                "The worker has said goodbye",
                "Nothing was changed.",
            ),
            Error::TooManyClaims => told(
                StatusCode::SERVICE_UNAVAILABLE,
                "Too many wait",
                "Nothing was done. Try again in a moment.",
            ),
            Error::NotFound { .. } => told(
                StatusCode::NOT_FOUND,
                "It is not there",
                "It was never there, or its retention has passed and it was pruned.",
            ),
            Error::Staged(_) => told(
                StatusCode::NOT_FOUND,
                "It is no job yet",
                "It was asked for in a transaction of the database. One that was refused has to be asked for anew.",
            ),
            Error::Illegal(_) | Error::IllegalForCampaign(_) => told(
                StatusCode::CONFLICT,
                "Not from where it is now",
                "It has moved since this page was drawn, and nothing was changed. Look at it again.",
            ),
            Error::NotEnded { .. } => told(
                StatusCode::CONFLICT,
                "It has not come to its end",
                "Nothing was sent. Wait until the campaign is done, or cancel it first.",
            ),
            Error::DeliveriesGone { .. } => told(
                StatusCode::GONE,
                "Whom it has reached is not known any more",
                "Nothing was sent. Choose an audience for a new campaign yourself; `[retention] jobs` says \
                 how long deliveries are kept.",
            ),
            Error::KeyConflict { .. } => told(
                StatusCode::CONFLICT,
                "The key is taken",
                "Nothing was added. Use another key, or look at what has this one.",
            ),
            Error::NameTaken { .. } => told(
                StatusCode::CONFLICT,
                "The name is taken",
                "Nothing was changed. Use another name, or look at the schedule that has this one.",
            ),
            Error::Busy => told(
                StatusCode::CONFLICT,
                "The job is moving too fast",
                "Nothing was changed. Try again in a moment.",
            ),
            Error::Store(error) => told(status_of(&error), title_of(&error), advice_on(&error)),
        }
    }
}

fn sentence(error: &Error) -> String {
    let Error::Invalid(fields) = error else {
        let text = error.to_string();
        let mut rest = text.chars();
        let first = rest.next().map(char::to_uppercase);
        return format!(
            "{}{}.",
            first.into_iter().flatten().collect::<String>(),
            rest.as_str()
        );
    };
    let fields: Vec<_> = fields
        .iter()
        .map(|wrong| format!("{} {}", wrong.field, wrong.message))
        .collect();
    format!("{}.", fields.join("; "))
}

const fn status_of(error: &store::Error) -> StatusCode {
    match error {
        store::Error::BadCursor => StatusCode::BAD_REQUEST,
        store::Error::Erasing => StatusCode::CONFLICT,
        store::Error::Unavailable(_) | store::Error::Unconfirmed(_) => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        store::Error::Corrupt { .. } | store::Error::Refused(_) => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}

const fn title_of(error: &store::Error) -> &'static str {
    match error {
        store::Error::BadCursor => "This page of the list is gone",
        store::Error::Erasing => "It names somebody who is being erased",
        store::Error::Unavailable(_) => "The database cannot be reached",
        store::Error::Unconfirmed(_) => "The database has not confirmed",
        store::Error::Corrupt { .. } => "The database holds what it must not",
        store::Error::Refused(_) => "The database refused",
    }
}

const fn advice_on(error: &store::Error) -> &'static str {
    match error {
        store::Error::BadCursor => "Go back to the newest and page from there.",
        store::Error::Erasing => {
            "Nothing was changed. Leave them out, or wait until the operation has ended."
        }
        store::Error::Unavailable(_) => {
            "Nothing was changed, and what was accepted is safe. Work goes on by itself once the \
             database answers; `baton doctor` says what is wrong with it."
        }
        store::Error::Unconfirmed(_) => {
            "It may have been done or not. Look before you press again; pressing twice is harmless."
        }
        store::Error::Corrupt { .. } => {
            "Something else has written to the database. What was asked for may have been done or not; \
             `baton doctor` looks closer, and a backup may be needed."
        }
        store::Error::Refused(_) => {
            "This is a mistake in Baton: the server's log has the particulars. What was asked for may have \
             been done or not: look before you press again."
        }
    }
}
