//! What `baton notify` takes.

use std::{collections::BTreeMap, time::Duration};

use baton_domain::{duration, message::Translation, notification::Action, strict};
use clap::Args;

/// What a message says in other languages, by their locales.
pub type Translations = BTreeMap<String, Translation>;

#[derive(Debug, Args)]
#[command(
    after_help = "Example: baton notify user-1 --title 'Kim liked your answer' --body 'See what {{id}} has missed' --topic likes"
)]
pub struct NotifyArgs {
    /// Who is told, by your own ids
    #[arg(required = true)]
    pub recipients: Vec<String>,
    /// One line
    #[arg(long)]
    pub title: String,
    /// What there is to say
    #[arg(long)]
    pub body: String,
    /// The title and the body in other languages, as JSON: {"ko": {"title": "...", "body": "..."}}
    #[arg(long, value_name = "JSON", value_parser = translations)]
    pub translations: Option<Translations>,
    /// What goes along for the receiving app: a JSON object
    #[arg(long, value_name = "JSON")]
    pub data: Option<String>,
    /// Whether it lies in the inbox, is pushed, or both
    #[arg(long, default_value = "both", value_name = "inbox|push|both")]
    pub action: Action,
    /// What sort of thing it is
    #[arg(long)]
    pub category: Option<String>,
    /// What a recipient has to have opted in to
    #[arg(long)]
    pub topic: Option<String>,
    /// Who brings it, as the configuration names it
    #[arg(long)]
    pub provider: Option<String>,
    /// Which address of the recipient is used [default: push]
    #[arg(long)]
    pub channel: Option<String>,
    /// Your own key: the same key with the same content is the same notification
    #[arg(long)]
    pub key: Option<String>,
    /// How long it is of use
    #[arg(long, value_parser = duration::parse, value_name = "SPAN")]
    pub expires_after: Option<Duration>,
}

/// Reads what a message says in other languages.
pub fn translations(text: &str) -> Result<Translations, String> {
    strict::from_str(text).map_err(|error| {
        format!("{error}; they look like {{\"ko\": {{\"title\": \"...\", \"body\": \"...\"}}}}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_part_of_a_translation_or_stands_twice_is_refused() {
        for text in [
            r#"{"ko": {"title": "t", "body": "b", "sound": "bell"}}"#,
            r#"{"ko": {"title": "t", "body": "b"}, "ko": {"title": "u", "body": "b"}}"#,
            r#"{"ko": {"title": "t"}}"#,
            r#"{"ko": "t"}"#,
            "[]",
        ] {
            let why = translations(text).unwrap_err();

            assert!(why.contains("they look like"), "{why}");
        }
    }
}
