//! The audit log: who did what to what, kept in the transaction of the change itself.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{AuditId, Timestamp, access::Principal, hex, words::words};

words! {
    /// What was done.
    pub enum AuditAction, or "{text} is no action: it is one of {words}" {
        /// A person has asked for a job.
        JobEnqueue = "job.enqueue",
        /// A job was canceled, or its cancellation asked for.
        JobCancel = "job.cancel",
        /// A job was taken from its worker.
        JobForceCancel = "job.force_cancel",
        /// A job was run again.
        JobRetry = "job.retry",
        /// A waiting job was released.
        JobRunNow = "job.run_now",
        /// Somebody said how an uncertain job ended.
        JobResolve = "job.resolve",
        /// A queue was paused, resumed or limited.
        QueueChange = "queue.change",
        /// A worker was asked to take nothing new, or to go on.
        WorkerDrain = "worker.drain",
        /// A campaign was created.
        CampaignCreate = "campaign.create",
        /// A campaign was stopped.
        CampaignStop = "campaign.stop",
        /// A campaign was resumed.
        CampaignResume = "campaign.resume",
        /// A large campaign was approved by a second person.
        CampaignApprove = "campaign.approve",
        /// A campaign was canceled.
        CampaignCancel = "campaign.cancel",
        /// The rate of a campaign was changed.
        CampaignRate = "campaign.rate",
        /// An operation on many jobs was started.
        OperationStart = "operation.start",
        /// An operation was stopped before it was through.
        OperationStop = "operation.stop",
        /// A schedule was added.
        ScheduleAdd = "schedule.add",
        /// A schedule was changed, paused or resumed.
        ScheduleChange = "schedule.change",
        /// A schedule was deleted.
        ScheduleDelete = "schedule.delete",
        /// A schedule was fired by hand.
        ScheduleFire = "schedule.fire",
        /// A recipient was written down.
        RecipientPut = "recipient.put",
        /// A recipient was deleted.
        RecipientDelete = "recipient.delete",
        /// The erasure of a recipient was started.
        RecipientErase = "recipient.erase",
        /// Recipients were imported.
        RecipientImport = "recipient.import",
        /// Recipients were looked at.
        RecipientRead = "recipient.read",
        /// An inbox was looked into, or followed.
        InboxRead = "inbox.read",
        /// What jobs carry, or were answered, was looked at.
        PayloadRead = "payload.read",
        /// An API key was made.
        KeyCreate = "key.create",
        /// An API key was given a new secret.
        KeyRotate = "key.rotate",
        /// An API key was revoked.
        KeyRevoke = "key.revoke",
        /// A user was added.
        UserAdd = "user.add",
        /// The role, the password or the admission of a user was changed.
        UserChange = "user.change",
        /// Somebody signed in.
        SignIn = "session.sign_in",
        /// Somebody signed out, or was signed out everywhere.
        SignOut = "session.sign_out",
        /// The audit log was exported.
        AuditExport = "audit.export",
        /// Something was asked for that whoever asked may not do.
        Denied = "access.denied",
    }
}

/// One act.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditEntry {
    /// Its id.
    #[schema(value_type = String, example = "aud_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")]
    pub id: AuditId,
    /// When.
    pub at: Timestamp,
    /// Who: `usr_...`, `key_...`, `command-line`, `anonymous`, `nobody` or `system:...`.
    #[schema(value_type = String)]
    pub principal: Principal,
    /// What people called them at that time.
    pub name: String,
    /// What they did.
    pub action: AuditAction,
    /// To what: an id, or the name of a queue; a recipient by the digest of its id.
    pub object: String,
    /// How it was before, where that is known.
    #[schema(value_type = Option<Object>)]
    pub before: Option<Value>,
    /// How it was to be.
    #[schema(value_type = Option<Object>)]
    pub after: Option<Value>,
    /// Why, in the words of whoever did it.
    pub reason: Option<String>,
    /// How many things it concerned, where it was more than one.
    pub count: Option<u64>,
    /// The id of the request.
    pub request_id: Option<String>,
}

/// Which entries are looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AuditFilter {
    /// By whom.
    pub principal: Option<Principal>,
    /// Of this action.
    pub action: Option<AuditAction>,
    /// To this object.
    pub object: Option<String>,
    /// Not before.
    pub since: Option<Timestamp>,
    /// Before.
    pub until: Option<Timestamp>,
}

/// A recipient as the audit log names it: whoever is erased leaves no name behind there.
#[must_use]
pub fn recipient_object(id: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, id.as_bytes());
    format!("recipient:{}", hex(&digest.as_ref()[..16]))
}
