//! Jobs: what a client asks for, and how a job is shown.

mod attempt;
mod control;
mod enqueue;
mod view;

pub use attempt::{Attempt, AttemptsQuery};
pub use baton_domain::job::{Cancel, Explanation, Failure, Late, Resolution};
pub use control::{JobQuery, Nothing, Resolve, Retry};
pub use enqueue::{Batch, BatchItem, EnqueueBatch, EnqueueJob};
pub use view::{Job, JobsQuery};
