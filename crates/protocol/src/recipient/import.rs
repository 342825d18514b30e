//! Many recipients at once, as a stream of rows.

use std::collections::BTreeMap;

use baton_domain::recipient;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};

use super::PutRecipient;
use crate::FieldError;

/// One line of an NDJSON import: the body of a PUT, with the id.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecipientRow {
    /// Your own id.
    pub id: String,
    /// As in [`PutRecipient`].
    pub platform: String,
    /// As in [`PutRecipient`].
    pub lat: Option<f64>,
    /// As in [`PutRecipient`].
    pub lon: Option<f64>,
    /// As in [`PutRecipient`].
    #[serde(default)]
    pub topics: Vec<String>,
    /// As in [`PutRecipient`].
    #[serde(default = "recipient::yes")]
    pub enabled: bool,
    /// As in [`PutRecipient`].
    #[serde(default)]
    pub addresses: BTreeMap<String, String>,
    /// As in [`PutRecipient`].
    pub time_zone: Option<String>,
    /// As in [`PutRecipient`].
    pub locale: Option<String>,
}

impl RecipientRow {
    /// The id, and the rest as a PUT has it.
    #[must_use]
    pub fn parted(self) -> (String, PutRecipient) {
        let put = PutRecipient {
            platform: self.platform,
            lat: self.lat,
            lon: self.lon,
            topics: self.topics,
            enabled: self.enabled,
            addresses: self.addresses,
            time_zone: self.time_zone,
            locale: self.locale,
        };
        (self.id, put)
    }
}

/// How to import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImportQuery {
    /// Whether to read and check everything, and to write nothing.
    #[serde(default)]
    pub dry_run: bool,
}

/// What became of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Import {
    /// Whether every row was read. If not, `stopped` says where and why; what came before counts.
    pub complete: bool,
    /// Whether nothing was written; then the counts say what would have become of the rows.
    pub dry_run: bool,
    /// How many rows were read, refused ones included.
    pub rows: u64,
    /// How many recipients were new.
    pub added: u64,
    /// How many were described differently before.
    pub changed: u64,
    /// How many were as they are.
    pub unchanged: u64,
    /// How many rows were not accepted.
    pub refused: u64,
    /// Why rows were not accepted, for the first 100 of them.
    pub errors: Vec<RowErrors>,
    /// Where and why it stopped, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<ImportStop>,
}

impl Import {
    /// How many refused rows it tells about.
    pub const MOST_ERRORS: usize = 100;
}

/// Why a row was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RowErrors {
    /// Where it begins; the first line is 1.
    pub line: u64,
    /// What is wrong with it.
    pub errors: Vec<FieldError>,
}

/// Where and why an import stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportStop {
    /// The first line that did not count; those before it did.
    pub line: u64,
    /// What happened, and what to do.
    pub message: String,
}
