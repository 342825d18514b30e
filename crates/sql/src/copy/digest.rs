//! What a logical table comes to: how many rows it has, and a digest of them that their order does not change.

use baton_ports::store::Result;
use ring::digest::{SHA256, digest};

use super::{pages, scripts::Scripts};
use crate::{kernel::Kernel, value::Value};

/// The rows of a table, summed up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    /// How many rows there are.
    pub rows: u64,
    digest: [u64; 4],
}

impl Sum {
    /// The digest as text.
    #[must_use]
    pub fn digest(&self) -> String {
        self.digest
            .iter()
            .rev()
            .map(|part| format!("{part:016x}"))
            .collect()
    }

    /// Adds a row. The digests of rows are added as numbers of 256 bits, so that each side may read in its own order.
    fn add(&mut self, row: &[Value]) {
        self.rows += 1;
        let one = digest(&SHA256, &written(row));
        let mut carry = false;
        for (sum, bytes) in self.digest.iter_mut().zip(one.as_ref().chunks_exact(8)) {
            let part = u64::from_le_bytes(bytes.try_into().expect("a chunk has eight bytes"));
            let (added, first) = sum.overflowing_add(part);
            let (added, second) = added.overflowing_add(u64::from(carry));
            (*sum, carry) = (added, first || second);
        }
    }
}

/// Sums up a table of a database, page by page.
pub async fn sum(kernel: &Kernel, table: &str) -> Result<Sum> {
    let mut sum = Sum::default();
    let parts = Scripts::of(kernel.dialect()).parts.iter();
    for part in parts.filter(|part| part.table.name == table) {
        let mut after = None;
        while let Some(page) = pages::read(kernel, part, after.as_deref()).await? {
            page.rows.iter().for_each(|row| sum.add(row));
            after = Some(page.ends);
        }
    }
    Ok(sum)
}

/// A row as bytes, each value with its kind and its length before it, so that no two rows are written alike.
fn written(row: &[Value]) -> Vec<u8> {
    let mut out = Vec::new();
    for value in row {
        match value {
            Value::Int(number) => put(&mut out, 1, &number.to_be_bytes()),
            Value::Float(number) => put(&mut out, 2, &number.to_bits().to_be_bytes()),
            Value::Text(text) => put(&mut out, 3, text.as_bytes()),
            Value::Uuid(id) => put(&mut out, 4, id.as_bytes()),
            Value::Null | Value::List(_) | Value::Blob => put(&mut out, 0, &[]),
        }
    }
    out
}

fn put(out: &mut Vec<u8>, kind: u8, bytes: &[u8]) {
    out.push(kind);
    out.extend_from_slice(&(bytes.len() as u64).to_be_bytes());
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum_of(rows: &[&[Value]]) -> Sum {
        let mut sum = Sum::default();
        rows.iter().for_each(|row| sum.add(row));
        sum
    }

    #[test]
    fn rows_come_to_the_same_in_any_order_and_to_another_with_any_change() {
        let (a, b) = (
            [Value::from("a"), Value::Null],
            [Value::from("b"), Value::from(0.0)],
        );

        let sum = sum_of(&[&a, &b]);

        assert_eq!(sum, sum_of(&[&b, &a]));
        let bit = [Value::from("b"), Value::from(-0.0)];
        let moved = [Value::Null, Value::from("a")];
        for other in [
            sum_of(&[&a, &bit]),
            sum_of(&[&moved, &b]),
            sum_of(&[&a, &a]),
        ] {
            assert_ne!(sum.digest(), other.digest());
        }
    }
}
