//! The measurements, one file each.

pub mod api;
pub mod batch;
pub mod campaigns;
pub mod drain;
pub mod fleet;
pub mod history;
pub mod http;
pub mod latency;
pub mod memory;
pub mod remote;
pub mod single;
pub mod snapshot;
pub mod store;
