//! The audit log: who did what to what.

pub use baton_domain::audit::AuditEntry;
use baton_domain::{
    Timestamp,
    access::Principal,
    audit::{AuditAction, AuditFilter},
    page::PageRequest,
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use crate::{FieldError, check_limit};

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
