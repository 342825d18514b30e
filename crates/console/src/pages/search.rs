//! What a list of jobs is asked for, as it stands in its address.

use baton_domain::{
    JobId, Lifecycle,
    job::{State, Trigger},
    operation::{Action, JobSelection},
    page::PageRequest,
    queue,
};
use baton_ports::store::JobFilter;
use serde::Deserialize;

use crate::errors::PageError;

/// How many jobs a page of the list shows.
pub const ROWS: u32 = 50;

/// What a list of jobs is asked for; an empty text does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Search {
    /// In this state.
    pub state: String,
    /// In this queue.
    pub queue: String,
    /// Of this kind.
    pub kind: String,
    /// With this tag.
    pub tag: String,
    /// With this key; or the id of a job, which leads straight to it.
    pub q: String,
    /// Where the last page ended.
    pub after: String,
}

impl Search {
    /// The job that was asked for by its id.
    pub fn job(&self) -> Option<JobId> {
        self.q.trim().parse().ok()
    }

    /// The filter of the list.
    pub fn filter(&self) -> Result<JobFilter, PageError> {
        let state = match given(&self.state) {
            None => None,
            Some(word) => Some(word.parse::<State>().map_err(|error| {
                PageError::refused(
                    tr!(
                        "{word} is no state: {error}.",
                        word = format!("{word:?}"),
                        error = error
                    ),
                    tr!("The tabs above the list name every state."),
                )
            })?),
        };
        Ok(JobFilter {
            state,
            kind: given(&self.kind),
            queue: given(&self.queue),
            tag: given(&self.tag),
            key: given(&self.q),
            campaign: queue::campaign_of(&self.queue),
        })
    }

    /// The jobs of an operation: those of a state, and not one by its key.
    pub fn selection(&self) -> Result<JobSelection, PageError> {
        let filter = self.filter()?;
        let state = filter.state.filter(|_| filter.key.is_none());
        let state = state.ok_or_else(|| {
            PageError::refused(
                tr!("An operation on jobs is about those of one state.").to_owned(),
                tr!("Choose a state above the list, and search by queue, kind or tag."),
            )
        })?;
        Ok(JobSelection {
            state,
            kind: filter.kind,
            queue: filter.queue,
            tag: filter.tag,
        })
    }

    /// What can be done to all jobs that are found.
    pub fn actions(&self) -> Vec<Action> {
        let selection = self.selection().ok();
        let state = selection.map(|selection| selection.state);
        let allows = |trigger: Trigger| state.is_some_and(|state| state.on(trigger).is_ok());
        let all = Action::ALL.into_iter();
        all.filter(|action| action.on_jobs().is_some_and(allows))
            .collect()
    }

    /// The page of the list.
    pub fn page(&self) -> PageRequest {
        PageRequest {
            limit: ROWS,
            after: given(&self.after),
        }
    }

    /// Whether more is asked for than a state and a queue, whose jobs are counted.
    pub fn is_narrow(&self) -> bool {
        [&self.kind, &self.tag, &self.q]
            .iter()
            .any(|text| !text.trim().is_empty())
    }

    /// Whether anything but a state is asked for.
    pub fn is_filtered(&self) -> bool {
        self.is_narrow() || !self.queue.trim().is_empty()
    }

    /// The same search in another state, from the newest.
    pub fn in_state(&self, state: &str) -> Self {
        Self {
            state: state.to_owned(),
            after: String::new(),
            ..self.clone()
        }
    }

    /// The same search, from where a page ended.
    pub fn from(&self, after: &str) -> Self {
        Self {
            after: after.to_owned(),
            ..self.clone()
        }
    }

    /// Its address below the mount.
    pub fn path(&self) -> String {
        let query = self.query();
        if query.is_empty() {
            "/jobs".to_owned()
        } else {
            format!("/jobs?{query}")
        }
    }

    /// Its address's query.
    pub fn query(&self) -> String {
        let fields = [
            ("state", &self.state),
            ("queue", &self.queue),
            ("kind", &self.kind),
            ("tag", &self.tag),
            ("q", &self.q),
            ("after", &self.after),
        ];
        let given = fields.iter().filter(|(_, text)| !text.trim().is_empty());
        let pairs = given.map(|(name, text)| format!("{name}={}", encode(text.trim())));
        pairs.collect::<Vec<_>>().join("&")
    }
}

fn given(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Percent-encodes a text for a query.
pub fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            byte => format!("%{byte:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_only_what_was_asked() {
        let search = Search {
            state: "failed".to_owned(),
            q: " order 7&8 ".to_owned(),
            ..Search::default()
        };

        assert_eq!(search.path(), "/jobs?state=failed&q=order%207%268");
        assert_eq!(Search::default().path(), "/jobs");
    }

    #[test]
    fn another_state_begins_at_the_newest() {
        let search = Search {
            queue: "mail".to_owned(),
            after: "cursor".to_owned(),
            ..Search::default()
        };

        assert_eq!(
            search.in_state("queued").path(),
            "/jobs?state=queued&queue=mail"
        );
    }

    #[test]
    fn what_can_be_done_to_all_is_what_their_state_allows() {
        let actions = |state| Search::default().in_state(state).actions();

        assert_eq!(actions("queued"), [Action::Cancel]);
        assert_eq!(actions("failed"), [Action::Retry]);
        assert_eq!(actions("succeeded"), []);
        assert_eq!(actions(""), []);
    }

    #[test]
    fn what_is_no_state_is_refused_by_name() {
        let search = Search::default().in_state("dead");

        let trouble = search.filter().unwrap_err();

        assert!(
            trouble.detail.contains("\"dead\" is no state"),
            "{}",
            trouble.detail
        );
    }
}
