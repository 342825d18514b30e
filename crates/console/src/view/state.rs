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

/// What a state is called.
pub fn state_word(state: State) -> &'static str {
    match state {
        State::Pending => tr!("pending"),
        State::Queued => tr!("queued"),
        State::Running => tr!("running"),
        State::RetryWait => tr!("retry_wait"),
        State::Succeeded => tr!("succeeded"),
        State::Failed => tr!("failed"),
        State::Canceled => tr!("canceled"),
        State::Skipped => tr!("skipped"),
        State::Uncertain => tr!("uncertain"),
    }
}

/// A state as pages show it.
pub fn badge(state: State) -> Markup {
    Markup(format!(
        "<span class=\"state\" data-state=\"{state}\"><span class=\"glyph\" aria-hidden=\"true\">{}</span>{}</span>",
        glyph(state),
        state_word(state)
    ))
}
