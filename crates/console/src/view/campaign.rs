//! How the state of a campaign is written.

use baton_domain::campaign::State;

use super::Markup;

/// What a state is called.
pub fn campaign_word(state: State) -> &'static str {
    match state {
        State::Scheduled => tr!("scheduled"),
        State::Expanding => tr!("expanding"),
        State::Sending => tr!("sending"),
        State::Done => tr!("done"),
        State::Stopped => tr!("stopped"),
        State::Canceled => tr!("canceled"),
    }
}

/// A state with its sign. The hues are those of jobs: what moves, what rests, what is late.
pub fn campaign_badge(state: State) -> Markup {
    let (hue, glyph) = match state {
        State::Scheduled => ("pending", "◷"),
        State::Expanding => ("running", "◔"),
        State::Sending => ("running", "◐"),
        State::Done => ("succeeded", "✓"),
        State::Stopped => ("retry_wait", "‖"),
        State::Canceled => ("canceled", "⊘"),
    };
    Markup(format!(
        "<span class=\"state\" data-state=\"{hue}\"><span class=\"glyph\" aria-hidden=\"true\">{glyph}</span>{}</span>",
        campaign_word(state)
    ))
}
