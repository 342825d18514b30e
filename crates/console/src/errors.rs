//! Trouble: what a person is told instead of what was asked. What happened, what it means, what to do.

use std::time::Duration;

use axum::http::StatusCode;
use baton_engine::{Error, share::Exhausted};
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
    pub fn slow(timeout: Duration) -> Self {
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            title: tr!("The database is slow"),
            detail: tr!(
                "It has not answered for {span}.",
                span = crate::view::span(timeout)
            ),
            advice: tr!(
                "Nothing was changed by looking. Try again in a moment; if it stays slow, look at \
                     the load of the database server."
            ),
        }
    }

    /// As many live feeds are open as the server bears, or as one may have.
    pub fn full(exhausted: Exhausted) -> Self {
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            title: tr!("Too many live pages are open"),
            detail: match exhausted {
                Exhausted::Client => tr!("You have as many of them open as one may have."),
                Exhausted::All => tr!("As many event streams are open as the server bears."),
            }
            .to_owned(),
            advice: tr!(
                "The page shows what was when it was loaded. Close others, or raise `streams` under [server]."
            ),
        }
    }

    /// Whoever asks may not.
    pub fn denied(name: &str) -> Self {
        Self {
            status: StatusCode::FORBIDDEN,
            title: tr!("You may not do this"),
            detail: tr!("{name} lacks the permission for it.", name = name),
            advice: tr!(
                "Nothing was changed, and the refusal stands in the audit log. An admin can give you a role that may."
            ),
        }
    }

    /// There is no such page.
    pub fn lost(path: &str) -> Self {
        Self {
            status: StatusCode::NOT_FOUND,
            title: tr!("There is no such page"),
            detail: tr!("The console has nothing at {path}.", path = path),
            advice: tr!("The navigation leads to every room there is."),
        }
    }

    /// What was asked makes no sense.
    pub fn refused(detail: String, advice: &'static str) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            title: tr!("That cannot be done as asked"),
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
                tr!("That cannot be accepted"),
                tr!("Nothing was changed. Correct what is named above and try again."),
            ),
            Error::Forbidden(_)
            | Error::OutOfBounds { .. }
            | Error::OtherInbox
            | Error::OtherWorker(_)
            | Error::NothingToSignWith => told(
                StatusCode::FORBIDDEN,
                tr!("You may not do this"),
                tr!("Nothing was changed. An admin can give you a role that may."),
            ),
            Error::LastAdmin(_) => told(
                StatusCode::CONFLICT,
                tr!("The last admin stays one"),
                tr!("Nothing was changed."),
            ),
            Error::SetUpOver => told(
                StatusCode::FORBIDDEN,
                tr!("This is no set-up token"),
                tr!(
                    "Restart the server for a new one, or add a user on its machine: baton users add NAME --role admin."
                ),
            ),
            Error::WorkerLeft(_) => told(
                StatusCode::CONFLICT,
                tr!("The worker has said goodbye"),
                tr!("Nothing was changed."),
            ),
            Error::TooManyClaims => told(
                StatusCode::SERVICE_UNAVAILABLE,
                tr!("Too many wait"),
                tr!("Nothing was done. Try again in a moment."),
            ),
            Error::NotFound { .. } => told(
                StatusCode::NOT_FOUND,
                tr!("It is not there"),
                tr!("It was never there, or its retention has passed and it was pruned."),
            ),
            Error::Staged(_) => told(
                StatusCode::NOT_FOUND,
                tr!("It is no job yet"),
                tr!(
                    "It was asked for in a transaction of the database. One that was refused has to be asked for anew."
                ),
            ),
            Error::Illegal(_) | Error::IllegalForCampaign(_) | Error::NeedsNoApproval(_) => told(
                StatusCode::CONFLICT,
                tr!("Not from where it is now"),
                tr!(
                    "It has moved since this page was drawn, and nothing was changed. Look at it again."
                ),
            ),
            Error::AwaitsApproval(_)
            | Error::SecondPersonNeeded(_)
            | Error::NotEnded { .. }
            | Error::DeliveriesGone { .. } => {
                let (status, title, advice) = of_campaign(&error);
                told(status, title, advice)
            }
            Error::KeyConflict { .. } => told(
                StatusCode::CONFLICT,
                tr!("The key is taken"),
                tr!("Nothing was added. Use another key, or look at what has this one."),
            ),
            Error::NameTaken { .. } => told(
                StatusCode::CONFLICT,
                tr!("The name is taken"),
                tr!(
                    "Nothing was changed. Use another name, or look at the schedule that has this one."
                ),
            ),
            Error::Busy => told(
                StatusCode::CONFLICT,
                tr!("The job is moving too fast"),
                tr!("Nothing was changed. Try again in a moment."),
            ),
            Error::Store(error) => told(status_of(&error), title_of(&error), advice_on(&error)),
        }
    }
}

/// What is said of an error that only campaigns have.
fn of_campaign(error: &Error) -> (StatusCode, &'static str, &'static str) {
    match error {
        Error::AwaitsApproval(_) => (
            StatusCode::CONFLICT,
            tr!("It waits for a second person"),
            tr!("Nothing was changed. Somebody else than who asked for it has to approve it."),
        ),
        Error::SecondPersonNeeded(_) => (
            StatusCode::FORBIDDEN,
            tr!("A second person is needed"),
            tr!("Nothing was changed. Somebody else than who asked for it has to approve it."),
        ),
        Error::NotEnded { .. } => (
            StatusCode::CONFLICT,
            tr!("It has not come to its end"),
            tr!("Nothing was sent. Wait until the campaign is done, or cancel it first."),
        ),
        _ => (
            StatusCode::GONE,
            tr!("Whom it has reached is not known any more"),
            tr!(
                "Nothing was sent. Choose an audience for a new campaign yourself; `[retention] jobs` says \
             how long deliveries are kept."
            ),
        ),
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

fn title_of(error: &store::Error) -> &'static str {
    match error {
        store::Error::BadCursor => tr!("This page of the list is gone"),
        store::Error::Erasing => tr!("It names somebody who is being erased"),
        store::Error::Unavailable(_) => tr!("The database cannot be reached"),
        store::Error::Unconfirmed(_) => tr!("The database has not confirmed"),
        store::Error::Corrupt { .. } => tr!("The database holds what it must not"),
        store::Error::Refused(_) => tr!("The database refused"),
    }
}

fn advice_on(error: &store::Error) -> &'static str {
    match error {
        store::Error::BadCursor => tr!("Go back to the newest and page from there."),
        store::Error::Erasing => {
            tr!("Nothing was changed. Leave them out, or wait until the operation has ended.")
        }
        store::Error::Unavailable(_) => {
            tr!(
                "Nothing was changed, and what was accepted is safe. Work goes on by itself once the \
             database answers; `baton doctor` says what is wrong with it."
            )
        }
        store::Error::Unconfirmed(_) => {
            tr!(
                "It may have been done or not. Look before you press again; pressing twice is harmless."
            )
        }
        store::Error::Corrupt { .. } => {
            tr!(
                "Something else has written to the database. What was asked for may have been done or not; \
             `baton doctor` looks closer, and a backup may be needed."
            )
        }
        store::Error::Refused(_) => {
            tr!(
                "This is a mistake in Baton: the server's log has the particulars. What was asked for may have \
             been done or not: look before you press again."
            )
        }
    }
}
