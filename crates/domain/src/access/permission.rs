//! Permissions: what can be allowed, one by one, and the fixed sets that people have.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::words::words;

words! {
    /// One thing that somebody can be allowed.
    #[derive(PartialOrd, Ord)]
    pub enum Permission, or "{text} is no permission: it is one of {words}" {
        /// Look at jobs, queues, campaigns, schedules, workers and events, without what they carry.
        JobsRead = "jobs:read",
        /// Enqueue jobs and send notifications; a key can be bounded by kind and by queue.
        JobsCreate = "jobs:create",
        /// See what jobs and campaigns carry, what they answered, and what they failed with.
        PayloadsRead = "payloads:read",
        /// See recipients and their addresses.
        RecipientsRead = "recipients:read",
        /// Write recipients down, import and delete them.
        RecipientsWrite = "recipients:write",
        /// Erase everything that names a recipient.
        RecipientsErase = "recipients:erase",
        /// Write and change schedules.
        SchedulesWrite = "schedules:write",
        /// Create campaigns, and send them.
        CampaignsSend = "campaigns:send",
        /// Read and mark inboxes of recipients.
        Inbox = "inbox",
        /// Claim and settle jobs.
        Worker = "worker",
        /// Stop, resume, retry, cancel and limit what is there.
        Operate = "operate",
        /// Make and revoke API keys, add and change users.
        KeysAdmin = "keys:admin",
        /// Read the audit log.
        AuditRead = "audit:read",
        /// Read metrics.
        Metrics = "metrics",
    }
}

/// A set of permissions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Permissions(u16);

impl Permissions {
    /// None at all.
    pub const NONE: Self = Self(0);
    /// Every permission there is.
    pub const ALL: Self = Self::of(&Permission::ALL);

    /// These.
    #[must_use]
    pub const fn of(permissions: &[Permission]) -> Self {
        let (mut bits, mut i) = (0, 0);
        while i < permissions.len() {
            bits |= 1 << permissions[i] as u16;
            i += 1;
        }
        Self(bits)
    }

    /// Whether it is among them.
    #[must_use]
    pub const fn has(self, permission: Permission) -> bool {
        self.0 & (1 << permission as u16) != 0
    }

    /// Whether each of those is among these.
    #[must_use]
    pub const fn include(self, others: Self) -> bool {
        others.0 & !self.0 == 0
    }

    /// Each of them, in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Permission> {
        Permission::ALL
            .into_iter()
            .filter(move |one| self.has(*one))
    }

    /// Reads words with spaces or commas between.
    pub fn read(text: &str) -> Result<Self, String> {
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        let permissions: Vec<Permission> = words.map(str::parse).collect::<Result<_, _>>()?;
        Ok(Self::of(&permissions))
    }
}

impl fmt::Display for Permissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.iter().map(Permission::as_str).collect();
        f.write_str(&words.join(" "))
    }
}

impl fmt::Debug for Permissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

impl FromIterator<Permission> for Permissions {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        Self::of(&permissions.into_iter().collect::<Vec<_>>())
    }
}

impl Serialize for Permissions {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Permissions {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Permission>::deserialize(deserializer).map(Self::from_iter)
    }
}

/// What a call requires of whoever makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// Nothing: anybody may, without saying who they are.
    Public,
    /// That they say who they are.
    SignedIn,
    /// One of these permissions.
    OneOf(&'static [Permission]),
}

/// What each call requires: its method, its path as the router has it, and what whoever makes it must be.
pub type Requirements = &'static [(&'static str, &'static str, Requirement)];

words! {
    /// What a person is to the server: a fixed set of permissions.
    pub enum Role, or "{text} is no role: it is {words}" {
        /// Looks, and sees neither payloads nor people.
        Viewer = "viewer",
        /// Looks at everything, stops and resumes what is there.
        Operator = "operator",
        /// Writes recipients down and sends to them.
        Sender = "sender",
        /// Does everything, and says who else may.
        Admin = "admin",
    }
}

impl Role {
    /// What whoever has it may do.
    #[must_use]
    pub const fn permissions(self) -> Permissions {
        use Permission as P;
        match self {
            Self::Viewer => Permissions::of(&[P::JobsRead, P::Metrics]),
            Self::Operator => Permissions::of(&[
                P::JobsRead,
                P::PayloadsRead,
                P::RecipientsRead,
                P::Operate,
                P::AuditRead,
                P::Metrics,
            ]),
            Self::Sender => Permissions::of(&[
                P::JobsRead,
                P::JobsCreate,
                P::PayloadsRead,
                P::RecipientsRead,
                P::RecipientsWrite,
                P::SchedulesWrite,
                P::CampaignsSend,
            ]),
            Self::Admin => Permissions::ALL,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_read_back_as_they_were_written() {
        for role in Role::ALL {
            let written = role.permissions().to_string();

            assert_eq!(Permissions::read(&written), Ok(role.permissions()));
        }
        let refused = Permissions::read("jobs:read, jobs:fly").unwrap_err();
        assert!(refused.contains("jobs:fly is no permission"), "{refused}");
    }

    #[test]
    fn a_viewer_sees_neither_payloads_nor_people() {
        let viewer = Role::Viewer.permissions();

        for hidden in [
            Permission::PayloadsRead,
            Permission::RecipientsRead,
            Permission::Inbox,
        ] {
            assert!(!viewer.has(hidden), "{hidden}");
        }
    }

    #[test]
    fn only_an_admin_says_who_may_do_what() {
        for role in Role::ALL {
            assert_eq!(
                role.permissions().has(Permission::KeysAdmin),
                role == Role::Admin
            );
            assert!(Permissions::ALL.include(role.permissions()));
        }
    }
}
