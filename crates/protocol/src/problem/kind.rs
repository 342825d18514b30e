//! Every kind of problem, in one list.

use super::Problem;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $status:literal, $title:literal;)*) => {
        /// The kinds of problem: a closed list, each with a page in `docs/problems`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ProblemKind {
            $($(#[$doc])* $name,)*
        }

        impl ProblemKind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The word for it, as `code` and at the end of `type`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// The HTTP status that goes with it.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$name => $status,)* }
            }

            /// The kind in a few words.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }

            /// Its page, in Markdown: what happened, what to do.
            #[must_use]
            pub const fn page(self) -> &'static str {
                match self {
                    $(Self::$name => include_str!(concat!("../../problems/", $code, ".md")),)*
                }
            }
        }
    };
}

kinds! {
    /// The body or the address is not what can be read at all.
    Malformed = "malformed", 400, "The request cannot be read";
    /// `after` is not a cursor of this list.
    BadCursor = "bad-cursor", 400, "This is not a cursor of this list";
    /// Nobody has said who asks, or their credential is worth nothing.
    Unauthenticated = "unauthenticated", 401, "This server asks who you are";
    /// Whoever asks may not do this.
    PermissionDenied = "permission-denied", 403, "You may not do this";
    /// Whoever asks has asked for the campaign, and somebody else has to approve it.
    SecondPersonNeeded = "second-person-needed", 403, "A second person is needed";
    /// The request came from a page of another site, or under a foreign host name.
    Forbidden = "forbidden", 403, "This server does not answer other sites";
    /// Nothing is served at this address.
    NotFound = "not-found", 404, "There is nothing at this address";
    /// There is no such job.
    JobNotFound = "job-not-found", 404, "There is no such job";
    /// There is no such operation.
    OperationNotFound = "operation-not-found", 404, "There is no such operation";
    /// There is no such recipient.
    RecipientNotFound = "recipient-not-found", 404, "There is no such recipient";
    /// There is no such schedule.
    ScheduleNotFound = "schedule-not-found", 404, "There is no such schedule";
    /// There is no such item in this inbox.
    InboxItemNotFound = "inbox-item-not-found", 404, "There is no such item in this inbox";
    /// There is no such worker.
    WorkerNotFound = "worker-not-found", 404, "There is no such worker";
    /// There is no such campaign.
    CampaignNotFound = "campaign-not-found", 404, "There is no such campaign";
    /// There is no such API key.
    KeyNotFound = "key-not-found", 404, "There is no such API key";
    /// There is no such user.
    UserNotFound = "user-not-found", 404, "There is no such user";
    /// The address is right, the method is not.
    MethodNotAllowed = "method-not-allowed", 405, "This address does not take this method";
    /// Its state does not allow it.
    IllegalTransition = "illegal-transition", 409, "Its state does not allow this";
    /// The key belongs to something with other content.
    KeyConflict = "key-conflict", 409, "The key is taken";
    /// The name belongs to another schedule.
    NameTaken = "name-taken", 409, "The name belongs to another schedule";
    /// It names somebody who is being erased.
    RecipientBeingErased = "recipient-being-erased", 409, "A recipient is being erased";
    /// Nobody would be left who may say who may do what.
    LastAdmin = "last-admin", 409, "The last admin stays one";
    /// The worker has said goodbye.
    WorkerLeft = "worker-left", 409, "The worker has said goodbye";
    /// Nobody has approved the campaign, which is larger than one person may send.
    AwaitsApproval = "awaits-approval", 409, "The campaign waits for a second person";
    /// A call of the campaign may still reach somebody.
    CampaignNotEnded = "campaign-not-ended", 409, "The campaign has not come to its end";
    /// Deliveries of the campaign were pruned.
    DeliveriesGone = "deliveries-gone", 410, "Deliveries of the campaign were pruned";
    /// The place in the event feed is no place of this history.
    EventsGone = "events-gone", 410, "These events are not to be had";
    /// The body is longer than this call takes.
    TooLarge = "too-large", 413, "The request is too large";
    /// The body is not announced as what this call takes: JSON, nearly everywhere.
    UnsupportedMediaType = "unsupported-media-type", 415, "The body is not of a type that this call takes";
    /// The request can be read, but its fields are wrong.
    Invalid = "invalid", 422, "The request does not make sense";
    /// A mistake of Baton's own.
    Internal = "internal", 500, "Something went wrong in Baton";
    /// A row that was asked for cannot be read.
    Unreadable = "unreadable", 500, "What is kept of it cannot be read";
    /// The database is not available; nothing was done.
    Unavailable = "unavailable", 503, "The database is not available";
    /// The connection was lost around a commit: it may have been done or not.
    Unconfirmed = "unconfirmed", 503, "It is not known whether it was done";
    /// The answer took too long.
    Timeout = "timeout", 503, "The answer took too long";
    /// The server is stopping and takes nothing new.
    Draining = "draining", 503, "The server is stopping";
    /// The server is not ready to serve.
    NotReady = "not-ready", 503, "The server is not ready";
    /// It keeps moving, so the change kept missing it.
    Busy = "busy", 503, "It is moving too fast";
    /// The server has as much to do as it can bear.
    Overloaded = "overloaded", 503, "The server has too much to do";
}

impl ProblemKind {
    /// What `type` says: a reference to the page that the server itself serves.
    #[must_use]
    pub fn uri(self) -> String {
        format!("/docs/problems/{}", self.as_str())
    }

    /// Reads the word back.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == code)
    }

    /// Whether the same request may succeed a little later.
    #[must_use]
    pub const fn is_passing(self) -> bool {
        self.status() == 503
    }

    /// A problem of this kind.
    #[must_use]
    pub fn because(self, detail: impl Into<String>) -> Problem {
        Problem::new(self, detail)
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    #[test]
    fn every_kind_has_a_page_that_says_what_happened_and_what_to_do() {
        for kind in ProblemKind::ALL {
            let page = kind.page();

            let heading = format!("# {}\n", kind.title());
            assert!(page.starts_with(&heading), "{kind:?} begins {heading}");
            let status = format!("`{}`, HTTP status {}.", kind.as_str(), kind.status());
            assert!(page.contains(&status), "{kind:?} says {status}");
            for part in ["## What happened", "## What to do"] {
                assert!(page.contains(part), "{kind:?} has a part {part}");
            }
        }
    }

    #[test]
    fn every_page_belongs_to_a_kind() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems");

        let pages: BTreeSet<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();

        let wanted: BTreeSet<String> = ProblemKind::ALL
            .iter()
            .map(|kind| format!("{}.md", kind.as_str()))
            .collect();
        assert_eq!(pages, wanted);
    }

    #[test]
    fn a_code_names_one_kind() {
        for kind in ProblemKind::ALL {
            assert_eq!(ProblemKind::from_code(kind.as_str()), Some(*kind));
        }
    }
}
