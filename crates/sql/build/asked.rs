//! What is asked of a job: the columns of `jobs` that the statements which add jobs take along, and their types.

#[rustfmt::skip]
const ASKED: &[(&str, &str)] = &[
    ("priority", "smallint"), ("payload", "text"), ("run_at", "bigint"), ("max_attempts", "integer"), ("backoff", "text"),
    ("timeout_us", "bigint"), ("expires_at", "bigint"), ("delivery", "text"), ("tags", "text"), ("trace", "text"),
];

/// The columns: their names, the parameters of one job, or the lists of a batch; `None`: it is another token.
pub fn said(token: &str) -> Option<String> {
    let column: fn(&(&str, &str)) -> String = match token {
        "asked" => |(name, _)| (*name).to_owned(),
        "asked_of_one" => |(name, kind)| format!(":{name}::{kind}"),
        "asked_of_each" => |(name, kind)| format!(":{name}::{kind}[]"),
        _ => return None,
    };
    Some(ASKED.iter().map(column).collect::<Vec<_>>().join(", "))
}
