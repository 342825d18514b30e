//! A body in small pieces, so that none of them makes many rows at once; one that comes too slowly ends.

use std::time::Duration;

use axum::body::{Body, Bytes};
use http_body_util::BodyExt;
use tokio::time::{Instant, timeout};

/// How much of a body is read before its rows are taken.
const PIECE: usize = 64 * 1024;
/// The least that has to come in each second that we wait, in bytes.
const LEAST: u64 = 1024;

/// A body in small pieces.
pub struct Pieces {
    body: Body,
    timeout: Duration,
    rest: Bytes,
    /// How long we have waited since the pace was last judged; the time that we take ourselves is ours.
    waited: Duration,
    /// How much has come meanwhile.
    came: u64,
}

impl Pieces {
    /// Reads this body; its pace is judged whenever we have waited for so long.
    pub fn of(body: Body, timeout: Duration) -> Self {
        Self {
            body,
            timeout,
            rest: Bytes::new(),
            waited: Duration::ZERO,
            came: 0,
        }
    }

    /// The next piece, or why there is none.
    pub async fn next(&mut self) -> Result<Option<Bytes>, &'static str> {
        while self.rest.is_empty() {
            let began = Instant::now();
            let left = self.timeout.saturating_sub(self.waited);
            let frame = timeout(left, self.body.frame()).await;
            self.waited += began.elapsed();
            match frame {
                Ok(None) => return Ok(None),
                Ok(Some(Err(_))) => {
                    return Err(
                        "the body broke off before its end; send the file again, what is in stays as it is",
                    );
                }
                Ok(Some(Ok(frame))) => self.rest = frame.into_data().unwrap_or_default(),
                Err(_) => {}
            }
            self.judge()?;
        }
        let length = self.rest.len().min(PIECE);
        Ok(Some(self.rest.split_to(length)))
    }

    fn judge(&mut self) -> Result<(), &'static str> {
        self.came += self.rest.len() as u64;
        if self.waited < self.timeout {
            return Ok(());
        }
        let least = (self.timeout.as_secs() * LEAST).max(1);
        let came = std::mem::take(&mut self.came);
        self.waited = Duration::ZERO;
        if came < least {
            return Err(
                "less than a kilobyte a second came for too long; send the file again, what is in stays as it is",
            );
        }
        Ok(())
    }

    /// Reads on for a while without looking: who still sends would not hear the answer.
    pub async fn pass_over(mut self) {
        let most = self.timeout;
        let rest = async { while let Ok(Some(_)) = self.next().await {} };
        // Whoever sends for longer than that has to see for himself.
        let _ = timeout(most, rest).await;
    }
}
