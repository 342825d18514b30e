//! Something that was asked for and is kept for a while: one asks, and all who wait take the answer.

use std::{sync::Arc, time::Duration};

use baton_ports::identity_provider::ProviderError;
use tokio::{sync::Mutex, time::Instant};

/// Something that is kept for a while.
pub struct Fresh<T> {
    kept: Mutex<Cached<T>>,
    span: Duration,
    pause: Duration,
}

struct Cached<T> {
    value: Option<(Arc<T>, Instant)>,
    /// Why it could not be had, and when that was.
    trouble: Option<(ProviderError, Instant)>,
    /// When it was asked for anew, before its time.
    renewed: Option<Instant>,
}

impl<T> Fresh<T> {
    pub fn new(span: Duration, pause: Duration) -> Self {
        let kept = Cached {
            value: None,
            trouble: None,
            renewed: None,
        };
        Self {
            kept: Mutex::new(kept),
            span,
            pause,
        }
    }

    /// What is kept, or what is answered now; nobody is asked where nothing is lacking. What was good goes on being so while there is no other answer; nobody asks again for a
    /// moment after there was none.
    pub async fn get(
        &self,
        ask: impl Future<Output = Result<T, ProviderError>>,
    ) -> Result<Arc<T>, ProviderError> {
        let mut kept = self.kept.lock().await;
        if let Some((value, at)) = &kept.value
            && at.elapsed() < self.span
        {
            return Ok(Arc::clone(value));
        }
        self.asked(&mut kept, ask).await
    }

    /// The same, as it lacks something: asked for anew unless somebody else has done so meanwhile, or a moment ago.
    pub async fn renew(
        &self,
        lacking: &Arc<T>,
        ask: impl Future<Output = Result<T, ProviderError>>,
    ) -> Result<Arc<T>, ProviderError> {
        let mut kept = self.kept.lock().await;
        if let Some((value, _)) = &kept.value {
            let is_other = !Arc::ptr_eq(value, lacking);
            if is_other || kept.renewed.is_some_and(|at| at.elapsed() < self.pause) {
                return Ok(Arc::clone(value));
            }
        }
        kept.renewed = Some(Instant::now());
        self.asked(&mut kept, ask).await
    }

    async fn asked(
        &self,
        kept: &mut Cached<T>,
        ask: impl Future<Output = Result<T, ProviderError>>,
    ) -> Result<Arc<T>, ProviderError> {
        let old = kept.value.as_ref().map(|(value, _)| Arc::clone(value));
        if let Some((why, at)) = &kept.trouble
            && at.elapsed() < self.pause
        {
            return old.ok_or_else(|| why.clone());
        }
        match ask.await {
            Ok(value) => {
                let value = Arc::new(value);
                kept.value = Some((Arc::clone(&value), Instant::now()));
                kept.trouble = None;
                Ok(value)
            }
            Err(why) => {
                kept.trouble = Some((why.clone(), Instant::now()));
                if old.is_some() {
                    tracing::warn!(%why, "the provider of sign-ins was not heard anew; what it said before goes on");
                }
                old.ok_or(why)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    const SPAN: Duration = Duration::from_hours(1);
    const PAUSE: Duration = Duration::from_secs(5);

    /// Counts how often it was asked, and is away if told so.
    #[derive(Default)]
    struct CountingSource(AtomicU32);

    impl CountingSource {
        async fn well(&self) -> Result<u32, ProviderError> {
            Ok(self.0.fetch_add(1, Ordering::Relaxed))
        }

        async fn away(&self) -> Result<u32, ProviderError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Err(ProviderError::Away("away".to_owned()))
        }

        fn times(&self) -> u32 {
            self.0.load(Ordering::Relaxed)
        }
    }

    #[tokio::test(start_paused = true)]
    async fn it_is_asked_for_once_in_its_time() {
        let (fresh, asked) = (Fresh::new(SPAN, PAUSE), CountingSource::default());

        for _ in 0..3 {
            fresh.get(asked.well()).await.unwrap();
        }
        tokio::time::advance(SPAN).await;
        let later = fresh.get(asked.well()).await.unwrap();

        assert_eq!((*later, asked.times()), (1, 2));
    }

    #[tokio::test(start_paused = true)]
    async fn who_is_away_is_asked_again_after_a_pause_and_not_by_everybody() {
        let (fresh, asked) = (Fresh::new(SPAN, PAUSE), CountingSource::default());

        for _ in 0..3 {
            fresh.get(asked.away()).await.unwrap_err();
        }
        let at_once = asked.times();
        tokio::time::advance(PAUSE).await;
        fresh.get(asked.well()).await.unwrap();

        assert_eq!((at_once, asked.times()), (1, 2));
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_good_goes_on_while_there_is_no_other_answer() {
        let (fresh, asked) = (Fresh::new(SPAN, PAUSE), CountingSource::default());
        let first = fresh.get(asked.well()).await.unwrap();

        tokio::time::advance(SPAN).await;
        let still = fresh.get(asked.away()).await.unwrap();

        assert!(Arc::ptr_eq(&first, &still));
    }

    #[tokio::test(start_paused = true)]
    async fn what_lacks_something_is_asked_for_anew_once_in_a_while() {
        let (fresh, asked) = (Fresh::new(SPAN, PAUSE), CountingSource::default());
        let mut last = fresh.get(asked.well()).await.unwrap();

        for _ in 0..10 {
            last = fresh.renew(&last, asked.well()).await.unwrap();
        }
        let at_once = asked.times();
        tokio::time::advance(PAUSE).await;
        fresh.renew(&last, asked.well()).await.unwrap();

        assert_eq!((at_once, asked.times()), (2, 3));
    }
}
