//! Every error of the engine as a problem, in one match.

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use baton_engine::Error;
use baton_ports::store;
use baton_protocol::{FieldError, Problem, ProblemKind};

/// What a handler answers.
pub type ApiResult<T> = Result<T, Refusal>;

/// A request that got a problem for an answer.
///
/// It only marks the response; a layer writes it, since the layer knows the request's id and path.
#[derive(Debug)]
pub struct Refusal(pub Box<Problem>);

impl<T: Into<Problem>> From<T> for Refusal {
    fn from(problem: T) -> Self {
        Self(Box::new(problem.into()))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        response.extensions_mut().insert(PendingProblem(*self.0));
        response
    }
}

/// The mark on a response whose problem is still to be written.
#[derive(Debug, Clone)]
pub struct PendingProblem(pub Problem);

/// Says what an engine's error means to a client.
pub fn told(error: Error) -> Refusal {
    problem(error).into()
}

fn problem(error: Error) -> Problem {
    let message = sentence(&error.to_string());
    match error {
        Error::Invalid(errors) => {
            Problem::invalid(errors.into_iter().map(FieldError::from).collect())
        }
        Error::NotFound { what, .. } => missing(what).because(message),
        Error::Staged(_) => missing("job").because(message),
        Error::Forbidden(_)
        | Error::OutOfBounds { .. }
        | Error::OtherInbox
        | Error::OtherWorker(_)
        | Error::NothingToSignWith => ProblemKind::PermissionDenied.because(message),
        Error::LastAdmin(_) => ProblemKind::LastAdmin.because(message),
        Error::SetUpOver => ProblemKind::Unauthenticated.because(message),
        Error::Illegal(illegal) => Problem {
            current_state: Some(illegal.from),
            ..ProblemKind::IllegalTransition.because(message)
        },
        Error::KeyConflict { holder, .. } => Problem {
            existing_id: Some(holder),
            ..ProblemKind::KeyConflict.because(message)
        },
        Error::IllegalForCampaign(_) | Error::NeedsNoApproval(_) => {
            ProblemKind::IllegalTransition.because(message)
        }
        Error::NameTaken { holder, .. } => Problem {
            existing_id: Some(holder.to_string()),
            ..ProblemKind::NameTaken.because(message)
        },
        Error::AwaitsApproval(_) => ProblemKind::AwaitsApproval.because(message),
        Error::SecondPersonNeeded(_) => ProblemKind::SecondPersonNeeded.because(message),
        Error::NotEnded { .. } => ProblemKind::CampaignNotEnded.because(message),
        Error::DeliveriesGone { .. } => ProblemKind::DeliveriesGone.because(message),
        Error::WorkerLeft(_) => ProblemKind::WorkerLeft.because(message),
        Error::TooManyClaims => ProblemKind::Overloaded.because(message),
        Error::Busy => ProblemKind::Busy.because(message),
        Error::Store(error) => from_store(&error),
    }
}

fn missing(what: &str) -> ProblemKind {
    match what {
        "job" => ProblemKind::JobNotFound,
        "operation" => ProblemKind::OperationNotFound,
        "inbox item" => ProblemKind::InboxItemNotFound,
        "schedule" => ProblemKind::ScheduleNotFound,
        "recipient" => ProblemKind::RecipientNotFound,
        "campaign" => ProblemKind::CampaignNotFound,
        "worker" => ProblemKind::WorkerNotFound,
        "API key" => ProblemKind::KeyNotFound,
        "user" => ProblemKind::UserNotFound,
        _ => ProblemKind::NotFound,
    }
}

/// The database's own words go to the log: they can hold what clients must not see.
pub fn from_store(error: &store::Error) -> Problem {
    match error {
        store::Error::Unavailable(_) => {
            tracing::warn!(%error, "a request found the database unavailable");
            ProblemKind::Unavailable
                .because("The database did not answer in time; nothing was done. Try again soon.")
        }
        store::Error::Unconfirmed(_) => {
            tracing::warn!(%error, "a request was not confirmed by the database");
            ProblemKind::Unconfirmed.because(
                "The connection was lost around the commit; it may have been done or not. \
                 Repeating a request with a key is safe.",
            )
        }
        store::Error::Erasing => ProblemKind::RecipientBeingErased.because(
            "It names a recipient who is being erased. Leave it out, or wait until the operation has ended.",
        ),
        store::Error::BadCursor => ProblemKind::BadCursor
            .because("after: this is not a cursor of this list; give `next` of the page before."),
        store::Error::Corrupt { table, column, .. } => {
            tracing::error!(%error, "a request met a row that cannot be read");
            ProblemKind::Unreadable.because(format!(
                "A row of {table} cannot be read: its {column} is damaged, or a newer version of Baton wrote it. \
                 The server's log names the row."
            ))
        }
        store::Error::Refused(_) => {
            tracing::error!(%error, "a request hit a mistake of ours");
            internal()
        }
    }
}

/// A mistake of ours, told without particulars.
pub fn internal() -> Problem {
    ProblemKind::Internal
        .because("The cause is in the server's log, under this request's id; please report it.")
}

/// Begins with a capital and ends with a full stop.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    format!("{first}{}.", chars.as_str())
}
