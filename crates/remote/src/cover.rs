//! Cover: a claim that waits says that its worker lives, and meanwhile an idle one need not beat.

use std::time::Duration;

use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

/// How long the claim after one that was answered may take to begin.
pub const BETWEEN: Duration = Duration::from_secs(1);

/// Until when a claim that waits says that the worker lives.
pub struct Cover(watch::Sender<Option<Instant>>);

impl Default for Cover {
    fn default() -> Self {
        Self(watch::Sender::new(None))
    }
}

impl Cover {
    /// It lasts for so long at the most.
    pub fn lasts(&self, span: Duration) {
        self.0.send_replace(Some(Instant::now() + span));
    }

    /// There is none any more.
    pub fn end(&self) {
        self.0.send_replace(None);
    }

    /// Whether there is one.
    pub fn is_there(&self) -> bool {
        self.0.borrow().is_some_and(|until| until > Instant::now())
    }

    /// Waits until it ends, or another one begins.
    pub async fn changed(&self) {
        let mut changes = self.0.subscribe();
        let until = *changes.borrow_and_update();
        let Some(until) = until else {
            return;
        };
        tokio::select! {
            _ = changes.changed() => {}
            () = sleep_until(until) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_lasts_until_its_end_or_until_somebody_ends_it() {
        let cover = Cover::default();
        let before = cover.is_there();
        cover.lasts(Duration::from_mins(1));
        let begun = Instant::now();
        let during = cover.is_there();

        cover.changed().await;

        assert_eq!((before, during, cover.is_there()), (false, true, false));
        assert_eq!(begun.elapsed().as_secs(), 60);
        cover.lasts(Duration::from_mins(1));
        cover.end();
        assert!(!cover.is_there());
    }
}
