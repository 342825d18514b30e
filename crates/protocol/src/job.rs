//! Jobs: what a client asks for, and how a job is shown.

mod attempt;
mod control;
mod enqueue;
mod view;

pub use attempt::{Attempt, AttemptsQuery};
pub use baton_domain::job::{Explanation, Failure, Late};
pub use control::{Cancel, JobQuery, Nothing, Resolution, Resolve, Retry};
pub use enqueue::{Batch, BatchItem, EnqueueBatch, EnqueueJob};
pub use view::{Job, JobsQuery};
