//! Lists, page by page.

use baton_domain::page::{Page, PageRequest};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct List<T> {
    /// What the page shows.
    pub items: Vec<T>,
    /// Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
    /// still have a next one.
    pub next: Option<String>,
}

impl<T> List<T> {
    /// A list that fits one page.
    #[must_use]
    pub const fn whole(items: Vec<T>) -> Self {
        Self { items, next: None }
    }
}

impl<T, U: From<T>> From<Page<T>> for List<U> {
    fn from(page: Page<T>) -> Self {
        Self {
            items: page.items.into_iter().map(U::from).collect(),
            next: page.next,
        }
    }
}

/// Which page of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// How many items at most.
    #[param(minimum = 1, maximum = 500, default = 50)]
    pub limit: Option<u32>,
    /// Where the last page ended, as its `next` said.
    pub after: Option<String>,
}

impl PageQuery {
    /// The first page, of so many items at most.
    #[must_use]
    pub const fn first(limit: u32) -> Self {
        Self {
            limit: Some(limit),
            after: None,
        }
    }
}

/// Where a list goes on that has no limit of its own: it fits one page nearly always.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CursorQuery {
    /// Where the last page ended, as its `next` said.
    pub after: Option<String>,
}

/// Checks a limit and fills in the default.
pub fn check_limit(limit: Option<u32>) -> Result<u32, crate::FieldError> {
    let limit = limit.unwrap_or(PageRequest::DEFAULT_LIMIT);
    if (1..=PageRequest::MAX_LIMIT).contains(&limit) {
        Ok(limit)
    } else {
        Err(crate::FieldError::new(
            "limit",
            "must lie between 1 and 500",
        ))
    }
}

impl TryFrom<PageQuery> for PageRequest {
    type Error = crate::FieldError;

    fn try_from(query: PageQuery) -> Result<Self, Self::Error> {
        Ok(Self {
            limit: check_limit(query.limit)?,
            after: query.after,
        })
    }
}
