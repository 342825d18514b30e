//! The same for a server that runs: over the store that it has, so that nothing is opened twice or stopped.

use std::{future::Future, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_console::{About, Examiner};
use baton_domain::{Clock, time::SystemClock};
use baton_ports::Store;
use baton_redis::RedisHints;
use tokio::{
    sync::Mutex,
    task::spawn_blocking,
    time::{Instant, timeout},
};

use super::{Finding, Mark, inside, lacks, machine, settings, shown, sign_in, traces};
use crate::{
    commands::migrate,
    config::{Config, Loaded},
};

/// How long whoever looks at the page waits for what does not answer.
const TIMEOUT: Duration = Duration::from_secs(3);
/// How old what is told can be: whoever loads the page again and again costs nothing.
const FRESH: Duration = Duration::from_secs(10);

/// What a server says about itself in the console.
pub fn about(loaded: &Loaded, store: Arc<dyn Store>, redis: Option<Arc<RedisHints>>) -> About {
    About {
        settings: settings::told(loaded),
        examiner: Some(Arc::new(LiveExaminer {
            config: Arc::new(loaded.config.clone()),
            warnings: loaded.warnings.clone(),
            store,
            redis,
            last: LastLook::default(),
        })),
    }
}

/// Who looks at a server while it runs.
struct LiveExaminer {
    config: Arc<Config>,
    warnings: Vec<String>,
    store: Arc<dyn Store>,
    /// The one that the server uses: another would go on asking, and speak for the server in its metrics.
    redis: Option<Arc<RedisHints>>,
    last: LastLook,
}

#[async_trait]
impl Examiner for LiveExaminer {
    async fn examine(&self) -> Vec<baton_console::Finding> {
        self.last.or(Box::pin(self.look())).await
    }
}

impl LiveExaminer {
    async fn look(&self) -> Vec<baton_console::Finding> {
        let config = &*self.config;
        let (of_machine, of_database, of_redis, of_provider, of_collector) = tokio::join!(
            soon("data folder", files(self.config.clone())),
            soon("database", database(&*self.store, config)),
            soon("redis", hints(self.redis.as_deref())),
            soon("sign-in", provider(config)),
            soon("traces", collector(config)),
        );
        let found = [of_machine, of_database, of_redis, of_provider, of_collector];
        let odd = |warning: &String| Finding::new(Mark::Odd, "settings", warning);
        let warned = self.warnings.iter().map(odd);
        let findings = found.into_iter().flatten().chain(warned);
        findings.map(Into::into).collect()
    }
}

/// What was found last, and when: found once for all who look at the same time or soon after.
#[derive(Default)]
struct LastLook(Mutex<Option<(Instant, Vec<baton_console::Finding>)>>);

impl LastLook {
    /// What was found not long ago, or else what this look finds.
    async fn or(
        &self,
        look: impl Future<Output = Vec<baton_console::Finding>>,
    ) -> Vec<baton_console::Finding> {
        let mut last = self.0.lock().await;
        if let Some((at, found)) = &*last
            && at.elapsed() < FRESH
        {
            return found.clone();
        }
        let found = look.await;
        *last = Some((Instant::now(), found.clone()));
        found
    }
}

/// Files can be slow, and whoever answers others does not wait for them.
async fn files(config: Arc<Config>) -> Vec<Finding> {
    let looked = spawn_blocking(move || machine(&config)).await;
    looked.unwrap_or_else(|error| vec![Finding::new(Mark::Bad, "data folder", error.to_string())])
}

async fn database(store: &dyn Store, config: &Config) -> Vec<Finding> {
    let mut findings = inside(store, config).await;
    if matches!(&findings[..], [one] if one.mark == Mark::Bad) {
        return findings;
    }
    match store.schema().await {
        Ok(Some(schema)) if schema.pending.is_empty() => {
            findings.push(Finding::new(Mark::Good, "schema", migrate::stands(&schema)));
        }
        Ok(Some(schema)) => {
            let message = format!("{}. Run `baton migrate`", lacks(&schema));
            findings.push(Finding::new(Mark::Odd, "schema", message));
        }
        Ok(None) => {}
        Err(error) => findings.push(Finding::new(Mark::Bad, "schema", error.to_string())),
    }
    findings
}

async fn hints(redis: Option<&RedisHints>) -> Vec<Finding> {
    let Some(redis) = redis else {
        return Vec::new();
    };
    let found = redis.findings(SystemClock.now()).await;
    found.into_iter().map(shown).collect()
}

async fn provider(config: &Config) -> Vec<Finding> {
    let found = Box::pin(sign_in::provider(config)).await;
    found.into_iter().collect()
}

async fn collector(config: &Config) -> Vec<Finding> {
    let found = Box::pin(traces::collector(config)).await;
    found.into_iter().collect()
}

/// What is found, unless it takes too long.
async fn soon(subject: &str, looking: impl Future<Output = Vec<Finding>>) -> Vec<Finding> {
    let found = timeout(TIMEOUT, looking).await;
    found.unwrap_or_else(|_| {
        let message = format!("has not answered within {} s", TIMEOUT.as_secs());
        vec![Finding::new(Mark::Bad, subject, message)]
    })
}

impl From<Finding> for baton_console::Finding {
    fn from(finding: Finding) -> Self {
        Self {
            mark: match finding.mark {
                Mark::Good => baton_console::Mark::Good,
                Mark::Odd => baton_console::Mark::Odd,
                Mark::Bad => baton_console::Mark::Bad,
            },
            subject: finding.subject,
            message: finding.message,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use baton_ports::{
        faulty::{Faulty, Odds},
        memory::MemoryStore,
    };

    use super::*;

    #[tokio::test]
    async fn a_database_that_does_not_answer_is_said_to_be_bad_and_nothing_else_of_it() {
        let away = Odds {
            before: 1.0,
            after: 0.0,
        };
        let store = Faulty::new(Arc::new(MemoryStore::new()), 1, away);

        let found = database(&*store, &Config::default()).await;

        let [bad] = &found[..] else {
            panic!("one finding, and no {found:?}");
        };
        assert_eq!((bad.mark, &*bad.subject), (Mark::Bad, "database"));
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_looks_again_soon_is_told_what_was_found_and_later_what_is_found() {
        let (last, looks) = (LastLook::default(), AtomicU32::new(0));
        let look = || async {
            let nth = looks.fetch_add(1, Relaxed) + 1;
            vec![Finding::new(Mark::Good, "files", nth.to_string()).into()]
        };

        let first = last.or(look()).await;
        tokio::time::advance(FRESH - Duration::from_millis(1)).await;
        let soon = last.or(look()).await;
        tokio::time::advance(Duration::from_millis(1)).await;
        let later = last.or(look()).await;

        assert_eq!(first, soon);
        assert_eq!(later[0].message, "2");
    }
}
