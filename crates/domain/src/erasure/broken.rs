//! Texts that cannot be read as what they should be: what names a person in them goes all the same.

use super::{Person, WORD};

impl Person {
    /// Whether a text names or quotes them, however it is escaped.
    #[must_use]
    pub fn is_in_broken(&self, text: &str) -> bool {
        let plain = unescaped(text);
        plain.contains(&self.quoted()) || self.is_quoted_by(&plain)
    }

    /// A text without what names or quotes them, and else as it is as far as can be; `None`: they are not in it.
    #[must_use]
    pub fn struck_from(&self, text: &str) -> Option<String> {
        if !self.is_in_broken(text) {
            return None;
        }
        let struck = self.strike(text);
        let is_left = self.is_in_broken(&struck);
        Some(if is_left {
            self.strike(&unescaped(&struck))
        } else {
            struck
        })
    }

    fn strike(&self, text: &str) -> String {
        let instead = format!("\"{}\"", self.instead);
        let mut struck = text.replace(&self.quoted(), &instead);
        for word in self.words() {
            struck = without(&struck, word);
        }
        struck
    }
}

/// A text with another word in the place of one, where it stands apart.
fn without(text: &str, word: &str) -> String {
    let mut rest = text;
    let mut struck = String::with_capacity(text.len());
    for (at, _) in text.match_indices(word) {
        let start = at - (text.len() - rest.len());
        if super::person::is_apart(text, at, word) {
            struck.push_str(&rest[..start]);
            struck.push_str(WORD);
            rest = &text[at + word.len()..];
        }
    }
    struck.push_str(rest);
    struck
}

/// The texts that stand as values in what should be a JSON object of texts.
#[must_use]
pub fn values_in(broken: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut rest = broken;
    let mut is_value = false;
    while let Some(start) = rest.find('"') {
        is_value = match rest[..start].trim_end().chars().next_back() {
            None => is_value,
            Some(before) => before == ':',
        };
        let Some(end) = end_of(&rest[start..]) else {
            break;
        };
        let literal = &rest[start..=start + end];
        if is_value {
            let value = serde_json::from_str(literal);
            values.push(value.unwrap_or_else(|_| literal[1..literal.len() - 1].to_owned()));
        }
        is_value = false;
        rest = &rest[start + end + 1..];
    }
    values
}

/// Where the text ends that begins with a quotation mark.
fn end_of(literal: &str) -> Option<usize> {
    let mut is_escaped = false;
    literal.char_indices().skip(1).find_map(|(at, c)| {
        let is_end = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end.then_some(at)
    })
}

/// A text in which letters stand for themselves that JSON lets a writer escape.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        let (letters, length) = letters_of(&rest[at..]);
        plain.push_str(&letters);
        rest = &rest[at + length..];
    }
    plain.push_str(rest);
    plain
}

/// What an escape stands for, and how long it is; what JSON has to escape stays as it is.
fn letters_of(escape: &str) -> (String, usize) {
    if escape.starts_with("\\/") {
        return ("/".to_owned(), 2);
    }
    let Some(first) = unit(escape) else {
        let kept: String = escape.chars().take(2).collect();
        let length = kept.len();
        return (kept, length);
    };
    let units = [Some(first), escape.get(6..).and_then(unit)];
    let is_pair = (0xd800..0xdc00).contains(&first);
    let count = if is_pair && units[1].is_some() { 2 } else { 1 };
    let letters = String::from_utf16_lossy(&units.map(Option::unwrap_or_default)[..count]);
    (letters, 6 * count)
}

/// The number of an escape like `\u0061`.
fn unit(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OperationId, Timestamp};

    fn person() -> Person {
        let operation = OperationId::new(Timestamp::from_micros(1_700_000_000_000_000));
        Person::new(
            "a/b-4711".to_owned(),
            vec!["token-4711".to_owned()],
            operation,
        )
    }

    #[test]
    fn a_broken_text_loses_what_names_a_person_and_nothing_else() {
        let person = person();
        let instead = &person.instead;
        let texts = [
            (r#"{"to":"a/b-4711","#, format!(r#"{{"to":"{instead}","#)),
            (
                "x token-4711 y token-47110 z",
                "x erased y token-47110 z".to_owned(),
            ),
            ("token-4711 token-4711", "erased erased".to_owned()),
            (r#"{"to":"a\/b-4711""#, format!(r#"{{"to":"{instead}""#)),
            (r#"{"to":"\u0061/b-4711""#, format!(r#"{{"to":"{instead}""#)),
        ];

        for (text, left) in texts {
            assert_eq!(person.struck_from(text), Some(left), "{text}");
        }
        for other in [
            "token-47110",
            r#"{"to":"a/b-47""#,
            r"\u",
            "\\",
            r"\ud83d\ude00",
        ] {
            assert_eq!(person.struck_from(other), None, "{other}");
        }
    }

    #[test]
    fn the_addresses_of_a_broken_row_are_its_values_and_no_channels() {
        let broken = [
            (r#"{"push":"one","mail" : "t\"wo","#, vec!["one", "t\"wo"]),
            (r#"push":"one"#, vec![]),
            (r#""push":"one""#, vec!["one"]),
            ("no such thing", vec![]),
        ];

        for (text, values) in broken {
            assert_eq!(values_in(text), values, "{text}");
        }
    }
}
