//! What all members of a batch share, written once.
//!
//! A server parses each value anew, and most columns of most batches hold the same value for all members. So what differs becomes a table,
//! and what is shared stands once beside it. Measured on MariaDB: a thousand new jobs take half of the time.

use super::text::{filled, marks};
use crate::value::Value;

/// From how many members on it is worth it.
const MANY: usize = 16;
/// Before the values of a batch. MySQL calls each of its rows one, and MariaDB does not.
const TABLE: (&str, &str) = ("WITH batch (", "/*!80000 ROW */");

/// The same batch, with less to write for each member.
pub struct Shared {
    /// What stands before the members.
    pub before: String,
    /// What is written for each member.
    pub group: String,
    /// What stands behind the members.
    pub after: String,
}

/// Writes once what all members share, if that is half of what they have.
///
/// `insert` is what stands before the word `VALUES`, with its values in place.
pub fn shared(insert: &str, group: &str, values: &[&Value], members: usize) -> Option<Shared> {
    let items = items(group);
    let is_shared = |item: &str| marks(item).all(|(_, mark, _)| is_same(values[mark]));
    let differing: Vec<_> = items.iter().filter(|item| !is_shared(item)).collect();
    if members < MANY || differing.is_empty() || 2 * differing.len() > items.len() {
        return None;
    }
    let names: Vec<_> = (1..=differing.len()).map(|i| format!("c{i}")).collect();
    let mut next = names.iter();
    let selected = items.iter().map(|item| match is_shared(item) {
        true => filled(item, values, Some(0)),
        false => next.next().cloned().unwrap_or_default(),
    });
    let selected = selected.collect::<Vec<_>>().join(", ");
    let differing: Vec<_> = differing.into_iter().copied().collect();
    Some(Shared {
        before: format!("{insert}{}{}) AS (VALUES ", TABLE.0, names.join(", ")),
        group: format!("{}({})", TABLE.1, differing.join(", ")),
        after: format!(") SELECT {selected} FROM batch"),
    })
}

fn is_same(value: &Value) -> bool {
    match value {
        Value::List(all) => all.windows(2).all(|two| two[0] == two[1]),
        _ => true,
    }
}

/// What stands between the commas of a group.
fn items(group: &str) -> Vec<&str> {
    let inner = &group[1..group.len() - 1];
    let (mut depth, mut is_quoted, mut begins) = (0, false, 0);
    let mut items = Vec::new();
    for (at, c) in inner.char_indices() {
        match c {
            '\'' => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted => depth -= 1,
            ',' if !is_quoted && depth == 0 => {
                items.push(inner[begins..at].trim());
                begins = at + 1;
            }
            _ => {}
        }
    }
    items.push(inner[begins..].trim());
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_members_share_is_written_once() {
        let (ids, kind, ats) = (
            Value::from((0..20_i64).collect::<Vec<_>>()),
            Value::from(vec!["it's ?1"; 20]),
            Value::from(vec![7_i64; 20]),
        );
        let values = [&ids, &kind, &ats];

        let shared = shared(
            "INSERT INTO t (a, b, c, d) ",
            "(?1, ?2, f(?3, ','), NULL)",
            &values,
            20,
        );

        let shared = shared.expect("three of four are shared");
        assert_eq!(
            [shared.before, shared.group, shared.after],
            [
                "INSERT INTO t (a, b, c, d) WITH batch (c1) AS (VALUES ",
                "/*!80000 ROW */(?1)",
                ") SELECT c1, _utf8mb4 x'69742773203f31', f(7, ','), NULL FROM batch",
            ]
        );
    }

    #[test]
    fn a_batch_of_few_or_of_what_differs_is_written_as_it_is() {
        let (ids, ats) = (
            Value::from((0..20_i64).collect::<Vec<_>>()),
            Value::from(vec![7_i64; 20]),
        );

        assert!(shared("", "(?1, ?2)", &[&ids, &ats], 3).is_none());
        assert!(shared("", "(?1, ?1, ?2)", &[&ids, &ats], 20).is_none());
        assert!(shared("", "(?2, ?2)", &[&ids, &ats], 20).is_none());
    }
}
