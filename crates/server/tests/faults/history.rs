//! The end of a story: everything comes to rest, and the verdict.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use baton_client::Client;
use baton_faults::evidence::{events, jobs};
use baton_lab::checker::{self, History};
use baton_testkit::eventually;

/// How long after the last fault everything may still be under way: G7's half minute, and what the
/// jobs themselves take with all their tries.
const HEAL: Duration = Duration::from_secs(45);
/// How many findings are worth showing.
const MOST: usize = 30;

/// Waits until every job has come to its end.
pub async fn all_jobs_have_ended(client: &Client) {
    eventually("every job has ended", HEAL, async || {
        let jobs = jobs(client).await.unwrap();
        !jobs.is_empty() && jobs.iter().all(|job| job.state.is_terminal())
    })
    .await;
}

/// Waits until the feed has told the end of every job.
pub async fn the_feed_tells_all_ends(client: &Client) {
    eventually("the feed tells every end", HEAL, async || {
        let mut told = BTreeMap::new();
        for event in events(client).await.unwrap() {
            if let Some(state) = event.moved_to() {
                told.insert(event.subject, state);
            }
        }
        let jobs = jobs(client).await.unwrap();
        jobs.iter().all(|job| {
            told.get(&job.id.to_string())
                .is_some_and(|state| state.is_terminal())
        })
    })
    .await;
}

/// Fails with every broken invariant, and leaves the history behind for a closer look.
pub fn assert_clean(name: &str, seed: u64, history: &History, folder: &Path) {
    let summary = checker::summary(history);
    let acts = history.acts.len();
    let (calls, events) = (history.arrivals.len(), history.events.len());
    eprintln!(
        "{name}: {} accepted, {} succeeded, {} retried, {} rescued, {:?} dead, {:?} other, \
         {acts} acts, {calls} calls, {} made twice, {events} events, {} faults",
        summary.accepted,
        summary.succeeded,
        summary.retried,
        summary.rescued,
        summary.dead,
        summary.other,
        summary.duplicates.len(),
        history.faults.len(),
    );
    let path = folder.join("history.json");
    fs::write(&path, serde_json::to_vec(history).unwrap()).unwrap();
    let violations = checker::check(history);
    if violations.is_empty() {
        return;
    }
    let shown: Vec<_> = violations
        .iter()
        .take(MOST)
        .map(ToString::to_string)
        .collect();
    panic!(
        "{name}: {} invariants are broken (FAULTS_SEED={seed}, history in {}):\n{}",
        violations.len(),
        path.display(),
        shown.join("\n")
    );
}
