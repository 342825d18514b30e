//! The texts of scripts that are made: numbered parameters, and names between quotes.

use crate::statement::{Script, Statement};

/// Whose words a text is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Postgres,
    Sqlite,
    Mysql,
}

/// A script of one statement, with its parameters numbered. It is kept for the life of the process.
pub fn script(name: &'static str, sql: &str, dialect: Dialect) -> &'static Script {
    let (sql, params) = numbered(sql, dialect);
    let statements: &'static [Statement] = Box::leak(Box::new([Statement {
        sql: String::leak(sql),
        params: Vec::leak(params),
    }]));
    let of = |one| if dialect == one { statements } else { &[] };
    Box::leak(Box::new(Script {
        name,
        postgres: of(Dialect::Postgres),
        sqlite: of(Dialect::Sqlite),
        mysql: of(Dialect::Mysql),
    }))
}

/// Replaces `:name` by a numbered parameter; `::type` stays.
fn numbered(sql: &str, dialect: Dialect) -> (String, Vec<&'static str>) {
    let (mut out, mut names) = (String::new(), Vec::<&'static str>::new());
    let mark = if dialect == Dialect::Postgres {
        '$'
    } else {
        '?'
    };
    let mut rest = sql;
    while let Some((before, after)) = rest.split_once(':') {
        out.push_str(before);
        if let Some(cast) = after.strip_prefix(':') {
            out.push_str("::");
            rest = cast;
            continue;
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = after.find(|c| !is_part(c)).unwrap_or(after.len());
        if end == 0 {
            // A slice of an array.
            out.push(':');
            rest = after;
            continue;
        }
        let name = &after[..end];
        let place = names
            .iter()
            .position(|known| *known == name)
            .unwrap_or_else(|| {
                names.push(String::leak(name.to_owned()));
                names.len() - 1
            });
        out.push(mark);
        out.push_str(&(place + 1).to_string());
        rest = &after[end..];
    }
    out.push_str(rest);
    (out, names)
}

/// A name between quotes, whatever it means elsewhere.
pub fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// Several in a row.
pub fn listed(parts: impl Iterator<Item = String>, between: &str) -> String {
    parts.collect::<Vec<_>>().join(between)
}
