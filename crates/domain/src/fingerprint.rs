//! One name for failures that have one cause: the message with its particulars masked.

use ring::digest;

use crate::{hex, job::Failure};

/// The name of the group a failure belongs to: `fp_` and sixteen hexadecimal digits.
#[must_use]
pub fn fingerprint(kind: &str, failure: &Failure) -> String {
    let text = format!(
        "{kind}\n{}\n{}\n{}",
        failure.class,
        failure.code,
        mask(&failure.message)
    );
    let digest = digest::digest(&digest::SHA256, text.as_bytes());
    format!("fp_{}", hex(&digest.as_ref()[..8]))
}

/// A message without its particulars: numbers, ids and quoted text become placeholders.
#[must_use]
pub fn mask(message: &str) -> String {
    let mut masked = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = quoted(rest, c) {
            masked.push_str("<text>");
            rest = after;
        } else if c.is_alphanumeric() {
            let end = rest
                .find(|c: char| !(c.is_alphanumeric() || "_-".contains(c)))
                .unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            masked.push_str(if word.contains(|c: char| c.is_ascii_digit()) {
                "<n>"
            } else {
                word
            });
            rest = after;
        } else {
            masked.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    masked
}

fn quoted(text: &str, quote: char) -> Option<&str> {
    if !matches!(quote, '"' | '\'' | '`') {
        return None;
    }
    let inner = &text[1..];
    inner.find(quote).map(|end| &inner[end + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Class;

    #[test]
    fn particulars_are_masked() {
        assert_eq!(
            mask("user 42 of order-7f3a got \"no such box\" after 3.5 s"),
            "user <n> of <n> got <text> after <n>.<n> s"
        );
    }

    #[test]
    fn one_cause_is_one_group() {
        let failure = |message: &str| Failure::new(Class::Retry, "http_503", message);

        let first = fingerprint("http", &failure("no answer from host 10.0.0.7"));
        let second = fingerprint("http", &failure("no answer from host 10.0.0.9"));
        let other = fingerprint("http", &failure("the certificate has expired"));

        assert_eq!(first, second);
        assert_ne!(first, other);
    }
}
