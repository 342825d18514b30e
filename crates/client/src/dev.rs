//! The doors for tests that `serve --dev` alone has; any other server answers that there are none.

use std::time::Duration;

use baton_domain::Timestamp;
use baton_protocol::{
    dev::{AdvanceClock, ClockShows, ConnectionsCut, LeasesLost, Quiet, QuietQuery},
    job::Nothing,
};

use crate::{Client, Result};

impl Client {
    /// Puts the server's clock ahead; says what it shows then.
    pub async fn advance_clock(&self, span: Duration) -> Result<Timestamp> {
        let body = AdvanceClock { advance: span };
        // Twice would be twice as far.
        let shows: ClockShows = self.post_once(&["dev", "clock"], &body).await?;
        Ok(shows.now)
    }

    /// Takes away every lease there is; says how many jobs have lost theirs.
    pub async fn lose_leases(&self) -> Result<u32> {
        let lost: LeasesLost = self
            .post_once(&["dev", "leases", "lose"], &Nothing {})
            .await?;
        Ok(lost.lost)
    }

    /// Closes every connection of the server but the one that this call is made over; says how many.
    pub async fn cut_connections(&self) -> Result<usize> {
        let cut: ConnectionsCut = self.post_once(&["dev", "cut"], &Nothing {}).await?;
        Ok(cut.cut)
    }

    /// Whether nothing is due and nothing runs; waits up to this span, and 25s at the most, until it is so.
    pub async fn quiet(&self, wait: Duration) -> Result<Quiet> {
        let query = QuietQuery { wait: Some(wait) };
        self.get_with(&["dev", "quiet"], &query).await
    }
}
