//! A group of conditions beside the others: topics and platforms, of which any, all or none must be so.
//!
//! What is nested deeper, the form cannot say: that stays JSON.

use baton_domain::audience::Audience;
use serde_json::{Value, json};

use super::draft::Draft;

impl Draft {
    /// Writes a group into its fields; `false` if they cannot say it.
    pub fn take_group(&mut self, group: &Audience) -> bool {
        let (also, parts) = match group {
            Audience::AnyOf(parts) => ("any", parts),
            Audience::AllOf(parts) => ("all", parts),
            Audience::Not(inner) => match &**inner {
                Audience::AnyOf(parts) => ("none", parts),
                _ => return false,
            },
            _ => return false,
        };
        let (mut topics, mut platforms) = (Vec::new(), Vec::new());
        for part in parts {
            match part {
                Audience::Topic(topic) => topics.push(topic.as_str()),
                Audience::Platform(platform) => platforms.push(platform.as_str()),
                _ => return false,
            }
        }
        also.clone_into(&mut self.also);
        self.also_topics = topics.join(" ");
        self.also_platforms = platforms.join(" ");
        // Of one alone no group is made, so it would not be read back as one.
        parts.len() > 1
    }

    /// The group that was typed, as a campaign has it.
    pub fn group(&self) -> Option<Value> {
        let topics = listed(&self.also_topics).map(|topic| json!({ "topic": topic }));
        let platforms = listed(&self.also_platforms).map(|on| json!({ "platform": on }));
        let mut parts: Vec<_> = topics.chain(platforms).collect();
        let joined = match (parts.len(), &*self.also) {
            (0, _) => return None,
            (1, _) => parts.remove(0),
            (_, "all") => json!({ "all_of": parts }),
            _ => json!({ "any_of": parts }),
        };
        Some(match &*self.also {
            "none" => json!({ "not": joined }),
            _ => joined,
        })
    }

    /// The group in words.
    pub fn group_in_words(&self) -> Option<String> {
        let topics = listed(&self.also_topics);
        let topics = topics.map(|topic| tr!("who is opted in to {topic}", topic = topic));
        let platforms = listed(&self.also_platforms);
        let platforms = platforms.map(|on| tr!("who is on {platform}", platform = on));
        let parts: Vec<_> = topics.chain(platforms).collect();
        let told = parts.join(", ");
        match (parts.len(), &*self.also) {
            (0, _) => None,
            (_, "none") => Some(tr!("none of these: {parts}", parts = told)),
            (1, _) => Some(told),
            (_, "all") => Some(tr!("all of these: {parts}", parts = told)),
            _ => Some(tr!("any of these: {parts}", parts = told)),
        }
    }

    /// The field of the group that an error of the audience is about, which stands beside so many other conditions.
    pub fn field_of_group(&self, path: &str, others: usize) -> Option<&'static str> {
        self.group()?;
        let place = match others {
            0 => "audience".to_owned(),
            // Any of several are one beside it.
            2.. if self.fits == "any" => "audience.all_of[1]".to_owned(),
            several => format!("audience.all_of[{several}]"),
        };
        let is_platform = path.contains(".platform");
        path.starts_with(&place).then_some(match is_platform {
            true => "also_platforms",
            false => "also_topics",
        })
    }
}

fn listed(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    words.filter(|word| !word.is_empty())
}
