//! Where the last page of a list ended, in the address of the next.

use baton_domain::page::PageRequest;
use serde::Deserialize;

use super::search::encode;
use crate::root::Root;

/// Where the last page of a list ended.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct After {
    /// As its `next` said.
    pub after: String,
}

impl After {
    /// What is asked of the engine.
    pub fn page(&self, limit: u32) -> PageRequest {
        PageRequest {
            limit,
            after: Some(self.after.clone()).filter(|after| !after.is_empty()),
        }
    }

    /// The query of this page.
    pub fn query(&self) -> String {
        format!("after={}", encode(&self.after))
    }
}

/// The address of the next page of a list, if there is one.
pub fn next_page(root: &Root, list: &str, next: Option<&String>) -> Option<String> {
    next.map(|next| root.href(&format!("{list}?after={}", encode(next))))
}
