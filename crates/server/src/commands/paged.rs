//! Lists that are longer than a page.

use baton_protocol::{List, PageQuery};
use serde::Serialize;

use crate::{exit::Failure, output::Output};

/// The longest page that the API gives.
const PAGE: usize = 500;

/// Shows so many items of a list at most, and says how many it has shown: each as JSON when its page comes, or all as one table.
pub async fn paged<T: Serialize>(
    most: usize,
    page: impl AsyncFn(PageQuery) -> baton_client::Result<List<T>>,
    head: &[&str],
    row: impl Fn(&T) -> Vec<String>,
    output: &Output,
) -> Result<usize, Failure> {
    let (mut left, mut after) = (most, None);
    let mut rows = Vec::new();
    while left > 0 {
        let limit = u32::try_from(left.min(PAGE)).ok();
        let List { items, next } = page(PageQuery { limit, after }).await?;
        for item in items.into_iter().take(left) {
            left -= 1;
            match output.is_json() {
                true => output.json(&item),
                false => rows.push(row(&item)),
            }
        }
        after = next;
        if after.is_none() {
            break;
        }
    }
    if !rows.is_empty() {
        output.table(head, rows);
    }
    Ok(most - left)
}
