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
//! # What is awaited
//!
//! The liveness sentence is [`check::CARED_FOR`]. In each reachable state the faults are switched off; whatever way is
//! then taken, from some moment on the job has always ended, or waits for a moment that has not come, or is run under
//! its lease by a process that is alive. A way may be any that puts off no duty for ever: a step of a loop that
//! speaks with the store and stays possible is made at last, time passes, and the database comes back. Nothing more is
//! believed. A job may run for ever. A node that was killed, stopped or cut off may stay so; only not all of them.
//! The check looks for the opposite: a set of states on circles with one another (or one in which nothing happens any
//! more), in which a way can stay without putting off a duty, and in one of which nobody cares for the job.
//!
//! [`check::ENDS`] says another thing: some way leads on to the end of the job, so it is not locked in.
//!
//! # What stands for what
//!
//! A script stands under `crates/sql/statements`, once for both dialects or once for each.
//!
//! | Action | What does it | Where | Scripts |
//! |---|---|---|---|
//! | `Claim` | the claimer | `crates/worker/src/claimer/claims.rs::claim` | `work/claim`, `work/claim_limited`, `work/claim_named` |
//! | `Claim`, of a job as it comes in | the worker of the process that accepts it | `crates/worker/src/local_dispatch.rs::reserve` | `work/start`, `work/start_one` |
//! | `Hear` | the claimer hands out what it was given | `crates/worker/src/claimer/claims.rs::hand_out` | |
//! | `End` | a run ends, and its verdict becomes a decision | `crates/worker/src/run.rs::attempt` | |
//! | `Renew` | the renewer | `crates/worker/src/renewer.rs::renew` | `work/renew` |
//! | `GiveBack` | the renewer, for claims that were never answered | `crates/worker/src/lost_claims.rs::give_back` | `work/held`, `work/settle` |
//! | `Expire` | deadlines by the worker's own watch | `crates/worker/src/deadlines.rs::run`, `crates/worker/src/leases.rs::expire` | |
//! | `Settle` | the settler | `crates/worker/src/settler.rs::flush` | `work/settle`, `work/succeed` |
//! | `Settle`, of a lease that is gone | the store | `crates/sql/src/store/work.rs::settle_late` | `work/adopt`, `work/adopt_forgotten`, `work/late` |
//! | `Look` | the rescuer | `crates/engine/src/routines/rescuer.rs::look`, `crates/engine/src/routines/rescuer/watch.rs::take_in` | `work/leases` |
//! | `Rescue` | the rescuer | `crates/engine/src/routines/rescuer.rs::take_back` | `work/held`, `work/settle` |
//! | `Release` | the releaser | `crates/engine/src/routines/releaser.rs::turn` | `work/release` |
//! | `Follow` | the timekeeper | `crates/engine/src/routines/timekeeper.rs::turn` | `upkeep/time` |
//! | `Wake`, `Mend`, `Restart`, `Recover` | the system, the network, whoever supervises | | |
//! | `Tick` | time | `crates/domain/src/time.rs::now` | |
//! | `Hurt` | the fault lab, in the real world | `crates/faults/src/run/nemesis.rs::rage` | |

pub mod action;
pub mod check;
pub mod design;
mod duty;
mod ends;
pub mod faults;
pub mod node;
pub mod state;
mod step;
mod store;
mod stuck;
