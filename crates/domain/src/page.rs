//! Pages of a list, newest first, each continued by a cursor.

use std::str::FromStr;

/// How much of a list to show, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// How many items at most.
    pub limit: u32,
    /// Where the last page ended, as its `next` said.
    pub after: Option<String>,
}

impl PageRequest {
    /// Items of a page that names no limit.
    pub const DEFAULT_LIMIT: u32 = 50;
    /// Items of the longest page.
    pub const MAX_LIMIT: u32 = 500;

    /// The first page, of so many items at most.
    #[must_use]
    pub const fn first(limit: u32) -> Self {
        Self { limit, after: None }
    }

    /// Where the last page ended, read; `None` if this is the first one.
    pub fn cursor<T: FromStr>(&self) -> Result<Option<T>, BadCursor> {
        let cursor = self.after.as_deref().map(str::parse);
        cursor.transpose().map_err(|_| BadCursor)
    }
}

/// A text that is no cursor of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadCursor;

impl Default for PageRequest {
    fn default() -> Self {
        Self::first(Self::DEFAULT_LIMIT)
    }
}

/// One page of a list. A page can be short, even empty, and still have a `next`: a search looks at
/// a bounded number of rows at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// What it shows.
    pub items: Vec<T>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<String>,
}

impl<T> Page<T> {
    /// The same page of something else.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U> {
        Page {
            items: self.items.into_iter().map(change).collect(),
            next: self.next,
        }
    }
}
