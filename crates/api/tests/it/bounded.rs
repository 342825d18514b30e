//! Lists, however large their rows: each page is bounded, and page by page nothing is skipped or told twice.

mod stock;

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use serde_json::Value;

use self::stock::{Stock, Stocked};
use crate::fixture::Fixture;

/// What the items of a page may have.
const LONGEST: usize = 4 * 1024 * 1024;
/// What stands around them.
const FRAME: usize = 1_000;

/// A list that was read to its end.
struct Read {
    /// What each says, as a number: they are large.
    items: Vec<u64>,
    pages: usize,
}

/// The paths of all lists that go on by a cursor, as the description has them, and whether they take a limit.
fn lists() -> BTreeMap<String, bool> {
    let description: Value = serde_json::from_str(include_str!("../../openapi.json")).unwrap();
    let paths = description["paths"].as_object().unwrap().iter();
    let lists = paths.filter_map(|(path, item)| {
        let parameters = item["get"]["parameters"].as_array()?;
        let takes = |name| parameters.iter().any(|one| one["name"] == name);
        // What streams, holds one page at a time.
        let streams = path.ends_with("/stream") || path.ends_with("/export");
        let is_list = takes("after") && !streams;
        is_list.then(|| (path.clone(), takes("limit")))
    });
    lists.collect()
}

#[tokio::test]
async fn every_list_is_bounded_by_its_bytes_and_goes_on_where_it_ended() {
    let fixture = Fixture::new();
    let stock = Stock::of(&fixture).await;

    for (path, takes_limit) in lists() {
        let Stocked {
            address,
            items,
            is_large,
        } = stock.list(&path);
        let limits = if takes_limit {
            vec![500, 15]
        } else {
            vec![u32::MAX]
        };
        let mut reads = Vec::new();
        for limit in limits {
            reads.push(read(&fixture, &address, limit).await);
        }

        let (most, fewer) = (&reads[0], &reads[reads.len() - 1]);
        assert!(
            most.items.len() >= items,
            "{path}: {} of {items}",
            most.items.len()
        );
        assert_eq!(most.items, fewer.items, "{path}");
        let distinct: BTreeSet<_> = most.items.iter().collect();
        assert_eq!(distinct.len(), most.items.len(), "{path} told one twice");
        assert!(!is_large || most.pages > 1, "{path}: one page was enough");
    }
}

/// Reads a list to its end, so many at a time at the most.
async fn read(fixture: &Fixture, address: &str, limit: u32) -> Read {
    let mut address = address.to_owned();
    if limit < u32::MAX {
        address += &format!("limit={limit}&");
    }
    let mut read = Read {
        items: Vec::new(),
        pages: 0,
    };
    let mut after = String::new();
    loop {
        let reply = fixture.get(&format!("{address}{after}")).await;

        let (length, page) = (reply.body.len(), reply.ok());
        let items = page["items"].as_array().unwrap();
        assert!(
            length < LONGEST + FRAME || items.len() == 1,
            "{address}: {length} bytes"
        );
        assert!(
            items.len() <= limit as usize,
            "{address}: {} items",
            items.len()
        );
        read.items.extend(items.iter().map(number));
        read.pages += 1;
        let Some(next) = page["next"].as_str() else {
            return read;
        };
        after = format!("after={next}");
    }
}

fn number(item: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    item.to_string().hash(&mut hasher);
    hasher.finish()
}
