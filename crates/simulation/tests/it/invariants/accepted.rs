//! I1, I2, I3: what was accepted exists, once, as what was asked for.

use std::collections::{BTreeMap, BTreeSet};

use baton_domain::{JobId, delivery};

use super::Found;
use crate::journal::{History, Said};

/// I1
pub fn nothing_accepted_is_lost(history: &History) -> Found {
    let mut found = Vec::new();
    for asked in &history.asked {
        let Said::Accepted(id) = asked.said else {
            continue;
        };
        match history.jobs.get(&id) {
            None => found.push((Some(id), "was accepted and is not there".to_owned())),
            Some(job) if job.payload != asked.payload || job.key != asked.key => {
                let (have, want) = (&job.payload, &asked.payload);
                found.push((Some(id), format!("holds {have}, and {want} was accepted")));
            }
            Some(_) => {}
        }
    }
    found
}

/// I2
pub fn nothing_exists_that_nobody_asked_for(history: &History) -> Found {
    let not_refused = |said: Said| !matches!(said, Said::Conflict(_));
    let asked = history.asked.iter().filter(|asked| not_refused(asked.said));
    let asked: BTreeSet<_> = asked.map(|asked| &asked.payload).collect();
    let mut seen = BTreeSet::new();
    // What nobody asked for by itself a campaign was asked for.
    let jobs = history.jobs.values();
    let jobs = jobs.filter(|job| job.kind != delivery::KIND);
    let strangers = jobs.filter_map(|job| {
        if !asked.contains(&job.payload) {
            Some((Some(job.id), "was asked for by nobody".to_owned()))
        } else if !seen.insert(&job.payload) {
            Some((Some(job.id), "is there twice".to_owned()))
        } else {
            None
        }
    });
    strangers.collect()
}

/// I3
pub fn one_key_is_one_job(history: &History) -> Found {
    let mut holders: BTreeMap<&str, JobId> = BTreeMap::new();
    let mut found = Vec::new();
    let said = history.asked.iter().filter_map(|asked| {
        let (Said::Accepted(id) | Said::Conflict(id)) = asked.said else {
            return None;
        };
        Some((asked.key.as_deref()?, id))
    });
    let stored = history.jobs.values();
    let stored = stored.filter_map(|job| Some((job.key.as_deref()?, job.id)));
    for (key, id) in said.chain(stored) {
        let holder = *holders.entry(key).or_insert(id);
        if holder != id {
            found.push((
                Some(id),
                format!("has the key {key:?}, and so has {holder}"),
            ));
        }
    }
    found
}
