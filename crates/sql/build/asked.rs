//! What is asked of a job: the columns of `jobs` that the statements which add jobs take along, and their types.

/// What a job is found and put in line by.
const LINE: &[(&str, &str)] = &[
    ("priority", "smallint"),
    ("run_at", "bigint"),
    ("expires_at", "bigint"),
];

/// What its handler is told as well, and whoever looks at it.
const TOLD: &[(&str, &str)] = &[
    ("payload", "text"),
    ("max_attempts", "integer"),
    ("backoff", "text"),
    ("timeout_us", "bigint"),
    ("delivery", "text"),
    ("tags", "text"),
    ("trace", "text"),
];

/// The columns: their names, the parameters of one job, the lists of a batch, what is told of `jobs j`, or as many columns of nothing;
/// `None`: it is another token.
pub fn said(token: &str) -> Option<String> {
    let all = || LINE.iter().chain(TOLD);
    let columns: Vec<_> = match token {
        "asked" => all().map(|(name, _)| (*name).to_owned()).collect(),
        "asked_of_one" => all()
            .map(|(name, kind)| format!(":{name}::{kind}"))
            .collect(),
        "asked_of_each" => all()
            .map(|(name, kind)| format!(":{name}::{kind}[]"))
            .collect(),
        "untold" => TOLD.iter().map(|_| "NULL".to_owned()).collect(),
        "told" => TOLD.iter().map(|(name, _)| format!("j.{name}")).collect(),
        _ => return None,
    };
    Some(columns.join(", "))
}
