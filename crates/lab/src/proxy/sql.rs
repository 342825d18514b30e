//! What a statement means for a transaction, from its first words.

/// What a statement means for a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It begins one.
    Begin,
    /// It commits one.
    Commit,
    /// It ends one without committing.
    Rollback,
    /// It writes; outside a transaction it commits by itself.
    Write,
    /// It does neither.
    Read,
}

/// What each statement of a text means.
pub(super) fn meanings(text: &str) -> Vec<Meaning> {
    let bare = without_values(text);
    bare.split(';')
        .filter(|statement| !statement.trim().is_empty())
        .map(meaning)
        .collect()
}

fn meaning(statement: &str) -> Meaning {
    let mut words = statement
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_uppercase);
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    match (&*first, second.as_deref()) {
        ("BEGIN", _) | ("START", Some("TRANSACTION")) => Meaning::Begin,
        ("COMMIT" | "END", _) => Meaning::Commit,
        ("ROLLBACK", Some("TO")) => Meaning::Read,
        ("ROLLBACK" | "ABORT", _) => Meaning::Rollback,
        // Nobody else sees it, and it goes with the session.
        ("CREATE" | "DROP", Some("TEMPORARY")) => Meaning::Read,
        (first, _) if writes(first) => Meaning::Write,
        ("WITH", _) if words.any(|word| writes(&word)) => Meaning::Write,
        _ => Meaning::Read,
    }
}

fn writes(word: &str) -> bool {
    matches!(
        word,
        "INSERT"
            | "UPDATE"
            | "DELETE"
            | "MERGE"
            | "COPY"
            | "CREATE"
            | "ALTER"
            | "DROP"
            | "TRUNCATE"
    )
}

/// A text without its comments and without what stands between quotes: both may hold anything.
fn without_values(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['-', '/', '\'', '"', '`']) {
        let (before, behind) = rest.split_at(start);
        bare.push_str(before);
        let end = match behind.as_bytes() {
            [b'-', b'-', ..] => "\n",
            [b'/', b'*', ..] => "*/",
            [b'-' | b'/', ..] => {
                bare.push_str(&behind[..1]);
                rest = &behind[1..];
                continue;
            }
            // Twice the same quote within quotes ends and begins anew, which comes to the same.
            _ => &behind[..1],
        };
        bare.push(' ');
        rest = behind[1..].split_once(end).map_or("", |(_, behind)| behind);
    }
    bare + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_words_tell_what_a_statement_means() {
        for (text, meaning) in [
            ("begin", Meaning::Begin),
            ("START TRANSACTION READ ONLY", Meaning::Begin),
            (" commit ", Meaning::Commit),
            ("END", Meaning::Commit),
            ("ROLLBACK", Meaning::Rollback),
            ("ROLLBACK TO a", Meaning::Read),
            ("INSERT INTO t VALUES (1)", Meaning::Write),
            ("WITH x AS (SELECT 1) SELECT * FROM x", Meaning::Read),
            (
                "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x",
                Meaning::Write,
            ),
            ("SELECT 1", Meaning::Read),
            ("CREATE TABLE t (a int)", Meaning::Write),
            ("CREATE TEMPORARY TABLE t (a int)", Meaning::Read),
        ] {
            assert_eq!(meanings(text), [meaning], "{text}");
        }
    }

    #[test]
    fn comments_in_front_do_not_matter() {
        assert_eq!(
            meanings("-- Takes; what is due.\n/* by; hand */ UPDATE t SET a = 1"),
            [Meaning::Write]
        );
    }

    #[test]
    fn a_text_of_several_statements_has_several_meanings() {
        assert_eq!(
            meanings("BEGIN; UPDATE t SET a = 1; COMMIT;"),
            [Meaning::Begin, Meaning::Write, Meaning::Commit]
        );
    }

    #[test]
    fn what_stands_between_quotes_is_no_statement_and_no_comment() {
        assert_eq!(
            meanings(
                "BEGIN; INSERT INTO \"a;b\" VALUES ('it''s; COMMIT', 'a--b', '/*', 1-2/3); SELECT `;`; COMMIT"
            ),
            [
                Meaning::Begin,
                Meaning::Write,
                Meaning::Read,
                Meaning::Commit
            ]
        );
    }
}
