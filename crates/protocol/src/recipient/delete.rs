//! How a recipient is deleted.

use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

/// How a recipient is deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeleteRecipient {
    /// Whether everything else that names or quotes it is erased as well, by an operation.
    #[serde(default)]
    pub erase: bool,
}
