//! The audit log: who did what to what.

use baton_domain::{
    AuditId, Timestamp,
    access::Principal,
    audit::{self, AuditAction, AuditFilter},
    page::PageRequest,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::{FieldError, check_limit};

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

impl From<audit::AuditEntry> for AuditEntry {
    fn from(entry: audit::AuditEntry) -> Self {
        Self {
            id: entry.id,
            at: entry.at,
            principal: entry.principal,
            name: entry.name,
            action: entry.action,
            object: entry.object,
            before: entry.before,
            after: entry.after,
            reason: entry.reason,
            count: entry.count,
            request_id: entry.request_id,
        }
    }
}

/// Which entries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// By whom.
    #[param(value_type = Option<String>)]
    pub principal: Option<Principal>,
    /// Of this action.
    pub action: Option<AuditAction>,
    /// To this object.
    pub object: Option<String>,
    /// Not before this moment.
    pub since: Option<Timestamp>,
    /// Before this moment.
    pub until: Option<Timestamp>,
    /// How many at most.
    #[param(minimum = 1, maximum = 500, default = 50)]
    pub limit: Option<u32>,
    /// Where the last page ended, as its `next` said.
    pub after: Option<String>,
}

impl AuditQuery {
    /// Which entries are looked for, and which page of them.
    pub fn read(self) -> Result<(AuditFilter, PageRequest), FieldError> {
        let page = PageRequest {
            limit: check_limit(self.limit)?,
            after: self.after,
        };
        let filter = AuditFilter {
            principal: self.principal,
            action: self.action,
            object: self.object,
            since: self.since,
            until: self.until,
        };
        Ok((filter, page))
    }
}
