//! Writing scripts as texts, with every value in its place.
//!
//! A text that holds neither a quote nor a backslash stands between quotes, which no setting of a session can change the
//! meaning of; any other is written as the digits of its bytes. So nothing that a value holds is ever read as SQL.

use std::{borrow::Cow, fmt::Write as _};

use baton_ports::store::{Error, Result};

use super::shared::shared;
use crate::{
    statement::{Script, Statement},
    value::{Params, Value, named},
};

/// What is sent at once at most, as far as one statement is not larger.
const PACKET: usize = 4 << 20;
/// The largest statement: every server that is spoken to takes one. Whoever sent a larger one could not tell whether it was done.
const LARGEST: usize = (16 << 20) - 1024;
/// After how many bytes the members of a batch go on in a statement of their own.
const BATCH: usize = 1 << 20;
/// Before the values that are written once for each member of a batch.
const VALUES: &str = "VALUES (";
/// Before a condition that is written once for each member of its lists, of which one has to hold.
const EACH: &str = "/*each*/ (";

/// Statements that are sent together, and the place of the script that each belongs to.
#[derive(Debug, Default)]
pub struct Packet {
    /// The text.
    pub text: String,
    /// For each of its statements.
    pub scripts: Vec<Option<usize>>,
}

impl Packet {
    /// Has it begin a transaction.
    pub fn begin(&mut self) {
        self.text.insert_str(0, "BEGIN;\n");
        self.scripts.insert(0, None);
    }

    /// Has it end the transaction.
    pub fn commit(&mut self) {
        self.text.push_str(";\nCOMMIT");
        self.scripts.push(None);
    }

    fn add(&mut self, statement: &str, script: usize) {
        if !self.text.is_empty() {
            self.text.push_str(";\n");
        }
        self.text.push_str(statement);
        self.scripts.push(Some(script));
    }
}

/// What is to be sent for some scripts, in order.
pub fn packets(scripts: &[(&'static Script, Params)]) -> Result<Vec<Packet>> {
    let mut packets = vec![Packet::default()];
    for (place, (script, params)) in scripts.iter().enumerate() {
        for statement in script.mysql.iter().flat_map(|one| written(one, params)) {
            if statement.len() > LARGEST {
                let (name, size) = (script.name, statement.len());
                return Err(Error::Refused(format!(
                    "a statement of {name} would have {size} bytes, and {LARGEST} is the most that MySQL is sent"
                )));
            }
            let last = packets.last_mut().expect("there is one from the start");
            if !last.text.is_empty() && last.text.len() + statement.len() > PACKET {
                packets.push(Packet::default());
            }
            let last = packets.last_mut().expect("there is one from the start");
            last.add(&statement, place);
        }
    }
    packets.retain(|packet| !packet.scripts.is_empty());
    Ok(packets)
}

/// A statement with its values. One that takes a batch is left out where that is empty, and is several where it is large.
fn written(statement: &Statement, params: &Params) -> Vec<String> {
    let values: Vec<_> = statement
        .params
        .iter()
        .map(|name| named(params, name))
        .collect();
    if let Some((before, group, after)) = group_behind(EACH, statement.sql) {
        let one = |member| filled(group, &values, Some(member));
        let any: Vec<_> = (0..members(group, &values)).map(one).collect();
        let any = any.join(" OR ");
        let any = if any.is_empty() { "FALSE" } else { &any };
        let [before, after] = [before, after].map(|text| filled(text, &values, None));
        return vec![format!("{before}{any}{after}")];
    }
    let Some((before, group, after)) = batch(statement.sql, &values) else {
        return vec![filled(statement.sql, &values, None)];
    };
    let members = members(group, &values);
    let (mut before, mut after) = (filled(before, &values, None), filled(after, &values, None));
    let mut group = Cow::Borrowed(group);
    let insert = before.trim_end_matches("VALUES ");
    if let Some(shared) = shared(insert, &group, &values, members) {
        (before, after) = (shared.before, shared.after + &after);
        group = Cow::Owned(shared.group);
    }
    let mut statements = Vec::new();
    let mut text = String::new();
    for member in 0..members {
        text.push_str(if text.is_empty() { &before } else { ", " });
        text.push_str(&filled(&group, &values, Some(member)));
        if text.len() > BATCH || member + 1 == members {
            text.push_str(&after);
            statements.push(std::mem::take(&mut text));
        }
    }
    statements
}

/// The values of a batch, and what stands before and behind them.
fn batch<'a>(sql: &'a str, values: &[&Value]) -> Option<(&'a str, &'a str, &'a str)> {
    let (before, group, after) = group_behind(VALUES, sql)?;
    let takes_a_list = marks(group).any(|(_, mark, _)| values[mark].len().is_some());
    takes_a_list.then_some((before, group, after))
}

/// What stands in brackets behind a word that ends with the first of them; with it, what stands before and behind.
fn group_behind<'a>(word: &str, sql: &'a str) -> Option<(&'a str, &'a str, &'a str)> {
    let begins = sql.find(word)? + word.len() - 1;
    let mut depth = 0;
    let ends = sql[begins..].char_indices().find_map(|(at, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (depth == 0).then_some(begins + at + 1)
    })?;
    Some((&sql[..begins], &sql[begins..ends], &sql[ends..]))
}

