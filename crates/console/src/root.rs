//! How a page reaches the others: by relative addresses.
//!
//! So the console works at any sub-path, also behind a proxy that hides where it is mounted.

use std::convert::Infallible;

use axum::{
    extract::{FromRequestParts, OriginalUri},
    http::{Uri, request::Parts},
};

use crate::{ConsoleState, assets};

/// How one page reaches the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// What stands before `/jobs`.
    pub up: String,
    /// The address of the first page.
    pub home: String,
}

impl Root {
    /// The root as seen from the page that was asked for.
    pub fn of(parts: &Parts) -> Self {
        let original = parts
            .extensions
            .get::<OriginalUri>()
            .map_or(&parts.uri, |OriginalUri(uri)| uri);
        Self::seen_from(original.path(), inner_path(&parts.uri))
    }

    /// `original` is the address as the server saw it, `inner` what is left of it below the mount.
    pub fn seen_from(original: &str, inner: &str) -> Self {
        let depth = inner.split('/').filter(|part| !part.is_empty()).count();
        let mount = original.strip_suffix(inner).unwrap_or(original);
        let mount = mount.trim_end_matches('/').rsplit('/').next().unwrap_or("");
        if depth == 0 {
            let here = if original.ends_with('/') { "." } else { mount };
            return Self::new(here, here);
        }
        let up = match depth {
            1 => ".".to_owned(),
            _ => vec![".."; depth - 1].join("/"),
        };
        let home = format!("{}{mount}", "../".repeat(depth));
        let home = if mount.is_empty() { up.as_str() } else { &home };
        Self::new(&up, home)
    }

    /// The root that a live feed was told by its page; `None` if it could lead out of the console.
    pub fn told(up: &str, home: &str) -> Option<Self> {
        let is_relative = |text: &str| {
            !text.is_empty()
                && !text.starts_with('/')
                && text
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "._~/-".contains(c))
        };
        (is_relative(up) && is_relative(home)).then(|| Self::new(up, home))
    }

    /// The address of a page of the console.
    pub fn href(&self, inner: &str) -> String {
        if inner == "/" {
            self.home.clone()
        } else {
            format!("{}{inner}", self.up)
        }
    }

    /// The address of a file.
    pub fn asset(&self, name: &str) -> String {
        self.href(&assets::address(name))
    }

    fn new(up: &str, home: &str) -> Self {
        Self {
            up: up.to_owned(),
            home: home.to_owned(),
        }
    }
}

impl FromRequestParts<ConsoleState> for Root {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &ConsoleState) -> Result<Self, Infallible> {
        Ok(Self::of(parts))
    }
}

fn inner_path(uri: &Uri) -> &str {
    match uri.path() {
        "" => "/",
        path => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_reaches_the_others_wherever_the_console_is_mounted() {
        let cases = [
            ("/admin", "/", "admin", "admin"),
            ("/admin/", "/", ".", "."),
            ("/admin/jobs", "/jobs", ".", "../admin"),
            ("/x/admin/jobs/1", "/jobs/1", "..", "../../admin"),
            (
                "/admin/jobs/1/cancel",
                "/jobs/1/cancel",
                "../..",
                "../../../admin",
            ),
            ("/jobs", "/jobs", ".", "."),
        ];

        for (original, inner, up, home) in cases {
            let root = Root::seen_from(original, inner);

            assert_eq!(root, Root::new(up, home), "{original}");
        }
    }

    #[test]
    fn a_live_feed_is_not_told_a_root_that_leads_away() {
        for foreign in [
            "//evil",
            "/",
            "javascript:alert(1)",
            "https://evil",
            "",
            "a b",
        ] {
            assert_eq!(Root::told(foreign, "."), None, "{foreign}");
            assert_eq!(Root::told(".", foreign), None, "{foreign}");
        }
        assert!(Root::told("../..", "../../admin").is_some());
    }
}
