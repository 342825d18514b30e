//! What only a real Redis can do to hints: vanish, forget, refuse, fall silent, be written to by others.

mod findings;
mod fixture;
mod lines;
mod loss;
mod poison;
mod refusals;
mod sentinels;
mod silence;
mod sizes;
mod start;
mod wakeups;
