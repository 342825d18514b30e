//! What a run has shown: what was hurt, what it cost, and whether every invariant held.

mod campaigns;
mod table;

use std::collections::BTreeMap;

use baton_faults::run::{Recording, Scenario, deck::NO_CLOCKS};
use baton_lab::checker::{self, Recovery, Summary, Violation};
use serde_json::{Value, json};

use crate::output::{Output, clean};

/// How many violations are shown.
const MOST: usize = 30;
/// The invariants that a stale result would break: what was terminal moved, an attempt has two results,
/// two attempts overlap.
const OF_STALE_RESULTS: [u8; 3] = [10, 11, 12];
/// The invariant that no lease of a living, reachable worker is lost.
const OF_LOST_LEASES: u8 = 31;

/// What a run has shown.
pub struct Report<'r> {
    recording: &'r Recording,
    summary: Summary,
    costs: BTreeMap<String, Recovery>,
    violations: Vec<Violation>,
    late: Late,
}

/// Results that came after their lease was lost.
#[derive(Default)]
struct Late {
    adopted: usize,
    refused: usize,
}

impl<'r> Report<'r> {
    pub fn of(recording: &'r Recording) -> Self {
        let history = &recording.history;
        let mut late = Late::default();
        for result in history.attempts.iter().filter_map(|one| one.late.as_ref()) {
            if result.adopted {
                late.adopted += 1;
            } else {
                late.refused += 1;
            }
        }
        Self {
            recording,
            summary: checker::summary(history),
            costs: checker::recovery(history),
            violations: checker::check(history),
            late,
        }
    }

    pub fn is_good(&self) -> bool {
        self.violations.is_empty() && self.recording.missed.is_empty()
    }

    pub fn show(&self, output: &Output) {
        if output.is_json() {
            output.json(&self.as_json());
            return;
        }
        self.show_faults(output);
        self.show_jobs(output);
        self.show_left_out(output);
        self.show_verdict(output);
    }

    fn show_faults(&self, output: &Output) {
        let Recording {
            seed,
            faults_s,
            rest_s,
            ..
        } = self.recording;
        output.line(format!(
            "Seed {seed}: {faults_s:.0} s of faults, and everything at rest {rest_s:.1} s after the last.\n"
        ));
        for line in table::of(&self.costs, &self.recording.plays) {
            output.line(line);
        }
        let counts = self.recording.counts.iter();
        let counts: Vec<_> = counts
            .map(|(count, done)| format!("{done} {}", count.as_str()))
            .collect();
        output.line(format!("\n{}.\n", counts.join(", ")));
    }

    fn show_jobs(&self, output: &Output) {
        let say = |word: &str, count: usize, what: &str| {
            output.line(format!("{word:>14} {count:>8}  {what}").trim_end());
        };
        let (history, summary) = (&self.recording.history, &self.summary);
        say("jobs checked", self.jobs(), &self.ends());
        say("calls", history.arrivals.len(), "reached the target");
        say(
            "rescued",
            summary.rescued,
            "attempts taken back from workers that went silent",
        );
        say(
            "duplicates",
            summary.duplicates.len(),
            "calls made twice, under the same idempotency key, because:",
        );
        for (reason, count) in self.reasons() {
            output.line(format!("{:>14} {count:>8}  {reason}", ""));
        }
        let Late { adopted, refused } = self.late;
        say(
            "late results",
            adopted + refused,
            &format!(
                "after their lease was lost: {adopted} adopted, {refused} kept as history only"
            ),
        );
        say(
            "events",
            history.events.len(),
            "told by the feed, each change once",
        );
        say(
            "lost",
            summary.lost.len(),
            "jobs that were accepted and are not there",
        );
        say(
            "stale",
            self.stale(),
            "results accepted from an attempt that was over",
        );
        say(
            "leases",
            self.broken(&[OF_LOST_LEASES]),
            "lost by workers that were alive and could reach the database",
        );
        campaigns::show(&summary.campaigns, output);
    }

