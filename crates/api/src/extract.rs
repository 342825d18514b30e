//! How requests are read. Whatever cannot be read is a problem that names the place.

mod batch;
mod explain;
mod json;
mod path;
mod query;
mod text;
mod trace;

pub use batch::{BatchJson, pieces_of};
pub use explain::explain_json;
pub use json::{Json, OptionalJson, check_encoding, media_type};
pub use path::{
    CampaignPath, ItemPath, JobPath, KeyPath, OperationPath, SchedulePath, WordPath, WorkerPath,
};
pub use query::Query;
pub use text::{check_text, check_texts};
pub use trace::RequestTrace;
