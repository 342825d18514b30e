//! Sentences of the engine, with the moments in them written for people.

use baton_domain::Timestamp;

use super::{Markup, ago, escape, moment};

/// A sentence, made harmless, its RFC 3339 moments shown as elsewhere on the page.
pub fn sentence(text: &str, now: Timestamp) -> Markup {
    let words: Vec<_> = text.split(' ').map(|word| shown(word, now)).collect();
    Markup(words.join(" "))
}

fn shown(word: &str, now: Timestamp) -> String {
    let end = word.trim_end_matches(['.', ',', ';', ':']);
    let tail = &word[end.len()..];
    // Only the engine's own form: a message of a target that holds a date stays as it is.
    match end.parse::<Timestamp>() {
        Ok(at) if at.to_string() == end => format!("{} ({}){tail}", moment(at), ago(at, now)),
        _ => escape(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_in_a_sentence_is_told_with_its_distance() {
        let now: Timestamp = "2026-01-31T09:00:10Z".parse().unwrap();

        let html = sentence("It waits, until 2026-01-31T09:00:40.000000Z.", now).to_string();

        assert!(html.starts_with("It waits, until <time "), "{html}");
        assert!(html.contains(">2026-01-31 09:00:40</time> ("), "{html}");
        assert!(html.ends_with(">in 30 s</time>)."), "{html}");
    }

    #[test]
    fn a_sentence_is_harmless() {
        let html = sentence("a <script> & \"b\"", Timestamp::default()).to_string();

        assert_eq!(html, "a &lt;script&gt; &amp; &quot;b&quot;");
    }
}
