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

/// What each statement of a text means. Semicolons within quotes split, too; the rest of such a
/// text is then taken for reads, which is harmless here.
pub(super) fn meanings(text: &str) -> Vec<Meaning> {
    let bare = without_comments(text);
    bare.split(';')
        .filter(|statement| !statement.trim().is_empty())
        .map(meaning)
        .collect()
}

fn meaning(statement: &str) -> Meaning {
    let upper = statement.to_ascii_uppercase();
    let mut words = upper
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty());
    match (words.next().unwrap_or_default(), words.next()) {
        ("BEGIN", _) | ("START", Some("TRANSACTION")) => Meaning::Begin,
        ("COMMIT" | "END", _) => Meaning::Commit,
        ("ROLLBACK", Some("TO")) => Meaning::Read,
        ("ROLLBACK" | "ABORT", _) => Meaning::Rollback,
        (first, _) if writes(first) => Meaning::Write,
        ("WITH", _) if words.any(writes) => Meaning::Write,
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

fn without_comments(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = [rest.find("--"), rest.find("/*")]
        .into_iter()
        .flatten()
        .min()
    {
        bare.push_str(&rest[..start]);
        bare.push(' ');
        let end = if rest[start..].starts_with("--") {
            "\n"
        } else {
            "*/"
        };
        rest = rest[start..]
            .split_once(end)
            .map_or("", |(_, behind)| behind);
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
}
