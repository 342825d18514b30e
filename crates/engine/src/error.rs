//! What a use case can answer instead of what was asked.

use baton_domain::{
    CampaignId, ScheduleId, WorkerId,
    access::Permissions,
    campaign,
    job::{FieldError, Illegal},
};
use baton_ports::store;

/// The result of a use case.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What a use case can answer instead of what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What was asked cannot be had; field by field.
    #[error("{} of the fields cannot be accepted", .0.len())]
    Invalid(Vec<FieldError>),
    /// Whoever asks may not; one of these permissions would do.
    #[error("this needs the permission {}", .0.to_string().replace(' ', " or "))]
    Forbidden(Permissions),
    /// Whoever asks may enqueue other kinds, or to other queues.
    #[error("this key may not enqueue jobs of the kind {kind} to the queue {queue}")]
    OutOfBounds {
        /// The kind.
        kind: String,
        /// The queue.
        queue: String,
    },
    /// There is no such thing.
    #[error("there is no {what} {id}")]
    NotFound {
        /// What it would have been: `job`.
        what: &'static str,
        /// How it was named.
        id: String,
    },
    /// It was asked for in somebody's own transaction, and is no job yet or cannot become one.
    #[error("{}", why_staged(.0))]
    Staged(store::StagedJob),
    /// The table of moves has no such move.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// The table of moves of campaigns has no such move.
    #[error(transparent)]
    IllegalForCampaign(#[from] campaign::Illegal),
    /// The key belongs to something with other content.
    #[error("the key {key:?} belongs to {holder}, which was asked for with other content")]
    KeyConflict {
        /// The key.
        key: String,
        /// Who has it.
        holder: String,
    },
    /// The name belongs to another schedule.
    #[error("the name {name:?} belongs to {holder}, which is another schedule")]
    NameTaken {
        /// The name.
        name: String,
        /// Who has it.
        holder: ScheduleId,
    },
    /// A call of the campaign may still reach somebody.
    #[error("{}", not_ended(*campaign, *state, *live))]
    NotEnded {
        /// The campaign.
        campaign: CampaignId,
        /// Where it is.
        state: campaign::State,
        /// How many of its deliveries have not ended.
        live: u64,
    },
    /// The campaign is larger than one person may send, and nobody has approved it.
    #[error(
        "somebody else than who asked for {0} has to approve it before it can start; if it is not to start, cancel it"
    )]
    AwaitsApproval(CampaignId),
    /// Whoever asks has asked for the campaign, or counts as who has.
    #[error(
        "you have asked for {0} yourself, or a key of yours has: somebody else has to approve it"
    )]
    SecondPersonNeeded(CampaignId),
    /// One person is enough for the campaign.
    #[error("nobody has to approve {0}")]
    NeedsNoApproval(CampaignId),
    /// Some deliveries of the campaign were pruned, so whom it has not reached is not known.
    #[error(
        "{gone} deliveries of {campaign} were pruned when their retention had passed, so nobody can \
         say whom they have reached"
    )]
    DeliveriesGone {
        /// The campaign.
        campaign: CampaignId,
        /// How many.
        gone: u64,
    },
    /// Whoever asks may open another inbox.
    #[error("this token opens the inbox of another recipient")]
    OtherInbox,
    /// Whoever asks shows no API key that could sign.
    #[error(
        "only the bearer of an API key makes inbox tokens; a server that asks nobody needs none"
    )]
    NothingToSignWith,
    /// They are the only one left who says who may do what.
    #[error("{0} is the last admin: make somebody else an admin first")]
    LastAdmin(String),
    /// The set-up token was used, or its time is over, or there is a user already.
    #[error("this set-up token is worth nothing (any more)")]
    SetUpOver,
    /// Whoever asks may work off other queues than this worker does.
    #[error("{0} works off queues that this key may not")]
    OtherWorker(WorkerId),
    /// The worker has said goodbye.
    #[error("{0} has said goodbye; a worker that starts again takes another id")]
    WorkerLeft(WorkerId),
    /// More claims wait than this node keeps.
    #[error("too many claims wait here, of this worker or of all; ask again soon")]
    TooManyClaims,
    /// It keeps moving; nobody could keep up with it.
    #[error("it is moving too fast to be changed; try again")]
    Busy,
    /// The store could not do it.
    #[error(transparent)]
    Store(#[from] store::Error),
}

fn not_ended(campaign: CampaignId, state: campaign::State, live: u64) -> String {
    match state {
        campaign::State::Canceled if live == 0 => format!(
            "the campaign {campaign} is canceled, and its last deliveries are being counted; try again in a moment"
        ),
        campaign::State::Canceled => format!(
            "the campaign {campaign} is canceled, but {live} of its deliveries have not come to their end yet; try \
             again in a moment"
        ),
        _ => format!(
            "the campaign {campaign} is {state}, so its own deliveries can still reach everybody"
        ),
    }
}

fn why_staged(staged: &store::StagedJob) -> String {
    let asked = "it was asked for in a transaction of the database";
    match &staged.refused {
        Some(why) => {
            format!("{asked}, and was refused; ask for it anew without what is wrong: {why}")
        }
        None => format!("{asked}, and becomes a job in a moment"),
    }
}
