//! The approval of a large campaign on the wire.

use baton_domain::{
    Timestamp,
    access::Principal,
    campaign::{Approval, Signature},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who asked for a campaign that one person may not send alone, and who has approved it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CampaignApproval {
    /// How many recipients it had when it was asked for.
    pub recipients: u64,
    /// Who asked for it: a user, an API key, or `system:scheduler`.
    #[schema(value_type = String)]
    pub asked_by: Principal,
    /// What people called them at that time.
    pub asked_by_name: String,
    /// When.
    pub asked_at: Timestamp,
    /// Who has approved it; null while it waits for that.
    #[schema(value_type = Option<String>)]
    pub approved_by: Option<Principal>,
    /// What people called them at that time.
    pub approved_by_name: Option<String>,
    /// When.
    pub approved_at: Option<Timestamp>,
}

impl From<Approval> for CampaignApproval {
    fn from(approval: Approval) -> Self {
        let Signature { by, name, at } = approval.asked;
        let (approved_by, approved_by_name, approved_at) = match approval.approved {
            Some(approved) => (Some(approved.by), Some(approved.name), Some(approved.at)),
            None => (None, None, None),
        };
        Self {
            recipients: approval.recipients,
            asked_by: by,
            asked_by_name: name,
            asked_at: at,
            approved_by,
            approved_by_name,
            approved_at,
        }
    }
}
