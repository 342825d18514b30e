//! The rules of accessible pages, as axe-core of npm has them.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use fantoccini::Client;

const RULES: &str = "axe-core/node_modules/axe-core/axe.min.js";
const SETUP: &str = "`cargo xtask test` (or `cargo xtask setup`) installs it";

/// What a rule finds that is serious or critical, and where.
const LOOK: &str = "
    const done = arguments[arguments.length - 1];
    const isSerious = ({ impact }) => ['serious', 'critical'].includes(impact);
    const where = ({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`;
    axe.run({ resultTypes: ['violations'] }).then(
        ({ violations }) => done(violations.filter(isSerious).map(
            ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(where).join('; ')}`)),
        (error) => done([String(error)]));";

/// What keeps people from using the page that is open: each serious or critical breach of a rule.
pub async fn barriers(client: &Client) -> Result<Vec<String>> {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join(RULES);
    let rules =
        fs::read_to_string(rules).with_context(|| format!("axe-core is not installed; {SETUP}"))?;
    client
        .execute(&rules, Vec::new())
        .await
        .context("the rules could not be loaded into the page")?;
    let found = client
        .execute_async(LOOK, Vec::new())
        .await
        .context("the page could not be looked at")?;
    serde_json::from_value(found).context("what was found is no list of texts")
}
