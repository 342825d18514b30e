//! What a parser says, as a problem that names the field.

use baton_protocol::{FieldError, Problem, ProblemKind};
use serde::de::IgnoredAny;
use serde_json::error::Category;

/// The longest piece of a client's own words that is sent back.
const LONGEST: usize = 300;

/// A body that does not read, or does not fit.
pub fn explain_json(body: &[u8], error: &serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let inner = error.inner();
    // The parser calls it a mistake of syntax when another type stands where it wants a word.
    let is_json =
        || str::from_utf8(body).is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok());
    if inner.classify() == Category::Syntax && is_json() {
        let message = "is not of the type that belongs here; the description of the API names it";
        return Problem::from(field_error(&error.path().to_string(), message));
    }
    if inner.classify() != Category::Data {
        return ProblemKind::Malformed.because(format!("The body is not JSON: {inner}."));
    }
    let text = inner.to_string();
    let message = match text.rfind(" at line ") {
        Some(end) => &text[..end],
        None => &text,
    };
    Problem::from(field_error(&error.path().to_string(), message))
}

/// A query string that does not fit: `path: message`.
pub fn explain_query(text: &str) -> Problem {
    match text.split_once(": ") {
        Some((path, message)) if !path.contains([' ', '`']) => {
            Problem::from(field_error(path, message))
        }
        _ => Problem::from(field_error(".", text)),
    }
}

fn field_error(path: &str, message: &str) -> FieldError {
    let (name, message) = in_our_words(message);
    let field = match name {
        Some(name) => join(path, &shorten(name)),
        None if path == "." => "body".to_owned(),
        None => path.to_owned(),
    };
    FieldError::new(shorten(&field), shorten(&message))
}

/// The field that the message names, and the message without it.
fn in_our_words(message: &str) -> (Option<&str>, String) {
    let named = |prefix: &str| {
        message
            .strip_prefix(prefix)?
            .strip_prefix('`')?
            .rsplit_once('`')
    };
    if let Some((name, _)) = named("missing field ") {
        (Some(name), "is missing".to_owned())
    } else if let Some((name, _)) = named("duplicate field ") {
        (Some(name), "stands twice".to_owned())
    } else if let Some(rest) = message.strip_prefix("unknown field `") {
        let (name, known) = rest
            .split_once("`, ")
            .unwrap_or((rest.trim_end_matches('`'), ""));
        (Some(name), unknown(known))
    } else {
        (None, plain(message))
    }
}

fn unknown(known: &str) -> String {
    let known = known
        .trim_start_matches("expected ")
        .trim_start_matches("one of ");
    if known.is_empty() {
        "is not a field of this request".to_owned()
    } else if known.starts_with("there are no fields") {
        "is not a field of this request; it takes none".to_owned()
    } else {
        format!("is not a field of this request; it takes {known}")
    }
}

fn plain(message: &str) -> String {
    let mut text = message.to_owned();
    for (theirs, ours) in [
        ("expected i64", "expected a whole number"),
        ("expected u32", "expected a whole number, 0 or more"),
        ("expected f64", "expected a number"),
        ("expected a sequence", "expected an array"),
        ("invalid digit found in string", "expected a whole number"),
        (
            "number too large to fit in target type",
            "is too large a number",
        ),
    ] {
        text = text.replace(theirs, ours);
    }
    match text.find("expected struct ") {
        Some(at) => format!("{}expected an object", &text[..at]),
        None => text,
    }
}

fn join(path: &str, name: &str) -> String {
    if path == "." {
        name.to_owned()
    } else if path == name || path.ends_with(&format!(".{name}")) {
        path.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

fn shorten(text: &str) -> String {
    if text.len() <= LONGEST {
        text.to_owned()
    } else {
        format!("{}…", &text[..text.floor_char_boundary(LONGEST)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_field_is_named_with_those_there_are() {
        let error = field_error(
            "jobs[3]",
            "unknown field `knd`, expected one of `kind`, `key`",
        );

        assert_eq!(error.field, "jobs[3].knd");
        assert_eq!(
            error.message,
            "is not a field of this request; it takes `kind`, `key`"
        );
    }

    #[test]
    fn a_missing_field_is_named() {
        let error = field_error(".", "missing field `kind`");

        assert_eq!(
            (error.field.as_str(), error.message.as_str()),
            ("kind", "is missing")
        );
    }

    #[test]
    fn long_words_of_a_client_are_cut_short() {
        let error = field_error(".", &format!("unknown field `{}`", "é".repeat(100_000)));

        assert!(error.field.len() < 2 * LONGEST);
    }

    #[test]
    fn types_are_named_as_json_names_them() {
        let error = field_error("max_attempts", "invalid type: string \"x\", expected i64");

        assert_eq!(
            error.message,
            "invalid type: string \"x\", expected a whole number"
        );
    }
}
