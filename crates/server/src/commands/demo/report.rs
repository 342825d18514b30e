//! The end of the demonstration: the numbers, and whether they agree.

use std::{collections::BTreeMap, time::Duration};

use baton_lab::{
    checker::{self, Summary},
    target::Answer,
};
use serde_json::{Value, json};

use crate::output::{Output, clean};

use super::{
    campaign::Outcome,
    evidence::{self, Evidence},
    plan::{End, Plan},
};

/// How many disagreements are shown.
const MOST: usize = 20;

/// What was played.
pub struct Acts<'a> {
    pub evidence: &'a Evidence,
    pub plan: &'a Plan,
    pub campaign: Option<&'a Outcome>,
    /// How long the first act took.
    pub took: Duration,
}

/// Shows the numbers; whether they agree.
pub fn show(acts: &Acts<'_>, output: &Output) -> bool {
    let Acts {
        evidence,
        plan,
        campaign,
        took,
    } = *acts;
    let summary = checker::summary(&evidence.history);
    let mut wrong = against_plan(&summary, evidence, plan);
    wrong.extend(evidence::violations(evidence));
    wrong.extend(campaign.into_iter().flat_map(Outcome::wrong));
    if output.is_json() {
        let mut json = as_json(&summary, evidence, &wrong, took);
        json["campaign"] = campaign.map_or(Value::Null, Outcome::as_json);
        output.json(&json);
    } else {
        show_numbers(&summary, evidence, output);
        output.line(format!("It took {:.1} s.", took.as_secs_f64()));
        if let Some(campaign) = campaign {
            campaign.show(output);
        }
        output.line("");
        show_verdict(&wrong, output);
    }
    wrong.is_empty()
}

/// The judge knows what follows from what the target answered; the plan also knows what was to come.
fn against_plan(summary: &Summary, evidence: &Evidence, plan: &Plan) -> Vec<String> {
    let mut found: BTreeMap<End, usize> = BTreeMap::new();
    if summary.succeeded > 0 {
        found.insert(None, summary.succeeded);
    }
    let planned = plan.ends();
    for (reason, count) in &summary.dead {
        let end = planned.keys().flatten().find(|end| *end == reason);
        found.insert(Some(end.copied().unwrap_or("another reason")), *count);
    }
    let mut wrong = Vec::new();
    if summary.accepted != plan.len() {
        let (planned, accepted) = (plan.len(), summary.accepted);
        wrong.push(format!("{planned} jobs were enqueued, {accepted} accepted"));
    }
    if found != planned {
        wrong.push(format!("the plan was {planned:?}, the ends are {found:?}"));
    }
    let dead: usize = summary.dead.values().sum();
    let grouped: u64 = evidence.groups.iter().map(|group| group.count).sum();
    if grouped != dead as u64 {
        wrong.push(format!(
            "{dead} jobs failed, the groups of dead letters hold {grouped}"
        ));
    }
    wrong
}

fn show_numbers(summary: &Summary, evidence: &Evidence, output: &Output) {
    let say = |name: &str, count: usize, what: &str| {
        output.line(format!("{name:<14} {count:>7}   {what}"));
    };
    output.line("");
    say(
        "accepted",
        summary.accepted,
        "answered by the API, each one durable before",
    );
    say("succeeded", summary.succeeded, "");
    say(
        "retried",
        summary.retried,
        "had a failed try and another one",
    );
    say(
        "rescued",
        summary.rescued,
        "attempts that the killed server left behind",
    );
    say(
        "dead letters",
        summary.dead.values().sum(),
        "for people to look at:",
    );
    for group in &evidence.groups {
        let cause = format!(
            "{} {}: {}",
            group.reason, group.sample.code, group.sample.message
        );
        output.line(format!(
            "{:>14} {:>7}     {}",
            "",
            group.count,
            clean(&cause)
        ));
    }
    let calls = &evidence.history.arrivals;
    say(
        "calls",
        calls.len(),
        &format!("reached the target: {}", answers(evidence)),
    );
    say(
        "duplicates",
        summary.duplicates.len(),
        duplicates_are(summary),
    );
    for (reason, count) in reasons(summary) {
        output.line(format!("{:>14} {count:>7}     {reason}", ""));
    }
    say(
        "events",
        evidence.history.events.len(),
        "told by the feed, each change once",
    );
    say("lost", summary.lost.len(), "");
}

fn duplicates_are(summary: &Summary) -> &'static str {
    if summary.duplicates.is_empty() {
        ""
    } else {
        "calls made twice, under the same idempotency key:"
    }
}

fn show_verdict(wrong: &[String], output: &Output) {
    if wrong.is_empty() {
        output.line(
            "Every number agrees with what the target received, the feed has no gap, and a stream",
        );
        output.line("that lived through the kill has seen every event once.");
        return;
    }
    output.line(format!("{} things do not agree:", wrong.len()));
    for what in wrong.iter().take(MOST) {
        output.line(format!("- {}", clean(what)));
    }
}

fn answers(evidence: &Evidence) -> String {
    let mut answers: BTreeMap<String, usize> = BTreeMap::new();
    for arrival in &evidence.history.arrivals {
        let word = match arrival.answer {
            Answer::Status(code) if arrival.answered => code.to_string(),
            Answer::Reset => "reset".to_owned(),
            _ => "cut off".to_owned(),
        };
        *answers.entry(word).or_default() += 1;
    }
    let words = answers
        .iter()
        .map(|(word, count)| format!("{word} × {count}"));
    words.collect::<Vec<_>>().join(", ")
}

fn reasons(summary: &Summary) -> BTreeMap<&str, usize> {
    let mut reasons = BTreeMap::new();
    for duplicate in &summary.duplicates {
        *reasons.entry(&*duplicate.reason).or_default() += 1;
    }
    reasons
}

fn as_json(summary: &Summary, evidence: &Evidence, wrong: &[String], took: Duration) -> Value {
    json!({
        "accepted": summary.accepted,
        "succeeded": summary.succeeded,
        "retried": summary.retried,
        "rescued": summary.rescued,
        "dead_letters": summary.dead,
        "dead_letter_groups": evidence.groups,
        "calls": evidence.history.arrivals.len(),
        "duplicates": reasons(summary),
        "events": evidence.history.events.len(),
        "lost": summary.lost,
        "disagreements": wrong,
        "seconds": took.as_secs_f64(),
    })
}
