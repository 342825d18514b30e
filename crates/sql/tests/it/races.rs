//! Races on PostgreSQL, and of a checkpoint on MySQL as well: everything that can happen to a job at once, happens in some order.

mod checkpoint;
mod crowd;
mod expanders;
mod lease;
mod sweep;
