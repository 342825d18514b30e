//! The actor: in whose name a use case is asked for, and what they may do.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize, de};

use super::{Permission, Permissions};
use crate::{KeyId, UserId, queue};

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Principal {
    /// The server itself: a routine, by its name.
    System(String),
    /// Whoever has the database: the command line of the machine.
    CommandLine,
    /// Anybody, on a server that asks nobody.
    Anonymous,
    /// Somebody who has not said who they are.
    Nobody,
    /// Somebody who has signed in.
    User(UserId),
    /// The bearer of an API key.
    Key(KeyId),
}

impl Principal {
    /// Whether it is a person who is known. The bearers of keys are programs.
    #[must_use]
    pub const fn is_person(&self) -> bool {
        matches!(self, Self::User(_))
    }

    const COMMAND_LINE: &str = "command-line";
    const ANONYMOUS: &str = "anonymous";
    const NOBODY: &str = "nobody";
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(name) => write!(f, "system:{name}"),
            Self::CommandLine => f.write_str(Self::COMMAND_LINE),
            Self::Anonymous => f.write_str(Self::ANONYMOUS),
            Self::Nobody => f.write_str(Self::NOBODY),
            Self::User(id) => id.fmt(f),
            Self::Key(id) => id.fmt(f),
        }
    }
}

/// A text that names no principal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected usr_<id>, key_<id>, system:<name>, command-line, anonymous or nobody")]
pub struct ParsePrincipalError;

impl FromStr for Principal {
    type Err = ParsePrincipalError;

    fn from_str(text: &str) -> Result<Self, ParsePrincipalError> {
        if let Some(name) = text.strip_prefix("system:") {
            return Ok(Self::System(name.to_owned()));
        }
        match text {
            Self::COMMAND_LINE => Ok(Self::CommandLine),
            Self::ANONYMOUS => Ok(Self::Anonymous),
            Self::NOBODY => Ok(Self::Nobody),
            text => {
                let user = text.parse().map(Self::User);
                let key = || text.parse().map(Self::Key);
                user.or_else(|_| key()).map_err(|_| ParsePrincipalError)
            }
        }
    }
}

impl Serialize for Principal {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Principal {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

/// In whose name something is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// Who.
    pub principal: Principal,
    /// What people call them.
    pub name: String,
    /// What they may do.
    pub permissions: Permissions,
    /// The kinds of jobs they may enqueue, as names or patterns; empty means all.
    pub kinds: Vec<String>,
    /// The queues they may enqueue to, as names or patterns; empty means all.
    pub queues: Vec<String>,
    /// The only recipient whose inbox they may open; all if there is none.
    pub recipient: Option<String>,
    /// The id of the request, where there is one.
    pub request_id: Option<String>,
    /// Why they ask, in their own words, if they have said so.
    pub reason: Option<String>,
}

impl Actor {
    /// The server itself, as the routine of this name. It may do everything.
    #[must_use]
    pub fn system(name: &str) -> Self {
        Self::unbounded(Principal::System(name.to_owned()), name, Permissions::ALL)
    }

    /// Whoever has the database. They may do everything.
    #[must_use]
    pub fn command_line() -> Self {
        Self::unbounded(Principal::CommandLine, "command line", Permissions::ALL)
    }

    /// Anybody, on a server that asks nobody. They may do everything but say who may do what: what they granted would last.
    #[must_use]
    pub fn anonymous() -> Self {
        let permissions = Permission::ALL.into_iter();
        let permissions = permissions.filter(|one| *one != Permission::KeysAdmin);
        Self::unbounded(Principal::Anonymous, "anonymous", permissions.collect())
    }

    /// Somebody who has not said who they are. They may do nothing.
    #[must_use]
    pub fn nobody() -> Self {
        Self::unbounded(Principal::Nobody, "nobody", Permissions::NONE)
    }

    /// Somebody with these permissions, in every kind and queue.
    #[must_use]
    pub fn unbounded(principal: Principal, name: &str, permissions: Permissions) -> Self {
        Self {
            principal,
            name: name.to_owned(),
            permissions,
            kinds: Vec::new(),
            queues: Vec::new(),
            recipient: None,
            request_id: None,
            reason: None,
        }
    }

    /// Whether they may do it at all.
    #[must_use]
    pub const fn may(&self, permission: Permission) -> bool {
        self.permissions.has(permission)
    }

    /// Whether they may open the inbox of this recipient.
    #[must_use]
    pub fn may_open_inbox(&self, recipient: &str) -> bool {
        let is_theirs = self.recipient.as_deref().is_none_or(|own| own == recipient);
        self.may(Permission::Inbox) && is_theirs
    }

    /// Whether this queue is within their bounds.
    #[must_use]
    pub fn may_use_queue(&self, queue: &str) -> bool {
        self.queues.is_empty() || self.queues.iter().any(|one| queue::matches(one, queue))
    }

    /// Whether they may enqueue jobs of this kind to this queue.
    #[must_use]
    pub fn may_enqueue(&self, kind: &str, queue: &str) -> bool {
        let allows = |patterns: &[String], name: &str| {
            patterns.is_empty() || patterns.iter().any(|one| queue::matches(one, name))
        };
        self.may(Permission::JobsCreate) && allows(&self.kinds, kind) && allows(&self.queues, queue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    #[test]
    fn a_principal_reads_back_as_it_was_written() {
        for principal in [
            Principal::System("pruner".into()),
            Principal::CommandLine,
            Principal::Anonymous,
            Principal::Nobody,
            Principal::User(UserId::new(Timestamp::from_micros(1))),
            Principal::Key(KeyId::new(Timestamp::from_micros(1))),
        ] {
            assert_eq!(principal.to_string().parse(), Ok(principal));
        }
        assert_eq!("somebody".parse::<Principal>(), Err(ParsePrincipalError));
    }

    #[test]
    fn a_bound_holds_for_kinds_and_for_queues() {
        let mut actor = Actor::anonymous();
        actor.kinds = vec!["mail.*".into()];
        actor.queues = vec!["low".into()];

        assert!(actor.may_enqueue("mail.welcome", "low"));
        assert!(!actor.may_enqueue("http", "low"));
        assert!(!actor.may_enqueue("mail.welcome", "high"));
        assert!(!Actor::nobody().may_enqueue("mail.welcome", "low"));
    }
}
