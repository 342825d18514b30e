//! A state is always shape, word and hue; never hue alone.

use baton_domain::job::State;

use super::Markup;

/// The shape of a state.
pub const fn glyph(state: State) -> &'static str {
    match state {
        State::Pending => "◷",
        State::Queued => "○",
        State::Running => "◐",
        State::RetryWait => "↻",
        State::Succeeded => "✓",
        State::Failed => "✕",
        State::Canceled => "⊘",
        State::Skipped => "–",
        State::Uncertain => "?",
    }
}

/// A state as pages show it.
pub fn badge(state: State) -> Markup {
    Markup(format!(
        "<span class=\"state\" data-state=\"{state}\"><span class=\"glyph\" aria-hidden=\"true\">{}</span>{state}</span>",
        glyph(state)
    ))
}
