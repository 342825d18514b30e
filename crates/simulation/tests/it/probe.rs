//! Probes: jobs with a delay, asked for when the clocks have settled.

use std::{sync::Arc, time::Duration};

use baton_domain::job::JobSpec;
use rand::{SeedableRng, rngs::StdRng};

use crate::{
    fleet::Fleet,
    journal::{Asked, Probe, Said},
    script::{Answer, Script, Word},
    target::KIND,
};

const PROBES: u32 = 3;
/// The number of the first; no client counts that far.
const FIRST: u32 = 1_000_000;
const DELAY: Duration = Duration::from_secs(2);

/// Asks for a few jobs with a delay, in a line of their own.
pub async fn delayed_jobs(fleet: &Arc<Fleet>) {
    let mut dice = StdRng::seed_from_u64(0);
    for number in FIRST..FIRST + PROBES {
        let spec = JobSpec {
            kind: KIND.to_owned(),
            payload: Script::of(number, &[Answer::new(Word::Ok, 1)]).payload(),
            queue: Some("probes".to_owned()),
            delay: Some(DELAY),
            ..JobSpec::default()
        };
        let asked = fleet.now();
        let engine = fleet.engine(&mut dice);
        let job = engine.enqueue(spec.clone()).await.unwrap().id();
        fleet.journal.probes.lock().push(Probe {
            job,
            not_before: asked + DELAY,
            not_after: fleet.now() + DELAY,
        });
        fleet.journal.asked.lock().push(Asked {
            key: None,
            payload: spec.payload,
            said: Said::Accepted(job),
        });
    }
}
