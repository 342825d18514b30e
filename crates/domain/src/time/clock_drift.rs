//! How far a machine's clock is from the store's.

use std::time::Duration;

use super::SignedDuration;

/// How far a machine's clock is from the store's, which is the one that is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockDrift {
    /// By how much the store's is ahead; behind, if below zero.
    pub ahead: SignedDuration,
    /// How far from the truth that can be.
    pub bound: Duration,
}
