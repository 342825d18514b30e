//! The watchdog: hears of loops that ended by themselves, which a process cannot live without.
//!
//! A process whose claimer, settler or writer is gone looks alive, renews what it holds and does nothing
//! with it. It is better dead: whoever supervises it starts it anew, and leases cover what it ran.

use std::{any::Any, borrow::Cow, future::Future, panic::AssertUnwindSafe, sync::Arc};

use futures::FutureExt;
use tokio::sync::watch;

/// A loop that ended although nobody told it to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Death {
    /// The name of the loop.
    pub name: String,
    /// How it ended.
    pub how: String,
}

/// Hears of loops that ended by themselves. A handle that is cheap to copy.
#[derive(Debug, Clone)]
pub struct Watchdog(Arc<WatchdogState>);

#[derive(Debug)]
struct WatchdogState {
    died: watch::Sender<Option<Death>>,
    /// The loop that a test of faults wants broken.
    doomed: watch::Sender<Option<String>>,
}

impl Default for Watchdog {
    fn default() -> Self {
        Self(Arc::new(WatchdogState {
            died: watch::Sender::new(None),
            doomed: watch::Sender::new(None),
        }))
    }
}

impl Watchdog {
    /// Runs a loop, and takes note if it panics, or ends before `is_over` says that it may.
    pub async fn guard(
        &self,
        name: &str,
        is_over: impl Fn() -> bool,
        work: impl Future<Output = ()>,
    ) {
        let work = async {
            tokio::select! {
                () = work => {}
                () = self.doomed(name) => std::panic::resume_unwind(Box::new("it was told to")),
            }
        };
        let ended = AssertUnwindSafe(work).catch_unwind().await;
        match ended {
            Ok(()) if is_over() => {}
            Ok(()) => self.report(name, "it ended by itself"),
            Err(panic) => self.report(name, &format!("it panicked: {}", message(&*panic))),
        }
    }

    /// Takes note of a loop that ended; the first one stays.
    pub fn report(&self, name: &str, how: &str) {
        self.0.died.send_if_modified(|died| {
            let is_first = died.is_none();
            died.get_or_insert_with(|| Death {
                name: name.to_owned(),
                how: how.to_owned(),
            });
            is_first
        });
    }

    /// The loop that ended first, if one has.
    #[must_use]
    pub fn death(&self) -> Option<Death> {
        self.0.died.borrow().clone()
    }

    /// Waits until a loop has ended.
    pub async fn died(&self) -> Death {
        let mut heard = self.0.died.subscribe();
        let death = heard.wait_for(Option::is_some).await;
        // The sender lives as long as this handle.
        match death.ok().and_then(|death| death.clone()) {
            Some(death) => death,
            None => std::future::pending().await,
        }
    }

    /// Breaks the loop of this name; for tests of faults.
    pub fn doom(&self, name: &str) {
        self.0.doomed.send_replace(Some(name.to_owned()));
    }

    /// Waits until the loop of this name is to break.
    pub async fn doomed(&self, name: &str) {
        let mut heard = self.0.doomed.subscribe();
        let is_meant = |doomed: &Option<String>| doomed.as_deref() == Some(name);
        if heard.wait_for(is_meant).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// What a panic says, as far as the program wrote it: what follows may be a value, of which nobody knows what it holds.
#[must_use]
pub fn message(panic: &(dyn Any + Send)) -> Cow<'_, str> {
    let words = panic.downcast_ref::<&str>();
    let made = panic.downcast_ref::<String>();
    match (words, made) {
        (Some(words), _) => Cow::Borrowed(words),
        (None, Some(made)) => without_values(made),
        (None, None) => Cow::Borrowed("without a message"),
    }
}

/// What stands before the first value, as far as can be told: values follow a colon, or stand in quotes.
fn without_values(made: &str) -> Cow<'_, str> {
    const UNWRAPPED: &str = "called `Result::unwrap()` on an `Err` value";
    let words = match made.starts_with(UNWRAPPED) {
        true => UNWRAPPED,
        false => made.split([':', '"', '\'', '`']).next().unwrap_or_default(),
    };
    if words.len() == made.len() {
        return Cow::Borrowed(made);
    }
    Cow::Owned(format!("{} (values are left out)", words.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_without_the_values_in_it() {
        let failed = "postgres://baton:canary@db/baton".parse::<u32>();
        let failed = failed.map_err(|_| "postgres://baton:canary@db/baton");
        let text = String::from("canary é canary");
        let panics: [Box<dyn FnOnce()>; 5] = [
            Box::new(move || {
                let _ = failed.unwrap();
            }),
            Box::new(move || {
                let _ = failed.expect("the store opens");
            }),
            Box::new(move || drop(text[..8].to_owned())),
            Box::new(|| panic!("no such header {:?}", "canary")),
            Box::new(|| std::panic::panic_any("words of the program: all of them")),
        ];

        let told = panics.map(|panic| {
            let panic = std::panic::catch_unwind(AssertUnwindSafe(panic)).unwrap_err();
            message(&*panic).into_owned()
        });

        assert_eq!(
            told,
            [
                "called `Result::unwrap()` on an `Err` value (values are left out)",
                "the store opens (values are left out)",
                "end byte index 8 is not a char boundary; it is inside (values are left out)",
                "no such header (values are left out)",
                "words of the program: all of them",
            ]
        );
    }

    #[tokio::test]
    async fn a_loop_that_panics_is_told_by_its_name() {
        let watchdog = Watchdog::default();

        let broken = async { std::panic::resume_unwind(Box::new("on purpose")) };
        watchdog.guard("settler", || true, broken).await;

        let death = watchdog.died().await;
        assert_eq!(
            (&*death.name, &*death.how),
            ("settler", "it panicked: on purpose")
        );
    }

    #[tokio::test]
    async fn a_loop_that_returns_before_its_time_is_told_and_one_that_was_told_to_end_is_not() {
        let watchdog = Watchdog::default();

        watchdog.guard("renewer", || true, async {}).await;
        let after_the_end = watchdog.death();
        watchdog.guard("claimer", || false, async {}).await;

        assert_eq!(after_the_end, None);
        assert_eq!(watchdog.died().await.name, "claimer");
    }
}
