//! Kinds: which of them the server runs itself, and which others it takes in.

use std::sync::Arc;

use crate::queue::{AllowList, DEFAULT, WorkedBy};

/// What a kind of the server's own begins with, when it is added from now on.
const RESERVED: &str = "baton.";

/// Which kinds the server runs itself, and which others it takes in for remote workers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kinds {
    /// Those that it runs; without them all are taken for such.
    built_in: Option<Arc<[String]>>,
    /// Those others that may be enqueued.
    custom: AllowList,
}

impl Kinds {
    /// The server runs these, and takes in others that are allowed.
    pub fn new(built_in: impl IntoIterator<Item = String>, custom: AllowList) -> Self {
        Self {
            built_in: Some(built_in.into_iter().collect()),
            custom,
        }
    }

    /// The same, where the server runs these.
    #[must_use]
    pub fn with_built_in(self, built_in: impl IntoIterator<Item = String>) -> Self {
        Self::new(built_in, self.custom)
    }

    /// Who runs jobs of a kind.
    #[must_use]
    pub fn worked_by(&self, kind: &str) -> WorkedBy {
        match &self.built_in {
            Some(built_in) if !built_in.iter().any(|one| one == kind) => WorkedBy::Remote,
            _ => WorkedBy::Server,
        }
    }

    /// The queue of a job of a kind that names none.
    #[must_use]
    pub fn queue_of<'a>(&self, kind: &'a str) -> &'a str {
        match self.worked_by(kind) {
            WorkedBy::Server => DEFAULT,
            WorkedBy::Remote => kind,
        }
    }

    /// Why a kind cannot be enqueued, as a sentence.
    #[must_use]
    pub fn refusal(&self, kind: &str) -> Option<String> {
        let built_in = self.built_in.as_ref()?;
        if built_in.iter().any(|one| one == kind) {
            return None;
        }
        let known = || built_in.join(", ");
        if let Some(meant) = built_in.iter().find(|one| one.eq_ignore_ascii_case(kind)) {
            return Some(format!("{kind:?} is written {meant:?}"));
        }
        if kind.starts_with(RESERVED) {
            return Some(format!(
                "names that begin with {RESERVED:?} are the server's own; there is: {}",
                known()
            ));
        }
        (!self.custom.lists(kind)).then(|| {
            format!(
                "{kind:?} is no kind that may be used here: there is {}, and kinds.allow says: {}",
                known(),
                self.custom.told()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(allow: &[&str]) -> Kinds {
        let allow: Vec<_> = allow.iter().map(ToString::to_string).collect();
        Kinds::new(["http".to_owned()], AllowList::of(&allow))
    }

    #[test]
    fn a_kind_that_the_server_does_not_run_has_a_queue_of_its_own() {
        let kinds = kinds(&[]);

        assert_eq!(kinds.queue_of("http"), "default");
        assert_eq!(kinds.queue_of("resize"), "resize");
        assert_eq!(kinds.worked_by("resize"), WorkedBy::Remote);
        assert_eq!(kinds.refusal("resize"), None);
    }

    #[test]
    fn what_is_taken_in_can_be_bounded() {
        let kinds = kinds(&["shop.*"]);

        assert_eq!(kinds.refusal("shop.resize"), None);
        assert_eq!(kinds.refusal("http"), None);
        assert!(kinds.refusal("resize").is_some());
        assert!(kinds.refusal("notifications").is_some());
    }

    #[test]
    fn a_name_that_could_be_taken_for_the_servers_own_is_refused() {
        let kinds = kinds(&[]);

        assert!(
            kinds
                .refusal("HTTP")
                .is_some_and(|why| why.contains("\"http\""))
        );
        assert!(kinds.refusal("baton.walk").is_some());
    }
}
