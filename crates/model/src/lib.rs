//! A model of leases, small enough to visit every state of it: tests only.
//!
//! One job, a store that can forget what is not on its disk, and two nodes, each a worker and a rescuer. Each node has
//! a monotonic clock, which counts ticks, and its own idea of the store's wall clock, which may step. A checker takes
//! every order of steps and, up to a number, of faults: processes are killed, stopped and cut off, answers are lost,
//! clocks step, the database crashes, loops die. [`check`] says what has to hold.
//!
//! What is believed of the world: monotonic clocks go at one pace (the rescuer's grace is for what they part), a worker
//! that is alive, awake and reachable renews in time, and a commit that waits for the disk is on it.
//!
//! The model says how leases are meant to work. A program that does otherwise is one of its broken variants
//! ([`design::Flaw`]), each of which gives a counterexample. Retries for want of an answer, cancellations, limits and
//! batches are left out: they change who waits, not who may.
//!
//! # What stands for what
//!
//! | Action | What does it | Where | Script |
//! |---|---|---|---|
//! | `Claim` | the claimer | `crates/worker/src/claimer/claims.rs` | `crates/sql/statements/work/claim.postgres.sql` |
//! | `Hear` | the claimer hands out what it was given | `crates/worker/src/claimer.rs` | |
//! | `End` | a run ends, and its verdict becomes a decision | `crates/worker/src/run.rs` | |
//! | `Renew` | the renewer | `crates/worker/src/renewer.rs` | `crates/sql/statements/work/renew.postgres.sql` |
//! | `GiveBack` | the renewer, for claims that were never answered | `crates/worker/src/orphans.rs` | `crates/sql/statements/work/settle.postgres.sql` |
//! | `Expire` | deadlines by the worker's own watch | `crates/worker/src/deadlines.rs` | |
//! | `Settle` | the flusher | `crates/worker/src/flusher.rs` | `crates/sql/statements/work/settle.postgres.sql` |
//! | `Settle`, of a lease that is gone | the store | `crates/sql/src/store/work.rs` | `crates/sql/statements/work/adopt.postgres.sql` |
//! | `Look` | the rescuer | `crates/engine/src/routines/rescuer/watch.rs` | `crates/sql/statements/work/leases.sql` |
//! | `Rescue` | the rescuer | `crates/engine/src/routines/rescuer.rs` | `crates/sql/statements/work/settle.postgres.sql` |
//! | `Release` | the releaser | `crates/engine/src/routines/releaser.rs` | `crates/sql/statements/work/release.postgres.sql` |
//! | `Follow` | the timekeeper | `crates/engine/src/routines/timekeeper.rs` | `crates/sql/statements/upkeep/time.postgres.sql` |
//! | `Wake`, `Mend`, `Restart`, `Recover` | the system, the network, whoever supervises | | |
//! | `Tick` | time | `crates/domain/src/time.rs` | |
//! | `Hurt` | the fault lab, in the real world | `crates/faults/src/run.rs` | |

pub mod action;
pub mod check;
pub mod design;
mod ends;
pub mod faults;
pub mod node;
pub mod state;
mod step;
mod store;
