//! The rules of remote work, and the judge who goes through what was written down.

mod calls;
mod leases;
mod walks;

use baton_domain::JobId;

use super::world::Record;

/// A rule that was broken.
#[derive(Debug)]
pub struct Violation {
    pub rule: &'static str,
    pub job: Option<JobId>,
    pub what: String,
}

impl Violation {
    fn of(rule: &'static str, job: JobId, what: String) -> Self {
        Self {
            rule,
            job: Some(job),
            what,
        }
    }
}

/// Every rule that was broken.
pub fn violations(record: &Record) -> Vec<Violation> {
    let mut found = Vec::new();
    nothing_is_lost_and_each_job_ends(record, &mut found);
    leases::judge(record, &mut found);
    walks::judge(record, &mut found);
    calls::judge(record, &mut found);
    found
}

fn nothing_is_lost_and_each_job_ends(record: &Record, found: &mut Vec<Violation>) {
    for job in &record.accepted {
        if !record.jobs.contains_key(job) {
            let what = format!("{job} was accepted and is gone");
            found.push(Violation::of("nothing_is_lost", *job, what));
        }
    }
    for job in record.jobs.values() {
        if !job.state.is_terminal() {
            let what = format!("{} is still {}", job.id, job.state);
            found.push(Violation::of("each_job_ends", job.id, what));
        }
    }
}
