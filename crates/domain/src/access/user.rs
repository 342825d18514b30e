//! People who sign in.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::{Identity, Role};
use crate::{Timestamp, UserId};

/// What a user may be called, as a sentence.
pub const NAME_RULE: &str = "must be 1 to 64 lower-case letters, digits, '.', '_', '@', '+' or '-', starting with a \
                             letter or digit";

/// How many letters a password has.
pub const PASSWORD: RangeInclusive<usize> = 12..=256;

/// Whether a text can be the name of a user.
#[must_use]
pub fn is_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    (1..=64).contains(&text.len())
        && text.starts_with(is_plain)
        && text.chars().all(|c| is_plain(c) || "._@+-".contains(c))
}

/// Somebody who can sign in.
#[derive(Clone, PartialEq, Eq)]
pub struct User {
    /// Who.
    pub id: UserId,
    /// What they type, and are called by.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// The hash of their password in the format of PHC; without one they cannot sign in by a password.
    pub password: Option<String>,
    /// Whether they are kept out.
    pub is_disabled: bool,
    /// When they were added.
    pub created_at: Timestamp,
    /// When they signed in last.
    pub signed_in_at: Option<Timestamp>,
    /// How often in a row a wrong password was given for them.
    pub failures: u32,
    /// Before when no password is looked at, after wrong ones.
    pub retry_at: Option<Timestamp>,
    /// Who they are to the provider that they sign in at, if they do.
    pub identity: Option<Identity>,
}

impl std::fmt::Debug for User {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "User({} {} {})", self.id, self.name, self.role)
    }
}

/// A user who is to sign in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AddUser)]
pub struct NewUser {
    /// What they type, and are called by.
    #[schema(example = "kim.lee")]
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// Their password, of 12 to 256 letters.
    #[schema(format = "password")]
    pub password: String,
}

/// What is to become of a user; what is not given stays. All their sessions end with it.
#[skip_serializing_none]
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ChangeUser)]
pub struct UserPatch {
    /// The role.
    pub role: Option<Role>,
    /// A new password.
    #[schema(format = "password")]
    pub password: Option<String>,
    /// Whether they are kept out.
    #[serde(default, rename = "disabled")]
    pub is_disabled: Option<bool>,
}

/// What is to become of a user; `None` leaves it as it is.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct UserChange {
    /// The role.
    pub role: Option<Role>,
    /// The hash of a new password.
    pub password: Option<String>,
    /// Whether they are kept out.
    pub is_disabled: Option<bool>,
    /// The hash of the password that they were known by: the change is made only while it is still theirs.
    pub known_by: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_users_are_plain_and_lower_case() {
        for name in ["kim", "kim.lee@example.org", "a+b", "7"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "Kim", "kim lee", ".kim", "킴", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
