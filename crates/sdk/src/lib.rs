//! The Rust SDK of Baton: enqueue jobs, and run them in processes of your own.
//!
//! Write down what can be done, and run a worker; start as many as you like.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use baton_sdk::{App, Context, JobError};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Resize {
//!     image: u64,
//!     width: u64,
//! }
//!
//! async fn resize(args: Resize, ctx: Context) -> Result<u64, JobError> {
//!     if args.width == 0 {
//!         return Err(JobError::permanent("bad_width", "an image is one pixel wide at least"));
//!     }
//!     println!("{} under the key {}", args.image, ctx.idempotency_key());
//!     Ok(args.image * args.width)
//! }
//!
//! # async fn example() -> Result<(), baton_sdk::Error> {
//! let app = App::from_env()?; // BATON_URL, or http://127.0.0.1:7878; BATON_KEY if the server asks for a key
//! let job = app.job::<Resize>("resize").timeout(Duration::from_secs(120)).returns::<u64>();
//! app.worker().slots(16).handle(&job, resize).run().await?; // until SIGTERM
//! # Ok(())
//! # }
//! ```
//!
//! Whoever wants something done says so from anywhere:
//!
//! ```no_run
//! # use std::time::Duration;
//! # use baton_sdk::App;
//! # use serde::{Deserialize, Serialize};
//! # #[derive(Serialize, Deserialize)]
//! # struct Resize { image: u64, width: u64 }
//! # async fn example(app: App) -> Result<(), baton_sdk::Error> {
//! let job = app.job::<Resize>("resize").returns::<u64>();
//! let handle = job.args(&Resize { image: 7, width: 640 }).key("order-4711").enqueue().await?;
//! println!("{}", handle.result(Duration::from_secs(30)).await?);
//! # Ok(())
//! # }
//! ```
//!
//! A handler that returns `Ok` has done its job, and what it returns is the job's result. Any other error than a
//! [`JobError`] is a failure that may work later. A [`checkpoint`](Context::checkpoint) moves the job's cursor and adds jobs
//! in the same transaction; the next attempt begins there, whatever dies.
//!
//! Leases are kept, and results told, by a thread with a runtime of its own: a handler that blocks does not lose its job.
//! [`client`] has all other calls of the API, [`testing`] what tests need.
#![warn(missing_docs)]

mod app;
mod context;
mod enqueuing;
mod error;
mod handle;
mod job;
mod job_error;
#[cfg(feature = "otel")]
pub mod otel;
pub mod testing;
mod worker;

pub use app::App;
pub use baton_client as client;
pub use baton_client::{EnqueueJob, KeyToken};
pub use baton_domain::{
    JobId, Timestamp, Trace, WorkerId,
    checkpoint::Progress,
    job::{Backoff, Class, DeliveryGuarantee, Failure, Verdict},
};
pub use baton_worker::Report;
pub use context::{Checkpoint, Context, CreatedJob};
pub use enqueuing::{Enqueued, Enqueuing};
pub use error::{Error, Failed};
pub use handle::Handle;
pub use job::{Job, NewJob};
pub use job_error::JobError;
pub use worker::{
    Worker,
    batch::Item,
    middleware::{Logged, Middleware, Next},
};

/// The statement that asks for a job in a transaction of your own, where your tables and the server's are in one PostgreSQL. Its one
/// parameter is a text, [`NewJob::to_json`]; its answer the id of the job, which is one soon after the commit and never without it.
pub const ENQUEUE: &str = "SELECT baton_enqueue($1::text::json)";
