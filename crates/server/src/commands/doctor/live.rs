//! The same for a server that runs: over the store that it has, so that nothing is opened twice or stopped.

use std::{future::Future, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_console::{About, Examiner};
use baton_domain::{Clock, time::SystemClock};
use baton_ports::Store;
use tokio::time::timeout;

use super::{
    Finding, Mark, data_folder, inside, lacks, open_files, open_to_others, redis, settings, sign_in,
};
use crate::{
    commands::migrate,
    config::{Config, Loaded},
};

/// How long whoever looks at the page waits for what does not answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// What a server says about itself in the console.
pub fn about(loaded: &Loaded, store: Arc<dyn Store>) -> About {
    About {
        settings: settings::told(loaded),
        examiner: Some(Arc::new(LiveExaminer {
            config: loaded.config.clone(),
            warnings: loaded.warnings.clone(),
            store,
        })),
    }
}

/// Who looks at a server while it runs.
struct LiveExaminer {
    config: Config,
    warnings: Vec<String>,
    store: Arc<dyn Store>,
}

#[async_trait]
impl Examiner for LiveExaminer {
    async fn examine(&self) -> Vec<baton_console::Finding> {
        let config = &self.config;
        let (of_database, of_redis, of_provider) = tokio::join!(
            soon("database", database(&*self.store, config)),
            soon("redis", hints(config)),
            soon("sign-in", provider(config)),
        );
        let mut findings = vec![data_folder(&config.server.data_dir)];
        findings.extend(open_to_others(config));
        findings.push(open_files(config));
        findings.extend([of_database, of_redis, of_provider].into_iter().flatten());
        let odd = |warning: &String| Finding::new(Mark::Odd, "settings", warning);
        findings.extend(self.warnings.iter().map(odd));
        findings.into_iter().map(Into::into).collect()
    }
}

async fn database(store: &dyn Store, config: &Config) -> Vec<Finding> {
    let mut findings = inside(store, config).await;
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

async fn hints(config: &Config) -> Vec<Finding> {
    if config.redis.url.is_empty() {
        return Vec::new();
    }
    redis(config, SystemClock.now()).await
}

async fn provider(config: &Config) -> Vec<Finding> {
    let found = Box::pin(sign_in::provider(config)).await;
    found.into_iter().collect()
}

/// What is found, unless it takes too long.
async fn soon(subject: &str, looking: impl Future<Output = Vec<Finding>>) -> Vec<Finding> {
    let found = timeout(PATIENCE, looking).await;
    found.unwrap_or_else(|_| {
        let message = format!("has not answered within {} s", PATIENCE.as_secs());
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