    /// How many jobs there are that belong to no campaign.
    fn jobs(&self) -> usize {
        let jobs = self.recording.history.jobs.iter();
        jobs.filter(|job| job.campaign_id.is_none()).count()
    }

    fn show_left_out(&self, output: &Output) {
        let (clocks, names): (Vec<_>, Vec<_>) = self
            .left_out()
            .into_iter()
            .partition(|one| *one == Scenario::StepClock.as_str());
        if !clocks.is_empty() {
            output.line(format!("Not played: step a clock, since {NO_CLOCKS}."));
        }
        if !names.is_empty() {
            output.line(format!(
                "Not played: {}. A server that was given is not ours to kill, to freeze or to set otherwise.",
                names.join(", ")
            ));
        }
    }

    fn left_out(&self) -> Vec<&'static str> {
        let left_out = self.recording.left_out.iter();
        left_out.map(|one| one.as_str()).collect()
    }

    fn show_verdict(&self, output: &Output) {
        for (count, missing) in &self.recording.missed {
            output.line(format!(
                "Goal not reached: {missing} more {}.",
                count.as_str()
            ));
        }
        if self.violations.is_empty() {
            output.line("Every invariant holds.");
            return;
        }
        output.line(format!(
            "{} violations of invariants:",
            self.violations.len()
        ));
        for violation in self.violations.iter().take(MOST) {
            output.line(format!("- {}", clean(&violation.to_string())));
        }
    }

    /// `900 succeeded, 80 failed (permanent 30, lost 1), 20 canceled`
    fn ends(&self) -> String {
        let summary = &self.summary;
        let failed: usize = summary.dead.values().sum();
        let dead = summary.dead.iter();
        let dead: Vec<_> = dead
            .map(|(reason, count)| format!("{reason} {count}"))
            .collect();
        let mut ends = vec![format!("{} succeeded", summary.succeeded)];
        ends.push(format!("{failed} failed ({})", dead.join(", ")));
        let others = summary.other.iter();
        ends.extend(others.map(|(state, count)| format!("{count} {}", state.as_str())));
        ends.join(", ")
    }

    fn reasons(&self) -> BTreeMap<&str, usize> {
        let mut reasons = BTreeMap::new();
        for duplicate in &self.summary.duplicates {
            *reasons.entry(&*duplicate.reason).or_default() += 1;
        }
        reasons
    }

    fn stale(&self) -> usize {
        self.broken(&OF_STALE_RESULTS)
    }

    /// How often one of these invariants was broken.
    fn broken(&self, invariants: &[u8]) -> usize {
        let violations = self.violations.iter();
        violations
            .filter(|one| invariants.contains(&one.invariant))
            .count()
    }

    fn as_json(&self) -> Value {
        let Recording {
            seed,
            faults_s,
            rest_s,
            plays,
            counts,
            missed,
            left_out: _,
            history,
        } = self.recording;
        let plays: BTreeMap<_, _> = plays.iter().map(|(one, n)| (one.as_str(), n)).collect();
        let violations: Vec<_> = self.violations.iter().map(ToString::to_string).collect();
        json!({
            "seed": seed,
            "seconds_of_faults": faults_s,
            "seconds_to_rest": rest_s,
            "scenarios": plays,
            "counts": counts,
            "missed": missed,
            "costs": self.costs.iter().map(|(name, cost)| (name, table::summed(cost))).collect::<BTreeMap<_, _>>(),
            "jobs": self.jobs(),
            "succeeded": self.summary.succeeded,
            "dead_letters": self.summary.dead,
            "other": self.summary.other,
            "calls": history.arrivals.len(),
            "rescued": self.summary.rescued,
            "duplicates": self.reasons(),
            "late_results": {"adopted": self.late.adopted, "refused": self.late.refused},
            "events": history.events.len(),
            "campaigns": self.summary.campaigns,
            "lost": self.summary.lost,
            "stale_results_accepted": self.stale(),
            "leases_of_living_workers_lost": self.broken(&[OF_LOST_LEASES]),
            "not_played": self.left_out(),
            "violations": violations,
        })
    }
}