/// How many members the lists have that stand in a group.
fn members(group: &str, values: &[&Value]) -> usize {
    let mut lists = marks(group).filter_map(|(_, mark, _)| values[mark].len());
    lists.next().unwrap_or(0)
}

/// A text with values in the places of its marks: of a batch, those of one member.
pub(super) fn filled(text: &str, values: &[&Value], member: Option<usize>) -> String {
    let mut out = String::with_capacity(text.len() + 16 * values.len());
    let mut done = 0;
    for (begins, mark, ends) in marks(text) {
        out.push_str(&text[done..begins]);
        match (values[mark], member) {
            (list @ Value::List(_), Some(member)) => write_one(&mut out, list.at(member)),
            (Value::List(all), None) => write_all(&mut out, all),
            (one, _) => write_one(&mut out, one),
        }
        done = ends;
    }
    out.push_str(&text[done..]);
    out
}

/// Where values stand: from, which one, and to. The build writes `?1` for the first.
pub(super) fn marks(text: &str) -> impl Iterator<Item = (usize, usize, usize)> {
    text.match_indices('?').filter_map(move |(begins, _)| {
        let digits = text[begins + 1..]
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        let ends = begins + 1 + digits;
        let number: usize = text[begins + 1..ends].parse().ok()?;
        Some((begins, number - 1, ends))
    })
}

/// A list: nothing is in an empty one.
fn write_all(out: &mut String, values: &[Value]) {
    if values.is_empty() {
        out.push_str("NULL");
    }
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write_one(out, value);
    }
}

fn write_one(out: &mut String, value: &Value) {
    let written = match value {
        Value::Null | Value::Blob | Value::List(_) => {
            out.push_str("NULL");
            Ok(())
        }
        // In brackets, for two signs in a row begin a comment.
        Value::Int(number) if *number < 0 => write!(out, "({number})"),
        Value::Int(number) => write!(out, "{number}"),
        // With an exponent, else it is a decimal.
        Value::Float(number) => write!(out, "({number:e})"),
        Value::Uuid(id) => write!(out, "'{id}'"),
        Value::Text(text) => {
            write_text(out, text);
            Ok(())
        }
    };
    written.expect("strings grow");
}

fn write_text(out: &mut String, text: &str) {
    if text.bytes().any(|byte| matches!(byte, b'\'' | b'\\' | 0)) {
        out.push_str("_utf8mb4 x'");
        for byte in text.bytes() {
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    } else {
        out.push('\'');
        out.push_str(text);
    }
    out.push('\'');
}

const HEX: &[u8; 16] = b"0123456789abcdef";

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(sql: &'static str, params: &'static [&'static str], values: &Params) -> Vec<String> {
        written(&Statement { sql, params }, values)
    }

    #[test]
    fn a_value_is_never_read_as_sql() {
        let values = vec![("a", Value::from("x' OR 1=1 --")), ("b", Value::from("\\"))];

        let texts = text_of("SELECT ?1, ?2", &["a", "b"], &values);

        let expected = "SELECT _utf8mb4 x'7827204f5220313d31202d2d', _utf8mb4 x'5c'";
        assert_eq!(texts, [expected]);
    }

    #[test]
    fn a_list_is_written_as_its_members_and_an_empty_one_as_nothing() {
        let with = |ids: Vec<i64>| {
            text_of(
                "a IN (?1) AND b > -?2",
                &["ids", "n"],
                &vec![("ids", ids.into()), ("n", Value::Int(-5))],
            )
        };

        assert_eq!(with(vec![1, -2]), ["a IN (1, (-2)) AND b > -(-5)"]);
        assert_eq!(with(vec![]), ["a IN (NULL) AND b > -(-5)"]);
    }

    #[test]
    fn the_values_of_a_batch_are_written_for_each_member() {
        let sql = "INSERT INTO t (a, b) VALUES (?1, f(?2)) ON DUPLICATE KEY UPDATE a = ?2";
        let with = |ids: Vec<i64>| {
            text_of(
                sql,
                &["ids", "n"],
                &vec![("ids", ids.into()), ("n", Value::Null)],
            )
        };

        let expected = "INSERT INTO t (a, b) VALUES (1, f(NULL)), (2, f(NULL)) ON DUPLICATE KEY UPDATE a = NULL";
        assert_eq!(with(vec![1, 2]), [expected]);
        assert_eq!(with(vec![]), [""; 0]);
    }

    #[test]
    fn a_condition_is_written_for_each_member_and_holds_for_none_of_none() {
        let sql = "DELETE FROM t WHERE (a IN (?1) OR /*each*/ (a >= ?2 AND a < ?3)) AND b = ?4";
        let with = |firsts: Vec<i64>, lasts: Vec<i64>| {
            text_of(
                sql,
                &["singles", "firsts", "lasts", "b"],
                &vec![
                    ("singles", vec![7_i64].into()),
                    ("firsts", firsts.into()),
                    ("lasts", lasts.into()),
                    ("b", Value::Int(5)),
                ],
            )
        };

        assert_eq!(
            with(vec![1, 20], vec![9, 29]),
            [
                "DELETE FROM t WHERE (a IN (7) OR /*each*/ (a >= 1 AND a < 9) OR (a >= 20 AND a < 29)) AND b = 5"
            ]
        );
        assert_eq!(
            with(vec![], vec![]),
            ["DELETE FROM t WHERE (a IN (7) OR /*each*/ FALSE) AND b = 5"]
        );
    }
}
