//! What campaigns did under the faults, in lines for people.

use baton_lab::checker::CampaignSummary;

use crate::output::Output;

/// A line for each thing that a campaign owes.
pub fn show(summary: &CampaignSummary, output: &Output) {
    if summary.campaigns == 0 {
        return;
    }
    let say = |word: &str, count: usize, what: &str| {
        output.line(format!("{word:>14} {count:>8}  {what}"));
    };
    let states = summary.states.iter();
    let states: Vec<_> = states
        .map(|(state, count)| format!("{count} {}", state.as_str()))
        .collect();
    output.line("");
    say(
        "campaigns",
        summary.campaigns,
        "sent, each recipient held against its one delivery",
    );
    let deliveries = summary.states.values().sum();
    say("deliveries", deliveries, &states.join(", "));
    say("their calls", summary.calls, "reached the target");
    let last = summary.last_call_us.map_or_else(
        || "no call started after any".to_owned(),
        |us| format!("the last call started {} ms after the answer", us / 1_000),
    );
    say("stops", summary.stops, &last);
    say(
        "looks",
        summary.looks,
        "at the books on the way, each held against the feed",
    );
}
